"""Where a run of the AMR encoder stands, kept in the header of its checkpoint."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import torch

from amrx.errors import OptionError
from retrofit.training.checkpoint import load_run, read_header, save_run


@dataclass(slots=True)
class Progress:
    """Where a run stands.

    Attributes:
        step: Steps done.
        best: Best selection score so far, or ``None``.
        best_step: Step of that score.
        waited: Looks at the dev pairs since then.
        run: Hash of what must not change on resuming (`retrofit.training.amr.setup.Setup.fingerprint`).
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
    save_run(path, module, optimizer, {name: getattr(state, name) for name in Progress.__slots__})


def load_checkpoint(
    path: Path, module: torch.nn.Module, optimizer: torch.optim.Optimizer, run: str, device: torch.device
) -> Progress:
    """Put a saved state back into module and optimiser.

    Raises:
        OptionError: The checkpoint belongs to another recipe, backbone, teacher or corpus.
        InputError: The file is damaged.
    """
    state = Progress(**read_header(path))
    if state.run != run:
        told = "belongs to another recipe, backbone, teacher or corpus; name another folder, or give --fresh"
        raise OptionError(f"{path} {told}")
    load_run(path, module, optimizer, device)
    return state
