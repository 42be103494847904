"""Retrieve nearest neighbours by cosine."""

from amrx.evaluation.tasks.retrieval.bucc import BUCC, BUCC_SAMPLE
from amrx.evaluation.tasks.retrieval.lareqa import LAREQA
from amrx.evaluation.tasks.retrieval.mewsli import MEWSLI_X
from amrx.evaluation.tasks.retrieval.questions import MKQA, NQ
from amrx.evaluation.tasks.retrieval.tatoeba import FLORES_RETRIEVAL, TATOEBA

RETRIEVAL = (TATOEBA, FLORES_RETRIEVAL, BUCC, BUCC_SAMPLE, LAREQA, MEWSLI_X, NQ, MKQA)

__all__ = ["RETRIEVAL"]
