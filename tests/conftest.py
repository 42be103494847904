"""What the tests share: real data where it is, and a few literal graphs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import hypothesis
import penman
import pytest

from parser.load import PARSERS, Kind
from tests.support.toy_parser import ToyParser

pytest_plugins = ["tests.support.small_mini_run", "tests.support.tiny_mini"]

# a deadline is wall-clock time, which says more about the machine than about the code
hypothesis.settings.register_profile("amrx", deadline=None, max_examples=50)
hypothesis.settings.load_profile("amrx")

LITERAL_AMRS = {
    # the re-entrant node of every textbook
    "boy": "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    # an inverse role, a quantity, a polarity
    "teacher": "(p / person :quant 3 :ARG0-of (t / teach-01 :polarity -))",
    # a name: strings, :wiki, numbered operators
    "york": '(v / visit-01 :ARG0 (i / i) :ARG1 (c / city :wiki "New_York_City"'
    ' :name (n / name :op1 "New" :op2 "York")))',
    # a cycle through re-entrancy
    "cycle": "(s / see-01 :ARG0 (d / dog :ARG0-of (b / bark-01 :ARG1 s)))",
    # attributes of every kind: number, date, mode, time, a symbol with a plus
    "attributes": '(a / and :op1 (d / date-entity :year 2026 :month 11 :time "9:40")'
    " :op2 (l / leave-15 :mode imperative :ARG0 (y / you) :degree 0.5 :polite +))",
    # nothing but a node
    "single": "(a / amr-empty)",
}


@pytest.fixture(params=sorted(LITERAL_AMRS))
def amr(request: pytest.FixtureRequest) -> penman.Graph:
    """Each literal graph in turn."""
    return penman.decode(LITERAL_AMRS[request.param])


@pytest.fixture
def amrs() -> dict[str, penman.Graph]:
    """All literal graphs by name."""
    return {name: penman.decode(text) for name, text in LITERAL_AMRS.items()}


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[], AbstractContextManager[None]]:
    """Opens a block in which transformers finds no room for a model."""

    def no_room(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    @contextmanager
    def block() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr("transformers.PreTrainedModel.save_pretrained", no_room)
            yield

    return block


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for tests that write a file for each of many examples."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of open data: AMRX_DATA, else ../shared/data beside the repository."""
    named = os.environ.get("AMRX_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        if named:
            pytest.fail(f"AMRX_DATA names {folder}, which is no folder")
        pytest.skip("the open data is not on this machine; set AMRX_DATA")
    return folder


@pytest.fixture(scope="session")
def e5_files() -> None:
    """Skip where multilingual E5 small is not on this machine."""
    from amrx.e5.weights import find
    from amrx.errors import MissingResourceError

    try:
        find()
    except MissingResourceError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def muse_files() -> None:
    """Skip where multilingual USE is not on this machine."""
    from amrx.errors import MissingResourceError
    from amrx.muse.weights import find

    try:
        find()
    except MissingResourceError as missing:
        pytest.skip(str(missing))


@pytest.fixture(autouse=True)
def own_caches(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of caches; no test reads or writes the user's, or another test's, or asks the hub."""
    folder = tmp_path_factory.mktemp("caches")
    monkeypatch.setenv("AMRX_CACHE", str(folder / "parses.sqlite"))
    monkeypatch.setenv("AMRX_VECTOR_CACHE", str(folder / "vectors.sqlite"))
    monkeypatch.setenv("AMRX_INDEX", str(folder / "index"))
    monkeypatch.setenv("AMRX_DATA_CACHE", str(folder / "data"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "share"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return folder


@pytest.fixture(autouse=True)
def no_lines_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a test takes, its output is the same."""
    monkeypatch.setattr("amrx.device.EVERY", float("inf"))


@pytest.fixture
def online(own_caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the code believe that it may ask the hub; the test sees to it that it asks another one."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def toy(own_caches: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ToyParser:
    """The toy parser in the table of parsers, and a cache of its own for the user."""
    parser = ToyParser()
    monkeypatch.setitem(PARSERS, "toy", Kind(lambda rest: parser, "toy", "for tests"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user-cache"))
    monkeypatch.delenv("AMRX_CACHE", raising=False)
    return parser
