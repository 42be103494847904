"""Build the untrained parts of the model: semantic encoder, language encoder, decoder.

Ablations: several language encoders, or a decoder per language, instead of one for all. Every part is used in
every step, as required on several devices: a part without rows in a batch reads the first row, and its output
has weight 0.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn

from amrx.device import seeded
from amrx.errors import InputError, OptionError
from amrx.pretrained.hub import find_model, loading
from amrx.pretrained.loading import load_network
from retrofit.training.bases.backbone import build_encoder
from retrofit.training.bases.feed import Features
from retrofit.training.bases.vmsst.decoder import Decoder
from retrofit.training.bases.vmsst.recipe import Recipe

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from transformers import MT5Config, PreTrainedModel
    from transformers.models.mt5.modeling_mt5 import MT5Stack


class LanguageEncoder(nn.Module):
    """q(z_lang | x), which depends on the language, not the meaning.

    Embeddings of piece plus language, transformer, mean, two linear maps.

    Its network has kind and size of the semantic encoder's.
    """

    def __init__(self, model: PreTrainedModel, latent: int, languages: int, recipe: Recipe) -> None:
        super().__init__()
        width = int(model.config.hidden_size)
        self.own: nn.Module | None = None if recipe.latents.one_encoder else _sibling(model, recipe)
        self.language: nn.Embedding | None = None
        if recipe.latents.languages:
            self.language = nn.Embedding(languages, width)
            nn.init.normal_(self.language.weight, std=scale_of(model))
        self.mean, self.log_variance = nn.Linear(width, latent), nn.Linear(width, latent)

    def forward(self, model: PreTrainedModel, features: Features, language: Tensor) -> tuple[Tensor, Tensor]:
        """Return mean and log-variance, ``(B, latent)`` each.

        ``model`` is the semantic encoder's network, with the embedding table; it may be shared.
        """
        given = model.get_input_embeddings()(features["input_ids"])
        if self.language is not None:
            given = given + self.language(language)[:, None]
        network = model if self.own is None else self.own
        states = network(inputs_embeds=given, attention_mask=features["attention_mask"]).last_hidden_state
        mask = features["attention_mask"][..., None].to(states.dtype)  # (B, T, 1)
        pooled = (states * mask).sum(dim=1) / mask.sum(dim=1)
        return self.mean(pooled), self.log_variance(pooled)


def scale_of(model: PreTrainedModel) -> float:
    """Return the standard deviation of the embeddings of pieces."""
    return float(cast("Tensor", model.get_input_embeddings().weight).detach().std())


def _sibling(model: PreTrainedModel, recipe: Recipe) -> nn.Module:
    """Return a network of the same kind without embeddings of pieces, pretrained or random."""
    if recipe.backbone.start == "pretrained":
        other = copy.deepcopy(model)
    else:
        other = type(model)(copy.deepcopy(model.config))
        pooler = getattr(other, "pooler", None)
        if pooler is not None:  # unused, see `retrofit.training.bases.backbone`
            pooler.requires_grad_(False)
    other.set_input_embeddings(nn.Identity())  # the input is embeddings
    return other


class LanguageEncoders(nn.Module):
    """q(z_lang | x) by several encoders; languages are allocated at random in equal numbers.

    With as many encoders as languages each language has its own.
    """

    which: Tensor

    def __init__(self, each: Sequence[LanguageEncoder], languages: int) -> None:
        super().__init__()
        self.each = nn.ModuleList(each)
        count = len(each)
        numbers = torch.arange(languages) if count >= languages else torch.randperm(languages) % count
        self.register_buffer("which", numbers)

    def forward(self, model: nn.Module, features: Features, language: Tensor) -> tuple[Tensor, Tensor]:
        """Return mean and log-variance, ``(B, latent)`` each; see `LanguageEncoder`."""
        places, outputs, nothing = [], [], []
        for encoder, rows, counts in _shared(self.each, self.which[language]):
            given = {name: value[rows] for name, value in features.items()}
            both = encoder(model, given, language[rows])
            if counts:
                places.append(rows)
                outputs.append(both)
            else:
                nothing.append(0 * (both[0].sum() + both[1].sum()))
        order = torch.cat(places).argsort()
        mean, log_variance = (torch.cat(parts)[order] for parts in zip(*outputs, strict=True))
        return mean + sum(nothing, mean.new_zeros(())), log_variance


class Decoders(nn.Module):
    """``p(x | z, language)`` by a decoder for each language."""

    def __init__(self, each: Sequence[Decoder]) -> None:
        super().__init__()
        self.each = nn.ModuleList(each)

    def forward(self, table: nn.Module, target: Tensor, mask: Tensor, language: Tensor, z: Tensor) -> Tensor:
        """Return ``- log p(x | z, language)`` summed over the pieces of all sentences; see `Decoder`."""
        total = z.new_zeros(())
        for decoder, rows, counts in _shared(self.each, language):
            loss = decoder(table, target[rows], mask[rows], language[rows], z[rows])
            total = total + (loss if counts else 0 * loss)
        return total


def _shared(each: nn.ModuleList, which: Tensor) -> Iterator[tuple[nn.Module, Tensor, bool]]:
    """Yield every part with its rows, and whether they count; ``which`` is the part of each row."""
    for number, part in enumerate(each):
        (rows,) = torch.nonzero(which == number, as_tuple=True)
        yield part, rows if len(rows) else rows.new_zeros(1), bool(len(rows))


def build_semantic(recipe: Recipe) -> SentenceTransformer:
    """Return the semantic encoder, whose vectors are μ_sem: token states, mean, linear map."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense

    body = build_encoder(recipe.backbone, recipe.seed)
    width = body.get_embedding_dimension() or 0
    with seeded(recipe.seed):
        mean = Dense(width, recipe.latents.width or width, activation_function=None)
    if (recipe.latents.width or width) == width:  # initially the identity
        nn.init.eye_(mean.linear.weight)
        nn.init.zeros_(mean.linear.bias)
    return SentenceTransformer(modules=[*body, mean], device="cpu")


