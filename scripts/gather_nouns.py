#!/usr/bin/env python
"""Write English nouns and their translations for the parser, from dictionaries and by multilingual USE.

python scripts/gather_nouns.py PACKAGES parser/mini/rules/data

PACKAGES is a folder into which three wheels are unzipped (``pip download --no-deps wordfreq==3.1.1
lemminflect==0.2.3 simplemma==2.0.0``: word lists, CC BY-SA 4.0, which need msgpack; a table of English words,
MIT; lemmas, MIT), and WikDict's dictionaries (`wikdict`; ``dpkg-deb -x FILE.deb PACKAGES/NAME``).

A word is translated if it is among the `MOST_LISTED` most frequent ones (`MOST` in the languages `UNLISTED`),
but not among the first `FUNCTION_WORDS`.

**By a dictionary** that has it, or its lemma, as a noun. A translation scores by its share, by its rank in
English, and, if multilingual USE knows the language, by the cosine of the two words. The best is written if
two languages support it or a dictionary of English has it; if those with at least `SYNONYM` of its score, but
of another meaning, do not add up to more than `AMBIGUOUS` of it; and if the word is nothing but a noun. If no
noun is sure, the best compound may be: two words, as *traffic light*.

**By multilingual USE**, for other words of the languages `UNLISTED`: a word is put into the three `SENTENCES`
of its language; its vectors are the normalised, centred ones of these sentences. Its English noun is that of
the largest CSLS (Conneau et al. 2018, section 2.3), by the mean of the three vectors. The pair is written if

* each of the three sentences alone gives the same noun, and the cosine of the means is at least `LEAST`;
* no word of the language is nearer to the noun by more than `GAP`, words written like the noun left out;
* the two are not the same, nor written alike unless their cosine is `LEAST_ALIKE`: the model takes words of
  the same letters for translations (*gist*, Dutch *gisteren*), and the parser knows most of those that are;
* the noun is not much rarer in English than the word in its language (`RARER`);
* the dictionary, if it has the word, has the noun or one near it.

In both cases the noun is a base form and no adjective or adverb, not among the first
`FUNCTION_WORDS` of English, and, unless the parser has it as a concept, has no ending of nouns that AMR
writes as verbs (``destruction``).

A line of ``nouns/LANGUAGE.tsv.xz`` is an English noun, after the concept of its modifier if it is a compound
(``wash-01 machine``), and its translations. For each of these nouns, ``near_nouns.tsv.xz`` has the nouns near
it: those of a cosine of at least `NEAR`, and other translations of its words. A concept among these may be
right. Then run ``everyday_nouns.py``, which adds nouns by hand.
"""

from __future__ import annotations

import csv
import gzip
import lzma
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgpack  # type: ignore[import-untyped]
import numpy as np
import simplemma  # type: ignore[import-untyped]
from wikdict import CODES, Translation, american, other_words, translate

from amrx.records import atomic_path
from amrx.threads import set_threads
from amrx.types import Vectors
from amrx.vectors import normalise
from linearize.frames import frames
from parser import load as load_parser
from parser.mini.parser import MiniParser
from parser.mini.rules.nouns import alike, is_inflected, lemma
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
MOST, MOST_LISTED, ENGLISH_WORDS, FUNCTION_WORDS = 60_000, 120_000, 60_000, 200
LEAST, LEAST_ALIKE, GAP, NEAR = 0.6, 0.85, 0.1, 0.35
RARER = (5, 3000)
"""The rank of a noun in English is at most RARER[0] times that of the word, plus RARER[1]."""
SYNONYM, AMBIGUOUS, ANOTHER = 0.25, 0.6, 0.35
"""Minimum score of a synonym, maximum score of other meanings, maximum cosine of another meaning."""
LOWEST = 0.1
"""Minimum cosine in a score; a translation that is no known noun has `ANOTHER`."""
COMMON = 1000
"""Rank from which an English noun counts less: its score is divided by 1 + log(rank / COMMON)."""
NEIGHBOURS = 10
"""Number of nearest neighbours of CSLS."""
FEWEST_LETTERS = {"ja": 2, "ko": 2, "zh": 2}
"""Minimum number of letters of a word; 3 in other languages. Only a dictionary translates words of 3."""
UNLISTED = frozenset({"ar", "ja", "ko", "zh"})
"""Languages of multilingual USE with a small dictionary or none."""
UNDIVIDED = frozenset({"zh"})
"""Languages without compounds: parts of other words look like theirs."""
STEM = {"tr": 3}
"""Number of first letters that a word and its lemma share; 1 in other languages."""
NOMINAL = re.compile(r"(?:tion|sion|ment|ness|ity|ing|ance|ence|ship|ure|ism|al)$")
BLOCK = 2048


