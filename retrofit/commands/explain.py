"""``amrx explain``: why two sentences match."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from amrx.cli_options import Preset, Threads, Weight
from amrx.errors import OptionError
from amrx.threads import limit_threads
from parser.load import PARSER


def explain(
    sentence_a: Annotated[str, typer.Argument(help="First sentence.")],
    sentence_b: Annotated[str, typer.Argument(help="Second sentence, in any language.")],
    lang_a: Annotated[str | None, typer.Option(help="Language of the first; default: detected.")] = None,
    lang_b: Annotated[str | None, typer.Option(help="Language of the second; default: detected.")] = None,
    base: Annotated[str, typer.Option(help="Base encoder: one that amrx bases lists, or a folder.")] = "muse",
    weight: Weight = None,
    integration: Annotated[str, typer.Option(help="norm-concat, concat, norm-add or add.")] = "norm-concat",
    parser: Annotated[str, typer.Option(help="Parser: name or folder.")] = PARSER,
    encoder: Annotated[
        str | None, typer.Option(help="Channels, with commas; one reads graphs; default mini.")
    ] = None,
    preset: Preset = None,
    json: Annotated[Path | None, typer.Option(help="Write the explanation as JSON.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write a page with both graphs side by side.")] = None,
    threads: Threads = None,
) -> None:
    """Tell why two sentences match: each channel's cosine and share, both graphs, their facts."""
    limit_threads(threads)
    from amrx import langid
    from amrx.records import atomic_path, check_writable
    from amrx.threads import set_threads
    from retrofit.explain import as_json, as_text, explain_sentences
    from retrofit.explain_page import as_html
    from retrofit.load import channel_names, load

    for name, text in (("first", sentence_a), ("second", sentence_b)):
        if not text.strip():
            raise OptionError(f"the {name} sentence is empty")
    for code in filter(None, (lang_a, lang_b)):
        langid.check(code)
    for given in filter(None, (json, html)):
        check_writable(given)
    encoders = channel_names(encoder, preset)
    set_threads()
    loaded = load(base, parser, encoders, weight, integration=integration)
    explanation = explain_sentences(loaded, sentence_a, sentence_b, langs=(lang_a, lang_b))
    for path, render in ((json, as_json), (html, as_html)):
        if path is not None:
            with atomic_path(path) as temporary:
                temporary.write_text(render(explanation), "utf-8")
    sys.stdout.write(as_text(explanation))
