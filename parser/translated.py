"""Translate to English, then parse: the parser ``pivot:PARSER``.

::

    "Der Junge will gehen." (de) ──OPUS-MT de-en──> "The boy wants to go." ──PARSER──> graph
    "The boy wants to go."  (en) ──────────────────────────────────────────PARSER──> graph

The strong baseline of the literature (Uhrig et al., "Translate, then Parse!", IWPT 2021). The models are
those of `amrx.translate.marian`, looked for in the folder that ``AMRX_OPUS_MT`` names, then in the hub's
cache (``hf download Helsinki-NLP/opus-mt-de-en``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from amrx.errors import OptionError
from amrx.langid import fill_languages
from amrx.types import Parse, Parser, Sentence
from parser.protocols import TextParser, search
from parser.run.stream import parse_stream

if TYPE_CHECKING:
    from amrx.translate.marian import OpusTranslator

PIVOT = "en"


class PivotParser(TextParser):
    """Any parser, fed with English; is itself a parser.

    A translation model is loaded when its language comes, and stays loaded while every call has that
    language.
    """

    def __init__(self, inner: Parser, translator: OpusTranslator) -> None:
        self.inner, self.translator = inner, translator
        self._loaded: set[str] = set()
        self.fingerprint = f"pivot-{translator.fingerprint(PIVOT)}:{inner.fingerprint}"

    def with_beam(self, beam: int) -> PivotParser:
        """Return this parser with a search of ``beam`` beams in the parser that is fed."""
        return PivotParser(search(self.inner, beam), self.translator)

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Parse sentences; one ``Parse`` each, in order, with the text and language of the original.

        A sentence whose translation is empty fails. Alignments are kept for English alone: those of a
        translation point into another text.
        """
        langs = fill_languages(records)
        english = [sentence.text for sentence in records]
        cut: set[int] = set()
        foreign = set(langs) - {PIVOT}
        for code in self._loaded - foreign:  # else a file of many languages would fill the memory
            self.translator.forget(code, PIVOT)
        self._loaded = foreign
        for code in sorted(foreign):
            rows = [i for i, own in enumerate(langs) if own == code]
            pair = self.translator.pair(code, PIVOT)
            translations = pair.translate([english[i] for i in rows], batch_size=batch_size, show=progress)
            for i, translation in zip(rows, translations, strict=True):
                english[i] = translation.text
                cut.update([i] if translation.cut else [])
        in_english = [
            replace(sentence, text=text, lang=PIVOT) for sentence, text in zip(records, english, strict=True)
        ]
        # the stream keeps blank sentences from the parser
        parses = parse_stream(self.inner, in_english, batch_size=batch_size)
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


def translate_first(inner: Parser) -> PivotParser:
    """Put the translation in front of a parser."""
    if isinstance(inner, PivotParser):
        raise OptionError("parser 'pivot:pivot:...': a translation is English already")
    from amrx.translate.marian import OpusTranslator

    return PivotParser(inner, OpusTranslator())
