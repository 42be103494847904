"""Recipes: frozen dataclasses filled from TOML; an unknown key is an error.

::

    @dataclass(frozen=True)                 # recipe.toml
    class Recipe:                           seed = 7
        seed: int = 1                       [optimiser]
        optimiser: Optimiser = Optimiser()  rate = 1e-3

``load_config(Recipe, "recipe.toml", {"optimiser.rate": 3e-4})`` takes the defaults, then the file, then the
overrides of the command line. `to_toml` writes a recipe back.

A file may begin with ``extends = "NAME"``: it then gives only the differences from ``NAME.toml`` in the same
folder. Tables that are dataclasses are merged with those of the parent; free tables (weights by language)
are replaced.
"""

import dataclasses
import difflib
import json
import math
import tomllib
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from amrx.errors import AmrxError, OptionError
from amrx.records.files import read_lines


def to_toml(recipe: object) -> str:
    """Return a dataclass as TOML that `load_config` reads back equal; fields that are None are left out.

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
        raise TypeError(f"recipe must be a dataclass instance, got {recipe!r}")
    lines: list[str] = []
    _write_table(dataclasses.asdict(recipe), [], lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _write_table(table: Mapping[str, object], path: Sequence[str], lines: list[str]) -> None:
    """Append a table to ``lines``: its values first, then its nested tables."""
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
    """Return a TOML key, quoted if necessary."""
    bare = text.isascii() and text.replace("-", "a").replace("_", "a").isalnum()
    return text if bare else _quote(text)


def _quote(text: str) -> str:
    """Return a TOML string: JSON's, except that TOML forbids a literal DEL character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: object) -> str:
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


Recipe = TypeVar("Recipe")


def load_config(
    cls: type[Recipe], path: str | Path | None = None, overrides: Mapping[str, object] | None = None
) -> Recipe:
    """Fill a dataclass, whose fields may be dataclasses, from a TOML file and from overrides.

    Args:
        cls: The dataclass. Fields may be bool, int, float (also given as an integer), str, Path, Literal,
            tuple, list, dict with string keys, dataclasses, and unions of these with None.
        path: TOML file; ``None`` takes the defaults.
        overrides: Dotted keys and values; they override the file.
    """
    source = " + ".join([*([] if path is None else [str(path)]), *(["overrides"] if overrides else [])])
    table: dict[str, Any] = {} if path is None else _read(cls, Path(path), ())
    for key, value in (overrides or {}).items():
        _set(table, key.split("."), value, key)
    return typing.cast(Recipe, _fill(cls, table, source or cls.__name__, ""))


def load_recipe(
    cls: type[Recipe], shipped: Path, name: str, overrides: Mapping[str, object] | Iterable[str] = ()
) -> Recipe:
    """Load a recipe by name of a shipped file or by path, then apply overrides (or KEY=VALUE texts)."""
    names = sorted(file.stem for file in shipped.glob("*.toml"))
    path = shipped / f"{name}.toml" if name in names else Path(name)
    if not path.is_file():
        raise OptionError(f"recipe {name!r} is neither a TOML file nor one of: {', '.join(names)}")
    if not isinstance(overrides, Mapping):
        overrides = dict(map(parse_override, overrides))
    return load_config(cls, path, overrides)


