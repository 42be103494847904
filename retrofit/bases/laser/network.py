"""Define the network of LASER1 and LASER2, and read its published checkpoint.

::

    x_t   = embedding of id t                                          (T, e)
    h^l   = [LSTM forwards(h^(l-1)) ; LSTM backwards(h^(l-1))]         (T, 2 w),  h^0 = x
    s     = max_t h^L_t                                                (2 w,)

A checkpoint is a ``.pt`` of ``torch.save``::

    params       num_embeddings, padding_idx, embed_dim, hidden_size, num_layers, bidirectional, left_pad, …
    model        embed_tokens.weight, lstm.weight_ih_l0, lstm.weight_hh_l0, lstm.bias_ih_l0, …, _l0_reverse, …
    dictionary   piece -> id

It is read by `amrx.published_checkpoint.load_plain`, which runs no code. ``left_pad`` describes the padding
of the training batches; the published network converts them to right padding first, which is used here.
"""

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any

from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from amrx.errors import InputError
from amrx.published_checkpoint import load_plain
from amrx.records.files import reading

PARTS = ("params", "model", "dictionary")
SHAPE = ("num_embeddings", "padding_idx", "embed_dim", "hidden_size", "num_layers", "bidirectional")
IGNORED = ("left_pad", "padding_value")


class LaserNetwork(nn.Module):
    """Embeddings, a stack of LSTMs, the maximum over time; its arrays are named as in the checkpoint."""

    def __init__(
        self,
        num_embeddings: int,
        padding_idx: int,
        embed_dim: int = 320,
        hidden_size: int = 512,
        num_layers: int = 1,
        bidirectional: bool = False,
    ) -> None:
        super().__init__()
        self.dimension = hidden_size * (2 if bidirectional else 1)
        self.embed_tokens = nn.Embedding(num_embeddings, embed_dim, padding_idx=padding_idx)
        self.lstm = nn.LSTM(embed_dim, hidden_size, num_layers, batch_first=True, bidirectional=bidirectional)

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Return sentence vectors ``(B, d)``.

        Args:
            tokens: ``(B, T)``, padded on the right, the longest sentence first.
            lengths: ``(B,)``, on the CPU; without padding.
        """
        packed = pack_padded_sequence(self.embed_tokens(tokens), lengths, batch_first=True)
        # (B, T, d); padding is never the maximum
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, padding_value=-inf)
        vectors: Tensor = states.max(dim=1).values
        return vectors


def read_checkpoint(file: Path) -> tuple[LaserNetwork, dict[str, int]]:
    """Return the network of a published checkpoint, float32, in evaluation mode, and the id of each piece."""
    state = load_plain(file)
    missing = [part for part in PARTS if not isinstance(state, dict) or not isinstance(state.get(part), dict)]
    if missing or not isinstance(state, dict):
        raise InputError(f"lacks {', '.join(missing)}; is this LASER1 or LASER2?", file=file)
    network = _network(state["params"], file)
    try:
        network.load_state_dict(state["model"])
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise InputError(f"arrays do not fit its params: {reason[:300]}", file=file) from None
    return network.float().eval(), state["dictionary"]


def _network(params: Mapping[str, Any], file: Path) -> LaserNetwork:
    """Return the network described by the params, without its weights."""
    unknown = sorted(set(params) - {*SHAPE, *IGNORED})
    if unknown:
        raise InputError(f"unknown param {unknown[0]!r}; known: {', '.join((*SHAPE, *IGNORED))}", file=file)
    with reading(file, "params describe no network"):
        return LaserNetwork(**{key: params[key] for key in SHAPE if key in params})
