"""Translate to English, then parse: the parser ``pivot:PARSER``.

::

    "Der Junge will gehen." (de) ──OPUS-MT de-en──> "The boy wants to go." ──PARSER──> graph
    "The boy wants to go."  (en) ──────────────────────────────────────────PARSER──> graph

The strong baseline of the literature (Uhrig et al., "Translate, then Parse!", IWPT 2021). The models are
those of `amrx.translate.marian`, which says where they are looked for: the folder that ``AMRX_OPUS_MT``
names, then the hub's cache (``hf download Helsinki-NLP/opus-mt-de-en``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from amrx.encoder import as_sentences
from amrx.errors import OptionError
from amrx.langid import detect
from amrx.types import Parse, Parser, Sentence, Sentences
from parser.run.stream import parse_stream

if TYPE_CHECKING:
    from amrx.translate.marian import OpusTranslator

PIVOT = "en"


class PivotParser:
    """Any parser, fed with English; is itself a parser.

    Args:
        inner: Parses the English.
        translator: Gives the models of the pairs; each is loaded when its language comes, and stays loaded
            while every call has that language.
    """

    def __init__(self, inner: Parser, translator: OpusTranslator) -> None:
        self.inner, self.translator = inner, translator
        self._loaded: set[str] = set()
        self.fingerprint = f"pivot-{translator.fingerprint(PIVOT)}:{inner.fingerprint}"

    def with_beam(self, beam: int) -> PivotParser:
        """Return this parser with a search of ``beam`` beams in the parser that is fed.

        Raises:
            OptionError: That parser has no beams.
        """
        from parser.load import search

        return PivotParser(search(self.inner, beam), self.translator)

    def parse(
        self,
        sentences: Sentences,
        *,
        lang: str | Iterable[str] | None = None,
        batch_size: int = 64,
        progress: bool = False,
    ) -> list[Parse]:
        """Parse sentences; one ``Parse`` each, in order, with the text and language of the original.

        A sentence whose translation is empty fails. Alignments are kept for English alone: those of a
        translation point into another text.

        Raises:
            MissingResourceError: The model of a language is not on this machine.
        """
        records = as_sentences(sentences, lang)
        unknown = [i for i, sentence in enumerate(records) if sentence.lang is None]
        found = dict(zip(unknown, detect([records[i].text for i in unknown]), strict=True))
        langs = [sentence.lang or found[i] for i, sentence in enumerate(records)]
        english = [sentence.text for sentence in records]
        cut: set[int] = set()
        foreign = set(langs) - {PIVOT}
        for code in self._loaded - foreign:  # else a file of many languages would fill the memory
            self.translator.forget(code, PIVOT)
        self._loaded = foreign
        for code in sorted(foreign):
            rows = [i for i, own in enumerate(langs) if own == code]
            pair = self.translator.pair(code, PIVOT)
            made = pair.translate([english[i] for i in rows], batch_size=batch_size, show=progress)
            for i, translation in zip(rows, made, strict=True):
                english[i] = translation.text
                cut.update([i] if translation.cut else [])
        asked = [
            replace(sentence, text=text, lang=PIVOT) for sentence, text in zip(records, english, strict=True)
        ]
        parses = parse_stream(self.inner, asked, batch_size=batch_size)  # keeps blank ones from the parser
        return [
            self._as_original(parse, records[i], langs[i], cut=i in cut) for i, parse in enumerate(parses)
        ]

    def _as_original(self, parse: Parse, sentence: Sentence, lang: str, *, cut: bool) -> Parse:
        notes = ["translation cut at the longest length"] if cut else []
        if sentence.text.strip() and not parse.text.strip():
            notes.append("translation is empty")
        return replace(
            parse,
            text=sentence.text,
            lang=lang,
            status="repaired" if notes and parse.status == "ok" else parse.status,
            repairs=(*parse.repairs, *notes),
            alignments=parse.alignments if lang == PIVOT else {},
            parser=self.fingerprint,
        )


def load_pivot(name: str | None) -> PivotParser:
    """Load the parser that is named and put the translation in front of it.

    Raises:
        OptionError: No parser is named, or there is none of that name.
        MissingResourceError: Its weights are not on this machine.
    """
    if name is None:
        raise OptionError("parser 'pivot' needs one to feed: pivot:mini, pivot:seq2seq:DIR")
    from amrx.translate.marian import OpusTranslator
    from parser.load import load

    inner = load(name)
    if isinstance(inner, PivotParser):
        raise OptionError(f"parser 'pivot:{name}': what is translated once is English already")
    return PivotParser(inner, OpusTranslator())
