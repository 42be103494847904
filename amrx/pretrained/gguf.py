"""GGUF, the one-file format of llama.cpp: weights in blocks of a few bits, settings, vocabulary.

transformers reads the architectures it knows (with the package gguf); every block is unpacked to float32 when
it is loaded, so what is computed is what the file says, on any device, and can be trained and saved.
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


def is_gguf(place: Path) -> bool:
    """Tell whether a path is a file that is called like one."""
    return place.suffix == SUFFIX and place.is_file()


def gguf_in(place: Path) -> Path | None:
    """Return the GGUF file that a path names, or that a folder without other weights holds.

    Raises:
        InputError: The folder holds several.
    """
    if place.is_file():
        return place
    if any(place.glob("*.safetensors")) or pickle_in(place) is not None:
        return None
    found = sorted(place.glob(f"*{SUFFIX}"))
    if len(found) > 1:
        names = ", ".join(file.name for file in found)
        raise InputError(f"holds {names}; name one of the files", file=place)
    return found[0] if found else None


def read_gguf(file: Path, head: bool = False) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Return the network, in float32 on the CPU, and the tokenizer.

    Raises:
        MissingResourceError: The package gguf is not installed.
        InputError: The file is damaged or cut short, lacks arrays, or is of an architecture that transformers
            does not read.
    """
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
    unpacked = GgufConfig(dequantize=True)  # or kernels are fetched from the hub
    model = load_network(kind, file.parent, source=file, gguf_file=file.name, quantization_config=unpacked)
    _forget_blocks(model)
    return model, tokenizer


def _forget_blocks(model: Any) -> None:  # noqa: ANN401  # attributes that transformers does not declare
    """Make of an unpacked model a plain one, which transformers saves as safetensors."""
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
