"""Score on BAMBOO's dev sets: ``python scripts/evaluate_bamboo.py DATA OUT.json [ENCODER]`` (default: mini).

Compares cosines of the AMR encoder's vectors, and Smatch, with human judgements of the sentences; the graphs
are those of a strong parser (Opitz et al. 2021, "Weisfeiler-Leman in the Bamboo").

* main: Pearson's correlation x 100 with the human score (STS, SICK) or with MRPC's label (PARA);
* reified, synonyms: the same after the graphs were rewritten without a change of meaning;
* role confusion: share of pairs that are nearer to each other than after the roles in one of the two graphs
  were exchanged (the benchmark's own measure since its version 0.2; ties count against the encoder).

One of the sets is STS-B dev, on which this project fits weights; no set is in the training data.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import penman

from amrx.errors import InputError
from amrx.evaluation.metrics import pearson
from amrx.records import write_json
from amrx.threads import set_threads
from parser.score.smatch import pair_counts
from parser.training.corpora.sembanks import GradedPair, bamboo_pairs, read_blocks, read_sembank
from retrofit.amr.encoder import AmrEncoder, load_encoder
from retrofit.folders import find_encoder

CORPORA = ("sts", "sick", "para")
Floats = npt.NDArray[np.floating]
Similarity = Callable[[Sequence[penman.Graph], Sequence[penman.Graph]], Floats]
Row = dict[str, str | float]


def bamboo_stressed(folder: Path, kind: str) -> Iterator[GradedPair]:
    """Yield the pairs of `bamboo_pairs` with graphs that are rewritten without a change of meaning.

    Args:
        folder: As in `bamboo_pairs`.
        kind: ``reify`` (relations written as concepts) or ``syno`` (concepts exchanged for synonyms).

    Raises:
        InputError: The files are not parallel.
    """
    plain = list(bamboo_pairs(folder, "dev"))
    sides = [list(read_sembank(folder / kind / f"{side}.dev.amr")) for side in ("src", "tgt")]
    for name, entries in zip(("src", "tgt"), sides, strict=True):
        wanted = [pair.source.snt if name == "src" else pair.target.snt for pair in plain]
        if [entry.snt for entry in entries] != wanted:
            problem = f"{len(entries)} graphs are not of the sentences of dev.y"
            raise InputError(problem, file=folder / kind / f"{name}.dev.amr")
    for pair, source, target in zip(plain, *sides, strict=True):
        yield GradedPair(source, target, pair.score)


def bamboo_confused(folder: Path) -> Iterator[tuple[GradedPair, GradedPair]]:
    """Yield pairs of graphs of equal meaning, each with a copy in which roles of one graph are exchanged.

    Yields:
        The copy, with score 0, and the pair, with score 1.

    Raises:
        InputError: The files are not parallel, or have an odd number of graphs.
    """
    sides = [list(read_blocks(folder / "role_confusion" / f"{side}.dev.amr")) for side in ("src", "tgt")]
    if len(sides[0]) != len(sides[1]) or len(sides[0]) % 2:
        counts = f"{len(sides[0])} and {len(sides[1])} graphs, not as many twos"
        raise InputError(counts, file=folder / "role_confusion")
    for place in range(0, len(sides[0]), 2):
        confused, itself = (
            GradedPair(sides[0][place + more], sides[1][place + more], float(more)) for more in (0, 1)
        )
        yield confused, itself


def cosines(encoder: AmrEncoder) -> Similarity:
    """Return the cosine of the encoder's vectors as a similarity of graphs."""

    def similarity(first: Sequence[penman.Graph], second: Sequence[penman.Graph]) -> Floats:
        sides = [encoder.encode_graphs(graphs) for graphs in (first, second)]
        one, other = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True) for vectors in sides)
        return np.einsum("nd,nd->n", one, other)

    return similarity


def smatch(first: Sequence[penman.Graph], second: Sequence[penman.Graph]) -> Floats:
    """Return Smatch F1 of each pair of graphs."""
    shared, left, right = pair_counts(first, second).T
    return 2 * shared / (left + right)


def of_pairs(similarity: Similarity, pairs: Sequence[GradedPair]) -> Floats:
    """Return the similarity of the two graphs of each pair."""
    return similarity([pair.source.graph for pair in pairs], [pair.target.graph for pair in pairs])


def correlation(
    data: Path, corpus: str, similarity: Similarity, kind: str | None = None
) -> tuple[float, int]:
    """Return Pearson's correlation with the scores, 0-100, and the number of pairs.

    Args:
        data: Folder of the open data.
        corpus: One of `CORPORA`.
        similarity: Similarity of graphs.
        kind: How the graphs were rewritten (`bamboo_stressed`); empty for the original graphs.
    """
    folder = data / "amr" / "bamboo" / corpus
    pairs = list(bamboo_stressed(folder, kind) if kind else bamboo_pairs(folder, "dev"))
    return pearson(of_pairs(similarity, pairs), np.array([pair.score for pair in pairs])), len(pairs)


def role_accuracy(data: Path, corpus: str, similarity: Similarity) -> tuple[float, int]:
    """Return the share of pairs that are nearer than with exchanged roles, 0-100, and the number of pairs."""
    confused, themselves = zip(*bamboo_confused(data / "amr" / "bamboo" / corpus), strict=True)
    nearer = of_pairs(similarity, themselves) > of_pairs(similarity, confused)
    return 100 * float(nearer.mean()), len(nearer)


def measure(data: Path, name: str, similarity: Similarity) -> list[Row]:
    """Print and return the rows of one similarity."""
    rows: list[Row] = []

    def add(task: str, metric: str, corpus: str, value: float, n: int) -> None:
        print(f"{name:20} BAMBOO {task:15} {corpus:5} {metric:9} {value:5.1f}", flush=True)
        row: Row = {"encoder": name, "task": f"BAMBOO dev, {task}", "language": corpus, "metric": metric}
        rows.append({**row, "value": round(value, 2), "n": n})

    for task, kind in (("main", ""), ("reified", "reify"), ("synonyms", "syno")):
        for corpus in CORPORA:
            add(task, "pearson", corpus, *correlation(data, corpus, similarity, kind))
    for corpus in CORPORA:
        add("role confusion", "accuracy", corpus, *role_accuracy(data, corpus, similarity))
    return rows


def main(data: Path, out: Path, name: str) -> None:
    """Measure the encoder and Smatch; write the rows."""
    set_threads()
    encoder = load_encoder(find_encoder(name))
    rows = measure(data, encoder.name, cosines(encoder)) + measure(data, "smatch", smatch)
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "mini")
