#!/usr/bin/env python
"""Write nouns of several words for the parser.

python scripts/gather_phrases.py PACKAGES parser/mini/rules/data

PACKAGES as for ``gather_nouns.py``, whose result must be in the second folder. Such a noun does not mean what
its words mean (French *pomme de terre*, no apple; Indonesian *rumah sakit*, no house), so these must not be
translated alone. A noun of WikDict of two to `LONGEST` frequent words is written if one of them has a
translation in ``nouns/`` that is no word of the noun's translations. Its own translation is written if two
languages support it or a dictionary of English has it, if it has at least `SHARE` of the scores of all, and
if it is one English noun that ``gather_nouns.py`` would write; it is empty otherwise.

A line of ``phrases/LANGUAGE.tsv.xz`` is an English noun and its translations.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from gather_nouns import MOST, English, english_nouns, frequent_words, write
from wikdict import CODES, Translation, translate

from parser.mini.rules.nouns import UNSPACED, nouns_of, words_of

LONGEST = 4
SHARE = 0.5


def phrases(packages: Path, lang: str, english: English) -> Iterator[tuple[str, str]]:
    """Yield nouns of several words, each with its English noun or an empty string."""
    frequent, nouns = set(frequent_words(packages, lang)[:MOST]), nouns_of(lang)
    for phrase, given in translate(packages, lang, "n").items():
        words = words_of(phrase)
        if not 2 <= len(words) <= LONGEST or not frequent.issuperset(words):
            continue
        said = {word for translation in given for word in translation.lower().split()}
        if any(word in nouns and nouns[word] not in said for word in words):
            yield " ".join(words), _noun(given, english) or ""


def _noun(given: Mapping[str, Translation], english: English) -> str | None:
    """Return the English noun of a phrase, if it is sure."""
    noun, best = max(given.items(), key=lambda one: (one[1].score, one[0]))
    place = english.index.get(noun)
    sure = best.score >= SHARE * sum(one.score for one in given.values()) and (
        best.direct or best.support > 1
    )
    return noun if sure and place is not None and english.good[place] else None


def main(packages: Path, output: Path) -> None:
    """Write the file of each language."""
    english = english_nouns(packages)
    (output / "phrases").mkdir(exist_ok=True)
    for lang in sorted(CODES.keys() - UNSPACED):
        by_noun: defaultdict[str, list[str]] = defaultdict(list)
        for phrase, noun in sorted(phrases(packages, lang, english)):
            by_noun[noun].append(phrase)
        write(output / "phrases" / f"{lang}.tsv.xz", sorted(by_noun.items()))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
