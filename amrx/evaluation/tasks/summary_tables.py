"""Define the summaries: tables whose columns are values of other tasks.

``xrete-zero-shot`` is Table 2 of Emma-X (Guo et al. 2023): similarity and retrieval by cosine, without
fitting. ``xrete`` has the twelve tasks of Table 1. The models of Table 1 are fine-tuned on English and its
translations ("translate-train-all"), which ``amrx fine-tune`` does, for each task; here a probe on
frozen vectors is fitted, each column name says so, and no row of Table 1 is printed for comparison.

::

    rows of the tasks ──Piece: task, metrics, mean──> one value per column ──all complete?──> their mean

A summary is requested like a task, ``--tasks xrete``: its tasks run, and its rows are computed from theirs.
The name of a column over a part of its task's languages ends in the number, ``(2 of 15)``; such a column
counts as missing for the mean of all columns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from amrx.evaluation.data_folders import Data
from amrx.evaluation.metrics import MEAN_PEARSON
from amrx.evaluation.results.published import Published, printed, table_rows
from amrx.evaluation.results.rows import PART, Row, Scored, Skipped
from amrx.evaluation.tasks.quality import QE, QE_PROBE
from amrx.evaluation.tasks.retrieval.bucc import BUCC, BUCC_SAMPLE, COSINE, MARGIN, NEAREST
from amrx.evaluation.tasks.retrieval.lareqa import LAREQA
from amrx.evaluation.tasks.retrieval.mewsli import MEWSLI_X
from amrx.evaluation.tasks.retrieval.questions import ACCURACY, MKQA, NQ, VMSST_24
from amrx.evaluation.tasks.retrieval.tatoeba import FROM_ENGLISH, TATOEBA, TO_ENGLISH
from amrx.evaluation.tasks.sts import STS17
from amrx.evaluation.tasks.sts_2012_to_2016 import STS_YEARS, WITHOUT_SMT
from amrx.evaluation.tasks.task import AnyPart, Described, Task
from amrx.evaluation.tasks.transfer.americas import ANLI
from amrx.evaluation.tasks.transfer.eurlex import EURLEX
from amrx.evaluation.tasks.transfer.task_table import MARC, PAWSX, XNLI
from amrx.evaluation.tasks.transfer.xcopa import XCOPA

VALUE = "value"


@dataclass(frozen=True, slots=True)
class Piece:
    """One column of a summary."""

    name: str  # its name, including metric and protocol
    task: str  # name of the task
    metrics: tuple[str, ...]  # prefixes of the metrics that are averaged
    mean: str = "mean, all"  # prefix of the name of the mean in `Task.means`; the first match is taken
    languages: tuple[str, ...] = ()  # if given, the languages to average over instead; all are required
    scored: bool = True  # whether the column is part of the summary's score

    def row(self, label: str, summary: str, task: Task, rows: Sequence[Row]) -> Row | None:
        """Return the row of this column from one encoder's rows; ``None`` if values are missing."""
        values, count, parts = [], 0, list[str]()
        for metric in self.metrics:
            own = {
                row.language: row for row in rows if row.task == task.name and row.metric.startswith(metric)
            }
            mean = self._mean(task, {language: row.value for language, row in own.items()})
            if mean is None:
                return None
            name, value = mean
            values.append(value)
            parts += PART.findall(name)
            count += sum(row.n for language, row in own.items() if self._has(task, language))
        column = f"{self.name} ({parts[0]})" if parts else self.name
        return Row(label, summary, column, VALUE, sum(values) / len(values), count)

    def _has(self, task: Task, language: str) -> bool:
        """Return whether the mean includes a language: it then has a value for that language alone."""
        alone = {language: 0.0}
        return language in self.languages if self.languages else self._mean(task, alone) is not None

    def _mean(self, task: Task, scores: Mapping[str, float]) -> tuple[str, float] | None:
        """Return the name and the value of the mean shown in this column."""
        if self.languages:
            if not set(self.languages) <= set(scores):
                return None
            return self.name, sum(scores[language] for language in self.languages) / len(self.languages)
        means = task.means(scores).items()
        return next((mean for mean in means if mean[0].startswith(self.mean)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Described):
    """A table of other tasks' values; see `amrx.evaluation.tasks.task.Task`."""

    tasks: tuple[Task, ...]  # the tasks, in running order
    pieces: tuple[Piece, ...]  # the columns
    score: str | None = None  # name of the mean of the scored columns; ``None`` if they are not comparable
    # names of means in which a scored column is replaced by another: (name, column, replacement)
    scores_otherwise: tuple[tuple[str, str, str], ...] = ()
    group: str = "summary"
    shown: tuple[str, ...] = (VALUE,)

    def load(self, data: Data) -> tuple[Sequence[AnyPart], Sequence[Skipped]]:
        """Return nothing, because a summary has no data of its own."""
        return [], []

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean of the scored columns, if it has a name; none may be missing unless replaced."""
        if self.score is None:
            return {}
        names = [piece.name for piece in self.pieces if piece.scored]
        means = {self.score: names}
        for mean, column, other in self.scores_otherwise:
            means[mean] = [other if name == column else name for name in names]
        return {
            mean: sum(scores[name] for name in columns) / len(columns)
            for mean, columns in means.items()
            if set(columns) <= set(scores)
        }

    def rows(self, rows: Sequence[Row]) -> list[Row]:
        """Return one row per encoder and column that can be computed from the rows of the tasks."""
        known = {task.name: task for task in self.tasks}
        summary = []
        for label in dict.fromkeys(row.encoder for row in rows):
            own = [row for row in rows if row.encoder == label]
            for piece in self.pieces:
                row = piece.row(label, self.name, known[piece.task], own)
                if row is not None:
                    summary.append(row)
        return summary

    def gaps(self, rows: Sequence[Row]) -> str:
        """Return a line that names the missing and the partial columns, empty if there are none."""
        columns = dict.fromkeys(row.language for row in rows if row.task == self.name)
        names = [piece.name for piece in self.pieces]
        scored = [piece.name for piece in self.pieces if piece.scored]
        missing = [name for name in scored if not any(column.startswith(name) for column in columns)]
        missing += [f"the whole of {column}" for column in columns if column not in names]
        if not missing:
            return ""
        no_score = "" if self.score is None else f", so there is no {self.score}"
        return f"{self.name}: without {', '.join(missing)}{no_score}"


@runtime_checkable
class TellsGaps(Protocol):
    """A task that reports missing rows."""

    def gaps(self, rows: Sequence[Row]) -> str:
        """Return a line about missing rows, empty if there are none; ``rows`` may include other tasks'."""


def summarised(tasks: Sequence[Task], scored: Sequence[Scored]) -> tuple[list[Scored], list[str]]:
    """Return the rows of the summaries among the tasks, and the messages about missing rows."""
    rows = [row.row for row in scored]
    summaries = [row for task in tasks if isinstance(task, Summary) for row in task.rows(rows)]
    gaps = [task.gaps([*rows, *summaries]) for task in tasks if isinstance(task, TellsGaps)]
    return [Scored(row) for row in summaries], [gap for gap in gaps if gap]


_STS17_LANGUAGES = tuple(track.language for track in STS17.tracks)
_XRETE: tuple[Task, ...] = (
    ANLI, XNLI, STS17, QE, QE_PROBE, LAREQA, MEWSLI_X, BUCC, BUCC_SAMPLE, TATOEBA, XCOPA, EURLEX, MARC, PAWSX,
)  # fmt: skip

XRETE = Summary(
    name="xrete",
    tasks=_XRETE,
    pieces=(
        Piece("AmericasNLI: accuracy, probe", "anli", ("accuracy",)),
        Piece("XNLI: accuracy, probe", "xnli", ("accuracy",)),
        Piece("Multi-STS: Spearman, zero-shot", "sts17", ("spearman",), languages=_STS17_LANGUAGES),
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
    note="the twelve tasks of xrete (Guo et al. 2023), means over languages; the table of each task names "
    "the training data of its probe; MARC: lower is better",
    fetch="see its tasks",
)
_TABLE_2 = """
S-BERT: 84.0 39.3 31.8 14.4 88.5 68.6
LaBSE: 74.4 31.6 12.8 11.2 93.2 83.6
InfoXLM: 55.2 49.4 16.9 23.9 77.4 66.2
XLM-R: 25.0 10.4 16.1 11.7 67.9 59.1
Emma-X: 62.9 54.7 19.4 29.4 87.1 82.5
"""
_ZERO_SHOT = (
    Piece("Multi-STS: Spearman", "sts17", ("spearman",), languages=_STS17_LANGUAGES),
    Piece("QE: Pearson", "qe", ("pearson",), "cross-lingual mean"),
    Piece("LAReQA: mAP@20", "lareqa", ("mAP@20",)),
    Piece("Mewsli-X: mAP@20", "mewsli-x", ("mAP@20",)),
    Piece("BUCC: F1", "bucc", (COSINE,)),
    # all 112 languages, not XTREME's 36: the value is the mean of Table 3's head and tail, weighted 36 to 76
    Piece("Tatoeba: accuracy to English", "tatoeba", (TO_ENGLISH,)),
)
XRETE_ZERO_SHOT = Summary(
    name="xrete-zero-shot",
    tasks=(STS17, QE, LAREQA, MEWSLI_X, BUCC, TATOEBA),
    pieces=_ZERO_SHOT,
    note="Table 2 of Emma-X (Guo et al. 2023), zero-shot by cosine; the threshold of BUCC is fitted on "
    "the part that is measured, that of XTREME on its sample",
    fetch="see its tasks",
    published=printed(_TABLE_2, [piece.name for piece in _ZERO_SHOT], "Guo et al. 2023, Table 2"),
)
_WITHIN, _BETWEEN = ("ar-ar", "es-es"), ("en-ar", "en-es", "en-tr")
_VMSST = (
    Piece("STS 2012-2016: Pearson", "sts12-16", (MEAN_PEARSON,)),
    Piece("STS 2017 beyond English: Pearson", "sts17", ("pearson",), languages=(*_WITHIN, *_BETWEEN)),
    Piece("NQ: R@1", "nq", (ACCURACY,), languages=("en",)),
    Piece("MKQA: R@1", "mkqa", (ACCURACY,), f"mean, {VMSST_24}"),
    Piece("Tatoeba: accuracy, both ways", "tatoeba", (TO_ENGLISH, FROM_ENGLISH)),
    Piece("BUCC: F1, mean of both", "bucc", (NEAREST, MARGIN)),
    Piece("STS 2017, XL (s.)", "sts17", ("pearson",), languages=_WITHIN, scored=False),
    Piece("STS 2017, XL (d.)", "sts17", ("pearson",), languages=_BETWEEN, scored=False),
    Piece("BUCC (c.)", "bucc", (NEAREST,), scored=False),
    Piece("BUCC (m.)", "bucc", (MARGIN,), scored=False),
    Piece("STS 2017, XL: Spearman", "sts17", ("spearman",), languages=(*_WITHIN, *_BETWEEN), scored=False),
    Piece("STS 2017, XL (s.): Spearman", "sts17", ("spearman",), languages=_WITHIN, scored=False),
    Piece("STS 2017, XL (d.): Spearman", "sts17", ("spearman",), languages=_BETWEEN, scored=False),
    Piece("Tatoeba, seen", "tatoeba", (TO_ENGLISH, FROM_ENGLISH), "mean, VMSST seen", scored=False),
    Piece("Tatoeba, unseen", "tatoeba", (TO_ENGLISH, FROM_ENGLISH), "mean, VMSST unseen", scored=False),
)
_AS_PRINTED = {
    "Eng.": _VMSST[0].name, "XL": _VMSST[1].name, "NQ": _VMSST[2].name, "MKQA": _VMSST[3].name,
    "Tatoeba": _VMSST[4].name, "XL (s.)": _VMSST[6].name, "XL (d.)": _VMSST[7].name,
    **{f"{name}: Spearman": f"STS 2017, {name}: Spearman" for name in ("XL", "XL (s.)", "XL (d.)")},
    "Score": "score of six",
}  # fmt: skip
"""Columns of the paper's tables by their names here, where they differ."""
_WITHOUT_SMT = Piece(
    f"{WITHOUT_SMT}: STS 2012-2016, Pearson",
    "sts12-16",
    (MEAN_PEARSON,),
    languages=tuple(f"{WITHOUT_SMT}: {year.name}" if year.smt else year.name for year in STS_YEARS.years),
    scored=False,
)
_TABLE_1 = """
Contrastive, 6 layers: 65.5 66.8 34.1 17.6 63.1 73.3 62.4 66.2 84.0
BiTranslation, 6 layers: 69.6 63.9 37.4 19.2 53.3 71.6 58.7 62.1 81.2
VMSST Contrastive, 6 layers: 65.7 66.3 34.1 17.7 63.2 73.0 61.9 65.8 84.3
VMSST, 6 layers: 70.1 67.4 37.3 20.1 58.7 75.1 62.2 73.7 85.9
Contrastive, 24 layers: 64.4 64.6 32.8 16.0 62.7 71.6 60.0 64.3 83.7
BiTranslation, 24 layers: 71.2 68.1 38.2 21.6 57.4 74.6 63.8 70.8 86.9
VMSST Contrastive, 24 layers: 68.2 69.7 36.9 18.9 64.8 75.5 65.9 58.5 84.1
VMSST, 24 layers: 71.1 71.7 38.3 22.3 61.4 77.7 67.7 78.7 89.0
Contrastive, mT5: 73.3 74.7 40.2 27.6 85.1 76.0 73.9 74.3 93.7
BiTranslation, mT5: 74.0 78.0 40.9 29.6 78.2 79.8 76.8 85.9 91.9
VMSST Contrastive, mT5: 73.4 75.4 40.3 27.9 85.4 76.7 74.6 74.6 93.7
VMSST, mT5: 74.6 79.1 40.8 29.9 81.1 81.5 77.5 87.8 92.5
"""


def _with_means(row: Published) -> Published:
    """Return a row with the mean of BUCC's two columns, and the score, where it has their columns."""
    means = {_AS_PRINTED.get(name, name): value for name, value in row.means}
    if "BUCC (c.)" in means:
        means[_VMSST[5].name] = (means["BUCC (c.)"] + means["BUCC (m.)"]) / 2
        means.setdefault("score of six", sum(means[piece.name] for piece in _VMSST if piece.scored) / 6)
    return replace(row, means=tuple(means.items()))


VMSST = Summary(
    name="vmsst",
    tasks=(STS_YEARS, STS17, NQ, MKQA, TATOEBA, BUCC),
    pieces=(*_VMSST, _WITHOUT_SMT),
    score="score of six",
    scores_otherwise=((f"{WITHOUT_SMT}: score of six", _VMSST[0].name, _WITHOUT_SMT.name),),
    note="the overall score of VMSST (Wieting et al. 2023) is the mean of six, BUCC being "
    "the mean of cosine and margin (section 6.2)",
    fetch="see its tasks",
    published=tuple(
        _with_means(row)
        for row in printed(
            _TABLE_1,
            [piece.name for piece in (*_VMSST[:5], *_VMSST[6:10])],
            "Wieting et al. 2023, Table 1",
        )
    )
    + tuple(
        _with_means(row) for number in (2, 3, 4, 7, 8) for row in table_rows(f"wieting-2023-table-{number}")
    ),
)
_TRANSLATED = ("ar", "es", "tr")
_BOTH_WAYS = (TO_ENGLISH, FROM_ENGLISH)
_FOUR = (
    Piece("Eng.", "sts12-16", (MEAN_PEARSON,)),
    Piece("XL", "sts17", ("pearson",), languages=(*_WITHIN, *_BETWEEN)),
    Piece("Tatoeba", "tatoeba", _BOTH_WAYS, languages=_TRANSLATED),
    Piece("NQ", "nq", (ACCURACY,), languages=("en",)),
    Piece("MKQA", "mkqa", (ACCURACY,), languages=_TRANSLATED),
    *(
        Piece(track, "sts17", ("pearson",), languages=(track,), scored=False)
        for track in (*_BETWEEN, *_WITHIN)
    ),
    *(
        Piece(f"Tatoeba {code}", "tatoeba", _BOTH_WAYS, languages=(code,), scored=False)
        for code in _TRANSLATED
    ),
    *(Piece(f"MKQA {code}", "mkqa", (ACCURACY,), languages=(code,), scored=False) for code in _TRANSLATED),
)
VMSST_FOUR = Summary(
    name="vmsst-four",
    tasks=(STS_YEARS, STS17, NQ, MKQA, TATOEBA),
    pieces=_FOUR,
    score="Score",
    note="Table 6 of VMSST (Wieting et al. 2023), models of four languages: Pearson, accuracy both ways, "
    "R@1; the score is the mean of the first five columns",
    fetch="see its tasks",
    published=table_rows("wieting-2023-table-6"),
)
