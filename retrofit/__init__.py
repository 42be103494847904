"""Stage: tokens -> vectors -> combined vectors."""

from retrofit.load import load

__all__ = ["load"]
