"""The base encoders that have a name, one row each.

::

    name        what follows a colon      vectors
    muse        folder of the weights     multilingual USE v3, 16 languages, 512
    st          hub id or folder          any sentence-transformers model
    minilm      folder of the model       all-MiniLM-L6-v2, English, 384 (the text control)

A path of a folder that exists is read as ``st:FOLDER``. A new base is a new row and a module with a function
``load(argument, device)``; the module is imported when its base is asked for.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from amrx.errors import OptionError
from amrx.types import Encoder


@dataclass(frozen=True, slots=True)
class Provider:
    """One row of the table.

    Attributes:
        name: What stands before the colon.
        module: Module with ``load(argument, device) -> Encoder``.
        argument: What may follow the colon.
        required: Whether it must.
        about: The encoder in a few words.
    """

    name: str
    module: str
    argument: str
    required: bool
    about: str


PROVIDERS: tuple[Provider, ...] = (
    Provider("muse", "retrofit.bases.muse", "DIR", False, "multilingual USE v3, 16 languages, 512-d"),
    Provider("st", "retrofit.bases.hub", "ID_OR_DIR", True, "a sentence-transformers model"),
    Provider("minilm", "retrofit.bases.minilm", "DIR", False, "all-MiniLM-L6-v2, English, 384-d"),
)


def load_base(name: str, device: str | None = None) -> Encoder:
    """Load a base encoder.

    Args:
        name: ``NAME`` or ``NAME:ARGUMENT`` of the table, or a folder of a sentence-transformers model.
        device: ``cpu``, ``cuda``, …; chosen when ``None``.

    Raises:
        OptionError: The name is none of the table and no folder.
        MissingResourceError: The weights are not on this machine.
        InputError: A file of the model is damaged or pickled.
    """
    head, _, argument = name.partition(":")
    provider = next((row for row in PROVIDERS if row.name == head), None)
    if provider is None and Path(name).is_dir():
        provider, argument = next(row for row in PROVIDERS if row.name == "st"), name
    if provider is None:
        near = difflib.get_close_matches(head, [row.name for row in PROVIDERS], n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(map(usage, PROVIDERS))}"
        raise OptionError(f"base encoder {name!r} is neither a name nor a folder; {hint}")
    if provider.required and not argument:
        raise OptionError(f"base encoder {name!r} names no model; write {usage(provider)}")
    load: Callable[[str, str | None], Encoder] = importlib.import_module(provider.module).load
    return load(argument, device)


def usage(provider: Provider) -> str:
    """Return how a base is written.

    Example:
        >>> [usage(row) for row in PROVIDERS]
        ['muse[:DIR]', 'st:ID_OR_DIR', 'minilm[:DIR]']
    """
    argument = f":{provider.argument}"
    return provider.name + (argument if provider.required else f"[{argument}]")
