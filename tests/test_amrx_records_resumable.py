"""Vector files written block by block: what a kill leaves, and when a run starts over."""

import json
import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from amrx.errors import OutputError
from amrx.records import ResumableVectors

BLOCKS = 8
WRITER = textwrap.dedent(
    """
    import os, signal, sys
    import numpy as np
    from amrx.records import ResumableVectors

    path, mark, kill_before, moment = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    rows = np.random.default_rng(7).standard_normal((80, 6))
    with ResumableVectors(path, (80, 6), fingerprint=mark) as out:
        print(out.done)
        sys.stdout.flush()
        while True:
            if out.done == kill_before * 10:
                if moment == "rows":    # after the rows reached the disk, before the count did
                    out._array[out.done : out.done + 5] = -1
                    out._flush()
                os.kill(os.getpid(), signal.SIGKILL)
            if out.done == 80:
                break
            out.append(rows[out.done : out.done + 10])
    """
)


def write_in_process(path, *, mark="a", kill_before=-1, moment="between"):
    command = [sys.executable, "-c", WRITER, str(path), mark, str(kill_before), moment]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == (0 if kill_before < 0 else -signal.SIGKILL), done.stderr
    return int(done.stdout)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    path = tmp_path_factory.mktemp("undisturbed") / "v.npy"
    assert write_in_process(path) == 0
    return path.read_bytes()


MOMENTS = [(0, "rows"), (3, "between"), (7, "rows"), (BLOCKS, "between")]


@pytest.mark.parametrize(("kill_before", "moment"), MOMENTS)
def test_killed_run_goes_on_and_ends_with_the_same_bytes(tmp_path, undisturbed, kill_before, moment):
    path = tmp_path / "v.npy"
    assert write_in_process(path, kill_before=kill_before, moment=moment) == 0
    assert not path.exists()
    assert write_in_process(path) == kill_before * 10
    assert path.read_bytes() == undisturbed
    assert [file.name for file in tmp_path.iterdir()] == ["v.npy"]


def test_other_settings_start_over(tmp_path, undisturbed):
    path = tmp_path / "v.npy"
    write_in_process(path, mark="other", kill_before=4)
    assert write_in_process(path, mark="a") == 0
    assert path.read_bytes() == undisturbed


def test_damaged_sidecar_or_missing_rows_start_over(tmp_path):
    path = tmp_path / "v.npy"
    for damage in ("sidecar", "rows", "gone"):
        with ResumableVectors(path, (4, 2), fingerprint="a") as out:
            out.append(np.ones((2, 2)))
        partial, sidecar = tmp_path / "v.npy.partial", tmp_path / "v.npy.partial.json"
        if damage == "sidecar":
            sidecar.write_text('{"done": ')
        elif damage == "rows":
            os.truncate(partial, 20)
        else:
            partial.unlink()
        with ResumableVectors(path, (4, 2), fingerprint="a") as again:
            assert again.done == 0


@pytest.mark.parametrize("change", [{"shape": (5, 2)}, {"dtype": "float16"}, {"fingerprint": "b"}])
def test_other_shape_or_type_starts_over(tmp_path, change):
    settings = {"shape": (4, 2), "dtype": "float32", "fingerprint": "a"}
    with ResumableVectors(tmp_path / "v.npy", **settings) as out:
        out.append(np.ones((2, 2)))
    for options, done in ((settings, 2), ({**settings, **change}, 0)):
        with ResumableVectors(tmp_path / "v.npy", **options) as again:
            assert again.done == done


def test_two_runs_at_once_do_not_write_one_file(tmp_path):
    path = tmp_path / "v.npy"
    with ResumableVectors(path, (2, 2), fingerprint="a") as out:
        out.append(np.ones((1, 2)))
        with pytest.raises(OutputError, match="another run is writing it"):
            ResumableVectors(path, (2, 2), fingerprint="b")
        out.append(np.ones((1, 2)))
    assert np.load(path).sum() == 4


