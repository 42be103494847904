"""Stage: text -> AMR graph."""

import amrx  # noqa: F401  # first: raises if another package shadows a stage
from parser.load import load, parse

__all__ = ["load", "parse"]
