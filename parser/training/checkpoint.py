"""Checkpoints of a parser's training: tensors and a header in one safetensors file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from amrx.errors import InputError
from amrx.records import atomic_path


def write(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, str]) -> None:
    """Write tensors to a safetensors file, which appears whole or not at all."""
    with atomic_path(path) as temporary:
        plain = {name: tensor.detach().contiguous() for name, tensor in tensors.items()}
        save_file(plain, temporary, metadata=dict(header))


def read(path: Path, device: torch.device) -> tuple[dict[str, str], dict[str, Tensor]]:
    """Read what `write` wrote.

    Raises:
        InputError: It is no whole safetensors file.
    """
    try:
        with safe_open(path, framework="pt", device=str(device)) as file:
            header = file.metadata() or {}
            return header, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise InputError(f"no such file; delete {path.parent} to begin anew", file=path) from None
    except (SafetensorError, OSError) as error:
        told = f"is no whole checkpoint: {error}; delete {path.parent} to begin anew"
        raise InputError(told, file=path) from None