class English(NamedTuple):
    """English nouns."""

    nouns: Sequence[str]  # all nouns, sorted; compounds last
    good: Sequence[bool]  # whether each may be written as a translation
    ranks: Sequence[int]  # rank of each by frequency
    concepts: Container[str]  # concepts of the parser
    index: Mapping[str, int]  # position of each
    compounds: Mapping[str, str]  # concepts of the modifier and the head of each noun of two words


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


def most(lang: str) -> int:
    """Return the number of words of a language that are considered."""
    return MOST if lang in UNLISTED else MOST_LISTED


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
    index = {noun: i for i, noun in enumerate(nouns)}
    return English(nouns, good, [rank.get(noun, ENGLISH_WORDS) for noun in nouns], concepts, index, {})


def with_compounds(english: English, names: Iterable[str], packages: Path) -> English:
    """Return English nouns with those ``names`` that are two frequent words, the second a noun.

    The first is a noun, the form of a verb in *-ing*, or an adjective without frames.
    """
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    verbs, heads = {}, set()
    with gzip.open(
        packages / "lemminflect" / "resources" / "lemma_lu.csv.gz", "rt", encoding="utf-8"
    ) as file:
        for form, kind, bases in csv.reader(file):
            kinds[form].add(kind)
            if kind == "verb" and form.endswith("ing"):
                verbs[form] = f"{bases.split('/')[0]}-01"
            if kind == "noun" and form in bases.split("/"):
                heads.add(form)
    heads -= {"person", "thing", *frequent_words(packages, "en")[:FUNCTION_WORDS]}
    stems = {lemma(frame) for frame in frames()}

    def modifier(word: str) -> str | None:
        if verbs.get(word) in frames() and word not in english.concepts:
            return verbs[word]
        is_adjective = "adj" in kinds[word] and word not in stems
        return word if word in english.index or is_adjective else None

    compounds = {}
    for name in sorted(set(names)):
        first, _, head = name.partition(" ")
        concept = modifier(first) if head in heads and len(first) > 1 and name.islower() else None
        if concept is not None and (head in english.concepts or not NOMINAL.search(head)):
            compounds[name] = f"{concept} {head}"
    rank = dict(zip(english.nouns, english.ranks, strict=True))
    ranks = [max(rank.get(word, 0) for word in name.split()) for name in compounds]
    nouns = [*english.nouns, *compounds]
    return english._replace(
        nouns=nouns,
        good=[*english.good, *(True for _ in compounds)],
        ranks=[*english.ranks, *ranks],
        index={noun: place for place, noun in enumerate(nouns)},
        compounds=compounds,
    )


def joined(views: Views, others: Views) -> Views:
    """Return the vectors of both, in order."""
    each = [np.concatenate(pair) for pair in zip(views.each, others.each, strict=True)]
    return Views(each, np.concatenate([views.mean, others.mean]))


def views(words: Sequence[str], lang: str) -> Views:
    """Return the vectors of words by multilingual USE."""
    base = load_base("muse")
    written = [word.capitalize() if lang == "de" else word for word in words]
    each = []
    for sentence in SENTENCES[lang]:
        vectors = base.encode([sentence.replace("{}", word) for word in written], lang=lang)
        each.append(normalise(vectors - vectors.mean(axis=0)))
    return Views(each, normalise(np.sum(each, axis=0)))


