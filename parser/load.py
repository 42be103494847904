"""Parsers by name.

A name is that of a row of `PARSERS`, alone or with what the row takes after a colon: ``mini`` is the parser
that ships, ``mini:DIR`` one of the same kind from a folder that ``amrx train-parser`` wrote,
``seq2seq:DIR`` a fine-tuned BART or mBART-50 from a Hugging Face folder, ``causal:DIR`` a language model that
was fine-tuned to write the graph after the sentence (English), ``amrlib:DIR`` a model of amrlib's,
``pivot:PARSER`` any of them behind a translation to English, ``readings:PARSER`` any that has beams, with the
graphs of two searches, ``consensus@K:PARSER`` any that can draw graphs: of ``K`` drawn ones and the search's
the one on which they agree most, ``voted@K:PARSER`` what they elect statement by statement. A new kind of
parser is one more row.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from amrx.errors import OptionError
from amrx.paths import name_of
from amrx.types import Parse, Parser, Sentence

PARSER = "voted:mini"
"""The parser of ``amrx parse`` and of the retrofit, by default: what nine graphs of `parser.mini` elect, and
these graphs."""


MOST_WRAPPED = 8
"""Parsers around each other in one name."""
MOST_DIGITS = 6
"""Digits of a number of draws."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of parser.

    Attributes:
        load: Gives the parser for what stands after the colon, ``None`` when nothing does; where ``counted``,
            also for the number after an ``@``.
        form: How its name is written.
        help: What it is, in a few words.
        wraps: Whether another parser's name stands after the colon.
        counted: Whether an ``@`` and a number may stand before the colon.
    """

    load: Callable[..., Parser]
    form: str
    help: str
    wraps: bool = False
    counted: bool = False


@runtime_checkable
class Searcher(Protocol):
    """A parser that can search with beams."""

    def with_beam(self, beam: int) -> Parser:
        """Return this parser with a search of ``beam`` beams."""


class Drawing(Parser, Protocol):
    """A parser that draws its graphs."""

    def readings(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[list[Parse]]:
        """Return what was drawn for each sentence, a parse each."""


@runtime_checkable
class Sampler(Protocol):
    """A parser that can draw graphs from its distribution."""

    def with_samples(self, samples: int) -> Drawing:
        """Return this parser drawing ``samples`` graphs a sentence."""


def _mini(folder: str | None) -> Parser:
    from parser.mini import load_mini

    return load_mini(None if folder is None else Path(folder))


def _seq2seq(folder: str | None) -> Parser:
    from parser.seq2seq import load_seq2seq

    return load_seq2seq(folder)


def _causal(folder: str | None) -> Parser:
    from parser.causal import load_causal

    return load_causal(folder)


def _amrlib(folder: str | None) -> Parser:
    from parser.amrlib import load_amrlib

    return load_amrlib(folder)


def _pivot(name: str | None) -> Parser:
    from parser.translated import load_pivot

    return load_pivot(name)


def _readings(name: str | None) -> Parser:
    from parser.ensemble.readings import load_readings

    return load_readings(name)


def _consensus(name: str | None, samples: int | None = None) -> Parser:
    from parser.ensemble.agreement import load_consensus

    return load_consensus(name, samples)


def _voted(name: str | None, samples: int | None = None) -> Parser:
    from parser.ensemble import load_voted

    return load_voted(name, samples)


PARSERS: dict[str, Kind] = {
    "mini": Kind(_mini, "mini or mini:DIR", "small, multilingual, ships with amrx"),
    "seq2seq": Kind(_seq2seq, "seq2seq:DIR", "BART or mBART-50 fine-tuned to write AMR (SPRING, XAMR)"),
    "causal": Kind(_causal, "causal:DIR", "English, a language model fine-tuned to write AMR"),
    "amrlib": Kind(_amrlib, "amrlib:DIR", "English through amrlib's parse_xfm; extra amrlib"),
    "pivot": Kind(_pivot, "pivot:PARSER", "translation to English by OPUS-MT, then any parser", wraps=True),
    "readings": Kind(
        _readings,
        "readings:PARSER",
        "the graphs of two searches, to be averaged",
        wraps=True,
    ),
    "consensus": Kind(
        _consensus,
        "consensus:PARSER or consensus@K:PARSER",
        "of K drawn graphs that which most agree on",
        wraps=True,
        counted=True,
    ),
    "voted": Kind(
        _voted,
        "voted:PARSER or voted@K:PARSER",
        "what K drawn graphs elect, statement by statement",
        wraps=True,
        counted=True,
    ),
}


def load(name: str | Path = PARSER, *, beam: int | None = None) -> Parser:
    """Load a parser.

    Args:
        name: A name as in the module's docstring, or a folder, which is read as ``mini:DIR``.
        beam: Beams of its search; its own default when ``None``.

    Raises:
        OptionError: There is no such parser (the message lists those there are), or it has no beams.
        MissingResourceError: Its weights are not on this machine.

    Example:
        >>> load("maxi")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        amrx.errors.OptionError: no parser 'maxi'; there are: mini or mini:DIR, seq2seq:DIR, ...
    """
    named = name_of(name)
    check_depth(named)
    parser = _load(named)
    return parser if beam is None else search(parser, beam)


def check_depth(name: str) -> None:
    """Raise OptionError for a name of more than `MOST_WRAPPED` parsers around each other."""
    depth, rest = 0, name
    while depth <= MOST_WRAPPED:
        kind, colon, rest = rest.partition(":")
        known = PARSERS.get(kind.partition("@")[0])
        if not colon or known is None or not known.wraps:
            return
        depth += 1
    raise OptionError(f"parser {name[:40] + '...'!r} wraps more than {MOST_WRAPPED} parsers")


def search(parser: Parser, beam: int) -> Parser:
    """Return ``parser`` with a search of ``beam`` beams.

    Raises:
        OptionError: It has no beams.
    """
    if not isinstance(parser, Searcher):
        raise OptionError(f"parser {parser.fingerprint!r} has no beams; it decodes greedily")
    return parser.with_beam(beam)


def draws(parser: Parser, samples: int) -> Drawing:
    """Return ``parser`` drawing ``samples`` graphs a sentence.

    Raises:
        OptionError: It cannot draw, or ``samples`` is below 1.
    """
    if not isinstance(parser, Sampler):
        raise OptionError(f"parser {parser.fingerprint!r} cannot draw graphs from its distribution")
    return parser.with_samples(samples)


def _load(name: str) -> Parser:
    kind, colon, rest = name.partition(":")
    bare, at, number = kind.partition("@")
    if colon and not rest and bare in PARSERS:
        raise OptionError(f"parser {name!r}: nothing stands after the colon")
    if at and bare in PARSERS and PARSERS[bare].counted:
        if not (number.isascii() and number.isdecimal()):
            raise OptionError(f"parser {name!r}: a whole number stands after the @, as in {bare}@8:mini")
        if len(number) > MOST_DIGITS:
            raise OptionError(f"parser {kind[:40] + '...'!r} draws too many graphs, as in {bare}@8:mini")
        return PARSERS[bare].load(rest or None, int(number))
    if kind in PARSERS:
        return PARSERS[kind].load(rest if colon else None)
    if name and Path(name).is_dir():
        return PARSERS["mini"].load(name)
    near = difflib.get_close_matches(kind, PARSERS, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise OptionError(f"no parser {name!r}; {hint}there are: {', '.join(k.form for k in PARSERS.values())}")
