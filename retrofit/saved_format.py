"""Write and read the folder of a saved encoder, which sentence-transformers reads too.

::

    DIR/modules.json                        names `retrofit.sentence_transformer.RetrofitModule`
        config_sentence_transformers.json   prompts, similarity
        retrofit.toml                       base, parser, channels; integration, weights, fingerprints
        base/NAME/  parser/NAME/  encoder/NAME/   copies of what was loaded from a local folder
        README.md                           how to load it

Models that ship with amrx, come from a package or are in the hub's cache are named, not copied; models from
the user's folders are copied, so that DIR can be moved. The fingerprint of each model is stored, and loading
with other weights is an error. The loading machine chooses the arithmetic, as in ``amrx retrofit``. There is
no code in DIR.

Nothing here knows an encoder: `retrofit.combine` writes with this module and `retrofit.load` reads with it.
"""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from amrx.errors import InputError, OptionError
from amrx.pretrained.hub import TRAINING
from amrx.published_checkpoint import new_folder
from amrx.recipes import load_config, to_toml

FILE = "retrofit.toml"
SETTINGS = "config_sentence_transformers.json"
MODULE = {"idx": 0, "name": "0", "path": "", "type": "retrofit.sentence_transformer.RetrofitModule"}
"""The only entry of ``modules.json``."""
CARD = """# {name}

A sentence encoder with an AMR side, written by `amrx retrofit --save`; amrx must be installed.

```python
from retrofit import load
encoder = load("{folder}")
encoder.encode(["Der Junge will gehen.", "The boy wants to go."])
```

On the command line, `--base {folder}` of `amrx retrofit`, `search`, `pairs`, `explain` and `eval`.

As a model of sentence-transformers:

```python
from retrofit.sentence_transformer import load
model = load("{folder}")
# or: SentenceTransformer("{folder}", trust_remote_code=True)
model.encode(["Der Junge will gehen.", "The boy wants to go."])
```

sentence-transformers 6 asks for that flag before it imports any class but its own; the class is amrx's, and
there is no code in this folder.
"""


@dataclass(frozen=True, slots=True)
class Origin:
    """The name by which a part was loaded, without the folder at its end, and that folder, absolute."""

    kind: str = ""
    folder: str = ""

    @property
    def name(self) -> str:
        """The whole name."""
        return self.kind + self.folder


@dataclass(frozen=True, slots=True)
class Source:
    """The names by which `retrofit.load` loaded the parts of an encoder, and the requested precision."""

    base: Origin
    parser: Origin
    encoders: tuple[Origin, ...]
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


def write_saved(
    folder: str | Path,
    name: str,
    source: Source | None,
    fingerprints: Sequence[str],
    weights: tuple[float, ...],
    integration: str,
    dimensions: int | None,
) -> None:
    """Write an encoder to a new or empty folder, atomically.

    Args:
        folder: The folder.
        name: Name of the encoder, for its card.
        source: Names of its parts; ``None`` if it has none.
        fingerprints: Of base, parser (empty without one) and channels.
        weights: Of the channels.
        integration: One of `retrofit.combine.INTEGRATIONS`.
        dimensions: Width to which vectors are reduced.

    Raises:
        OptionError: The parts have no names, or ``folder`` is no path.
        OutputError: The folder is not empty or cannot be written.
    """
    if not isinstance(folder, str | os.PathLike):
        raise OptionError(f"folder must be a str or a path, got {folder!r}")
    if source is None:
        raise OptionError("an encoder of objects has no names to save; load by name, such as base='st:DIR'")
    parser = source.parser if fingerprints[1] else Origin()
    keys = ["base", "parser", *channel_keys(len(source.encoders))]
    origins = zip(keys, (source.base, parser, *source.encoders), fingerprints, strict=True)
    with new_folder(Path(folder)) as temporary:
        base, reader, *channels = (_keep(temporary, *part) for part in origins)
        saved = Saved(base, reader, tuple(channels), weights, integration, source.precision, dimensions)
        (temporary / FILE).write_text(to_toml(saved), "utf-8")
        (temporary / SETTINGS).write_text(json.dumps(_settings(), indent=2, sort_keys=True), "utf-8")
        (temporary / "modules.json").write_text(json.dumps([MODULE], indent=2), "utf-8")
        card = CARD.format(name=name, folder=Path(folder))
        (temporary / "README.md").write_text(card, "utf-8")


def _settings() -> dict[str, object]:
    """Return sentence-transformers' settings of a model without prompts of its own."""
    import sentence_transformers
    import torch
    import transformers

    return {
        "__version__": {
            "sentence_transformers": sentence_transformers.__version__,
            "transformers": transformers.__version__,
            "pytorch": torch.__version__,
        },
        "model_type": "SentenceTransformer",
        "prompts": {"query": "", "document": ""},
        "default_prompt_name": None,
        "similarity_fn_name": "cosine",
    }


def _keep(root: Path, key: str, origin: Origin, fingerprint: str) -> Part:
    """Copy a model's folder under its own name, which is part of its fingerprint; return the model's entry.

    Its subfolder ``training`` is not copied.
    """
    if not origin.folder:
        return Part(origin.kind, fingerprint)
    subfolder = f"{key}/{Path(origin.folder).resolve().name}"
    ignored = [TRAINING]
    shutil.copytree(
        origin.folder, root / subfolder, ignore=lambda of, _: ignored if of == origin.folder else []
    )
    return Part(origin.kind, fingerprint, subfolder)


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
    """Raise OptionError if a folder of `write_saved` is given as a base, or with other parts (``given``)."""
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
