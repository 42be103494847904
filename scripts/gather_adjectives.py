"""Write concepts of English adjectives and their translations for the parser, from dictionaries.

python scripts/gather_adjectives.py PACKAGES "$AMRX_DATA" parser/mini/rules/data

PACKAGES is as for `gather_nouns`, and a word is translated under the conditions of `gather_verbs`, except
that

* it may be an adverb, as all adjectives of German may; and a noun, if the cosine of the two words by
  multilingual USE is at least `gather_verbs.SURE`;
* neither its lemma nor the words that it translates are of other kinds. So there is no Chinese: its few
  adjectives are mostly nouns and verbs;
* a translation also scores by its cosine, if multilingual USE knows the language.

The concept of an English adjective, and the role of the thing that it describes:

* the concept that the English sembanks use most for the word;
* else the first frame of the word in PropBank that describes a state: ``jealous-02``, not ``steep-01``,
  "soak". The thing is its ARG0 if it is no cause or agent, else its ARG1;
* else the frame of the verb of a participle: ``swollen``, ``swell-01``;
* else the word, and ``:domain``. Words that AMR analyses (``careless``, ``washable``, ``unclear``,
  ``weekly``) are no translations.

A line of ``adjectives/LANGUAGE.tsv.xz`` is a role, a concept, and its translations. For each of these
adjectives, ``near_adjectives.tsv.xz`` has the concepts near it: those of a cosine of at least `NEAR` by
multilingual USE, and other translations of words. A concept among these may be right.
"""

from __future__ import annotations

import csv
import gzip
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from gather_nouns import MOST, frequent_words, write
from gather_verbs import English, Kind, concept_counts, vectors_of, write_translations
from wikdict import CODES

from amrx.threads import set_threads
from linearize.frames import frames
from linearize.vocabulary import is_frame
from parser import load as load_parser
from parser.mini.parser import MiniParser
from parser.mini.rules.nouns import lemma

SENTENCES = ("It is {}.", "They have a very {} one.", "The {} thing is here.")
NEAR = 0.4
ADJECTIVES = Kind("adjectives", "adj", CODES.keys() - {"zh"}, ("adj", "adv", "Adverb"), True, 300_000, 3)
ANALYSED = re.compile(r"(?:un|in|im|non)...|.*(?:less|able|ible|ly|most)$|.*[^a-z]")
"""Adjectives that AMR mostly writes with other concepts."""
CAUSE = re.compile(r"ARG0: [^:]*(?:caus|agent|er\b|or\b)")
"""A thing that makes another one so."""


def english_adjectives(packages: Path, data: Path) -> English:
    """Return the frequent English adjectives with roles and concepts, and the words of other concepts."""
    bases: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    path = packages / "lemminflect" / "resources" / "lemma_lu.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for form, kind, lemmas in csv.reader(file):
            bases[form, kind].update(lemmas.split("/"))
    counts, described = concept_counts(data), descriptions(data)
    by_lemma: defaultdict[str, list[str]] = defaultdict(list)
    for concept in sorted(frames() | {concept for concept in counts if not is_frame(concept)}):
        by_lemma[lemma(concept)].append(concept)

    def used(word: str, states: bool) -> str | None:
        """Return the most frequent concept of a word, if there is one."""
        known = by_lemma[word]
        best = max(known, key=lambda concept: counts[concept], default=None)
        if best is None or counts[best]:
            return best
        return next((one for one in known if not states or not CAUSE.search(described.get(one, ""))), None)

    rank = {word: place for place, word in enumerate(frequent_words(packages, "en")[:MOST])}
    concepts = {}
    for word in rank:
        verbs = sorted(bases[word, "verb"]) if word.endswith(("ed", "en", "ing")) else []
        if word in bases[word, "adj"] and (concept := used(word, bool(bases[word, "verb"]))):
            concepts[word] = (
                f"{role(described.get(concept, '')) if is_frame(concept) else ':domain'} {concept}"
            )
        elif verbs and verbs[0] != word and (concept := used(verbs[0], False)) and is_frame(concept):
            concepts[word] = f"{':ARG0' if word.endswith('ing') else ':ARG1'} {concept}"
        elif word in bases[word, "adj"] and not ANALYSED.match(word):
            concepts[word] = f":domain {word}"
    symbols = {word for word in map(lemma, parser_concepts()) if word.replace("-", "").isalpha()}
    words = sorted(concepts.keys() | symbols)
    index = {word: place for place, word in enumerate(words)}
    spoken = [word.replace("-", " ") for word in words]
    return English(concepts, rank, index, vectors_of(spoken, SENTENCES))


def descriptions(data: Path) -> dict[str, str]:
    """Return the descriptions of the arguments of PropBank's frames."""
    lines = (data / "amr" / "propbank-amr-frames-arg-descr.txt").read_text("utf-8").splitlines()
    return {frame: rest for frame, _, rest in (line.partition(" ") for line in lines)}


def role(description: str) -> str:
    """Return the role of the thing that an adjective describes.

    Example:
        >>> role("ARG0: jealous entity  ARG1: possession"), role("ARG0: sharpener  ARG1: sharp thing")
        (':ARG0', ':ARG1')
    """
    return ":ARG0" if "ARG0" in description and not CAUSE.search(description) else ":ARG1"


def parser_concepts() -> Sequence[str]:
    """Return the concepts of the parser."""
    parser = load_parser("mini")
    assert isinstance(parser, MiniParser)
    return parser.alphabet.symbols[parser.alphabet.first_node :]


def main(packages: Path, data: Path, output: Path) -> None:
    """Translate the frequent adjectives of all languages and write the files."""
    set_threads()
    english = english_adjectives(packages, data)
    synonyms = write_translations(ADJECTIVES, english, packages, data, output)
    words, near = list(english.index), defaultdict[str, set[str]](set)
    symbols = set(map(lemma, parser_concepts()))
    for word, others in synonyms.items():
        cosines = english.vectors @ english.vectors[english.index[word]]
        close = symbols.intersection(words[place] for place in np.flatnonzero(cosines >= NEAR))
        concepts = {lemma(english.concepts.get(one, one).split()[-1]) for one in (word, *others)}
        near[lemma(english.concepts[word].split()[-1])].update(close, concepts)
    write(output / "near_adjectives.tsv.xz", ((word, sorted(near[word])) for word in sorted(near)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
