"""Define the network: BERT's states pooled by the mean, [CLS], or [CLS] and a small head.

With parents the embedding of a piece is ``E[piece] + U E[first piece of the parent's concept]`` before BERT
adds position and token type; the top of a graph has no second term.

The head of ``mlp`` is part of the encoder; that of ``mlp-train`` is in use while training alone, as in SimCSE
(``mlp_only_train``) and the released code of Cai et al. 2022, whose encoders are read at [CLS].

Rows of pieces are encoded in length-sorted chunks of bounded size, with or without gradients.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import numpy as np
import torch
from torch import nn

from retrofit.amr.pieces import Ids, Ints, Rows

if TYPE_CHECKING:
    from amrx.types import Vectors
    from retrofit.amr.bert import Backbone
    from retrofit.amr.zones import Zones


def attention_for(device: torch.device) -> str:
    """Return the name of the attention implementation in transformers.

    On a CPU two matrix products are faster in training than the fused kernel, because graphs are short.
    """
    return "eager" if device.type == "cpu" else "sdpa"


class AmrModel(nn.Module):
    """Backbone and pooling.

    Args:
        backbone: BERT, or a similar model.
        pooling: ``mean``, ``cls``, ``mlp`` or ``mlp-train``.
        zones: Computes the places of pieces, if the encoder uses them.
        parents: Whether a piece has its parent's concept in its embedding; needs ``zones``.
    """

    def __init__(
        self, backbone: Backbone, pooling: str, zones: Zones | None = None, *, parents: bool = False
    ) -> None:
        super().__init__()
        self.backbone = backbone
        self.pooling = pooling
        self.zones = zones
        width: int = backbone.config.hidden_size
        self.above: nn.Linear | None = None  # U
        if parents:
            words = cast("nn.Embedding", backbone.get_input_embeddings()).embedding_dim
            self.above = nn.Linear(words, words, bias=False)
            nn.init.zeros_(self.above.weight)  # so that training starts from the states without parents
        self.head: nn.Linear | None = nn.Linear(width, width) if pooling.startswith("mlp") else None

    def forward(
        self,
        ids: torch.Tensor,
        mask: torch.Tensor,
        types: torch.Tensor | None = None,
        parents: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return ``(B, d)``, not normalised.

        Args:
            ids: Word-piece ids ``(B, T)``.
            mask: 1 at pieces, 0 at padding ``(B, T)``.
            types: Token types ``(B, T)``, from ``zones``; the backbone's default when ``None``.
            parents: Places of the parents ``(B, T)``, 0 for none; ignored by an encoder without them.
        """
        inputs: dict[str, torch.Tensor] = {"input_ids": ids}
        if self.above is not None and parents is not None:
            words = self.backbone.get_input_embeddings()(ids)  # (B, T, d)
            rows = torch.arange(len(ids), device=ids.device)[:, None]
            inputs = {"inputs_embeds": words + self.above(words[rows, parents] * (parents > 0).unsqueeze(-1))}
        if types is not None:
            inputs["token_type_ids"] = types
        states = self.backbone(attention_mask=mask, **inputs).last_hidden_state  # (B, T, d)
        if self.pooling == "mean":
            weights = mask.unsqueeze(-1).to(states.dtype)  # (B, T, 1)
            mean: torch.Tensor = (states * weights).sum(1).float() / weights.sum(1).float().clamp(min=1)
            return mean
        first: torch.Tensor = states[:, 0]
        if self.head is None or self.pooling == "mlp-train" and not self.training:
            return first.float()
        pooled: torch.Tensor = torch.tanh(self.head(first))
        return pooled.float()


class Trainee(nn.Module):
    """The encoder and a linear map to the teacher's width, which is trained with it but not saved."""

    def __init__(self, encoder: AmrModel, teacher_width: int | None) -> None:
        super().__init__()
        self.encoder = encoder
        width: int = encoder.backbone.config.hidden_size
        differs = teacher_width is not None and teacher_width != width
        self.bridge = nn.Linear(width, teacher_width or width) if differs else nn.Identity()


