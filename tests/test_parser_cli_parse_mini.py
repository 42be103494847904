"""amrx parse with real models of the mini architecture: the shipped one, and a tiny one of random weights."""

from importlib.resources import files

import penman
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amrx.cli import main
from amrx.examples import meanings
from amrx.records import read_graphs
from amrx.types import Parser, Sentence
from linearize import linearize
from linearize.packed import pack
from parser import load
from parser.run.cache import CachedParser, ParseCache
from tests.support.canonical import canonical_triples

LINES = [
    "The boy wants to go.",
    "",
    "Der Junge will nicht nach New York gehen.",
    "那个男孩想去。",
    "?!",
    "يريد الولد أن يذهب إلى المدرسة في الساعة 12:30.",
    "word " * 400,
    "The boy wants to go.",
]
TINY = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :polarity -))",
    '(c / city :name (n / name :op1 "New" :op2 "York") :quant 3 :ARG1-of (s / see-01 :ARG0 (i / i)))',
    "(a / and :op1 (d / date-entity :year 2026) :op2 (l / leave-15 :mode imperative :ARG0 (y / you)))",
]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory, e5_files):
    """A folder with random weights, in the format that training writes."""
    from parser.mini.flat import flatten
    from parser.mini.labels import build_labels
    from parser.mini.layers import Shape
    from parser.mini.model import MiniNetwork
    from parser.mini.store import save_network

    labels = build_labels((flatten(pack(linearize(penman.decode(one), form="pointer"))) for one in TINY), 1)
    torch.manual_seed(0)
    shape = Shape(len(labels), len(labels.roles), width=64, heads=1, inner=64, layers=1, reader=2)
    network = MiniNetwork(shape)
    folder = tmp_path_factory.mktemp("tiny")
    save_network(folder, network, labels)
    return f"mini:{folder}"


@pytest.fixture(scope="session")
def shipped():
    """The name of the shipped parser, where its weights are."""
    if not (files("amrx") / "models" / "parser-mini" / "config.json").is_file():
        pytest.skip("this checkout has no weights of the mini parser")
    return "mini"


@pytest.fixture(scope="session", params=["shipped", "tiny"])
def name(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def source(tmp_path):
    (tmp_path / "s.txt").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return tmp_path / "s.txt"


def test_one_valid_graph_a_line(name, source, tmp_path, capsys):
    out = tmp_path / "g.jsonl"
    arguments = ["parse", str(source), "--lang", "en", "--parser", name, "-o", str(out)]
    assert main([*arguments, "--no-cache", "--no-split"]) == 0
    parses = list(read_graphs(out))
    assert [parse.text for parse in parses] == LINES
    assert [parse.id for parse in parses] == [str(number) for number in range(1, len(LINES) + 1)]
    assert parses[1].status == "failed"
    assert set(parses[1].graph.triples) == {("a", ":instance", "amr-empty")}
    assert parses[6].status == "repaired"
    assert any("cut" in repair for repair in parses[6].repairs)
    assert parses[0].graph == parses[7].graph
    assert len({parse.parser for parse in parses}) == 1
    for parse in parses:
        assert (parse.status == "repaired") == bool(parse.repairs)
        assert set(parse.alignments) <= parse.graph.variables()


def test_the_same_bytes_for_every_batch_size_with_and_without_cache(name, source, tmp_path):
    cache = ["--cache", str(tmp_path / "c.sqlite")]
    outputs = []
    for number, extra in enumerate([["--no-cache", "--batch-size", "2"], cache, cache]):
        out = tmp_path / f"{number}.amr"
        assert main(["parse", str(source), "--lang", "en", "--parser", name, "-o", str(out), *extra]) == 0
        outputs.append(out.read_bytes())
    assert len(set(outputs)) == 1


def test_the_same_bytes_from_workers(tiny, source, tmp_path):
    outputs = []
    for number, extra in enumerate([[], ["--workers", "2"]]):
        out = tmp_path / f"{number}.amr"
        arguments = ["parse", str(source), "--lang", "en", "--parser", tiny, "-o", str(out), "--no-cache"]
        assert main([*arguments, *extra]) == 0
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]


