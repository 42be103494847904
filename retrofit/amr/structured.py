"""An encoder folder with a structure (`retrofit.amr.structure`): what stands in ``structure.json``.

::

    {"width": 256, "share": 0.1, "graphs": 81920, "counts": {"boy": 1503, "want-01": 871, ...},
     "shrinkage": 0.5, "mean": [0.0213, ...]}

The structure is not trained: the concepts are counted in a corpus, once each graph, and the mean is that of
the unit vectors of evenly spaced graphs. Training on from the folder, or averaging it with others, uses its
weights alone and gives an encoder without a structure.
"""

from __future__ import annotations

import json
import math
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.checkpoint import new_folder
from amrx.errors import InputError, OptionError
from amrx.vectors import normalise
from linearize import split_tokens
from retrofit.amr.encoder import FILES, STRUCTURE, load_encoder
from retrofit.amr.structure import Structure, parts
from retrofit.model_card import read_card
from retrofit.training.amr.jsonl import find_file, read_records

if TYPE_CHECKING:
    from typing import Any

_LEAST = 2
"""Concepts of fewer graphs are not kept: they weigh most as it is."""
_SPACED = 8192
"""Graphs at most that the mean is taken of."""
_HEADING = "\n## Structure\n"
_SECTION = """
Beside the vector stands a sketch of the graph's concepts and relations (`retrofit.amr.structure`): {width}
numbers, {share:g} of the cosine; concepts were counted in {graphs} graphs. The vector is drawn towards the
mean vector of such graphs, by {shrinkage:g}. Written by `amrx add-structure`.
"""


def add_structure(
    encoder: Path, corpus: Path, out: Path, *, width: int, share: float, shrinkage: float
) -> Structure:
    """Write the encoder with a structure; the folder appears whole or not at all.

    Args:
        encoder: Folder of an encoder; a structure that it has is replaced.
        corpus: Folder of ``amrx gather``, in whose graphs the concepts are counted, and the mean is taken.
        out: New folder.
        width: Numbers of the sketch.
        share: Of the cosine, between 0 and 1.
        shrinkage: Of the pooled vectors towards their mean, from 0 to below 1.

    Raises:
        OptionError: ``width``, ``share`` or ``shrinkage`` is out of its range.
        InputError: A file of either folder is missing or wrong, or no two graphs share a concept.
        OutputError: ``out`` is there already, or cannot be written.
    """
    if width < 1:
        raise OptionError(f"--width {width}: 1 or more")
    if not 0 < share < 1:
        raise OptionError(f"--share {share:g}: between 0 and 1")
    if not 0 <= shrinkage < 1:
        raise OptionError(f"--shrinkage {shrinkage:g}: from 0 to below 1")
    for name in FILES:
        if not (encoder / name).is_file():
            raise InputError("no such file; is this an encoder folder?", file=encoder / name)
    graphs, counts = 0, Counter[str]()
    path = find_file(corpus, "parses")
    for tokens in _graphs(path):
        graphs += 1
        counts.update(parts(split_tokens(tokens)).concepts)
    kept = {concept: count for concept, count in sorted(counts.items()) if count >= _LEAST}
    if not kept:
        raise InputError("has no two graphs with a concept in common", file=path)
    mean = _mean(encoder, path, graphs) if shrinkage else ()
    structure = Structure(width, share, graphs, kept, shrinkage, mean)
    with new_folder(out) as temporary:
        for name in FILES:
            shutil.copyfile(encoder / name, temporary / name)
        told = read_card(encoder) or "# AMR encoder\n"
        section = _SECTION.format(width=width, share=share, graphs=graphs, shrinkage=shrinkage)
        told, _, _ = told.partition(_HEADING)  # that of a structure which this one replaces is its end
        (temporary / "README.md").write_text(told + _HEADING + section, "utf-8")
        write_structure(temporary, structure)
    return structure


def _graphs(path: Path | None) -> Iterator[str]:
    """Yield the linearized graphs of a corpus, joined."""
    for record in read_records(path, {"tokens": str, "status": str}):
        if record.text("status") != "failed":
            yield record.text("tokens")


def _mean(encoder: Path, path: Path | None, graphs: int) -> tuple[float, ...]:
    """Return the mean of the unit pooled vectors of evenly spaced graphs."""
    spaced = islice(_graphs(path), 0, None, -(-graphs // _SPACED))
    mean = normalise(load_encoder(encoder).pool(list(spaced))).mean(axis=0, dtype=np.float64)
    return tuple(round(float(value), 6) for value in mean)


def write_structure(folder: Path, structure: Structure) -> None:
    """Write ``structure.json``."""
    told = {
        "width": structure.width, "share": structure.share, "graphs": structure.graphs,
        "counts": dict(structure.counts), "shrinkage": structure.shrinkage, "mean": list(structure.mean),
    }  # fmt: skip
    compact = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    (folder / STRUCTURE).write_text(compact + "\n", "utf-8")


def read_structure(folder: Path) -> Structure | None:
    """Read ``structure.json``; ``None`` where there is none.

    Raises:
        InputError: It is no JSON object, or a field is missing or out of its range.
    """
    path = folder / STRUCTURE
    if not path.is_file():
        return None
    try:
        told = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"is no JSON: {error}", file=path) from None
    if not isinstance(told, dict):
        raise InputError("is no JSON object", file=path)
    width, graphs = _whole(told, "width", path), _whole(told, "graphs", path)
    share, counts = told.get("share"), told.get("counts")
    if not isinstance(share, float) or not 0 < share < 1:
        raise InputError(f"{share!r} is no number between 0 and 1", file=path, field="share")
    if not isinstance(counts, Mapping):
        raise InputError("is no object", file=path, field="counts")
    for concept, count in counts.items():
        if type(count) is not int or not 0 < count <= graphs:
            raise InputError(f"{concept!r} stands in {count!r} of {graphs} graphs", file=path, field="counts")
    return Structure(width, share, graphs, counts, *_shrinkage(told, path))


def _shrinkage(told: Mapping[str, Any], path: Path) -> tuple[float, tuple[float, ...]]:
    """Return the shrinkage and the mean; encoders of before these have neither."""
    shrinkage, mean = told.get("shrinkage", 0.0), told.get("mean", [])
    if not isinstance(shrinkage, float) or not 0 <= shrinkage < 1:
        raise InputError(f"{shrinkage!r} is no number from 0 to below 1", file=path, field="shrinkage")
    if not isinstance(mean, list) or not all(isinstance(x, float) and math.isfinite(x) for x in mean):
        raise InputError("is no list of numbers", file=path, field="mean")
    if bool(shrinkage) != bool(mean):
        raise InputError("stands beside a shrinkage above 0, and only there", file=path, field="mean")
    return shrinkage, tuple(mean)


def _whole(told: Mapping[str, Any], field: str, path: Path) -> int:
    value = told.get(field)
    if type(value) is not int or value < 1:
        raise InputError(f"{value!r} is no whole number above 0", file=path, field=field)
    return value
