"""Gather the training data of a student: sentences of many languages, each with its English meaning.

::

    parallel corpora ──> rows (language, text, meaning), meanings (English texts)
    captions, SNLI, SICK, MRPC ──> English rows, in the requested number

They are stored as arrays in one file: subwords of every row, and the texts for the teacher.

::

    ids, ends            subwords of each row with <s> and </s>, cut to MOST
    meaning, lang        of each row
    english              the meanings' texts, UTF-8, one a line

Texts reserved by `parser.training.corpora.leakage` are excluded.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from amrx.records import atomic_path
from amrx.records.files import reading
from parser.training.corpora.leakage import load_reserved
from parser.training.corpora.lines import normal_form, read_columns, read_lines
from parser.training.corpora.parallel import training_pairs
from parser.training.corpora.sembanks import bamboo_texts
from retrofit.student.network import cut
from retrofit.training.student.recipe import Amounts, Recipe

if TYPE_CHECKING:
    from amrx.e5.tokenizer import E5Tokenizer
    from amrx.muse.tokenize import MuseTokenizer

    Tokenizer = E5Tokenizer | MuseTokenizer


def snli(data: Path) -> Iterator[str]:
    """Yield premises and hypotheses of SNLI ``train-20k`` and ``dev``."""
    for name in ("train-20k", "dev"):
        for premise, hypothesis, *_ in read_columns(data / "nli" / "snli" / f"{name}.tsv", 3):
            yield premise.strip()
            yield hypothesis.strip()


def captions(data: Path) -> Iterator[str]:
    """Yield Multi30k's training captions, then the five independent lower-cased ones of each image."""
    folder = data / "parallel" / "multi30k"
    for path in (folder / "train.en.gz", *(folder / "captions" / f"train.{n}.en.gz" for n in range(1, 6))):
        for line in read_lines(path):
            yield line.strip()


def bamboo(data: Path) -> Iterator[str]:
    """Yield the training sentences of SICK and of the MRPC paraphrases."""
    for corpus in ("sick", "para"):
        for pair in bamboo_texts(data / "amr" / "bamboo" / corpus, "train"):
            yield from map(str.strip, pair)


def english_only(data: Path, reserved: Container[str]) -> Iterator[str]:
    """Yield all of these without reserved texts and duplicates, ignoring case and punctuation."""
    seen: set[str] = set()
    for read in (snli, captions, bamboo):
        for text in read(data):
            form = normal_form(text)
            if form and form not in seen and text not in reserved:
                seen.add(form)
                yield text


@dataclass
class Gathered:
    """Sentences and their meanings."""

    # ``(language, text)`` -> row; English sentences are rows too
    rows: dict[tuple[str, str], int] = field(default_factory=dict)
    meaning: list[int] = field(default_factory=list)  # meaning of each row
    meanings: dict[str, int] = field(default_factory=dict)  # English text -> meaning

    def add(self, english: str, lang: str = "en", text: str = "") -> int:
        """Return the row of an English sentence or of its translation; create it at the first call."""
        meaning = self.meanings.setdefault(english, len(self.meanings))
        if ("en", english) not in self.rows:
            self.rows["en", english] = len(self.rows)
            self.meaning.append(meaning)
        if lang == "en":
            return self.rows["en", english]
        row = self.rows.setdefault((lang, text), len(self.rows))
        if row == len(self.meaning):
            self.meaning.append(meaning)
        return row


def gather(data: Path, reserved: Container[str], amounts: Amounts, seed: int) -> Gathered:
    """Collect rows and pairs; a text that translates two English sentences gets the first meaning."""
    rng = random.Random(seed)  # noqa: S311
    gathered = Gathered()
    wanted = [lang for lang, weight in amounts.langs.items() if weight > 0]
    _add_nli(gathered, data, reserved, amounts.nli)
    for source, most in amounts.sources.items():
        for lang in wanted:
            pairs = [
                pair
                for pair in training_pairs(data, [lang], reserved, [source])
                if len(pair.english.split()) <= amounts.words
            ]
            for pair in pairs if len(pairs) <= most else rng.sample(pairs, most):
                gathered.add(pair.english, lang, pair.foreign)
    if amounts.english_only:
        texts = [text for text in english_only(data, reserved) if len(text.split()) <= amounts.words]
        for text in texts if len(texts) <= amounts.english_only else rng.sample(texts, amounts.english_only):
            gathered.add(text)
    return gathered


