"""Read GGUF, the single-file format of llama.cpp: weights in blocks of a few bits, settings, vocabulary.

transformers reads the architectures that it knows (with the package gguf). Blocks are unpacked to float32 on
loading, so the network computes with the values of the file on any device, and can be trained and saved.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amrx.errors import InputError, MissingResourceError
from amrx.pretrained.hub import loading, pickle_in
from amrx.pretrained.loading import load_network

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

SUFFIX = ".gguf"
MAGIC = b"GGUF"


def is_gguf(path: Path) -> bool:
    """Return whether a path is a file with the suffix of GGUF."""
    return path.suffix == SUFFIX and path.is_file()


def gguf_in(path: Path) -> Path | None:
    """Return the GGUF file at a path, or in a folder without other weights."""
    if path.is_file():
        return path
    if any(path.glob("*.safetensors")) or pickle_in(path) is not None:
        return None
    files = sorted(path.glob(f"*{SUFFIX}"))
    if len(files) > 1:
        names = ", ".join(file.name for file in files)
        raise InputError(f"holds {names}; name one of the files", file=path)
    return files[0] if files else None


def read_gguf(file: Path, head: bool = False) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Return the network, in float32 on the CPU, and the tokenizer."""
    if importlib.util.find_spec("gguf") is None:
        raise MissingResourceError(f"the package gguf, which reads {file}", fetch="pip install gguf")
    with file.open("rb") as stream:
        if stream.read(len(MAGIC)) != MAGIC:
            raise InputError("is not a GGUF file", file=file)
    from transformers import AutoModel, AutoModelForCausalLM, AutoTokenizer, GgufConfig

    kind: Any = AutoModelForCausalLM if head else AutoModel
    with loading(file):
        tokenizer = AutoTokenizer.from_pretrained(
            file.parent, gguf_file=file.name, local_files_only=True, trust_remote_code=False
        )
    unpacked = GgufConfig(dequantize=True)  # otherwise kernels are downloaded from the hub
    model = load_network(kind, file.parent, source=file, gguf_file=file.name, quantization_config=unpacked)
    _forget_blocks(model)
    return model, tokenizer


def _forget_blocks(model: Any) -> None:  # noqa: ANN401  # attributes that transformers does not declare
    """Remove the marks of quantisation, so that transformers saves the model as safetensors."""
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
