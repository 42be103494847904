"""amrx.evaluation.hub_data.fetch: what is fetched, when, and what is said of it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import retrofit.bases
from amrx.cli import main
from amrx.errors import InputError
from amrx.evaluation.hub_data import provide
from amrx.evaluation.tasks import catalogue
from amrx.evaluation.tasks.sts import STS17
from amrx.evaluation.tasks.transfer.task_table import XNLI
from amrx.evaluation.tasks.transfer.xcopa import XCOPA
from tests.support.fake_hub import COMMIT, serving
from tests.support.hub_toys import moved, write_gzip, write_parquet
from tests.support.word_encoder import Words

pytestmark = pytest.mark.usefixtures("online")


def sts_rows(name: str) -> list[dict]:
    return [{"sentence1": f"{name} {n}", "sentence2": f"ü {n}", "score": n / 50} for n in range(250)]


@pytest.fixture
def sts17(tmp_path: Path) -> Path:
    """All tracks, a file each."""
    for track in STS17.tracks:
        name = "-".join(track.columns)
        write_gzip(tmp_path / "hub" / "test" / f"{name}.jsonl.gz", sts_rows(name))
    return tmp_path / "hub"


def test_what_the_folder_lacks_is_fetched_once_and_told(sts17: Path, tmp_path: Path) -> None:
    data, cache = tmp_path / "data", tmp_path / "cache"
    own = data / "sts/sts17/en-en.tsv"
    own.parent.mkdir(parents=True)
    own.write_text("".join(f"own {n}\town\t{n % 5}\n" for n in range(250)), "utf-8")
    task = moved(STS17, sts17)
    provided = provide([task], data, cache)
    assert provided.origins == [
        f"sts17: 9 files from {sts17} at no revision, a folder (CC BY-SA 4.0), kept in {cache}"
    ]
    parts, skipped = task.load(provided.data)
    assert not skipped
    first = {part.track.language: part.pairs[3] for part in parts}
    assert first["en-en"].first == "own 3"  # the data folder comes first
    assert (first["en-es"].first, first["en-es"].second, first["en-es"].score) == ("es-en 3", "ü 3", 0.06)
    shutil.rmtree(sts17)
    assert provide([task], data, cache) == provided  # nothing is asked again
    assert not list(cache.glob(".fetch*"))


def test_a_killed_run_goes_on_where_rows_or_origin_are_missing(sts17: Path, tmp_path: Path) -> None:
    cache, task = tmp_path / "cache", moved(STS17, sts17)
    provide([task], None, cache)
    rows, origin = cache / "sts/sts17/en-de.tsv", cache / "sts/sts17/en-tr.tsv.source.json"
    before = rows.read_bytes()
    rows.unlink()
    origin.unlink()
    (cache / "sts/sts17/en-tr.tsv").write_text("half", "utf-8")
    provide([task], None, cache)
    assert rows.read_bytes() == before
    assert json.loads(origin.read_text())["file"] == "test/en-tr.jsonl.gz"
    assert len(task.load(cache)[0]) == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "field 'dataset': is missing"),
        ("xx", ":1: field 'column 1': is not JSON"),
        ("[]", "field 'dataset': is missing"),
        ("", "is empty"),
        ('{"dataset": "d", "revision": 1}', "field 'revision': must be a non-blank string"),
    ],
)
def test_an_origin_that_is_none_is_named(sts17: Path, tmp_path: Path, text: str, message: str) -> None:
    cache, task = tmp_path / "cache", moved(STS17, sts17)
    provide([task], None, cache)
    (cache / "sts/sts17/en-tr.tsv.source.json").write_text(text, "utf-8")
    with pytest.raises(InputError, match=rf"en-tr\.tsv\.source\.json.*{message}"):
        provide([task], None, cache)


def failing(monkeypatch: pytest.MonkeyPatch, error: Callable[[], Exception]) -> list[str]:
    """Let the hub fail; return the files that it is asked for."""
    asked: list[str] = []

    def load_dataset(kind: str, *, data_files: str, **rest: object) -> None:
        asked.append(data_files)
        raise error()

    monkeypatch.setattr("datasets.load_dataset", load_dataset)
    return asked


def test_a_hub_that_cannot_be_reached_is_asked_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from huggingface_hub.errors import HfHubHTTPError

    no_answer = HfHubHTTPError.__mro__[1]  # the HTTP library's own error
    for error in (lambda: no_answer("no route to host"), lambda: ConnectionError("no route to host")):
        asked = failing(monkeypatch, error)
        provided = provide([STS17, XNLI], tmp_path, tmp_path / "cache")
        assert asked == [
            "hf://datasets/mteb/sts17-crosslingual-sts@faeb762787bd10488a50c8b5be4a3b82e411949c/"
            "test/ar-ar.jsonl.gz"
        ]
        assert provided.refused == [
            "the hub cannot be reached, so nothing more is downloaded: no route to host"
        ]
        assert len(STS17.load(provided.data)[1]) == 10  # each is told with what to fetch by hand


def test_one_missing_file_does_not_stop_the_others(sts17: Path, tmp_path: Path) -> None:
    (sts17 / "test/ar-ar.jsonl.gz").unlink()
    task = moved(STS17, sts17)
    provided = provide([task], None, tmp_path / "cache")
    assert [line.partition(":")[0] for line in (*provided.origins, *provided.refused)] == [
        "sts17",
        f"a file of {sts17} was not downloaded",
    ]
    assert [found.language for found in task.load(provided.data)[1]] == ["ar-ar"]


def test_offline_nothing_is_asked_but_what_was_kept_is_used(sts17, tmp_path, monkeypatch):
    task = moved(STS17, sts17)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    asked = failing(monkeypatch, lambda: AssertionError("asked"))
    [line] = provide([task], None, tmp_path / "cache").refused
    assert line == f"10 missing files could be downloaded from the hub, but not offline: {sts17}"
    monkeypatch.undo()
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    provide([task], None, tmp_path / "cache")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert len(task.load(provide([task], None, tmp_path / "cache").data)[0]) == 10
    assert not asked


def test_without_datasets_it_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    [line] = provide([STS17], None, tmp_path / "cache").refused
    assert line.endswith("that needs datasets; pip install 'amrx[train]'")


FETCH = """
import dataclasses, sys
from pathlib import Path
from amrx.evaluation.tasks.catalogue import in_languages
from amrx.evaluation.hub_data import provide
from amrx.evaluation.tasks.sts import STS17
from amrx.evaluation.tasks.transfer.xcopa import XCOPA