def _read(cls: type[Any], path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    """Read a file, merged over the one it extends."""
    if path in seen:
        raise OptionError(f"{path}: extends itself through {', '.join(file.name for file in seen)}")
    text = "".join(read_lines(path))
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number with thousands of digits; deep nesting
        raise OptionError(f"{path}: invalid TOML: {error}") from error
    extended = table.pop("extends", None)
    if extended is None:
        return table
    parent = path.with_name(f"{extended}.toml")
    if not isinstance(extended, str) or not parent.is_file():
        raise OptionError(f"{path}: extends {extended!r}, but {parent} is not a file")
    return _merged(cls, _read(cls, parent, (*seen, path)), table)


def _merged(cls: type[Any], old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``old`` updated by ``new``; tables that are dataclasses are merged, others replaced."""
    hints, merged = typing.get_type_hints(cls), dict(old)
    for key, value in new.items():
        tables = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        deep = tables and dataclasses.is_dataclass(hints.get(key))
        merged[key] = _merged(hints[key], merged[key], value) if deep else value
    return merged


def require(holds: bool, key: str, value: object, rule: str) -> None:
    """Raise OptionError that names the recipe key unless ``holds``."""
    if not holds:
        raise OptionError(f"recipe key {key!r} {rule}, got {value!r}")


def require_least(part: object, least: Mapping[str, int], path: str = "") -> None:
    """Raise OptionError unless the numbers of some keys of a part, below ``path``, are at least these."""
    for key, low in least.items():
        value = getattr(part, key)
        rule = f"must be at least {low}" if low else "must not be negative"
        require(value >= low, path + key, value, rule)


def parse_override(text: str) -> tuple[str, object]:
    """Read ``key=value`` from a command line; the value is TOML, or else a plain string.

    Example:
        >>> parse_override("optimiser.rate=3e-4"), parse_override("device=cuda:1")
        (('optimiser.rate', 0.0003), ('device', 'cuda:1'))
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise OptionError(f"override must be KEY=VALUE, got {text!r}")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()
    except (ValueError, RecursionError) as error:  # as in `_read`
        raise OptionError(f"key {key.strip()!r}: invalid value: {error}") from error


def _set(table: dict[str, Any], path: Sequence[str], value: object, key: str) -> None:
    for part in path[:-1]:
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            raise OptionError(f"overrides: key {key!r}: {part!r} is a value, not a table")
    table[path[-1]] = value


def _fill(cls: type[Any], table: Mapping[str, object], source: str, prefix: str) -> Any:  # noqa: ANN401
    """Build a dataclass from a table."""
    hints = typing.get_type_hints(cls)
    fields = {field.name: field for field in dataclasses.fields(cls) if field.init}
    for key in table:
        if key not in fields:
            near = difflib.get_close_matches(key, fields, n=1)
            hint = f"did you mean {prefix + near[0]!r}?" if near else f"the keys are: {', '.join(fields)}"
            raise OptionError(f"{source}: unknown key {prefix + key!r}; {hint}")
    for name, field in fields.items():
        no_default = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if no_default and name not in table:
            raise OptionError(f"{source}: key {prefix + name!r} is missing")
    values = {key: _convert(value, hints[key], source, prefix + key) for key, value in table.items()}
    try:
        return cls(**values)
    except AmrxError:
        raise
    except ValueError as error:
        raise OptionError(f"{source}: {error}") from error


def _convert(value: object, hint: Any, source: str, key: str) -> object:  # noqa: ANN401, C901
    """Return ``value`` as type ``hint`` or raise OptionError."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return value
    if origin in (typing.Union, types.UnionType):
        return _convert_union(value, arguments, source, key)
    if origin is typing.Literal:
        if value in arguments:
            return value
        choices = ", ".join(map(repr, arguments))
        raise OptionError(f"{source}: key {key!r} must be one of {choices}, got {value!r}")
    if dataclasses.is_dataclass(hint) and isinstance(hint, type) and isinstance(value, Mapping):
        return _fill(hint, value, source, key + ".")
    if origin in (tuple, list, Sequence) and isinstance(value, list | tuple):
        return _convert_items(value, origin, arguments, source, key)
    if origin in (dict, Mapping) and isinstance(value, Mapping):
        return {name: _convert(item, arguments[1], source, f"{key}.{name}") for name, item in value.items()}
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint is Path and isinstance(value, str):
        return Path(value)
    if isinstance(hint, type) and isinstance(value, hint) and not (hint is int and isinstance(value, bool)):
        return value
    raise OptionError(f"{source}: key {key!r} must be of type {_name(hint)}, got {value!r}")


def _convert_union(value: object, members: Sequence[Any], source: str, key: str) -> object:
    """Return ``value`` as the first member type that accepts it."""
    errors = []
    for member in members:
        if member is type(None):
            if value is None:
                return None
            continue
        try:
            return _convert(value, member, source, key)
        except OptionError as error:
            errors.append(error)
    raise errors[0]


def _convert_items(
    value: Sequence[Any], origin: object, arguments: Sequence[Any], source: str, key: str
) -> object:
    """Return a tuple or list whose items are converted to their types."""
    fixed = origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis)
    if fixed and len(value) != len(arguments):
        expected = f"must have {len(arguments)} items"
        raise OptionError(f"{source}: key {key!r} {expected}, got {list(value)!r}")
    hints = arguments if fixed else [arguments[0]] * len(value)
    items = [
        _convert(item, hint, source, f"{key}[{i}]")
        for i, (item, hint) in enumerate(zip(value, hints, strict=True))
    ]
    return items if origin is list else tuple(items)


def _name(hint: Any) -> str:  # noqa: ANN401
    """Return the name of a type as a reader of the recipe knows it."""
    if dataclasses.is_dataclass(hint):
        return "table"
    return str(getattr(hint, "__name__", hint)) if typing.get_origin(hint) is None else str(hint)
