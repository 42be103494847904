"""A retrofitted encoder as a folder that sentence-transformers reads.

::

    DIR/modules.json                        names `retrofit.sentence_transformer.RetrofitModule`
        config_sentence_transformers.json   prompts, similarity
        retrofit.toml                       base, parser, encoder; integration, weight, fingerprints
        base/NAME/  parser/NAME/  encoder/NAME/   copies of what was loaded from a local folder
        README.md                           how to load it

What ships with amrx, comes as a package or lies in the hub's cache is named and not copied; what stood in a
folder of the user's is copied, so that DIR can be moved. Either has its fingerprint written down, and weights
that are other ones when DIR is loaded are an error. How they are multiplied (bf16 or fp32) is the loading
machine's choice, as in ``amrx retrofit``. There is no code in DIR.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.checkpoint import new_folder
from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.pretrained.hub import TRAINING
from amrx.recipes import load_config, to_toml

if TYPE_CHECKING:
    from parser.run.cache import ParseCache
    from retrofit.combine import RetrofittedEncoder

FILE = "retrofit.toml"
_ARITHMETIC = re.compile(r":(?:bfloat16|float32|bf16|fp32)$")
CARD = """# {name}

A sentence encoder with an AMR side, written by `amrx retrofit --save`; amrx must be installed.

```python
from retrofit import load
encoder = load("{folder}")
encoder.encode(["Der Junge will gehen.", "The boy wants to go."])
```

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
class Source:
    """The names by which `retrofit.load` loaded the parts of an encoder, and the precision asked for."""

    base: str
    parser: str
    encoder: str
    precision: str


def source_of(base: str, parser: str, encoder: str, precision: str) -> Source:
    """Return the names with absolute folders, so that they are found from another working folder too."""
    return Source(
        _absolute(base, base_folder(base)),
        _absolute(parser, parser_folder(parser)),
        _absolute(encoder, encoder_folder(encoder)),
        precision,
    )


def _absolute(name: str, folder: str) -> str:
    return name.removesuffix(folder) + str(Path(folder).absolute()) if folder else name


@dataclass(frozen=True, slots=True)
class Part:
    """One of the three models.

    Attributes:
        name: Its name, or the beginning of it that stands before the folder.
        fingerprint: Name and weight hash at the time of saving.
        folder: Where the copy lies in DIR, if there is one.
    """

    name: str
    fingerprint: str
    folder: str = ""

    def name_in(self, root: Path) -> str:
        """Return the name to load it by from a saved folder."""
        return self.name + (str(root / self.folder) if self.folder else "")


@dataclass(frozen=True, slots=True)
class Saved:
    """What ``retrofit.toml`` says; the parser has no name beside a student."""

    base: Part
    parser: Part
    encoder: Part
    weight: float
    integration: str
    precision: str


def save(encoder: RetrofittedEncoder, folder: str | Path) -> None:
    """Write an encoder to a new or empty folder, which appears whole or not at all.

    Raises:
        OptionError: The encoder was not loaded by `retrofit.load`.
        OutputError: The folder is not empty or cannot be written.
    """
    source = encoder.source
    if source is None:
        raise OptionError("an encoder that was put together by hand has no names to save; use retrofit.load")
    from sentence_transformers import SentenceTransformer

    from retrofit.sentence_transformer import RetrofitModule

    found = {
        "base": (source.base, base_folder(source.base), encoder.base.fingerprint),
        "parser": ("", "", "")
        if encoder.parser is None
        else (source.parser, parser_folder(source.parser), encoder.parser.fingerprint),
        "encoder": (source.encoder, encoder_folder(source.encoder), encoder.encoder.fingerprint),
    }
    with new_folder(Path(folder)) as temporary:
        parts = {key: _keep(temporary, key, *value) for key, value in found.items()}
        saved = Saved(
            parts["base"], parts["parser"], parts["encoder"],
            encoder.weight, encoder.integration, source.precision,
        )  # fmt: skip
        (temporary / FILE).write_text(to_toml(saved), "utf-8")
        model = SentenceTransformer(modules=[RetrofitModule(temporary, encoder)], device="cpu")
        model.save(str(temporary), create_model_card=False)
        card = CARD.format(name=encoder.name, folder=Path(folder))
        (temporary / "README.md").write_text(card, "utf-8")


def is_saved(name: str) -> bool:
    """Tell whether a name of a base is that of a folder that `save` wrote; a base of that name goes first."""
    from retrofit.bases.names import is_row

    return not is_row(name) and (Path(name) / FILE).is_file()


