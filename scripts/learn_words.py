#!/usr/bin/env python
"""Write the concepts of foreign words, learnt from the parallel text that the parser was trained on.

    python scripts/learn_words.py DATA parser/mini/rules/data/learnt [LANG ...]

A dictionary does not know which of its translations is usual, and many languages have none here. A line of
``LANG.tsv.xz`` is a word, and the concepts of AMR that its sentences have for it, the largest share first; a
key with a hyphen stands for parts of words (`parser.mini.rules.dictionaries.keys`)::

    사망했습-<TAB>die:1
    여자-<TAB>woman:.9

**Text.** The pairs of `parser.training.corpora.parallel`, without those reserved for measuring
(`parser.training.corpora.leakage`).

**English side.** The concepts of a sentence whose graph BAMBOO or ``results/silver`` has. In others, each
English word is written as its concept in those graphs (*destruction*, ``destroy``), if one has at least
`SURE` of its alignments, or as its base form. Words without a concept of their own, as *the*, stay in the
sentence, so that their translations align to them.

**Alignment.** Model 1 of Brown et al. (1993) in both directions, `ALONE` rounds of EM for each alone and
`TOGETHER` rounds in which both count the product of their posteriors (Liang, Taskar and Klein 2006,
"Alignment by agreement"). The expected number of links of two words is the sum of the products.

**Shares.** p(e|f) is the number of links of two words, divided by the frequency of f. That of a word with
several keys is smoothed: that of its next key counts as `SMOOTHING` more occurrences, and so on. Concepts
with at least `LEAST` of the sum of all are written, at most `AT_MOST`. A word is left out if it is seen less
than `SEEN` times (and has no other key), if these concepts have less than `SINGLE` of its occurrences, or if
a word without a concept has more than any of them. Of the others, the `MOST` most frequent ones are written,
without those whose next key has the same concepts and shares.
"""

from __future__ import annotations

import lzma
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from function_words import FUNCTION_WORDS
from numpy.typing import NDArray

from amrx.records import atomic_path
from parser.mini.rules.dictionaries import WORD, dictionary_shares, keys
from parser.mini.rules.nouns import lemma
from parser.mini.translations import has_word
from parser.training.corpora.leakage import load_reserved
from parser.training.corpora.parallel import training_pairs
from parser.training.corpora.sembanks import bamboo_pairs
from parser.training.corpora.silver import read_silver, text_key

LANGS = ("ar", "cs", "hi", "hr", "hu", "ko", "ro", "tr", "uk")
OTHERS = ("de", "es", "fr", "it", "nl", "pl", "pt", "ru")
"""Languages whose English sentences are read, too."""
SILVER = Path(__file__).parents[1] / "results" / "silver" / "english.xz"
ALONE, TOGETHER = 4, 4
NULL = 0.1
"""Weight of the empty word, whose translations are distributed as all words are."""
FEWEST_LINKS = 0.05
"""Expected number of links below which two words are no translations."""
SURE, SEEN, SMOOTHING = 0.3, 3, 3.0
LEAST, SINGLE, AT_MOST, MOST = 0.12, 0.4, 4, 30_000
UNWORDED = "="
"""Mark of English words without a concept of their own."""
_UNWORDED = FUNCTION_WORDS | {"amr-unknown", "interrogative", "imperative", "truth-value"}
_TOKEN = re.compile(rf"{WORD.pattern}|\d+")
_ENGLISH = re.compile(r"[a-z]+(?:[-'][a-z]+)*|\d+")

Sentences = Sequence[Sequence[str]]
Shares = Mapping[str, float]
Row = tuple[str, Sequence[tuple[str, float]]]
"""A key, and its concepts with their shares."""


class Links(NamedTuple):
    """Expected links of words."""

    targets: Mapping[str, Shares]  # expected number of links of each word with each word of the other side
    frequency: Mapping[str, int]  # of each word, in the sentences that were aligned


