"""Read English sentences with translations, from all open sources allowed for training.

Each reader yields every row of its files unchanged; `sane` drops rows that cannot be translations, and
`training_pairs` chains all of them, without implausible and reserved pairs
(`parser.training.corpora.leakage`).
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from amrx.errors import InputError
from amrx.evaluation.tasks.scored_pairs import read_csv
from parser.training.corpora.lines import normal_form, read_columns, read_lines

# English letters per letter of the language, measured on FLORES dev; 1 if not listed
DENSITY = {"zh": 2.8, "ja": 2.0, "ko": 2.2, "gu": 1.7}


class Pair(NamedTuple):
    """An English sentence, its translation, the language of the translation, and the source of both."""

    english: str
    foreign: str
    lang: str
    source: str


@dataclass(frozen=True, slots=True)
class Aligned:
    """Files of one language each, parallel to an English file row by row."""

    source: str  # its name in the pairs
    english: str  # path below the data folder
    foreign: str  # path of the translations, ``{}`` is the language
    read: Callable[[Path], Iterable[str]] = read_lines  # yields the rows of a file

    def __call__(self, data: Path, langs: Sequence[str]) -> Iterator[Pair]:
        """Yield the rows; raise after the last one if a side is longer."""
        for lang in langs:
            path = data / self.foreign.format(lang)
            try:
                for english, foreign in zip(self.read(data / self.english), self.read(path), strict=True):
                    yield Pair(english, foreign, lang, self.source)
            except InputError:
                raise
            except ValueError as error:
                raise InputError(
                    f"must have as many rows as its English side ({error})", file=path
                ) from error


def wmt_mt(data: Path, langs: Sequence[str]) -> Iterator[Pair]:
    """Yield English news with a machine translation."""
    for lang in langs:
        for columns in read_columns(data / "parallel" / "wmt-mt" / f"en-{lang}.tsv.gz", 2):
            yield Pair(columns[0], columns[1], lang, "wmt-mt")


def tatoeba(data: Path, langs: Sequence[str]) -> Iterator[Pair]:
    """Yield everyday sentences; the header of column numbers in the German file is skipped."""
    for lang in langs:
        for columns in read_columns(data / "parallel" / "tatoeba" / f"en-{lang}.tsv.gz", 2):
            if columns != ("1", "2"):
                yield Pair(columns[0], columns[1], lang, "tatoeba")


def stsb_sentences(path: Path) -> Iterator[str]:
    """Yield both sentences of every row of an STS-B file."""
    for pair in read_csv(path):
        yield from pair[:2]


def _first_two(path: Path) -> Iterator[str]:
    for columns in read_columns(path, 3):
        yield from columns[:2]


def xnli_sentences(path: Path, half: str) -> Iterator[str]:
    """Yield premise and three hypotheses of every triple of rows in one half of an XNLI dev file.

    ``train`` is the first half, ``held-out`` the second; no premise is in both.
    """
    rows = list(read_columns(path, 3))
    middle = len(rows) // 6 * 3
    part = {"train": rows[:middle], "held-out": rows[middle:]}[half]
    for start in range(0, len(part), 3):
        yield part[start][0]
        yield from (row[1] for row in part[start : start + 3])


def qe(data: Path, langs: Sequence[str]) -> Iterator[Pair]:
    """Yield source and translation of the MLQE-PE training sets with one English side."""
    for lang in langs:
        for name, english_first in ((f"en-{lang}", True), (f"{lang}-en", False)):
            path = data / "qe" / name / "train.tsv.gz"
            if path.exists():
                for first, second, *_ in read_columns(path, 3):
                    english, foreign = (first, second) if english_first else (second, first)
                    yield Pair(english, foreign, lang, "qe")


stsb = Aligned("stsb", "sts/stsb/en/train.csv", "sts/stsb/{}/train.csv", stsb_sentences)
"""Both sentences of every STS-B row with their machine translation."""
_CAPTIONS = "parallel/multi30k/train.en.gz"
multi30k = Aligned("multi30k", _CAPTIONS, "parallel/multi30k/train.{}.gz")
"""The image captions for training."""
multi30k_mt = Aligned("multi30k-mt", _CAPTIONS, "parallel/multi30k/mt/train.{}.gz")
"""The training captions with a machine translation."""
ntrex = Aligned("ntrex", "parallel/ntrex/train.en.gz", "parallel/ntrex/train.{}.gz")
"""News sentences translated by people."""
pawsx = Aligned("pawsx", "transfer/PAWSX/dev-en.tsv", "transfer/PAWSX/dev-{}.tsv", _first_two)
"""Both sentences of PAWS-X dev with their translation by people."""
xnli = Aligned(
    "xnli", "transfer/XNLI/dev-en.tsv", "transfer/XNLI/dev-{}.tsv", lambda path: xnli_sentences(path, "train")
)
"""Premise (once) and hypotheses of the first half of XNLI dev."""


@dataclass(frozen=True, slots=True)
class Source:
    """A reader and its languages besides English."""

    read: Callable[[Path, Sequence[str]], Iterator[Pair]]
    langs: tuple[str, ...]


SOURCES = {
    "stsb": Source(stsb, ("de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh")),
    "wmt-mt": Source(
        wmt_mt,
        ("ar", "cs", "de", "es", "et", "fi", "fr", "gu", "hi", "hr", "hu", "is", "it", "ja", "ko", "lt")
        + ("lv", "pl", "ro", "ru", "ta", "tr", "uk", "zh"),
    ),
    "tatoeba": Source(tatoeba, ("ar", "de", "tr", "zh")),
    "multi30k": Source(multi30k, ("cs", "de", "fr")),
    "multi30k-mt": Source(multi30k_mt, ("ar", "es", "uk", "zh")),
    "ntrex": Source(
        ntrex,
        ("af", "ar", "be", "bg", "bn", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fa", "fi", "fr")
        + ("he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "kk", "ko", "lt", "lv", "mk", "ml")
        + ("mr", "ms", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "sw", "ta", "te")
        + ("th", "tl", "tr", "uk", "ur", "uz", "vi", "zh"),
    ),
    "pawsx": Source(pawsx, ("de", "es", "fr", "ja", "ko", "zh")),
    "xnli": Source(
        xnli, ("ar", "bg", "de", "el", "es", "fr", "hi", "ru", "sw", "th", "tr", "ur", "vi", "zh")
    ),
    "qe": Source(qe, ("de", "zh", "ru", "ro", "et", "ne", "si")),
}


def is_sane(pair: Pair) -> bool:
    """Return whether a pair can be a translation.

    Both sides have letters and differ, and neither is longer than 2.2 times the other plus 12 letters,
    corrected for dense scripts.

    Example:
        >>> is_sane(Pair("I want to go.", "Ich will gehen.", "de", "any"))
        True
        >>> is_sane(Pair("Tom!", "Tom.", "de", "any"))
        False
    """
    english, foreign = normal_form(pair.english), normal_form(pair.foreign)
    if not english or not foreign or english == foreign:
        return False
    short, long = sorted((float(len(english)), len(foreign) * DENSITY.get(pair.lang, 1.0)))
    return long <= 2.2 * short + 12


def sane(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield the pairs that can be translations, without duplicates."""
    seen = set()
    for pair in pairs:
        key = hash((pair.english, pair.foreign))
        if key not in seen and is_sane(pair):
            seen.add(key)
            yield pair


def training_pairs(
    data: Path, langs: Sequence[str], reserved: Container[str], sources: Sequence[str] = tuple(SOURCES)
) -> Iterator[Pair]:
    """Chain all sources for ``langs``, without implausible, repeated and reserved pairs."""
    for name in sources:
        source = SOURCES[name]
        pairs = source.read(data, [lang for lang in source.langs if lang in langs])
        yield from (
            pair for pair in sane(pairs) if pair.english not in reserved and pair.foreign not in reserved
        )
