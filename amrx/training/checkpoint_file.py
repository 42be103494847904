"""Read and write checkpoints: one safetensors file with tensors, optimizer moments and a JSON header."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from amrx.errors import InputError
from amrx.records import atomic_path


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The contents of a checkpoint file."""

    header: Mapping[str, Any]  # JSON values: progress of the run, state of the task
    tensors: Mapping[str, Tensor]  # tensors of the task, by name
    moments: Mapping[int, dict[str, Tensor]]  # moments of the optimizer, by parameter number and name

    def restore_optimizer(self, optimizer: torch.optim.Optimizer) -> None:
        """Load the moments into an optimizer of the same parameters."""
        groups = optimizer.state_dict()["param_groups"]
        optimizer.load_state_dict({"state": dict(self.moments), "param_groups": groups})


def write_tensors(
    path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, object] | None = None
) -> None:
    """Write tensors, which may be tied, and a header, atomically."""
    unshared: dict[str, Tensor] = {}
    pointers: set[int] = set()
    for name, tensor in tensors.items():
        own = tensor.detach().to("cpu").contiguous()
        # safetensors rejects two names of the same memory, as of tied weights
        unshared[name] = own.clone() if own.numel() and own.data_ptr() in pointers else own
        pointers.add(own.data_ptr())
    with atomic_path(path) as temporary:
        save_file(unshared, temporary, metadata={"header": json.dumps(dict(header or {}))})


def write_checkpoint(
    path: Path, tensors: Mapping[str, Tensor], optimizer: torch.optim.Optimizer, header: Mapping[str, object]
) -> None:
    """Write the complete state of a run."""
    parts = {f"model.{name}": tensor for name, tensor in tensors.items()}
    for number, moments in optimizer.state_dict()["state"].items():
        for name, value in moments.items():
            parts[f"optimizer.{number}.{name}"] = torch.as_tensor(value)  # Adafactor's step is a plain number
    write_tensors(path, parts, header)


def read_header(path: Path) -> dict[str, Any]:
    """Return the header of a checkpoint without its tensors."""
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            return _header(path, file.metadata())
    except (SafetensorError, OSError) as error:
        raise InputError(f"is not a complete checkpoint: {error}", file=path) from None


def read_tensors(path: Path, device: torch.device | str = "cpu") -> dict[str, Tensor]:
    """Return the tensors of a file written by `write_tensors`."""
    try:
        with safe_open(path, framework="pt", device=str(device)) as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # not a mapping
    except (SafetensorError, OSError) as error:
        raise InputError(f"is not a complete checkpoint: {error}", file=path) from None


def read_checkpoint(path: Path, device: torch.device) -> Checkpoint:
    """Read a file written by `write_checkpoint`."""
    header = read_header(path)
    tensors: dict[str, Tensor] = {}
    moments: dict[int, dict[str, Tensor]] = {}
    for name, tensor in read_tensors(path, device).items():
        part, rest = name.split(".", 1)
        if part == "model":
            tensors[rest] = tensor
        else:
            number, key = rest.split(".", 1)
            moments.setdefault(int(number), {})[key] = tensor.to("cpu") if key == "step" else tensor
    return Checkpoint(header, tensors, moments)


def _header(path: Path, metadata: Mapping[str, str] | None) -> dict[str, Any]:
    try:
        header: dict[str, Any] = json.loads((metadata or {})["header"])
    except (KeyError, ValueError):
        raise InputError("is not a checkpoint of this version of amrx", file=path) from None
    return header
