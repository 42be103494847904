"""Join Tables 2-9 of Cai et al. 2022 to the rows of each task: tracks or languages, and their means.

The base ``muse`` is none of these rows: mUSE in the paper is the large Transformer, ``muse`` the
convolutional model. ``LASER`` in the paper is LASER1. Rows with a number are the paper's systems, by variant
of the AMR encoder.

"Seen" of MARC in Table 4 is the mean over de, en, es, fr and ja (mBERT 38.66), and ja is no seen language; it
is published in the column ``mean, de en es fr ja``. The mean over the seen languages, with zh, is that of
Table 8 (mBERT 39.56), and its rows say so. For Xpara on QAM, Table 4 gives 56.25 and Table 9 58.66; Table 4
is used.
"""

from statistics import fmean

from amrx.evaluation.results.published import Published, table_rows

SOURCE = "Cai et al. 2022"
AS_PRINTED = ("de", "en", "es", "fr", "ja")
"""Languages of MARC whose mean Table 4 prints as seen."""
_SEEN = ("de", "en", "es", "fr", "zh")
_BY_LANGUAGE = {"mldoc": 5, "xnli": 6, "pawsx": 7, "marc": 8, "qam": 9}


def _table(number: int) -> dict[str, Published]:
    return {row.encoder: row for row in table_rows(f"cai-2022-table-{number}")}


def similarity_rows() -> tuple[Published, ...]:
    """Return the tracks of STS17 and their means, Tables 2 and 3."""
    return tuple(
        Published(name, row.means + other.means, SOURCE, languages=row.languages + other.languages)
        for (name, row), other in zip(_table(2).items(), _table(3).values(), strict=True)
    )


def transfer_rows(task: str, metric: str) -> tuple[Published, ...]:
    """Return the accuracies of a transfer task: means of Table 4, languages of Tables 5-9."""
    languages = _table(_BY_LANGUAGE[task])
    rows = []
    for name, row in _table(4).items():
        seen, every = (dict(row.means)[f"{task}:{group}"] for group in ("seen", "all"))
        source, means = SOURCE, {"mean, seen": seen, "mean, all": every}
        own = languages[name].languages
        if task == "marc":
            source = f"{SOURCE}; seen from Table 8"
            means["mean, seen"] = round(fmean(dict(own)[code] for code in _SEEN), 2)
            means[f"mean, {' '.join(AS_PRINTED)}"] = seen
        rows.append(Published(f"{name}, fitted on train-en", tuple(means.items()), source, metric, own))
    return tuple(rows)
