"""Geometry tasks: how the vectors of many languages lie in space."""

from amrx.evaluation.tasks.geometry.flores import FLORES

GEOMETRY = (FLORES,)

__all__ = ["GEOMETRY"]
