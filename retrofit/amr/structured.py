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
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amrx.errors import InputError
from retrofit.amr.structure import Structure

if TYPE_CHECKING:
    from typing import Any

    from retrofit.amr.structure import Structure


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


STRUCTURE = "structure.json"