def test_an_error_after_the_last_row_costs_no_row_and_gives_no_name(tmp_path):
    path = tmp_path / "v.npy"
    with pytest.raises(KeyboardInterrupt), ResumableVectors(path, (2, 2), fingerprint="a") as out:
        out.append(np.ones((2, 2)))
        assert out.rows().tolist() == [[1, 1], [1, 1]]
        raise KeyboardInterrupt
    assert not path.exists()
    with pytest.raises(ValueError, match="is closed"):
        out.rows()
    with ResumableVectors(path, (2, 2), fingerprint="a") as out:
        assert out.done == 2
    assert [file.name for file in tmp_path.iterdir()] == ["v.npy"]


def test_run_that_was_killed_just_before_the_rename(tmp_path):
    path = tmp_path / "v.npy"
    with ResumableVectors(path, (2, 2), fingerprint="a") as out:
        out.append(np.ones((1, 2)))
    sidecar = tmp_path / "v.npy.partial.json"
    sidecar.write_text(json.dumps({**json.loads(sidecar.read_text()), "done": 2}))
    with ResumableVectors(path, (2, 2), fingerprint="a") as out:
        assert out.done == 2
    assert path.exists()


DAMAGED = {
    "more rows than there are": '{"done": 999}',
    "a negative count": '{"done": -1}',
    "a count that is not a number": '{"done": "x"}',
    "a count that is true": '{"done": true}',
    "fewer notes": '{"noted": 99}',
    "other notes": '{"check": 1}',
    "no UTF-8": None,
    "a list": "[]",
    "deeply nested": "[" * 100_000,
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_sidecar_that_cannot_be_right_starts_over(tmp_path, damage):
    path, sidecar = tmp_path / "v.npy", tmp_path / "v.npy.partial.json"
    with ResumableVectors(path, (4, 2), fingerprint="a") as out:
        out.append(np.ones((2, 2)), ["one"])
    change = DAMAGED[damage]
    if change is None:
        sidecar.write_bytes(b"\xff\xfe")
    elif change.startswith("{"):
        sidecar.write_text(json.dumps({**json.loads(sidecar.read_text()), **json.loads(change)}))
    else:
        sidecar.write_text(change)
    with ResumableVectors(path, (4, 2), fingerprint="a") as again:
        assert again.done == 0 and list(again.notes()) == []
        again.append(np.ones((4, 2)))
    assert [file.name for file in tmp_path.iterdir()] == ["v.npy"]


@pytest.mark.parametrize("damage", [b"", b"one", b"\0\0\0\0", None])
def test_notes_that_are_damaged_start_over_and_later_ones_are_cut(tmp_path, damage):
    path, log = tmp_path / "v.npy", tmp_path / "v.npy.partial.notes"
    with ResumableVectors(path, (4, 2), fingerprint="a") as out:
        out.append(np.ones((2, 2)), ["one"])
        assert list(out.notes()) == ["one"]
    log.unlink() if damage is None else log.write_bytes(damage)
    with ResumableVectors(path, (4, 2), fingerprint="a") as again:
        assert again.done == 0
        again.append(np.ones((1, 2)), ["one", "deux"])
    log.write_bytes(log.read_bytes() + b"half of a li\0\0")
    with ResumableVectors(path, (4, 2), fingerprint="a") as again:
        assert again.done == 1
        again.append(np.ones((1, 2)), ["drei"])
        assert list(again.notes()) == ["one", "deux", "drei"]


@pytest.mark.parametrize("start", [b"", b"\x93NUMPY\x01\x00", b"x" * 128])
def test_an_array_with_another_header_starts_over(tmp_path, start):
    path, partial = tmp_path / "v.npy", tmp_path / "v.npy.partial"
    with ResumableVectors(path, (4, 2), fingerprint="a") as out:
        out.append(np.ones((2, 2)))
    with partial.open("r+b") as stream:
        stream.write(start + b"\xff" * 4)
    with ResumableVectors(path, (4, 2), fingerprint="a") as again:
        assert again.done == 0
