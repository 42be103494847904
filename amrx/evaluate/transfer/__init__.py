"""Transfer tasks: logistic regression on frozen vectors, fitted on English, measured on every language.

::

    vectors ──features──> (n, d) ──protocol: grid, mean dev accuracy──> one linear classifier ──> accuracy
"""

from amrx.evaluate.transfer.tasks import TRANSFER

__all__ = ["TRANSFER"]
