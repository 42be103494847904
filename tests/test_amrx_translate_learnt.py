"""A Marian model trained here on open pairs (Tatoeba, CC BY 2.0 FR) translates short sentences."""

from pathlib import Path

import pytest

from amrx.cli import main
from tests.support import tiny_marian as tiny


def right(pairs: dict[str, str], folder: Path, tmp_path: Path, name: str) -> float:
    """Return the share of sentences that the command translates word for word as the file does."""
    source = tmp_path / f"{name}.txt"
    source.write_text("".join(f"{text}\n" for text in pairs), "utf-8")
    argv = ["translate", str(source), "-o", str(tmp_path / name), "--to", "de", "--model", f"de={folder}"]
    assert main([*argv, "--device", "cpu"]) == 0
    made = [row["text"] for row in tiny.lines(tmp_path / name)["de/00000.jsonl"]]
    return sum(one == other for one, other in zip(made, pairs.values(), strict=True)) / len(pairs)


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")
def test_short_sentences_seen_and_unseen(data_dir: Path, tmp_path: Path) -> None:
    """Most of those it was trained on, and part of those it never saw (of many it says *du* for *Sie*)."""
    pairs = tiny.open_pairs(data_dir / "parallel" / "tatoeba" / "en-de.tsv.gz")
    assert len(pairs) > 300
    unseen = dict(list(pairs.items())[::8])
    seen = {text: pairs[text] for text in pairs if text not in unseen}
    learnt = tiny.save(tmp_path / "learnt", seen, steps=150, width=64, pieces_of=200)
    rough = tiny.save(tmp_path / "rough", seen, width=64, pieces_of=200)
    assert right(seen, learnt, tmp_path, "seen") > 0.8
    assert right(unseen, learnt, tmp_path, "unseen") > 0.2
    assert right(unseen, rough, tmp_path, "untrained") == 0
