import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import penman
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

import retrofit
from amrx.types import Parse, Sentence, Vectors
from retrofit.combine import RetrofittedEncoder

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "walk_one_sentence.py"
GRAPH = penman.decode("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))")


class Small:
    """Base and parser with known vectors and graphs."""

    name = fingerprint = "small"
    dimension = 2

    def encode(self, sentences: Sequence[str], **_: object) -> Vectors:
        return np.array([[3.0, 4.0]] * len(sentences), np.float32)

    def parse(self, sentences: Sequence[Sentence], **_: object) -> list[Parse]:
        return [Parse(sentence.id, sentence.text, str(sentence.lang), GRAPH) for sentence in sentences]


class SmallGraphs:
    """AMR encoder with known vectors."""

    name = fingerprint = "small"
    dimension = 2

    def encode_graphs(self, graphs: Sequence[penman.Graph]) -> Vectors:
        return np.array([[0.0, 2.0]] * len(graphs), np.float32)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ([], "text (de)\nDer Junge will gehen."),
        (["Il gatto non dorme."], "text (it)\nIl gatto non dorme."),
        (["Il gatto non dorme.", "es"], "text (es)\nIl gatto non dorme."),
    ],
)
def test_every_state_of_the_walk_is_printed(tmp_path, monkeypatch, capsys, given, text):
    tokenizer = Tokenizer(
        WordLevel({"[UNK]": 0, "(": 1, ")": 2, "want-01": 3, ":ARG0": 4}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = WhitespaceSplit()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    small = Small()
    encoder = RetrofittedEncoder(small, small, SmallGraphs(), weight=0.5)
    monkeypatch.setattr(retrofit, "load", lambda **_: encoder)
    monkeypatch.setattr(sys.modules["retrofit.folders"], "find_encoder", lambda name: tmp_path)
    monkeypatch.setattr("sys.argv", [str(SCRIPT), *given])
    runpy.run_path(str(SCRIPT), run_name="__main__")

    blocks = capsys.readouterr().out.strip().split("\n\n")
    states = dict(block.split("\n", 1) for block in blocks)
    assert blocks[0] == text
    assert states["graph (ok)"].startswith("(w / want-01\n")
    assert states["pointer tokens"] == "( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1> ) )"
    assert states["paper tokens"] == "( want-01 :ARG0 ( boy ) :ARG1 ( go-02 :ARG0 ( boy ) ) )"
    assert states["ids"].startswith("[1, 3, 4, 1, 0, 2, ")
    assert states["AMR vector h"].startswith("(1, 2) float32  [+0.000  +2.000")
    assert states["base vector s"].startswith("(1, 2) float32  [+3.000  +4.000")
    assert states["s/|s| beside 0.5 h/|h|"].startswith("(1, 4) float32  [+0.600  +0.800  +0.000  +0.500")
    assert float(states["largest difference to the same by hand"]) < 1e-6
