"""Load parsers by name.

A name is a row of `PARSERS`, alone or with an argument after a colon: ``mini`` is the shipped parser,
``mini:DIR`` a parser of the same kind from a folder written by ``amrx train-parser``, ``seq2seq:DIR`` a
fine-tuned BART or mBART-50 from a Hugging Face folder, ``causal:DIR`` a language model fine-tuned to write
the graph after the sentence (English), ``amrlib:DIR`` a model of amrlib, ``graphs:FILE`` the graphs of a
file. Some parsers wrap another one: ``pivot:PARSER`` translates to English first, ``split:PARSER`` parses
texts of several sentences, as ``amrx parse`` does. A new kind of parser is a new row.
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

PARSER = "mini"
"""The default parser of ``amrx parse`` and of the retrofit."""
SPLIT = "split"
"""The parser that splits texts into sentences."""
GRAPHS = "graphs"
"""The parser that takes the graphs of a file; its texts are not split."""
MOST_WRAPPED = 8
"""Maximum number of wrapping parsers in one name."""
GONE = ("voted", "bf16")
"""Wrapping parsers of versions before 0.24."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of parser."""

    # returns the parser for the folder after the colon (or ``None``); if ``wraps``, for the loaded
    # parser after the colon
    build: Callable[..., Parser]
    form: str  # the form of its name
    help: str  # a short description
    wraps: bool = False  # whether the argument after the colon is another parser's name


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


PARSERS: dict[str, Kind] = {
    "mini": Kind(_load_mini, "mini or mini:DIR", "small, multilingual, ships with amrx"),
    "seq2seq": Kind(
        _lazy("parser.writers.seq2seq", "load_seq2seq"), "seq2seq:DIR",
        "BART or mBART-50 fine-tuned to write AMR (SPRING, XAMR)",
    ),
    "causal": Kind(
        _lazy("parser.writers.causal", "load_causal"), "causal:DIR",
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
    "pivot": Kind(
        _lazy("parser.translated", "translate_first"), "pivot:PARSER",
        "translation to English by OPUS-MT, then any parser", wraps=True,
    ),
    SPLIT: Kind(
        _lazy("parser.document", "SplitParser"), "split:PARSER", "texts of several sentences, one graph each",
        wraps=True,
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
        >>> innermost("split:mini"), innermost("pivot:seq2seq:DIR"), innermost("DIR")
        ('mini', 'seq2seq', 'mini')
    """
    before, _, rest = name.partition(":")
    if before not in PARSERS:
        return "mini"
    return innermost(rest) if PARSERS[before].wraps else before


def check_depth(name: str) -> None:
    """Raise OptionError for a name with more than `MOST_WRAPPED` wrapping parsers."""
    depth, rest = 0, name
    while depth <= MOST_WRAPPED:
        kind, colon, rest = rest.partition(":")
        if not colon or kind not in PARSERS or not PARSERS[kind].wraps:
            return
        depth += 1
    raise OptionError(f"parser {name[:40] + '...'!r} wraps more than {MOST_WRAPPED} parsers")


def _load(name: str) -> Parser:
    before, colon, rest = name.partition(":")
    kind = PARSERS.get(before)
    if kind is not None and colon and not rest:
        raise OptionError(f"parser {name!r}: nothing follows the colon")
    if kind is None:
        if name and Path(name).is_dir():
            return PARSERS["mini"].build(name)
        forms = ", ".join(kind.form for kind in PARSERS.values())
        raise OptionError(f"unknown parser {name!r}; {_hint(before)}choose from {forms}")
    if not kind.wraps:
        return kind.build(rest or None)
    if not rest:
        raise OptionError(f"parser {before!r} needs another parser: {before}:mini, {before}:seq2seq:DIR")
    return kind.build(_load(rest))


def _hint(kind: str) -> str:
    """Return advice on an unknown kind of parser, with a blank after it; empty if there is none."""
    if kind.partition("@")[0] in GONE:
        return "mini writes one graph in one pass and needs no wrapper since version 0.24; "
    near = difflib.get_close_matches(kind, PARSERS, n=1)
    return f"did you mean {near[0]!r}? " if near else ""
