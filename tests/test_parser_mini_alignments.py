"""Which word each node of a mini parse comes from."""

from __future__ import annotations

import pytest

from parser.mini.words import read_source, word_span


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Der Junge, der schwimmt.", {"Der", "Junge", "der", "schwimmt"}),
        ("  Two   well-known zebras!", {"Two", "well-known", "zebras"}),
        ("أراد الولد أن يذهب.", {"أراد", "الولد", "أن", "يذهب"}),
        ("?!", set()),
    ],
)
def test_every_piece_of_a_word_stands_for_the_word(tokenizer, text, words):
    source = read_source(text, "", tokenizer)
    spans = [word_span(source, slot) for slot in range(len(source.ids) + 3)]
    assert {text[span[0] : span[1]] for span in spans if span} == words
    # the sentence, the mark before it, and what is not there
    assert spans[0] is None and spans[1] is None and spans[-1] is None


def test_where_words_have_no_spaces_a_piece_stands_for_itself(tokenizer):
    text = "男孩想去学校。"
    source = read_source(text, "", tokenizer)
    found = [word_span(source, slot) for slot in range(len(source.ids))]
    said = [text[span[0] : span[1]] for span in found if span]
    assert "".join(said) == "男孩想去学校"
    assert len(said) > 2
