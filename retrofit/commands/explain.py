"""Run ``amrx explain``: show why two sentences match."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from amrx import cli_options as options
from amrx.device import use_device
from amrx.errors import OptionError
from amrx.threads import limit_threads
from amrx.types import Sentence
from parser.load import PARSER
from retrofit.commands.input_sentences import OwnIntegration, OwnParser


def explain(
    sentence_a: Annotated[str | None, typer.Argument(help="First sentence.")] = None,
    sentence_b: Annotated[str | None, typer.Argument(help="Second sentence, in any language.")] = None,
    pairs: Annotated[
        str | None, typer.Option(help="Explain the pairs of a .tsv, .csv or .jsonl file, as of amrx pairs.")
    ] = None,
    columns: Annotated[
        str,
        typer.Option(
            help="Columns of the two texts of --pairs. The language of text_X is in lang_X, else in lang; "
            "likewise its id."
        ),
    ] = "text_a,text_b",
    lang_a: Annotated[
        str | None,
        typer.Option(help="Language of the first sentence, if --pairs does not name it; default: detected."),
    ] = None,
    lang_b: Annotated[
        str | None, typer.Option(help="Language of the second sentence, likewise; default: detected.")
    ] = None,
    base: options.Base = "muse",
    weight: options.Weight = None,
    integration: OwnIntegration = None,
    parser: OwnParser = None,
    encoder: Annotated[
        str | None, typer.Option(help="Channels, with commas; one reads graphs; default mini.")
    ] = None,
    preset: options.Preset = None,
    split: options.Split = True,
    output: Annotated[str, typer.Option("--output", "-o", help="Text; - is standard output.")] = "-",
    json: Annotated[Path | None, typer.Option(help="Write the explanation as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page with both graphs side by side.")] = None,
    cache: options.ParsesCached = None,
    no_cache: options.NoCache = False,
    device: options.Device = None,
    threads: options.Threads = None,
) -> None:
    """Explain why two sentences match: cosine and share of each channel, both graphs, their facts.

    Channels without graphs, as in --preset fast, give the cosines alone, without loading a parser; --parser
    adds the graphs.
    """
    limit_threads(threads)
    use_device(device)
    from amrx import langid
    from amrx.device import progress
    from amrx.records import check_writable
    from amrx.records.writing import check_apart, is_device, open_text
    from amrx.threads import set_threads
    from parser.run.cache import ParseCache
    from retrofit.explain import Explanation, as_json, as_text, explain_pair, score_pair
    from retrofit.explain_page import as_html
    from retrofit.load import channels_beside, load, load_reader

    for code in filter(None, (lang_a, lang_b)):
        langid.check(code)
    records = read_pairs((sentence_a, sentence_b), pairs, columns, (lang_a, lang_b))
    outputs = [one for one in (output, json, html) if one is not None]
    for number, given in enumerate(outputs):
        check_writable(given, *([] if pairs is None else [pairs]))
        check_apart(given, Path(given), [one for one in outputs[:number] if not is_device(Path(one))])
    encoders = channels_beside(base, encoder, preset)
    with ExitStack() as stack:
        kept = ParseCache.chosen(cache, off=no_cache, stack=stack)
        set_threads()
        loaded = load(base, parser, encoders, weight, split=split, integration=integration, cache=kept)
        reader = loaded.parser
        if reader is None and parser is not None:
            reader = load_reader(parser, split=split, cache=kept)
        if reader is None and html is not None:
            raise OptionError(
                f"--html shows graphs, which {loaded.name} does not read; add --parser {PARSER}"
            )
        explained = score_pair if reader is None else partial(explain_pair, parser=reader)
        explanations = [
            replace(
                explained(a.text, b.text, lang=(a.lang, b.lang), encoder=loaded),
                ids=None if pairs is None else (a.id, b.id),
            )
            for a, b in progress(records, description="explain")
        ]
    if json is not None:
        texts = [as_json(explanation) for explanation in explanations]
        with open_text(json) as stream:
            stream.write(texts[0] if pairs is None else f"[{','.join(texts)}]\n")
    if html is not None:
        with open_text(html) as stream:
            stream.write(as_html(*(one for one in explanations if isinstance(one, Explanation))))
    with open_text(output) as stream:
        stream.write("\n\n".join(map(as_text, explanations)))


def read_pairs(
    sentences: tuple[str | None, str | None],
    file: str | None,
    columns: str,
    langs: tuple[str | None, str | None],
) -> list[tuple[Sentence, Sentence]]:
    """Return the two given sentences, or the pairs of a file; identifiers may repeat."""
    from amrx.records import read_sentences
    from amrx.records.files import kind_of
    from amrx.records.rereading import seekable
    from amrx.records.sentence_files import ID_COLUMNS, LANG_COLUMNS

    if (file is None) != (None not in sentences) or file is not None and sentences != (None, None):
        raise OptionError("give two sentences, or --pairs FILE")
    names = columns.split(",")
    if len(names) != 2:
        raise OptionError(f"--columns must be two names separated by a comma, got {columns!r}")
    if file is not None:
        if kind_of(file) not in ("tsv", "csv", "jsonl", "json", "parquet"):
            raise OptionError(f"--pairs needs a table, such as amrx pairs -o FILE.tsv writes, got {file!r}")
        with seekable(file) as path:
            sides = [
                read_sentences(
                    path,
                    column=name,
                    lang=lang,
                    usual_langs=(*columns_beside(name, "lang"), *LANG_COLUMNS),
                    usual_ids=(*columns_beside(name, "id"), *ID_COLUMNS),
                )
                for name, lang in zip(names, langs, strict=True)
            ]
            return list(zip(sides[0], sides[1], strict=True))
    if file := next((text for text in sentences if text and os.path.isfile(text)), None):
        raise OptionError(f"{file!r} is a file, and explain takes two sentences, or --pairs FILE")
    given = zip("ab", sentences, langs, strict=True)
    records = [Sentence(letter, text or "", lang) for letter, text, lang in given]
    for record, name in zip(records, ("first", "second"), strict=True):
        if not record.text.strip():
            raise OptionError(f"the {name} sentence is empty")
    return [(records[0], records[1])]


def columns_beside(column: str, kind: str) -> list[str]:
    """Return the column of a kind (``lang`` or ``id``) of a column of texts, if its name says so.

    Example:
        >>> columns_beside("text_a", "lang"), columns_beside("German", "id")
        (['lang_a'], [])
    """
    side = column.removeprefix("text_")
    return [] if side == column else [f"{kind}_{side}"]
