import logging

import penman
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from amrx.errors import InputError
from linearize import delinearize, linearize
from linearize.walk import MAX_DEPTH
from tests.support.canonical import canonical_triples

ROLES = (":ARG0", ":ARG1", ":ARG0-of", ":op1", ":consist-of", ":quant", ":wiki", ":instance-of", ":-of", ":")
SYMBOLS = ("-", "+", "imperative", "-1.5", "1e5", "a", "b2", "x", "<3>", "<>", "\\", "\\x", "a#b", "你")
STRINGS = ('"New York"', '"(a / b)"', '":ARG0"', '"say \\"hi\\""', '"\\\\"', '"a~1"', '"#"', '"<0>"')
LINE_OF_TEXT = st.characters(codec="utf-8", exclude_characters='"\\', exclude_categories=["Cc", "Zl", "Zp"])
ATOMS = st.one_of(
    st.sampled_from(SYMBOLS + STRINGS),
    st.integers().map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(str),
    st.text(LINE_OF_TEXT).map(lambda text: f'"{text}"'),
)


@st.composite
def graphs(draw):
    """Connected graphs with cycles, inverse roles, odd constants, missing concepts."""
    size = draw(st.integers(1, 7))
    names = [f"v{i}" for i in range(size)]
    concepts = st.one_of(st.sampled_from(("boy", "want-01", "v1", "i", '"a b"', "<0>", "-")), st.none())
    triples = [(name, ":instance", draw(concepts)) for name in names]
    for i in range(1, size):  # a tree first, either way round
        ends = [names[draw(st.integers(0, i - 1))], names[i]]
        source, target = ends if draw(st.booleans()) else reversed(ends)
        triples.append((source, draw(st.sampled_from((":ARG0", ":mod", ":op1"))), target))
    for _ in range(draw(st.integers(0, 4))):  # then re-entrancy, loops and doubles included
        source, target = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        triples.append((source, draw(st.sampled_from((":ARG0", ":ARG1", ":consist"))), target))
    for _ in range(draw(st.integers(0, 4))):
        atom = draw(st.one_of(ATOMS.filter(lambda value: value not in names), st.none()))
        triples.append((draw(st.sampled_from(names)), draw(st.sampled_from(ROLES)), atom))
    return penman.Graph(draw(st.permutations(triples)), top=names[0])


def assert_valid(graph):
    """Penman writes the graph and reads it back with the same variables, triples and top."""
    assert penman.decode(penman.encode(graph)) == graph


@given(graphs())
@settings(deadline=None, max_examples=150)
def test_every_triple_of_a_built_graph_comes_back(graph):
    result = delinearize(linearize(graph, form="pointer", keep_wiki=True))
    assert result.repairs == ()
    assert canonical_triples(result.graph) == canonical_triples(graph)


@given(graphs())
@settings(deadline=None, max_examples=150)
def test_every_triple_of_a_decoded_graph_comes_back(graph):
    logging.getLogger("penman").setLevel(logging.ERROR)
    restored = delinearize(linearize(graph, form="pointer", keep_wiki=True)).graph
    decoded = penman.decode(penman.encode(restored))
    result = delinearize(linearize(decoded, form="pointer", keep_wiki=True))
    assert result.repairs == ()
    assert canonical_triples(result.graph) == canonical_triples(decoded)
    if len(set(decoded.triples)) == len(decoded.triples):  # penman keeps no layout for a triple's double
        again = linearize(result.graph, form="pointer", keep_wiki=True)
        assert again == linearize(decoded, form="pointer", keep_wiki=True)


@given(graphs())
@settings(deadline=None)
def test_without_wiki_only_wiki_is_lost(graph):
    result = delinearize(linearize(graph, form="pointer"))
    assert canonical_triples(result.graph) == canonical_triples(graph, keep_wiki=False)


