"""Define the errors that amrx raises on purpose.

::

    AmrxError                  root; the command line prints it on one line and exits with status 2
    ├── InputError             unreadable file, line or field (the message names all three); a ValueError
    ├── OutputError            file or folder that cannot be written
    ├── OptionError            unknown or contradictory option, name or recipe key; a ValueError
    ├── MissingResourceError   weights, data or a package that is not on this machine
    │                          (carries the command that fetches it)
    └── ShadowedError          another package has the name of a stage; an ImportError

The command line also prints OSError (a failing file or disk) and ModuleNotFoundError (a package that is not
installed) on one line. Any other exception is a bug.
"""

from collections.abc import Collection
from pathlib import Path


class AmrxError(Exception):
    """Root of all deliberate errors; its message is one line for a terminal."""

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the message and attributes, so that an error survives the way between processes."""
        return _rebuild, (type(self), str(self), self.__dict__)


def _rebuild(cls: type[AmrxError], message: str, fields: dict[str, object]) -> AmrxError:
    error = cls.__new__(cls)
    error.args = (message,)
    error.__dict__.update(fields)
    return error


class InputError(AmrxError, ValueError):
    """Input that cannot be used.

    Args:
        message: The problem, quoting the value.
        file: The file, or ``None`` for values passed from Python.
        line: 1-based line number in that file.
        field: Column or key name.

    Example:
        >>> str(InputError("'abc' is not a number", file="a.csv", line=3, field="score"))
        "a.csv:3: field 'score': 'abc' is not a number"
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        location = "" if file is None else str(file)
        if line is not None:
            location += f":{line}" if location else f"line {line}"
        parts = [location] if location else []
        if field is not None:
            parts.append(f"field {field!r}")
        super().__init__(": ".join([*parts, message]))
        self.file, self.line, self.field = file, line, field


class OutputError(AmrxError):
    """A file or folder that cannot be written."""


class OptionError(AmrxError, ValueError):
    """An option, name or recipe key that is unknown or contradicts another."""


def check_choice(what: str, given: str, choices: Collection[str]) -> None:
    """Raise OptionError if ``given`` is none of the choices."""
    if given not in choices:
        raise OptionError(f"unknown {what} {given!r}; choose from {', '.join(choices)}")


def check_least(what: str, given: float, least: int = 1) -> None:
    """Raise OptionError if a number is below ``least``."""
    if given < least:
        raise OptionError(f"{what} must be at least {least}, got {given}")


class ShadowedError(AmrxError, ImportError):
    """A package that shadows one of amrx's own (`amrx.stages`)."""


class MissingResourceError(AmrxError):
    """A resource that must be downloaded or installed first.

    Args:
        what: The resource, by its published name.
        fetch: The exact command that fetches it.
        local: The option that takes a local copy instead, if any.
        message: The whole message instead, if no command fetches the resource.

    Example:
        >>> str(MissingResourceError("weights of LaBSE", fetch="hf download sentence-transformers/LaBSE"))
        'missing on this machine: weights of LaBSE; fetch: hf download sentence-transformers/LaBSE'
    """

    def __init__(
        self, what: str, *, fetch: str, local: str | None = None, message: str | None = None
    ) -> None:
        copy = "" if local is None else f"; or give a local copy with {local}"
        super().__init__(message or f"missing on this machine: {what}; fetch: {fetch}{copy}")
        self.what, self.fetch, self.local = what, fetch, local
