"""List all tasks by name, and their files below the data folder.

::

    sts17                        sts/sts17/<pair>.tsv
    stsb, stsb-dev               sts/stsb/XX/{test,dev}.csv
    sts12-16                     STS/STS12-en-test/STS.{input,gs}.<file>.txt, ..., STS16-en-test
    xnli, pawsx, qam             transfer/{XNLI,PAWSX,QAM}, see amrx.evaluation.tasks.transfer.task_table
    mldoc, marc                  transfer/{MLDoc,MARC}
    mldoc-mlearn, marc-mlearn    the same files, fitted on all languages together
    xnli-senteval, xnli-uv, ...  the same files as without -senteval or -uv
    tatoeba                      retrieval/tatoeba/tatoeba.<code>-eng.{<code>,eng}
    bucc, bucc-sample, bucc-dev  retrieval/bucc/bucc2018-XX-en.{training,sample}-gold.tar.bz2
    lareqa                       retrieval/xquad-r/XX.json
    mewsli-x                     retrieval/mewsli-x/{wikinews_mentions-test,candidate_set_entities}.jsonl
    nq, mkqa                     retrieval/questions/{NQ-open.test.jsonl,mkqa.jsonl.gz,PAQ.jsonl}
    qe, qe-probe                 qe/XX-YY/{train.tsv.gz,dev.tsv,test.tsv}
    anli, multieurlex            transfer/{ANLI,MultiEURLEX}
    xcopa                        xcopa/XX/{val,test}.XX.jsonl
    flores, flores-retrieval     geometry/flores/devtest.XX
    langid                       geometry/flores/{dev,devtest}.XX
    tnews                        clustering/tnews/dev.json
    xrete, xrete-zero-shot, vmsst, msimcse,
    msimcse-languages, -sts      the files of the tasks that they summarise

A new task goes into the module of its group (similarity into ``sts.py``, transfer into
``transfer/task_table.py``, ...) and into `TASKS` here.

The field ``hub`` of sts17, stsb, stsb-dev, xnli, pawsx, anli, multieurlex, xcopa, tatoeba and flores lists
the same rows on the Hugging Face hub; `amrx.evaluation.hub_data` downloads missing files from there. MARC,
MLDoc and QAM may not be redistributed. The hub's XQuAD-R has no sentence boundaries, its MLQE-PE no licensed
direct assessments, its MKQA and FLORES dev no rows in a known layout; PAQ is not on the hub.

`own_tasks` makes similarity tasks of a user's files of scored pairs.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Sequence
from pathlib import Path

from amrx import langid
from amrx.errors import OptionError
from amrx.evaluation.tasks.clusters import TNEWS
from amrx.evaluation.tasks.geometry.flores import FLORES
from amrx.evaluation.tasks.msimcse_tables import BUCC_DEV, MSIMCSE
from amrx.evaluation.tasks.probes import LANGUAGE_ID, TABLE_7
from amrx.evaluation.tasks.quality import QE, QE_PROBE
from amrx.evaluation.tasks.retrieval.bucc import BUCC, BUCC_SAMPLE
from amrx.evaluation.tasks.retrieval.lareqa import LAREQA
from amrx.evaluation.tasks.retrieval.mewsli import MEWSLI_X
from amrx.evaluation.tasks.retrieval.questions import MKQA, NQ
from amrx.evaluation.tasks.retrieval.tatoeba import FLORES_RETRIEVAL, TATOEBA
from amrx.evaluation.tasks.scored_pairs import read_any_score
from amrx.evaluation.tasks.similarity import Task as SimilarityTask
from amrx.evaluation.tasks.similarity import Track
from amrx.evaluation.tasks.sts import STS17, STSB, STSB_DEV
from amrx.evaluation.tasks.sts_2012_to_2016 import STS_YEARS
from amrx.evaluation.tasks.summary_tables import VMSST, VMSST_FOUR, XRETE, XRETE_ZERO_SHOT, Summary
from amrx.evaluation.tasks.task import Task
from amrx.evaluation.tasks.transfer.eurlex import EURLEX, EurlexTask
from amrx.evaluation.tasks.transfer.task import TransferTask
from amrx.evaluation.tasks.transfer.task_table import TRANSFER

_NARROWED = (TransferTask, EurlexTask)

TASKS: tuple[Task, ...] = (
    STS17, STSB_DEV, STSB, STS_YEARS, QE, QE_PROBE, *TRANSFER, EURLEX, TATOEBA, FLORES_RETRIEVAL, BUCC,
    BUCC_SAMPLE, LAREQA, MEWSLI_X, NQ, MKQA, FLORES, LANGUAGE_ID, *TABLE_7, TNEWS, BUCC_DEV,
    XRETE, XRETE_ZERO_SHOT, VMSST, VMSST_FOUR, *MSIMCSE,
)  # fmt: skip


def tasks_named(names: str | Sequence[str]) -> tuple[Task, ...]:
    """Return tasks by name, from a sequence or a comma-separated string; summaries come after their tasks."""
    wanted = names.split(",") if isinstance(names, str) else names
    known = {task.name: task for task in TASKS}
    chosen: dict[str, Task] = {}
    for name in (part.strip() for part in wanted):
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
            if Path(name).suffix:
                hint = f"a file of your own scored pairs is --pairs en-de:{name}"
            raise OptionError(f"unknown task {name!r}; {hint}")
        task = known[name]
        for part in task.tasks if isinstance(task, Summary) else ():
            chosen.setdefault(part.name, part)
        chosen[name] = task
    return tuple(chosen.values())


def in_languages(tasks: Sequence[Task], languages: str | None) -> tuple[tuple[Task, ...], list[str]]:
    """Return the tasks with transfer tasks restricted to some languages, and messages about those left out.

    A transfer task without any of the languages is left out.
    """

    def languages_of(task: Task) -> tuple[str, ...] | None:
        return task.languages if isinstance(task, _NARROWED) else None

    def narrowed(task: Task, codes: tuple[str, ...]) -> Task:
        assert isinstance(task, _NARROWED)
        hub = tuple(file for file in task.hub if file.language in (None, *codes))
        return dataclasses.replace(task, languages=codes, hub=hub)

    return _narrowed(tasks, languages, "language", "transfer tasks such as xnli", languages_of, narrowed)


def in_tracks(tasks: Sequence[Task], tracks: str | None) -> tuple[tuple[Task, ...], list[str]]:
    """Return the tasks with those of similarity restricted to some tracks, and messages about those left out.

    A similarity task without any of the tracks, such as ``en-de,es-es``, is left out.

    The name of a mean over a part of the tracks says so.
    """

    def tracks_of(task: Task) -> tuple[str, ...] | None:
        return tuple(track.language for track in task.tracks) if isinstance(task, SimilarityTask) else None

    def narrowed(task: Task, names: tuple[str, ...]) -> Task:
        assert isinstance(task, SimilarityTask)
        files = {track.file for track in task.tracks if track.language in names}
        return dataclasses.replace(
            task, only=names, hub=tuple(file for file in task.hub if file.path in files)
        )

    return _narrowed(tasks, tracks, "track", "similarity tasks such as sts17", tracks_of, narrowed)


def _narrowed(
    tasks: Sequence[Task],
    given: str | None,
    kind: str,
    restricts: str,
    parts_of: Callable[[Task], tuple[str, ...] | None],
    narrow: Callable[[Task, tuple[str, ...]], Task],
) -> tuple[tuple[Task, ...], list[str]]:
    """Return the tasks, those with parts (not ``None``) restricted to the given ones, and messages."""
    if given is None:
        return tuple(tasks), []
    wanted = list(dict.fromkeys(name.strip() for name in given.split(",")))
    known = {name for task in tasks for name in parts_of(task) or ()}
    if not known:
        raise OptionError(f"--{kind}s restricts {restricts}, and --tasks names none")
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise OptionError(f"no task has the {kind} {unknown[0]!r}; choose from {', '.join(sorted(known))}")
    restricted: list[Task] = []
    messages: list[str] = []
    for task in tasks:
        parts = parts_of(task)
        kept = tuple(name for name in parts or () if name in wanted)
        if kept or parts is None:
            restricted.append(task if parts is None else narrow(task, kept))
        else:
            messages.append(f"{task.name} skipped: it has none of the {kind}s {', '.join(wanted)}")
    return tuple(restricted), messages


def own_tasks(named: Sequence[str]) -> tuple[SimilarityTask, ...]:
    """Return a task per file, with the name of the file without its suffix.

    Args:
        named: ``en-de:FILE.tsv``, or ``en:FILE.tsv`` if both sentences have one language; lines of
            ``sentence TAB sentence TAB score``, without a header, with any finite scores.

    Raises:
        OptionError: No known language comes first, or a file has the name of another task.
        InputError: A file is missing or damaged.
    """
    tasks = tuple(map(_own_task, named))
    names = [task.name for task in tasks]
    known = [task.name for task in TASKS]
    for name in names:
        if (known + names).count(name) > 1:
            raise OptionError(f"--pairs: a file must not have the name of another task, got {name!r}")
    return tasks


def _own_task(value: str) -> SimilarityTask:
    codes, colon, file = value.partition(":")
    first, _, second = codes.partition("-")
    if not colon or not file:
        raise OptionError(f"--pairs takes en-de:FILE.tsv, or en:FILE.tsv for one language, got {value!r}")
    columns = langid.check(first), langid.check(second or first)
    path = Path(file).resolve()
    track = Track("-".join(columns), str(path), columns, len(read_any_score(Path(file))))
    return SimilarityTask(
        name=path.stem, group="similarity", tracks=(track,), loader=read_any_score,
        metrics=("spearman", "pearson"), note=f"scored pairs of {file}; cosine, no training", fetch=value,
    )  # fmt: skip
