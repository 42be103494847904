"""Favour the dictionary's translations of a sentence's words in decoding.

The decoder writes a frequent concept for a word that it saw rarely (*clinic* as ``objective``). As in machine
translation with a lexicon (Arthur, Neubig and Nakamura 2016, section 3.2.1), the score of a translation grows
with the decoder's attention to the word::

    s'(c) = s(c) + STRENGTH log(1 + a p / EPSILON)

``a`` is the attention to the pieces of the word, ``p`` the share of ``c`` among its translations; that of an
English word is its base form. A word with a translation that the graph already contains gains nothing. All
concepts with a word of their own are then lowered by the same amount, so that their total probability is as
before: the dictionary decides which word is written, and never against a construction (``person :ARG0-of
visit-01``), a name or a number.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import torch
from torch import Tensor

from amrx.composed_text import Span
from parser.mini.rules.adjectives import adjectives
from parser.mini.rules.dictionaries import WORD, shares_of, word_shares
from parser.mini.rules.nouns import UNSPACED, in_name, is_inside, lemma, noun_entries
from parser.mini.rules.verbs import verb_frames
from parser.mini.spelling import PerRow
from parser.mini.symbols import Alphabet

NEVER = float("-inf")
STRENGTH, EPSILON = 1.5, 0.02
"""Chosen by Smatch on STS-B dev in ten languages; Arthur et al. have 1 and 0.001."""
MOST_PIECES = 8
"""Maximum number of pieces of a word whose attention is added up."""
LONGEST = 6
"""Maximum number of letters of a word that is searched inside a text without spaces."""
_WORDED = re.compile(r"[a-z]+(?:-[a-z]+)*(?:-\d\d)?")
_CONSTRUCTION = re.compile(r".+-(?:9\d|entity|quantity)")
STRUCTURE = frozenset(
    "about after and at-least at-most before cause-01 contrast-01 have-03 he i it less less-than more"
    " more-than most most-of multi-sentence now obligate-01 obligate-02 or permit-01 possible-01"
    " recommend-01 say-01 she someone something that they thing this too very we you"
    # types of named entities
    " airport award book bridge broadcast-program building city city-district company continent country"
    " country-region criminal-organization disease ethnic-group event facility festival game"
    " government-organization hospital incident island lake language law local-region location magazine"
    " military mountain movie music name nationality newspaper ocean organization park person political-party"
    " product province publication religious-group river road school sea show state street team"
    " university war world-region".split()
)
"""Concepts that AMR also writes for constructions, or for names without a common noun."""


class Entry(NamedTuple):
    """A word of a sentence with its translations."""

    shares: tuple[tuple[str, float], ...]  # concepts, and the share of each among the word's translations
    pieces: tuple[int, ...]  # the memory slots of the word's pieces, at most `MOST_PIECES`


def entries(text: str, lang: str, spans: Sequence[Span]) -> tuple[Entry, ...]:
    """Return the words of a sentence that the dictionaries have, and the modifiers in compounds.

    Args:
        text: The sentence.
        lang: Its language.
        spans: Span of every piece, including the two special ones.
    """
    words, modifiers = defaultdict[Span, dict[str, float]](dict), list[tuple[Span, dict[str, float]]]()
    for span, entry in noun_entries(text, lang):
        modifier, _, noun = entry.rpartition(" ")
        words[span][noun] = 1.0
        if modifier:
            modifiers.append((span, {modifier: 1.0}))
    for span, frame in verb_frames(text, lang):
        words[span][frame] = 1.0
    for adjective in adjectives(text, lang):
        words[adjective.span][adjective.concept] = 1.0
    for span, shares in _dictionary_words(text, lang):
        for concept, share in shares.items():
            words[span].setdefault(concept, share)
    result = []
    for (begin, end), concepts in (*words.items(), *modifiers):
        pieces = [slot for slot, span in enumerate(spans[1:-1], start=2) if span[0] < end and span[1] > begin]
        if pieces:
            result.append(Entry(tuple(concepts.items()), tuple(pieces[:MOST_PIECES])))
    return tuple(result)


def _dictionary_words(text: str, lang: str) -> Iterator[tuple[Span, Mapping[str, float]]]:
    """Yield the words of a sentence that the dictionary has; those inside another one are left out."""
    known = word_shares(lang)
    if not known:
        return
    if lang in UNSPACED:
        ends = {begin: range(begin + 1, min(begin + LONGEST, len(text)) + 1) for begin in range(len(text))}
        spans = [(begin, end) for begin, some in ends.items() for end in some if text[begin:end] in known]
        spans = [span for span in spans if not is_inside(span, spans)]
    else:
        spans = [match.span() for match in WORD.finditer(text)]
    for span in spans:
        shares = shares_of(text[slice(*span)], lang)
        if shares and not in_name(text, span, lang):
            yield span, shares


def has_word(node: str) -> bool:
    """Return whether a node is a concept with a word of its own.

    Example:
        >>> [node for node in ("stir-01", "have-rel-role-91", "person", '"Berlin"', "12") if has_word(node)]
        ['stir-01']
    """
    return bool(_WORDED.fullmatch(node)) and not _CONSTRUCTION.fullmatch(node) and node not in STRUCTURE


class Concepts:
    """The concepts of an alphabet that words have.

    Attributes:
        worded: Whether a node is a concept with a word of its own ``(V - first_node,)``.
    """

    def __init__(self, alphabet: Alphabet, device: torch.device) -> None:
        kept = [has_word(node) for node in alphabet.nodes]
        self.worded = torch.tensor(kept, device=device)
        self._senses = defaultdict[str, list[int]](list)
        for number, (node, one) in enumerate(zip(alphabet.nodes, kept, strict=True)):
            if one:
                self._senses[lemma(node)].append(number)

    def of(self, shares: Sequence[tuple[str, float]]) -> dict[int, float]:
        """Return the nodes of translations in all their senses, each with its share."""
        nodes = dict[int, float]()
        for concept, share in shares:
            for node in self._senses.get(lemma(concept), []):
                nodes[node] = max(share, nodes.get(node, 0.0))
        return nodes


@dataclass
class Translations(PerRow):
    """The translations of each sentence, ``W`` words with at most ``K`` nodes each."""

    nodes: Tensor  # nodes, counted from the first one ``(B, W, K)``
    shares: Tensor  # their shares, 0 for padding ``(B, W, K)``
    times: Tensor  # how often the row has the node ``(B, W, K)``
    slots: Tensor  # slots of the pieces of each word ``(B, W, MOST_PIECES)``
    pieces: Tensor  # 1 for a piece, 0 for padding ``(B, W, MOST_PIECES)``

    @classmethod
    def of(cls, sentences: Sequence[Sequence[Entry]], concepts: Concepts, device: torch.device) -> Self:
        """Return the translations of a batch of sentences."""
        rows = [[(some, one.pieces) for one in row if (some := concepts.of(one.shares))] for row in sentences]
        words = max(map(len, rows), default=0)
        most = max((len(some) for row in rows for some, _ in row), default=0)
        nodes, slots = (
            torch.zeros((len(rows), words, size), dtype=torch.long, device=device)
            for size in (most, MOST_PIECES)
        )
        shares, pieces = (torch.zeros(table.shape, device=device) for table in (nodes, slots))
        times = torch.ones_like(shares)
        for number, row in enumerate(rows):
            count = Counter(node for some, _ in row for node in some)
            for word, (some, places) in enumerate(row):
                nodes[number, word, : len(some)] = torch.tensor(list(some))
                shares[number, word, : len(some)] = torch.tensor(list(some.values()))
                times[number, word, : len(some)] = torch.tensor([float(count[node]) for node in some])
                slots[number, word, : len(places)] = torch.tensor(places)
                pieces[number, word, : len(places)] = 1.0
        return cls(nodes, shares, times, slots, pieces)

    def favour(self, scores: Tensor, shares: Tensor, before: Tensor, worded: Tensor) -> None:
        """Add what the translations gain to the scores of nodes, in place.

        Args:
            scores: Scores of nodes, -inf if forbidden, and of copies ``(N, V' + 1+S)``.
            shares: Attention to each slot ``(N, 1+S)``.
            before: The nodes of each prefix ``(N, T)``.
            worded: Nodes that are concepts with a word of their own ``(V',)``.
        """
        flat, is_node = self.nodes.flatten(1), self.shares > 0
        if not flat.shape[1]:
            return
        attention = (shares.gather(1, self.slots.flatten(1)).view(self.slots.shape) * self.pieces).sum(-1)
        used = (before[:, :, None] == flat[:, None]).any(1).view(is_node.shape) & is_node
        attention = attention.masked_fill(used.any(-1), 0.0)[..., None]
        gains = STRENGTH * torch.log1p(attention * self.shares / EPSILON).flatten(1)
        nodes = scores[:, : len(worded)]
        total = log_total(nodes.masked_fill(~worded, NEVER))[:, None]
        any_word = total > NEVER
        total = torch.where(any_word, total, 0.0)
        old = nodes.gather(1, flat)
        nodes.scatter_reduce_(1, flat, old + gains, "amax")
        added = (nodes.gather(1, flat) - total).exp() - (old - total).exp()
        # summed in order, so that padding does not change the last bits
        more = (added / self.times.flatten(1) * is_node.flatten(1)).cumsum(-1)[:, -1:]
        nodes -= torch.where(any_word, more.log1p(), 0.0) * worded


def log_total(scores: Tensor) -> Tensor:
    """Return the log-sum-exp of each row ``(N,)``, to the same bits in every batch.

    `torch.logsumexp` splits the sum of a single row among threads; a softmax does not.
    """
    best, place = scores.max(-1, keepdim=True)
    return torch.where(best > NEVER, best - scores.log_softmax(-1).gather(1, place), NEVER)[:, 0]
