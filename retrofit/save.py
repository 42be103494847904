"""Save a retrofitted encoder as a folder that sentence-transformers reads."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.errors import OptionError
from amrx.pretrained.hub import TRAINING
from amrx.published_checkpoint import new_folder
from amrx.recipes import to_toml
from retrofit.folders import base_folder, encoder_folder, parser_folder
from retrofit.saved_format import FILE, Part, Saved, channel_keys

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder


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


def save(encoder: RetrofittedEncoder, folder: str | Path) -> None:
    """Write an encoder to a new or empty folder, atomically."""
    if not isinstance(folder, str | os.PathLike):
        raise OptionError(f"folder must be a str or a path, got {folder!r}")
    source = encoder.source
    if source is None:
        raise OptionError("an encoder of objects has no names to save; load by name, such as base='st:DIR'")
    from sentence_transformers import SentenceTransformer

    from retrofit.sentence_transformer import RetrofitModule

    parser = ("", "", "")
    if encoder.parser is not None:
        parser = (source.parser, parser_folder(source.parser), encoder.parser.fingerprint)
    channels = zip(source.encoders, encoder.encoders, strict=True)
    with new_folder(Path(folder)) as temporary:
        saved = Saved(
            _keep(temporary, "base", source.base, base_folder(source.base), encoder.base.fingerprint),
            _keep(temporary, "parser", *parser),
            tuple(
                _keep(temporary, key, name, encoder_folder(name), one.fingerprint)
                for key, (name, one) in zip(channel_keys(len(encoder.encoders)), channels, strict=True)
            ),
            encoder.weights, encoder.integration, source.precision, encoder.dimensions,
        )  # fmt: skip
        (temporary / FILE).write_text(to_toml(saved), "utf-8")
        model = SentenceTransformer(modules=[RetrofitModule(temporary, encoder)], device="cpu")
        model.save(str(temporary), create_model_card=False)
        card = CARD.format(name=encoder.name, folder=Path(folder))
        (temporary / "README.md").write_text(card, "utf-8")


def _keep(root: Path, key: str, name: str, folder: str, fingerprint: str) -> Part:
    """Copy a model's folder under its own name, which is part of its fingerprint; return the model's entry.

    Its subfolder ``training`` is not copied.
    """
    if not folder:
        return Part(name, fingerprint)
    subfolder = f"{key}/{Path(folder).resolve().name}"
    shutil.copytree(folder, root / subfolder, ignore=lambda of, _: [TRAINING] if of == folder else [])
    return Part(name.removesuffix(folder), fingerprint, subfolder)
