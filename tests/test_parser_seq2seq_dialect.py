"""SPRING's words to the pointer form and back."""

from __future__ import annotations

from pathlib import Path

import penman
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linearize import delinearize, linearize
from parser.writers.parser import Pieces
from parser.writers.words import from_spring as from_words
from parser.writers.words import to_spring as to_words
from tests.support import tiny_seq2seq as tiny
from tests.support.canonical import canonical_triples


def test_every_graph_comes_back(amr: penman.Graph):
    tokens = linearize(amr, form="pointer", keep_wiki=True)
    words = to_words(tokens)
    assert from_words(words) == tokens
    restored = delinearize(from_words(words))
    assert canonical_triples(restored.graph) == canonical_triples(amr)
    assert restored.repairs == ()


def test_a_graph_as_spring_writes_it():
    words = (
        "( <pointer:0> city :wiki <lit> New York City </lit> :name ( <pointer:1> name :op1 <lit> New </lit>"
        " :op2 <lit> York </lit> ) :mod <pointer:0> )"
    )
    graph = delinearize(from_words(words.split())).graph
    gold = '(c / city :wiki "New_York_City" :name (n / name :op1 "New" :op2 "York") :mod c)'
    assert canonical_triples(graph) == canonical_triples(penman.decode(gold))


@pytest.mark.parametrize(
    ("words", "tokens"),
    [
        ("<R12> <3> <pointer:4>", ["<12>", "<3>", "<4>"]),
        ("<lit> a : b ( c </lit> x", ['"a_:_b_(_c"', "x"]),  # closed: all of it is the string
        ("<lit> a b :ARG1 c </lit>", ['"a_b_:ARG1_c"']),
        ("<lit> a b :ARG1 c", ['"a_b"', ":ARG1", "c"]),  # not closed: ends before the role
        ("<lit> a <lit> b </lit>", ['"a"', '"b"']),
        ("<lit> </lit>", ['""']),
        ("<lit>", ['""']),
        ("</lit> )) )", [")", ")", ")"]),
        (": prep-with : ( :", [":prep-with", "("]),
        ("<stop> <pointer> <backr:src:XXX> <unk> a", ["a"]),
        ('<lit> say "hi" </lit>', ['"say_hi"']),
    ],
)
def test_broken_and_foreign_words(words: str, tokens: list[str]):
    assert from_words(words.split()) == tokens


@given(st.lists(st.sampled_from("( ) <pointer:0> <R1> :ARG0 : boy <lit> </lit> - <stop> ) a:b".split())))
def test_any_words_give_a_valid_graph(words: list[str]):
    text = penman.encode(delinearize(from_words(words)).graph)
    assert penman.encode(penman.decode(text)) == text


@pytest.fixture(scope="module", params=["bart", "mbart"])
def pieces(request, tmp_path_factory) -> Pieces:
    bart = request.param == "bart"
    made = tiny.bart_tokenizer(tmp_path_factory.mktemp("bart")) if bart else tiny.mbart_tokenizer()
    return Pieces(tiny.add_symbols(made))


def test_words_come_back_from_their_ids(pieces: Pieces):
    # want-01 is a token; bark-01 has its suffix, :ARG0-of its stem, :name-of and :op1 12 a subword after it
    words = (
        "( <pointer:0> want-01 :ARG0 bark-01 :ARG0-of girl :polarity - :op1 12 :ARG1 <lit> New York </lit> )"
    ).split()
    ids = pieces.ids(words)
    assert pieces.words([0, *ids, 2, 1, 1]) == words
    token = pieces.tokenizer.convert_ids_to_tokens
    assert [token(row) for row in ids].count(" <pointer:0>") == 1
    assert "-of" in [token(row) for row in ids]


def test_a_subword_after_a_symbol_begins_a_word(pieces: Pieces):
    role, bracket = pieces.ids([":ARG0"]), pieces.ids(["<lit>"])
    rest = pieces.tokenizer.convert_tokens_to_ids("n")
    assert pieces.words([*role, rest, *bracket, rest]) == [":ARG0", "n", "<lit>", "n"]
    suffix = pieces.whole["-of"]
    assert pieces.words([suffix, *role, suffix, suffix]) == ["-of", ":ARG0-of-of"]


def test_a_relation_without_a_token_is_spelt(pieces: Pieces):
    ids = pieces.ids([":unwant", "girl"])
    assert from_words(pieces.words(ids)) == [":unwant", "girl"]


def test_every_id_is_read(pieces: Pieces):
    assert {*tiny.SYMBOLS, *tiny.MARKS, "-of", "-01"} == {*pieces.whole}
    assert all(pieces.words([row]) == [name] for name, row in pieces.whole.items())
    assert not any(" " in word for word in pieces.words(range(len(pieces.tokenizer))))


def test_symbols_inside_the_vocabulary_of_the_text(tmp_path: Path):
    # SPRING's own tokenizer has them there, as Ġ:ARG0
    import json

    from transformers import BartTokenizer

    base = tiny.bart_tokenizer(tmp_path)
    entries = base.get_vocab()
    for name in (":ARG0", "<pointer:0>", "want-01"):
        entries[f"Ġ{name}"] = len(entries)
    (tmp_path / "vocab.json").write_text(json.dumps(entries))
    (tmp_path / "tokenizer.json").unlink(missing_ok=True)
    pieces = Pieces(BartTokenizer.from_pretrained(str(tmp_path)))
    rows = [entries[name] for name in ("Ġ<pointer:0>", "Ġwant-01", "Ġ:ARG0", "n", "Ġboy")]
    assert pieces.words(rows) == ["<pointer:0>", "want-01", ":ARG0", "n", "boy"]
    assert pieces.knows("<pointer:0>")
    assert not pieces.knows("<pointer:1>")
