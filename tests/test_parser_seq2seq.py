"""The sequence-to-sequence parser on tiny models of the real architectures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import penman
import pytest

from amrx.cli import main
from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.types import Parser, Sentence
from parser import load
from tests.support import tiny_seq2seq as tiny
from tests.support.canonical import canonical_triples

ODD = [
    "",
    "  ",
    "?!",
    "word " * 300,
    "</s> <pad> <pointer:3> ( ( (",
    "那个男孩想去。",
    "\x00\u2028\ufeff",
    "de_DE",
    "é" * 30,
]


@pytest.fixture(scope="module")
def bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BART of random weights."""
    root = tmp_path_factory.mktemp("bart")
    tokenizer = tiny.add_symbols(tiny.bart_tokenizer(root / "base"))
    return tiny.save(root / "parser", tiny.tiny_model("bart", len(tokenizer)), tokenizer)


@pytest.fixture(scope="module")
def mbart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An mBART-50 of random weights."""
    tokenizer = tiny.add_symbols(tiny.mbart_tokenizer())
    folder = tmp_path_factory.mktemp("mbart") / "parser"
    return tiny.save(folder, tiny.tiny_model("mbart", len(tokenizer), seed=1), tokenizer)


@pytest.fixture(scope="module")
def trained(bart: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BART that has learnt three graphs; its own generation settings forbid what they need."""
    tokenizer = load(f"seq2seq:{bart}").tokenizer
    model = tiny.tiny_model("bart", len(tokenizer), init_std=0.05)
    tiny.train(model, tokenizer, lambda text: load_ids(bart, text))
    model.generation_config.no_repeat_ngram_size = 3
    return tiny.save(tmp_path_factory.mktemp("trained") / "parser", model, tokenizer)


def load_ids(folder: Path, text: str) -> list[int]:
    return load(f"seq2seq:{folder}").read(text, "en")[0]


def told(parses):
    return [(penman.encode(parse.graph), parse.status, parse.repairs, parse.lang) for parse in parses]


def test_a_model_that_learnt_its_graphs_writes_them(trained: Path):
    parser = load(f"seq2seq:{trained}")
    sentences = [Sentence(str(i), text, "en") for i, text in enumerate(tiny.GOLD)]
    for found in (parser, parser.with_beam(3)):
        for parse, gold in zip(found.parse(sentences), tiny.GOLD.values(), strict=True):
            assert canonical_triples(parse.graph) == canonical_triples(penman.decode(gold))
            assert (parse.status, parse.repairs, parse.parser) == ("ok", (), found.fingerprint)
    assert parser.fingerprint.startswith("seq2seq-")
    assert parser.with_beam(3).fingerprint == parser.fingerprint + "-beam3"


def test_the_command_parses_with_it(trained: Path, tmp_path: Path, capsys):
    source, output = tmp_path / "s.txt", tmp_path / "g.amr"
    source.write_text("Who goes?\n\n")
    name = f"seq2seq:{trained}"
    assert (
        main(["parse", str(source), "--lang", "en", "-o", str(output), "--no-cache", "--parser", name]) == 0
    )
    assert capsys.readouterr().err == f"{output}: 2 graphs, 1 failed\n"
    assert "(g / go-02\n   :ARG0 (a / amr-unknown" in output.read_text()
    again = [str(source), "--lang", "en", "-o", str(tmp_path / "h.amr"), "--no-cache", "--parser", name]
    assert main(["parse", *again, "--beam", "2"]) == 0
    assert (tmp_path / "h.amr").read_text().replace("-beam2", "") == output.read_text()


@pytest.mark.parametrize("kind", ["bart", "mbart"])
def test_random_weights_give_valid_graphs_the_same_for_every_batch_size(kind, request):
    parser = load(f"seq2seq:{request.getfixturevalue(kind)}")
    assert isinstance(parser, Parser)
    texts = [*ODD, *tiny.TEXTS, *(text[: 3 + 7 * i] for i, text in enumerate(tiny.TEXTS * 2))]
    sentences = [Sentence(str(i), text, "de") for i, text in enumerate(texts)]
    parses = parser.parse(sentences, batch_size=64)
    assert [(parse.id, parse.text) for parse in parses] == [(one.id, one.text) for one in sentences]
    for parse in parses:
        text = penman.encode(parse.graph)
        assert penman.encode(penman.decode(text)) == text
        assert (parse.status == "ok") == (not parse.repairs)
    assert [parse.status for parse in parses[:2]] == ["failed", "failed"]
    assert penman.encode(parses[0].graph) == "(a / amr-empty)"
    assert "sentence cut at 96 subwords" in parses[3].repairs
    assert len({penman.encode(parse.graph) for parse in parses}) > 5
    for batch_size in (1, 3):
        assert told(parser.parse(sentences, batch_size=batch_size)) == told(parses)
    assert parser.parse([]) == []


