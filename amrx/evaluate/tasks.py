"""The tasks, one row of data each.

A track's first column is not always the first language of its name: in four of the STS 2017 files the
foreign sentence comes first, so every track says what its columns hold.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from amrx.errors import OptionError
from amrx.evaluate.pairs import Pair, read_csv, read_tsv


@dataclass(frozen=True, slots=True)
class Track:
    """One file of a task.

    Attributes:
        language: Name in the tables: ``de``, or ``en-de``.
        file: Path below the data folder.
        columns: ISO 639-1 code of the first and of the second column.
        count: How many pairs the file has.
    """

    language: str
    file: str
    columns: tuple[str, str]
    count: int

    @property
    def monolingual(self) -> bool:
        """Whether both columns are of one language."""
        return self.columns[0] == self.columns[1]


@dataclass(frozen=True, slots=True)
class Published:
    """A number from a paper: the mean over the monolingual or the cross-lingual tracks."""

    encoder: str
    monolingual: float | None
    crosslingual: float | None
    source: str


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    Attributes:
        name: What ``--tasks`` takes.
        group: Kind of task.
        tracks: Its files.
        loader: Reads and checks one file.
        metrics: Names in `amrx.evaluate.metrics`; the first is shown.
        note: Protocol, in a line.
        fetch: Where the data comes from and how it is laid out.
        published: Numbers to stand against.
    """

    name: str
    group: str
    tracks: tuple[Track, ...]
    loader: Callable[[Path], tuple[Pair, ...]]
    metrics: tuple[str, ...]
    note: str
    fetch: str
    published: tuple[Published, ...] = ()


def _sts17(language: str, first: str, second: str) -> Track:
    return Track(language, f"sts/sts17/{language}.tsv", (first, second), 250)


def _stsb(language: str) -> Track:
    return Track(language, f"sts/stsb/{language}/dev.csv", (language, language), 1500)


STS17 = Task(
    name="sts17",
    group="similarity",
    tracks=(
        _sts17("ar-ar", "ar", "ar"),
        _sts17("en-en", "en", "en"),
        _sts17("es-es", "es", "es"),
        _sts17("en-ar", "en", "ar"),
        _sts17("en-de", "en", "de"),
        _sts17("en-tr", "en", "tr"),
        _sts17("en-es", "es", "en"),
        _sts17("en-fr", "fr", "en"),
        _sts17("en-it", "it", "en"),
        _sts17("en-nl", "nl", "en"),
    ),
    loader=read_tsv,
    metrics=("spearman", "pearson"),
    note="SemEval-2017 task 1, extended by Reimers and Gurevych 2020; cosine, no training",
    fetch="https://sbert.net/datasets/STS2017-extended.zip, each STS.<pair>.txt as sts/sts17/<pair>.tsv",
    published=(Published("mBERT, mean pooling", 53.97, 27.47, "Cai et al. 2022"),),
)

STSB_DEV = Task(
    name="stsb-dev",
    group="similarity",
    tracks=tuple(_stsb(code) for code in ("de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "zh")),
    loader=read_csv,
    metrics=("spearman", "pearson"),
    note="STS Benchmark dev, machine-translated; the weight of a second channel is fitted here",
    fetch="https://github.com/PhilipMay/stsb-multi-mt, data/stsb-<lang>-dev.csv as sts/stsb/<lang>/dev.csv",
)

TASKS: tuple[Task, ...] = (STS17, STSB_DEV)


def tasks_named(names: str | Sequence[str]) -> tuple[Task, ...]:
    """Return tasks by name, from a sequence or a string with commas, each once.

    Raises:
        OptionError: No task has that name.

    Example:
        >>> [task.name for task in tasks_named("stsb-dev, sts17")]
        ['stsb-dev', 'sts17']
    """
    wanted = names.split(",") if isinstance(names, str) else names
    known = {task.name: task for task in TASKS}
    chosen: dict[str, Task] = {}
    for name in (part.strip() for part in wanted):
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            raise OptionError(f"no task {name!r}; {hint}")
        chosen[name] = known[name]
    return tuple(chosen.values())
