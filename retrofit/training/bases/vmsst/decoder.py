"""The decoder: mT5's, with the latents in place of what cross-attention would bring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from retrofit.training.bases.objective import full_precision
from retrofit.training.bases.vmsst.recipe import Decoder as Recipe

if TYPE_CHECKING:
    from transformers.models.mt5.modeling_mt5 import MT5Stack


class Inlet(nn.Module):
    """Replace a layer's cross-attention: add a linear map of the latents to every state.

    Args:
        latents: Width of all latents together.
        width: Of the states.
    """

    def __init__(self, latents: int, width: int) -> None:
        super().__init__()
        self.project = nn.Linear(latents, width, bias=False)

    def forward(
        self,
        hidden_states: Tensor,
        key_value_states: Tensor,
        attention_mask: Tensor | None = None,
        position_bias: Tensor | None = None,
        past_key_values: object = None,
    ) -> tuple[Tensor, None, None]:
        """Return states ``(B, T, d)`` that have seen the latents ``(B, 1, latents)``."""
        return hidden_states + self.project(key_value_states), None, None


class Decoder(nn.Module):
    """Sentences given their latents: ``p(x | z, language)``.

    Every layer adds a map of ``z`` between self-attention and feed-forward; the scores of the next piece are
    ``W [h; z]``, W being one matrix, or with ``factored`` the product of the output layer and one of the
    shape ``(d, d + latents)``.

    Args:
        stack: mT5's decoder of as many layers as wanted; its cross-attention is dropped.
        head: Output layer over the states, without bias.
        latents: Width of all latents together.
        languages: How many have an embedding of their own as first token; 1 is one for all.
        recipe: Of the decoder.
        scale: Deviation of the first token's embedding, that of the other embeddings.
    """

    def __init__(
        self, stack: MT5Stack, head: nn.Linear, latents: int, languages: int, recipe: Recipe, scale: float
    ) -> None:
        super().__init__()
        width, pieces = head.in_features, head.out_features
        for block in cast("Any", stack.block):
            block.layer[1] = Inlet(latents, width)
        stack.set_input_embeddings(nn.Identity())  # it is given embeddings
        self.stack, self.head, self.recipe = stack, head, recipe
        self.first = nn.Embedding(languages if recipe.languages else 1, width)
        nn.init.normal_(self.first.weight, std=scale)
        self.join = nn.Linear(width + latents, width, bias=False) if recipe.factored else None
        if self.join is not None:  # what the states say passes as it is to begin with
            with torch.no_grad():
                self.join.weight[:, :width] = torch.eye(width)
        self.beside = None if recipe.factored else nn.Linear(latents, pieces, bias=False)

    def take_table(self, table: Tensor) -> None:
        """Start the output layer from embeddings of the pieces, over the states and over z_sem alike.

        A piece is then likely to begin with where z_sem points its way, as a pretrained output layer has it.

        Args:
            table: ``(pieces, width)``; z_sem is first in ``z``, and is as wide where its part is taken.
        """
        scaled = table / table.std() * table.shape[1] ** -0.5
        with torch.no_grad():
            self.head.weight.copy_(scaled)
            if self.beside is not None:
                self.beside.weight.zero_()
                if self.beside.in_features >= table.shape[1]:
                    self.beside.weight[:, : table.shape[1]] = scaled

    def forward(self, table: nn.Module, target: Tensor, mask: Tensor, language: Tensor, z: Tensor) -> Tensor:
        """Return ``- log p(x | z, language)`` summed over the pieces of all sentences.

        Args:
            table: Embedding of the pieces.
            target: Ids ``(B, T)``.
            mask: Which of them are there, ``(B, T)``.
            language: Numbers ``(B,)``.
            z: Latents ``(B, latents)``.
        """
        begin = self.first(language if self.recipe.languages else torch.zeros_like(language))
        given = torch.cat([begin[:, None], table(target[:, :-1])], dim=1)  # (B, T, d)
        states = self.stack(inputs_embeds=given, encoder_hidden_states=z[:, None]).last_hidden_state
        row, _ = mask.nonzero(as_tuple=True)  # scores only of the N pieces that are there
        scores = self._scores(states[mask], z, row)
        with full_precision(scores.device):
            wide = scores if scores.dtype == torch.float64 else scores.float()
            return functional.cross_entropy(wide, target[mask], reduction="sum")

    def _scores(self, states: Tensor, z: Tensor, row: Tensor) -> Tensor:
        """Return the scores ``(N, pieces)`` of states ``(N, d)`` that belong to rows of z."""
        if self.join is not None:
            states = self.join(torch.cat([states, z[row]], dim=1))
        scores: Tensor = self.head(states)
        return scores if self.beside is None else scores + self.beside(z)[row]
