import penman
import pytest

from amrx.errors import InputError, OptionError
from linearize import linearize
from linearize.walk import MAX_DEPTH
from tests.support.canonical import canonical_triples, renaming

PAPER = {
    "boy": "( want-01 :ARG0 ( boy ) :ARG1 ( go-02 :ARG0 ( boy ) ) )",
    "teacher": "( person :quant 3 :ARG0-of ( teach-01 :polarity - ) )",
    "york": "( visit-01 :ARG0 ( i ) :ARG1 ( city :name ( name :op1 New :op2 York ) ) )",
    "cycle": "( see-01 :ARG0 ( dog :ARG0-of ( bark-01 :ARG1 ( see-01 ) ) ) )",
    "attributes": "( and :op1 ( date-entity :year 2026 :month 11 :time 9:40 )"
    " :op2 ( leave-15 :mode imperative :ARG0 ( you ) :degree 0.5 :polite + ) )",
    "single": "( amr-empty )",
}
POINTER = {
    "boy": "( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1> ) )",
    "teacher": "( <0> person :quant 3 :ARG0-of ( <1> teach-01 :polarity - ) )",
    "york": '( <0> visit-01 :ARG0 ( <1> i ) :ARG1 ( <2> city :wiki "New_York_City"'
    ' :name ( <3> name :op1 "New" :op2 "York" ) ) )',
    "cycle": "( <0> see-01 :ARG0 ( <1> dog :ARG0-of ( <2> bark-01 :ARG1 <0> ) ) )",
    "attributes": '( <0> and :op1 ( <1> date-entity :year 2026 :month 11 :time "9:40" )'
    " :op2 ( <2> leave-15 :mode imperative :ARG0 ( <3> you ) :degree 0.5 :polite + ) )",
    "single": "( <0> amr-empty )",
}


def paper(text):
    return " ".join(linearize(penman.decode(text)))


def pointer(text):
    return " ".join(linearize(penman.decode(text), form="pointer", keep_wiki=True))


def test_the_literal_graphs(amrs):
    assert {name: " ".join(linearize(graph)) for name, graph in amrs.items()} == PAPER
    assert {
        name: " ".join(linearize(graph, form="pointer", keep_wiki=True)) for name, graph in amrs.items()
    } == POINTER


def test_paper_form_splits_strings_and_unescapes_them():
    assert linearize(penman.decode(r'(n / name :op1 "New York" :op2 "the \"Big\" Apple" :op3 "(x)")')) == (
        ["(", "name", ":op1", "New", "York", ":op2", "the", '"Big"', "Apple", ":op3", "(x)", ")"]
    )


def test_paper_form_leaves_out_what_says_nothing():
    assert paper('(n / name :op1 "" :op2 "x" :op3)') == "( name :op2 x )"


def test_paper_form_repeats_a_node_met_before_its_definition():
    assert paper("(w / want-01 :ARG0 b :ARG1 (g / go-02 :ARG0 (b / boy)))") == (
        "( want-01 :ARG0 ( boy ) :ARG1 ( go-02 :ARG0 ( boy ) ) )"
    )


def test_pointer_numbers_rise_with_the_first_mention():
    assert pointer("(w / want-01 :ARG0 b :ARG1 (g / go-02 :ARG0 (b / boy)))") == (
        "( <0> want-01 :ARG0 <1> :ARG1 ( <2> go-02 :ARG0 ( <1> boy ) ) )"
    )


def test_wiki_goes_unless_kept_and_only_with_a_constant():
    graph = penman.decode('(c / city :wiki "Rome" :name (n / name :op1 "Rome" :wiki -) :wiki n)')
    assert " ".join(linearize(graph)) == "( city :name ( name :op1 Rome ) :wiki ( name ) )"
    assert linearize(graph, keep_wiki=True)[2:4] == [":wiki", "Rome"]
    assert linearize(graph, form="pointer").count(":wiki") == 1
    assert linearize(graph, form="pointer", keep_wiki=True).count(":wiki") == 3


def test_surface_alignments_are_not_tokens():
    assert pointer('(w / want-01~e.1 :ARG0~e.2 (b / boy~3) :time "9:40~x"~e.4)') == (
        '( <0> want-01 :ARG0 ( <1> boy ) :time "9:40~x" )'
    )


def test_the_order_of_the_annotated_tree_is_kept():
    text = "(a / and :op2 (b / b-01) :op1 (c / c-01 :ARG1-of (d / d-01)) :op3 c)"
    assert pointer(text) == ("( <0> and :op2 ( <1> b-01 ) :op1 ( <2> c-01 :ARG1-of ( <3> d-01 ) ) :op3 <2> )")


def test_a_triple_that_stands_twice_stands_twice():
    text = "(p / person :ARG0-of (h / have-org-role-91 :ARG0 p :ARG2 (c / chief)) :polite +)"
    assert pointer(text) == (
        "( <0> person :ARG0-of ( <1> have-org-role-91 :ARG0 <0> :ARG2 ( <2> chief ) ) :polite + )"
    )


