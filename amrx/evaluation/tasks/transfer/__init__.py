"""Transfer tasks: a logistic regression on frozen vectors, fitted on English, measured on every language.

::

    vectors ──features──> (n, d) ──protocol: grid, mean dev accuracy──> one linear classifier ──> accuracy
"""

from amrx.evaluation.tasks.task import Task
from amrx.evaluation.tasks.transfer.eurlex import EURLEX
from amrx.evaluation.tasks.transfer.tasks import TRANSFER as _CLASSIFIED

TRANSFER: tuple[Task, ...] = (*_CLASSIFIED, EURLEX)

__all__ = ["TRANSFER"]
