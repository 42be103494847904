"""Write PropBank frames and their translations for the parser, from dictionaries.

python scripts/gather_verbs.py PACKAGES "$AMRX_DATA" parser/mini/rules/data

PACKAGES is as for `gather_nouns`. A word is translated if it is among the `MOST` most frequent ones, but not
among the first `FUNCTION_WORDS`; if a dictionary has it, or its lemma, as a verb, and as nothing else; if at
least two languages support the best translation, or a dictionary of English has it; if the other likely ones
of another meaning do not add up to more than `AMBIGUOUS` of its score; if it is no form of a more frequent
verb with another ending of the infinitive; and if it is in at most `SEEN` sentences that the parser learnt
from, for it reads frequent verbs better than a dictionary without context.
A translation scores by its share and by its rank in English. Japanese and Chinese are left out: parts of
their other words look like verbs. Then run ``everyday_verbs.py``, which adds verbs by hand.

The frame of an English verb is the one that the English sembanks use most. A word that is a form of one
English verb, and not among the most frequent ones (twice `FUNCTION_WORDS`), has its frame too. A line of
``verbs/LANGUAGE.tsv.xz`` is a frame and its translations. For each of these verbs, ``near_verbs.tsv.xz`` has
the verbs near it: those of a cosine of at least `NEAR` by multilingual USE, and other translations of words.
"""

from __future__ import annotations

import csv
import gzip
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from gather_nouns import COMMON, LOWEST, MOST, SYNONYM, frequent_words, heads_of, views, write
from gather_nouns import SENTENCES as SENTENCES_OF
from wikdict import CODES, Translation, american, other_words, translate, translating_words

from amrx.threads import set_threads
from amrx.types import Vectors
from amrx.vectors import normalise
from linearize.frames import frames
from parser.mini.rules.nouns import LONGEST, UNSPACED
from parser.training.corpora.parallel import training_pairs
from parser.training.corpora.sembanks import bamboo_pairs, lpp
from retrofit.bases import load_base

SENTENCES = ("I want to {} it.", "They will {} us.", "They {} every day.")
FUNCTION_WORDS, NEAR, ANOTHER, AMBIGUOUS = 500, 0.35, 0.35, 0.8
FEWEST_LETTERS = {"ja": 2}
"""Minimum number of letters of a word; that of its kind in other languages."""
INFINITIVES = {
    "ca": ("ar", "er", "ir", "re"), "es": ("ar", "er", "ir"), "fr": ("er", "ir", "re"),
    "it": ("are", "ere", "ire"), "pt": ("ar", "er", "ir"),
}  # fmt: skip
"""Endings of infinitives: *vendas* is a form of *vendar* and of *vender*."""
SURE = 0.5
"""Minimum cosine of a translation of a word that is a noun too."""
LIKELY = 0.1
"""Minimum share of the best score with which a translation counts as near."""
SEEN = 20
"""Number of sentences from which the parser knows a word."""
MODAL = frozenset("can may might must shall should will would".split())
"""English modal verbs: their frames are other verbs (*to can*, to preserve)."""
WORD = re.compile(r"[^\W\d_]+")
_FRAME = re.compile(r"(.+)-([0-8]\d)")


class English(NamedTuple):
    """English words of a kind, and words near them."""

    concepts: Mapping[str, str]  # the concept of each word of the kind
    ranks: Mapping[str, int]  # rank of the rarest word of each
    index: Mapping[str, int]  # position in ``vectors`` of each, and of others
    vectors: Vectors  # normalised, by multilingual USE ``(n, 512)``

    def cosine(self, word: str, vector: Vectors) -> float:
        """Return the cosine of a word and a vector; 0 for an unknown word."""
        return float(self.vectors[self.index[word]] @ vector) if word in self.index else 0.0


class Kind(NamedTuple):
    """Words of a dictionary."""

    name: str  # folder of the files
    code: str  # in the dictionaries
    langs: Collection[str]
    may_be: Collection[str]  # kinds that a translated word may have
    strict: bool  # whether its lemma, too, and the words that it translates must be of these kinds
    most: int  # number of frequent words
    letters: int  # minimum number of letters of a word, apart from `FEWEST_LETTERS`


