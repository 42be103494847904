"""An own parser object must return one parse per sentence, in order, with its id."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import penman
import pytest

import amrx
from amrx.errors import OptionError
from amrx.types import Parse, Sentence
from amrx.validation import parse_checked

TEXTS = ["A dog barks.", "It rains."]


class OwnParser:
    """A parser of another library."""

    fingerprint = "own-1"

    def __init__(self, answer: Callable[[list[Parse]], object] = list) -> None:
        self.answer = answer

    def parse(self, sentences: Sequence[Sentence], **_: object) -> Any:
        graph = penman.decode("(b / bark-01)")
        return self.answer([Parse(one.id, one.text, one.lang or "en", graph) for one in sentences])


WRONG = [
    (lambda parses: parses[:-1], "got 1 for 2 sentences"),
    (lambda parses: parses[::-1], "got id '2' for sentence '1'"),
    (lambda parses: [None for _ in parses], "got NoneType for sentence '1'"),
    (lambda parses: [one.graph for one in parses], "got Graph for sentence '1'"),
    (lambda parses: iter(parses), "got list_iterator"),
]


@pytest.mark.parametrize(("answer", "told"), WRONG)
def test_a_wrong_answer_of_an_own_parser_is_an_error(answer, told):
    records = [Sentence(str(i), text) for i, text in enumerate(TEXTS, 1)]
    with pytest.raises(OptionError, match=f"^parser own-1: parse must return one .*{told}$"):
        parse_checked(OwnParser(answer), records, batch_size=8, progress=False)
    for split in (True, False):
        with pytest.raises(OptionError, match="^parser own-1: "):
            amrx.parse(TEXTS, lang="en", parser=OwnParser(answer), split=split)


def test_an_encoder_checks_an_own_parser() -> None:
    encoder = amrx.load(parser=OwnParser(), encoder="mini")
    assert encoder.encode(TEXTS, lang="en").shape[0] == 2
    short = amrx.load(parser=OwnParser(lambda parses: parses[:-1]), encoder="mini")
    with pytest.raises(OptionError, match="got 1 for 2 sentences"):
        short.encode(TEXTS, lang="en")
    assert np.isfinite(encoder.encode(TEXTS, lang="en")).all()


def test_an_object_without_a_fingerprint_is_no_parser() -> None:
    class Nameless:
        parse = OwnParser.parse

    with pytest.raises(OptionError, match="an object with parse and fingerprint"):
        amrx.load(parser=Nameless())
