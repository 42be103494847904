"""Model folders of which arrays are lost, reshaped or too many."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path


def changed(folder: Path, to: Path, change: Callable[[dict], dict]) -> Path:
    """Copy a model folder with other arrays in its ``model.safetensors``."""
    from safetensors.torch import load_file, save_file

    shutil.copytree(folder, to)
    arrays = change(load_file(to / "model.safetensors"))
    save_file(arrays, to / "model.safetensors", metadata={"format": "pt"})
    return to


def without(part: str) -> Callable[[dict], dict]:
    """Leave out the arrays whose name holds ``part``."""
    return lambda arrays: {name: array for name, array in arrays.items() if part not in name}


def narrowed(part: str) -> Callable[[dict], dict]:
    """Take the last column off the arrays whose name holds ``part``."""

    def change(arrays: dict) -> dict:
        return {
            name: array[..., :-1].contiguous() if part in name else array for name, array in arrays.items()
        }

    return change


def deeper(layer: str, number: int) -> Callable[[dict], dict]:
    """Add a layer more than the configuration names: ``layer`` + number, a copy of the first."""

    def change(arrays: dict) -> dict:
        first = {name: array for name, array in arrays.items() if f"{layer}0." in name}
        assert first
        more = {
            name.replace(f"{layer}0.", f"{layer}{number}."): array.clone() for name, array in first.items()
        }
        return arrays | more

    return change
