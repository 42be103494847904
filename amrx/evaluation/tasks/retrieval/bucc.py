"""BUCC 2018: find the few translations in two texts that are not parallel."""

from __future__ import annotations

import lzma
import tarfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from amrx.errors import InputError
from amrx.evaluation.data_folders import Data
from amrx.evaluation.neighbours.by_faiss import load_faiss, nearest_of_many
from amrx.evaluation.neighbours.mining import Floats, Mined, by_cosine, by_margin
from amrx.evaluation.results.means import group_means
from amrx.evaluation.results.rows import Row, Scored, Skipped
from amrx.evaluation.tasks.task import Column, Described
from amrx.records.files import BYTE_ORDER_MARK, require_file
from amrx.types import Vectors


class Threshold(NamedTuple):
    """The lowest score that is still taken for a translation, and F1 with it, 0-100."""

    score: float
    f1: float


def best_threshold(scores: Floats, right: npt.NDArray[np.bool_], gold: int) -> Threshold:
    """Return the threshold with the best F1; pairs of one score are taken or left together.

    ``F1 = 2 right / (taken + gold)``, which is the harmonic mean of precision and recall.

    Args:
        scores: ``(n,)``, never rising, ``n >= 1``.
        right: ``(n,)``, whether the pair is a translation.
        gold: How many translations there are, found or not.

    Example:
        >>> best_threshold(np.array([0.9, 0.8, 0.7]), np.array([True, False, True]), gold=2)
        Threshold(score=0.7, f1=80.0)
    """
    taken = np.arange(1, len(scores) + 1)
    f1 = 200 * np.cumsum(right) / (taken + gold)
    last_of_score = np.append(scores[1:] != scores[:-1], True)
    best = int(np.argmax(np.where(last_of_score, f1, -1.0)))
    return Threshold(float(scores[best]), float(f1[best]))


_NEIGHBOURS = 4
COSINE, MARGIN = "F1, cosine", f"F1, margin k={_NEIGHBOURS}"


@dataclass(frozen=True, slots=True)
class BuccPair:
    """One archive: a foreign and an English text and which of their sentences translate each other.

    Attributes:
        language: ISO 639-1 code of the foreign side.
        foreign: How many sentences it has, ``None`` if that is not checked.
        english: How many there are in English.
        gold: How many pairs.
    """

    language: str
    foreign: int | None = None
    english: int | None = None
    gold: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuccTask(Described):
    """Mining of translations; see `amrx.evaluation.tasks.task.Task`.

    Attributes:
        pairs: Its archives, in the order of the tables.
        file: Path of an archive below the data folder; ``{0}`` is the language.
        member: Path in it; ``{1}`` is the side or ``gold``.
    """

    pairs: tuple[BuccPair, ...]
    file: str
    member: str
    group: str = "retrieval"

    @property
    def shown(self) -> tuple[str, ...]:
        """Both ways to score a pair."""
        return COSINE, MARGIN

    def load(self, data: Data) -> tuple[list[BuccPart], list[Skipped]]:
        """Read and check every archive that is there.

        Raises:
            InputError: No archive, no such member, a wrong row, or more or fewer rows than the pair says.
            MissingResourceError: faiss, which searches, is not installed.
        """
        there, skipped = [], []
        for pair in self.pairs:
            file = data / self.file.format(pair.language)
            if file.is_file():
                load_faiss()  # said now, not after an hour of encoding
                there.append(self._part(file, pair))
            else:
                skipped.append(Skipped(self.name, pair.language, file, self.fetch))
        return there, skipped

    def _part(self, file: Path, pair: BuccPair) -> BuccPart:
        sides = []
        for side, count in ((pair.language, pair.foreign), ("en", pair.english), ("gold", pair.gold)):
            member = self.member.format(pair.language, side)
            rows = list(read_member(file, member))
            if count is not None and len(rows) != count:
                message = f"{len(rows)} rows, not the {count} of {self.name}"
                raise InputError(message, file=f"{file}:{member}")
            sides.append(rows)
        foreign, english, gold = sides
        members = [self.member.format(pair.language, side) for side in (pair.language, "en", "gold")]
        places = [_places(rows, f"{file}:{name}") for rows, name in zip(sides[:2], members, strict=False)]
        pairs = frozenset(_gold(gold, places[0], places[1], f"{file}:{members[2]}"))
        return BuccPart(self, pair, tuple(row[1] for row in foreign), tuple(row[1] for row in english), pairs)

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the languages."""
        return group_means(scores, [("all", [pair.language for pair in self.pairs])])


def read_member(file: Path, member: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of a file of two columns in a tar archive.

    Raises:
        InputError: Archive and member, line and column of what is wrong.
    """
    place = f"{file}:{member}"
    for line, text in enumerate(_bytes(file, member).removesuffix(b"\n").split(b"\n"), start=1):
        try:
            columns = text.decode("utf-8").rstrip("\r").split("\t")
        except UnicodeDecodeError as error:
            message = f"is not UTF-8 (byte 0x{error.object[error.start]:02x})"
            raise InputError(message, file=place, line=line) from None
        if len(columns) != 2:
            field = f"column {min(len(columns), 2) + 1}"  # the first that is missing, or too many
            raise InputError(f"{len(columns)} columns, not 2", file=place, line=line, field=field)
        for number, column in enumerate(columns, start=1):
            if not column.strip():
                raise InputError("is empty", file=place, line=line, field=f"column {number}")
        yield columns[0], columns[1]


