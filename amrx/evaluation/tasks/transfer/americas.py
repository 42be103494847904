"""AmericasNLI: apply a classifier of XNLI to ten indigenous languages of the Americas.

::

    <data>/transfer/ANLI/{dev,test}/CODE.tsv   id, language, premise, hypothesis, label, with a header
    <data>/transfer/XNLI/                      see `amrx.evaluation.tasks.transfer.task_table`

Emma-X (Guo et al. 2023, appendix C) fits on MultiNLI in English and in Spanish, which is the translation of
XNLI (``train-es.tsv``, or ``multinli.train.es.tsv`` as published). If that is missing, the fit is on English
alone.
"""

from amrx.evaluation.tasks.transfer import on_hub
from amrx.evaluation.tasks.transfer.logistic import Logistic
from amrx.evaluation.tasks.transfer.read import TsvReader
from amrx.evaluation.tasks.transfer.source import Plan, Source, Take
from amrx.evaluation.tasks.transfer.task import TransferTask

NLI = ("entailment", "neutral", "contradiction")

XNLI_READER = TsvReader(
    ("premise", "hypothesis"),
    NLI,
    published=("premise", "hypo", "label"),
    synonyms=(("contradictory", "contradiction"),),
)
TRAIN = Source(
    "transfer/XNLI/train-{}.tsv",
    392_702,
    published="transfer/XNLI/multinli.train.{}.tsv",
    reader=XNLI_READER,
    sample=True,
)
_ANLI_LANGUAGES = ("ay", "bzd", "cni", "gn", "hch", "nah", "oto", "qu", "shp", "tar")
_ANLI_DEV = (("cni", 658), ("nah", 376), ("oto", 222))
_ANLI_TEST = (("nah", 738), ("oto", 748))
_ANLI_NAMES = (("ay", "aym"), ("qu", "quy"))
_DEV = Source("transfer/ANLI/dev/{}.tsv", 743, names=_ANLI_NAMES, counts=_ANLI_DEV)
_TEST = Source("transfer/ANLI/test/{}.tsv", 750, names=_ANLI_NAMES, counts=_ANLI_TEST)

ANLI = TransferTask(
    name="anli",
    languages=_ANLI_LANGUAGES,
    labels=NLI,
    reader=TsvReader(("premise", "hypothesis"), NLI, header=("id", "language")),
    plans=(
        Plan("train-en and train-es", fit=TRAIN, select=_DEV, measure=_TEST, fit_in=("en", "es")),
        Plan("train-en", fit=TRAIN, select=_DEV, measure=_TEST),
        Plan(  # the dev sets are translations of dev-en, so they cannot select a model fitted on it
            "dev-en",
            fit=Source(
                "transfer/XNLI/dev-{}.tsv", 2490, Take(block=3, of=3, parts=(0, 1)), reader=XNLI_READER
            ),
            select=Source(
                "transfer/XNLI/dev-en.tsv",
                2490,
                Take(block=3, of=3, parts=(2,)),
                reader=XNLI_READER,
                code="en",
            ),
            measure=_TEST,
        ),
    ),
    classifier=Logistic(),
    about="AmericasNLI (Ebrahimi et al. 2022), three classes, ten indigenous languages; a classifier of XNLI",
    fetch="https://github.com/abteen/americasnli, data/anli_final as transfer/ANLI, and XNLI",
    hub=on_hub.americas({code: dict(_ANLI_NAMES).get(code, code) for code in _ANLI_LANGUAGES}, NLI),
)
