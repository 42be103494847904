"""Score encoders on tasks: ``run(encoders, tasks_named("sts17"), data) -> list[Row]``.

::

    tasks ──load──> checked pairs ──encode once──> vectors ──cosine──> metric ──> rows ──> table, JSON

Knows only the protocol `amrx.types.Encoder`. Every row of every file is checked before anything is encoded.
"""

from amrx.evaluate.run import Row, run
from amrx.evaluate.tasks import TASKS, Task, tasks_named

__all__ = ["TASKS", "Row", "Task", "run", "tasks_named"]
