"""amrx retrofit: a run that was killed, started again."""

from pathlib import Path

import pytest

from tests.support.fake_command import FakeParser, german, parser, run

__all__ = ["german", "parser"]


def test_a_killed_run_started_again_gives_the_same_bytes(parser: FakeParser, german: Path, tmp_path: Path):
    whole, parts = tmp_path / "whole.npy", tmp_path / "parts.npy"
    assert run(german, "--lang", "de", "-o", whole, "--block", 2) == 0
    parser.calls, parser.dies_at = 0, 4
    assert run(german, "--lang", "de", "-o", parts, "--block", 2) == 130
    assert not parts.exists() and not (tmp_path / "parts.npy.failed.tsv").exists()
    parser.seen, parser.dies_at = [], 0
    assert run(german, "--lang", "de", "-o", parts, "--block", 2) == 0
    assert parser.seen == german.read_text().splitlines()[6:]
    for suffix in ("", ".ids", ".failed.tsv"):
        left, right = (Path(f"{file}{suffix}").read_bytes() for file in (parts, whole))
        assert left == right
    assert not list(tmp_path.glob("*.partial*"))


@pytest.mark.parametrize("suffix", ["npy", "parquet", "jsonl"])
@pytest.mark.parametrize("place", ["amrx.records.write_{}", "retrofit.resumable_retrofit._list_failed"])
def test_a_run_killed_after_the_last_block_encodes_nothing_again(
    parser: FakeParser, german: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, place: str
):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder in (whole, parts):
        folder.mkdir()
    arguments = [german, "--lang", "de", "-o"]
    assert run(*arguments, whole / f"v.{suffix}") == 0

    def dying(*_arguments: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(place.format("ids" if suffix == "npy" else "vectors"), dying)
        assert run(*arguments, parts / f"v.{suffix}", "--weight", 0.5) == 130
        parser.seen = []
        assert run(*arguments, parts / f"v.{suffix}") == 130
    assert len(parser.seen) == 10  # the settings are others
    parser.seen = []
    assert run(*arguments, parts / f"v.{suffix}") == 0
    assert parser.seen == []
    left, right = ({file.name: file.read_bytes() for file in folder.iterdir()} for folder in (whole, parts))
    assert left == right


def test_a_failed_line_of_an_unfinished_block_is_not_listed_twice(parser, german, tmp_path, monkeypatch):
    from amrx.records import ResumableVectors

    flush, dead = ResumableVectors._flush, []

    def dying(self: ResumableVectors) -> None:
        if self.done == 2 and not dead:
            assert "Satz 3?" in self.log.read_text()
            dead.append(self)
            raise KeyboardInterrupt  # the failed sentence is noted, its vector is not written
        flush(self)

    with monkeypatch.context() as patch:
        patch.setattr(ResumableVectors, "_flush", dying)
        assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--block", 2) == 130
    assert run(german, "--lang", "de", "-o", tmp_path / "v.npy", "--block", 2) == 0
    assert len((tmp_path / "v.npy.failed.tsv").read_text().splitlines()) == 3
