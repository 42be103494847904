"""Stop a training whose numbers are none any more."""

from __future__ import annotations

import math
from collections.abc import Mapping

from amrx.errors import AmrxError


def check_finite(values: Mapping[str, float], what: str) -> None:
    """Refuse a step whose losses or gradient are not finite, before it spoils the weights.

    Args:
        values: Losses and the norm of the gradient, by name.
        what: The step, for the error.

    Raises:
        AmrxError: One of them is not finite; the message says all of them.

    Example:
        >>> check_finite({"nli": 0.5, "gradient": math.inf}, "step 7")
        Traceback (most recent call last):
        amrx.errors.AmrxError: step 7 is not finite (nli 0.5, gradient inf); lower the rate
    """
    if not all(math.isfinite(value) for value in values.values()):
        told = ", ".join(f"{name} {value}" for name, value in values.items())
        raise AmrxError(f"{what} is not finite ({told}); lower the rate")