def translations(
    ranks: Mapping[str, int], of_words: Views, english: English, of_english: Views
) -> dict[str, str]:
    """Return the English nouns that multilingual USE finds for words, those with one."""
    words = list(ranks)
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
        enough = cosine >= max(least, best[target] - GAP) and len(word) != 3
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


class Entry(NamedTuple):
    """The translations of a word that a dictionary has."""

    noun: str | None  # the noun to write, if it is sure
    synonyms: Sequence[str]  # other nouns that may be right
    known: Sequence[str]  # all nouns


def from_dictionary(
    ranks: Mapping[str, int],
    lang: str,
    table: Mapping[str, Mapping[str, Translation]],
    packages: Path,
    english: English,
    of_english: Views,
) -> dict[str, Entry]:
    """Return the entries of the words that a dictionary has, as ``table`` translates them."""
    others = other_words(packages, lang, ("n", "pn"))
    heads = {word: head for word in ranks if (head := _head(word, lang, table, others)) is not None}
    frequent = [word for word in heads if ranks[word] < MOST]
    rare = list(heads)[len(frequent) :]
    vectors: Sequence[Vectors | None] = [None] * len(heads)
    if lang in SENTENCES:
        vectors = [row for words in (frequent, rare) if words for row in views(words, lang).mean]
    singles = english._replace(index={noun: i for noun, i in english.index.items() if " " not in noun})
    entries = {}
    for (word, head), vector in zip(heads.items(), vectors, strict=True):
        entries[word] = _entry(table[head], singles, vector, of_english)
        if entries[word].noun is None and lang not in UNDIVIDED:
            other = _entry(table[head], english, vector, of_english)
            if other.noun in english.compounds:
                entries[word] = other
    return entries


def heads_of(word: str, written: str, lang: str) -> list[str]:
    """Return a word, and its lemma if they begin alike; ``written`` is the lemmatizer's spelling."""
    try:
        lemma = simplemma.lemmatize(written, lang=lang).lower()
    except ValueError:  # a language without lemmas
        return [word]
    stem = STEM.get(lang, 1)
    return [word, lemma] if lemma[:stem] == word[:stem] else [word]


def _head(word: str, lang: str, table: Container[str], others: Container[str]) -> str | None:
    """Return the word, or its lemma, if a dictionary has it as a noun only."""
    heads = heads_of(word, word.capitalize() if lang == "de" else word, lang)
    if lang == "tr":  # the lemmatizer takes verbs for nouns
        heads = [head for head in heads if head == word or is_inflected(word, head, lang)]
    if lang != "de" and any(head in others for head in heads):  # nouns of German have a capital
        return None
    return next((head for head in heads if head in table), None)


def _entry(
    given: Mapping[str, Translation], english: English, vector: Vectors | None, of_english: Views
) -> Entry:
    scores: Counter[str] = Counter()
    support: Counter[str] = Counter()
    for name, one in given.items():
        noun = american(name, english.concepts)
        place = english.index.get(noun)
        rank = ENGLISH_WORDS if place is None else english.ranks[place]
        weight = 1 / (1 + max(0.0, math.log(max(1, rank) / COMMON)))
        if vector is not None:
            cosine = ANOTHER if place is None else float(of_english.mean[place] @ vector)
            weight *= max(LOWEST, cosine)
        scores[noun] += one.score * weight
        support[noun] += 2 if one.direct else one.support
    [(best, most)] = scores.most_common(1)
    likely = [noun for noun, score in scores.items() if score >= SYNONYM * most and noun != best]
    known = [noun for noun in scores if noun in english.index]
    synonyms = [noun for noun in likely if noun in english.index and noun not in english.compounds]
    place = english.index.get(best)
    if place is None or not english.good[place] or support[best] < 2:
        return Entry(None, synonyms, known)
    mean = of_english.mean
    another = sum(
        scores[noun]
        for noun in likely
        if best not in noun.split()
        and noun not in best.split()
        and (noun not in english.index or mean[english.index[noun]] @ mean[place] < ANOTHER)
    )
    return Entry(best if another <= AMBIGUOUS * most else None, synonyms, known)


