"""Values of the summaries' columns."""

from __future__ import annotations

from collections.abc import Sequence

from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA_LANGUAGES
from amrx.evaluation.tasks.sts_2012_to_2016 import STS_YEARS
from amrx.evaluation.tasks.summary_tables import VMSST

TATOEBA = [language.code for language in TATOEBA_LANGUAGES]


def spread(first: float, last: float, codes: Sequence[str]) -> dict[str, float]:
    """A value for each language, their mean that of the two."""
    middle = dict.fromkeys(codes, (first + last) / 2)
    return {**middle, codes[0]: first, codes[-1]: last}


KNOWN = {task.name: task for task in VMSST.tasks}
MKQA_24 = "ar da de en es fi fr he hu it ja km ko ms nl no pl pt ru sv th tr vi zh_cn".split()
"""Languages of Table 12 of VMSST, with the name in MKQA of its "zh"."""


VALUES = {
    ("sts12-16", "pearson, mean over the files"): spread(50, 70, [year.name for year in STS_YEARS.years]),
    ("sts17", "pearson"): {
        "ar-ar": 10.0,
        "es-es": 20.0,
        "en-ar": 30.0,
        "en-es": 40.0,
        "en-tr": 50.0,
        "en-en": 99.0,
    },
    ("sts17", "spearman"): {"en-en": 1.0},
    ("nq", "R@1"): {"en": 38.0},
    ("mkqa", "R@1"): {**spread(30, 20, MKQA_24), "zh_hk": 99.0, "zh_tw": 99.0},  # in no table of the paper
    ("tatoeba", "accuracy xx→en"): spread(90, 80, TATOEBA),
    ("tatoeba", "accuracy en→xx"): spread(80, 70, TATOEBA),
    ("bucc", "F1, cosine"): spread(12, 14, [pair.language for pair in KNOWN["bucc"].pairs]),
    ("bucc", "F1, nearest English"): spread(88, 86, [pair.language for pair in KNOWN["bucc"].pairs]),
    ("bucc", "F1, margin k=4"): spread(92, 94, [pair.language for pair in KNOWN["bucc"].pairs]),
}
