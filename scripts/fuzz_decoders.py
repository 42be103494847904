"""Convert random decoder outputs to graphs, and check them: ``python scripts/fuzz_decoders.py [100000]``.

Half of the outputs are symbols of the parser ``mini``, half are words in the format of SPRING and XAMR. The
length of each output and its frequencies of brackets, roles, pointers, concepts, constants and invalid
symbols are random. Law: every output gives a graph with frames of PropBank that penman reads back with the
same top and triples. Prints the number of outputs and how many needed no repair; a graph that breaks the law
ends the run with status 1.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence

import penman

from linearize import delinearize
from linearize.frames import mend_frames, unknown_frame
from linearize.packed import unpack
from linearize.vocabulary import shipped
from parser.seq2seq.dialect import from_words

POINTERS = [f"<{number}>" for number in range(12)]
CONSTANTS = ["-", "+", "imperative", "12", "3.5", "10:30", "2026-11-20", '"Rhein"', '"a b"', '"', '"x', "1/2"]
RUBBISH = [
    *("", " ", ":", "::", "/", "a/b", "~", "#", "a~1", "\\", "<>", "<x>", ":ARG0-of-of", ":instance", "é"),
    *("\u2028", "want-999", "( (", "</s>", "<lit", ":-)", "…", "\ufeff", "\x00", "F-16", "a(b"),
]
SPRING = ["<lit>", "</lit>", "<stop>", "<pointer>", ":", "( (", "))"]


def outputs(count: int, seed: int = 0) -> Iterator[list[str]]:
    """Yield ``count`` random outputs as tokens of the pointer form."""
    draw, vocabulary = random.Random(seed), shipped()
    concepts = [*list(vocabulary.concepts)[:400], *list(vocabulary.frames)[:400]]
    roles = list(vocabulary.relations)
    for number in range(count):
        weights = [draw.random() ** 2 for _ in range(7)]
        kinds = draw.choices(range(7), weights, k=int(draw.expovariate(1 / 14)))
        if number % 2:
            tables = (
                ["(", ")"],
                roles,
                [f"<pointer:{n}>" for n in range(12)],
                concepts,
                CONSTANTS,
                RUBBISH,
                SPRING,
            )
            yield from_words([draw.choice(tables[kind]) for kind in kinds])
        else:
            closing = [")" * draw.randrange(4) + draw.choice(roles), ")" * draw.randrange(1, 9)]
            tables = (closing, roles, POINTERS, concepts, CONSTANTS, RUBBISH, concepts)
            yield unpack([draw.choice(tables[kind]) for kind in kinds])


def broken(tokens: Sequence[str]) -> tuple[str, bool]:
    """Return how an output breaks the law, empty if it does not, and whether it needed no repair."""
    restored = delinearize(tokens)
    graph, frames = mend_frames(restored.graph)
    try:
        again = penman.decode(penman.encode(graph))
    except penman.PenmanError as error:
        return f"cannot be read back: {error}", False
    if again != graph:
        return f"comes back as {again.triples} instead of {graph.triples}", False
    concepts = [str(concept) for _, _, concept in graph.instances()]
    wrong = [c for c in concepts if not c.startswith('"') and unknown_frame(c)]
    return f"frames {wrong}" if wrong else "", not restored.repairs and not frames


def main(count: int) -> int:
    """Check ``count`` outputs; return the exit status."""
    whole = 0
    for tokens in outputs(count):
        fault, clean = broken(tokens)
        if fault:
            print(f"{tokens}: {fault}")
            return 1
        whole += clean
    print(f"{count} random outputs, {count} graphs that penman reads back; {whole} needed no repair")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
