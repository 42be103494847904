"""What the options of ``amrx translate`` change."""

import json
from pathlib import Path

import pytest

from amrx.cli import main
from tests.support.fake_translator import Fake as FakeTranslator

SHOWN = [(["--progress"], True), (["--no-progress"], False), ([], None)]


def run(*arguments: object) -> int:
    return main(["translate", *map(str, arguments)])


class Engine(FakeTranslator):
    """Notes what `amrx translate` makes of its options."""

    made: list[dict[str, object]]

    def __init__(self, folders: object, *, beam: int, device: str | None) -> None:
        super().__init__()
        self.beam = beam
        self.made.append({"beam": beam, "device": device, "sizes": [], "show": None})

    def find(self, source: str, target: str) -> Path:
        self.made[-1]["pair"] = (source, target)
        return self.folder

    def translate(self, texts: list[str], *, batch_size: int, show: bool | None) -> object:
        self.made[-1]["sizes"].append((len(texts), batch_size))
        self.made[-1]["show"] = show
        return super().translate(texts, batch_size=batch_size, show=show)


@pytest.mark.parametrize(("shown", "show"), SHOWN)
def test_options_of_translate(shown, show, tmp_path, monkeypatch):
    monkeypatch.setattr("amrx.translate.marian.OpusTranslator", Engine)
    monkeypatch.setattr(Engine, "made", [], raising=False)
    table = tmp_path / "in.tsv"
    table.write_text("eins\tzwei\n" + "a\tb\n" * 5)
    out = tmp_path / "out"
    settings = ["--beam", 4, "--shard-size", 2, "--batch-size", 7, "--device", "cpu", *shown]
    assert run(table, "--output", out, "--to", "fr", "--from", "de", "--column", "zwei", *settings) == 0
    [made] = Engine.made
    assert (made["beam"], made["device"], made["pair"]) == (4, "cpu", ("de", "fr"))
    assert (made["sizes"], made["show"]) == ([(2, 7), (2, 7), (1, 7)], show)
    rows = [json.loads(line) for line in (out / "fr" / "00002.jsonl").read_text().splitlines()]
    assert [(row["eins"], row["zwei"]) for row in rows] == [("a", "B")]


def test_translate_refuses_what_means_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.txt").write_text("a\n")
    for option in ("--beam", "--shard-size", "--batch-size"):
        assert run(tmp_path / "in.txt", "-o", tmp_path / "out", "--to", "fr", option, -1) == 2
        assert option in capsys.readouterr().err
    assert run(tmp_path / "in.txt", "-o", tmp_path / "out", "--to", "fr", "--from", "xx") == 2
    assert "language code 'xx'" in capsys.readouterr().err
