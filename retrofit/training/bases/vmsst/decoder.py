"""Define the decoder: that of mT5, with the latents instead of cross-attention."""

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
    """Replace a layer's cross-attention: add a linear map of the latents to every state."""

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
        """Return the states ``(B, T, d)`` plus the mapped latents ``(B, 1, latents)``."""
        return hidden_states + self.project(key_value_states), None, None


class Decoder(nn.Module):
    """The distribution of sentences given their latents: ``p(x | z, language)``.

    Every layer adds a linear map of ``z`` between self-attention and feed-forward; the scores of the next
    piece are ``W [h; z]``, where W is one matrix or, with ``factored``, the product of the output layer and a
    matrix of shape ``(d, d + latents)``.

    The cross-attention of ``stack``, mT5's decoder, is removed. There are embeddings of the first token for
    each language if the recipe has them; ``scale`` is their standard deviation, that of the other embeddings.
    """

    def __init__(
        self, stack: MT5Stack, head: nn.Linear, latents: int, languages: int, recipe: Recipe, scale: float
    ) -> None:
        super().__init__()
        width, pieces = head.in_features, head.out_features
        for block in cast("Any", stack.block):
            block.layer[1] = Inlet(latents, width)
        stack.set_input_embeddings(nn.Identity())  # the input is embeddings
        self.stack, self.head, self.recipe = stack, head, recipe
        self.first = nn.Embedding(languages if recipe.languages else 1, width)
        nn.init.normal_(self.first.weight, std=scale)
        self.join = nn.Linear(width + latents, width, bias=False) if recipe.factored else None
        if self.join is not None:  # initially the states pass unchanged
            with torch.no_grad():
                self.join.weight[:, :width] = torch.eye(width)
        self.beside = None if recipe.factored else nn.Linear(latents, pieces, bias=False)

    def take_table(self, table: Tensor) -> None:
        """Initialise the output layer, for states and z_sem, with embeddings of the pieces.

        Initially a piece is then probable if z_sem points in its direction, as in a pretrained output layer.

        z_sem is first in ``z``; its part is initialised if it has the width of the table.
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

        Ids and mask of the target are ``(B, T)``, language indices ``(B,)``, latents ``(B, latents)``.
        """
        begin = self.first(language if self.recipe.languages else torch.zeros_like(language))
        given = torch.cat([begin[:, None], table(target[:, :-1])], dim=1)  # (B, T, d)
        states = self.stack(inputs_embeds=given, encoder_hidden_states=z[:, None]).last_hidden_state
        row, _ = mask.nonzero(as_tuple=True)  # scores only of the N pieces that are not padding
        scores = self._scores(states[mask], z, row)
        with full_precision(scores.device):
            wide = scores if scores.dtype == torch.float64 else scores.float()
            return functional.cross_entropy(wide, target[mask], reduction="sum")

    def _scores(self, states: Tensor, z: Tensor, row: Tensor) -> Tensor:
        """Return the scores ``(N, pieces)`` of states ``(N, d)``, given the row in z of each."""
        if self.join is not None:
            states = self.join(torch.cat([states, z[row]], dim=1))
        scores: Tensor = self.head(states)
        return scores if self.beside is None else scores + self.beside(z)[row]
