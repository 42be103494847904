import math

import penman
import pytest
import torch

from amrx.composed_text import compose
from linearize import linearize
from linearize.packed import pack
from parser.mini.grammar import States, Tables, Words
from parser.mini.recurrence import BELIEF, BELOW, FREE, RARE, History, Recurrence, recurrence
from parser.mini.rules.literals import read_words
from parser.mini.symbols import COPY, Alphabet, build_alphabet
from parser.mini.words import Source
from parser.training.example import Example
from parser.training.mini.pack_data import pack_examples

GRAPHS = [
    "(s / see-01 :ARG0 (d / dog :mod (b / big) :mod (o / old)) :ARG1 (d2 / dog :mod (b2 / brown)))",
    "(s / see-01 :ARG0 (d / dog) :ARG1 (c / cat :mod (b / big)))",
    "(s / see-01 :ARG0 (i / i) :ARG1 (s2 / see-01 :ARG0 i))",
    '(p / person :name (n / name :op1 "Ada" :op2 "Ada") :polarity -)',
]
CPU = torch.device("cpu")


class Tokens:
    """One piece a word."""

    def pieces_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        ends = [len(" ".join(text.split()[: n + 1])) for n in range(len(text.split()))]
        spans = [(end - len(word), end) for word, end in zip(text.split(), ends, strict=True)]
        return [1, *range(5, 5 + len(spans)), 2], [(0, 0), *spans, (0, 0)]


@pytest.fixture(scope="module")
def packed() -> list[list[str]]:
    return [pack(linearize(penman.decode(text), form="pointer")) for text in GRAPHS]


@pytest.fixture(scope="module")
def alphabet(packed) -> Alphabet:
    return build_alphabet(packed, 1, 100)


@pytest.fixture(scope="module")
def changes(packed, alphabet) -> torch.Tensor:
    examples = [Example(f"sentence {n}", graph, "en", 1.0) for n, graph in enumerate(packed)]
    return recurrence(pack_examples(examples, alphabet, Tokens()), alphabet)


@pytest.mark.parametrize(
    ("symbol", "again", "once"),
    [
        ("dog", 1, 2),  # graphs
        ("see-01", 1, 3),
        ("cat", 0, 1),
        ('"Ada"', 1, 1),
        (":ARG0", 0, 4),  # nodes
        (":mod", 1, 3),
        ("):mod", 1, 3),  # whatever it closes
        (":op1", 0, 1),
    ],
)
def test_symbols_lose_by_how_seldom_they_come_again(alphabet, changes, symbol, again, once):
    rate = (again + RARE * BELIEF) / (once + BELIEF)
    assert changes[alphabet.ids[symbol]] == pytest.approx(min(0.0, math.log(rate / FREE)))


def test_references_and_characters_lose_nothing_and_unknown_words_most(alphabet, changes):
    assert not changes[alphabet.ids["<0>"]]
    assert not changes[: alphabet.first_role].index_fill(0, torch.tensor([COPY]), 0.0).any()
    assert changes[COPY] == pytest.approx(math.log(RARE / FREE))


def expected(symbols, held, stack, changes, alphabet, words):
    """Slow: what each role and node loses, from lists and sets."""
    losses = torch.zeros(len(alphabet))
    for number in range(alphabet.first_role, alphabet.first_node):
        role = symbols[number].lstrip(")")
        closing = len(symbols[number]) - len(role)
        if role and closing < len(stack) and role in stack[len(stack) - 1 - closing][1]:
            losses[number] = changes[number]
    for number in range(alphabet.first_node, len(alphabet)):
        if symbols[number] in held:
            losses[number] = changes[number]
        if stack and stack[-1][0] == symbols[number]:
            losses[number] += BELOW
    copies = torch.zeros(len(words))
    for slot, word in enumerate(words):
        if word in alphabet.ids:
            copies[slot] = losses[alphabet.ids[word]]
        elif word in held:
            copies[slot] = changes[COPY]
    return losses, copies


@pytest.mark.parametrize("seed", range(8))
def test_what_a_row_has_said_is_remembered_through_a_random_graph(alphabet, changes, seed):
    generator = torch.Generator().manual_seed(seed)
    words = ["dog", "zebra", "ibex"]
    composed = compose(" ".join(words))
    source = Source(
        [1, 5, 6, 7, 2],
        [(0, 0)] * 5,
        [word for _, word in read_words(composed.text, "en")],
        [1, 2, 3],
        cut=False,
        composed=composed,
    )
    tables, table = Tables.of(alphabet, CPU), Recurrence.of(changes, alphabet)
    yielded = Words.of([source], 6, alphabet, tables.edges, CPU)
    states, said = States.start(1, CPU), History.start(1, 6, CPU)
    symbols, held, stack = alphabet.symbols, set(), []
    lost = 0
    for _ in range(60):
        losses, copies = expected(symbols, held, stack, changes, alphabet, words)
        low = said.low(states, tables, table)[0]
        roles = states.allowed(tables, yielded)[0, alphabet.first_role : alphabet.first_node]
        wanted = losses[alphabet.first_role : alphabet.first_node]
        assert torch.equal(low[alphabet.first_role :][roles], wanted[roles])
        if bool(states.wants[0]) and not bool(states.spelling[0]) and not bool(states.in_name(tables)[0]):
            zeros = torch.zeros(1, len(alphabet) - alphabet.first_node + 6)
            high = said.high(zeros, states, yielded, tables)[0]
            assert torch.allclose(high[: -len(yielded.plain[0])], losses[alphabet.first_node :])
            assert torch.allclose(high[-4:-1], copies)
            lost += int((high < 0).any())
        may = states.allowed(tables, yielded)[0]
        may[: alphabet.first_role] = False  # neither spelling nor the end
        options = may.nonzero()[:, 0]
        if not len(options):
            break
        choice = options[torch.randint(len(options), (1,), generator=generator)]
        size = states.size
        symbol, slot = states.advance(choice, tables, yielded)
        said.add(symbol, slot, size, states, tables, table)
        text = words[int(slot) - 2] if int(slot) else symbols[int(symbol)]
        if int(symbol) < alphabet.first_node and int(symbol) != COPY:
            role = text.lstrip(")")
            del stack[len(stack) - (len(text) - len(role)) :]
            stack[-1][1].add(role)
        else:
            held.add(text)
            if len(stack) < int(states.size):
                stack.append((text, set()))
    assert lost
