"""Stop a training, and compare the state that two runs of it left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch

from amrx.training import read_checkpoint, read_log


def assert_same_state(one: Path, other: Path) -> None:
    """Assert that checkpoints and logs agree in all but time."""
    kept, wanted = (
        read_checkpoint(run / "checkpoint.safetensors", torch.device("cpu")) for run in (one, other)
    )
    for header in (kept.header, wanted.header):
        del header["progress"]["seconds"]
    assert kept.header == wanted.header
    assert kept.tensors.keys() == wanted.tensors.keys() and kept.moments.keys() == wanted.moments.keys()
    assert all(torch.equal(kept.tensors[name], tensor) for name, tensor in wanted.tensors.items())
    for number, moments in wanted.moments.items():
        assert all(torch.equal(kept.moments[number][name], value) for name, value in moments.items())
    assert plain_lines(one) == plain_lines(other)


def plain_lines(folder: Path) -> list[dict[str, object]]:
    """Return the log without the readings of the clock."""
    timed = ("steps_per_second", "seconds")
    return [{k: v for k, v in line.items() if k not in timed} for line in read_log(folder / "log.jsonl")]


def stopping_at(stop: int, task: type) -> Callable[[object, int], object]:
    """Return the ``backward`` of a task that ends the run in a step."""
    backward = task.backward

    def stopping(self: object, step: int) -> object:
        if step == stop:
            raise KeyboardInterrupt
        return backward(self, step)

    return stopping
