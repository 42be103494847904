"""Numbers, names and negations of a sentence that its graph does not hold."""

import penman
import pytest

from amrx.records.graphs import read_graphs, write_graphs
from amrx.types import Parse
from parser.document import join
from parser.mini.rules.missing import missing_words


def _missing(text: str, lang: str, graph: str, **spans: tuple[int, int]) -> tuple[str, ...]:
    return missing_words(text, lang, penman.decode(graph), spans)


@pytest.mark.parametrize(
    ("text", "lang", "graph", "words"),
    [
        ("Order 48213 did not arrive.", "en", "(a / arrive-01 :ARG1 (o / order))", ("48213", "not")),
        ("Order 48213 did not arrive.", "en", '(a / arrive-01 :polarity - :ARG1 (o / x :mod "48213"))', ()),
        ("3.700.000 Gäste kamen.", "de", "(c / come-01 :ARG1 (g / guest :quant 3700000))", ()),
        ("3.700.000 Gäste kamen.", "de", "(c / come-01 :ARG1 (g / guest :quant 37))", ("3.700.000",)),
        ("Wir warten fünfundvierzig Minuten.", "de", "(w / wait-01)", ("fünfundvierzig",)),
        ("It was in '98.", "en", "(b / be-01 :time (d / date-entity :year 1998))", ()),
        ("He comes at 5 pm.", "en", '(c / come-01 :time (d / date-entity :time "17:00"))', ()),
        ("He comes at 5 pm.", "en", "(c / come-01)", ("5 pm",)),
        ("Pay invoice INV-20931.", "en", "(p / pay-01)", ("INV-20931",)),
        ("Pay invoice INV-20931.", "en", '(p / pay-01 :ARG1 (i / x :op1 "INV-20931"))', ()),
        ("Ella no vive en Sevilla.", "es", "(l / live-01 :polarity - :location (c / city))", ("Sevilla",)),
        ("Wir wohnen in den Bergen.", "de", "(l / live-01)", ()),  # German nouns have capitals
        ("He flew to Köln.", "en", '(f / fly-01 :ARG4 (c / city :name (n / name :op1 "Köln")))', ()),
        ("Viajó a Estados Unidos.", "es", '(t / go-02 :ARG4 (c / x :op1 "United" :op2 "States"))', ()),
        ("A Man Bites A Dog In Rome", "en", "(b / bite-01)", ()),  # a headline
        ("Nobody came.", "en", "(c / come-01 :ARG1 (n / nobody))", ()),
        ("I never sleep.", "en", "(s / sleep-01 :time (e / ever))", ("never",)),
        ("It is not only cheap.", "en", "(c / cheap)", ()),
        ("Он не пришёл.", "ru", "(c / come-01 :ARG1 (h / he))", ("не",)),
    ],
)
def test_reports_what_the_graph_does_not_hold(
    text: str, lang: str, graph: str, words: tuple[str, ...]
) -> None:
    assert _missing(text, lang, graph) == words


def test_an_aligned_name_is_held() -> None:
    text, graph = "I saw Lutèce.", '(s / see-01 :ARG1 (c / city :name (n / name :op1 "Paris")))'
    assert _missing(text, "en", graph) == ("Lutèce",)
    assert _missing(text, "en", graph, c=(6, 12)) == ()


def test_files_keep_it(tmp_path) -> None:
    graph = penman.decode("(a / arrive-01)")
    parse = Parse("1", "Order 48213 :: did not arrive.", "en", graph, missing=("48213", "not ::x"))
    for name in ("g.amr", "g.jsonl"):
        write_graphs([parse], str(tmp_path / name), json_lines=name.endswith("l"))
        assert [one.missing for one in read_graphs(tmp_path / name)] == [parse.missing]


def test_a_text_reports_those_of_its_sentences() -> None:
    one = Parse("1", "I do not go.", "en", penman.decode("(g / go-02)"), missing=("not",))
    other = Parse("2", "I do not see.", "en", penman.decode("(s / see-01 :polarity -)"))
    whole = join(
        [one, other], [(0, 12), (13, 26)], Parse("1", "I do not go. I do not see.", "en", one.graph), "en"
    )
    assert whole.missing == ("not",)