@given(graphs(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=150)
def test_damaged_sequences_give_valid_graphs(graph, random):
    tokens = linearize(graph, form="pointer", keep_wiki=True)
    for _ in range(random.randint(1, 3)):
        place = random.randrange(len(tokens))
        match random.randrange(3):
            case 0:
                del tokens[place]
            case 1:
                tokens.insert(place, random.choice(tokens))
            case _:
                tokens = tokens[: place + 1]
        tokens = tokens or [")"]
    assert_valid(delinearize(tokens).graph)


SOUP = st.one_of(
    st.sampled_from(["(", ")", "<0>", "<1>", "<2>", "<07>", ":instance", ":instance-of", "~1", "/", "#"]),
    st.sampled_from(ROLES + SYMBOLS + STRINGS),
    st.text(st.characters(), max_size=6),
)


@given(st.lists(SOUP, max_size=40))
@settings(deadline=None, max_examples=300)
@example(["(", ":ARG0", "(", "<1>", "boy", ")", ")", ":ARG1", "<1>", ":ARG2", "<2>"])
@example(["\ud800", '"', "\\", "\u2028", ":\x85", "<٣>"])
def test_any_soup_gives_a_valid_graph(tokens):
    result = delinearize(tokens)
    assert_valid(result.graph)
    penman.encode(result.graph).encode("utf-8")
    "\n".join(result.repairs).encode("utf-8")
    assert all("\n" not in repair for repair in result.repairs)


@settings(deadline=None)
@given(st.lists(st.sampled_from([":a-of-of", ":-of-of-of", "(", "(", ")", "x", "<0>", "<1>"]), max_size=20))
def test_double_inverses_are_turned_at_most_once_more_by_penman(tokens):
    graph = delinearize(tokens).graph
    again = penman.decode(penman.encode(graph))
    assert len(again.triples) == len(graph.triples)
    assert sorted(again.instances()) == sorted(graph.instances())


@pytest.mark.parametrize(
    ("tokens", "amr", "repairs"),
    [
        ("( <0> a-01 :ARG0 ( <1> boy", "(a / a-01 :ARG0 (b / boy))", ["closed 2 brackets"]),
        ("( <0> a-01 ) )", "(a / a-01)", ["dropped 1 extra bracket"]),
        (
            "( <0> a-01 :ARG0 :ARG1 - :mod )",
            "(a / a-01 :ARG1 -)",
            ["dropped dangling role :ARG0", "dropped dangling role :mod"],
        ),
        ("( <0> a-01 :ARG0 <7> :ARG1 <7> )", "(a / a-01)", ["pointer <7> undefined (2 times)"]),
        (
            "( <0> a-01 :ARG0 ( <0> boy :ARG1 <0> ) )",
            "(a / a-01 :ARG0 (b / boy :ARG1 a))",
            ["pointer <0> defined twice"],
        ),
        ("( a-01 :ARG0 ( boy ) )", "(a / a-01 :ARG0 (b / boy))", ["numbered 2 nodes without a pointer"]),
        (
            "( <0> a-01 boy <0> :ARG0 - )",
            "(a / a-01 :ARG0 -)",
            ["dropped stray token 'boy'", "dropped stray pointer <0>"],
        ),
        ("( <0> a-01 ( <1> boy ) )", "(a / a-01 :mod (b / boy))", ["joined 1 loose node by :mod"]),
        ("( <0> a-01 ) :ARG0 - )", "(a / a-01 :ARG0 -)", ["reopened the top node"]),
        (
            "( <0> :ARG0 ( <1> ) )",
            "(t / thing :ARG0 (t2 / thing))",
            ["named 2 nodes without a concept 'thing'"],
        ),
        ("<0> a-01 :ARG0 -", "(a / a-01 :ARG0 -)", ["opened 1 bracket", "closed 1 bracket"]),
        (
            "( <0> a-01 :instance b :ARG0 - )",
            "(a / a-01 :ARG0 -)",
            ["dropped reserved role :instance", "dropped stray token 'b'"],
        ),
        (
            "( <0> a-01 :instance-of ( <1> b ) :instance-of <1> :instance-of x )",
            "(a / a-01 :mod (b / b) :instance-of x)",
            ["dropped reserved role :instance-of (2 times)", "joined 1 loose node by :mod"],
        ),
        ("( <0> and/or :time 10:30 )", '(a / "and/or" :time "10:30")', ["quoted 'and/or'", "quoted '10:30'"]),
        ("( <0> n :op1 :) :op2 n )", '(n2 / n :op1 ":)" :op2 n)', ["quoted ':)'"]),
        ("", "(a / amr-empty)", ["nothing usable"]),
        (
            "( <0> :ARG0 <4> )",
            "(a / amr-empty)",
            ["named 1 node without a concept 'thing'", "pointer <4> undefined", "nothing usable"],
        ),
    ],
)
def test_repairs(tokens, amr, repairs):
    result = delinearize(tokens.split())
    assert penman.encode(result.graph, indent=None) == amr
    assert list(result.repairs) == repairs


def test_very_deep_sequences_are_cut():
    tokens = [token for i in range(5000) for token in ("(", f"<{i}>", "x", ":ARG0")]
    result = delinearize(tokens)
    assert len(result.graph.instances()) == MAX_DEPTH
    assert "dropped 1 part nested too deep" in result.repairs
    assert_valid(result.graph)
    assert linearize(result.graph)


def test_a_constant_never_becomes_a_variable():
    graph = delinearize("( <0> name :op1 n :op2 n2 :ARG0 ( <1> night ) )".split()).graph
    assert graph.attributes() == [("n3", ":op1", "n"), ("n3", ":op2", "n2")]
    assert_valid(graph)


def test_blanks_and_long_tokens_make_short_repairs():
    result = delinearize(["(", "<0>", "x", "", " ", "y" * 1000, ")"])
    assert result.repairs == ("dropped 2 empty tokens", "dropped stray token '" + "y" * 40 + "'")


def test_smatch_reads_what_was_restored_from_odd_tokens():
    import amr as smatch_amr

    tokens = ["(", "<0>", "and/or", ":time", "10:30", ":op1", 'so "b" (c', ":op2", '"New York"', ")"]
    text = penman.encode(delinearize(tokens).graph, indent=None)
    parsed = smatch_amr.AMR.parse_AMR_line(text)
    assert parsed is not None
    assert [name for name, _, _ in parsed.get_triples()[1]] == ["time", "op1", "op2", "TOP"]


@pytest.mark.parametrize(
    ("tokens", "problem"),
    [
        (
            "( <0> boy )",
            "tokens must be a list of strings, got one string; linearize.split_tokens reads a line",
        ),
        (None, "tokens must be a str or an ordered iterable of str, got None"),
        (["(", 1], "token 2 must be a str, got 1"),
        (b"(", "tokens must be a str or an ordered iterable of str, got bytes"),
    ],
)
def test_something_else_than_tokens_is_named(tokens, problem):
    with pytest.raises(InputError) as caught:
        delinearize(tokens)
    assert str(caught.value) == problem
