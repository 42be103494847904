"""Retrieval tasks: nearest neighbours by cosine."""

from amrx.evaluate.retrieval.bucc import BUCC
from amrx.evaluate.retrieval.tatoeba import TATOEBA

RETRIEVAL = (TATOEBA, BUCC)

__all__ = ["RETRIEVAL"]
