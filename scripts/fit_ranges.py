"""Fit the ranges of int8 arithmetic: ``python scripts/fit_ranges.py DATA PARSER ENCODER``.

The folders are those of a parser ``mini`` and an AMR encoder; each gets ``ranges.safetensors`` (`amrx.int8`).
The sentences are of training data: some of every language of NTREX and of both sides of Tatoeba.
"""

from __future__ import annotations

import gzip
import random
import sys
from itertools import chain
from pathlib import Path

from amrx.int8 import input_ranges, write_ranges
from amrx.threads import set_threads
from linearize import linearize
from parser.mini.parser import load_mini
from retrofit.amr.encoder import load_encoder

EACH = 10
"""Sentences of a language of NTREX; of a file of Tatoeba six times as many."""


def sentences(data: Path) -> list[str]:
    """Return sentences of all languages."""
    chosen = random.Random(0)  # noqa: S311
    files = chain.from_iterable(
        sorted((data / "parallel" / name).glob("*.gz")) for name in ("ntrex", "tatoeba")
    )
    texts = list[str]()
    for file in files:
        lines = [line for line in gzip.open(file, "rt", encoding="utf-8").read().split("\n") if line.strip()]
        texts += chosen.sample(lines, EACH if file.parent.name == "ntrex" else 6 * EACH)
    return [part.strip() for text in texts for part in text.split("\t") if part.strip()]


def main(data: Path, parser_folder: Path, encoder_folder: Path) -> None:
    """Run both in float32 and write the ranges."""
    set_threads()
    texts = sentences(data)
    parser = load_mini(parser_folder, int8=False)
    parses = parser.parse(texts)
    write_ranges(parser_folder, input_ranges(parser.network.reader, lambda: parser.parse(texts)))
    encoder = load_encoder(encoder_folder, precision="fp32", sketch=False)
    graphs = [linearize(parse.graph, form=encoder.form) for parse in parses]
    write_ranges(encoder_folder, input_ranges(encoder.model, lambda: encoder.pool(graphs)))
    print(f"ranges of {len(texts)} sentences")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
