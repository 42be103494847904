"""For the tests of the recipe xamr: a tiny mBART-50 without AMR, a bank, a teacher's graphs, translations."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from parser.training.writers.recipe import Recipe
from tests.support import tiny_seq2seq as tiny

GERMAN = {"1": "Der Junge will gehen.", "2": "Das girl will nicht.", "3": "Wer geht?", "4": "Ja."}
RECIPE = Recipe(
    base="base", distill_steps=4, tune_steps=5, learning_rate=5e-3, warmup=2, batch=120, accumulate=2,
    least=1, longest=90, evaluate_every=3, save_every=2, dropout=0.25,
)  # fmt: skip


def make_base(folder: Path) -> Path:
    """Save an mBART-50 that knows no AMR."""
    tokenizer = tiny.mbart_tokenizer()
    model = tiny.tiny_model("mbart", len(tokenizer), init_std=0.05, max_position_embeddings=128)
    return tiny.save(folder, model, tokenizer)


def make_data(folder: Path) -> Path:
    """Write a bank, a teacher's graphs of it and of one more sentence, German translations."""
    (folder / "translated" / "de").mkdir(parents=True)
    gold = [
        f"# ::id {number}\n# ::snt {text}\n{amr}\n" for number, (text, amr) in enumerate(tiny.GOLD.items(), 1)
    ]
    (folder / "train.amr").write_text("\n".join(gold))
    (folder / "dev.amr").write_text("\n".join(gold[::2]))
    known = [(text, "(g / go-02 :ARG0 (b / boy))", "ok") for text in [*tiny.GOLD, "The boy goes."]]
    rows = [*known, ("He goes.", "(t / thing)", "repaired"), ("", "(a / amr-empty)", "failed")]
    lines = [
        json.dumps({"id": str(number), "text": text, "lang": "en", "graph": amr, "status": status})
        for number, (text, amr, status) in enumerate(rows, 1)
    ]
    (folder / "teacher.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "translated" / "translate.json").write_text("{}")
    german = [{"id": name, "text": text, "lang": "de"} for name, text in GERMAN.items()]
    german += [
        {"id": "5", "text": "Er geht.", "lang": "de"},  # its graph was repaired
        {"id": "1", "text": "Der", "lang": "de", "flags": ["cut"]},
        {"id": "2", "text": " ", "lang": "de", "flags": ["empty"]},
        {"id": "3", "text": "Wer geht? " * 40, "lang": "de"},  # longer than the recipe's limit
    ]
    (folder / "translated" / "de" / "00000.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in german)
    )
    return folder


def recipe(base: Path, **changes) -> Recipe:
    return dataclasses.replace(RECIPE, base=str(base), **changes)
