"""Where training runs: one device, or one process a device under ``accelerate launch``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from amrx.device import pick_device

if TYPE_CHECKING:
    import torch
    from accelerate import Accelerator


@dataclass(frozen=True, slots=True)
class Place:
    """Device and process.

    Attributes:
        accelerator: Runs the backward pass, clips, and joins processes.
        device: Of this process.
    """

    accelerator: Accelerator
    device: torch.device

    @property
    def share(self) -> tuple[int, int]:
        """Number of this process, and how many there are."""
        return self.accelerator.process_index, self.accelerator.num_processes

    @property
    def main(self) -> bool:
        """Whether this process is the one that writes."""
        return bool(self.accelerator.is_main_process)


def find_place(device: str | None, precision: Literal["no", "bf16"]) -> Place:
    """Return where to train: the device named, or the best; under several processes, each process's own.

    Raises:
        OptionError: The device is not on this machine.
    """
    from accelerate import Accelerator

    chosen = pick_device(device)
    accelerator = Accelerator(cpu=chosen.type == "cpu", mixed_precision=precision, device_placement=False)
    return Place(accelerator, accelerator.device if accelerator.num_processes > 1 else chosen)
