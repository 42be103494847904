"""Find and load a BERT-like backbone: the packaged MiniLM, a local folder, or a model in the hub's cache.

The folder of an AMR encoder is also a backbone: training starts from its weights and its vocabulary, extended
by symbols of the corpus. In this way an encoder is adapted to the graphs of another parser.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amrx.errors import OptionError
from amrx.pretrained.hub import find_model
from amrx.pretrained.packaged import find_minilm
from amrx.records import fingerprint
from amrx.records.files import reading

if TYPE_CHECKING:
    import torch
    from transformers import PretrainedConfig, PreTrainedModel, PreTrainedTokenizerFast

    from retrofit.amr.bert import Backbone

_FILES = ("config.json", "tokenizer.json", "model.safetensors")


def find_backbone(name: str) -> Path:
    """Return the folder that holds ``config.json``, ``tokenizer.json`` and ``model.safetensors``.

    ``name`` is ``minilm``, a folder (also of an AMR encoder), or a hub id such as ``bert-base-uncased``.
    """
    if name == "minilm":
        return find_minilm("model.backbone in the recipe")
    folder = find_model(name, what="weights of the backbone", local="model.backbone in the recipe")
    for needed in _FILES:
        if not (folder / needed).is_file():
            raise OptionError(f"backbone {name!r} is neither 'minilm' nor a folder with {needed}")
    return folder


def backbone_fingerprint(name: str) -> str:
    """Return 16 hexadecimal digits that depend on every byte of a backbone's files, but not on its name."""
    folder = find_backbone(name)
    # not the whole folder: an encoder's folder also has the fitted weights of the AMR side, which may change
    return fingerprint({}, [folder / file for file in _FILES])


def load_backbone(name: str, *, dropout: float = 0.0) -> tuple[PreTrainedTokenizerFast, PreTrainedModel]:
    """Load tokenizer and float32 model of a BERT-like backbone from a local folder, never from a network.

    The weights may be float32, float16 or int8 in the format of `retrofit.amr.tensor_files`. The pooling head
    of an AMR encoder is not loaded.
    """
    from transformers import AutoModel, PreTrainedTokenizerFast

    from retrofit.amr.tensor_files import load_state, read_weights

    folder = find_backbone(name)
    config = _config(folder)
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = dropout
    model: PreTrainedModel = AutoModel.from_config(
        config, attn_implementation="sdpa", add_pooling_layer=False
    )
    load_state(model, read_weights(folder / "model.safetensors"), folder)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"),
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        mask_token="[MASK]",
    )
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.no_padding()
    if len(tokenizer) > config.vocab_size:
        raise OptionError(
            f"backbone {name!r}: {len(tokenizer)} tokens but {config.vocab_size} embedding rows"
        )
    return tokenizer, model


def _config(folder: Path) -> PretrainedConfig:
    """Return the shape in ``config.json`` of a model or of an AMR encoder."""
    from transformers import AutoConfig

    path = folder / "config.json"
    with reading(path, "is not a model's config"):
        shape = json.loads(path.read_text("utf-8")).get("backbone")
        if isinstance(shape, dict):
            return AutoConfig.for_model(**shape)
        config: PretrainedConfig = AutoConfig.from_pretrained(folder, local_files_only=True)
        return config


def build_backbone(shape: Mapping[str, Any], device: torch.device) -> Backbone:
    """Build a network for inference, whose weights are loaded afterwards.

    BERT is built without transformers, whose import takes longer than encoding a graph; other kinds with it.
    """
    from amrx.pretrained.empty import no_random_numbers
    from retrofit.amr.bert import BertBackbone, bert_shape
    from retrofit.amr.model import attention_for

    attention = attention_for(device)
    sizes = bert_shape(shape, plain=attention == "eager")
    if sizes is not None:
        with no_random_numbers():
            return BertBackbone(sizes, int(shape["vocab_size"]))
    from transformers import AutoConfig, AutoModel

    options = {key: value for key, value in shape.items() if key != "model_type"}
    config = AutoConfig.for_model(shape["model_type"], **options)
    model: PreTrainedModel = AutoModel.from_config(
        config, attn_implementation=attention, add_pooling_layer=False
    )
    return model
