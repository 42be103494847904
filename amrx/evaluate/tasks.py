"""The similarity tasks, one row of data each."""

from __future__ import annotations

from amrx.evaluate.contract import Published
from amrx.evaluate.pairs import read_csv, read_tsv
from amrx.evaluate.similarity import Task, Track


def _sts17(language: str, first: str, second: str) -> Track:
    return Track(language, f"sts/sts17/{language}.tsv", (first, second), 250)


def _stsb(language: str) -> Track:
    return Track(language, f"sts/stsb/{language}/dev.csv", (language, language), 1500)


STS17 = Task(
    name="sts17",
    group="similarity",
    tracks=(
        _sts17("ar-ar", "ar", "ar"),
        _sts17("en-en", "en", "en"),
        _sts17("es-es", "es", "es"),
        _sts17("en-ar", "en", "ar"),
        _sts17("en-de", "en", "de"),
        _sts17("en-tr", "en", "tr"),
        _sts17("en-es", "es", "en"),
        _sts17("en-fr", "fr", "en"),
        _sts17("en-it", "it", "en"),
        _sts17("en-nl", "nl", "en"),
    ),
    loader=read_tsv,
    metrics=("spearman", "pearson"),
    note="SemEval-2017 task 1, extended by Reimers and Gurevych 2020; cosine, no training",
    fetch="https://sbert.net/datasets/STS2017-extended.zip, each STS.<pair>.txt as sts/sts17/<pair>.tsv",
    published=(
        Published(
            "mBERT, mean pooling", (("monolingual", 53.97), ("cross-lingual", 27.47)), "Cai et al. 2022"
        ),
    ),
)

STSB_DEV = Task(
    name="stsb-dev",
    group="similarity",
    tracks=tuple(_stsb(code) for code in ("de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "zh")),
    loader=read_csv,
    metrics=("spearman", "pearson"),
    note="STS Benchmark dev, machine-translated; the weight of a second channel is fitted here",
    fetch="https://github.com/PhilipMay/stsb-multi-mt, data/stsb-<lang>-dev.csv as sts/stsb/<lang>/dev.csv",
)

SIMILARITY: tuple[Task, ...] = (STS17, STSB_DEV)
