"""Write PropBank frames and their translations for the parser, from dictionaries.

python scripts/gather_verbs.py PACKAGES "$AMRX_DATA" parser/mini/rules/data

PACKAGES is as for `gather_nouns`. A word is translated if it is among the `MOST` most frequent ones, but not
among the first `FUNCTION_WORDS`; if a dictionary has it, or its lemma, as a verb, and as nothing else; if at
least two languages support the best translation, or a dictionary of English has it; if the other likely ones
of another meaning do not add up to more than `AMBIGUOUS` of its score; and if it is in at most `SEEN`
sentences that the parser learnt from, for it reads frequent verbs better than a dictionary without context.
A translation scores by its share and by its rank in English.

The frame of an English verb is the one that the English sembanks use most. A line of
``verbs/LANGUAGE.tsv.xz`` is a frame and its translations. For each of these verbs, ``near_verbs.tsv.xz`` has
the verbs near it: those of a cosine of at least `NEAR` by multilingual USE, and other translations of words.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from gather_nouns import COMMON, MOST, SYNONYM, frequent_words, heads_of, write
from wikdict import CODES, Translation, other_words, translate

from amrx.threads import set_threads
from amrx.types import Vectors
from amrx.vectors import normalise
from linearize.frames import frames
from parser.training.corpora.parallel import training_pairs
from parser.training.corpora.sembanks import bamboo_pairs, lpp
from retrofit.bases import load_base

SENTENCES = ("I want to {} it.", "They will {} us.", "They {} every day.")
FUNCTION_WORDS, NEAR, ANOTHER, AMBIGUOUS = 500, 0.35, 0.35, 0.8
FEWEST_LETTERS = {"ja": 2, "zh": 2}
"""Minimum number of letters of a word; 4 in other languages."""
LIKELY = 0.1
"""Minimum share of the best score with which a translation counts as near."""
SEEN = 20
"""Number of sentences from which the parser knows a word."""
WORD = re.compile(r"[^\W\d_]+")
_FRAME = re.compile(r"(.+)-([0-8]\d)")


class English(NamedTuple):
    """English verbs that PropBank has."""

    frames: Mapping[str, str]  # the frame of each
    ranks: Mapping[str, int]  # rank of the rarest word of each
    index: Mapping[str, int]  # position of each in ``vectors``
    vectors: Vectors  # normalised, by multilingual USE ``(n, 512)``

    def american(self, verb: str) -> str:
        """Return the American spelling of a verb if only that is known."""
        other = re.sub("is(?=e$)", "iz", re.sub("ys(?=e$)", "yz", verb)).replace("our", "or")
        return verb if verb in self.index or other not in self.index else other


def english_verbs(packages: Path, data: Path) -> English:
    """Return the frequent English verbs with a frame."""
    counts = Counter(
        str(concept) for entry in lpp(data, "train") for _, _, concept in entry.graph.instances()
    )
    for corpus in ("sts", "sick", "para"):
        for pair in bamboo_pairs(data / "amr" / "bamboo" / corpus, "train"):
            for entry in (pair.source, pair.target):
                counts.update(str(concept) for _, _, concept in entry.graph.instances())
    senses: defaultdict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for frame in frames():
        if match := _FRAME.fullmatch(frame):
            senses[match[1].replace("-", " ")].append((counts[frame], -int(match[2]), frame))
    rank = {word: place for place, word in enumerate(frequent_words(packages, "en")[:MOST])}
    verbs = sorted(verb for verb in senses if all(word in rank for word in verb.split()))
    base = load_base("muse")
    each = [
        base.encode([sentence.replace("{}", verb) for verb in verbs], lang="en") for sentence in SENTENCES
    ]
    vectors = normalise(np.sum([normalise(one - one.mean(axis=0)) for one in each], axis=0))
    return English(
        {verb: max(senses[verb])[2] for verb in verbs},
        {verb: max(rank[word] for word in verb.split()) for verb in verbs},
        {verb: place for place, verb in enumerate(verbs)},
        vectors,
    )


def best(given: Mapping[str, Translation], english: English) -> tuple[str | None, list[str]]:
    """Return the verb to write, if it is sure, and others that may be right."""
    scores: Counter[str] = Counter()
    support: Counter[str] = Counter()
    for name, one in given.items():
        verb = english.american(name.removeprefix("to "))
        rank = english.ranks.get(verb, MOST)
        scores[verb] += one.score / (1 + max(0.0, math.log(max(1, rank) / COMMON)))
        support[verb] += 2 if one.direct else one.support
    [(first, most)] = scores.most_common(1)
    others = [verb for verb, score in scores.items() if score >= LIKELY * most and verb in english.index]
    if first not in english.index or support[first] < 2:
        return None, others
    vector = english.vectors[english.index[first]]
    another = sum(
        score
        for verb, score in scores.items()
        if verb != first and score >= SYNONYM * most
        if verb not in english.index or english.vectors[english.index[verb]] @ vector < ANOTHER
    )
    return (first if another <= AMBIGUOUS * most else None), others


def common_words(data: Path, lang: str) -> set[str]:
    """Return the words in more than `SEEN` translations of the open data, which the parser learnt from."""
    counts: Counter[str] = Counter()
    for pair in training_pairs(data, [lang], ()):
        counts.update(set(WORD.findall(pair.foreign.lower())))
    return {word for word, count in counts.items() if count > SEEN}


def main(packages: Path, data: Path, output: Path) -> None:
    """Translate the frequent verbs of all languages and write the files."""
    set_threads()
    english = english_verbs(packages, data)
    near: defaultdict[str, set[str]] = defaultdict(set)
    (output / "verbs").mkdir(exist_ok=True)
    for lang in sorted(CODES):
        table, others = translate(packages, lang, "v"), other_words(packages, lang, ("v",))
        often, fewest = common_words(data, lang), FEWEST_LETTERS.get(lang, 4)
        by_frame: defaultdict[str, list[str]] = defaultdict(list)
        for word in frequent_words(packages, lang)[FUNCTION_WORDS:MOST]:
            head = next((one for one in heads_of(word, word, lang) if one in table), None)
            if head is None or word in often or word in others or len(word) < fewest or not word.isalpha():
                continue
            verb, synonyms = best(table[head], english)
            if verb is not None:
                by_frame[english.frames[verb]].append(word)
                near[verb].update(synonyms)
        lines = ((frame, sorted(words)) for frame, words in sorted(by_frame.items()))
        write(output / "verbs" / f"{lang}.tsv.xz", lines)
    verbs = list(english.index)
    for verb, synonyms in near.items():
        close = english.vectors @ english.vectors[english.index[verb]] >= NEAR
        synonyms.update(verbs[place] for place in np.flatnonzero(close).tolist())
    write(output / "near_verbs.tsv.xz", ((verb, sorted(near[verb])) for verb in sorted(near)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
