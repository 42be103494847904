"""Build the trained encoder as a sentence-transformers model: token states, pooling, optional unit length.

So a trainer writes the format of sentence-transformers.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn

from amrx.device import seeded
from amrx.errors import OptionError
from amrx.pretrained.gguf import gguf_in, is_gguf, read_gguf
from amrx.pretrained.hub import find_model, loading, quiet
from amrx.pretrained.loading import POOLER, check_arrays, watching
from retrofit.bases.files import require_safetensors
from retrofit.training.bases.feed import Features
from retrofit.training.bases.recipe import Backbone, Scratch

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from transformers import PreTrainedModel


DROPOUT = (
    "dropout_rate", "hidden_dropout_prob", "attention_probs_dropout_prob",
    "dropout", "attention_dropout", "embedding_dropout", "mlp_dropout",
)  # fmt: skip
"""Keys of dropout in transformers' configurations."""


def build_encoder(recipe: Backbone, seed: int) -> SentenceTransformer:
    """Return the untrained encoder, on the CPU, in float32."""
    with seeded(seed):  # XLM-R's pooler is not in its files; its random weights are drawn here
        if recipe.start == "pretrained":
            return _pretrained(recipe)
        with tempfile.TemporaryDirectory() as folder:
            _write_scratch(Path(folder), recipe.scratch, recipe.max_tokens)
            return _assemble(Path(folder), recipe)


def tokenize(encoder: SentenceTransformer, texts: Sequence[str]) -> Features:
    """Return the encoder's input for some sentences, cut to the maximum length and padded."""
    features = encoder.preprocess(list(texts))
    return {name: value for name, value in features.items() if isinstance(value, Tensor)}


def _pretrained(recipe: Backbone) -> SentenceTransformer:
    """Find and load the model named in the recipe."""
    location = Path(recipe.name)
    folder = (
        location
        if is_gguf(location)
        else find_model(recipe.name, what="weights of", local="--set backbone.name=DIR")
    )
    if packed := gguf_in(folder):
        return _unpacked(packed, recipe)
    require_safetensors(folder, recipe.name)
    return _assemble(folder, recipe)


def _unpacked(file: Path, recipe: Backbone) -> SentenceTransformer:
    """Load a GGUF file, through a temporary folder for sentence-transformers."""
    model, tokenizer = read_gguf(file)
    with tempfile.TemporaryDirectory() as folder:
        with quiet():
            model.save_pretrained(folder)
        del model  # 1 GB in float32 for 270 million parameters
        tokenizer.save_pretrained(folder)
        return _assemble(Path(folder), recipe)


def _assemble(folder: Path, recipe: Backbone) -> SentenceTransformer:
    """Load a folder of transformers and append the pooling."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer

    dropout = {} if recipe.dropout is None else dict.fromkeys(DROPOUT, recipe.dropout)
    with loading(folder), watching() as networks:
        states = Transformer(
            str(folder),
            max_seq_length=recipe.max_tokens,
            model_kwargs={"use_safetensors": True, "dtype": torch.float32, "local_files_only": True},
            config_kwargs={"local_files_only": True, **dropout},  # keys unknown to the model are omitted
            processor_kwargs={"local_files_only": True},
        )
    for network, report in networks:
        check_arrays(network, report, folder, POOLER)
    if dropout and not any(hasattr(states.model.config, key) for key in DROPOUT):
        raise OptionError(f"recipe key 'backbone.dropout' is set, but the model in {folder} has no dropout")
    pooler = getattr(states.model, "pooler", None)
    if pooler is not None:  # the unused pooler never has a gradient, which stops training on several devices
        pooler.requires_grad_(False)
    if recipe.train_layers:
        freeze(states.model, recipe.train_layers)
    width = int(states.get_embedding_dimension())
    modules: list[nn.Module] = [states, Pooling(width, pooling_mode=recipe.pooling)]
    return SentenceTransformer(modules=[*modules, *([Normalize()] if recipe.unit else [])], device="cpu")


def freeze(model: nn.Module, kept: int) -> None:
    """Freeze a network except its last layers and the modules after them."""
    config: Any = model.config
    lists = (part for part in model.modules() if isinstance(part, nn.ModuleList))
    layers = next(part for part in lists if len(part) == config.num_hidden_layers)
    if kept > len(layers):
        raise OptionError(f"recipe key 'backbone.train_layers' is {kept}, but there are {len(layers)} layers")
    frozen = [part for name, part in model.named_children() if name.startswith(("embed", "shared"))]
    for part in (*frozen, *layers[: len(layers) - kept]):
        part.requires_grad_(False)


def _write_scratch(folder: Path, recipe: Scratch, max_tokens: int) -> None:
    """Write an untrained network with its tokenizer."""
    from transformers import PreTrainedTokenizerFast

    from amrx.muse.fast import fast_tokenizer

    raw = fast_tokenizer(recipe.pieces)
    build = {"bert": _bert, "mt5": _mt5}[recipe.kind]
    with quiet():
        model = build(recipe, raw.get_vocab_size(), max_tokens)
        if recipe.table == "muse":
            _take_table(model, recipe)
        model.save_pretrained(folder)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw, bos_token="<s>", eos_token="</s>", cls_token="<s>", sep_token="</s>",
        unk_token="<unk>", pad_token="<pad>", model_max_length=max_tokens,
        model_input_names=["input_ids", "attention_mask"],
    )  # fmt: skip
    tokenizer.save_pretrained(folder)


def _take_table(model: PreTrainedModel, recipe: Scratch) -> None:
    """Replace random embeddings by multilingual USE's vectors of the pieces, with the same deviation."""
    from amrx.muse.fast import piece_vectors

    table = cast("Tensor", model.get_input_embeddings().weight)
    with torch.no_grad():
        table.copy_(piece_vectors(len(table), recipe.width) * table.std())


def _bert(recipe: Scratch, pieces: int, max_tokens: int) -> PreTrainedModel:
    from transformers import BertConfig, BertModel

    from amrx.muse.fast import PAD

    config = BertConfig(
        vocab_size=pieces, hidden_size=recipe.width, num_hidden_layers=recipe.layers,
        num_attention_heads=recipe.heads, intermediate_size=4 * recipe.width, pad_token_id=PAD,
        max_position_embeddings=max_tokens, type_vocab_size=1, hidden_dropout_prob=recipe.dropout,
        attention_probs_dropout_prob=recipe.dropout,
    )  # fmt: skip
    return BertModel(config)


def _mt5(recipe: Scratch, pieces: int, max_tokens: int) -> PreTrainedModel:
    from transformers import MT5Config, MT5EncoderModel

    from amrx.muse.fast import PAD

    config = MT5Config(
        vocab_size=pieces, d_model=recipe.width, d_kv=recipe.width // recipe.heads, num_layers=recipe.layers,
        num_heads=recipe.heads, d_ff=11 * recipe.width // 4, dropout_rate=recipe.dropout, pad_token_id=PAD,
    )  # fmt: skip
    return MT5EncoderModel(config)
