"""scripts/label_english.py, parser.training.corpora.silver: silver graphs, through kills and as a file."""

from __future__ import annotations

import functools
import lzma

import penman
import pytest

from amrx.errors import InputError
from amrx.types import Parse, Sentence
from linearize.packed import pack_graph
from parser import load
from parser.mini.parser import MiniParser
from parser.training.corpora.silver import read_silver, text_key, write_silver
from parser.training.mini.texts import MOST_WORDS, english_texts
from tests.support.script_modules import SCRIPTS, load_script

with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(str(SCRIPTS))  # scripts import one another by their bare names
    module = load_script("label_english")

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
    return parser.with_beam(1)


def wanted():
    parses = mini().parse([Sentence(str(i), text, "en") for i, text in enumerate(TEXTS)])
    graphs = {p.text: module.cleaned(p.graph, p.text) for p in parses if p.status == "ok"}
    return {text: pack_graph(graph) for text, graph in graphs.items() if graph is not None}


def test_labels_are_the_parsers_graphs(tmp_path):
    graphs = dict(module.label_sentences(TEXTS, mini(), tmp_path / "labels.sqlite", {}))
    assert graphs == wanted() and len(graphs) >= 4


def test_a_killed_run_parses_only_the_rest(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 2)
    monkeypatch.setattr(module, "load_reserved", lambda data: frozenset())
    monkeypatch.setattr(module, "english_texts", lambda data, reserved: TEXTS)
    monkeypatch.setattr(module, "predicates", lambda data: ())
    parser, asked = mini(), []
    parse = parser.parse

    def dying(sentences, **options):
        asked.append([sentence.text for sentence in sentences])
        if len(asked) == 2:
            raise KeyboardInterrupt
        return parse(sentences, **options)

    monkeypatch.setattr(parser, "parse", dying)
    out = tmp_path / "silver.xz"
    with pytest.raises(KeyboardInterrupt):
        module.label_english(tmp_path, out, parser)
    assert not out.exists()
    count = module.label_english(tmp_path, out, parser)
    assert asked == [list(block) for block in (TEXTS[:2], TEXTS[2:4], TEXTS[2:4], TEXTS[4:])]
    monkeypatch.undo()
    assert dict(read_silver(out)) == {text_key(text): graph for text, graph in wanted().items()}
    assert count == len(wanted()) and list(tmp_path.iterdir()) == [out]


def test_a_graph_that_was_repaired_or_belies_its_sentence_is_no_label(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "cleaned", lambda graph, text: None if text == TEXTS[1] else graph)
    assert list(dict(module.label_sentences((*TEXTS[:2], ""), mini(), tmp_path / "labels.sqlite", {}))) == [
        TEXTS[0]
    ]


def test_a_graph_that_points_at_a_node_still_to_come_is_laid_out_anew(tmp_path):
    class Teacher:
        fingerprint = "teacher-1"

        def parse(self, sentences, **_):
            text = "(s / see-01 :ARG0 (i / i :poss-of d) :time (n / now) :ARG1 (d / dog))"
            graph = penman.decode(text)
            return [Parse(one.id, one.text, "en", graph, "ok", (), {}, "teacher-1") for one in sentences]

    graphs = dict(module.label_sentences(["My dog sees me now."], Teacher(), tmp_path / "labels.sqlite", {}))
    assert graphs == {
        "My dog sees me now.": ["see-01", ":ARG0", "i", "):time", "now", "):ARG1", "dog", ":poss", "<1>"]
    }


def test_the_texts_are_distinct_and_none_is_reserved_or_long(data_dir):
    reserved = frozenset({"A man is riding a bike."})
    first = []
    for text in english_texts(data_dir, reserved):
        first.append(text)
        if len(first) == 3000:
            break
    assert len(set(first)) == 3000 and not reserved.intersection(first)
    assert max(len(text.split()) for text in first) <= MOST_WORDS


def test_a_silver_file_holds_hashes_and_graphs(tmp_path):
    path = tmp_path / "silver.xz"
    assert write_silver(path, [("A dog.", ["dog"]), ("Not a dog.", ["dog", ":polarity", "-"])]) == 2
    lines = lzma.open(path, "rt", encoding="utf-8").read().splitlines()
    assert lines == [f"{text_key('A dog.')}  dog", f"{text_key('Not a dog.')}  dog :polarity -"]
    assert read_silver(path)[text_key("Not a dog.")] == ["dog", ":polarity", "-"]


@pytest.mark.parametrize(
    ("lines", "message"), [(b"abc  dog\n", "silver.xz:1"), (b"0123456789abcdef  \n", "silver.xz:1")]
)
def test_a_malformed_line_is_named(tmp_path, lines, message):
    path = tmp_path / "silver.xz"
    path.write_bytes(lzma.compress(lines))
    with pytest.raises(InputError, match=r"silver\.xz:1"):
        read_silver(path)


def test_a_file_that_is_cut_off_is_named(tmp_path):
    path = tmp_path / "silver.xz"
    write_silver(path, [(str(n), ["dog"]) for n in range(1000)])
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="silver.xz"):
        read_silver(path)
