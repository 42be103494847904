"""Write a dataclass down as TOML, so that a run records the recipe it followed."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path


def to_toml(recipe: object) -> str:
    """Write a dataclass down as TOML that ``amrx.config.load_config`` reads back equal.

    Fields that are None are left out.

    Example:
        >>> @dataclasses.dataclass(frozen=True)
        ... class Small:
        ...     seed: int = 1
        ...     languages: tuple[str, ...] = ("en", "de")
        >>> print(to_toml(Small()), end="")
        seed = 1
        languages = ["en", "de"]
    """
    if not dataclasses.is_dataclass(recipe) or isinstance(recipe, type):
        raise TypeError(f"{recipe!r} is no dataclass instance")
    lines: list[str] = []
    _write_table(dataclasses.asdict(recipe), [], lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _write_table(table: Mapping[str, object], path: Sequence[str], lines: list[str]) -> None:
    """Append a table: its values first, then its tables."""
    tables = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    if path:
        lines.extend(["", f"[{'.'.join(map(_key, path))}]"])
    lines += [
        f"{_key(key)} = {_value(item)}"
        for key, item in table.items()
        if key not in tables and item is not None
    ]
    for key, value in tables.items():
        _write_table(value, [*path, key], lines)


def _key(text: str) -> str:
    """Return a TOML key, quoted where it must be."""
    bare = text.isascii() and text.replace("-", "a").replace("_", "a").isalnum()
    return text if bare else _quote(text)


def _quote(text: str) -> str:
    """Return a TOML string: JSON's, which may hold a delete character where TOML's may not."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
    """Return a TOML value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(str(key))} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Path | str):
        return _quote(str(value))
    return repr(value)
