#!/usr/bin/env python
"""Write English nouns and their translations for the parser: ``nouns.tsv.xz`` and ``near_nouns.tsv.xz``.

python scripts/gather_nouns.py PACKAGES parser/mini/rules/data

PACKAGES is a folder into which two wheels are unzipped (``pip download --no-deps wordfreq==3.1.1
lemminflect==0.2.3``): wordfreq's word lists (CC BY-SA 4.0; they need msgpack) and lemminflect's table of
English words (MIT). Multilingual USE translates: a word is put into the three `SENTENCES` of its language;
its vectors are the normalised, centred ones of these sentences. Its English noun is that of the largest CSLS
(Conneau et al. 2018, section 2.3), by the mean of the three vectors. The pair is written if

* the word is among the `MOST` most frequent ones, but not among the first `FUNCTION_WORDS`;
* each of the three sentences alone gives the same noun, and the cosine of the means is at least `LEAST`;
* no word of the language is nearer to the noun by more than `GAP`, words written like the noun left out;
* the two are not the same, nor written alike unless their cosine is `LEAST_ALIKE`: the model takes words of
  the same letters for translations (*gist*, Dutch *gisteren*), and the parser knows most of those that are;
* the noun is not much rarer in English than the word in its language (`RARER`);
* the noun is a base form and no adjective or adverb, not among the first `FUNCTION_WORDS` of English, and,
  unless the parser has it as a concept, has no ending of nouns that AMR writes as verbs (``destruction``).

A line of ``nouns.tsv.xz`` is an English noun and its translations, ``LANGUAGE:WORD``. For each of these,
``near_nouns.tsv.xz`` has all nouns of a cosine of at least `NEAR`: a concept among these may be right.
"""

from __future__ import annotations

import csv
import gzip
import lzma
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgpack  # type: ignore[import-untyped]
import numpy as np

from amrx.records import atomic_path
from amrx.threads import set_threads
from amrx.types import Vectors
from amrx.vectors import normalise
from parser import load as load_parser
from parser.mini.parser import MiniParser
from parser.mini.rules.nouns import alike
from retrofit.bases import load_base

SENTENCES = {
    "en": ("This is a {}.", "Where is the {}?", "The {} is new and the other {} is old."),
    "ar": ("هذا {}.", "أين {}؟", "هذا {} جديد وذلك {} قديم."),
    "de": ("Das ist ein {}.", "Wo ist der {}?", "Der {} ist neu und der andere {} ist alt."),
    "es": ("Esto es un {}.", "¿Dónde está el {}?", "El {} es nuevo y el otro {} es viejo."),
    "fr": ("C'est un {}.", "Où est le {} ?", "Le {} est nouveau et l'autre {} est vieux."),
    "it": ("Questo è un {}.", "Dov'è il {}?", "Il {} è nuovo e l'altro {} è vecchio."),
    "ja": ("これは{}です。", "{}はどこですか？", "この{}は新しくて、あの{}は古い。"),  # noqa: RUF001
    "ko": ("이것은 {}입니다.", "{} 어디에 있어요?", "이 {} 새것이고 저 {} 오래되었다."),
    "nl": ("Dit is een {}.", "Waar is de {}?", "De {} is nieuw en de andere {} is oud."),
    "pl": ("To jest {}.", "Gdzie jest {}?", "Ten {} jest nowy, a tamten {} jest stary."),
    "pt": ("Isto é um {}.", "Onde está o {}?", "O {} é novo e o outro {} é velho."),
    "ru": ("Это {}.", "Где {}?", "Этот {} новый, а тот {} старый."),
    "tr": ("Bu bir {}.", "{} nerede?", "Bu {} yeni, diğer {} eski."),
    "zh": ("这是一个{}。", "{}在哪里？", "这个{}是新的，那个{}是旧的。"),  # noqa: RUF001
}
"""The languages of multilingual USE with a word list."""
MOST, ENGLISH_WORDS, FUNCTION_WORDS = 40_000, 60_000, 200
LEAST, LEAST_ALIKE, GAP, NEAR = 0.6, 0.85, 0.1, 0.35
RARER = (5, 3000)
"""The rank of a noun in English is at most RARER[0] times that of the word, plus RARER[1]."""
NEIGHBOURS = 10
"""Number of nearest neighbours of CSLS."""
FEWEST_LETTERS = {"ja": 2, "ko": 2, "zh": 2}
"""Minimum number of letters of a word; 4 in other languages."""
NOMINAL = re.compile(r"(?:tion|sion|ment|ness|ity|ing|ance|ence|ship|ure|ism|al)$")
BLOCK = 2048


class English(NamedTuple):
    """English nouns."""

    nouns: Sequence[str]  # all nouns
    good: Sequence[bool]  # whether each may be written as a translation
    ranks: Sequence[int]  # rank of each by frequency


class Views(NamedTuple):
    """Normalised vectors of words ``(n, 512)``."""

    each: Sequence[Vectors]  # in each sentence
    mean: Vectors  # of their mean


def frequent_words(folder: Path, lang: str) -> list[str]:
    """Return the words of a language, the most frequent first."""
    paths = [folder / "wordfreq" / "data" / f"{size}_{lang}.msgpack.gz" for size in ("large", "small")]
    with gzip.open(next(path for path in paths if path.is_file())) as file:
        buckets = msgpack.load(file, raw=False)[1:]  # the first element is a header
    return [word for bucket in buckets for word in bucket]


