"""Provide the base ``minilm``: all-MiniLM-L6-v2 from an installed package; English only.

It is the text control: a second channel like the AMR encoder, which was trained from it, but with the
sentence itself as input. The gain from AMR is the gain beyond this control.
"""

from pathlib import Path

from amrx.pretrained.packaged import find_minilm
from retrofit.bases.hub import HubBase, load_folder
from retrofit.bases.table import Asked


def find(asked: Asked) -> Path:
    """Return the named folder, or the model folder inside the package."""
    return Path(asked.argument) if asked.argument else find_minilm("minilm:DIR")


def load(asked: Asked, device: str | None = None) -> HubBase:
    """Load from the named folder, or from the installed package."""
    return load_folder(find(asked), "minilm", device)