def _add_nli(gathered: Gathered, data: Path, reserved: Container[str], most: int) -> None:
    path = data / "nli" / "snli" / "train-20k.tsv"
    rows = ((p.strip(), h.strip()) for p, h, *_ in read_columns(path, 3)) if most else iter(())
    for premise, hypothesis in islice(
        (row for row in rows if not any(side in reserved for side in row)), most
    ):
        gathered.add(premise)
        gathered.add(hypothesis)


MOST = 64
"""Maximum number of subwords of a training sentence, including ``<s>`` and ``</s>``."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The arrays in the module's docstring; ``lang`` has indices into ``languages``."""

    languages: tuple[str, ...]
    ids: npt.NDArray[np.int32]
    ends: Ints
    meaning: Ints
    lang: Ints
    english: tuple[str, ...]

    def row(self, number: int) -> list[int]:
        """Return the subwords of one row."""
        first = self.ends[number - 1] if number else 0
        subwords: list[int] = self.ids[first : self.ends[number]].tolist()
        return subwords


def prepare(data: Path, path: Path, amounts: Amounts, seed: int, tokenizer: Tokenizer) -> Corpus:
    """Read the corpus from ``path`` if it has the same arguments; otherwise gather and write it."""
    key = _key(amounts, seed, tokenizer)
    if path.is_file():
        # numpy would leave an incomplete archive open; an open file is closed here
        with reading(path, "is not a packed corpus; delete it"), path.open("rb") as file:
            with np.load(file, allow_pickle=False) as archive:
                if bytes(archive["key"]).decode() == key:
                    return _corpus(archive)
    arrays = pack(gather(data, load_reserved(data), amounts, seed), tokenizer)
    arrays["key"] = np.frombuffer(key.encode(), np.uint8)
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    return _corpus(arrays)


def _key(amounts: Amounts, seed: int, tokenizer: Tokenizer) -> str:
    """Return a hash of the settings that determine the rows; weights of languages do not."""
    langs = [code for code, weight in amounts.langs.items() if weight > 0]
    sources = {**amounts.sources, "english only": amounts.english_only}
    counts = {"words": amounts.words, "nli": amounts.nli}
    pieces = {"pieces": type(tokenizer).__name__}
    settings = {"langs": langs, "sources": sources, **counts, **pieces, "seed": seed, "most": MOST}
    return hashlib.sha256(json.dumps(settings).encode()).hexdigest()


def pack(gathered: Gathered, tokenizer: Tokenizer) -> dict[str, npt.NDArray[np.generic]]:
    """Return the arrays of the module's docstring."""
    texts = [text for _, text in gathered.rows]
    flat: list[int] = []
    ends: list[int] = []
    for start in range(0, len(texts), 8192):
        for row in cut(tokenizer.encode(texts[start : start + 8192]), MOST):
            flat.extend(row)
            ends.append(len(flat))
    languages = sorted({lang for lang, _ in gathered.rows})
    code = {lang: index for index, lang in enumerate(languages)}
    return {
        "ids": np.array(flat, np.int32),
        "ends": np.array(ends, np.int64),
        "meaning": np.array(gathered.meaning, np.int64),
        "lang": np.array([code[lang] for lang, _ in gathered.rows], np.int64),
        "english": _text(gathered.meanings),
        "languages": _text(languages),
    }


def _text(lines: Sequence[str] | Mapping[str, int]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(line.replace("\n", " ") for line in lines).encode(), np.uint8)


def _corpus(arrays: Mapping[str, npt.NDArray[np.generic]]) -> Corpus:
    text = {name: bytes(arrays[name]).decode().split("\n") for name in ("english", "languages")}
    names = ("ids", "ends", "meaning", "lang")
    plain = {name: arrays[name] for name in names}
    return Corpus(languages=tuple(text["languages"]), english=tuple(text["english"]), **plain)  # type: ignore[arg-type]


def language_weights(corpus: Corpus, recipe: Recipe) -> npt.NDArray[np.float64]:
    """Return the weight of each of the corpus's languages ``(L,)``."""
    weights: Mapping[str, float] = {**recipe.amounts.langs, "en": recipe.amounts.english}
    return np.array([weights.get(code, 0.0) for code in corpus.languages])
