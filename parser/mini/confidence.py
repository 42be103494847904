"""Estimate Smatch of a graph from the probabilities of its parts.

With the signs ``x_1 ... x_5`` of a graph and the number ``n`` of its nodes (`Signs`), fitted on dev sentences
by least squares (``scripts/fit_confidence.py``)::

    confidence = 1 / (1 + exp(-(b + w_1 x_1 + ... + w_5 x_5 + w_6 log n)))
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

from amrx.records import atomic_path
from amrx.records.files import reading


@dataclass(frozen=True, slots=True)
class Signs:
    """Means of logarithms of probabilities of the parts of a graph."""

    nodes: float = 0.0  # of the gates of nodes
    others: float = 0.0  # that other queries are no nodes, summed, per node
    labels: float = 0.0
    edges: float = 0.0  # of chosen edges
    roles: float = 0.0

    count: int = 1  # number of nodes ``n``

    @property
    def features(self) -> tuple[float, ...]:
        """Return ``x_1 ... x_5, log n``."""
        return self.nodes, self.others, self.labels, self.edges, self.roles, math.log(self.count)


@dataclass(frozen=True, slots=True)
class Confidence:
    """Fitted numbers of the module's law."""

    bias: float
    weights: tuple[float, ...]

    def of(self, signs: Signs) -> float:
        """Return the expected Smatch of a graph, 0 to 1, rounded to two digits.

        Example:
            >>> Confidence(1.0, (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)).of(Signs(nodes=-1.0))
            0.5
        """
        total = self.bias + sum(w * x for w, x in zip(self.weights, signs.features, strict=True))
        return round(1 / (1 + math.exp(-max(-50.0, min(50.0, total)))), 2)


def write_confidence(path: Path, confidence: Confidence) -> None:
    """Write the numbers as JSON."""
    with atomic_path(path) as temporary:
        temporary.write_text(json.dumps(asdict(confidence), indent=1) + "\n", "utf-8")


def read_confidence(path: Path) -> Confidence | None:
    """Read a file of `write_confidence`; ``None`` if it does not exist."""
    if not path.is_file():
        return None
    with reading(path, "has no numbers of confidence"):
        numbers = json.loads(path.read_text("utf-8"))
        return Confidence(float(numbers["bias"]), tuple(map(float, numbers["weights"])))
