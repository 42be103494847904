"""The summaries: which tasks they have, and what of each stands in their tables.

``xrete`` has the twelve tasks that Emma-X's repository names (Guo et al. 2023, guopingiie/EMMA-X on GitHub).
Similarity and retrieval are zero-shot, by cosine; for the others a probe is fitted on frozen vectors. This
split is ours (the paper's own protocols were not at hand), so each column says which it is. Quality
estimation has both.
"""

from __future__ import annotations

from amrx.evaluate.contract import Task
from amrx.evaluate.metrics import MEAN_PEARSON
from amrx.evaluate.quality import QE, QE_PROBE
from amrx.evaluate.retrieval.bucc import BUCC, BUCC_SAMPLE, COSINE
from amrx.evaluate.retrieval.lareqa import LAREQA
from amrx.evaluate.retrieval.mewsli import MEWSLI_X
from amrx.evaluate.retrieval.questions import ACCURACY, MKQA, NQ
from amrx.evaluate.retrieval.tatoeba import FROM_ENGLISH, TATOEBA, TO_ENGLISH
from amrx.evaluate.sts_years import STS_YEARS
from amrx.evaluate.summary import Piece, Summary
from amrx.evaluate.tasks import STS17
from amrx.evaluate.transfer.americas import ANLI
from amrx.evaluate.transfer.eurlex import EURLEX
from amrx.evaluate.transfer.tasks import MARC, PAWSX, XNLI
from amrx.evaluate.transfer.xcopa import XCOPA

_BOTH = (TO_ENGLISH, FROM_ENGLISH)
_XRETE: tuple[Task, ...] = (
    ANLI,
    XNLI,
    STS17,
    QE,
    QE_PROBE,
    LAREQA,
    MEWSLI_X,
    BUCC,
    BUCC_SAMPLE,
    TATOEBA,
    XCOPA,
    EURLEX,
    MARC,
    PAWSX,
)

XRETE = Summary(
    name="xrete",
    tasks=_XRETE,
    pieces=(
        Piece("AmericasNLI: accuracy, probe", "anli", ("accuracy",)),
        Piece("XNLI: accuracy, probe", "xnli", ("accuracy",)),
        Piece(
            "Multi-STS: Spearman, zero-shot",
            "sts17",
            ("spearman",),
            languages=tuple(track.language for track in STS17.tracks),
        ),
        Piece("QE: Pearson, zero-shot", "qe", ("pearson",), "cross-lingual mean"),
        Piece("QE: Pearson, probe", "qe-probe", ("pearson",)),
        Piece("LAReQA: mAP@20, zero-shot", "lareqa", ("mAP@20",)),
        Piece("Mewsli-X: mAP@20, zero-shot", "mewsli-x", ("mAP@20",)),
        Piece("BUCC: F1, zero-shot", "bucc", (COSINE,)),
        Piece("BUCC sample: F1, zero-shot", "bucc-sample", (COSINE,)),
        Piece("Tatoeba, 36: accuracy to English, zero-shot", "tatoeba", (TO_ENGLISH,), "mean, XTREME-36"),
        Piece("XCOPA: accuracy, probe", "xcopa", ("accuracy",)),
        Piece("MultiEURLEX: F1, probe", "multieurlex", ("F1",)),
        Piece("MARC: MAE x 100, probe", "marc", ("MAE",)),
        Piece("PAWS-X: accuracy, probe", "pawsx", ("accuracy",)),
    ),
    note="the twelve tasks of xrete (Guo et al. 2023), means over languages; what a probe was fitted on "
    "stands in the table of its task; MARC: lower is better",
    fetch="see its tasks",
)
VMSST = Summary(
    name="vmsst",
    tasks=(STS_YEARS, STS17, NQ, MKQA, TATOEBA, BUCC),
    pieces=(
        Piece("STS 2012-2016: Pearson", "sts12-16", (MEAN_PEARSON,)),
        Piece(
            "STS 2017 beyond English: Pearson",
            "sts17",
            ("pearson",),
            languages=("ar-ar", "es-es", "en-ar", "en-es", "en-tr"),
        ),
        Piece("NQ: R@1", "nq", (ACCURACY,), languages=("en",)),
        Piece("MKQA: R@1", "mkqa", (ACCURACY,)),
        Piece("Tatoeba: accuracy, both ways", "tatoeba", _BOTH),
        Piece("BUCC: F1, cosine", "bucc", (COSINE,)),
    ),
    score="score of six",
    note="the overall score of VMSST (Wieting et al. 2023) is the mean of six; which languages and "
    "directions each averages is our reading",
    fetch="see its tasks",
)
SUMMARIES = (XRETE, VMSST)
