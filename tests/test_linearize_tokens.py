import penman
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from linearize.tokens import as_string, join_tokens, kind_of, read_atom, split_tokens, write_atom

TEXT = st.text(max_size=12)


@given(st.lists(st.text(alphabet=st.characters(), max_size=8), max_size=8))
def test_any_token_list_survives_its_line(tokens):
    line = join_tokens(tokens)
    assert split_tokens(line) == tokens
    assert len(line.splitlines()) <= 1
    line.encode("utf-8")


def test_strings_keep_their_spaces_readably():
    tokens = ["(", "<0>", "name", ":op1", '"New  York"', ":op2", '"a \\" b"', ")"]
    assert join_tokens(tokens) == '( <0> name :op1 "New  York" :op2 "a \\" b" )'
    assert split_tokens(join_tokens(tokens)) == tokens


@pytest.mark.parametrize("token", ["", "%", " ", "\n", '"', '"a', '"a"b', "%41", "a\u2028b", "\ud800"])
def test_odd_tokens_are_percent_encoded(token):
    assert split_tokens(join_tokens(["x", token, "y"])) == ["x", token, "y"]


def test_lines_that_join_tokens_did_not_write_are_read_too():
    assert split_tokens('  a\t"b c  %%FF %zz\n') == ["a", '"b', "c", "%%FF", "zz"]


@example("\u00a0")
@example("\u3000")
@given(TEXT)
def test_an_atom_is_read_back_by_penman_and_by_us(text):
    token = write_atom(text)
    atom = read_atom(token)
    assert kind_of(token) == "atom"
    assert write_atom(atom) == token
    triples = penman.decode(f"(a / x :op1 {atom or ''})").triples
    assert triples == [("a", ":instance", "x"), ("a", ":op1", atom)]


@pytest.mark.parametrize(
    ("value", "token"),
    [
        ("want-01", "want-01"),
        ("-", "-"),
        ("+", "+"),
        ("imperative", "imperative"),
        (4, "4"),
        (0.5, "0.5"),
        ("", "<>"),
        (None, "<>"),
        ('"New York"', '"New York"'),
        ('"say \\"hi\\""', '"say \\"hi\\""'),
        ("10:30", '"10:30"'),
        ("and/or", '"and/or"'),
        ("(", '"("'),
        ("#1", '"#1"'),
        ("a~1", '"a~1"'),
        ("a b", '"a b"'),
        ("<3>", "\\<3>"),
        ("<>", "\\<>"),
        ("<3", "<3"),
        ("\\o", "\\\\o"),
        ("你好", "你好"),
    ],
)
def test_how_atoms_are_written(value, token):
    assert write_atom(value) == token
    assert read_atom(token) == (None if token == "<>" else token[1:] if token[0] == "\\" else token)


@given(TEXT)
def test_as_string_gives_a_string_that_smatch_reads_too(text):
    string = as_string(text)
    assert kind_of(string) == "atom"
    assert string[0] == string[-1] == '"'
    assert '"' not in string[1:-1] and "\\" not in string