ROUND = 8
"""Batches in bf16 have lengths and widths of a multiple of it: oneDNN compiles such products for every shape,
so few shapes make steps fast on a CPU."""


def chunk_rows(lengths: Ints, chunk_tokens: int, multiple: int = 1) -> list[Ints]:
    """Sort rows by length and divide them into chunks of at most ``chunk_tokens`` padded tokens, or one row.

    Example:
        >>> [chunk.tolist() for chunk in chunk_rows(np.array([9, 3, 30, 4]), 32, 8)]
        [[1, 3], [0], [2]]
    """
    order = np.argsort(lengths, kind="stable")
    chunks: list[Ints] = []
    start = 0
    padded = _rounded(lengths[order], multiple)
    for end in range(1, len(order) + 1):
        if end == len(order) or padded[end] * (end + 1 - start) > chunk_tokens:
            chunks.append(order[start:end])
            start = end
    return chunks


def batches(
    rows: Rows, chosen: Ints, extra: list[list[int]], chunk_tokens: int, multiple: int = 1
) -> Iterator[tuple[Ints, Ids, Ints]]:
    """Yield chunks of chosen and extra rows: positions, padded ids ``(B, T)``, lengths ``(B,)``.

    ``T`` is a multiple of ``multiple``.
    """
    lengths = np.concatenate([rows.lengths[chosen], np.array([len(row) for row in extra], dtype=np.int64)])
    for places in chunk_rows(lengths, chunk_tokens, multiple):
        width = int(_rounded(lengths[places[-1:]], multiple)[0])
        inside = places < len(chosen)
        ids = np.zeros((len(places), width), dtype=np.int32)
        ids[inside] = rows.gather(chosen[places[inside]], width)
        for line in np.flatnonzero(~inside):
            added_ids = extra[places[line] - len(chosen)]
            ids[line, : len(added_ids)] = added_ids
        yield places, ids, lengths[places]


def embed(model: AmrModel, ids: Ids, lengths: Ints, device: torch.device, precision: str) -> torch.Tensor:
    """Return float32 ``(B, d)`` of one padded chunk; in bf16 it is filled to a multiple of `ROUND` rows."""
    count = len(ids)
    if count > ROUND and precision == "bf16":
        filling = -count % ROUND
        ids = np.concatenate([ids, np.repeat(ids[:1], filling, axis=0)])
        lengths = np.concatenate([lengths, np.repeat(lengths[:1], filling)])
    tokens = torch.from_numpy(ids)
    mask = torch.arange(ids.shape[1]) < torch.from_numpy(lengths)[:, None]  # (B, T)
    inputs = [tokens, mask.long()]
    if model.zones is not None:
        inputs += map(torch.from_numpy, model.zones.places(ids))
    if device.type == "cuda":
        inputs = [tensor.pin_memory() for tensor in inputs]
    inputs = [tensor.to(device, non_blocking=True) for tensor in inputs]
    with torch.autocast(device.type, torch.bfloat16, enabled=precision == "bf16"):
        vectors: torch.Tensor = model(*inputs)
    return vectors[:count].float()


def embed_rows(model: AmrModel, rows: Rows, *, device: torch.device, precision: str = "fp32") -> Vectors:
    """Return the vectors of all rows ``(len(rows), d)`` float32, without gradients or dropout."""
    was_training = model.training
    model.eval()
    size = 262144 if device.type == "cuda" else 1024  # larger ones leave the cache of a core
    multiple = ROUND if precision == "bf16" else 1
    embedded: Vectors = np.zeros((len(rows), model.backbone.config.hidden_size), dtype=np.float32)
    with torch.inference_mode():
        for places, ids, lengths in batches(rows, np.arange(len(rows)), [], size, multiple):
            embedded[places] = embed(model, ids, lengths, device, precision).cpu().numpy()
    model.train(was_training)
    return embedded


def _rounded(lengths: Ints, multiple: int) -> Ints:
    return -(-lengths // multiple) * multiple
