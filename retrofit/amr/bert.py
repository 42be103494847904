"""Provide BERT as a backbone without transformers, with the interface and the states of its ``BertModel``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from torch import Tensor, nn

from amrx.e5.bert import Bert
from amrx.e5.weights import BertShape

if TYPE_CHECKING:
    from transformers import PreTrainedModel

    Backbone: TypeAlias = PreTrainedModel | "BertBackbone"

_SIZES = (
    "num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size", "max_position_embeddings",
    "type_vocab_size",
)  # fmt: skip


class Config(NamedTuple):
    """The only key of a transformers configuration that an encoder reads."""

    hidden_size: int


class States(NamedTuple):
    """The output."""

    last_hidden_state: Tensor  # ``(B, T, d)``


class BertBackbone(Bert):
    """Embeddings of ``words`` pieces and layers; its arrays have the names of transformers' ``BertModel``."""

    def __init__(self, shape: BertShape, words: int) -> None:
        super().__init__(shape, nn.Embedding(words, shape.width))
        self.config = Config(shape.width)

    def get_input_embeddings(self) -> nn.Module:
        """Return the table of word pieces."""
        return self.embeddings["word_embeddings"]

    def __call__(
        self,
        *,
        attention_mask: Tensor,
        input_ids: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        token_type_ids: Tensor | None = None,
    ) -> States:
        """Return the last states of pieces ``(B, T)``, or of embedded ones; the mask is 0 at padding."""
        words = self.get_input_embeddings()(input_ids) if inputs_embeds is None else inputs_embeds
        return States(self.states_of(words, attention_mask, token_type_ids)[-1])


def bert_shape(shape: Mapping[str, Any], *, plain: bool) -> BertShape | None:
    """Return the sizes of an encoder that `BertBackbone` computes; ``None`` for another kind.

    ``shape`` are the keys of a ``config.json``; ``plain`` computes attention by two matrix products.
    """
    sizes = [shape.get(name) for name in (*_SIZES, "vocab_size")]
    epsilon, others = shape.get("layer_norm_eps"), ("is_decoder", "add_cross_attention")
    if (
        (shape.get("model_type"), shape.get("hidden_act")) != ("bert", "gelu")
        or any(type(size) is not int or size < 1 for size in sizes)
        or type(epsilon) is not float
        or any(shape.get(name) for name in others)
        or shape["hidden_size"] % shape["num_attention_heads"]
    ):
        return None
    layers, width, heads, inner, positions, types = (shape[name] for name in _SIZES)
    return BertShape(layers, width, heads, inner, positions, types, epsilon, plain)
