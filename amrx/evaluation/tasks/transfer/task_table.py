"""Define the transfer tasks in both protocols.

::

    <data>/transfer/XNLI/{train-en,dev-XX,test-XX}.tsv     premise, hypothesis, label
    <data>/transfer/PAWSX/{train-en,dev-XX,test-XX}.tsv    sentence, sentence, 0 or 1
    <data>/transfer/QAM/{train.en,dev.XX,test.XX}          question, passage, 0 or 1
    <data>/transfer/MARC/{train.XX,dev.XX,test.XX}.json    one object per line: review_body, stars
    <data>/transfer/MLDoc/LANGUAGE.{train.1000,dev,test}   label, document; english, german, ...

``xnli`` and the others are fitted by scikit-learn; ``xnli-senteval`` and so on as in the published
evaluation. ``xnli-uv``, ``pawsx-uv`` and ``qam-uv`` are fitted by scikit-learn on u and v besides abs(u-v)
and u*v. ``mldoc-mlearn`` and ``marc-mlearn`` are fitted on the rows of all languages together.
A training file of XNLI, PAWS-X or MARC may be a sample, and if the English training file is missing, a part
of dev-en replaces it; the metric of every row says so. The parts of a dev file are the same rows in every
language, because its languages are translations of each other (XNLI, PAWS-X): no translation of a training
row is used to select or measure.
"""

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

from amrx.errors import InputError
from amrx.evaluation.results.published_amr import AS_PRINTED, transfer_rows
from amrx.evaluation.tasks.transfer import on_hub
from amrx.evaluation.tasks.transfer.americas import ANLI, NLI, TRAIN, XNLI_READER
from amrx.evaluation.tasks.transfer.classifier import ACCURACY, MAE
from amrx.evaluation.tasks.transfer.logistic import ALL_FEATURES, Logistic
from amrx.evaluation.tasks.transfer.read import Item, JsonLinesReader, TsvReader
from amrx.evaluation.tasks.transfer.softmax import Softmax
from amrx.evaluation.tasks.transfer.source import Plan, Source, Take
from amrx.evaluation.tasks.transfer.task import TransferTask
from amrx.evaluation.tasks.transfer.xcopa import XCOPA

TOPICS = ("CCAT", "ECAT", "GCAT", "MCAT")

_ROWS = TsvReader(("document",), TOPICS, label_column=0)
_BYTES = re.compile(r"b(['\"]).*\1", re.DOTALL)


def read_mldoc(path: Path) -> tuple[Item, ...]:
    """Return the rows of a file of MLDoc.

    MLDoc's script was written for Python 2; under Python 3 it writes each document as ``b'...'``, with every
    letter beyond ASCII as an escape, which would be scored without an error.

    Raises:
        InputError: A row is invalid, or was written under Python 3; names file, line and column.
    """
    items = _ROWS(path)
    for line, item in enumerate(items, start=1):
        if _BYTES.fullmatch(item.texts[0]):
            message = "is the text of a bytes object; run MLDoc's script without its .encode('utf-8')"
            raise InputError(message, file=path, line=line, field="document")
    return items


BINARY = ("0", "1")
STARS = ("1", "2", "3", "4", "5")


def _plans(
    train: Source, dev: Source, test: Source, *, block: int, parts: Sequence[tuple[int, ...]]
) -> tuple[Plan, Plan]:
    """Return the plan with English training data and, if these are missing, the one on parts of dev.

    ``parts`` of dev, in blocks of consecutive rows, are for fitting, for selection and, if there is a third,
    for measuring instead of test.
    """
    of = sum(map(len, parts))
    fit, select, *measure = (
        dataclasses.replace(dev, published="", take=Take(block=block, of=of, parts=part)) for part in parts
    )
    on_dev = Plan("dev-en", fit=fit, select=select, measure=test)
    if measure:
        on_dev = dataclasses.replace(on_dev, measure=measure[0], measured_on="a fifth of dev")
    return Plan("train-en", fit=train, select=dev, measure=test), on_dev


_XNLI_LANGUAGES = tuple("en de es fr zh ar bg el hi ru sw th tr ur vi".split())
_PAWSX_LANGUAGES = ("en", "de", "es", "fr", "zh", "ja", "ko")

XNLI = TransferTask(
    name="xnli",
    languages=_XNLI_LANGUAGES,
    labels=NLI,
    reader=XNLI_READER,
    plans=_plans(
        TRAIN,
        Source("transfer/XNLI/dev-{}.tsv", 2490),
        Source("transfer/XNLI/test-{}.tsv", 5010),
        block=3,  # the three hypotheses of a premise are consecutive rows
        parts=((0, 1), (2,)),
    ),
    classifier=Logistic(),
    about="XNLI (Conneau et al. 2018), three classes",
    fetch="https://cims.nyu.edu/~sbowman/xnli, as transfer/XNLI/{train-en,dev-XX,test-XX}.tsv, "
    "columns premise, hypothesis, label, no header; or multinli.train.en.tsv as it is published",
    hub=on_hub.xnli(_XNLI_LANGUAGES, NLI),
    published=transfer_rows("xnli", ACCURACY.name),
)

