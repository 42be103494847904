"""Retrieval tasks: nearest neighbours by cosine."""

from amrx.evaluate.retrieval.bucc import BUCC, BUCC_SAMPLE
from amrx.evaluate.retrieval.lareqa import LAREQA
from amrx.evaluate.retrieval.mewsli import MEWSLI_X
from amrx.evaluate.retrieval.questions import MKQA, NQ
from amrx.evaluate.retrieval.tatoeba import TATOEBA

RETRIEVAL = (TATOEBA, BUCC, BUCC_SAMPLE, LAREQA, MEWSLI_X, NQ, MKQA)

__all__ = ["RETRIEVAL"]
