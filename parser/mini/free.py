"""Decoding without the grammar, to measure what the grammar costs or gains.

The network itself knows two kinds of steps, one where a node is wanted and one where it is not, and is
trained with a probability for each (`parser.training.mini.loss`). That is all that is left here: roles and
bare brackets may stand where a node is wanted, brackets may close what is not open, references may point to
what is not there, a spelled word may be anything. `linearize.restore.delinearize` makes a graph of what
comes out.
"""

from __future__ import annotations

import torch
from torch import Tensor

from parser.mini.decode import Decoder
from parser.mini.grammar import States, Words
from parser.mini.parser import MiniParser
from parser.mini.symbols import COPY, PAD, START


class FreeDecoder(Decoder):
    """The best symbol at each step, whatever it is."""

    def may_low(self, states: States) -> Tensor:
        """All but what the network never says ``(B, first_node)``: padding, start, a copy of no word."""
        may = torch.ones((len(states.size), self.tables.first_node), dtype=torch.bool, device=self.device)
        may[:, [PAD, START, COPY]] = False
        return may

    def may_high(self, states: States, words: Words) -> Tensor:
        """All nodes, and copies of what is a word ``(B, V - first_node + 1+S)``."""
        nodes = torch.ones((len(states.size), len(self.nodes[1])), dtype=torch.bool, device=self.device)
        named = states.in_name(self.tables)[:, None]
        return torch.cat((nodes, torch.where(named, words.name, words.plain) >= 0), 1)


def free_parser(parser: MiniParser) -> MiniParser:
    """Return a greedy parser with the weights of ``parser`` and no grammar."""
    name = "free"
    freed = MiniParser(parser.network, parser.alphabet, parser.muse, parser.tokenizer, name, beam=1)
    freed.decoder = FreeDecoder(parser.network, parser.alphabet)
    return freed
