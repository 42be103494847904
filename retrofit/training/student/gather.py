"""What a student learns from: sentences of many languages, each with the English sentence it means.

::

    parallel corpora, STS-B train ──> rows (language, text, meaning), meanings (English texts)
    STS-B train ──> graded pairs:  rows of both sides in every language, human score
    SNLI train  ──> ranked pairs:  English rows, 1 for entailment and 0 otherwise
    captions, SNLI, SICK, MRPC ──> English rows, as many as are asked for
    scenes (parser.training.templates.captions) ──> captions by rule in Turkish and Arabic, with the English
    they mean

Nothing that `parser.training.corpora.leakage` reserves is taken.
"""

from __future__ import annotations

import random
from collections.abc import Container
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from amrx.evaluation.tasks.scored_pairs import read_csv
from parser.training.corpora.english import english_only
from parser.training.corpora.lines import read_columns
from parser.training.corpora.parallel import SOURCES, stsb, training_pairs
from parser.training.templates.captions import scene_pairs
from retrofit.training.student.recipe import Amounts

STSB_LANGS = SOURCES["stsb"].langs


@dataclass
class Gathered:
    """Sentences and the pairs among them.

    Attributes:
        rows: ``(language, text)`` -> row; English sentences are rows too.
        meaning: Meaning of each row.
        meanings: English text -> meaning.
        graded: Rows of both sides by language: ``[{lang: row}, {lang: row}]``, and the score 0-5.
        ranked: Rows of premise and hypothesis, and 1 for entailment, else 0.
    """

    rows: dict[tuple[str, str], int] = field(default_factory=dict)
    meaning: list[int] = field(default_factory=list)
    meanings: dict[str, int] = field(default_factory=dict)
    graded: list[tuple[dict[str, int], dict[str, int], float]] = field(default_factory=list)
    ranked: list[tuple[int, int, int]] = field(default_factory=list)

    def add(self, english: str, lang: str = "en", text: str = "") -> int:
        """Return the row of an English sentence, or of its translation, new when it is seen first."""
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
    """Collect rows and pairs; a text that translates two English sentences keeps the first.

    Raises:
        InputError: A data file is missing or malformed.
    """
    rng = random.Random(seed)  # noqa: S311
    found = Gathered()
    wanted = [lang for lang, weight in amounts.langs.items() if weight > 0]
    if "stsb" in amounts.sources:
        _graded(found, data, reserved, wanted)
    _ranked(found, data, reserved, amounts.nli)
    for source, most in amounts.sources.items():
        for lang in wanted if source != "stsb" else ():
            pairs = [
                pair
                for pair in training_pairs(data, [lang], reserved, [source])
                if len(pair.english.split()) <= amounts.words
            ]
            for pair in pairs if len(pairs) <= most else rng.sample(pairs, most):
                found.add(pair.english, lang, pair.foreign)
    if amounts.english_only:
        texts = [
            item.text for item in english_only(data, reserved) if len(item.text.split()) <= amounts.words
        ]
        for text in texts if len(texts) <= amounts.english_only else rng.sample(texts, amounts.english_only):
            found.add(text)
    for pair in scene_pairs(amounts.scenes, seed, reserved, wanted):
        found.add(pair.english, pair.lang, pair.foreign)
    return found


def _graded(found: Gathered, data: Path, reserved: Container[str], wanted: list[str]) -> None:
    """STS-B train; a sentence that is reserved in one language is left out in that language."""
    langs = [lang for lang in STSB_LANGS if lang in wanted]
    sides = {lang: [pair.foreign for pair in stsb(data, [lang])] for lang in langs}
    for number, (first, second, score) in enumerate(read_csv(data / "sts" / "stsb" / "en" / "train.csv")):
        if first in reserved or second in reserved:
            continue
        both: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for side, text in enumerate((first, second)):
            both[side]["en"] = found.add(text)
            for lang in langs:
                foreign = sides[lang][2 * number + side]
                if foreign not in reserved:
                    both[side][lang] = found.add(text, lang, foreign)
        found.graded.append((*both, score))


def _ranked(found: Gathered, data: Path, reserved: Container[str], most: int) -> None:
    path = data / "nli" / "snli" / "train-20k.tsv"
    rows = ((p.strip(), h.strip(), label) for p, h, label, *_ in read_columns(path, 3)) if most else iter(())
    kept = (row for row in rows if row[0] not in reserved and row[1] not in reserved)
    for premise, hypothesis, label in islice(kept, most):
        found.ranked.append((found.add(premise), found.add(hypothesis), int(label == "entailment")))
