"""Add a structure to an encoder folder: count concepts in a corpus, take the mean of its vectors."""

import shutil
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from amrx.checkpoint import new_folder
from amrx.errors import InputError, OptionError
from amrx.records.json_lines import read_objects
from amrx.vectors import normalise
from linearize import split_tokens
from retrofit.amr.encoder import FILES, load_encoder
from retrofit.amr.structure import Structure, parts, write_structure
from retrofit.model_card import read_card
from retrofit.training.amr.corpus import required_file

_LEAST = 2
"""Concepts of fewer graphs are not kept: they weigh most as it is."""


_SPACED = 8192
"""Graphs at most that the mean is taken of."""


_HEADING = "\n## Structure\n"


_SECTION = """
The vector is followed by a sketch of the graph's concepts and relations (`retrofit.amr.structure`): {width}
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
    """
    if width < 1:
        raise OptionError(f"--width must be at least 1, got {width}")
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
        raise InputError("has no two graphs with a concept in common", file=path)
    mean = _mean(encoder, path, graphs) if shrinkage else ()
    structure = Structure(width, share, graphs, kept, shrinkage, mean)
    with new_folder(out) as temporary:
        for name in FILES:
            shutil.copyfile(encoder / name, temporary / name)
        card = read_card(encoder) or "# AMR encoder\n"
        section = _SECTION.format(width=width, share=share, graphs=graphs, shrinkage=shrinkage)
        card, _, _ = card.partition(_HEADING)  # that of a structure which this one replaces is its end
        (temporary / "README.md").write_text(card + _HEADING + section, "utf-8")
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
