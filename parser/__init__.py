"""Stage: text -> AMR graph."""

import amrx  # noqa: F401  # first: refuses another package in the place of a stage
from parser.load import load, parse

__all__ = ["load", "parse"]
