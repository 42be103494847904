"""Stage: tokens -> vectors -> combined vectors."""

import amrx  # noqa: F401  # first: refuses another package in the place of a stage
from retrofit.load import load

__all__ = ["load"]
