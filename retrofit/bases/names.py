"""Load a base encoder by its name or folder.

The pooling of token states may be chosen if the row allows it: ``mbert@first-last``, ``hf@cls:DIR``
(`retrofit.bases.pooling`); ``hf:DIR`` alone takes the pooling from the folder, or the mean. A number is the
maximum of word pieces of an input, as papers have it: ``hf@cls@32:DIR``, ``msimcse@32:DIR``. An existing
folder is read as ``st:``, ``hf:``, ``laser:`` or a base of ``amrx train-base``, depending on its files; a
GGUF file as ``hf:``.
"""

import difflib
import importlib
from collections.abc import Callable
from pathlib import Path

from amrx.errors import OptionError, check_choice
from amrx.pretrained.gguf import SUFFIX, is_gguf
from amrx.pretrained.hub import name_of
from amrx.types import Encoder
from retrofit.bases.laser.files import release_of
from retrofit.bases.table import PROVIDERS, Asked, Provider, usage
from retrofit.bases.trained import MARK, method_of
from retrofit.saved_format import refuse_saved

_CUT = ("retrofit.bases.hf", "retrofit.bases.hub", "retrofit.bases.trained")
"""Modules whose bases cut inputs to a chosen number of pieces."""
SHORTEST = 3
"""Pieces of an input of one word, with ``[CLS]`` and ``[SEP]``."""


def load_base(name: str | Path, device: str | None = None) -> Encoder:
    """Load a base encoder.

    Args:
        name: ``NAME[@POOLING][@PIECES][:ARGUMENT]`` of the table, or a folder of a model.
        device: ``cpu``, ``cuda``, …; the best available when ``None``.

    Raises:
        OptionError: The name is neither in the table nor a folder, or a setting is not available.
        MissingResourceError: The weights are not on this machine.
        InputError: A file of the model is damaged or pickled.
    """
    asked = read_name(name_of(name))
    load: Callable[[Asked, str | None], Encoder] = importlib.import_module(asked.row.module).load
    return load(asked, device)


def read_name(name: str) -> Asked:
    """Parse the name of a base.

    Example:
        >>> asked = read_name("xlmr@first-last:models/xlmr")
        >>> asked.row.module, asked.pooling, asked.argument
        ('retrofit.bases.hf', 'first-last', 'models/xlmr')
    """
    head, _, argument = name.partition(":")
    head, *options = head.split("@")
    row = _row(name)
    refuse_saved(Path(argument if row else name))
    if row is None and name and (Path(name).is_dir() or is_gguf(Path(name))):
        kind = _kind(Path(name))
        return Asked(next(row for row in PROVIDERS if row.name == kind), name)
    if row is None:
        near = difflib.get_close_matches(head.lower(), [row.name for row in PROVIDERS], n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(map(usage, PROVIDERS))}"
        raise OptionError(f"base encoder {name!r} is neither a name nor a folder; {hint}")
    if row.required and not argument:
        raise OptionError(f"base encoder {name!r} names no model; write {usage(row)}")
    numbers = [option for option in options if option.isdecimal()]
    poolings = [option for option in options if not option.isdecimal()]
    if len(numbers) > 1 or len(poolings) > 1:
        raise OptionError(f"base encoder {name!r} has a setting twice; write NAME[@POOLING][@PIECES]")
    if poolings and not row.choice:
        raise OptionError(f"base encoder {row.name!r} takes no pooling; write {usage(row)}")
    if poolings:
        check_choice("pooling", poolings[0], row.choice)
    pieces = int(numbers[0]) if numbers else None
    if pieces is not None and row.module not in _CUT:
        raise OptionError(f"base encoder {row.name!r} takes no number of pieces; write {usage(row)}")
    if pieces is not None and pieces < SHORTEST:
        raise OptionError(f"base encoder {name!r}: pieces must be at least {SHORTEST}, got {pieces}")
    return Asked(row, argument, poolings[0] if poolings else "", pieces)


def is_row(name: str) -> bool:
    """Return whether a name is a row of the table, ignoring pooling and argument."""
    return _row(name) is not None


def _row(name: str) -> Provider | None:
    head = name.partition(":")[0].partition("@")[0]
    return next((row for row in PROVIDERS if row.name == head), None)


def _kind(folder: Path) -> str:
    """Return the row that reads a folder; a folder without ``modules.json`` has no pooling of its own."""
    if release_of(folder):
        return "laser"
    if (folder / MARK).is_file():
        return method_of(folder)
    if (folder / "modules.json").is_file():
        return "st"
    plain = (folder / "config.json").is_file() or is_gguf(folder) or any(folder.glob(f"*{SUFFIX}"))
    return "hf" if plain else "st"
