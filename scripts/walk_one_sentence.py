#!/usr/bin/env python
"""Run one sentence through all stages of amrx, and print each state. Read this file first.

.venv/bin/python scripts/walk_one_sentence.py                        Der Junge will gehen.
.venv/bin/python scripts/walk_one_sentence.py "Maria vit à Paris."      [fr]   its language is detected
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
import penman
from tokenizers import Tokenizer

import retrofit
from amrx.langid import detect
from amrx.types import Sentence, Vectors
from amrx.vectors import normalise
from linearize import linearize
from retrofit.combine import encode_parses
from retrofit.folders import find_encoder


def main(text: str, lang: str | None = None) -> None:
    """Print the states of a sentence from text to vector."""
    lang = lang or detect([text])[0]
    show(f"text ({lang})", text)
    encoder = retrofit.load(base="muse", parser="mini", encoder="mini")

    # parser: text -> graph. The graph is always valid; the status says whether it had to be repaired.
    [parse] = encoder.parser.parse([Sentence("1", text, lang)])
    show(f"graph ({parse.status})", penman.encode(parse.graph))

    # linearize: graph -> tokens. The pointer form can be converted back; the paper's form is encoded.
    show("pointer tokens", " ".join(linearize(parse.graph, form="pointer")))
    tokens = linearize(parse.graph, form="paper")
    show("paper tokens", " ".join(tokens))

    # AMR encoder: tokens -> ids -> one vector h
    tokenizer = Tokenizer.from_file(str(find_encoder("mini") / "tokenizer.json"))
    show("ids", str(tokenizer.encode(" ".join(tokens)).ids))
    [amr] = encoder.encoders
    h = encode_parses(amr, [parse])  # (1, d_amr), zero if the parse failed
    show("AMR vector h", head(h))

    # base encoder: text -> one vector s, independent of the graph
    s = encoder.base.encode([text], lang=lang)  # (1, d_base)
    show("base vector s", head(s))

    # retrofit: both, scaled to length 1, concatenated; the AMR side is multiplied by its fitted weight
    both = encoder.encode([text], lang=lang)  # (1, d_base + d_amr)
    [weight] = encoder.weights
    show(f"s/|s| beside {weight:g} h/|h|", head(both))
    by_hand = np.hstack([normalise(s), weight * normalise(h)])
    show("largest difference to the same by hand", f"{np.abs(both - by_hand).max():.1e}")


def show(name: str, state: str) -> None:
    """Print a state under its name."""
    print(f"\n\033[1m{name}\033[0m\n{state}" if sys.stdout.isatty() else f"\n{name}\n{state}")


def head(vectors: Vectors) -> str:
    """Return the shape and the first numbers."""
    return f"{vectors.shape} {vectors.dtype}  [{'  '.join(f'{value:+.3f}' for value in vectors[0, :6])}  ...]"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text", nargs="?", default="Der Junge will gehen.")
    parser.add_argument("lang", nargs="?", help="ISO 639-1 code")
    asked = parser.parse_args()
    main(asked.text, asked.lang)
