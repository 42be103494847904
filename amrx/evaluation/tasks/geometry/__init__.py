"""Measure the geometry of multilingual vectors."""

from amrx.evaluation.tasks.geometry.flores import FLORES

GEOMETRY = (FLORES,)

__all__ = ["GEOMETRY"]
