"""Where the nodes of a known graph stand in its sentence, by what the parser looks at and what recurs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch

from amrx.composed_text import compose
from linearize.packed import is_reference, unpack
from parser.mini.parser import MiniParser
from parser.mini.symbols import encode_target
from parser.mini.words import Source, word_span
from parser.training.example import Example
from parser.training.mini.batches import Corpus
from parser.training.mini.pack_data import MOST_TARGET, pack_examples

ROUNDS = 3
LEAST_SHARE = 1 / 256  # one of the most words gets more
BUDGET = 6_000

Span = tuple[int, int]
Shares = dict[Span | None, float]


def locate(parser: MiniParser, examples: Sequence[Example]) -> list[list[tuple[Span | None, float]]]:
    """For each concept and constant of each graph, in order, its word and how sure that is, from 0 to 1.

    Where the parser looks is spread over several words; which of them it is say all sentences of the language
    together: `ROUNDS` of expectation and maximisation, as Model 1 of Brown et al. (1993) does, from its look.
    With ``a_j`` the share of the look at word ``j`` (word 0: none), a node ``c`` and sums over all nodes::

        r_j = a_j t(c | w_j) / sum_k a_k t(c | w_k)        t(c | w) = sum r of c at w / sum r at w

    What the parser cannot write, and longer sentences than it reads, have an empty list.
    """
    looks = _looks(parser, examples)
    nodes = [(example, *node) for example, rows in zip(examples, looks, strict=True) for node in rows]
    shares = [look for _, _, look in nodes]
    for _ in range(ROUNDS):
        both: defaultdict[tuple[str, str, str], float] = defaultdict(float)
        alone: defaultdict[tuple[str, str], float] = defaultdict(float)
        for (example, concept, _), row in zip(nodes, shares, strict=True):
            for span, share in row.items():
                word = _word(example, span)
                both[concept, *word] += share
                alone[word] += share
        shares = []
        for example, concept, look in nodes:
            words = {span: _word(example, span) for span in look}
            shares.append(
                _whole({j: a * both[concept, *words[j]] / alone[words[j]] for j, a in look.items()})
            )
    best = iter([max(row.items(), key=lambda pair: pair[1]) for row in shares])
    return [[next(best) for _ in rows] for rows in looks]


def _word(example: Example, span: Span | None) -> tuple[str, str]:
    """Language and letters of a word; no letters for none."""
    return example.lang, "" if span is None else compose(example.text[slice(*span)]).text.lower()


def _whole(shares: Shares) -> Shares:
    total = sum(shares.values())
    return {span: share / total for span, share in shares.items()}


def node_places(tokens: Sequence[str]) -> list[int]:
    """Places of concepts and constants among pointer tokens."""
    return [
        place
        for place, token in enumerate(tokens)
        if token not in "()" and not token.startswith(":") and not is_reference(token)
    ]


@torch.inference_mode()
def _looks(parser: MiniParser, examples: Sequence[Example]) -> list[list[tuple[str, Shares]]]:
    """Each concept and constant, and the share of the look that each word gets; ``None`` gets the rest.

    Words of less than `LEAST_SHARE` are left out.
    """
    found: list[list[tuple[str, Shares]]] = [[] for _ in examples]
    sources = [parser.reader.source(example.text, example.lang) for example in examples]
    steps = [_node_steps(example, source, parser) for example, source in zip(examples, sources, strict=True)]
    fit = [number for number, places in enumerate(steps) if places]
    corpus = Corpus(pack_examples((examples[n] for n in fit), parser.alphabet, parser.reader))
    for rows in _batches(corpus):
        batch = corpus.batch(rows)
        features, vector = parser.reader.features(batch.ids, batch.mask)
        looks = parser.network.look(features, vector, batch.mask, batch.inputs).numpy()
        for row, look in zip(rows.tolist(), looks, strict=True):
            number = fit[row]
            source = sources[number]
            spans = [word_span(source, slot) for slot in range(len(source.ids) + 1)]
            tokens = unpack(examples[number].graph)
            for place, step in zip(node_places(tokens), steps[number], strict=True):
                shares: defaultdict[Span | None, float] = defaultdict(float)
                for span, share in zip(spans, look[step].tolist(), strict=False):
                    shares[span] += share
                kept = {span: share for span, share in shares.items() if share >= LEAST_SHARE}
                found[number].append((tokens[place], kept))
    return found


def _node_steps(example: Example, source: Source, parser: MiniParser) -> list[int]:
    """Steps that say the nodes of an example; empty when it is not packed (`pack_examples`)."""
    if source.cut or not source.ids:
        return []
    target = encode_target(example.graph, source.words, parser.alphabet)
    return [] if target is None or len(target.ids) > MOST_TARGET else target.nodes


def _batches(corpus: Corpus) -> Iterator[npt.NDArray[np.int64]]:
    """Numbers of all pairs, the longest graphs first; `BUDGET` padded pieces and symbols in a batch."""
    order = np.lexsort((corpus.src_length, corpus.tgt_length))[::-1]
    begin = 0
    while begin < len(order):
        longest = int(corpus.tgt_length[order[begin]] + corpus.src_length.max())
        rows = order[begin : begin + max(1, BUDGET // longest)]
        yield rows
        begin += len(rows)