def load_saved(
    folder: str | Path,
    *,
    weight: float | None = None,
    precision: str | None = None,
    cache: ParseCache | None = None,
) -> RetrofittedEncoder:
    """Load the folder that `save` wrote, without sentence-transformers.

    Args:
        folder: The folder.
        weight: Weight of the AMR side; the saved one when ``None``.
        precision: As in `retrofit.load`; the saved one when ``None``.
        cache: Where parses are kept.

    Raises:
        InputError: The folder is no such one, lacks a copy, or a fingerprint does not match.
        MissingResourceError: A model that is named is not on this machine.
    """
    from retrofit.load import load

    root = Path(folder)
    if not (root / FILE).is_file():
        raise InputError("no such file; is this a folder that amrx retrofit --save wrote?", file=root / FILE)
    saved = _read(root)
    parts = {"base": saved.base, "parser": saved.parser, "encoder": saved.encoder}
    try:
        loaded = load(
            saved.base.name_in(root), saved.parser.name_in(root), saved.encoder.name_in(root),
            saved.weight if weight is None else weight,
            integration=saved.integration, precision=precision or saved.precision, cache=cache,
        )  # fmt: skip
    except MissingResourceError as error:
        raise MissingResourceError(f"{error.what} (needed by {root})", fetch=error.fetch) from error
    parser = "" if loaded.parser is None else loaded.parser.fingerprint
    here = (loaded.base.fingerprint, parser, loaded.encoder.fingerprint)
    for (key, part), fingerprint in zip(parts.items(), here, strict=True):
        if _weights(fingerprint) != _weights(part.fingerprint):
            raise InputError(
                f"these are other weights than those saved: {fingerprint} on this machine, "
                f"{part.fingerprint} in the file; vectors would differ, so save the folder again",
                file=root / FILE, field=f"{key}.fingerprint",
            )  # fmt: skip
    return loaded


def _read(root: Path) -> Saved:
    """Read ``retrofit.toml``.

    Raises:
        InputError: It is malformed, a copy is not there, or it names a folder outside of ``root``.
    """
    saved = load_config(Saved, root / FILE)
    for key, part in (("base", saved.base), ("parser", saved.parser), ("encoder", saved.encoder)):
        copy = root / part.folder
        if not copy.resolve().is_relative_to(root.resolve()):
            message = f"{part.folder!r} leads out of the folder"
            raise InputError(message, file=root / FILE, field=f"{key}.folder")
        if part.folder and not copy.is_dir():
            raise InputError(f"no such folder; the {key}'s copy was saved there", file=copy)
    return saved


def refuse_saved(folder: Path) -> None:
    """Raise OptionError for a folder that `save` wrote, where a base is asked for."""
    if (folder / FILE).is_file():
        raise OptionError(
            f"{folder} was written by amrx retrofit --save: it has its AMR side already and is no base; load "
            "it alone, with retrofit.load(DIR), or name the base encoder that it was made from"
        )


def copy_saved(root: Path, target: Path) -> None:
    """Copy ``retrofit.toml``, and the models that lie in the folder, to another folder.

    Raises:
        InputError: As `load_saved`.
    """
    if root.resolve() == target.resolve():
        return
    saved = _read(root)
    for part in (saved.base, saved.parser, saved.encoder):
        if part.folder:
            shutil.copytree(root / part.folder, target / part.folder, dirs_exist_ok=True)
    shutil.copyfile(root / FILE, target / FILE)


def base_folder(name: str) -> str:
    """Return the local folder at the end of a base's name; empty where it names none."""
    from retrofit.bases.names import read_name

    argument = read_name(name).argument
    return argument if argument and Path(argument).is_dir() else ""


def parser_folder(name: str) -> str:
    """Return the local folder at the end of a parser's name; empty where it names none."""
    from parser.load import PARSERS

    kind, _, rest = name.partition(":")
    found = PARSERS.get(kind.partition("@")[0])
    if found is not None and found.wraps:
        return parser_folder(rest)
    folder = rest if kind in PARSERS else name
    return folder if folder and Path(folder).is_dir() else ""


def encoder_folder(name: str) -> str:
    """Return the local folder of an AMR encoder or student; empty for one that ships."""
    from retrofit.load import find_encoder

    return name if find_encoder(name) == Path(name) else ""


def _keep(root: Path, key: str, name: str, folder: str, fingerprint: str) -> Part:
    """Copy a model's folder under its own name, a part of its fingerprint; without one only note it.

    What its training left there is no part of the model, and is not copied.
    """
    if not folder:
        return Part(name, fingerprint)
    place = f"{key}/{Path(folder).resolve().name}"
    shutil.copytree(folder, root / place, ignore=lambda of, _: [TRAINING] if of == folder else [])
    return Part(name.removesuffix(folder), fingerprint, place)


def _weights(fingerprint: str) -> str:
    """Return a fingerprint without the arithmetic, which is the machine's.

    Example:
        >>> _weights("muse:0a1b:bfloat16"), _weights("st:labse:77aa")
        ('muse:0a1b', 'st:labse:77aa')
    """
    return _ARITHMETIC.sub("", fingerprint)
