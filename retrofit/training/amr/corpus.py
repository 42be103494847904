"""Read a training corpus: a folder of JSON lines, each file plain, ``.gz`` or ``.xz``.

::

    sentences.jsonl   {"id": 7, "group": 3, "lang": "de", "text": "Der Junge will gehen."}
    parses.jsonl      {"id": 7, "tokens": "( want-01 :ARG0 ( boy ) )", "status": "ok"}
    triplets.jsonl    {"premise": 3, "entailment": 8, "contradiction": 9}      numbers of groups
    pairs.jsonl       {"a": 3, "b": 5, "score": 0.8}                           null: a paraphrase

Sentences of one group are translations of one English sentence, which stands in the group once. A failed
parse is never drawn. `triplets` and `pairs` may be missing. Only English text is kept: graphs of the other
languages are what the encoder learns from.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError
from linearize.walk import Form
from retrofit.amr.pieces import Ids, Ints, Rows
from retrofit.amr.words import word_rows
from retrofit.training.amr.jsonl import Record, find_file, read_records

_FIRST_POINTER = "( <0> "


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus as arrays; groups and languages are numbered from 0 in order of appearance.

    Attributes:
        languages: Language codes, by number.
        words: Distinct words of the linearizations.
        parses: Word numbers of every usable parse, one row each.
        texts: English sentence of every group ``(G,)``.
        table: Row in ``parses`` of group g in language l, or -1, ``(G, L)``.
        triplets: Groups of premise, entailment, contradiction ``(T, 3)``.
        pairs: Groups of both sides ``(P, 2)``.
        scores: Score of each pair, NaN for a paraphrase ``(P,)``.
        failed: Parses that are failed.
        repeated: Parses left out because their group has one in that language already.
    """

    languages: tuple[str, ...]
    words: tuple[str, ...]
    parses: Rows
    texts: tuple[str, ...]
    table: Ids
    triplets: Ints
    pairs: Ints
    scores: npt.NDArray[np.float64]
    failed: int
    repeated: int


def read_corpus(folder: Path, *, form: Form = "paper", parentheses: bool = True) -> Corpus:
    """Read and check a corpus folder.

    Args:
        folder: The folder.
        form: Which linearization its parses must be in.
        parentheses: Whether to keep the brackets of the nodes.

    Raises:
        InputError: A file is missing or a line is wrong; names file, line and field.
    """
    sentences = _read_sentences(folder)
    languages = tuple(sentences.codes)
    table = np.full((len(sentences.texts), len(languages)), -1, dtype=np.int32)
    words, failed, repeated = word_rows(parentheses=parentheses), 0, 0
    for record in read_records(find_file(folder, "parses"), {"id": int, "tokens": str, "status": str}):
        place = sentences.places.get(record.integer("id"))
        if place is None:
            raise record.error("id", f"{record.integer('id')} is no sentence of sentences.jsonl")
        if record.text("status") not in ("ok", "repaired", "failed"):
            raise record.error("status", f"{record.text('status')!r} is not ok, repaired or failed")
        if record.text("status") == "failed" or not record.text("tokens").strip():
            failed += 1
        elif table[place] >= 0:
            repeated += 1
        else:
            table[place] = words.add(tokens_of(record, form))
    if not len(words):
        raise InputError("holds no usable parse", file=folder / "parses.jsonl")
    triplets = _read_groups(folder, "triplets", ("premise", "entailment", "contradiction"), sentences.groups)
    pairs = _read_groups(folder, "pairs", ("a", "b"), sentences.groups)
    return Corpus(
        languages, words.words, words.rows(), tuple(sentences.texts), table,
        triplets[0], *pairs, failed, repeated,
    )  # fmt: skip


def tokens_of(record: Record, form: Form) -> str:
    """Return the linearization of a line.

    Raises:
        InputError: It is in another form; every node of the pointer form, and none of the paper's, begins
            with a pointer.
    """
    tokens = record.text("tokens")
    if tokens.startswith(_FIRST_POINTER) != (form == "pointer"):
        told = f"is not in the {form} form that the recipe's model.form asks for; see amrx gather --form"
        raise record.error("tokens", told)
    return tokens


@dataclass(frozen=True, slots=True)
class _Sentences:
    codes: dict[str, int]
    groups: dict[int, int]
    texts: list[str]
    places: dict[int, tuple[int, int]]


def _read_sentences(folder: Path) -> _Sentences:
    """Number groups and languages; every group must have its one English sentence."""
    codes: dict[str, int] = {"en": 0}
    groups: dict[int, int] = {}
    english: dict[int, str] = {}
    places: dict[int, tuple[int, int]] = {}
    fields: dict[str, type] = {"id": int, "group": int, "lang": str, "text": str}
    path = find_file(folder, "sentences")
    for record in read_records(path, fields):
        group = groups.setdefault(record.integer("group"), len(groups))
        number = record.integer("id")
        if number in places:
            raise record.error("id", f"{number} stands here twice")
        places[number] = (group, codes.setdefault(record.text("lang"), len(codes)))
        if record.text("lang") == "en":
            if group in english:
                raise record.error("group", f"{record.integer('group')} has two English sentences")
            english[group] = record.text("text")
    for outside, group in groups.items():
        if group not in english:
            raise InputError(f"group {outside} has no English sentence", file=path, field="group")
    return _Sentences(codes, groups, [english[group] for group in range(len(groups))], places)


def _read_groups(
    folder: Path, stem: str, fields: tuple[str, ...], groups: dict[int, int]
) -> tuple[Ints, npt.NDArray[np.float64]]:
    """Read tuples of groups ``(N, len(fields))`` and scores of pairs ``(N,)``; none if there is no file."""
    rows: list[list[int]] = []
    scores: list[float] = []
    path = find_file(folder, stem, required=False)
    for record in () if path is None else read_records(path, dict.fromkeys(fields, int)):
        rows.append([_group(record, field, groups) for field in fields])
        if stem == "pairs":
            scores.append(record.score("score"))
    table = np.array(rows, dtype=np.int64).reshape(len(rows), len(fields))
    return table, np.array(scores, dtype=np.float64)


def _group(record: Record, field: str, groups: dict[int, int]) -> int:
    found = groups.get(record.integer(field))
    if found is None:
        raise record.error(field, f"{record.integer(field)} is no group of sentences.jsonl")
    return found
