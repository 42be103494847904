"""The dev pairs that choose the AMR encoder's weights: STS-B dev, parsed (see `retrofit.amr.dev`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from amrx.errors import InputError
from amrx.evaluate.folders import Data
from amrx.evaluate.public import data_cache, provide
from amrx.evaluate.tasks import STSB_DEV
from amrx.types import Parser
from linearize.walk import Form
from retrofit.amr.gather import CACHE, Gathered, parse_rows, write_lines
from retrofit.fit import stsb_pairs


def find_dev(data: Path | None, langs: Sequence[str], *, progress: bool = False) -> tuple[Data, list[str]]:
    """Find STS-B dev in the data folder, else in the cache of what was fetched, else on the hub.

    Args:
        data: Data folder, which comes first.
        langs: Languages that are wanted.
        progress: Show a bar.

    Returns:
        The folders that have the files, and a line for each place they come from.

    Raises:
        InputError: A file can be had nowhere (says what to fetch), or a row is wrong.
    """
    paths = {f"sts/stsb/{lang}/dev.csv" for lang in langs}
    wanted = replace(STSB_DEV, hub=tuple(file for file in STSB_DEV.hub if file.path in paths))
    provided = provide([wanted], data, data_cache(off=False), progress=progress)
    try:
        for lang in langs:
            stsb_pairs(provided.data, lang)
    except InputError as error:
        why = "".join(f"; {line}" for line in provided.refused)
        raise InputError(f"{error}{why}") from None
    return provided.data, provided.origins


def write_dev(
    out: Path,
    data: Data,
    langs: Sequence[str],
    parser: Parser,
    *,
    form: Form = "paper",
    progress: bool = False,
) -> int:
    """Write ``dev_sentences``, ``dev_parses`` and ``dev_pairs`` into a corpus folder; return the pairs.

    Args:
        out: Corpus folder.
        data: Folder of ``sts/stsb/LANG/dev.csv``.
        langs: Languages, each of which gives its own pairs.
        parser: The one of the corpus.
        form: The one of the corpus.
        progress: Show a bar.

    Raises:
        InputError: A dev file is missing or a row is wrong.
        OutputError: The folder cannot be written.
    """
    found, pairs = Gathered(), []
    for lang in langs:
        for first, second, score in stsb_pairs(data, lang):
            place = len(found.sentences)
            found.sentences += [(place, lang, first), (place + 1, lang, second)]
            pairs.append({"a": place, "b": place + 1, "score": score, "lang": lang})
    write_lines(
        out / "dev_sentences.jsonl",
        ({"id": i, "lang": lang, "text": text} for i, lang, text in found.sentences),
    )
    write_lines(out / "dev_parses.jsonl", parse_rows(out / CACHE, found, parser, form, progress=progress))
    write_lines(out / "dev_pairs.jsonl", pairs)
    return len(pairs)
