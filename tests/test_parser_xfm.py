"""amrlib's parse_xfm behind our protocol, on a tiny T5 of random weights with its real tokenizer."""

import json
from pathlib import Path

import penman
import pytest

from amrx.cli import main
from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.types import Parser, Sentence
from parser import load
from parser.amrlib import AmrlibParser
from tests.support import tiny_seq2seq as tiny

SETTINGS = {"max_in_len": 24, "max_out_len": 32, "model_name_or_path": "t5-base"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What amrlib publishes: T5, its tokenizer, settings in config.json."""
    import sentencepiece
    import torch
    from transformers import T5Config, T5ForConditionalGeneration, T5Tokenizer

    folder = tmp_path_factory.mktemp("amrlib") / "model"
    learnt = sentencepiece.SentencePieceProcessor(model_proto=tiny.sentencepiece_model(tiny.TEXTS))
    pieces = [(learnt.id_to_piece(i), learnt.get_score(i)) for i in range(3, len(learnt))]
    tokenizer = T5Tokenizer(vocab=[("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), *pieces], extra_ids=0)
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(tokenizer), d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, initializer_factor=4.0,
    )  # fmt: skip
    tiny.save(folder, T5ForConditionalGeneration(config).eval(), tokenizer)
    written = json.loads((folder / "config.json").read_text())
    written["task_specific_params"] = {"parse_amr": SETTINGS}
    (folder / "config.json").write_text(json.dumps(written))
    return folder


@pytest.fixture
def parser(folder: Path) -> AmrlibParser:
    pytest.importorskip("amrlib.models.parse_xfm.inference", reason="extra amrlib is not installed")
    return load(f"amrlib:{folder}")


def test_random_weights_give_a_parse_for_every_sentence(parser: AmrlibParser):
    assert isinstance(parser, Parser)
    texts = ["", *tiny.TEXTS, "Who goes?", "that one wants " * 20, "\x00"]
    sentences = [Sentence(str(i), text, "en") for i, text in enumerate(texts)]
    parses = parser.parse(sentences)
    assert [(parse.id, parse.text) for parse in parses] == [(one.id, one.text) for one in sentences]
    for parse in parses:
        text = penman.encode(parse.graph)
        assert penman.encode(penman.decode(text)) == text
        assert (parse.status == "ok") == (not parse.repairs)
    assert "sentence cut at 24 subwords" in parses[-2].repairs
    assert parser.parse(sentences, batch_size=1) == parses


def test_what_amrlib_writes_is_read(parser: AmrlibParser, monkeypatch):
    written = ["(w / want-01 :ARG0 (b / boy))", None, "()", "(a / b", "(d / dog)"]
    monkeypatch.setattr(parser.inference, "parse_sents", lambda texts, **options: [written.pop(0)])
    sentences = [Sentence(str(i), "x " * (5 - i), "en") for i in range(4)]
    parses = parser.parse([*sentences, Sentence("4", "x", "de")])
    assert penman.encode(parses[0].graph, indent=None) == "(w / want-01 :ARG0 (b / boy))"
    assert [parse.status for parse in parses] == ["ok", "failed", "failed", "failed", "repaired"]
    assert parses[1].repairs == ("nothing usable", "amrlib could not build a graph")
    assert parses[4].repairs == ("the model does not know language 'de'; read as English",)


def test_beams_and_surrogates(parser: AmrlibParser):
    assert parser.fingerprint.endswith("-beam4")
    one = parser.with_beam(1)
    assert one.fingerprint.endswith("-beam1")
    assert one.parse([Sentence("1", "Who goes?", "en")])[0].graph.triples
    with pytest.raises(OptionError, match="beam must be at least 1, got 0"):
        parser.with_beam(0)
    with pytest.raises(InputError, match="surrogate"):
        parser.parse([Sentence("1", "\ud800", "en")])


def test_what_is_missing_is_named(folder: Path, tmp_path: Path, monkeypatch):
    with pytest.raises(OptionError, match="amrlib:DIR"):
        load("amrlib")
    with pytest.raises(MissingResourceError, match=r"curl -L .*parse_xfm.* amrlib:DIR"):
        load(f"amrlib:{tmp_path / 'nowhere'}")
    (tmp_path / "config.json").write_text('{"model_type": "t5"}')
    with pytest.raises(InputError, match="not a model of amrlib"):
        load(f"amrlib:{tmp_path}")
    (tmp_path / "config.json").write_text((folder / "config.json").read_text())
    (tmp_path / "pytorch_model.bin").touch()
    with pytest.raises(InputError, match="amrx convert-checkpoint"):
        load(f"amrlib:{tmp_path}")
    monkeypatch.setitem(__import__("sys").modules, "amrlib", None)
    with pytest.raises(MissingResourceError, match=r"pip install 'amrx\[amrlib\]'"):
        load(f"amrlib:{folder}")


def test_pickled_weights_are_converted(folder: Path, tmp_path: Path):
    import torch
    from safetensors.torch import load_file

    state = load_file(folder / "model.safetensors")
    torch.save(state, tmp_path / "pytorch_model.bin")
    argv = ["convert-checkpoint", str(tmp_path / "pytorch_model.bin"), "--base", str(folder)]
    assert main([*argv, "-o", str(tmp_path / "new")]) == 0
    made = load_file(tmp_path / "new" / "model.safetensors")
    assert made.keys() == state.keys()
    assert all(torch.equal(made[name], value) for name, value in state.items())
    assert (tmp_path / "new" / "config.json").read_text() == (folder / "config.json").read_text()
