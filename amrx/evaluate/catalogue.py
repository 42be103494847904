"""Every task by name, and where its data are looked for below the data folder.

::

    sts17, stsb-dev              sts/sts17/<pair>.tsv, sts/stsb/XX/dev.csv
    sts12-16                     STS/STS12-en-test/STS.{input,gs}.<file>.txt, ..., STS16-en-test
    xnli, pawsx, qam             transfer/{XNLI,PAWSX,QAM}, see amrx.evaluate.transfer.tasks
    mldoc, marc                  transfer/{MLDoc,MARC}
    mldoc-mlearn, marc-mlearn    the same, fitted on all languages together
    xnli-senteval, ...           the same files as without -senteval
    tatoeba                      retrieval/tatoeba/tatoeba.<code>-eng.{<code>,eng}
    bucc-sample                  retrieval/bucc/bucc2018-XX-en.sample-gold.tar.bz2
    lareqa                       retrieval/xquad-r/XX.json
    flores                       geometry/flores/devtest.XX
    langid                       geometry/flores/{dev,devtest}.XX
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from amrx.errors import OptionError
from amrx.evaluate.contract import Task
from amrx.evaluate.geometry import GEOMETRY
from amrx.evaluate.probes import PROBES
from amrx.evaluate.retrieval import RETRIEVAL
from amrx.evaluate.sts_years import STS_YEARS
from amrx.evaluate.tasks import SIMILARITY
from amrx.evaluate.transfer import TRANSFER

TASKS: tuple[Task, ...] = (*SIMILARITY, STS_YEARS, *TRANSFER, *RETRIEVAL, *GEOMETRY, *PROBES)


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
