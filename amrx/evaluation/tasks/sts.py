"""Define the similarity tasks."""

from amrx.evaluation.hub_data.forms import Field, HubData, HubFile, Table, comma_separated
from amrx.evaluation.results.published import printed, table_rows
from amrx.evaluation.results.published_amr import similarity_rows
from amrx.evaluation.tasks.scored_pairs import read_csv, read_tsv
from amrx.evaluation.tasks.similarity import Task, Track


def _sts17(language: str, first: str, second: str) -> Track:
    return Track(language, f"sts/sts17/{language}.tsv", (first, second), 250)


_STS17_DATA = HubData(
    "mteb/sts17-crosslingual-sts", "CC BY-SA 4.0", "faeb762787bd10488a50c8b5be4a3b82e411949c"
)
_STSB_DATA = HubData(
    "mteb/stsb_multi_mt", "as STS-B, CC BY-SA 4.0", "29afa2569dcedaaa2fe6a3dcfebab33d28b82e8c"
)
_STS17_TRACKS = (
    _sts17("ar-ar", "ar", "ar"), _sts17("en-en", "en", "en"), _sts17("es-es", "es", "es"),
    _sts17("en-ar", "en", "ar"), _sts17("en-de", "en", "de"), _sts17("en-tr", "en", "tr"),
    _sts17("en-es", "es", "en"), _sts17("en-fr", "fr", "en"), _sts17("en-it", "it", "en"),
    _sts17("en-nl", "nl", "en"),
)  # fmt: skip


def _sts17_on_hub(track: Track) -> HubFile:
    """Return the hub file of a track; the hub names tracks by their columns."""
    form = Table((Field("sentence1"), Field("sentence2"), Field("score")))
    return HubFile(track.file, _STS17_DATA, f"test/{'-'.join(track.columns)}.jsonl.gz", form)


def _stsb_on_hub(code: str, split: str) -> HubFile:
    form = Table((Field("sentence1"), Field("sentence2"), Field("similarity_score")), comma_separated)
    return HubFile(f"sts/stsb/{code}/{split}.csv", _STSB_DATA, f"{split}/{code}.parquet", form)


_MTEB = "MTEB results"
"""Means over tracks of ``cosine_spearman``, in STS17.json of github.com/embeddings-benchmark/results."""

STS17 = Task(
    name="sts17", group="similarity", tracks=_STS17_TRACKS, loader=read_tsv, metrics=("spearman", "pearson"),
    note="SemEval-2017 task 1, extended by Reimers and Gurevych 2020; cosine, no training",
    fetch="https://sbert.net/datasets/STS2017-extended.zip, each STS.<pair>.txt as sts/sts17/<pair>.tsv",
    hub=tuple(_sts17_on_hub(track) for track in _STS17_TRACKS),
    published=similarity_rows()
    + printed(
        """
        LaBSE: 76.45 73.62
        multilingual-e5-base: 83.02 76.12
        paraphrase-multilingual-MiniLM-L12-v2: 83.86 81.04
        paraphrase-multilingual-mpnet-base-v2: 83.74 81.87
        """,
        ("monolingual", "cross-lingual"),
        _MTEB,
    )
    + table_rows("wieting-2023-table-10-spearman")
    + table_rows("wieting-2023-table-10-pearson", "pearson"),
)  # fmt: skip

_STSB_LANGUAGES = ("de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "zh")


def _stsb_task(name: str, split: str, count: int, note: str) -> Task:
    return Task(
        name=name,
        group="similarity",
        tracks=tuple(
            Track(code, f"sts/stsb/{code}/{split}.csv", (code, code), count) for code in _STSB_LANGUAGES
        ),
        loader=read_csv,
        metrics=("spearman", "pearson"),
        note=note,
        fetch=f"https://github.com/PhilipMay/stsb-multi-mt, data/stsb-<lang>-{split}.csv as "
        f"sts/stsb/<lang>/{split}.csv",
        hub=tuple(_stsb_on_hub(code, split) for code in _STSB_LANGUAGES if code != "ja"),
    )


STSB_DEV = _stsb_task(
    "stsb-dev",
    "dev",
    1500,
    "STS Benchmark dev, machine-translated; the weight of a second channel is fitted here",
)
STSB = _stsb_task(
    "stsb",
    "test",
    1379,
    "STS Benchmark test (Cer et al. 2017), machine-translated; cosine, no training; in English it shares "
    "sentence pairs with sts17",
)
