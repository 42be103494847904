from collections import Counter

import numpy as np
import penman
from hypothesis import given, settings
from hypothesis import strategies as st

from linearize import linearize
from retrofit.training.amr.foils import TEXT_SIGNS, Signs, make_foil, swap_roles, toggle_polarity

RANDOM = np.random.default_rng(0)
NESTED = (
    "( say-01 :ARG0 ( man :mod ( old ) ) :time ( now ) "
    ":ARG1 ( bite-01 :polarity - :ARG0 ( dog ) :ARG1 ( cat ) ) )"
)


@st.composite
def graphs(draw: st.DrawFn, depth: int = 3) -> list[str]:
    concept = draw(st.sampled_from(["dog", "man", "bite-01", "want-01", "go-02"]))
    roles = draw(st.lists(st.sampled_from([":ARG0", ":ARG1", ":mod", ":polarity"]), max_size=3, unique=True))
    tokens = ["(", concept]
    for role in roles if depth else []:
        tokens += [role, *(["-"] if role == ":polarity" else draw(graphs(depth=depth - 1)))]
    return [*tokens, ")"]


def test_roles_are_swapped_inside_one_node_only():
    made = {
        " ".join(swap_roles(NESTED.split(), TEXT_SIGNS, np.random.default_rng(s)) or []) for s in range(20)
    }
    assert made == {
        "( say-01 :ARG0 ( bite-01 :polarity - :ARG0 ( dog ) :ARG1 ( cat ) ) :time ( now ) "
        ":ARG1 ( man :mod ( old ) ) )",
        "( say-01 :ARG0 ( man :mod ( old ) ) :time ( now ) "
        ":ARG1 ( bite-01 :polarity - :ARG0 ( cat ) :ARG1 ( dog ) ) )",
    }


def test_nothing_to_swap_gives_none():
    for graph in ("( dog )", "( bark-01 :ARG0 ( dog ) )", "( like-01 :ARG0 ( i ) :ARG1 ( i ) )"):
        assert swap_roles(graph.split(), TEXT_SIGNS, RANDOM) is None


def test_only_the_top_node_is_negated_before_any_of_its_relations_or_behind_them():
    made = {
        " ".join(toggle_polarity(NESTED.split(), TEXT_SIGNS, np.random.default_rng(s)) or [])
        for s in range(40)
    }
    parts = [
        "( say-01",
        ":ARG0 ( man :mod ( old ) )",
        ":time ( now )",
        ":ARG1 ( bite-01 :polarity - :ARG0 ( dog ) :ARG1 ( cat ) )",
        ")",
    ]
    assert made == {" ".join([*parts[:place], ":polarity -", *parts[place:]]) for place in range(1, 5)}
    assert {" ".join(toggle_polarity(text.split(), TEXT_SIGNS, RANDOM) or []) for text in made} == {NESTED}


def test_a_text_is_no_graph_and_gets_no_foil():
    assert make_foil("the dog bites the man".split(), TEXT_SIGNS, ("roles", "polarity"), RANDOM) is None


def test_a_graph_cut_at_the_length_limit_does_not_break():
    made = []
    for end in range(len(NESTED.split())):
        cut = NESTED.split()[:end]
        made.append(make_foil(cut, TEXT_SIGNS, ("roles", "polarity"), RANDOM))
        assert made[-1] is None or (made[-1] != cut and set(made[-1]) <= {*cut, ":polarity", "-"})
    assert made[0] is None
    assert made[-1] is not None


@given(tokens=graphs(), seed=st.integers(0, 1000))
@settings(max_examples=150, deadline=None)
def test_foils_on_ids_equal_foils_on_tokens(tokens: list[str], seed: int):
    names = sorted({*tokens, "(", ")", ":ARG0", ":ARG1", ":polarity", "-"})
    number = {name: i for i, name in enumerate(names)}
    roles = frozenset(i for name, i in number.items() if name.startswith(":"))
    signs = Signs(*(number[t] for t in ("(", ")", ":ARG0", ":ARG1", ":polarity", "-")), roles)
    by_ids = make_foil([number[t] for t in tokens], signs, ("roles", "polarity"), np.random.default_rng(seed))
    by_tokens = make_foil(tokens, TEXT_SIGNS, ("roles", "polarity"), np.random.default_rng(seed))
    assert by_tokens == (None if by_ids is None else [names[i] for i in by_ids])
    assert by_tokens is not None and by_tokens != tokens
    toggled = toggle_polarity(tokens, TEXT_SIGNS, np.random.default_rng(seed))
    assert toggled is not None
    assert toggle_polarity(toggled, TEXT_SIGNS, RANDOM) == tokens or ":polarity" in tokens
    swapped = swap_roles(tokens, TEXT_SIGNS, np.random.default_rng(seed))
    assert swapped is None or Counter(swapped) == Counter(tokens)


def test_a_swapped_graph_is_the_linearization_of_the_swapped_graph():
    dog = penman.decode("(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))")
    man = penman.decode("(b / bite-01 :ARG0 (m / man) :ARG1 (d / dog))")
    assert swap_roles(linearize(dog), TEXT_SIGNS, RANDOM) == linearize(man)