def states_of(encoder: SentenceTransformer) -> PreTrainedModel:
    """Return the network of transformers inside an encoder."""
    return cast("PreTrainedModel", encoder[0].model)


def build_decoder(model: PreTrainedModel, latents: int, languages: int, recipe: Recipe) -> Decoder | Decoders:
    """Return the decoder for an encoder's network, or the decoders of all languages."""
    pretrained = recipe.backbone.start == "pretrained"

    def build() -> Decoder:
        stack, head = _pretrained(recipe) if pretrained else _random(model, recipe)
        decoder = Decoder(stack, head, latents, languages, recipe.decoder, scale_of(model))
        if not pretrained and recipe.backbone.scratch.table == "muse":
            decoder.take_table(cast("torch.Tensor", model.get_input_embeddings().weight))
        return decoder

    with seeded(recipe.seed + 1):
        return Decoders([build() for _ in range(languages)]) if recipe.decoder.per_language else build()


def build_language(
    model: PreTrainedModel, latent: int, languages: int, recipe: Recipe
) -> LanguageEncoder | LanguageEncoders:
    """Return the language encoder for an encoder's network, or several of them."""
    count = recipe.latents.encoders or languages
    with seeded(recipe.seed + 2):
        each = [LanguageEncoder(model, latent, languages, recipe) for _ in range(count)]
        return LanguageEncoders(each, languages) if recipe.latents.encoders != 1 else each[0]


def _random(model: PreTrainedModel, recipe: Recipe) -> tuple[MT5Stack, nn.Linear]:
    """Return a decoder stack of the encoder's width and an output layer, with random weights."""
    from transformers import MT5Config
    from transformers.models.mt5.modeling_mt5 import MT5Stack

    width, heads = int(model.config.hidden_size), int(model.config.num_attention_heads)
    pieces = int(model.config.vocab_size)
    asked, own = recipe.backbone.dropout, recipe.backbone.scratch.dropout
    config = MT5Config(
        vocab_size=1, d_model=width, d_kv=width // heads, num_heads=heads, d_ff=11 * width // 4,
        num_layers=recipe.decoder.layers, dropout_rate=own if asked is None else asked,
        is_decoder=True, is_encoder_decoder=False, use_cache=False,
    )  # fmt: skip
    head = nn.Linear(width, pieces, bias=False)
    nn.init.normal_(head.weight, std=width**-0.5)
    return MT5Stack(config), head


def _pretrained(recipe: Recipe) -> tuple[MT5Stack, nn.Linear]:
    """Return the first layers of the model's own decoder, and its output layer."""
    from transformers import AutoConfig, MT5ForConditionalGeneration

    folder = find_model(recipe.backbone.name, what="weights of", local="--set backbone.name=DIR")
    with loading(folder):
        config = cast("MT5Config", AutoConfig.from_pretrained(folder, local_files_only=True))
    if config.model_type != "mt5":
        raise InputError(f"is {config.model_type}; the decoder is started from mt5", file=folder)
    if recipe.backbone.dropout is not None:
        config.dropout_rate = recipe.backbone.dropout
    # Otherwise the output layer is replaced by the embeddings (transformers 5).
    config.tie_word_embeddings = False
    model: Any = load_network(MT5ForConditionalGeneration, folder, unused=("embed_tokens",), config=config)
    stack, layers = model.decoder, recipe.decoder.layers
    if layers > len(stack.block):
        raise OptionError(f"recipe key 'decoder.layers' is {layers}, but {folder} has {len(stack.block)}")
    del stack.block[layers:]
    stack.config.use_cache = False
    return stack, model.lm_head
