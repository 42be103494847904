"""The files of MultiEURLEX, in either of two layouts.

::

    {train,dev,test}.jsonl         all languages      {"text": {"en": ..., "de": ...},       the authors' own
                                                       "eurovoc_concepts": {"level_1": ["100149", ...]}}
    XX/{train,dev,test}.jsonl      one language       {"text": ..., "label": ["100149", ...]}    from the hub

A law that a language lacks is left out of that language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError
from amrx.records.json_lines import Node, read_objects

LETTERS = 2000
"""Of each law as many are read: about what an encoder of 512 tokens sees."""
TOPICS = tuple(
    "100149 100160 100148 100147 100152 100143 100156 100158 100154 100153 100142 100145 100150 100162 "
    "100159 100144 100151 100157 100161 100146 100155".split()
)
"""Concepts of EUROVOC, level 1; in the order of the hub's labels."""

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Laws:
    """Texts of one language and which topics each has, ``(n, topics)``."""

    code: str
    texts: tuple[str, ...]
    topics: Flags


def read_together(file: Path, codes: Sequence[str], topics: Sequence[str], count: int) -> tuple[Laws, ...]:
    """Read some languages of a file that has all.

    Raises:
        InputError: File, line and field of what is wrong first; or another count; or a language without laws.
    """
    texts: dict[str, list[str]] = {code: [] for code in codes}
    flags: dict[str, list[list[bool]]] = {code: [] for code in codes}
    total = 0
    for node in read_objects(file):
        total += 1
        own = _flags(node.get("eurovoc_concepts").get("level_1"), topics)
        for code, text in _texts(node.get("text"), codes):
            texts[code].append(text)
            flags[code].append(own)
    if total != count:
        raise InputError(f"{total} laws, not the {count} of multieurlex", file=file)
    empty = [code for code in codes if not texts[code]]
    if empty:
        raise InputError(f"no law has a text of language {empty[0]!r}", file=file, field="text")
    return tuple(Laws(code, tuple(texts[code]), np.array(flags[code])) for code in codes)


def read_alone(file: Path, code: str, topics: Sequence[str], count: int) -> Laws:
    """Read the file of one language.

    Args:
        file: The file.
        code: The language.
        topics: The topics there are.
        count: How many laws there are; English has all of them, no language has more.

    Raises:
        InputError: File, line and field of what is wrong first; or another count.
    """
    texts, flags = [], []
    for node in read_objects(file):
        texts.append(node.get("text").text().strip()[:LETTERS])
        flags.append(_flags(node.get("label"), topics))
    if not texts or len(texts) > count or (code == "en" and len(texts) != count):
        raise InputError(f"{len(texts)} laws, not the {count} of multieurlex", file=file)
    return Laws(code, tuple(texts), np.array(flags))


def _flags(node: Node, known: Sequence[str]) -> list[bool]:
    named = [topic.text() for topic in node.items()]
    unknown = [topic for topic in named if topic not in known]
    if unknown:
        raise node.error(f"{unknown[0]!r} is no topic")
    return [topic in named for topic in known]


def _texts(texts: Node, codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    if not isinstance(texts.value, Mapping):
        raise texts.error("is no object")
    for code in codes:
        if texts.value.get(code):
            yield code, texts.get(code).text().strip()[:LETTERS]
