"""Make similarity tasks of a user's files of scored pairs: ``en-de:FILE.tsv``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amrx import langid
from amrx.errors import OptionError
from amrx.evaluation.tasks.catalogue import TASKS
from amrx.evaluation.tasks.scored_pairs import read_any_score
from amrx.evaluation.tasks.similarity import Task, Track


def own_tasks(named: Sequence[str]) -> tuple[Task, ...]:
    """Return a task per file, with the name of the file without its suffix.

    Args:
        named: ``en-de:FILE.tsv``, or ``en:FILE.tsv`` if both sentences have one language; lines of
            ``sentence TAB sentence TAB score``, without a header, with any finite scores.

    Raises:
        OptionError: No known language comes first, or a file has the name of another task.
        InputError: A file is missing or damaged.
    """
    tasks = tuple(map(_task, named))
    names = [task.name for task in tasks]
    known = [task.name for task in TASKS]
    for name in names:
        if (known + names).count(name) > 1:
            raise OptionError(f"--pairs: a file must not have the name of another task, got {name!r}")
    return tasks


def _task(value: str) -> Task:
    codes, colon, file = value.partition(":")
    first, _, second = codes.partition("-")
    if not colon or not file:
        raise OptionError(f"--pairs takes en-de:FILE.tsv, or en:FILE.tsv for one language, got {value!r}")
    columns = langid.check(first), langid.check(second or first)
    path = Path(file).resolve()
    track = Track("-".join(columns), str(path), columns, len(read_any_score(Path(file))))
    return Task(
        name=path.stem, group="similarity", tracks=(track,), loader=read_any_score,
        metrics=("spearman", "pearson"), note=f"scored pairs of {file}; cosine, no training", fetch=value,
    )  # fmt: skip
