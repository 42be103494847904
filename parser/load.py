"""Load parsers by name.

A name is a row of `PARSERS`, alone or with an argument after a colon: ``mini`` is the shipped parser,
``mini:DIR`` a parser of the same kind from a folder written by ``amrx train-parser``, ``seq2seq:DIR`` a
fine-tuned BART or mBART-50 from a Hugging Face folder, ``causal:DIR`` a language model fine-tuned to write
the graph after the sentence (English), ``amrlib:DIR`` a model of amrlib, ``onepass:DIR`` a parser that reads
and writes in one pass and is to replace ``mini``, ``graphs:FILE`` the graphs of a file. Some parsers wrap
another one: ``bf16:mini`` multiplies in bfloat16, ``pivot:PARSER`` translates to English first,
``voted@K:PARSER`` elects a graph by the votes of the graph found by search and of ``K`` sampled graphs,
statement by statement, ``split:PARSER`` parses texts of several sentences, as ``amrx parse`` does. A new kind
of parser is a new row.
"""

import difflib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from amrx.device import default_device
from amrx.encoder import as_sentences
from amrx.errors import OptionError
from amrx.pretrained.hub import name_of
from amrx.types import Parse, Parser, Sentences
from amrx.validation import parse_checked
from parser.protocols import search

PARSER = "voted:mini"
"""The default parser of ``amrx parse`` and of the retrofit: nine graphs of `parser.mini`, and the graph that
they elect."""

SPLIT = "split"
"""The parser that splits texts into sentences."""
GRAPHS = "graphs"
"""The parser that takes the graphs of a file; its texts are not split."""
MOST_WRAPPED = 8
"""Maximum number of wrapping parsers in one name."""
MOST_DIGITS = 4
"""Maximum number of digits of the number of samples; preparing for more takes minutes and gigabytes."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of parser."""

    # returns the parser for the folder after the colon (or ``None``); if ``wraps``, for the loaded
    # parser after the colon; if ``counted``, also for the number after an ``@``
    build: Callable[..., Parser]
    form: str  # the form of its name
    help: str  # a short description
    wraps: bool = False  # whether the argument after the colon is another parser's name
    counted: bool = False  # whether ``@`` and a number may precede the colon
    inner: str = ""  # the default wrapped parser; empty if it must be named


def _lazy(module: str, name: str) -> Callable[..., Parser]:
    """Return a function that imports the module of the named function and calls it."""

    def build(*arguments: object) -> Parser:
        function: Callable[..., Parser] = getattr(import_module(module), name)
        return function(*arguments)

    return build


def _load_mini(folder: str | None = None) -> Parser:
    """Load a parser ``mini``, on the CPU unless ``AMRX_DEVICE`` names another device."""
    load_mini: Callable[..., Parser] = import_module("parser.mini").load_mini
    return load_mini(folder, device=default_device("cpu"))


def _load_onepass(folder: str | None = None) -> Parser:
    """Load a parser ``onepass``, on the CPU unless ``AMRX_DEVICE`` names another device."""
    load_onepass: Callable[..., Parser] = import_module("parser.onepass.parser").load_onepass
    return load_onepass(folder, device=default_device("cpu"))


PARSERS: dict[str, Kind] = {
    "mini": Kind(_load_mini, "mini or mini:DIR", "small, multilingual, ships with amrx"),
    "onepass": Kind(
        _load_onepass, "onepass:DIR", "multilingual, all nodes and edges at once (`parser.onepass`)"
    ),
    "seq2seq": Kind(
        _lazy("parser.seq2seq", "load_seq2seq"), "seq2seq:DIR",
        "BART or mBART-50 fine-tuned to write AMR (SPRING, XAMR)",
    ),
    "causal": Kind(
        _lazy("parser.causal", "load_causal"), "causal:DIR",
        "English, a language model fine-tuned to write AMR",
    ),
    "amrlib": Kind(
        _lazy("parser.amrlib", "load_amrlib"), "amrlib:DIR",
        "English by amrlib's parse_xfm; extra amrlib",
    ),
    GRAPHS: Kind(
        _lazy("parser.stored", "load_stored"), "graphs:FILE",
        "the graphs of a PENMAN or .jsonl file, by sentence",
    ),
    "bf16": Kind(
        _lazy("parser.mini.bfloat16", "in_bfloat16"), "bf16:mini",
        "mini with products in bfloat16: faster where the processor has them, as voted:bf16:mini", wraps=True,
        inner="mini",
    ),
    "pivot": Kind(
        _lazy("parser.translated", "translate_first"), "pivot:PARSER",
        "translation to English by OPUS-MT, then any parser", wraps=True,
    ),
    SPLIT: Kind(
        _lazy("parser.document", "SplitParser"), "split:PARSER", "texts of several sentences, one graph each",
        wraps=True,
    ),
    "voted": Kind(
        _lazy("parser.ensemble.voted_parser", "vote"), "voted:PARSER or voted@K:PARSER",
        "graph elected by K sampled graphs, statement by statement", wraps=True, counted=True, inner="mini",
    ),
}  # fmt: skip


