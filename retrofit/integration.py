"""How a base vector and an AMR vector become one (Cai et al. 2022, section 4.2).

::

    concat       s ⊕ w h                    (n, d_base + d_amr)
    add          s + w h                    (n, d), d_base = d_amr
    norm-concat  s/|s| ⊕ w h/|h|            the default; w = 1 is the paper's
    norm-add     s/|s| + w h/|h|            (n, d), d_base = d_amr
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from amrx.errors import OptionError
from amrx.types import Vectors
from amrx.vectors import normalise

Integration = Literal["concat", "add", "norm-concat", "norm-add"]
INTEGRATIONS: tuple[str, ...] = get_args(Integration)
LARGEST = float(np.finfo(np.float32).max)
"""A larger weight would be infinite in float32."""


def combine(base: Vectors, amr: Vectors, *, weight: float = 1.0, integration: str = "norm-concat") -> Vectors:
    """Combine row by row; rows of ``amr`` that are zero stay zero.

    Args:
        base: ``s``, ``(n, d_base)``.
        amr: ``h``, ``(n, d_amr)``.
        weight: ``w``; 0 returns ``base`` itself.
        integration: One of the four in the module's docstring.

    Raises:
        OptionError: Unknown integration, a negative weight, or ``add`` of unequal widths.

    Example:
        >>> s, h = np.array([[3.0, 4.0]], dtype=np.float32), np.array([[0.0, 2.0]], dtype=np.float32)
        >>> combine(s, h, weight=0.5).tolist()
        [[0.6000000238418579, 0.800000011920929, 0.0, 0.5]]
    """
    check_integration(integration, weight, base.shape[1], amr.shape[1])
    if weight == 0:
        return base
    if integration.startswith("norm-"):
        base, amr = normalise(base), normalise(amr)
    with np.errstate(over="ignore"):  # the caller, who knows the sentences, refuses what is infinite
        scaled = np.float32(weight) * amr
        joined = np.hstack([base, scaled]) if integration.endswith("concat") else base + scaled
    return joined.astype(np.float32, copy=False)


def check_integration(integration: str, weight: float, base_width: int, amr_width: int) -> None:
    """Raise OptionError for an unknown integration, a weight that is none, or widths that cannot be added."""
    if integration not in INTEGRATIONS:
        raise OptionError(f"integration {integration!r} is none of {', '.join(INTEGRATIONS)}")
    if not 0 <= weight <= LARGEST:
        raise OptionError(f"weight must be a finite float32 >= 0, got {weight!r}")
    if integration.endswith("add") and base_width != amr_width and weight != 0:
        raise OptionError(
            f"integration {integration!r} adds vectors of one width, but the base gives {base_width} and the "
            f"AMR encoder {amr_width}; use norm-concat, or an AMR encoder of width {base_width}"
        )
