"""Parts that all trainings share."""

from __future__ import annotations

from amrx.training.guard import alone, check_finite, require_best

__all__ = ["alone", "check_finite", "require_best"]
