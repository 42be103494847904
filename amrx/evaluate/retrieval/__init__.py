"""Retrieval tasks: nearest neighbours by cosine."""

from amrx.evaluate.retrieval.bucc import BUCC
from amrx.evaluate.retrieval.lareqa import LAREQA
from amrx.evaluate.retrieval.tatoeba import TATOEBA

RETRIEVAL = (TATOEBA, BUCC, LAREQA)

__all__ = ["RETRIEVAL"]
