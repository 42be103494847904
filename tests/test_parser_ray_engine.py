"""--engine ray on a cluster of this machine's own with two workers; skipped where Ray is not installed."""

from __future__ import annotations

import gc
import sys
import warnings
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import pytest

from amrx.errors import AmrxError, MissingResourceError, OptionError
from amrx.types import Sentence
from parser.run.cache import CachedParser, ParseCache
from parser.run.engines import run as run_block
from parser.run.pool import NamedParser, open_parser
from parser.run.stream import parse_stream
from tests.support.parse_command import put, run
from tests.support.toy_parser import register

# Ray leaves sockets and files open, and warns of what will change in it
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]
TWO = ["--engine", "ray", "--workers", "2", "--lang", "de", "--batch-size", "16"]


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    return tmp_path_factory.mktemp("ray") / "killed"


@pytest.fixture(scope="module")
def cluster(killed):
    """A cluster of three CPUs whose processes know the toy parser; the third is left free."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'amrx[ray]'")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOY_KILLED", str(killed))
        patch.setenv(
            "PYTHONPATH", str(Path(__file__).resolve().parents[1])
        )  # the workers find the toy parser
        patch.delenv("RAY_ADDRESS", raising=False)
        # else Ray runs its workers at niceness 15, and a machine with other work starves them for minutes
        patch.setenv("RAY_worker_niceness", "0")
        hook = {"worker_process_setup_hook": register}
        ray.init("local", num_cpus=3, object_store_memory=100 * 2**20, include_dashboard=False,
                 log_to_driver=False, logging_level="ERROR", runtime_env=hook)  # fmt: skip
        yield ray
        ray.shutdown()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()  # what Ray left open is closed here, not amid another file's tests


def test_the_same_file_as_the_local_engine_though_a_worker_is_killed(
    cluster, killed, toy, tmp_path, monkeypatch
):
    lines = [f"Satz {number % 150}" if number % 7 else "" for number in range(400)]
    lines[90] = "kill -9"
    lines[5] = 'Grüße "an" 那个男孩 :x / (y) ~ \U0001f600'
    source = put(tmp_path / "s.txt", "\n".join(lines) + "\n")
    monkeypatch.setattr("parser.commands.parse.BLOCK", 125)
    toy.seen.clear()
    assert run(source, "-o", tmp_path / "ray.amr", "--no-cache", *TWO) == 0
    assert killed.exists()
    assert toy.seen == []  # nothing was parsed here
    monkeypatch.delenv("TOY_KILLED")
    assert run(source, "-o", tmp_path / "local.amr", "--no-cache", "--lang", "de") == 0
    made = (tmp_path / "ray.amr").read_bytes()
    assert made == (tmp_path / "local.amr").read_bytes()
    assert made.count(b"# ::id") == 400


def test_what_was_parsed_before_a_kill_is_not_parsed_again(cluster, toy, tmp_path, capsys):
    """The engine is left in the middle; the same command goes on, and so does the local engine."""
    lines = [f"Satz {number}" for number in range(300)]
    sentences = [Sentence(str(number), text, "de") for number, text in enumerate(lines, start=1)]
    cache = tmp_path / "c.sqlite"
    with ParseCache(cache) as kept, ExitStack() as stack:
        parser = CachedParser(open_parser("split:toy", 2, stack, engine="ray"), kept)
        assert parser.hits == 0
        begun = parse_stream(parser, sentences, batch_size=16, block=200)
        assert [parse.id for parse in islice(begun, 100)] == [str(number) for number in range(1, 101)]
        begun.close()
        done = len(kept)
        assert 100 <= done < 300
    source = put(tmp_path / "s.txt", "\n".join(lines) + "\n")
    assert run(source, "-o", tmp_path / "ray.amr", "--cache", cache, *TWO) == 0
    assert capsys.readouterr().err.endswith(f"300 graphs, {done} from the cache\n")
    assert run(source, "-o", tmp_path / "local.amr", "--cache", cache, "--lang", "de") == 0
    assert capsys.readouterr().err.endswith("300 graphs, 300 from the cache\n")
    assert (tmp_path / "ray.amr").read_bytes() == (tmp_path / "local.amr").read_bytes()


def test_an_error_of_a_worker_arrives_whole(cluster, toy, tmp_path, capsys):
    source = put(tmp_path / "s.txt", "gut\nfault\n")
    assert run(source, "-o", tmp_path / "g.amr", "--no-cache", *TWO) == 2
    assert capsys.readouterr().err == "amrx: error: field 'text': 'fault' is one\n"
    assert not (tmp_path / "g.amr").exists()


def test_a_cluster_too_small(cluster, toy):
    with pytest.raises(OptionError, match=r"at most 2 on a Ray cluster of 3 CPUs \(one stays free\), got 3"):
        open_parser("toy", 3, ExitStack(), engine="ray")


def test_what_cannot_start_says_why(toy, monkeypatch, tmp_path, capsys):
    with pytest.raises(OptionError, match="workers must be at least 1, got 0"):
        open_parser("toy", 0, ExitStack(), engine="ray")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingResourceError, match=r"extra 'ray' .* pip install 'amrx\[ray\]'"):
        open_parser("toy", None, ExitStack(), engine="ray")
    assert run(put(tmp_path / "s.txt", "a\n"), "-o", tmp_path / "g.amr", "--engine", "ray") == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert run(put(tmp_path / "s.txt", "a\n"), "-o", tmp_path / "g.amr", "--engine", "spark") == 2
    assert "spark" in capsys.readouterr().err


def test_a_worker_with_other_weights_is_told(toy):
    """In this process, because a cluster of one machine has but one version."""
    block = [Sentence("1", "Hallo", "de"), Sentence("2", "\ud800", "de")]
    with pytest.raises(AmrxError, match="parser 'toy' is toy-1, not toy-0"):
        run_block(NamedParser("toy"), "toy-0", block, 2)
