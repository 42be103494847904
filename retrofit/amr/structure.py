"""Append to a pooled vector a sketch of the graph's concepts and relations, which it hardly represents.

::

    ( bite-01 :ARG0 ( dog ) :ARG1 ( man ) )
    concepts   c = bite-01, dog, man           c^, r^: unit vectors over all such parts, where
    relations  r = :ARG0 dog, :ARG1 man        a part weighs the root of its concept's rarity

    k(G, G') = (c^ . c'^) (r^ . r'^)           kernel: 1 for graphs of the same parts
    phi(G) . phi(G') ~ k(G, G')                sketch: ``width`` numbers, of length 1
    u = (1 - l) h / |h| + l m              the pooled vector, moved towards the mean m by the shrinkage l
    e(G) = [sqrt(1 - share) u / |u| ; sqrt(share) phi(G)]

A role swap keeps all concepts and changes the relations: ``k`` falls from 1 towards 0, regardless of the
pooled vector ``h``. For graphs that share few concepts ``k`` is near 0 and the similarity depends on ``h``;
that is why the kernel is a product.

The mean of the unit pooled vectors has a length of more than 0.5. Moving vectors towards it increases the
similarity of graphs near the mean more than that of graphs far from it: kinds of text that the network
separates poorly are separated even less. (Subtracting the mean, as is done for word vectors, has the opposite
effect.) Gains and costs of both: ``git show 60152e90:results/notebook/README.md``, "Structure".

``c`` and ``r`` are the nodes and labelled edges of Weisfeiler-Leman graph kernels. The sketch
is the count sketch of their tensor product: the circular convolution of the count sketches of both.

Sources: Opitz, Daza and Frank 2021, Weisfeiler-Leman in the Bamboo: novel AMR graph metrics and a benchmark
for AMR graph similarity; Pham and Pagh 2013, Fast and scalable polynomial kernels via explicit feature maps.
Shrinkage towards the mean: James and Stein 1961, Estimation with quadratic loss. Subtraction of the mean: Mu
and Viswanath 2018, All-but-the-top.

An encoder folder with a structure holds ``structure.json``.

::

    {"width": 256, "share": 0.1, "graphs": 81920, "counts": {"boy": 1503, "want-01": 871, ...},
     "shrinkage": 0.5, "mean": [0.0213, ...]}

The structure is not trained: the concepts are counted in a corpus, once per graph, and the mean is over the
unit vectors of evenly spaced graphs. Training from the folder, or averaging it with others, uses only its
weights and gives an encoder without a structure.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from penman.models.amr import model as amr_model

from amrx.errors import InputError
from amrx.records.json_lines import read_json
from amrx.types import Vectors
from amrx.vectors import normalise
from linearize import split_tokens
from parser.graphs.triples import OPERAND


def write_structure(folder: Path, structure: Structure) -> None:
    """Write ``structure.json``."""
    record = {
        "width": structure.width, "share": structure.share, "graphs": structure.graphs,
        "counts": dict(structure.counts), "shrinkage": structure.shrinkage, "mean": list(structure.mean),
    }  # fmt: skip
    compact = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    (folder / STRUCTURE).write_text(compact + "\n", "utf-8")


def read_structure(folder: Path) -> Structure | None:
    """Read ``structure.json``; return ``None`` if there is none."""
    path = folder / STRUCTURE
    if not path.is_file():
        return None
    record = read_json(path)
    width, graphs = _whole(record, "width", path), _whole(record, "graphs", path)
    share, counts = record.get("share"), record.get("counts")
    if not isinstance(share, float) or not 0 < share < 1:
        raise InputError(f"must be a number between 0 and 1, got {share!r}", file=path, field="share")
    if not isinstance(counts, Mapping):
        raise InputError("is not an object", file=path, field="counts")
    for concept, count in counts.items():
        if type(count) is not int or not 0 < count <= graphs:
            raise InputError(f"{concept!r} is in {count!r} of {graphs} graphs", file=path, field="counts")
    return Structure(width, share, graphs, counts, *_shrinkage(record, path))


def _shrinkage(record: Mapping[str, Any], path: Path) -> tuple[float, tuple[float, ...]]:
    """Return the shrinkage and the mean; older encoders have neither."""
    shrinkage, mean = record.get("shrinkage", 0.0), record.get("mean", [])
    if not isinstance(shrinkage, float) or not 0 <= shrinkage < 1:
        raise InputError(f"must be a number >= 0 and < 1, got {shrinkage!r}", file=path, field="shrinkage")
    if not isinstance(mean, list) or not all(isinstance(x, float) and math.isfinite(x) for x in mean):
        raise InputError("is not a list of numbers", file=path, field="mean")
    if bool(shrinkage) != bool(mean):
        raise InputError("must be given if and only if there is a shrinkage above 0", file=path, field="mean")
    return shrinkage, tuple(mean)


def _whole(record: Mapping[str, Any], field: str, path: Path) -> int:
    value = record.get(field)
    if type(value) is not int or value < 1:
        raise InputError(f"must be a whole number above 0, got {value!r}", file=path, field=field)
    return value


STRUCTURE = "structure.json"


_BLOCK = 1024
_POINTER = re.compile(r"<\d+>")


@dataclass(frozen=True, slots=True)
class Parts:
    """The distinct parts of a graph."""

    concepts: frozenset[str]  # concepts
    # ``(relation, concept or constant at its end)``; inverse relations are normalised, operands
    # (``:op1``) have no number
    relations: frozenset[tuple[str, str]]
    constants: frozenset[str]  # the constants among the ends


def parts(tokens: Sequence[str]) -> Parts:
    """Return the parts of a linearization of either form; text outside of brackets has none.

    Example:
        >>> both = parts("( boy :ARG0-of ( go-02 :polarity - ) )".split())
        >>> sorted(both.concepts), sorted(both.relations)
        (['boy', 'go-02'], [(':ARG0', 'boy'), (':polarity', '-')])
    """
    concepts, relations, constants = set[str](), set[tuple[str, str]](), set[str]()
    named: dict[str, str] = {}
    above: list[str] = []
    role, pointer, opened = "", "", False
    for token in tokens:
        if token == "(":
            opened = True
        elif token == ")":
            del above[-1:]
        elif opened and _POINTER.fullmatch(token):
            pointer = token
        elif opened:
            concepts.add(token)
            named[pointer] = token
            if above:
                relations.add(_turned(above[-1], role, token))
            above.append(token)
            pointer, opened = "", False
        elif above and token.startswith(":") and len(token) > 1:
            role = token
        elif above:
            end = named.get(token, token)
            if end == token:
                constants.add(token)
            relations.add(_turned(above[-1], role, end))
    return Parts(frozenset(concepts), frozenset(relations), frozenset(constants))


def _turned(head: str, role: str, end: str) -> tuple[str, str]:
    if amr_model.is_role_inverted(role):  # not :consist-of and similar roles
        role, end = amr_model.invert_role(role), head
    return OPERAND.sub(":op", role), end


@dataclass(frozen=True)
class Structure:
    """Compute sketches of linearized graphs.

    Law: graphs with the same parts have equal sketches; their length is 1, or 0 without relations.

    Example:
        >>> h = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
        >>> structure = Structure(8, 0.19, 9, {}, shrinkage=0.5, mean=(0.75, 0.0))
        >>> structure.beside(h, ["", ""])[:, :2].round(2).tolist()
        [[0.8999999761581421, 0.0], [0.5400000214576721, 0.7200000286102295]]
    """

    width: int  # width of a sketch
    share: float  # share of the sketch in the cosine, between 0 and 1
    graphs: int  # number of graphs in which the concepts were counted
    # number of graphs per concept; unlisted concepts and constants have the maximum weight
    counts: Mapping[str, int] = field(repr=False)
    shrinkage: float = 0.0  # ``l``, from 0 to below 1
    # ``m``, the mean of unit pooled vectors ``(d,)``; empty if the shrinkage is 0
    mean: Sequence[float] = field(default=(), repr=False)

    def vectors(self, sequences: Sequence[str | Sequence[str]]) -> Vectors:
        """Return float32 ``(n, width)`` for linearized graphs: token lists, or joined."""
        vectors = np.zeros((len(sequences), self.width), dtype=np.float32)
        for start in range(0, len(sequences), _BLOCK):
            block = slice(start, start + _BLOCK)
            vectors[block] = self._block(sequences[block])
        return vectors

    def beside(self, vectors: Vectors, sequences: Sequence[str | Sequence[str]]) -> Vectors:
        """Return ``e``, float32 ``(n, d + width)``, for the pooled vectors ``h`` ``(n, d)``."""
        drawn = normalise(vectors)
        if self.shrinkage:
            towards = np.array(self.mean, dtype=np.float32)
            drawn = normalise((1 - self.shrinkage) * drawn + self.shrinkage * towards)
        pooled = math.sqrt(1 - self.share) * drawn
        sketched = math.sqrt(self.share) * self.vectors(sequences)
        return np.concatenate([pooled, sketched], axis=1).astype(np.float32)

    def _block(self, sequences: Sequence[str | Sequence[str]]) -> Vectors:
        counted = np.zeros((2, len(sequences), self.width))
        for row, tokens in enumerate(sequences):
            graph_parts = parts(split_tokens(tokens) if isinstance(tokens, str) else tokens)
            for concept in sorted(graph_parts.concepts):
                self._count(counted[0, row], f"0 {concept}", self._weight(concept))
            for role, end in sorted(graph_parts.relations):
                weight = 1.0 if end in graph_parts.constants else self._weight(end)
                self._count(counted[1, row], f"1 {role} {end}", weight)
        concepts, relations = np.fft.rfft(counted, axis=-1)
        sketched = np.fft.irfft(concepts * relations, n=self.width, axis=-1)
        lengths = np.linalg.norm(sketched, axis=1, keepdims=True)
        unit: Vectors = np.divide(sketched, lengths, out=np.zeros_like(sketched), where=lengths > 0)
        return unit.astype(np.float32)

    def _count(self, row: npt.NDArray[np.float64], part: str, weight: float) -> None:
        number = _hashed(part)
        row[(number >> 1) % self.width] += weight if number & 1 else -weight

    def _weight(self, concept: str) -> float:
        """Return the root of ``log((N + 1) / (n + 1)) / log(N + 1)``."""
        rarity = math.log((self.graphs + 1) / (self.counts.get(concept, 0) + 1))
        return math.sqrt(rarity / math.log(self.graphs + 1))


@lru_cache(maxsize=1 << 18)
def _hashed(part: str) -> int:
    """Return 64 bits that determine the position and the sign of a part."""
    return int.from_bytes(blake2b(part.encode("utf-8"), digest_size=8).digest(), "big")
