"""Add a structure to an encoder folder: count concepts in a corpus, compute the mean of its vectors."""

import shutil
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from amrx.errors import InputError, OptionError, check_least
from amrx.int8 import RANGES
from amrx.published_checkpoint import new_folder
from amrx.records.json_lines import read_objects
from amrx.vectors import normalise
from linearize import split_tokens
from retrofit.amr.encoder import FILES, load_encoder
from retrofit.amr.structure import Structure, parts, write_structure
from retrofit.model_card import read_card, read_metadata
from retrofit.training.amr.corpus import required_file

_LEAST = 2
"""Minimum number of graphs of a stored concept; others have the maximum weight anyway."""


_SPACED = 8192
"""Maximum number of graphs for the mean."""


_HEADING = "\n## Structure\n"


_SECTION = """
The vector is followed by a sketch of the graph's concepts and relations (`retrofit.amr.structure`): {width}
numbers, {share:g} of the cosine; concepts were counted in {graphs} graphs. The vector is moved towards the
mean vector of such graphs, by {shrinkage:g}. Written by `amrx add-structure`.
"""


def add_structure(
    encoder: Path, corpus: Path, out: Path, *, width: int, share: float, shrinkage: float
) -> Structure:
    """Write the encoder with a structure, atomically.

    An existing structure is replaced. The graphs of the corpus give the counts of concepts and the mean.
    ``share`` is the sketch's share in the cosine; ``shrinkage``, 0 to below 1, is towards the mean.
    """
    check_least("--width", width)
    if not 0 < share < 1:
        raise OptionError(f"--share must be between 0 and 1, got {share:g}")
    if not 0 <= shrinkage < 1:
        raise OptionError(f"--shrinkage must be >= 0 and < 1, got {shrinkage:g}")
    for name in FILES:
        if not (encoder / name).is_file():
            raise InputError("no such file; is this an encoder folder?", file=encoder / name)
    graphs, counts = 0, Counter[str]()
    path = required_file(corpus, "parses")
    for tokens in _graphs(path):
        graphs += 1
        counts.update(parts(split_tokens(tokens)).concepts)
    kept = {concept: count for concept, count in sorted(counts.items()) if count >= _LEAST}
    if not kept:
        raise InputError("has no two graphs that share a concept", file=path)
    mean = _mean(encoder, path, graphs) if shrinkage else ()
    structure = Structure(width, share, graphs, kept, shrinkage, mean)
    with new_folder(out) as temporary:
        for name in (*FILES, RANGES):
            if (encoder / name).is_file():
                shutil.copyfile(encoder / name, temporary / name)
        card = read_card(encoder) or "# AMR encoder\n"
        section = _SECTION.format(width=width, share=share, graphs=graphs, shrinkage=shrinkage)
        card, _, _ = card.partition(_HEADING)  # the section of a replaced structure is at the end of the card
        (temporary / "README.md").write_text(read_metadata(encoder) + card + _HEADING + section, "utf-8")
        write_structure(temporary, structure)
    return structure


def _graphs(path: Path) -> Iterator[str]:
    """Yield the linearized graphs of a corpus, joined."""
    for record in read_objects(path, sparse=True):
        if record.get("status").string() != "failed":
            yield record.get("tokens").string()


def _mean(encoder: Path, path: Path, graphs: int) -> tuple[float, ...]:
    """Return the mean of the unit pooled vectors of evenly spaced graphs."""
    spaced = islice(_graphs(path), 0, None, -(-graphs // _SPACED))
    mean = normalise(load_encoder(encoder).pool(list(spaced))).mean(axis=0, dtype=np.float64)
    return tuple(round(float(value), 6) for value in mean)
