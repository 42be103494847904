"""Stage: text -> AMR graph."""

from parser.load import load

__all__ = ["load"]