def english_nouns(folder: Path) -> English:
    """Return the frequent English nouns, and those that are concepts of the parser."""
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    inflected: set[str] = set()
    path = folder / "lemminflect" / "resources" / "lemma_lu.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for form, kind, bases in csv.reader(file):
            kinds[form].add(kind)
            if form not in bases.split("/"):
                inflected.add(form)
    parser = load_parser("mini")
    assert isinstance(parser, MiniParser)
    concepts = set(parser.alphabet.symbols[parser.alphabet.first_node :])
    frequent = frequent_words(folder, "en")[:ENGLISH_WORDS]
    words = {word for word in (*frequent, *concepts) if len(word) > 1 and word.isalpha()}
    nouns = sorted(word for word in words if "noun" in kinds.get(word, ()) and word not in inflected)
    function_words = set(frequent[:FUNCTION_WORDS])
    good = [
        not kinds[noun] & {"adj", "adv"}
        and noun not in function_words
        and (noun in concepts or not NOMINAL.search(noun))
        for noun in nouns
    ]
    rank = {word: number for number, word in enumerate(frequent)}
    return English(nouns, good, [rank.get(noun, ENGLISH_WORDS) for noun in nouns])


def views(words: Sequence[str], lang: str) -> Views:
    """Return the vectors of words by multilingual USE."""
    base = load_base("muse")
    written = [word.capitalize() if lang == "de" else word for word in words]
    each = []
    for sentence in SENTENCES[lang]:
        vectors = base.encode([sentence.replace("{}", word) for word in written], lang=lang)
        each.append(normalise(vectors - vectors.mean(axis=0)))
    return Views(each, normalise(np.sum(each, axis=0)))


def translations(ranks: Mapping[str, int], lang: str, english: English, of_english: Views) -> dict[str, str]:
    """Return the English nouns of the words that have one, of all words in ``ranks``."""
    words = list(ranks)
    of_words = views(words, lang)
    blocks = [slice(begin, begin + BLOCK) for begin in range(0, len(words), BLOCK)]
    hubs = np.mean(neighbours(of_english.mean, of_words.mean), axis=1)
    chosen: list[tuple[int, int, float, bool]] = []
    for block in blocks:
        cosines = of_words.mean[block] @ of_english.mean.T
        targets = (2 * cosines - hubs).argmax(axis=1)
        agreed = np.all(
            [
                (2 * (view[block] @ other.T) - hubs).argmax(axis=1) == targets
                for view, other in zip(of_words.each, of_english.each, strict=True)
            ],
            axis=0,
        )
        rows = np.arange(len(targets))
        chosen += zip(
            rows + block.start,
            targets.tolist(),
            cosines[rows, targets].tolist(),
            agreed.tolist(),
            strict=True,
        )
    found = {}
    best: defaultdict[int, float] = defaultdict(float)
    for row, target, cosine, _ in chosen:
        if not alike(words[row], english.nouns[target]):
            best[target] = max(best[target], cosine)
    for row, target, cosine, agreed_on in chosen:
        noun = english.nouns[target]
        word = words[row]
        least = LEAST_ALIKE if alike(word, noun) else LEAST
        rare = english.ranks[target] > RARER[0] * ranks[word] + RARER[1]
        enough = cosine >= max(least, best[target] - GAP)
        if agreed_on and english.good[target] and enough and not rare and word != noun:
            found[word] = noun
    return found


def neighbours(vectors: Vectors, others: Vectors) -> Vectors:
    """Return the cosines of the `NEIGHBOURS` nearest of ``others`` ``(n, NEIGHBOURS)``."""
    rows = []
    for begin in range(0, len(vectors), BLOCK):
        cosines = vectors[begin : begin + BLOCK] @ others.T
        rows.append(np.partition(cosines, -NEIGHBOURS, axis=1)[:, -NEIGHBOURS:])
    return np.concatenate(rows)


def near(nouns: list[str], english: English, of_english: Views) -> Iterator[list[str]]:
    """Yield for each noun the nouns near it."""
    number = {noun: i for i, noun in enumerate(english.nouns)}
    for row in of_english.mean[[number[noun] for noun in nouns]] @ of_english.mean.T >= NEAR:
        yield [english.nouns[column] for column in np.flatnonzero(row).tolist()]


def write(path: Path, lines: Iterable[tuple[str, Iterable[str]]]) -> None:
    """Write lines of tab-separated words and report the size."""
    text = "".join("\t".join((first, *others)) + "\n" for first, others in lines)
    with atomic_path(path) as temporary:
        temporary.write_bytes(lzma.compress(text.encode("utf-8"), preset=9))
    print(f"{path}: {text.count(chr(10)):,} nouns, {path.stat().st_size:,} bytes")


def main(packages: Path, output: Path) -> None:
    """Translate the frequent words of all languages and write the two files."""
    set_threads()
    english = english_nouns(packages)
    of_english = views(english.nouns, "en")
    by_noun: defaultdict[str, list[str]] = defaultdict(list)
    for lang in sorted(SENTENCES.keys() - {"en"}):
        fewest = FEWEST_LETTERS.get(lang, 4)
        words = {
            word: rank
            for rank, word in enumerate(frequent_words(packages, lang)[:MOST])
            if rank >= FUNCTION_WORDS and word.isalpha() and len(word) >= fewest
        }
        found = translations(words, lang, english, of_english)
        for word, noun in found.items():
            by_noun[noun].append(f"{lang}:{word}")
        print(f"{lang}: {len(found):,} of {len(words):,} words", flush=True)
    nouns = sorted(by_noun)
    write(output / "nouns.tsv.xz", ((noun, sorted(by_noun[noun])) for noun in nouns))
    write(output / "near_nouns.tsv.xz", zip(nouns, near(nouns, english, of_english), strict=True))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
