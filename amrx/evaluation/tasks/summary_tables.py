"""The summaries: which tasks they have, and what of each stands in their tables.

``xrete-zero-shot`` is Table 2 of Emma-X (Guo et al. 2023): similarity and retrieval by cosine, nothing
fitted. ``xrete`` has its twelve tasks. Table 1 is of models fine-tuned on English and its translations
("translate-train-all"), for which there is no command here: where the paper fine-tunes, a probe is fitted
on frozen vectors, each column says so, and no row of Table 1 is beside it.

::

    rows of the tasks ──Piece: task, metrics, mean──> one value per column ──all whole?──> their mean

A summary is asked for like a task, ``--tasks xrete``: its tasks run, and its own rows are made of theirs. A
column that is the mean over a part of its task's languages says so behind its name, ``(2 of 15)``, and counts
as missing where all columns are asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from amrx.evaluation.data_folders import Data
from amrx.evaluation.metrics import MEAN_PEARSON
from amrx.evaluation.results.means import PART
from amrx.evaluation.results.published import Published
from amrx.evaluation.results.rows import Row, Scored, Skipped
from amrx.evaluation.tasks.quality import QE, QE_PROBE
from amrx.evaluation.tasks.retrieval.bucc import BUCC, BUCC_SAMPLE, COSINE, MARGIN
from amrx.evaluation.tasks.retrieval.lareqa import LAREQA
from amrx.evaluation.tasks.retrieval.mewsli import MEWSLI_X
from amrx.evaluation.tasks.retrieval.questions import ACCURACY, MKQA, NQ
from amrx.evaluation.tasks.retrieval.tatoeba import FROM_ENGLISH, TATOEBA, TO_ENGLISH
from amrx.evaluation.tasks.sts import STS17
from amrx.evaluation.tasks.sts_2012_to_2016 import STS_YEARS
from amrx.evaluation.tasks.task import AnyPart, Described, Task
from amrx.evaluation.tasks.transfer.americas import ANLI
from amrx.evaluation.tasks.transfer.eurlex import EURLEX
from amrx.evaluation.tasks.transfer.tasks import MARC, PAWSX, XNLI
from amrx.evaluation.tasks.transfer.xcopa import XCOPA

VALUE = "value"


@dataclass(frozen=True, slots=True)
class Piece:
    """One column.

    Attributes:
        name: Its name, which tells metric and protocol.
        task: The task it comes from.
        metrics: Beginnings of the metrics that are averaged.
        mean: Beginning of the name that `Task.means` gives the mean over languages; of several the first.
        languages: These languages are averaged instead, where there are some; each must be there.
    """

    name: str
    task: str
    metrics: tuple[str, ...]
    mean: str = "mean, all"
    languages: tuple[str, ...] = ()

    def row(self, label: str, summary: str, task: Task, rows: Sequence[Row]) -> Row | None:
        """Return the row of one encoder's rows, ``None`` without them; its items are those of its mean."""
        values, count, parts = [], 0, list[str]()
        for metric in self.metrics:
            there = {
                row.language: row for row in rows if row.task == task.name and row.metric.startswith(metric)
            }
            scores = {language: row.value for language, row in there.items()}
            found = self._mean(task, scores)
            if found is None:
                return None
            name, value = found
            values.append(value)
            parts += PART.findall(name)
            count += sum(row.n for language, row in there.items() if self._has(task, language))
        column = f"{self.name} ({parts[0]})" if parts else self.name
        return Row(label, summary, column, VALUE, sum(values) / len(values), count)

    def _has(self, task: Task, language: str) -> bool:
        """Tell whether the mean runs over a language: it does if it can be made of that one alone."""
        alone = {language: 0.0}
        return language in self.languages if self.languages else self._mean(task, alone) is not None

    def _mean(self, task: Task, scores: Mapping[str, float]) -> tuple[str, float] | None:
        """Return the name and the value of the mean that the column shows."""
        if self.languages:
            if not set(self.languages) <= set(scores):
                return None
            return self.name, sum(scores[language] for language in self.languages) / len(self.languages)
        means = (found for found in task.means(scores).items() if found[0].startswith(self.mean))
        return next(means, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Described):
    """A table of other tasks' values; see `amrx.evaluation.tasks.task.Task`.

    Attributes:
        tasks: The tasks, in the order they run.
        pieces: The columns.
        score: Name of the mean of all columns; ``None`` where columns are of different kinds.
    """

    tasks: tuple[Task, ...]
    pieces: tuple[Piece, ...]
    score: str | None = None
    group: str = "summary"

    @property
    def shown(self) -> tuple[str, ...]:
        """The values."""
        return (VALUE,)

    def load(self, data: Data) -> tuple[Sequence[AnyPart], Sequence[Skipped]]:
        """Return nothing: it has no data of its own."""
        return [], []

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean of all columns, if it has a name and none is missing."""
        names = [piece.name for piece in self.pieces]
        if self.score is None or not set(names) <= set(scores):
            return {}
        return {self.score: sum(scores[name] for name in names) / len(names)}

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """Return a row for each encoder and column that the rows of the tasks give."""
        known = {task.name: task for task in self.tasks}
        found = []
        for label in dict.fromkeys(row.encoder for row in rows):
            own = [row for row in rows if row.encoder == label]
            for piece in self.pieces:
                row = piece.row(label, self.name, known[piece.task], own)
                if row is not None:
                    found.append(row)
        return found

    def gaps(self, rows: Sequence[Row]) -> str:
        """Return a line that names the columns without a value or with a part of it, empty if none is."""
        there = dict.fromkeys(row.language for row in rows if row.task == self.name)
        whole = [piece.name for piece in self.pieces]
        missing = [name for name in whole if not any(column.startswith(name) for column in there)]
        missing += [f"the whole of {column}" for column in there if column not in whole]
        if not missing:
            return ""
        left = "" if self.score is None else f", so there is no {self.score}"
        return f"{self.name}: without {', '.join(missing)}{left}"


@runtime_checkable
class TellsGaps(Protocol):
    """A task that says what its rows lack."""

    def gaps(self, rows: Sequence[Row]) -> str:
        """Return a line, empty if nothing is missing; the rows may be of other tasks too."""


def summarised(tasks: Sequence[Task], scored: Sequence[Scored]) -> tuple[list[Scored], list[str]]:
    """Return the rows of the summaries among the tasks, and what each task lacks."""
    rows = [found.row for found in scored]
    found = [row for task in tasks if isinstance(task, Summary) for row in task.rows(rows)]
    gaps = [task.gaps([*rows, *found]) for task in tasks if isinstance(task, TellsGaps)]
    return [Scored(row) for row in found], [gap for gap in gaps if gap]


_BOTH = (TO_ENGLISH, FROM_ENGLISH)
_XRETE: tuple[Task, ...] = (
    ANLI,
    XNLI,
    STS17,
    QE,
    QE_PROBE,
    LAREQA,
    MEWSLI_X,
    BUCC,
    BUCC_SAMPLE,
    TATOEBA,
    XCOPA,
    EURLEX,
    MARC,
    PAWSX,
)

XRETE = Summary(
    name="xrete",
    tasks=_XRETE,
    pieces=(
        Piece("AmericasNLI: accuracy, probe", "anli", ("accuracy",)),
        Piece("XNLI: accuracy, probe", "xnli", ("accuracy",)),
        Piece(
            "Multi-STS: Spearman, zero-shot",
            "sts17",
            ("spearman",),
            languages=tuple(track.language for track in STS17.tracks),
        ),
        Piece("QE: Pearson, zero-shot", "qe", ("pearson",), "cross-lingual mean"),
        Piece("QE: Pearson, probe", "qe-probe", ("pearson",)),
        Piece("LAReQA: mAP@20, zero-shot", "lareqa", ("mAP@20",)),
        Piece("Mewsli-X: mAP@20, zero-shot", "mewsli-x", ("mAP@20",)),
        Piece("BUCC: F1, zero-shot", "bucc", (COSINE,)),
        Piece("BUCC sample: F1, zero-shot", "bucc-sample", (COSINE,)),
        Piece("Tatoeba, 36: accuracy to English, zero-shot", "tatoeba", (TO_ENGLISH,), "mean, XTREME-36"),
        Piece("XCOPA: accuracy, probe", "xcopa", ("accuracy",)),
        Piece("MultiEURLEX: top-1 accuracy, probe", "multieurlex", ("accuracy",)),
        Piece("MARC: MAE x 100, probe", "marc", ("MAE",)),
        Piece("PAWS-X: accuracy, probe", "pawsx", ("accuracy",)),
    ),
    note="the twelve tasks of xrete (Guo et al. 2023), means over languages; what a probe was fitted on "
    "stands in the table of its task; MARC: lower is better",
    fetch="see its tasks",
)
_TABLE_2 = (
    ("S-BERT", 84.0, 39.3, 31.8, 14.4, 88.5, 68.6),
    ("LaBSE", 74.4, 31.6, 12.8, 11.2, 93.2, 83.6),
    ("InfoXLM", 55.2, 49.4, 16.9, 23.9, 77.4, 66.2),
    ("XLM-R", 25.0, 10.4, 16.1, 11.7, 67.9, 59.1),
    ("Emma-X", 62.9, 54.7, 19.4, 29.4, 87.1, 82.5),
)
_ZERO_SHOT = (
    Piece(
        "Multi-STS: Spearman",
        "sts17",
        ("spearman",),
        languages=tuple(track.language for track in STS17.tracks),
    ),
    Piece("QE: Pearson", "qe", ("pearson",), "cross-lingual mean"),
    Piece("LAReQA: mAP@20", "lareqa", ("mAP@20",)),
    Piece("Mewsli-X: mAP@20", "mewsli-x", ("mAP@20",)),
    Piece("BUCC: F1", "bucc", (COSINE,)),
    # all 112 languages, not XTREME's 36: the row is the mean of Table 3's head and tail, weighted 36 to 76
    Piece("Tatoeba: accuracy to English", "tatoeba", (TO_ENGLISH,)),
)
XRETE_ZERO_SHOT = Summary(
    name="xrete-zero-shot",
    tasks=(STS17, QE, LAREQA, MEWSLI_X, BUCC, TATOEBA),
    pieces=_ZERO_SHOT,
    note="Table 2 of Emma-X (Guo et al. 2023), zero-shot by cosine; the threshold of BUCC is fitted on "
    "the part that is measured, that of XTREME on its sample",
    fetch="see its tasks",
    published=tuple(
        Published(
            name,
            tuple((piece.name, value) for piece, value in zip(_ZERO_SHOT, values, strict=True)),
            "Guo et al. 2023, Table 2",
        )
        for name, *values in _TABLE_2
    ),
)
VMSST = Summary(
    name="vmsst",
    tasks=(STS_YEARS, STS17, NQ, MKQA, TATOEBA, BUCC),
    pieces=(
        Piece("STS 2012-2016: Pearson", "sts12-16", (MEAN_PEARSON,)),
        Piece(
            "STS 2017 beyond English: Pearson",
            "sts17",
            ("pearson",),
            languages=("ar-ar", "es-es", "en-ar", "en-es", "en-tr"),
        ),
        Piece("NQ: R@1", "nq", (ACCURACY,), languages=("en",)),
        Piece("MKQA: R@1", "mkqa", (ACCURACY,)),
        Piece("Tatoeba: accuracy, both ways", "tatoeba", _BOTH),
        Piece("BUCC: F1, cosine and margin", "bucc", (COSINE, MARGIN)),
    ),
    score="score of six",
    note="the overall score of VMSST (Wieting et al. 2023) is the mean of six, BUCC being "
    "the mean of cosine and margin (section 6.2)",
    fetch="see its tasks",
)
SUMMARIES = (XRETE, XRETE_ZERO_SHOT, VMSST)