VERBS = Kind("verbs", "v", CODES.keys() - UNSPACED, ("v",), False, MOST, 4)


def concept_counts(data: Path) -> Counter[str]:
    """Count the concepts of the English sembanks."""
    graphs = [entry.graph for entry in lpp(data, "train")]
    for corpus in ("sts", "sick", "para"):
        for pair in bamboo_pairs(data / "amr" / "bamboo" / corpus, "train"):
            graphs += [pair.source.graph, pair.target.graph]
    return Counter(str(concept) for graph in graphs for _, _, concept in graph.instances())


def vectors_of(words: Sequence[str], sentences: Sequence[str]) -> Vectors:
    """Return the normalised sum of the centred vectors of English words in sentences ``(n, 512)``."""
    base = load_base("muse")
    each = [base.encode([one.replace("{}", word) for word in words], lang="en") for one in sentences]
    return normalise(np.sum([normalise(one - one.mean(axis=0)) for one in each], axis=0))


def usual_frames(data: Path) -> dict[str, str]:
    """Return the frame of each English verb that the English sembanks use most."""
    counts = concept_counts(data)
    senses: defaultdict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for frame in frames():
        if match := _FRAME.fullmatch(frame):
            senses[match[1].replace("-", " ")].append((counts[frame], -int(match[2]), frame))
    return {verb: max(known)[2] for verb, known in senses.items() if verb not in MODAL}


def english_verbs(packages: Path, data: Path) -> English:
    """Return the frequent English verbs with a frame."""
    usual = usual_frames(data)
    rank = {word: place for place, word in enumerate(frequent_words(packages, "en")[:MOST])}
    verbs = sorted(verb for verb in usual if all(word in rank for word in verb.split()))
    return English(
        {verb: usual[verb] for verb in verbs},
        {verb: max(rank[word] for word in verb.split()) for verb in verbs},
        {verb: place for place, verb in enumerate(verbs)},
        vectors_of(verbs, SENTENCES),
    )


def best(
    given: Mapping[str, Translation], english: English, vector: Vectors | None = None
) -> tuple[str | None, list[str]]:
    """Return the word to write, if it is sure, and others that may be right.

    Scores are multiplied by cosines with ``vector``, that of the translated word, if it is given.
    """
    scores: Counter[str] = Counter()
    support: Counter[str] = Counter()
    for name, one in given.items():
        word = american(name.removeprefix("to "), english.index)
        rank = english.ranks.get(word, MOST)
        weight = 1.0 if vector is None else max(LOWEST, english.cosine(word, vector))
        scores[word] += weight * one.score / (1 + max(0.0, math.log(max(1, rank) / COMMON)))
        support[word] += 2 if one.direct else one.support
    [(first, most)] = scores.most_common(1)
    others = [word for word, score in scores.items() if score >= LIKELY * most and word in english.index]
    if first not in english.concepts or support[first] < 2:
        return None, others
    first_vector = english.vectors[english.index[first]]
    another = sum(
        score
        for word, score in scores.items()
        if word != first and score >= SYNONYM * most and english.cosine(word, first_vector) < ANOTHER
    )
    return (first if another <= AMBIGUOUS * most else None), others


def common_words(data: Path, lang: str) -> set[str]:
    """Return the words in more than `SEEN` translations of the open data, which the parser learnt from."""
    counts: Counter[str] = Counter()
    for pair in training_pairs(data, [lang], ()):
        text = pair.foreign.lower()
        counts.update(parts(text) if lang in UNSPACED else set(WORD.findall(text)))
    return {word for word, count in counts.items() if count > SEEN}


def parts(text: str) -> set[str]:
    """Return the parts of a text that may be words, for scripts without spaces."""
    return {text[at : at + length] for at in range(len(text)) for length in range(1, LONGEST + 1)}


def of_another_verb(word: str, lang: str, ranks: Mapping[str, int]) -> bool:
    """Return whether a form of a verb may be that of a more frequent one with the same stem."""
    lemma = heads_of(word, word, lang)[-1]
    if word == lemma:
        return False
    infinitives = INFINITIVES.get(lang, ())
    others = {
        lemma.removesuffix(ending) + other
        for ending in infinitives if lemma.endswith(ending)
        for other in infinitives
    }  # fmt: skip
    rank = ranks.get(lemma, MOST)
    return any(ranks.get(other, rank) < rank for other in others)