def test_a_graph_without_epidata_is_walked_along_its_edges():
    graph = penman.Graph(
        [
            ("g", ":ARG0", "b"),
            ("w", ":instance", "want-01"),
            ("w", ":ARG0", "b"),
            ("w", ":ARG1", "g"),
            ("b", ":instance", "boy"),
            ("g", ":instance", "go-02"),
            ("t", ":ARG1", "g"),
            ("t", ":instance", "try-01"),
            ("t", ":polarity", "-"),
            ("g", ":quant", 3),
        ],
        top="w",
    )
    assert " ".join(linearize(graph, form="pointer")) == (
        "( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1>"
        " :ARG1-of ( <3> try-01 :polarity - ) :quant 3 ) )"
    )


def test_stale_epidata_falls_back_to_the_edges():
    graph = penman.decode("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))")
    graph.triples.reverse()
    graph.top = "w"
    assert sorted(linearize(graph)) == sorted(PAPER["boy"].split())


def test_nodes_without_a_concept_and_roles_without_a_target():
    assert pointer("(a :ARG0 (b :ARG1 (c / c-01)) :ARG2)") == (
        "( <0> <> :ARG0 ( <1> <> :ARG1 ( <2> c-01 ) ) :ARG2 <> )"
    )
    assert paper("(a :ARG0 (b :ARG1 (c / c-01)) :ARG2)") == "( :ARG0 ( :ARG1 ( c-01 ) ) )"


CHAIN = [(f"n{i}", ":op1", f"n{i + 1}") for i in range(MAX_DEPTH)] + [(f"n{MAX_DEPTH}", ":op2", "-")]


@pytest.mark.parametrize(
    ("triples", "message"),
    [
        ([], "no node"),
        ([("a", ":instance", "x"), ("b", ":instance", "y")], "disconnected: 'b' cannot be reached from 'a'"),
        ([("a", ":instance", "x"), ("a", ":instance", "y")], "two concepts: 'x' and 'y'"),
        (CHAIN, f"deeper than {MAX_DEPTH} levels"),
    ],
)
def test_graphs_that_are_none(triples, message):
    with pytest.raises(InputError, match=message):
        linearize(penman.Graph(triples))


def test_the_released_form_repeats_nodes_bare():
    """As the authors' code writes them; a second node of the same concept has brackets."""
    graph = penman.decode("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :ARG4 (b2 / boy)))")
    tokens = " ".join(linearize(graph, form="released"))
    assert tokens == "( want-01 :ARG0 ( boy ) :ARG1 ( go-02 :ARG0 boy :ARG4 ( boy ) ) )"


@pytest.mark.parametrize(
    ("graph", "tokens"),
    [
        (  # written by amr/IO.py of jcyk/MSE-AMR, linearize(graph, True, False), remove_wiki
            '(p / province :ARG0-of (g / govern-01 :ARG1 p) :name (n / name :op1 "New_South" :op2 "Wales"))',
            "( province :ARG0 -of ( govern-01 :ARG1 province ) :name ( name :op1 New South :op2 Wales ) )",
        ),
        (
            "(t / team :consist-of (p / person :mod-of (x / x_y) :age 3))",
            "( team :consist-of ( person :mod -of ( x_y ) :age 3 ) )",
        ),
    ],
)
def test_the_released_form_splits_inverse_roles_and_underscores(graph, tokens):
    assert " ".join(linearize(penman.decode(graph), form="released")) == tokens


def test_an_unknown_form():
    with pytest.raises(OptionError, match="unknown form 'papr'; choose from paper, released, pointer"):
        linearize(penman.decode("(a / b)"), form="papr")


def test_canonical_triples_tell_graphs_apart():
    text = '(w / want-01 :ARG0 (b / boy :wiki "B") :ARG1 (g / go-02 :ARG0 b))'
    base = canonical_triples(penman.decode(text))
    assert canonical_triples(penman.decode(text.replace("b ", "y ").replace("b)", "y)"))) == base
    for other in (
        '(w / want-01 :ARG0 (b / boy :wiki "B") :ARG1 (g / go-02 :ARG0 w))',
        '(w / want-01 :ARG0 (b / boy :wiki "B") :ARG1 (g / go-02 :ARG0 "b"))',
        '(w / want-01 :ARG0 (b / boy :wiki "C") :ARG1 (g / go-02 :ARG0 b))',
        "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    ):
        assert canonical_triples(penman.decode(other)) != base
    assert canonical_triples(penman.decode(other)) == [t for t in base if t[1] != ":wiki"]


def test_renaming_counts_depth_first(amrs):
    assert renaming(amrs["cycle"]) == {"s": "0", "d": "1", "b": "2"}


@pytest.mark.parametrize("graph", ["(a / b)", None, [], b"x"])
def test_something_else_than_a_graph_is_named(graph):
    with pytest.raises(InputError, match=r"graph must be a penman.Graph, got \w+; penman.decode reads text"):
        linearize(graph)
