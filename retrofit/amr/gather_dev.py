"""The dev pairs that choose the AMR encoder's weights: STS-B dev, parsed (see `retrofit.amr.dev`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amrx.types import Parser
from linearize.walk import Form
from retrofit.amr.gather import CACHE, Gathered, parse_rows, write_lines
from retrofit.fit import stsb_pairs


def write_dev(
    out: Path,
    data: Path,
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
