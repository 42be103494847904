"""Count the symbols of AMR in sembanks.

::

    (w / want-01               relations  :ARG0 2  :ARG1 1  :ARG0-of 0  :ARG1-of 0
       :ARG0 (b / boy)         frames     want-01 1  go-02 1
       :ARG1 (g / go-02        concepts   boy 1
          :ARG0 b))

A relation is always listed with its inverse, and a numbered one (``:op7``) with all lower numbers, even with
count 0: a tokenizer that knows only ``:ARG0`` would split ``:ARG0-of`` into ``:ARG0`` and a rest.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import penman

from amrx.errors import InputError
from amrx.records import write_text
from amrx.records.files import read_lines, reading
from amrx.records.json_lines import read_json
from linearize.walk import walk

_FRAME = re.compile(r".*[^-0-9]-[0-9]{2,3}")
_NUMBERED = re.compile(r"(:[A-Za-z]+)([0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Symbols with their counts, in descending order."""

    relations: Mapping[str, int]  # relations such as ``:ARG0``, as written, including inverses
    frames: Mapping[str, int]  # concepts with a sense number, ``want-01``
    concepts: Mapping[str, int]  # all other concepts
    min_count: int = 1  # entries with a lower count are left out
    graphs: int = 0  # number of graphs counted
    sources: tuple[str, ...] = field(default=())  # sources of the graphs, and their licences

    def save(self, path: str | Path) -> None:
        """Write the vocabulary as JSON."""
        write_text(path, json.dumps(asdict(self), ensure_ascii=False, indent=0) + "\n")


def count(graphs: Iterable[penman.Graph], *, min_count: int = 1, sources: Iterable[str] = ()) -> Vocabulary:
    """Count the symbols of graphs, without those below ``min_count``; a relation counts with its inverse.

    Example:
        >>> vocabulary = count([penman.decode("(w / want-01 :ARG0 (b / boy :ARG1-of (s / see-01)))")])
        >>> vocabulary.relations
        {':ARG0': 1, ':ARG1-of': 1, ':ARG0-of': 0, ':ARG1': 0}
        >>> dict(vocabulary.frames), dict(vocabulary.concepts)
        ({'want-01': 1, 'see-01': 1}, {'boy': 1})
    """
    roles: Counter[str] = Counter()
    concepts: Counter[str] = Counter()
    number = 0
    for graph in graphs:
        number += 1
        for kind, text, concept in walk(graph):
            if kind == "role":
                roles[str(text)] += 1
            elif kind == "open" and concept is not None:
                concepts[concept] += 1
    frequent = [(name, seen) for name, seen in concepts.most_common() if seen >= min_count]
    return Vocabulary(
        relations=_complete(roles, min_count),
        frames={name: seen for name, seen in frequent if is_frame(name)},
        concepts={name: seen for name, seen in frequent if not is_frame(name)},
        min_count=min_count,
        graphs=number,
        sources=tuple(sources),
    )


def is_frame(concept: str) -> bool:
    """Return whether a concept has a sense number.

    Example:
        >>> [is_frame(name) for name in ("want-01", "have-rel-role-91", "boy", "date-entity", "F-16")]
        [True, True, False, False, True]
    """
    return _FRAME.fullmatch(concept) is not None


def _complete(roles: Counter[str], min_count: int) -> dict[str, int]:
    """Add the inverse of every relation, and all lower numbers of every numbered one."""
    together: Counter[str] = Counter()
    for role, seen in roles.items():
        together[role.removesuffix("-of")] += seen
    kept = {role for role, seen in together.items() if seen >= min_count}
    for match in filter(None, map(_NUMBERED.fullmatch, sorted(kept))):
        kept |= {f"{match[1]}{number}" for number in range(0 if match[1] == ":ARG" else 1, int(match[2]))}
    both = {name: roles[name] for role in kept for name in (role, role + "-of")}
    return dict(sorted(both.items(), key=lambda item: (-item[1], item[0])))


FRAMES, ADDITIONS = "predicates.txt", "additions.txt"
FEWEST = 5
"""Count of a frame in LDC2017T10 from which it is a symbol (Cai et al. 2022, section 4.1; SPRING)."""


def load(path: str | Path) -> Vocabulary:
    """Read a file written by :meth:`Vocabulary.save`, or the folder of SPRING's, XAMR's and MSE-AMR's lists.

    The folder is ``data/vocab`` of SPRING: ``predicates.txt`` has the frames of LDC2017T10 with their counts,
    ``additions.txt`` the roles.
    """
    if Path(path).is_dir():
        return read_lists(Path(path))
    with reading(path, "is not a vocabulary"):
        return _parse(read_json(path))


def read_lists(folder: Path) -> Vocabulary:
    """Return the frames with five uses and the relations of the published lists, each with its inverse.

    Raises:
        InputError: A list is missing or a line of it is wrong; names file and line.
    """
    frames: dict[str, int] = {}
    for line, text in enumerate(read_lines(folder / FRAMES), start=1):
        match text.split():
            case [name, uses] if uses.isdecimal():
                frames[name] = int(uses)
            case _:
                message = f"must be a frame and its count, got {text.strip()!r}"
                raise InputError(message, file=folder / FRAMES, line=line)
    relations: dict[str, int] = {}
    for text in read_lines(folder / ADDITIONS):
        if (name := text.strip()).startswith(":"):
            relations |= {one: 0 for one in (name, name.removesuffix("-of") + "-of")}
    kept = {name: uses for name, uses in frames.items() if uses >= FEWEST}
    return Vocabulary(relations, kept, {}, FEWEST, sources=("LDC2017T10, as listed by SPRING",))


def shipped() -> Vocabulary:
    """Return the vocabulary that comes with the package: open sembanks, training parts only.

    Made by ``amrx vocabulary lpp/train.amr bio/train.amr bamboo/{sts,sick,para}/{src,tgt}.train.amr``; its
    ``sources`` name the sembanks and their terms.
    """
    return _parse(json.loads((resources.files("linearize") / "data" / "vocabulary.json").read_text("utf-8")))


@cache
def frames() -> frozenset[str]:
    """Return the names of all PropBank frames that AMR uses; the file names its source.

    Example:
        >>> "belong-01" in frames(), len(frames())
        (True, 8733)
    """
    text = (resources.files("linearize") / "data" / "frames.txt").read_text(encoding="utf-8")
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return frozenset(f"{lemma}-{sense}" for lemma, *senses in rows for sense in senses)


def _parse(record: Mapping[str, Any]) -> Vocabulary:
    relations, frames, concepts = (
        {str(name): int(seen) for name, seen in record[part].items()}
        for part in ("relations", "frames", "concepts")
    )
    least, graphs, sources = int(record["min_count"]), int(record["graphs"]), map(str, record["sources"])
    return Vocabulary(relations, frames, concepts, least, graphs, tuple(sources))
