"""Score encoders on tasks: ``run(encoders, tasks_named("sts17,xnli"), data) -> list[Row]``.

::

    tasks ──load──> checked parts ──encode once──> vectors ──score──> rows ──> tables, JSON, HTML

It depends only on the protocol `amrx.types.Encoder`. Every row of every file is checked before anything is
encoded. `amrx.evaluation.tasks.task` defines the interface of a task; each group of tasks has its own module
or folder.
"""

from amrx.evaluation.report.tables import save_rows
from amrx.evaluation.results.rows import Row
from amrx.evaluation.run import run
from amrx.evaluation.tasks.catalogue import TASKS, tasks_named
from amrx.evaluation.tasks.task import Task

__all__ = ["TASKS", "Row", "Task", "run", "save_rows", "tasks_named"]
