"""Collect the English sentences that a parser labels with silver graphs, which the mini parser learns from.

::

    parallel text, NLI, PropBank's examples -> English sentences
"""

from collections import Counter
from collections.abc import Container, Iterator
from itertools import islice
from pathlib import Path

from parser.training.corpora.lines import read_columns
from parser.training.corpora.parallel import SOURCES, training_pairs
from parser.training.corpora.propbank import predicates
from parser.training.corpora.silver import text_key

MOST_WORDS = 40
"""Longer sentences are not labelled: their graphs are rarely right."""
MOST_TEXTS = 20_000
"""Maximum number of sentences per corpus; those with translations into the most languages are first."""


def english_texts(data: Path, reserved: Container[str]) -> Iterator[str]:
    """Yield the distinct English sentences to label, without reserved and long ones."""
    seen: set[str] = set()
    for text in _texts(data, reserved):
        if text not in seen and _is_short(text) and text not in reserved:
            seen.add(text)
            yield text


def _is_short(text: str) -> bool:
    return 0 < len(text.split()) <= MOST_WORDS


def _texts(data: Path, reserved: Container[str]) -> Iterator[str]:
    for name in SOURCES:
        if name != "stsb":  # has graphs already
            pairs = training_pairs(data, SOURCES[name].langs, reserved, [name])
            languages = Counter(pair.english for pair in pairs if _is_short(pair.english))
            # ties are ordered by hash, so that no language's file is preferred
            yield from sorted(languages, key=lambda text: (-languages[text], text_key(text)))[:MOST_TEXTS]
    rows = read_columns(data / "nli" / "snli" / "train-20k.tsv", 3)
    yield from islice(
        (text for premise, hypothesis, *_ in rows for text in (premise, hypothesis)), MOST_TEXTS
    )
    for example in predicates(data):
        yield example.text
