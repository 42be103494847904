"""Four sentences, their alphabet and two layers of E5: what the tests of the mini parser's network share."""

import dataclasses

import penman
import pytest

from amrx.e5.tokenizer import E5Tokenizer
from linearize import linearize
from linearize.packed import pack
from parser.mini.layers import MEANING, E5Layers
from parser.mini.symbols import build_alphabet
from parser.training.example import Example
from parser.training.mini.batches import Corpus
from parser.training.mini.concept_vectors import name_vectors
from parser.training.mini.pack_data import pack_examples
from parser.training.mini.recipe import Recipe

TEXTS = {
    "The boy wants to go.": "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "Der Junge will gehen.": "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "Ada saw 12 zebras.": (
        '(s / see-01 :ARG0 (p / person :name (n / name :op1 "Ada")) :ARG1 (z / zebra :quant 12))'
    ),
    "He did not sing.": "(s / sing-01 :ARG0 (h / he) :polarity -)",
}
RECIPE = Recipe(
    steps=12, batch=400, warmup=2, save_every=4, width=64, inner=64, encoder=1, decoder=2, dropout=0.0,
    word_dropout=0.0, reader=2,
)  # fmt: skip


@pytest.fixture(scope="session")
def tokenizer(e5_files):
    return E5Tokenizer()


@pytest.fixture(scope="module")
def layers(e5_files):
    return E5Layers(RECIPE.reader).eval()


@pytest.fixture(scope="module")
def examples():
    graphs = [pack(linearize(penman.decode(graph), form="pointer")) for graph in TEXTS.values()]
    made = [Example(text, graph, "en", 4.0) for text, graph in zip(TEXTS, graphs, strict=True)]
    full = build_alphabet(graphs, 1, 1000)
    # "Ada" and 12 can only be copied, sing-01 only be spelled
    nodes = tuple(node for node in full.nodes if node not in ('"Ada"', "12", "sing-01"))
    return made, dataclasses.replace(full, nodes=nodes)


@pytest.fixture(scope="module")
def names(examples, e5_files):
    return name_vectors(examples[1], MEANING)


@pytest.fixture(scope="module")
def corpus(examples, tokenizer):
    made, alphabet = examples
    return Corpus(pack_examples(made, alphabet, tokenizer))
