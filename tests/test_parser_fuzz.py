"""Random decoder outputs, symbols of ``mini`` or words of SPRING and XAMR, always give a valid graph."""

import random
from collections.abc import Iterator, Sequence

import penman

from linearize import delinearize
from linearize import frames as propbank
from linearize.packed import unpack
from linearize.vocabulary import shipped
from parser.writers.words import from_spring as from_words

POINTERS = [f"<{number}>" for number in range(12)]
CONSTANTS = ["-", "+", "imperative", "12", "3.5", "10:30", "2026-11-20", '"Rhein"', '"a b"', '"', '"x', "1/2"]
RUBBISH = [
    *("", " ", ":", "::", "/", "a/b", "~", "#", "a~1", "\\", "<>", "<x>", ":ARG0-of-of", ":instance", "é"),
    *("\u2028", "want-999", "( (", "</s>", "<lit", ":-)", "…", "\ufeff", "\x00", "F-16", "a(b"),
]
SPRING = ["<lit>", "</lit>", "<stop>", "<pointer>", ":", "( (", "))"]


def outputs(count: int) -> Iterator[list[str]]:
    """Yield random outputs as tokens of the pointer form."""
    draw, vocabulary = random.Random(0), shipped()
    concepts = [*list(vocabulary.concepts)[:400], *list(vocabulary.frames)[:400]]
    roles = list(vocabulary.relations)
    for number in range(count):
        weights = [draw.random() ** 2 for _ in range(7)]
        kinds = draw.choices(range(7), weights, k=int(draw.expovariate(1 / 14)))
        if number % 2:
            pointers = [f"<pointer:{n}>" for n in range(12)]
            tables = (["(", ")"], roles, pointers, concepts, CONSTANTS, RUBBISH, SPRING)
            yield from_words([draw.choice(tables[kind]) for kind in kinds])
        else:
            closing = [")" * draw.randrange(4) + draw.choice(roles), ")" * draw.randrange(1, 9)]
            tables = (closing, roles, POINTERS, concepts, CONSTANTS, RUBBISH, concepts)
            yield unpack([draw.choice(tables[kind]) for kind in kinds])


def broken(tokens: Sequence[str]) -> tuple[str, bool]:
    """Return how an output breaks the law, empty if it does not, and whether it needed no repair."""
    restored = delinearize(tokens)
    graph, mended = propbank.mend_frames(restored.graph)
    try:
        again = penman.decode(penman.encode(graph))
    except penman.PenmanError as error:
        return f"cannot be read back: {error}", False
    if again != graph:
        return f"comes back as {again.triples} instead of {graph.triples}", False
    concepts = [str(concept) for _, _, concept in graph.instances()]
    wrong = [c for c in concepts if not c.startswith('"') and propbank.unknown_frame(c)]
    return f"frames {wrong}" if wrong else "", not restored.repairs and not mended


def test_every_random_output_is_a_graph_that_penman_reads_back():
    clean = 0
    for tokens in outputs(2000):
        fault, whole = broken(tokens)
        assert not fault, tokens
        clean += whole
    assert 0 < clean < 2000  # both whole and broken ones are among them


def test_the_check_can_fail(monkeypatch):
    odd = penman.Graph([("a", ":instance", "x"), ("a", ":op1", "two words")])
    monkeypatch.setattr(propbank, "mend_frames", lambda graph: (odd, []))
    assert broken(["boy"])[0]
    monkeypatch.setattr(propbank, "mend_frames", lambda graph: (penman.decode("(w / want-99)"), []))
    assert broken(["boy"]) == ("frames ['want-99']", False)