def near_any(noun: str, others: Iterable[str], english: English, of_english: Views) -> bool:
    """Return whether a noun has a meaning near that of one of the others."""
    mean, index = of_english.mean, english.index
    return any(mean[index[noun]] @ mean[index[other]] >= ANOTHER for other in others)


def near(
    nouns: Sequence[str], synonyms: Mapping[str, Collection[str]], english: English, of_english: Views
) -> Iterator[list[str]]:
    """Yield for each noun the nouns near it, no compounds and no modifier of it."""
    mean = of_english.mean
    singles = mean[: len(english.nouns) - len(english.compounds)]
    for noun in nouns:
        close = np.flatnonzero(singles @ mean[english.index[noun]] >= NEAR).tolist()
        others = {english.nouns[column] for column in close}.union(synonyms.get(noun, ()))
        yield sorted(others.difference(noun.split()[:-1]))


def written(rows: Mapping[str, Iterable[str]], english: English) -> list[tuple[str, Iterable[str]]]:
    """Return rows in order, with the concepts of compounds."""
    return sorted((english.compounds.get(noun, noun), row) for noun, row in rows.items())


def write(path: Path, lines: Iterable[tuple[str, Iterable[str]]]) -> None:
    """Write lines of tab-separated words and report the size."""
    text = "".join("\t".join((first, *others)) + "\n" for first, others in lines)
    with atomic_path(path) as temporary:
        temporary.write_bytes(lzma.compress(text.encode("utf-8"), preset=9))
    print(f"{path}: {text.count(chr(10)):,} nouns, {path.stat().st_size:,} bytes")


def main(packages: Path, output: Path) -> None:
    """Translate the frequent words of all languages and write the files."""
    set_threads()
    known = english_nouns(packages)
    of_known = views(known.nouns, "en")
    tables = {lang: translate(packages, lang, "n") for lang in sorted(CODES)}
    names = {name for table in tables.values() for given in table.values() for name in given}
    english = with_compounds(known, names, packages)
    of_english = joined(of_known, views(list(english.compounds), "en"))
    every: set[str] = set()
    synonyms: defaultdict[str, set[str]] = defaultdict(set)
    (output / "nouns").mkdir(exist_ok=True)
    for lang in sorted((SENTENCES.keys() | CODES.keys()) - {"en"}):
        fewest = FEWEST_LETTERS.get(lang, 3)
        ranks = {
            word: rank
            for rank, word in enumerate(frequent_words(packages, lang)[: most(lang)])
            if rank >= FUNCTION_WORDS and word.isalpha() and len(word) >= fewest
        }
        found: dict[str, str] = {}
        if lang in UNLISTED:
            found = translations(ranks, views(list(ranks), lang), known, of_known)
        if lang in CODES:
            entries = from_dictionary(ranks, lang, tables[lang], packages, english, of_english)
            for word, entry in entries.items():
                if word in found and not near_any(found[word], entry.known, english, of_english):
                    del found[word]
                if entry.noun is not None and entry.noun.split()[-1] != word:
                    found[word] = entry.noun
                    synonyms[entry.noun].update(entry.synonyms)
        by_noun: defaultdict[str, list[str]] = defaultdict(list)
        for word, noun in sorted(found.items()):
            by_noun[noun].append(word)
        write(output / "nouns" / f"{lang}.tsv.xz", written(by_noun, english))
        every.update(by_noun)
    nouns = sorted(every)
    rows = near(nouns, synonyms, english, of_english)
    write(output / "near_nouns.tsv.xz", written(dict(zip(nouns, rows, strict=True)), english))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
