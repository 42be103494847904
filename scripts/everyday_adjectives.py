"""Add the adjectives of the lexicon and of ``everyday_adjectives.tsv`` to the parser's dictionaries.

python scripts/everyday_adjectives.py PACKAGES "$AMRX_DATA" parser/mini/rules/data

Those adjectives are by hand: dictionaries lack them, or find them ambiguous. PACKAGES is as for
`gather_nouns`; roles, concepts and concepts near them are those of `gather_adjectives`, and an adjective
without a concept is left out. So is a form that is among the `FREQUENT` most frequent words, or a noun or
verb of the parser's dictionaries (*fuerte*). An adjective by hand replaces what a dictionary says, unless
that is near it.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from adjective_forms import forms
from gather_adjectives import NEAR, english_adjectives, parser_concepts
from gather_nouns import frequent_words, write
from gather_verbs import English
from lexicon import Everyday, read_lexicon, read_lines, read_rows

from amrx.threads import set_threads
from parser.mini.rules.nouns import lemma

FREQUENT = 300
SHORTEST = {"ar": 3, "ja": 2, "ko": 2, "zh": 2}
"""Minimum number of letters of a form that is shorter than its base; 4 in other languages (*нём*, *гол*)."""


def everyday_forms(
    packages: Path, output: Path, lang: str, rows: Iterable[Everyday], concepts: Mapping[str, str]
) -> dict[str, str]:
    """Return roles and concepts of the forms of a language's adjectives by hand."""
    known = {
        base: concepts[row.concept]
        for row in rows
        for base in row.words.get(lang, ())
        if row.concept in concepts
    }
    often = set(frequent_words(packages, lang)[:FREQUENT])
    kinds = ("verbs",) if lang == "de" else ("nouns", "verbs")  # nouns of German have a capital
    others = {
        word for kind in kinds for _, words in read_rows(output / kind / f"{lang}.tsv.xz") for word in words
    }
    return {
        form: known[base]
        for form, base in forms(known, lang)
        if form not in often | others and len(form) >= min(len(base), SHORTEST.get(lang, 4))
    }


def with_near(
    rows: Iterable[tuple[str, Iterable[str]]], by_hand: Iterable[Everyday], english: English
) -> dict[str, set[str]]:
    """Return the concepts near each adjective, those of the adjectives by hand included."""
    near = {concept: set(others) for concept, others in rows}
    symbols, words = set(map(lemma, parser_concepts())), list(english.index)
    for row in by_hand:
        if row.concept not in english.concepts:
            continue
        concept = lemma(english.concepts[row.concept].split()[-1])
        if concept not in near:
            cosines = english.vectors @ english.vectors[english.index[row.concept]]
            near[concept] = symbols.intersection(words[place] for place in np.flatnonzero(cosines >= NEAR))
        others = {lemma(english.concepts.get(one, one).split()[-1]) for one in row.others}
        near[concept].update(others, row.others, {concept, row.concept})
    return near


def main(packages: Path, data: Path, output: Path) -> None:
    """Add the forms to the file of each language, and the concepts near them."""
    set_threads()
    english, rows = (
        english_adjectives(packages, data),
        [*read_lexicon("a"), *read_lines("everyday_adjectives.tsv")],
    )
    path = output / "near_adjectives.tsv.xz"
    near = with_near(read_rows(path), rows, english)
    write(path, ((word, sorted(near[word])) for word in sorted(near)))
    for lang in sorted({lang for row in rows for lang in row.words}):
        path = output / "adjectives" / f"{lang}.tsv.xz"
        known = {word: concept for concept, words in read_rows(path) for word in words}
        by_concept: defaultdict[str, list[str]] = defaultdict(list)
        added = everyday_forms(packages, output, lang, rows, english.concepts)
        added = {
            word: concept
            for word, concept in added.items()
            if not (word in known and _is_near(known[word], concept, near))
        }
        for word, concept in sorted((known | added).items()):
            by_concept[concept].append(word)
        write(path, sorted(by_concept.items()))


def _is_near(known: str, added: str, near: Mapping[str, set[str]]) -> bool:
    """Return whether the concept of a dictionary is near that of an adjective by hand."""
    return lemma(known.split()[-1]) in near[lemma(added.split()[-1])]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
