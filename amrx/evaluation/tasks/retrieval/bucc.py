"""BUCC 2018: mine the few translations in two texts that are not parallel."""

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
from amrx.evaluation.data_folders import Data, check_count, check_text
from amrx.evaluation.neighbours.mining import Floats, Mined, by_cosine, by_margin, by_nearest
from amrx.evaluation.neighbours.nearest import load_faiss, nearest_of_many
from amrx.evaluation.results.published import table_rows
from amrx.evaluation.results.rows import Row, Scored, Skipped, group_means
from amrx.evaluation.tasks.task import Column, Described
from amrx.records.files import BYTE_ORDER_MARK, require_file
from amrx.types import Vectors


class Threshold(NamedTuple):
    """The lowest score accepted as a translation, and the F1 it gives, 0-100."""

    score: float
    f1: float


def best_threshold(scores: Floats, right: npt.NDArray[np.bool_], gold: int) -> Threshold:
    """Return the threshold with the best F1; pairs with equal scores are accepted or rejected together.

    ``F1 = 2 right / (taken + gold)``, which is the harmonic mean of precision and recall.

    Scores ``(n,)``, ``n >= 1``, are in descending order; ``right`` marks translations, ``gold`` counts all.

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
NEAREST = "F1, nearest English"
"""By cosine as in VMSST (section 6.2): the best English sentence for each foreign one."""


@dataclass(frozen=True, slots=True)
class BuccPair:
    """One archive: a foreign and an English text, and the pairs of translations among their sentences."""

    language: str  # ISO 639-1 code of the foreign side
    foreign: int | None = None  # number of foreign sentences, ``None`` if it is not checked
    english: int | None = None  # number of English sentences
    gold: int | None = None  # number of pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class BuccTask(Described):
    """Mining of translations; see `amrx.evaluation.tasks.task.Task`."""

    pairs: tuple[BuccPair, ...]  # its archives, in table order
    file: str  # path of an archive below the data folder; ``{0}`` is the language
    member: str  # path within the archive; ``{1}`` is the side or ``gold``
    group: str = "retrieval"
    shown: tuple[str, ...] = (COSINE, MARGIN, NEAREST)

    def load(self, data: Data) -> tuple[list[BuccPart], list[Skipped]]:
        """Read and check every archive that exists."""
        loaded, skipped = [], []
        for pair in self.pairs:
            file = data / self.file.format(pair.language)
            if file.is_file():
                load_faiss()  # fail now, not after an hour of encoding
                loaded.append(self._part(file, pair))
            else:
                skipped.append(Skipped(self.name, pair.language, file, self.fetch))
        return loaded, skipped

    def _part(self, file: Path, pair: BuccPair) -> BuccPart:
        sides = []
        for side, count in ((pair.language, pair.foreign), ("en", pair.english), ("gold", pair.gold)):
            member = self.member.format(pair.language, side)
            rows = list(read_member(file, member))
            if count is not None:
                check_count(len(rows), count, "rows", self.name, f"{file}:{member}")
            sides.append(rows)
        foreign, english, gold = sides
        members = [self.member.format(pair.language, side) for side in (pair.language, "en", "gold")]
        indices = [_indices(rows, f"{file}:{name}") for rows, name in zip(sides[:2], members, strict=False)]
        pairs = frozenset(_gold(gold, indices[0], indices[1], f"{file}:{members[2]}"))
        return BuccPart(self, pair, tuple(row[1] for row in foreign), tuple(row[1] for row in english), pairs)

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the languages."""
        return group_means(scores, [("all", [pair.language for pair in self.pairs])])


def read_member(file: Path, member: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of a two-column file in a tar archive."""
    path = f"{file}:{member}"
    for line, text in enumerate(_bytes(file, member).removesuffix(b"\n").split(b"\n"), start=1):
        try:
            columns = text.decode("utf-8").rstrip("\r").split("\t")
        except UnicodeDecodeError as error:
            message = f"is not UTF-8 (byte 0x{error.object[error.start]:02x})"
            raise InputError(message, file=path, line=line) from None
        if len(columns) != 2:
            field = f"column {min(len(columns), 2) + 1}"  # the first missing or surplus column
            message = f"row must have 2 columns, got {len(columns)}"
            raise InputError(message, file=path, line=line, field=field)
        for number, column in enumerate(columns, start=1):
            check_text(column, path, line, f"column {number}")
        yield columns[0], columns[1]


def _bytes(file: Path, member: str) -> bytes:
    """Return the content of a member of an archive, without a byte order mark."""
    require_file(file)
    path = f"{file}:{member}"
    try:
        with tarfile.open(file) as archive:
            stream = archive.extractfile(member)
            if stream is None:
                raise InputError("is not a file", file=path)
            raw = stream.read().removeprefix(BYTE_ORDER_MARK)
    except KeyError:
        raise InputError(f"has no member {member!r}", file=file) from None
    except RecursionError:
        raise InputError("is a link to itself", file=path) from None
    except (tarfile.TarError, EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        reason = str(error).partition("\n")[0].rstrip(":")  # tarfile adds a line per compression it tried
        raise InputError(f"is not a complete tar archive: {reason}", file=file) from None
    if not raw:
        raise InputError("is empty", file=path)
    return raw


def _indices(rows: Sequence[tuple[str, str]], file: str) -> dict[str, int]:
    indices: dict[str, int] = {}
    for index, (name, _) in enumerate(rows):
        if indices.setdefault(name, index) != index:
            message = f"duplicate {name!r}, first in line {indices[name] + 1}"
            raise InputError(message, file=file, line=index + 1, field="column 1")
    return indices


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
    """The sentences of both sides, and the pairs of translations by row."""

    task: BuccTask
    pair: BuccPair
    foreign: tuple[str, ...]
    english: tuple[str, ...]
    gold: frozenset[tuple[int, int]]

    def columns(self) -> tuple[Column, Column]:
        """Return both sides."""
        return Column(self.foreign, self.pair.language), Column(self.english, "en")

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return the best F1 over thresholds, for each score of a pair; an item is a foreign sentence."""
        foreign, english = vectors[0], vectors[1]
        forward = nearest_of_many(foreign, english, _NEIGHBOURS)
        backward = nearest_of_many(english, foreign, _NEIGHBOURS)
        mined = {
            COSINE: by_cosine(forward, backward),
            MARGIN: by_margin(forward, backward),
            NEAREST: by_nearest(forward),
        }
        return [self._scored(label, metric, pairs) for metric, pairs in mined.items()]

    def _scored(self, label: str, metric: str, mined: Mined) -> Scored:
        pairs = zip(mined.first.tolist(), mined.second.tolist(), strict=True)
        right = np.array([pair in self.gold for pair in pairs])
        best = best_threshold(mined.scores, right, len(self.gold))
        accepted = mined.scores >= best.score
        gold = np.array([first for first, _ in self.gold], dtype=np.intp)
        sides = (mined.first[accepted & right], mined.first[accepted], gold)
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
    published=table_rows("wieting-2023-table-13-cosine", NEAREST)
    + table_rows("wieting-2023-table-13-margin", MARGIN)
    + table_rows("wieting-2023-table-5", MARGIN),
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
