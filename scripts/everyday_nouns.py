"""Add the nouns of ``everyday_nouns.tsv`` and of the lexicon to the parser's dictionaries.

python scripts/everyday_nouns.py PACKAGES parser/mini/rules/data

Those nouns are by hand: dictionaries confuse them (*grifo* is a tap, no griffin), or lack them. PACKAGES
is as for `gather_nouns`. All their frequent forms are written. An everyday noun replaces what a dictionary
says; of a noun of the lexicon, its base form does. The nouns near a new one are found by multilingual USE, as
in `gather_nouns`.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from gather_nouns import (
    FUNCTION_WORDS,
    NEAR,
    UNLISTED,
    english_nouns,
    frequent_words,
    heads_of,
    most,
    views,
    write,
)
from lexicon import Everyday, read_lexicon, read_lines

from amrx.threads import set_threads
from parser.mini.rules.dictionaries import near_words, translations
from parser.mini.rules.nouns import STEMS

ARTICLES = ("ال", "وال", "بال", "لل", "و")
"""Arabic articles, prepositions and *and* that are written with a noun."""


def bases(rows: Iterable[Everyday], lang: str) -> dict[str, str]:
    """Return the English nouns of a language's words, but for words spelled as in English."""
    return {word: row.concept for row in rows for word in row.words.get(lang, ()) if word != row.concept}


def with_forms(known: dict[str, str], ranks: Iterable[str], lang: str) -> dict[str, str]:
    """Return nouns and those of ``ranks`` that are their forms.

    Endings of Korean and Turkish are taken off by the parser.
    """
    forms = dict(known)
    if lang == "ar":
        forms |= {before + word: noun for word, noun in known.items() for before in ARTICLES}
    elif lang not in UNLISTED | STEMS.keys():
        lemmas = {one: heads_of(one, one.capitalize() if lang == "de" else one, lang)[-1] for one in ranks}
        forms |= {one: known[lemma] for one, lemma in lemmas.items() if lemma in known}
    return forms


def translated(
    packages: Path, lang: str, everyday: Sequence[Everyday], lexicon: Sequence[Everyday]
) -> dict[str, str]:
    """Return the English nouns of a language's words, by dictionaries and by hand."""
    ranks = [word for word in frequent_words(packages, lang)[FUNCTION_WORDS : most(lang)] if word.isalpha()]
    listed, first = bases(lexicon, lang), bases(everyday, lang)
    found = (
        with_forms(listed, ranks, lang)
        | translations("nouns", lang)
        | listed
        | with_forms(first, ranks, lang)
    )
    return {word: noun for word, noun in found.items() if word != noun}


def near_by_hand(packages: Path, rows: Sequence[Everyday]) -> dict[str, set[str]]:
    """Return the nouns near each noun, those of the rows included."""
    near = {noun: set(others) for noun, others in near_words("nouns").items()}
    nouns = english_nouns(packages).nouns
    new = sorted({row.concept for row in rows} - near.keys())
    vectors = views([*nouns, *sorted(set(new) - set(nouns))], "en").mean
    place = {noun: i for i, noun in enumerate([*nouns, *sorted(set(new) - set(nouns))])}
    for noun in new:
        close = np.flatnonzero(vectors[: len(nouns)] @ vectors[place[noun]] >= NEAR)
        near[noun] = {noun, *(nouns[column] for column in close.tolist())}
    for row in rows:
        near[row.concept].update(row.others)
    return near


def main(packages: Path, output: Path) -> None:
    """Add the nouns to the file of each language, and the nouns near them."""
    set_threads()
    everyday, lexicon = read_lines("everyday_nouns.tsv"), read_lexicon("n")
    for lang in sorted({lang for row in (*everyday, *lexicon) for lang in row.words}):
        by_noun: defaultdict[str, list[str]] = defaultdict(list)
        for word, noun in sorted(translated(packages, lang, everyday, lexicon).items()):
            by_noun[noun].append(word)
        write(output / "nouns" / f"{lang}.tsv.xz", sorted(by_noun.items()))
    near = near_by_hand(packages, [*everyday, *lexicon])
    write(output / "near_nouns.tsv.xz", ((noun, sorted(near[noun])) for noun in sorted(near)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
