"""Stage: tokens -> vectors -> combined vectors."""

import amrx  # noqa: F401  # first: raises if another package shadows a stage
from retrofit.load import load

__all__ = ["load"]