PAWSX = TransferTask(
    name="pawsx", languages=_PAWSX_LANGUAGES, labels=BINARY,
    reader=TsvReader(("sentence1", "sentence2"), BINARY, published=("id", "sentence1", "sentence2", "label")),
    plans=_plans(
        Source("transfer/PAWSX/train-{}.tsv", 49_401, published="transfer/PAWSX/{}/train.tsv", sample=True),
        Source("transfer/PAWSX/dev-{}.tsv", 2000), Source("transfer/PAWSX/test-{}.tsv", 2000), block=500,
        parts=((0, 1, 2), (3,)),
    ),
    classifier=Logistic(), about="PAWS-X (Yang et al. 2019), paraphrase or not",
    fetch="https://github.com/google-research-datasets/paws, as "
    "transfer/PAWSX/{train-en,dev-XX,test-XX}.tsv, columns sentence1, sentence2, label, no header; "
    "or en/train.tsv as it is published",
    hub=on_hub.pawsx(_PAWSX_LANGUAGES, BINARY), published=transfer_rows("pawsx", ACCURACY.name),
)  # fmt: skip

QAM = TransferTask(
    name="qam", languages=("en", "de", "fr"), labels=BINARY,
    reader=TsvReader(("question", "passage"), BINARY),
    plans=_plans(
        Source("transfer/QAM/train.{}", 100_000), Source("transfer/QAM/dev.{}", 10_000),
        Source("transfer/QAM/test.{}", 10_000), block=2000, parts=((0, 1, 2), (3,), (4,)),
    ),
    classifier=Logistic(), about="XGLUE question answer matching (Liang et al. 2020)",
    fetch="https://microsoft.github.io/XGLUE, xglue.qam as transfer/QAM/{train.en,dev.XX,test.XX}",
    published=transfer_rows("qam", ACCURACY.name),
)  # fmt: skip


def _marc(split: str, count: int) -> Source:
    return Source(
        f"transfer/MARC/{split}.{{}}.json", count, published=f"transfer/MARC/dataset_{{}}_{split}.json"
    )


MARC = TransferTask(
    name="marc",
    languages=("en", "de", "es", "fr", "zh", "ja"),
    labels=STARS,
    reader=JsonLinesReader(("review_body",), "stars", STARS),
    plans=_plans(
        dataclasses.replace(_marc("train", 200_000), sample=True),
        _marc("dev", 5000),
        _marc("test", 5000),
        block=1,  # the file is sorted by stars, so its parts alternate
        parts=((0, 1, 2), (3,), (4,)),
    ),
    classifier=Logistic(),
    about="Multilingual Amazon Reviews (Keung et al. 2020), body to 1-5 stars",
    fetch="the Multilingual Amazon Reviews Corpus, as transfer/MARC/{train.XX,dev.XX,test.XX}.json or "
    "dataset_XX_{train,dev,test}.json",
    published=transfer_rows("marc", ACCURACY.name),
    measures=(ACCURACY, MAE),
    other_means=(AS_PRINTED,),
)

_MLDOC_NAMES = (
    ("en", "english"), ("de", "german"), ("es", "spanish"), ("fr", "french"), ("it", "italian"),
    ("ja", "japanese"), ("ru", "russian"), ("zh", "chinese"),
)  # fmt: skip

MLDOC = TransferTask(
    name="mldoc", languages=("en", "de", "es", "fr", "it", "zh", "ja", "ru"), labels=TOPICS,
    reader=read_mldoc,
    plans=(
        Plan(
            "train-en", fit=Source("transfer/MLDoc/{}.train.1000", 1000, names=_MLDOC_NAMES),
            select=Source("transfer/MLDoc/{}.dev", 1000, names=_MLDOC_NAMES),
            measure=Source("transfer/MLDoc/{}.test", 4000, names=_MLDOC_NAMES),
        ),
    ),
    classifier=Logistic(), about="MLDoc (Schwenk and Li 2018), Reuters news to four topics",
    fetch="https://github.com/facebookresearch/MLDoc makes the files from RCV1 and RCV2, which NIST licenses "
    "(https://trec.nist.gov/data/reuters/reuters.html), as transfer/MLDoc/LANGUAGE.{train.1000,dev,test}, "
    "LANGUAGE english, german, ...",
    published=transfer_rows("mldoc", ACCURACY.name),
)  # fmt: skip


def in_senteval(task: TransferTask) -> TransferTask:
    """Return the task in the protocol of the published evaluation."""
    return dataclasses.replace(task, name=f"{task.name}-senteval", classifier=Softmax())


def in_every_language(task: TransferTask) -> TransferTask:
    """Return the task fitted on the rows of all languages together, without published rows."""
    plans = tuple(
        dataclasses.replace(
            plan, fitted_on=f"{plan.fitted_on.removesuffix('en')}XX together", fit_in=task.languages
        )
        for plan in task.plans
    )
    return dataclasses.replace(task, name=f"{task.name}-mlearn", plans=plans, published=())


def with_each_side(task: TransferTask) -> TransferTask:
    """Return a task of pairs with u and v as additional features, without published rows."""
    classifier = Logistic(pair_features=ALL_FEATURES)
    return dataclasses.replace(task, name=f"{task.name}-uv", classifier=classifier, published=())


_SKLEARN = (XNLI, PAWSX, QAM, MLDOC, MARC, in_every_language(MLDOC), in_every_language(MARC))
TRANSFER: tuple[TransferTask, ...] = (
    *_SKLEARN,
    *(in_senteval(task) for task in _SKLEARN),
    *(with_each_side(task) for task in (XNLI, PAWSX, QAM)),
    ANLI,
    XCOPA,
)
