"""Score encoders on tasks: ``run(encoders, tasks_named("sts17,xnli"), data) -> list[Row]``.

::

    tasks ──load──> checked parts ──encode once──> vectors ──score──> rows ──> tables, JSON, HTML

Knows only the protocol `amrx.types.Encoder`. Every row of every file is checked before anything is encoded.
`amrx.evaluate.tasks.task` says what a task is; each group of tasks is a module or folder of its own.
"""

from amrx.evaluate.results.rows import Row
from amrx.evaluate.run import run
from amrx.evaluate.tasks.catalogue import TASKS, tasks_named
from amrx.evaluate.tasks.task import Task

__all__ = ["TASKS", "Row", "Task", "run", "tasks_named"]
