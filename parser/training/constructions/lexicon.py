"""Read the words, meanings and languages that sentences are constructed from.

A *class* (person, thing, deed, ...) has entries, each with a graph in PENMAN. A slot ``{person2}`` of a graph
is filled by an entry of its class, the name without digits. ``{deed=who}`` binds the slot ``{subj}`` of the
deed's own graph to the filler of ``who``; a second name binds ``{obj}``, a third ``{rec}``. A union has the
entries of its classes, or single ones (``place.hotel``); a class named twice is drawn twice as often. A role
whose slot is not bound, or whose entry has no graph, is left out. After `` | ``, a meaning adds roles to the
node of a slot, or, after ``-``, names slots that only the sentence has::

    rel_subj = "{deed=person} | person :ARG0-of (d / {deed2} :polarity -)"

A *language* has, by class, named fields and one line of them per entry, further forms that are written with
the fields (``all``, or by the first word of the field ``agr``), and the frames of each meaning.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import penman

FOLDER = Path(__file__).parent
BOUND = ("subj", "obj", "rec")
"""Slots of an entry's graph that a meaning binds, in order."""
_SLOT = re.compile(r"\{([a-z]+)(\d*)(?:=([a-z0-9,-]+))?\}")

Node = tuple[str, Sequence[tuple[str, "str | Node"]]]
"""A node of a tree as `penman.parse` gives it: variable, and roles with their targets; the first is ``/``."""
Tree = str | Node


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot: its name, its class and the slots that it binds."""

    name: str
    kind: str
    bound: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a class: its name, class, graph (none if empty) and the slots that it fills itself."""

    name: str
    kind: str
    tree: Tree | None
    slots: tuple[Slot, ...]
    key: str
    """The graph as text: two slots of a sentence are never filled by entries of one graph."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A kind of sentence with its graph, its slots, and further roles of their nodes."""

    name: str
    kind: str
    tree: Tree
    slots: tuple[Slot, ...]
    extras: Mapping[str, Sequence[tuple[str, Tree]]]


@dataclass(frozen=True, slots=True)
class Language:
    """The words of a language by class, its words by agreement, and its frames by meaning."""

    code: str
    forms: Mapping[str, Mapping[str, Mapping[str, str]]]
    words: Mapping[str, Mapping[str, str]]
    frames: Mapping[str, Sequence[str]]


def slot_of(symbol: str) -> Slot | None:
    """Return the slot that a symbol of a graph is, if it is one.

    Example:
        >>> slot_of("{deed2=who}")
        Slot(name='deed2', kind='deed', bound=('who',))
    """
    match = _SLOT.fullmatch(symbol)
    if match is None:
        return None
    return Slot(match[1] + match[2], match[1], tuple(match[3].split(",")) if match[3] else ())


def _read_tree(text: str) -> Tree:
    return penman.parse(text).node if text.startswith("(") else text


def _slots_in(text: str) -> tuple[Slot, ...]:
    """Return the slots that a graph names, also as bound ones, each once."""
    slots: dict[str, Slot] = {}
    for match in _SLOT.finditer(text):
        slot = slot_of(match[0])
        names = [slot, *(slot_of(f"{{{name}}}") for name in slot.bound)] if slot else []
        for one in names:
            if one is not None and one.kind not in BOUND and (one.name not in slots or one.bound):
                slots[one.name] = one
    return tuple(slots.values())


def _members(classes: Mapping[str, Sequence[Entry]], name: str) -> Sequence[Entry]:
    """Return the entries of a class, or the one entry that ``class.entry`` names."""
    kind, _, one = name.partition(".")
    return [entry for entry in classes[kind] if not one or entry.name == one]


@cache
def read_lexicon() -> dict[str, tuple[Entry, ...]]:
    """Return the entries by class; a union has those of its classes, as often as it names them."""
    data = tomllib.loads((FOLDER / "lexicon.toml").read_text(encoding="utf-8"))
    unions = data.pop("union")
    classes = {
        kind: tuple(
            Entry(name, kind, _read_tree(text) if text else None, _slots_in(text), text)
            for name, text in entries.items()
        )
        for kind, entries in data.items()
    }
    for name, kinds in unions.items():
        classes[name] = tuple(entry for kind in kinds for entry in _members(classes, kind))
    return classes


@cache
def read_meanings() -> dict[str, Meaning]:
    """Return the meanings by name."""
    data = tomllib.loads((FOLDER / "meanings.toml").read_text(encoding="utf-8"))
    meanings = {}
    for kind, graphs in data.items():
        for name, text in graphs.items():
            main, *added = text.split(" | ")
            extras = {}
            for one in added:
                slot, roles = one.split(" ", 1)
                if slot != "-":
                    extras[slot] = penman.parse(f"(x / x {roles})").node[1][1:]
            meanings[name] = Meaning(name, kind, _read_tree(main), _slots_in(text), extras)
    return meanings


def _read_forms(data: Mapping[str, Mapping[str, object]]) -> dict[str, dict[str, dict[str, str]]]:
    """Return the forms of each entry by class: its fields, and the forms written with them."""
    classes: dict[str, dict[str, dict[str, str]]] = {}
    for kind, table in data.items():
        fields = str(table.get("fields", "w")).split()
        groups = {name: value for name, value in table.items() if isinstance(value, dict)}
        lines = {name: str(value) for name, value in table.items() if name not in ("fields", *groups)}
        classes[kind] = {}
        for name, line in lines.items():
            own = {f: v.strip() for f, v in zip(fields, line.split("|"), strict=False) if v.strip() != "-"}
            group = groups.get(own.get("agr", "").split(" ")[0], {})
            written = {f: v for f, v in own.items() if v}
            classes[kind][name] = {"id": name, **own, **groups.get("all", {}), **group, **written}
    return classes


@cache
def read_language(code: str) -> Language:
    """Return the words and frames of a language."""
    data = tomllib.loads((FOLDER / "languages" / f"{code}.toml").read_text(encoding="utf-8"))
    common = tomllib.loads((FOLDER / "common.toml").read_text(encoding="utf-8"))
    return Language(code, _read_forms({**common, **data["class"]}), data.get("words", {}), data["frames"])


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a file, sorted."""
    return tuple(sorted(path.stem for path in (FOLDER / "languages").glob("*.toml")))