def load(name: str | Path = PARSER, *, beam: int | None = None) -> Parser:
    """Load a parser.

    Args:
        name: A name as in the module's docstring, or a folder, which is read as ``mini:DIR``.
        beam: Number of beams of its search; its own default when ``None``.

    Raises:
        OptionError: The parser is unknown (the message lists the known ones), or has no beam search.
        MissingResourceError: Its weights are not on this machine.
    """
    named = name_of(name)
    check_depth(named)
    parser = _load(named)
    return parser if beam is None else search(parser, beam)


def parse(
    sentences: Sentences,
    *,
    lang: str | Iterable[str] | None = None,
    parser: str | Path | Parser = PARSER,
    split: bool = True,
    batch_size: int = 64,
    progress: bool = False,
) -> list[Parse]:
    """Parse sentences to AMR graphs; one ``Parse`` per sentence, in order.

    Every call loads the parser, which takes seconds; for many calls load it once, with `load`.

    Args:
        sentences: Strings or records, or one of them.
        lang: ISO 639-1 code of all strings, or one code per sentence; detected when ``None``.
        parser: A parser, or its name or folder, as `load` takes it.
        split: Parse each sentence of a text; the graphs are joined under one ``multi-sentence``.
        batch_size: Sentences per batch of the model.
        progress: Draw a bar on standard error.

    Raises:
        InputError: A sentence is not a string; the message names its position.
        OptionError: There is no such parser, or a language code is unknown.
        MissingResourceError: The parser's weights are not on this machine.
    """
    records = as_sentences(sentences, lang)
    loaded = load(parser) if isinstance(parser, str | os.PathLike) else parser
    check_parser(loaded)
    if split and not loaded.fingerprint.startswith((SPLIT, GRAPHS)):
        loaded = PARSERS[SPLIT].build(loaded)
    return parse_checked(loaded, records, batch_size=batch_size, progress=progress)


def check_parser(parser: object) -> None:
    """Raise OptionError for an object that is not a parser."""
    if not isinstance(parser, Parser):
        rule = "a parser must be a name, a folder or an object with parse and fingerprint"
        raise OptionError(f"{rule}, got {parser!r}")


def with_split(name: str) -> str:
    """Return the name of the parser that splits texts before the named one; stored graphs are of whole texts.

    Example:
        >>> with_split("mini"), with_split("split:mini"), with_split("graphs:gold.amr")
        ('split:mini', 'split:mini', 'graphs:gold.amr')
    """
    return name if name.startswith((f"{SPLIT}:", f"{GRAPHS}:")) else f"{SPLIT}:{name}"


def innermost(name: str) -> str:
    """Return the kind of the parser inside all wrapping ones; a folder is of kind ``mini``.

    Example:
        >>> innermost("split:voted@4:mini"), innermost("pivot:seq2seq:DIR"), innermost("voted")
        ('mini', 'seq2seq', 'mini')
    """
    before, _, rest = name.partition(":")
    bare = before.partition("@")[0]
    if bare not in PARSERS:
        return "mini"
    return innermost(rest or PARSERS[bare].inner) if PARSERS[bare].wraps else bare


def check_depth(name: str) -> None:
    """Raise OptionError for a name with more than `MOST_WRAPPED` wrapping parsers."""
    depth, rest = 0, name
    while depth <= MOST_WRAPPED:
        kind, colon, rest = rest.partition(":")
        known = PARSERS.get(kind.partition("@")[0])
        if not colon or known is None or not known.wraps:
            return
        depth += 1
    raise OptionError(f"parser {name[:40] + '...'!r} wraps more than {MOST_WRAPPED} parsers")


def _load(name: str) -> Parser:
    before, colon, rest = name.partition(":")
    bare, at, number = before.partition("@")
    kind = PARSERS.get(bare)
    if kind is not None and colon and not rest:
        raise OptionError(f"parser {name!r}: nothing follows the colon")
    if kind is None or (at and not kind.counted):
        if name and Path(name).is_dir():
            return PARSERS["mini"].build(name)
        near = difflib.get_close_matches(before, PARSERS, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        forms = ", ".join(kind.form for kind in PARSERS.values())
        raise OptionError(f"unknown parser {name!r}; {hint}choose from {forms}")
    if at and not (number.isascii() and number.isdecimal()):
        raise OptionError(f"parser {name!r}: a whole number must follow the @, as in {bare}@8:mini")
    if len(number) > MOST_DIGITS:
        shown = number if len(number) <= 40 else number[:40] + "..."
        raise OptionError(
            f"parser {bare!r}: the number after @ must have at most {MOST_DIGITS} digits, got {shown}"
        )
    if not kind.wraps:
        return kind.build(rest or None)
    if not (rest or kind.inner):
        raise OptionError(f"parser {bare!r} needs another parser: {bare}:mini, {bare}:seq2seq:DIR")
    return kind.build(_load(rest or kind.inner), *([int(number)] if at else []))
