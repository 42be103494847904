"""XCOPA: choose which of two sentences is the cause, or the effect, of a third.

::

    <data>/xcopa/XX/{val,test}.XX.jsonl    premise, choice1, choice2, question, label; one object per line
    <data>/xcopa/en/train.en.jsonl         COPA's own train.jsonl, of SuperGLUE
    <data>/xcopa/siqa/train.siqa.jsonl     Social IQa's train.jsonl, with its train-labels.lst

Emma-X (Guo et al. 2023, appendix C) fits on Social IQa (Sap et al. 2019) and COPA: a context and its question
are one text, each of three answers the other. If Social IQa is missing, the fit is on COPA alone. If COPA is
missing, it is on half of the val rows of all languages together, and the metric says so.
"""

from amrx.evaluation.tasks.transfer import on_hub
from amrx.evaluation.tasks.transfer.classifier import OF_TWO
from amrx.evaluation.tasks.transfer.logistic import Logistic
from amrx.evaluation.tasks.transfer.read import ChoiceReader
from amrx.evaluation.tasks.transfer.source import Plan, Source, Take
from amrx.evaluation.tasks.transfer.task import TransferTask

_LANGUAGES = ("et", "ht", "id", "it", "qu", "sw", "ta", "th", "tr", "vi", "zh")
_COPA = Source(
    "xcopa/{0}/train.{0}.jsonl",
    800,
    counts=(("siqa", 3 * 33_410),),
    published="xcopa/{0}/train.jsonl",
    code="en",
)
_VAL, _TEST = Source("xcopa/{0}/val.{0}.jsonl", 200), Source("xcopa/{0}/test.{0}.jsonl", 1000)
_HALVES = tuple(Take(block=2, of=2, parts=(part,)) for part in (0, 1))  # two rows per question

XCOPA = TransferTask(
    name="xcopa", languages=_LANGUAGES, labels=("wrong", "right"), reader=ChoiceReader(),
    plans=(
        Plan("SIQA and train-en", fit=_COPA, select=_VAL, measure=_TEST, fit_in=("en", "siqa")),
        Plan("train-en", fit=_COPA, select=_VAL, measure=_TEST),
        Plan(
            "val-XX together", fit=Source("xcopa/{0}/val.{0}.jsonl", 200, _HALVES[0]),
            select=Source("xcopa/{0}/val.{0}.jsonl", 200, _HALVES[1]), measure=_TEST, fit_in=_LANGUAGES,
        ),
    ),
    classifier=Logistic(),
    about="XCOPA (Ponti et al. 2020), which of two sentences is the cause or the effect: the one whose pair "
    "of cause and effect is likelier",
    fetch="https://github.com/cambridgeltl/xcopa, data as xcopa, and "
    "https://dl.fbaipublicfiles.com/glue/superglue/data/v2/COPA.zip, train.jsonl as xcopa/en/train.en.jsonl; "
    "https://storage.googleapis.com/ai2-mosaic/public/socialiqa/socialiqa-train-dev.zip, train.jsonl and "
    "train-labels.lst as xcopa/siqa",
    hub=on_hub.xcopa(_LANGUAGES), measures=(OF_TWO,),
)  # fmt: skip
