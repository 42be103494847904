"""Find the local folders that names of models end with: a base, a parser, a channel.

::

    st:DIR, hf@cls:DIR, mini:DIR, split:mini:DIR     DIR
    mini (a channel)                                 amrx/models/encoder-mini
"""

from __future__ import annotations

from pathlib import Path

from amrx.errors import InputError, OptionError

MODELS = Path(__file__).resolve().parent.parent / "amrx" / "models"


SKETCHLESS = {"meaning": "mini"}
"""AMR encoders that are another one without its sketch; ``encoder-NAME`` has their fitted weights."""


def find_encoder(name: str) -> Path:
    """Return the folder of an AMR encoder or student, by the name of a shipped one or by path."""
    for folder in (MODELS / f"encoder-{SKETCHLESS.get(name, name)}", Path(name)):
        if (folder / "model.safetensors").is_file():
            return folder
    if (Path(name) / "config.json").is_file():
        raise InputError("no such file; is this an encoder folder?", file=Path(name) / "model.safetensors")
    shipped = sorted(folder.name.removeprefix("encoder-") for folder in MODELS.glob("encoder-*"))
    listed = ", ".join(shipped) or "none"
    raise OptionError(f"AMR encoder {name!r} is neither an encoder folder nor a shipped one ({listed})")


def base_folder(name: str) -> str:
    """Return the local folder at the end of a base's name; empty if there is none."""
    from retrofit.bases.names import read_name

    argument = read_name(name).argument
    return argument if argument and Path(argument).is_dir() else ""


def parser_folder(name: str) -> str:
    """Return the local folder at the end of a parser's name; empty if there is none."""
    from parser.load import PARSERS

    kind, _, rest = name.partition(":")
    known = PARSERS.get(kind.partition("@")[0])
    if known is not None and known.wraps:
        return parser_folder(rest)
    folder = rest if kind in PARSERS else name
    return folder if folder and Path(folder).is_dir() else ""


def encoder_folder(name: str) -> str:
    """Return the local folder of a channel; empty for a shipped one."""
    from retrofit.bases.names import is_row

    if is_row(name):
        return base_folder(name)
    return name if find_encoder(name) == Path(name) else ""