def _bytes(file: Path, member: str) -> bytes:
    """Return what a member of an archive holds, without a byte order mark."""
    require_file(file)
    place = f"{file}:{member}"
    try:
        with tarfile.open(file) as archive:
            stream = archive.extractfile(member)
            if stream is None:
                raise InputError("is no file", file=place)
            raw = stream.read().removeprefix(BYTE_ORDER_MARK)
    except KeyError:
        raise InputError(f"has no member {member!r}", file=file) from None
    except RecursionError:
        raise InputError("is a link that leads to itself", file=place) from None
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        reason = str(error).partition("\n")[0].rstrip(":")  # tarfile adds a line for each packing it tried
        raise InputError(f"is no whole tar archive: {reason}", file=file) from None
    if not raw:
        raise InputError("is empty", file=place)
    return raw


def _places(rows: Sequence[tuple[str, str]], file: str) -> dict[str, int]:
    places: dict[str, int] = {}
    for place, (name, _) in enumerate(rows):
        if places.setdefault(name, place) != place:
            message = f"{name!r} stands in line {places[name] + 1} already"
            raise InputError(message, file=file, line=place + 1, field="column 1")
    return places


def _gold(
    rows: Sequence[tuple[str, str]], first: Mapping[str, int], second: Mapping[str, int], file: str
) -> Iterator[tuple[int, int]]:
    for line, names in enumerate(rows, start=1):
        for number, (name, known) in enumerate(zip(names, (first, second), strict=True), start=1):
            if name not in known:
                raise InputError(f"no sentence {name!r}", file=file, line=line, field=f"column {number}")
        yield first[names[0]], second[names[1]]


@dataclass(frozen=True, slots=True)
class BuccPart:
    """The sentences of both sides and which of them translate each other, by row."""

    task: BuccTask
    pair: BuccPair
    foreign: tuple[str, ...]
    english: tuple[str, ...]
    gold: frozenset[tuple[int, int]]

    def columns(self) -> tuple[Column, Column]:
        """Return both sides."""
        return Column(self.foreign, self.pair.language), Column(self.english, "en")

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return F1 at its best threshold, for both ways to score a pair; an item is a foreign sentence."""
        foreign, english = vectors[0], vectors[1]
        there = nearest_of_many(foreign, english, _NEIGHBOURS)
        back = nearest_of_many(english, foreign, _NEIGHBOURS)
        mined = ((COSINE, by_cosine(there, back)), (MARGIN, by_margin(there, back)))
        return [self._scored(label, metric, pairs) for metric, pairs in mined]

    def _scored(self, label: str, metric: str, mined: Mined) -> Scored:
        pairs = zip(mined.first.tolist(), mined.second.tolist(), strict=True)
        right = np.array([pair in self.gold for pair in pairs])
        best = best_threshold(mined.scores, right, len(self.gold))
        taken = mined.scores >= best.score
        gold = np.array([first for first, _ in self.gold], dtype=np.intp)
        sides = (mined.first[taken & right], mined.first[taken], gold)
        counts = [np.bincount(side, minlength=len(self.foreign)) for side in sides]
        row = Row(label, self.task.name, self.pair.language, metric, best.f1, len(self.gold))
        return Scored(row, np.column_stack(counts).astype(np.float64))


BUCC = BuccTask(
    name="bucc",
    pairs=tuple(BuccPair(code) for code in ("de", "fr", "ru", "zh")),
    file="retrieval/bucc/bucc2018-{0}-en.training-gold.tar.bz2",
    member="bucc2018/{0}-en/{0}-en.training.{1}",
    note="BUCC 2018 (Zweigenbaum et al. 2018), the training part, because the test part has no public "
    "gold pairs; the threshold is fitted on it, so F1 is the best that any threshold gives",
    fetch="https://comparable.limsi.fr/bucc2018, bucc2018-XX-en.training-gold.tar.bz2 as retrieval/bucc",
)
BUCC_SAMPLE = BuccTask(
    name="bucc-sample",
    pairs=(
        BuccPair("de", 32_593, 40_354, 1038),
        BuccPair("fr", 21_497, 38_069, 929),
        BuccPair("zh", 8624, 13_589, 257),
    ),
    file="retrieval/bucc/bucc2018-{0}-en.sample-gold.tar.bz2",
    member="bucc2018/{0}-en/{0}-en.sample.{1}",
    note="BUCC 2018 sample (Zweigenbaum et al. 2018); the threshold is fitted on the sample itself, so F1 is "
    "the best that any threshold gives",
    fetch="https://comparable.limsi.fr/bucc2018, bucc2018-XX-en.sample-gold.tar.bz2 as retrieval/bucc",
)