provided = provide([STS17, *in_languages([XCOPA], "et")[0]], None, Path(sys.argv[1]))
print(*provided.origins, *provided.refused, sep="\\n")
"""


def test_a_hub_is_asked_over_http(sts17: Path, tmp_path: Path) -> None:
    row = {"premise": "p", "choice1": "a", "choice2": "b", "question": "cause"}
    needed = [("test", "et"), *(("validation", code) for code in XCOPA.languages)]  # val of all is fitted on
    for split, code in needed:
        file = sts17 / f"{code}/{split}-00000-of-00001.parquet"
        write_parquet(file, {**{name: [value] for name, value in row.items()}, "label": ["0"]})
    (sts17 / "test/ar-ar.jsonl.gz").unlink()
    cache = tmp_path / "cache"
    with serving(sts17) as endpoint:
        own = {"HF_ENDPOINT": endpoint, "HF_HOME": str(tmp_path / "home"), "HF_HUB_DISABLE_XET": "1"}
        command = [sys.executable, "-c", FETCH, str(cache)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **own})
    pinned, newest, missing = done.stdout.splitlines()
    name = "mteb/sts17-crosslingual-sts"
    commit = "faeb762787bd10488a50c8b5be4a3b82e411949c"
    assert pinned == f"sts17: 9 files from {name} at {commit} (CC BY-SA 4.0), kept in {cache}"
    assert newest == f"xcopa: 12 files from cambridgeltl/xcopa at {COMMIT} (CC BY 4.0), kept in {cache}"
    assert missing.startswith(f"a file of {name} was not downloaded: Unable to find ")
    assert len(STS17.load(cache)[0]) == 9


def test_eval_without_a_data_folder(sts17, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(catalogue, "TASKS", (moved(STS17, sts17),))
    monkeypatch.setattr(retrofit.bases, "load_base", lambda name, device=None: Words())
    monkeypatch.delenv("AMRX_DATA", raising=False)
    page = tmp_path / "out.html"
    assert main(["eval", "--tasks", "sts17", "--html", str(page)]) == 0
    told = capsys.readouterr()
    assert f"sts17: 10 files from {sts17} at no revision, a folder (CC BY-SA 4.0)" in told.err
    assert "skipped" not in told.err
    assert f"10 files from {sts17}" in page.read_text("utf-8")
    assert main(["eval", "--tasks", "sts17", "--no-cache"]) == 2
    assert "no data folder; give --data DIR" in capsys.readouterr().err
