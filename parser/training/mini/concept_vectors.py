"""The vectors of concept names: where multilingual USE puts them, in few dimensions.

Multilingual USE was trained to put translations side by side, so the name of a concept lies near the words
for it in sixteen languages (*guitar* is the nearest of 9,000 names to *Gitarre*, *吉他* and *gitaar*).
"""

from __future__ import annotations

import re

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from amrx.muse.model import MuseModel
from amrx.muse.tokenize import MuseTokenizer
from parser.mini.symbols import Alphabet

_SENSE = re.compile(r"-\d\d\d?$")
_BLOCK = 512


def words_of(symbol: str) -> str:
    """The words of a concept or constant, without its sense and its quotes.

    Example:
        >>> words_of("pick-up-04"), words_of('"Rhein"'), words_of("polar-bear")
        ('pick up', 'Rhein', 'polar bear')
    """
    return _SENSE.sub("", symbol).strip('"').replace("-", " ").strip() or symbol


@torch.inference_mode()
def name_vectors(alphabet: Alphabet, muse: MuseModel, tokenizer: MuseTokenizer, width: int) -> Tensor:
    """Unit vectors ``(V, width)`` of the symbols' names; zeros for symbols below the nodes.

    The sentence vectors of the names, centred, in their ``width`` principal directions.
    """
    texts = [words_of(symbol) for symbol in alphabet.symbols[alphabet.first_node :]]
    blocks = []
    for start in range(0, len(texts), _BLOCK):
        ids = pad_sequence(
            [torch.tensor(list(row)) for row in tokenizer.encode(texts[start : start + _BLOCK])],
            batch_first=True,
            padding_value=-1,
        ).to(muse.table.device)
        blocks.append(muse(ids.clamp_min(0), ids >= 0))
    vectors = torch.cat(blocks).double()  # (nodes, 512)
    centred = vectors - vectors.mean(0)
    _, directions = torch.linalg.eigh(centred.T @ centred)  # ascending
    directions = directions[:, -width:]
    directions = directions * directions[directions.abs().argmax(0), torch.arange(directions.shape[1])].sign()
    reduced = torch.nn.functional.normalize(centred @ directions, dim=1).float()
    names = torch.zeros(len(alphabet), width, device=reduced.device)
    names[alphabet.first_node :, : reduced.shape[1]] = reduced
    return names
