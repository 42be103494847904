"""parser.training.mini.pack_data: what is left out is counted."""

from __future__ import annotations

import logging

import pytest

from parser.mini.words import MOST_PIECES
from parser.training.example import Example
from parser.training.mini import pack_data
from parser.training.mini.pack_data import MOST_TARGET, languages_of, pack_examples, read_arrays, write_arrays


def test_what_is_too_long_or_not_writable_is_counted_by_language(
    examples, tokenizer, caplog: pytest.LogCaptureFixture
):
    made, alphabet = examples
    graph = made[0].graph
    long_graph = ["and", *(part for n in range(MOST_TARGET) for part in (":op1", "<0>"))]
    unfit = [
        Example("dog " * MOST_PIECES, graph, "de", 1.0),
        Example("A dog.", ["dog", ":never", "cat"], "de", 1.0),
        Example("A dog.", long_graph, "en", 1.0),
    ]
    with caplog.at_level(logging.INFO, "parser.training.mini"):
        arrays = pack_examples([*made, *unfit], alphabet, tokenizer)
        pack_examples(made, alphabet, tokenizer)
    assert len(arrays["pair_src"]) == len(made) == 4
    assert caplog.messages == [
        "4 examples; left out as too long or not writable: de 2, en 1",
        "4 examples; left out as too long or not writable: none",
    ]


def test_languages_with_enough_examples_are_kept_in_the_file(examples, tokenizer, tmp_path, monkeypatch):
    made, alphabet = examples
    foreign = [Example("Ein Hund.", made[0].graph, "de", 1.0), Example("Un chien.", made[0].graph, "fr", 1.0)]
    monkeypatch.setattr(pack_data, "LEAST_EXAMPLES", 2)
    arrays = pack_examples([*made, *foreign, foreign[0]], alphabet, tokenizer)
    write_arrays(tmp_path / "examples.bin", arrays)
    assert languages_of(read_arrays(tmp_path / "examples.bin")) == ("de", "en")
