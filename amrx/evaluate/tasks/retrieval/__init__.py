"""Retrieval tasks: nearest neighbours by cosine."""

from amrx.evaluate.tasks.retrieval.bucc import BUCC, BUCC_SAMPLE
from amrx.evaluate.tasks.retrieval.lareqa import LAREQA
from amrx.evaluate.tasks.retrieval.mewsli import MEWSLI_X
from amrx.evaluate.tasks.retrieval.questions import MKQA, NQ
from amrx.evaluate.tasks.retrieval.tatoeba import TATOEBA

RETRIEVAL = (TATOEBA, BUCC, BUCC_SAMPLE, LAREQA, MEWSLI_X, NQ, MKQA)

__all__ = ["RETRIEVAL"]
