"""One safetensors file that holds a training run: weights, optimiser moments, and a JSON header."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from amrx.errors import InputError
from amrx.records import atomic_path


def save_run(
    path: Path, module: torch.nn.Module, optimizer: torch.optim.Optimizer, header: Mapping[str, object]
) -> None:
    """Write the whole state of a run; the file appears whole or not at all."""
    tensors = {f"model.{name}": tensor for name, tensor in module.state_dict().items()}
    for number, moments in optimizer.state_dict()["state"].items():
        for name, tensor in moments.items():
            tensors[f"optimizer.{number}.{name}"] = torch.as_tensor(tensor)  # Adafactor counts in a number
    plain: dict[str, torch.Tensor] = {}
    places: set[int] = set()
    for name, tensor in tensors.items():
        ours = tensor.detach().to("cpu").contiguous()
        # safetensors refuses two names of one memory, which tied weights are
        plain[name] = ours.clone() if ours.numel() and ours.data_ptr() in places else ours
        places.add(ours.data_ptr())
    with atomic_path(path) as temporary:
        save_file(plain, temporary, metadata={"progress": json.dumps(dict(header))})


def read_header(path: Path) -> dict[str, Any]:
    """Return the header of a checkpoint.

    Raises:
        InputError: The file is damaged.
    """
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            found: Mapping[str, str] = file.metadata() or {}
    except SafetensorError as error:
        raise InputError(f"is no whole checkpoint: {error}; give --fresh to begin anew", file=path) from None
    header: dict[str, Any] = json.loads(found.get("progress", "{}"))
    return header


def load_run(
    path: Path, module: torch.nn.Module, optimizer: torch.optim.Optimizer, device: torch.device
) -> None:
    """Put weights and moments of a checkpoint, whose header was read before, into module and optimiser."""
    weights: dict[str, torch.Tensor] = {}
    moments: dict[int, dict[str, torch.Tensor]] = {}
    with safe_open(path, framework="pt", device=str(device)) as file:
        for name in file.keys():  # noqa: SIM118  # no mapping
            part, rest = name.split(".", 1)
            tensor = file.get_tensor(name)
            if part == "model":
                weights[rest] = tensor
            else:
                number, key = rest.split(".", 1)
                moments.setdefault(int(number), {})[key] = tensor.to("cpu") if key == "step" else tensor
    module.load_state_dict(weights)
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": moments, "param_groups": groups})
