"""Define a row of the table of base encoders, and a base as it was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Provider:
    """One row of the table."""

    name: str  # name before the colon
    module: str  # module with ``load(asked, device) -> Encoder`` and ``find(asked) -> Path``
    argument: str  # description of the argument after the colon
    about: str  # the encoder in a few words
    source: str  # where the weights come from
    model: str = ""  # hub id that is taken when nothing follows the colon; empty where there is none
    required: bool = False  # whether something must follow the colon
    dimension: int | None = None  # width of the vectors; ``None`` where it is the model's own
    languages: str = "the model's"  # how many, or which
    # how token states become one vector; for a transformers model one of ``POOLINGS``
    pooling: str = "its own"
    choice: bool = False  # whether another pooling may be asked for, as ``NAME@POOLING``
    prefix: str = ""  # text put before every sentence
    unit: bool = False  # whether the vectors get length 1
    licence: str = "the model's"  # of the weights


@dataclass(frozen=True, slots=True)
class Asked:
    """A base encoder as it was asked for: ``NAME[@POOLING][:ARGUMENT]``."""

    row: Provider  # its row of the table
    argument: str = ""  # text after the colon, or empty
    pooling: str = ""  # text after the ``@``, or empty


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
