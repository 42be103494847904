"""parser.training.mini.locate_nodes: the words of nodes, beside Model 1 written out slowly."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

from parser.mini.model import MiniNetwork
from parser.mini.parser import MiniParser
from parser.training.example import Example
from parser.training.mini import locate_nodes as module
from parser.training.mini.locate_nodes import locate
from tests.support.tiny_mini import RECIPE, corpus, examples, muse, names, tokenizer  # noqa: F401


@pytest.fixture(scope="module")
def parser(examples, names, muse, tokenizer):  # noqa: F811
    """A tiny network of random weights."""
    torch.manual_seed(0)
    network = MiniNetwork(RECIPE.shape(len(examples[1]))).eval()
    network.names.copy_(names)
    return MiniParser(network, examples[1], muse, tokenizer, "tiny", 1)


def test_words_are_those_of_model_1_written_out_slowly(parser, examples, monkeypatch):  # noqa: F811
    mine = [*examples[0], examples[0][0]]
    looks = module._looks(parser, mine)
    assert [len(rows) for rows in looks] == [3, 3, 6, 3, 3]
    for example, rows in zip(mine, looks, strict=True):
        assert [concept for concept, _ in rows] == [s for s in example.graph if s[0] not in ":)<"]
        for _, row in rows:
            # nearly all of the look, and words of more than one piece are whole
            assert 0.95 < sum(row.values()) < 1.001
            assert {None if span is None else example.text[slice(*span)] for span in row} <= {
                None, *example.text.rstrip(".").split()
            }  # fmt: skip
    said = [
        {span: "" if span is None else example.text[slice(*span)].lower() for _, row in rows for span in row}
        for example, rows in zip(mine, looks, strict=True)
    ]
    r = [[dict(row) for _, row in rows] for rows in looks]
    for _ in range(module.ROUNDS):
        t = Counter()
        for words, rows, shares in zip(said, looks, r, strict=True):
            for (concept, _), row in zip(rows, shares, strict=True):
                for span, share in row.items():
                    t[concept, words[span]] += share
                    t[words[span]] += share
        for words, rows, shares in zip(said, looks, r, strict=True):
            for (concept, a), row in zip(rows, shares, strict=True):
                values = {j: a[j] * t[concept, words[j]] / t[words[j]] for j in a}
                row.update({j: value / sum(values.values()) for j, value in values.items()})
    for rows, shares in zip(locate(parser, mine), r, strict=True):
        assert [p for _, p in rows] == pytest.approx([max(row.values()) for row in shares], rel=1e-9)
        assert [span for span, _ in rows] == [max(row, key=row.get) for row in shares]


def test_what_the_parser_cannot_write_is_nowhere(parser, examples):  # noqa: F811
    odd = Example("The boy wants to go.", ["want-01", ":never-seen", "boy"], "en", 1.0)
    first, second = locate(parser, [odd, examples[0][0]])
    assert first == [] and len(second) == 3