def words_of_other_kinds(packages: Path, lang: str, kind: Kind, more: Collection[str]) -> set[str]:
    """Return the words of a language that a word of a kind must not be, apart from ``more`` kinds."""
    kinds = (*kind.may_be, *more)
    translating = translating_words(packages, lang, kinds) if kind.strict else set()
    return other_words(packages, lang, kinds) | translating


def write_translations(
    kind: Kind, english: English, packages: Path, data: Path, output: Path
) -> dict[str, set[str]]:
    """Write the translations of all languages; return each English word and the other likely translations."""
    near: defaultdict[str, set[str]] = defaultdict(set)
    (output / kind.name).mkdir(exist_ok=True)
    for lang in sorted(kind.langs):
        table = translate(packages, lang, kind.code)
        ranks = {word: place for place, word in enumerate(frequent_words(packages, lang)[:MOST])}
        often, fewest = common_words(data, lang), FEWEST_LETTERS.get(lang, kind.letters)
        heads = {
            word: head
            for word in frequent_words(packages, lang)[FUNCTION_WORDS : kind.most]
            if word not in often and len(word) >= fewest and word.isalpha()
            if (head := next((one for one in heads_of(word, word, lang) if one in table), None)) is not None
            if not (kind.name == "verbs" and of_another_verb(word, lang, ranks))
        }
        others, nouns = (words_of_other_kinds(packages, lang, kind, more) for more in (["n"], []))
        vectors: dict[str, Vectors] = {}
        if kind.strict and lang in SENTENCES_OF:
            known = sorted(set(heads.values()))
            vectors = dict(zip(known, views(known, lang).mean, strict=True))
        by_concept: defaultdict[str, list[str]] = defaultdict(list)
        for word, head in heads.items():
            vector, forms = vectors.get(head), {word, head} if kind.strict else {word}
            translation, synonyms = best(table[head], english, vector)
            if translation is None or not others.isdisjoint(forms):
                continue
            sure = vector is not None and english.cosine(translation, vector) >= SURE
            if sure or nouns.isdisjoint(forms):
                by_concept[english.concepts[translation]].append(word)
                near[translation].update(synonyms)
        lines = ((concept, sorted(words)) for concept, words in sorted(by_concept.items()))
        write(output / kind.name / f"{lang}.tsv.xz", lines)
    return near


def english_forms(packages: Path, english: English) -> dict[str, list[str]]:
    """Return the frames of English verbs, each with the words that are forms of that verb.

    A form may be one of a noun, too, if both have the same base form.
    """
    bases: defaultdict[str, dict[str, str]] = defaultdict(dict)
    path = packages / "lemminflect" / "resources" / "lemma_lu.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for form, kind, base in csv.reader(file):
            bases[form][kind] = american(base, english.index)
    often = set(frequent_words(packages, "en")[: 2 * FUNCTION_WORDS])
    forms: defaultdict[str, list[str]] = defaultdict(list)
    for form, kinds in sorted(bases.items()):
        verb = kinds.get("verb")
        if verb in english.concepts and {verb} == set(kinds.values()) and kinds.keys() <= {"verb", "noun"}:
            if form not in often:
                forms[english.concepts[verb]].append(form)
    return forms


def main(packages: Path, data: Path, output: Path) -> None:
    """Translate the frequent verbs of all languages and write the files."""
    set_threads()
    english = english_verbs(packages, data)
    write(output / "verbs" / "en.tsv.xz", sorted(english_forms(packages, english).items()))
    near = write_translations(VERBS, english, packages, data, output)
    verbs = list(english.index)
    for verb, synonyms in near.items():
        close = english.vectors @ english.vectors[english.index[verb]] >= NEAR
        synonyms.update(verbs[place] for place in np.flatnonzero(close).tolist())
    write(output / "near_verbs.tsv.xz", ((verb, sorted(near[verb])) for verb in sorted(near)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
