"""parser.training.mini.label: labels of parallel text, through kills and by agreement."""

from __future__ import annotations

import copy
import functools

import penman
import pytest
import torch

from amrx.types import Parse, Sentence
from linearize import linearize
from linearize.packed import pack
from parser import load
from parser.mini.parser import MiniParser
from parser.training.mini import label as module
from parser.training.mini.clean_labels import cleaned
from parser.training.mini.label import Labels, MostAgreed, fingerprint

TEXTS = (
    "The boy wants to go.",
    "A man is playing a guitar.",
    "The girl did not see the dog.",
    "Two women are talking on the phone in front of the old station.",
    "Tom gave Mary a book because she likes to read.",
    "Although it rained all night, the workers repaired the bridge before the first train came.",
)


@functools.cache
def mini() -> MiniParser:
    parser = load("mini")
    assert isinstance(parser, MiniParser)
    return parser


def wanted(parser):
    parses = parser.parse([Sentence(str(i), text, "en") for i, text in enumerate(TEXTS)])
    graphs = [cleaned(parse.graph, parse.text) if parse.status == "ok" else None for parse in parses]
    return [None if graph is None else pack(linearize(graph, form="pointer")) for graph in graphs]


def test_labels_are_the_parsers_graphs(tmp_path):
    found = Labels(mini(), 0, tmp_path / "labels.sqlite")(TEXTS)
    assert found == wanted(mini()) and sum(graph is not None for graph in found) >= 4


def test_labels_of_several_graphs_are_those_that_most_agree_on(tmp_path):
    parser = MostAgreed(mini(), mini().with_samples(6))
    found = Labels(mini(), 6, tmp_path / "labels.sqlite")(TEXTS)
    assert found == wanted(parser)
    assert found != wanted(mini())


def test_a_killed_run_parses_only_what_it_had_not(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 2)
    parser, asked = mini().with_beam(1), []
    parse = parser.parse

    def dying(sentences, **options):
        asked.append([sentence.text for sentence in sentences])
        if len(asked) == 2:
            raise KeyboardInterrupt
        return parse(sentences, **options)

    monkeypatch.setattr(parser, "parse", dying)
    labels = Labels(parser, 0, tmp_path / "labels.sqlite")
    with pytest.raises(KeyboardInterrupt):
        labels(TEXTS)
    assert labels(TEXTS) == wanted(mini().with_beam(1))
    assert asked == [list(block) for block in (TEXTS[:2], TEXTS[2:4], TEXTS[2:4], TEXTS[4:])]
    assert (tmp_path / "labels.sqlite").is_file()
    labels.forget()
    assert not list(tmp_path.iterdir())


def test_a_graph_that_was_repaired_or_belies_its_sentence_is_no_label(tmp_path, monkeypatch):
    parser = mini().with_beam(1)
    monkeypatch.setattr(module, "cleaned", lambda graph, text: None if text == TEXTS[1] else graph)
    first = Labels(parser, 0, tmp_path / "labels.sqlite")((TEXTS[0], TEXTS[1], ""))
    assert first[0] is not None and first[1:] == [None, None]


def test_a_graph_that_points_at_a_node_still_to_come_is_laid_out_anew(tmp_path):
    class Teacher:
        fingerprint = "teacher-1"

        def parse(self, sentences, **_):
            text = "(s / see-01 :ARG0 (i / i :poss-of d) :time (n / now) :ARG1 (d / dog))"
            graph = penman.decode(text)
            return [Parse(one.id, one.text, "en", graph, "ok", (), {}, "teacher-1") for one in sentences]

    found = Labels(Teacher(), 0, tmp_path / "labels.sqlite")(["My dog sees me now."])
    assert found == [["see-01", ":ARG0", "i", "):time", "now", "):ARG1", "dog", ":poss", "<1>"]]


def test_a_fingerprint_tells_weights_apart():
    network = copy.deepcopy(mini().network)
    assert fingerprint(network) == fingerprint(mini().network)
    with torch.no_grad():
        network.bias[0] += 1e-3
    assert fingerprint(network) != fingerprint(mini().network)