def test_an_output_without_end_is_cut_and_says_so(bart: Path):
    [parse] = load(f"seq2seq:{bart}").parse([Sentence("1", tiny.TEXTS[0], "en")])
    assert "graph cut at the longest length" in parse.repairs
    assert parse.status == "repaired"


def test_the_language_of_the_sentence_is_told_to_an_mbart(mbart: Path):
    parser = load(f"seq2seq:{mbart}")
    token = parser.tokenizer.convert_ids_to_tokens
    for lang, code in {"de": "de_DE", "zh": "zh_CN", "en": "en_XX", "es": "es_XX", "ar": "ar_AR"}.items():
        ids, notes = parser.read("girl", lang)
        assert (token(ids[0]), token(ids[-1]), notes) == (code, "</s>", [])
    ids, notes = parser.read("girl", "da")
    assert (token(ids[0]), notes) == ("en_XX", ["the model does not know language 'da'; read as English"])
    [parse] = parser.parse([Sentence("1", "Der Junge möchte gehen, aber das Mädchen glaubt es nicht.")])
    assert parse.lang == "de"


def test_symbols_of_amr_in_the_text_are_text(bart: Path):
    parser = load(f"seq2seq:{bart}")
    ids, _ = parser.read("want-01 <pointer:0> </s>", "en")
    assert ids[0] == 0
    assert ids[-1] == 2
    assert all(2 < row < 340 for row in ids[1:-1])


def test_a_lone_surrogate_is_an_input_error(bart: Path):
    with pytest.raises(InputError, match="surrogate"):
        load(f"seq2seq:{bart}").parse([Sentence("1", "a \ud800", "en")])


def test_folders_that_are_no_parser(bart: Path, tmp_path: Path):
    with pytest.raises(OptionError, match=r"seq2seq:DIR.*amrx convert-checkpoint"):
        load("seq2seq")
    with pytest.raises(MissingResourceError, match=r"amrx convert-checkpoint .*seq2seq:DIR"):
        load(f"seq2seq:{tmp_path / 'nowhere'}")
    with pytest.raises(InputError, match="no such file; is this the folder of a transformers model"):
        load(f"seq2seq:{tmp_path}")
    copy = shutil.copytree(bart, tmp_path / "copy")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(InputError, match="weights are pickled"):
        load(f"seq2seq:{copy}")
    (copy / "pytorch_model.bin").unlink()
    (copy / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(InputError, match="cannot be loaded"):
        load(f"seq2seq:{copy}")
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | {"model_type": "t5"}))
    with pytest.raises(InputError, match="must be BART or mBART-50, got 't5'"):
        load(f"seq2seq:{copy}")


def test_a_model_that_knows_no_amr(tmp_path: Path):
    tokenizer = tiny.bart_tokenizer(tmp_path / "base")
    plain = tiny.save(tmp_path / "plain", tiny.tiny_model("bart", len(tokenizer)), tokenizer)
    with pytest.raises(InputError, match="no pointer tokens"):
        load(f"seq2seq:{plain}")
    short = tiny.save(tmp_path / "short", tiny.tiny_model("bart", len(tokenizer) - 1), tokenizer)
    with pytest.raises(InputError, match="tokens, the model"):
        load(f"seq2seq:{short}")


def test_beams_only_where_there_are_some(bart: Path, toy, tmp_path: Path, capsys):
    with pytest.raises(OptionError, match="beam must be at least 1, got 0"):
        load(f"seq2seq:{bart}").with_beam(0)
    with pytest.raises(OptionError, match="has no beam search; it decodes greedily"):
        load("toy", beam=4)
