"""No parser that spells writes a frame that PropBank does not hold."""

import penman
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.types import Sentence
from linearize import delinearize
from linearize.frames import known_frame, mend_frames, unknown_frame
from linearize.vocabulary import frames, is_frame
from parser.writers.seq2seq import Seq2SeqParser
from tests.support import tiny_seq2seq as tiny

concepts = st.one_of(
    st.sampled_from(
        ["want-01", "boy", "F-16", "covid-19", "a-b-01-02", "2-01", '"x-99"', "<3>", "have-00-01"]
    ),
    st.from_regex(r"[a-z]{1,3}(-[0-9]{1,4}){0,3}", fullmatch=True),
    st.builds(
        "{}-{:02d}".format, st.sampled_from(["want", "go", "have-rel-role", "ymca"]), st.integers(0, 99)
    ),
)


@given(concepts)
def test_a_known_frame_is_one_or_none(concept):
    assert unknown_frame(concept) is (is_frame(concept) and concept not in frames())
    known = known_frame(concept)
    assert not unknown_frame(known)
    assert known == concept or concept.startswith(known.rpartition("-")[0] or known)
    assert known_frame(known) == known


@given(st.lists(st.one_of(concepts, st.sampled_from(["(", ")", ":ARG0", ":quant", "<0>", "<1>", '"F-99"']))))
def test_whatever_is_written_the_graph_has_frames_of_propbank_only(tokens):
    graph = delinearize(tokens).graph
    made, repairs = mend_frames(graph)
    assert not [c for _, _, c in made.instances() if c and not c.startswith('"') and unknown_frame(c)]
    assert bool(repairs) is (made.triples != graph.triples)
    text = penman.encode(made)
    assert penman.encode(penman.decode(text)) == text
    assert [role for _, role, _ in made.triples] == [role for _, role, _ in graph.triples]


@pytest.mark.parametrize(("written", "read"), [("want-99", "want-01"), ("ymca-01", "ymca")])
def test_what_a_model_spells_is_mended_and_said(tmp_path, monkeypatch, written, read):
    parser = parser_with(tmp_path, ())
    words = f"( <pointer:0> {written} :ARG0 ( <pointer:1> boy ) )".split()
    monkeypatch.setattr(parser.pieces, "words", lambda ids: words)
    [parse] = parser.parse([Sentence("1", "Who wants?", "en")])
    assert penman.encode(parse.graph, indent=None) == f"({written[0]} / {read} :ARG0 (b / boy))"
    assert parse.status == "repaired"
    assert parse.repairs[0] == f"no frame '{written}': read as '{read}'"


def test_a_token_that_is_no_frame_is_never_written(tmp_path):
    import torch

    parser = parser_with(tmp_path, ("want-99",))
    row = parser.pieces.whole["want-99"]
    # a model that would write nothing else
    bias = torch.zeros_like(parser.model.final_logits_bias)
    bias[0, row] = 1e4
    parser.model.final_logits_bias = bias
    sentences = [Sentence("1", "Who wants?", "en")]
    assert "want-99" not in penman.encode(parser.parse(sentences)[0].graph)
    # the same model, allowed to, writes it
    parser.generate.settings.suppress_tokens = [parser.generate.pad]
    assert row in parser.generate([parser.read("Who wants?", "en")[0]])[0][0]


def parser_with(folder, names):
    tokenizer = tiny.bart_tokenizer(folder / "base")
    tiny.add_symbols(tokenizer, (*tiny.SYMBOLS, *tiny.MARKS, *names))
    return Seq2SeqParser(tiny.tiny_model("bart", len(tokenizer)), tokenizer, "tiny")
