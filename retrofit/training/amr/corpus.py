"""Read a training corpus: a folder of JSON lines, each file plain, ``.gz`` or ``.xz``.

::

    sentences.jsonl   {"id": 7, "group": 3, "lang": "de", "text": "Der Junge will gehen."}
    parses.jsonl      {"id": 7, "tokens": "( want-01 :ARG0 ( boy ) )", "status": "ok"}
    triplets.jsonl    {"premise": 3, "entailment": 8, "contradiction": 9}      ids of groups
    pairs.jsonl       {"a": 3, "b": 5, "score": 0.8}                           null: a paraphrase

Sentences of one group are translations of one English sentence, which is in the group once. A failed parse is
never drawn. `triplets` and `pairs` may be missing. Only English text is kept in memory, because for
other languages the encoder is trained on graphs only; all text is kept for a recipe with a base encoder.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError
from amrx.records.json_lines import Node, find_file, read_objects
from linearize.forms import Form
from retrofit.amr.pieces import Ids, Ints, Rows, WordRows

_FIRST_POINTER = "( <0> "

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus as arrays; groups and languages are numbered from 0 in order of appearance."""

    languages: tuple[str, ...]  # language codes, by number
    words: tuple[str, ...]  # distinct words of the linearizations
    parses: Rows  # word numbers of every usable parse, one row each
    texts: tuple[str, ...]  # English sentence of every group ``(G,)``
    table: Ids  # row in ``parses`` of group g in language l, or -1, ``(G, L)``
    triplets: Ints  # groups of premise, entailment, contradiction ``(T, 3)``
    pairs: Ints  # groups of both sides ``(P, 2)``
    scores: npt.NDArray[np.float64]  # score of each pair, NaN for a paraphrase ``(P,)``
    failed: int  # number of failed parses
    repeated: int  # number of parses left out because their group already has one in that language
    sources: tuple[tuple[str, str], ...] = ()  # text and language of every row of ``parses``, if asked for


def read_corpus(folder: Path, *, form: Form = "paper", sources: bool = False) -> Corpus:
    """Read and check a corpus folder; ``sources`` keeps the text of every parse."""
    sentences = _read_sentences(folder, texts=sources)
    read: list[tuple[str, str]] = []
    languages = tuple(sentences.codes)
    table = np.full((len(sentences.texts), len(languages)), -1, dtype=np.int32)
    words, failed, repeated = WordRows(), 0, 0
    for record in read_objects(required_file(folder, "parses"), sparse=True):
        row, status = known(record.get("id"), sentences.places), record.get("status")
        if status.string() not in ("ok", "repaired", "failed"):
            raise status.error(f"must be ok, repaired or failed, got {status.value!r}")
        tokens = usable_tokens(record, form)
        if tokens is None:
            failed += 1
        elif table[row] >= 0:
            repeated += 1
        else:
            table[row] = words.add(tokens)
            if sources:
                read.append((sentences.all_texts[record.get("id").identifier()], languages[row[1]]))
    if not len(words):
        raise InputError("holds no usable parse", file=folder / "parses.jsonl")
    triplets = _read_groups(folder, "triplets", ("premise", "entailment", "contradiction"), sentences.groups)
    pairs = _read_groups(folder, "pairs", ("a", "b"), sentences.groups)
    return Corpus(
        languages, words.words, words.rows(), tuple(sentences.texts), table,
        triplets[0], *pairs, failed, repeated, tuple(read),
    )  # fmt: skip


def required_file(folder: Path, stem: str) -> Path:
    """Return a file of a corpus, compressed or not."""
    path = find_file(folder, stem)
    if path is None:
        raise InputError("no such file (nor .gz, .xz)", file=folder / f"{stem}.jsonl")
    return path


def usable_tokens(record: Node, form: Form) -> str | None:
    """Return the linearization of a line of parses; ``None`` if the parse failed."""
    tokens = record.get("tokens")
    text = tokens.string()
    if record.get("status").string() == "failed" or not text.strip():
        return None
    if text.startswith(_FIRST_POINTER) != (form == "pointer"):
        message = f"is not in the {form} form that the recipe's model.form asks for; see amrx gather --form"
        raise tokens.error(message)
    return text


@dataclass(frozen=True, slots=True)
class _Sentences:
    codes: dict[str, int]
    groups: dict[int, int]
    texts: list[str]
    places: dict[int, tuple[int, int]]
    all_texts: dict[int, str]  # text of every sentence, by its id, if asked for


def _read_sentences(folder: Path, *, texts: bool) -> _Sentences:
    """Number groups and languages; every group must have exactly one English sentence."""
    codes: dict[str, int] = {"en": 0}
    groups: dict[int, int] = {}
    english: dict[int, str] = {}
    places: dict[int, tuple[int, int]] = {}
    all_texts: dict[int, str] = {}
    path = required_file(folder, "sentences")
    for record in read_objects(path, sparse=True):
        outside = record.get("group")
        group = groups.setdefault(outside.integer(), len(groups))
        number, lang, text = (record.get(key) for key in ("id", "lang", "text"))
        if number.identifier() in places:
            raise number.error(f"{number.value} occurs twice")
        places[number.identifier()] = (group, codes.setdefault(lang.string(), len(codes)))
        if texts:
            all_texts[number.identifier()] = text.string()
        if lang.value == "en":
            if group in english:
                raise outside.error(f"{outside.value} has two English sentences")
            english[group] = text.string()
    for named, group in groups.items():
        if group not in english:
            raise InputError(f"group {named} has no English sentence", file=path, field="group")
    return _Sentences(codes, groups, [english[group] for group in range(len(groups))], places, all_texts)


def _read_groups(
    folder: Path, stem: str, fields: tuple[str, ...], groups: dict[int, int]
) -> tuple[Ints, npt.NDArray[np.float64]]:
    """Read tuples of groups ``(N, len(fields))`` and scores of pairs ``(N,)``; empty without a file."""
    rows: list[list[int]] = []
    scores: list[float] = []
    path = find_file(folder, stem)
    for record in () if path is None else read_objects(path, sparse=True):
        rows.append([known(record.get(field), groups, "group of sentences.jsonl") for field in fields])
        if stem == "pairs":
            scores.append(_score(record))
    table = np.array(rows, dtype=np.int64).reshape(len(rows), len(fields))
    return table, np.array(scores, dtype=np.float64)


def _score(record: Node) -> float:
    """Return a score in 0..1; NaN if it is null or absent."""
    values = record.value
    assert isinstance(values, dict)
    value = values.get("score")
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise record.get("score").error(f"must be a score in 0..1 or null, got {value!r}")
    return float(value)


def known(number: Node, numbers: Mapping[int, T], thing: str = "sentence of sentences.jsonl") -> T:
    """Return the index of an id; raise if it is unknown."""
    if number.identifier() not in numbers:
        raise number.error(f"{number.value} is not a {thing}")
    return numbers[number.identifier()]
