"""Save and load weights: safetensors in float32, float16 or int8 with scales, dequantised on loading.

A matrix ``W (rows, columns)`` is stored as int8 ``q (rows, columns)`` and float16 ``s (rows, groups)``, where
a group is 64 columns (or all, if 64 does not divide their number): ``W ~ q * s``, ``s = max|group| / 127``.
Vectors (biases, norms) are stored as float16.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from amrx.errors import InputError
from amrx.records import atomic_path

if TYPE_CHECKING:
    import torch

Storage = Literal["int8", "float16", "float32"]
ABOVE = "above.weight"
"""Name of an encoder's matrix for the concepts of parents (`retrofit.amr.model`)."""
_SCALE = ".row_scale"
_GROUP = 64


def write_weights(path: Path, tensors: Mapping[str, torch.Tensor], storage: Storage = "float32") -> None:
    """Write named tensors as ``int8``, ``float16`` or ``float32``, atomically."""
    import torch
    from safetensors.torch import save_file

    packed: dict[str, torch.Tensor] = {}
    for name, tensor in tensors.items():
        values = tensor.detach().to("cpu", torch.float32).contiguous()
        if storage == "int8" and values.ndim == 2:
            grouped = values.view(
                len(values), -1, _GROUP if values.shape[1] % _GROUP == 0 else values.shape[1]
            )
            scale = (grouped.abs().amax(dim=2) / 127).clamp(min=1e-7).half()
            quantised = (grouped / scale.float()[:, :, None]).round().clamp(-127, 127).to(torch.int8)
            packed[name], packed[name + _SCALE] = quantised.view(values.shape), scale
        else:
            packed[name] = values if storage == "float32" else values.half()
    with atomic_path(path) as temporary:
        # only one key: safetensors writes several in random order, and equal weights must give equal files
        save_file(packed, temporary, metadata={"format": "pt"})
        temporary.chmod(0o644)  # safetensors writes files that only the owner can read


def read_weights(path: Path) -> dict[str, torch.Tensor]:
    """Read a file of `write_weights` or transformers, as float32 on the CPU (integers stay integers)."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        stored = load_file(path)
    except FileNotFoundError:
        raise InputError("no such file", file=path) from None
    except SafetensorError as error:
        raise InputError(f"is not a complete safetensors file: {error}", file=path) from None
    tensors: dict[str, torch.Tensor] = {}
    for name, tensor in stored.items():
        if name.endswith(_SCALE):
            continue
        scale = stored.get(name + _SCALE)
        if scale is None and tensor.dtype == torch.int8:
            raise InputError(f"has no tensor {name + _SCALE!r}, the scales of {name!r}", file=path)
        if scale is not None:
            tensors[name] = _dequantised(tensor, scale, name, path)
        else:
            dtype = torch.float32 if tensor.is_floating_point() else tensor.dtype
            tensors[name] = tensor.to(dtype, copy=True)
    return tensors


def _dequantised(rows: torch.Tensor, scale: torch.Tensor, name: str, path: Path) -> torch.Tensor:
    groups = scale.shape[-1]
    if rows.ndim != 2 or scale.shape != (len(rows), groups) or groups < 1 or rows.shape[1] % groups:
        shapes = f"{tuple(rows.shape)}, its scales are {tuple(scale.shape)}"
        raise InputError(f"tensor {name!r} is {shapes}", file=path)
    grouped = rows.float().view(len(rows), groups, -1)
    return grouped.mul_(scale.float()[:, :, None]).view(rows.shape)


def load_state(module: torch.nn.Module, tensors: Mapping[str, torch.Tensor], place: Path) -> None:
    """Load tensors into a module on the CPU.

    Additional tensors (an unused pooler) are ignored; a missing one, or one of another shape, is an error.
    Names may have the prefix of a pretrained BERT (``bert.``) or of an AMR encoder (``backbone.``); a layer
    norm may have the names gamma and beta of 2018, as in the hub's bert-base-uncased.
    """
    state = module.state_dict()
    for name, target in state.items():
        if name.endswith("position_ids") or name.endswith("token_type_ids"):
            continue
        old = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")
        known = (name, f"bert.{name}", old, f"bert.{old}", f"backbone.{name}")
        tensor = next((tensors[other] for other in known if other in tensors), None)
        if tensor is None:
            raise InputError(f"has no tensor {name!r}", file=place)
        if tensor.shape != target.shape:
            raise InputError(
                f"tensor {name!r} is {tuple(tensor.shape)}, not {tuple(target.shape)}", file=place
            )
        state[name] = tensor
    module.load_state_dict(state, assign=True)