class _Cells(NamedTuple):
    """All pairs of words of all pairs of sentences, ``C`` cells."""

    words: NDArray[np.int64]  # word of the source ``(C,)``
    others: NDArray[np.int64]  # word of the target ``(C,)``
    tokens: NDArray[np.int64]  # number of the source's token in the text ``(C,)``
    other_tokens: NDArray[np.int64]  # the same of the target's token ``(C,)``

    @classmethod
    def of(cls, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> _Cells:
        """Return the cells of numbered sentences."""
        columns: tuple[list[NDArray[np.int64]], ...] = ([], [], [], [])
        first = other_first = 0
        for source, target in zip(sources, targets, strict=True):
            rows, width = len(source), len(target)
            columns[0].append(np.repeat(np.array(source, dtype=np.int64), width))
            columns[1].append(np.tile(np.array(target, dtype=np.int64), rows))
            columns[2].append(np.repeat(np.arange(first, first + rows), width))
            columns[3].append(np.tile(np.arange(other_first, other_first + width), rows))
            if rows and width:
                first, other_first = first + rows, other_first + width
        return cls(*(np.concatenate(column) for column in columns))


def align(sources: Sentences, targets: Sentences) -> Links:
    """Return the expected links of two sides of a text; words that a side has once are left out.

    Example:
        >>> spanish = "la casa", "la flor", "una flor", "una casa"
        >>> english = "the house", "the flower", "a flower", "a house"
        >>> links = align(*([text.split() for text in side] for side in (spanish, english)))
        >>> {word: max(shares, key=shares.__getitem__) for word, shares in links.targets.items()}
        {'casa': 'house', 'flor': 'flower', 'la': 'the', 'una': 'a'}
    """
    names, other_names = _vocabulary(sources), _vocabulary(targets)
    cells = _Cells.of(*(
        [[known[word] for word in sentence if word in known] for sentence in side]
        for side, known in ((sources, names), (targets, other_names))
    ))  # fmt: skip
    pairs, cell_pairs = np.unique(cells.words * len(other_names) + cells.others, return_inverse=True)
    first, second = np.divmod(pairs, len(other_names))  # (P,)
    sides = (
        _Direction(cells.tokens, cells.words, second, cell_pairs),
        _Direction(cells.other_tokens, cells.others, first, cell_pairs),
    )
    for number in range(ALONE + TOGETHER):
        posteriors = [side.posteriors(NULL if number else 0.0) for side in sides]
        if number >= ALONE:
            posteriors = [posteriors[0] * posteriors[1]] * 2
        for side, posterior in zip(sides, posteriors, strict=True):
            side.count(posterior)
    links = np.bincount(cell_pairs, sides[0].posteriors(NULL) * sides[1].posteriors(NULL))
    words, others, result = [*names], [*other_names], defaultdict[str, dict[str, float]](dict)
    for word, other, count in zip(first.tolist(), second.tolist(), links.tolist(), strict=True):
        if count > FEWEST_LINKS:
            result[words[word]][others[other]] = count
    return Links(result, dict(zip(words, sides[0].frequency.tolist(), strict=True)))


def _vocabulary(sentences: Sentences) -> dict[str, int]:
    counts = Counter(word for sentence in sentences for word in sentence)
    return {word: number for number, word in enumerate(sorted(word for word, n in counts.items() if n > 1))}


class _Direction:
    """Model 1 in one direction: each token of a side is the translation of a word of the other."""

    def __init__(
        self,
        tokens: NDArray[np.int64],
        words: NDArray[np.int64],
        causes: NDArray[np.int64],
        cell_pairs: NDArray[np.int64],
    ) -> None:
        """Start with equal probabilities.

        Args:
            tokens: Number of the token of each cell ``(C,)``.
            words: Its word ``(C,)``.
            causes: Word of the other side of each pair of words ``(P,)``.
            cell_pairs: Pair of words of each cell ``(C,)``.
        """
        token_words = np.zeros(tokens.max() + 1, dtype=np.int64)
        token_words[tokens] = words
        self.frequency = np.bincount(token_words, minlength=words.max() + 1)
        self._null = self.frequency[token_words] / len(token_words)
        self._tokens, self._causes, self._pairs = tokens, causes, cell_pairs
        self._probabilities = np.ones(len(causes))

    def posteriors(self, null: float) -> NDArray[np.float64]:
        """Return the probability of the link of each cell ``(C,)``."""
        weights = self._probabilities[self._pairs]
        total = np.bincount(self._tokens, weights) + null * self._null
        return weights / total[self._tokens]

    def count(self, posteriors: NDArray[np.float64]) -> None:
        """Set the probabilities of words to the relative frequencies of their links."""
        counts = np.bincount(self._pairs, posteriors, minlength=len(self._causes))
        total = np.maximum(np.bincount(self._causes, counts), 1e-12)
        self._probabilities = counts / total[self._causes]


class English:
    """Write English sentences as concepts."""

    def __init__(self, graphs: Mapping[str, Sequence[str]]) -> None:
        """Learn the concept of each word from the concepts of sentences."""
        self._graphs = graphs
        links = align([_ENGLISH.findall(text.lower()) for text in graphs], list(graphs.values()))
        known = dictionary_shares("en")
        concepts = {concept for graph in graphs.values() for concept in graph}
        self._concepts = {
            word: next((base for base in shares if base in concepts), next(iter(shares)))
            for word, shares in known.items()
        }
        for word, counts in links.targets.items():
            count, concept = max((count, concept) for concept, count in counts.items())
            if links.frequency[word] >= SEEN and count >= SURE * links.frequency[word]:
                self._concepts[word] = concept
        for word in [word for word, concept in self._concepts.items() if concept in _UNWORDED]:
            del self._concepts[word]

    @classmethod
    def load(cls, data: Path, reserved: Container[str], texts: Iterable[str]) -> English:
        """Read the graphs of BAMBOO, and the silver ones of ``texts``."""
        graphs = {}
        for name in ("sts", "sick", "para"):
            for pair in bamboo_pairs(data / "amr" / "bamboo" / name, "train"):
                for entry in (pair.source, pair.target):
                    if entry.snt not in reserved:
                        nodes = (str(concept) for _, _, concept in entry.graph.instances())
                        graphs[entry.snt] = [lemma(node) for node in nodes if has_word(node)]
        silver = read_silver(SILVER)
        for text in texts:
            symbols = silver.get(text_key(text))
            if symbols and text not in graphs:
                graphs[text] = [lemma(one) for one in symbols if one[0] not in ':<"' and has_word(one)]
        return cls(graphs)

    def words(self, text: str) -> list[str]:
        """Return the concepts of a sentence, and its words without a concept, marked by `UNWORDED`."""
        words = [word.removesuffix("'s") for word in _ENGLISH.findall(text.lower())]
        written = [self._concepts.get(word, UNWORDED + word) for word in words]
        if text in self._graphs:
            concepts = (one for one in self._graphs[text] if one not in _UNWORDED)
            return [*concepts, *(word for word in written if word.startswith(UNWORDED))]
        return written


def learn(english: Sentences, texts: Sequence[str], lang: str) -> list[Row]:
    """Return the `MOST` most frequent keys of a language, each with its concepts and their shares.

    Args:
        english: Concepts of the English sentences (`English.words`).
        texts: Their translations.
        lang: Language of the translations.
    """
    sentences = [[match[0] for match in _TOKEN.finditer(text.lower())] for text in texts]
    words = {word: keys(word, lang) for sentence in sentences for word in sentence}
    chains = {chain[place]: chain[place:] for chain in words.values() for place in range(len(chain))}
    links = dict[str, tuple[Shares, int]]()
    for level in range(max(map(len, words.values()))):
        tokens = [[words[word][-1 - level :][0] for word in sentence] for sentence in sentences]
        targets, frequency = align(tokens, english)
        links |= {key: (targets.get(key, {}), n) for key, n in frequency.items() if key not in links}
    rows = list[Row]()
    for key in sorted(links, key=lambda key: (-links[key][1], key)):
        levels = [links[one] for one in reversed(chains[key]) if one in links]
        if links[key][1] >= SEEN or (len(levels) > 1 and not key.endswith("-")):
            shares = concept_shares(smoothed(levels))
            if shares:
                rows.append((key, shares))
    return sorted(rows[:MOST])


def smoothed(levels: Iterable[tuple[Shares, int]]) -> Shares:
    """Return p(e|f) by the counts of the keys of a word, the most general one first."""
    result: dict[str, float] = {}
    for counts, number in levels:
        weight = SMOOTHING if result else 0.0
        result = {
            one: (counts.get(one, 0.0) + weight * result.get(one, 0.0)) / (number + weight)
            for one in counts.keys() | result.keys()
        }
    return result


def concept_shares(probabilities: Shares) -> list[tuple[str, float]]:
    """Return the concepts to write and their shares, the largest first; none if they are unsure."""
    concepts = {one: p for one, p in probabilities.items() if not one.startswith(UNWORDED)}
    total = sum(concepts[one] for one in sorted(concepts))
    kept = {one: p for one, p in concepts.items() if p >= LEAST * total}
    best = sorted(kept, key=lambda one: (-kept[one], one))[:AT_MOST]
    others = (p for one, p in probabilities.items() if one.startswith(UNWORDED))
    if not best or max(others, default=0.0) > kept[best[0]] or sum(kept[one] for one in best) < SINGLE:
        return []
    return [(one, kept[one] / total) for one in best]


def write(output: Path, lang: str, rows: Iterable[Row]) -> None:
    """Write the file of a language; print its number of keys."""
    lines = without_repetitions({key: _columns(shares) for key, shares in rows}, lang)
    text = "".join(f"{key}\t{columns}\n" for key, columns in lines.items())
    with atomic_path(output / f"{lang}.tsv.xz") as path:
        path.write_bytes(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))
    print(f"{lang}: {len(lines)} keys", flush=True)


