"""Every error that amrx raises on purpose, in one tree.

::

    AmrxError                  the root; the command line tells it in one line, exit status 2
    ├── InputError             a file, line or field that cannot be read (names all three); a ValueError
    ├── OutputError            a place that cannot be written
    ├── OptionError            an option, a name or a recipe key that means nothing; a ValueError
    ├── MissingResourceError   weights, data or a package that is not on this machine
    │                          (carries the exact command that fetches it)
    └── ShadowedError          another package has the name of a stage; is an ImportError too

The command line tells two more in the same way, which Python raises: OSError, for a file or a disk that fails
under way, and ModuleNotFoundError, for a package that is not installed. All else is a fault of the program.
"""

from __future__ import annotations

from pathlib import Path


class AmrxError(Exception):
    """Root of every deliberate error; its text is one line fit for a terminal."""

    def __reduce__(self) -> tuple[object, ...]:
        """Travel between processes whole, whatever the leaf's own arguments are."""
        return _rebuild, (type(self), str(self), self.__dict__)


def _rebuild(leaf: type[AmrxError], message: str, fields: dict[str, object]) -> AmrxError:
    error = leaf.__new__(leaf)
    error.args = (message,)
    error.__dict__.update(fields)
    return error


class InputError(AmrxError, ValueError):
    """Input that cannot be used.

    Args:
        message: What is wrong, quoting the value.
        file: The file at fault, or ``None`` for values that came from Python.
        line: 1-based line number in that file.
        field: Column or key name.

    Example:
        >>> str(InputError("'abc' is no number", file="a.csv", line=3, field="score"))
        "a.csv:3: field 'score': 'abc' is no number"
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        place = "" if file is None else str(file)
        if line is not None:
            place += f":{line}" if place else f"line {line}"
        parts = [place] if place else []
        if field is not None:
            parts.append(f"field {field!r}")
        super().__init__(": ".join([*parts, message]))
        self.file, self.line, self.field = file, line, field


class OutputError(AmrxError):
    """A file or folder that cannot be written."""


class OptionError(AmrxError, ValueError):
    """An option, name or recipe key that is unknown or contradicts another."""


class ShadowedError(AmrxError, ImportError):
    """A package that has the name of one of amrx's own (`amrx.cli`)."""


class MissingResourceError(AmrxError):
    """Something that must be fetched first.

    Args:
        what: The resource, named as its owner names it.
        fetch: The exact command that fetches it.
        local: The option that takes a local copy instead, if there is one.

    Example:
        >>> str(MissingResourceError("weights of LaBSE", fetch="hf download sentence-transformers/LaBSE"))
        'weights of LaBSE are not on this machine; fetch: hf download sentence-transformers/LaBSE'
    """

    def __init__(self, what: str, *, fetch: str, local: str | None = None) -> None:
        message = f"{what} are not on this machine; fetch: {fetch}"
        super().__init__(message if local is None else f"{message}; or give a local copy with {local}")
        self.what, self.fetch, self.local = what, fetch, local