@pytest.fixture(scope="session")
def tiny_parser(tiny):
    return load(tiny)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=12), min_size=1, max_size=4))
def test_any_unicode_gives_a_graph_that_reads_back(tiny_parser, tmp_path_factory, texts):
    assert isinstance(tiny_parser, Parser)
    sentences = [Sentence(str(number), text, "en") for number, text in enumerate(texts)]
    plain = tiny_parser.parse(sentences)
    with ParseCache(tmp_path_factory.mktemp("cache") / "c") as cache:
        kept = CachedParser(tiny_parser, cache).parse(sentences)
    for sentence, one, other in zip(sentences, plain, kept, strict=True):
        assert (one.id, one.text) == (sentence.id, sentence.text)
        assert one.status in ("ok", "repaired", "failed")
        read = penman.decode(penman.encode(one.graph, indent=None))
        assert len(read.triples) == len(one.graph.triples)
        assert penman.encode(other.graph, indent=None) == penman.encode(one.graph, indent=None)


def test_the_shipped_parser_knows_the_textbook(shipped):
    texts = ("The boy wants to go.", "The dog is not barking.")
    parses = load(shipped).parse([Sentence(str(number), text, "en") for number, text in enumerate(texts)])
    concepts = [{target for _, _, target in parse.graph.instances()} for parse in parses]
    assert concepts[0] >= {"want-01", "boy"} and concepts[0] & {"go-01", "go-02"}
    assert concepts[1] >= {"bark-01", "dog"}
    assert [target for _, _, target in parses[1].graph.attributes(role=":polarity")] == ["-"]


def test_seven_languages_land_on_one_graph(shipped):
    """A number, names, a relation of people, in en de es fr it zh ar; most graphs are those of English."""
    sentences = [
        Sentence(e.meaning, e.text, e.lang) for e in meanings() if e.meaning in ("play", "live", "have")
    ]
    graphs = {
        (parse.id, parse.lang): canonical_triples(parse.graph) for parse in load(shipped).parse(sentences)
    }
    assert len(graphs) == 21
    assert sum(graph == graphs[meaning, "en"] for (meaning, _), graph in graphs.items()) >= 15


def test_concepts_are_aligned_to_the_words_for_them(shipped):
    rows = {
        "de": ("Ein Mann schneidet eine Zwiebel.", {"man": "Mann", "onion": "Zwiebel"}),
        "es": ("Una mujer corta una manzana roja.", {"woman": "mujer", "apple": "manzana"}),
        "zh": ("一个男人在吃苹果。", {"man": "男人", "apple": "苹果"}),
    }
    for parse in load(shipped).parse([Sentence(lang, text, lang) for lang, (text, _) in rows.items()]):
        concepts = {source: target for source, _, target in parse.graph.instances()}
        said = {concepts[node]: parse.text[start:end] for node, (start, end) in parse.alignments.items()}
        words = rows[parse.id][1]
        assert {concept: said.get(concept) for concept in words} == words


def test_a_language_that_was_not_trained_is_noted(tmp_path, capsys):
    lines = ["The boy wants to go.\ten", "Mae'r bachgen eisiau mynd.\tcy", "Mae eisiau. Mae'n mynd.\tcy"]
    (tmp_path / "in.tsv").write_text("text\tlang\n" + "\n".join(lines) + "\n", "utf-8")
    out = tmp_path / "out.amr"
    assert main(["parse", f"{tmp_path}/in.tsv", "-o", str(out), "--parser", "mini", "--no-cache"]) == 0
    said = "2 repaired, 2 in a language that the parser was not trained on"
    assert capsys.readouterr().err.endswith(f"3 graphs, {said}\n")
    repairs = [parse.repairs for parse in read_graphs(out)]
    assert repairs[0] == ()
    assert all(notes[0] == "the parser was not trained on language 'cy'" for notes in repairs[1:])
    assert sum("not trained" in note for note in repairs[2]) == 1  # once for the text, not once per sentence


def test_a_parser_of_unknown_training_notes_no_language(tiny):
    assert "not trained" not in str(load(tiny).parse(["Mvulana."], lang="sw")[0].repairs)