def _columns(shares: Sequence[tuple[str, float]]) -> str:
    columns = "\t".join(f"{one}:{share:.1f}" for one, share in shares)
    return columns.replace(":1.0", ":1").replace(":0.", ":.")


def without_repetitions(lines: Mapping[str, str], lang: str) -> dict[str, str]:
    """Return the lines of keys that differ from the line of the next key.

    Example:
        >>> without_repetitions({"여자-": "woman:1", "여자가": "woman:1", "여자는": "girl:1"}, "ko")
        {'여자-': 'woman:1', '여자는': 'girl:1'}
    """

    def next_line(key: str) -> str | None:
        chain = keys(key.removesuffix("-"), lang)
        more = chain[chain.index(key) + 1 :] if key in chain else ()
        return next((lines[one] for one in more if one in lines), None)

    return {key: line for key, line in lines.items() if line != next_line(key)}


def main(data: str, output: str, *langs: str) -> None:
    """Write the files of all languages, or of the given ones."""
    reserved = load_reserved(Path(data))
    pairs = {lang: list(training_pairs(Path(data), [lang], reserved)) for lang in (*LANGS, *OTHERS)}
    texts = sorted({pair.english for some in pairs.values() for pair in some})
    english = English.load(Path(data), reserved, texts)
    for lang in langs or LANGS:
        rows = learn(
            [english.words(pair.english) for pair in pairs[lang]], [p.foreign for p in pairs[lang]], lang
        )
        write(Path(output), lang, rows)


if __name__ == "__main__":
    main(*sys.argv[1:])
