"""Define the folder format of a saved encoder, which sentence-transformers reads.

::

    DIR/modules.json                        names `retrofit.sentence_transformer.RetrofitModule`
        config_sentence_transformers.json   prompts, similarity
        retrofit.toml                       base, parser, channels; integration, weights, fingerprints
        base/NAME/  parser/NAME/  encoder/NAME/   copies of what was loaded from a local folder
        README.md                           how to load it

Models that ship with amrx, come from a package or are in the hub's cache are named, not copied; models from
the user's folders are copied, so that DIR can be moved. The fingerprint of each model is stored, and loading
with other weights is an error. The loading machine chooses bf16 or fp32, as in ``amrx retrofit``. There is no
code in DIR.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from amrx.errors import InputError, OptionError
from amrx.recipes import load_config

FILE = "retrofit.toml"


@dataclass(frozen=True, slots=True)
class Source:
    """The names by which `retrofit.load` loaded the parts of an encoder, and the requested precision."""

    base: str
    parser: str
    encoders: tuple[str, ...]
    precision: str


@dataclass(frozen=True, slots=True)
class Part:
    """One of the models."""

    name: str  # its name, or the part before the folder
    fingerprint: str  # name and weight hash at the time of saving
    folder: str = ""  # folder of the copy in DIR, if there is one

    def name_in(self, root: Path) -> str:
        """Return the name by which to load it from a saved folder."""
        return self.name + (str(root / self.folder) if self.folder else "")


@dataclass(frozen=True, slots=True)
class Saved:
    """The contents of ``retrofit.toml``; the parser has no name if no channel reads graphs."""

    base: Part
    parser: Part
    encoders: tuple[Part, ...]
    weights: tuple[float, ...]
    integration: str
    precision: str
    dimensions: int | None = None

    def parts(self) -> list[tuple[str, Part]]:
        """Return every model with its key, which is also the folder of its copy."""
        channels = zip(channel_keys(len(self.encoders)), self.encoders, strict=True)
        return [("base", self.base), ("parser", self.parser), *channels]


def channel_keys(count: int) -> list[str]:
    """Return the keys of some channels.

    Example:
        >>> channel_keys(3)
        ['encoder', 'encoder-2', 'encoder-3']
    """
    return ["encoder", *(f"encoder-{number}" for number in range(2, count + 1))][:count]


def read_saved(root: Path) -> Saved:
    """Read ``retrofit.toml``."""
    saved = load_config(Saved, root / FILE)
    for key, part in saved.parts():
        copy = root / part.folder
        if not copy.resolve().is_relative_to(root.resolve()):
            message = f"{part.folder!r} is outside of the folder"
            raise InputError(message, file=root / FILE, field=f"{key}.folder")
        if part.folder and not copy.is_dir():
            raise InputError(f"no such folder; the {key}'s copy was saved there", file=copy)
    return saved


def refuse_saved(folder: Path, given: Sequence[str] = ()) -> None:
    """Raise OptionError if a folder written by `save` is given as a base, or with other parts (``given``)."""
    if (folder / FILE).is_file():
        without = f", without {', '.join(given)}" if given else ""
        raise OptionError(
            f"{folder} was written by amrx retrofit --save: it has its AMR side already and is no base; load "
            f"it alone{without}, with amrx.load(DIR) or as --base DIR of retrofit, search, pairs, explain or "
            "eval, or name the base encoder that it was made from"
        )


def copy_saved(root: Path, target: Path) -> None:
    """Copy ``retrofit.toml`` and the models in the folder to another folder."""
    if root.resolve() == target.resolve():
        return
    saved = read_saved(root)
    for _, part in saved.parts():
        if part.folder:
            shutil.copytree(root / part.folder, target / part.folder, dirs_exist_ok=True)
    shutil.copyfile(root / FILE, target / FILE)
