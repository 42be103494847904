"""Parse any number of sentences in bounded memory.

::

    sentences ──blocks of 1,024──> parser.parse ──> one parse each, in order
                    └── wordless ones ──> (a / amr-empty), failed
"""

from collections.abc import Iterable, Iterator

import penman

from amrx.langid import FALLBACK
from amrx.texts import blocks_of
from amrx.types import Parse, Parser, Sentence
from amrx.validation import parse_checked

BLOCK = 1024
"""Sentences in memory at a time, per worker: enough for batches of equal length, few to lose in a kill."""


def parse_stream(
    parser: Parser, sentences: Iterable[Sentence], *, batch_size: int = 64, block: int = BLOCK
) -> Iterator[Parse]:
    """Yield one parse per sentence, in order; one without a word is not parsed and gets `failed_parse`."""
    for records in blocks_of(sentences, block):
        filled = [sentence for sentence in records if has_word(sentence.text)]
        parses = iter(parse_checked(parser, filled, batch_size=batch_size, progress=False) if filled else [])
        for sentence in records:
            if has_word(sentence.text):
                yield next(parses)
            else:
                yield failed_parse(sentence, parser.fingerprint)


def has_word(text: str) -> bool:
    """Return whether a text has a letter or a digit; AMR has no graph for other texts, such as ``...!?``.

    Example:
        >>> has_word("...!?"), has_word("走")
        (False, True)
    """
    return any(sign.isalnum() for sign in text)


def failed_parse(sentence: Sentence, fingerprint: str = "") -> Parse:
    """Return the parse of a sentence without anything to parse.

    Example:
        >>> penman.encode(failed_parse(Sentence("7", "")).graph)
        '(a / amr-empty)'
    """
    graph = penman.Graph([("a", ":instance", "amr-empty")])
    lang = sentence.lang or FALLBACK
    return Parse(sentence.id, sentence.text, lang, graph, "failed", parser=fingerprint)
