"""Retrieval tasks: nearest neighbours by cosine."""

from amrx.evaluate.retrieval.tatoeba import TATOEBA

RETRIEVAL = (TATOEBA,)

__all__ = ["RETRIEVAL"]
