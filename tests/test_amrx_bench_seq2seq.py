"""scripts/bench_seq2seq.py compares like with like."""

import json
import runpy
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "bench_seq2seq.py"


def test_both_ways_write_the_same_number_of_tokens_for_every_sentence():
    bench = runpy.run_path(str(SCRIPT))
    generator, rows = bench["endless"](bench["random_model"]("tiny"), 5), bench["random_rows"](9)
    assert len({len(row) for row in rows}) > 3
    assert [len(ids) for ids in bench["one_by_one"](generator, rows)] == [5] * 9
    for batch_size in (2, 64):
        assert [len(ids) for ids in bench["in_batches"](generator, rows, batch_size)] == [5] * 9


def test_it_prints_the_ratio(capsys, tmp_path):
    bench, kept = runpy.run_path(str(SCRIPT)), tmp_path / "kept.json"
    bench["main"](
        ["--size", "tiny", "--sentences", "3", "--length", "3", "--rounds", "1", "--json", str(kept)]
    )
    first, alone, together = capsys.readouterr().out.splitlines()
    assert first.startswith("3 sentences, 3 tokens each, size tiny, ")
    assert alone.split()[:3] == ["one", "by", "one"]
    assert float(together.split("(")[1].removesuffix(" x)")) > 0
    figures = json.loads(kept.read_text())
    assert f"({figures['ratio']:.2f} x)" in together
    assert (figures["size"], figures["sentences"], figures["length"]) == ("tiny", 3, 3)
