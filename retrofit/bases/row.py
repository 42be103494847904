"""Define a row of the table of base encoders, and a base as it was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Provider:
    """One row of the table.

    Attributes:
        name: Name before the colon.
        module: Module with ``load(asked, device) -> Encoder`` and ``find(asked) -> Path``.
        argument: Description of the argument after the colon.
        about: The encoder in a few words.
        source: Where the weights come from.
        model: Hub id that is taken when nothing follows the colon; empty where there is none.
        required: Whether something must follow the colon.
        dimension: Width of the vectors; ``None`` where it is the model's own.
        languages: How many, or which.
        pooling: How token states become one vector; for a transformers model one of ``POOLINGS``.
        choice: Whether another pooling may be asked for, as ``NAME@POOLING``.
        prefix: Text put before every sentence.
        unit: Whether the vectors get length 1.
        licence: Of the weights.
    """

    name: str
    module: str
    argument: str
    about: str
    source: str
    model: str = ""
    required: bool = False
    dimension: int | None = None
    languages: str = "the model's"
    pooling: str = "its own"
    choice: bool = False
    prefix: str = ""
    unit: bool = False
    licence: str = "the model's"


@dataclass(frozen=True, slots=True)
class Asked:
    """A base encoder as it was asked for: ``NAME[@POOLING][:ARGUMENT]``.

    Attributes:
        row: Its row of the table.
        argument: Text after the colon, or empty.
        pooling: Text after the ``@``, or empty.
    """

    row: Provider
    argument: str = ""
    pooling: str = ""


def usage(row: Provider) -> str:
    """Return how a base is written.

    Example:
        >>> usage(Provider("hf", "", "ID_OR_DIR", "", "", required=True, choice=True))
        'hf[@POOLING]:ID_OR_DIR'
        >>> usage(Provider("muse", "", "DIR", "", ""))
        'muse[:DIR]'
    """
    argument = f":{row.argument}"
    pooling = "[@POOLING]" if row.choice else ""
    return row.name + pooling + (argument if row.required else f"[{argument}]")


def short_name(asked: Asked, folder: Path) -> str:
    """Return the name for tables: the row's, with a pooling other than its own, and with which model it is.

    A row whose argument is only a place of the same model keeps its name.

    Example:
        >>> row = Provider("xlmr", "", "ID_OR_DIR", "", "", pooling="mean", choice=True)
        >>> short_name(Asked(row, pooling="mean"), Path("cache"))
        'xlmr'
        >>> short_name(Asked(row, "org/xlm-r", "cls"), Path("cache"))
        'xlmr@cls:org/xlm-r'
    """
    pooling = f"@{asked.pooling}" if asked.pooling not in ("", asked.row.pooling) else ""
    if not asked.argument or asked.row.argument == "DIR":
        return asked.row.name + pooling
    which = folder.resolve().name if Path(asked.argument).exists() else asked.argument
    return f"{asked.row.name}{pooling}:{which}"
