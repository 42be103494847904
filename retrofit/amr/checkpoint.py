"""One safetensors file that holds a run: weights, optimiser moments, and counters as JSON in its header."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from amrx.errors import InputError, OptionError
from amrx.records import atomic_path


@dataclass(slots=True)
class Progress:
    """Where a run stands.

    Attributes:
        step: Steps done.
        best: Best selection score so far, or ``None``.
        best_step: Step of that score.
        waited: Looks at the dev pairs since then.
        run: Hash of recipe, corpus and vocabulary: what must not change on resuming.
    """

    step: int = 0
    best: float | None = None
    best_step: int = 0
    waited: int = 0
    run: str = ""
    weight: float | None = field(default=None)


def save_checkpoint(
    path: Path, module: torch.nn.Module, optimizer: torch.optim.Optimizer, state: Progress
) -> None:
    """Write the whole state of a run; the file appears whole or not at all."""
    tensors = {f"model.{name}": tensor for name, tensor in module.state_dict().items()}
    for number, moments in optimizer.state_dict()["state"].items():
        for name, tensor in moments.items():
            tensors[f"optimizer.{number}.{name}"] = tensor
    header = {name: getattr(state, name) for name in Progress.__slots__}
    plain = {name: tensor.detach().to("cpu").contiguous() for name, tensor in tensors.items()}
    with atomic_path(path) as temporary:
        save_file(plain, temporary, metadata={"progress": json.dumps(header)})


def load_checkpoint(
    path: Path, module: torch.nn.Module, optimizer: torch.optim.Optimizer, run: str, device: torch.device
) -> Progress:
    """Put a saved state back into module and optimiser.

    Raises:
        OptionError: The checkpoint belongs to another recipe, corpus or vocabulary.
        InputError: The file is damaged.
    """
    try:
        with safe_open(path, framework="pt", device=str(device)) as file:
            header: Mapping[str, str] = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # no mapping
    except SafetensorError as error:
        raise InputError(f"is no whole checkpoint: {error}", file=path) from None
    state = Progress(**json.loads(header.get("progress", "{}")))
    if state.run != run:
        raise OptionError(
            f"{path} belongs to another recipe or corpus; name another folder, or do not resume"
        )
    module.load_state_dict(
        {name.removeprefix("model."): tensor for name, tensor in tensors.items() if name.startswith("model.")}
    )
    moments: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            number, key = name.removeprefix("optimizer.").split(".", 1)
            moments.setdefault(int(number), {})[key] = tensor.to("cpu") if key == "step" else tensor
    groups = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": moments, "param_groups": groups})
    return state
