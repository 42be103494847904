"""Train: one loop for every model of amrx.

::

    Task (one per model)                 fit (the loop)
    ────────────────────                 ────────────────────────────────────────────────────────
    rates(step)          ──────────>     set the learning rates
    backward(step)       ──────────>     seed from (seed, step); losses, gradients
    clip, update         ──────────>     clip, reject non-finite values, step
    evaluate()           ──────────>     score, keep the best weights, patience
    tensors(), state()   ──────────>     checkpoint, log; a killed run resumes to the same weights
"""

from amrx.training.checkpoint_file import read_checkpoint, write_checkpoint
from amrx.training.guard import alone, check_finite
from amrx.training.log import Log, read_log
from amrx.training.loop import Outcome, Report, Schedule, best_weights, fit
from amrx.training.rates import Rate
from amrx.training.task import Evaluation, Task, adamw

__all__ = [
    "Evaluation", "Log", "Outcome", "Rate", "Report", "Schedule", "Task", "adamw", "alone", "best_weights",
    "check_finite", "fit", "read_checkpoint", "read_log", "write_checkpoint",
]  # fmt: skip
