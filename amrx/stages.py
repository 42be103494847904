"""The packages that are installed beside ``amrx``, and the guard against others of the same names.

``parser`` above all is a common name: a file ``parser.py`` beside a user's script is taken in place of the
stage, and PyPI has a ``retrofit`` that writes into the stage's own folder. Importing ``amrx`` or a stage
therefore checks all three, before an import from inside fails with a message about something else.
"""

from __future__ import annotations

import importlib.util
import os
import sys

STAGES = ("linearize", "parser", "retrofit")
MARK = b'"""Stage: '
"""First bytes of every stage's ``__init__.py``."""

_HOME = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_COMMANDS = ("amrx", "amrx.exe", "amrx-script.py")


def check_stages() -> None:
    """Refuse another package in the place of a stage; the command ``amrx`` says so in one line and ends.

    Raises:
        ShadowedError: There is one.
        SystemExit: There is one, and the program is the command, which has not begun yet; status 2.
    """
    fault = find_fault()
    if fault is None:
        return
    if _is_command():
        sys.stderr.write(f"amrx: error: {fault}\n")
        raise SystemExit(2)
    from amrx.errors import ShadowedError

    raise ShadowedError(fault)


def find_fault() -> str | None:
    """Return the sentence on the first stage that is not amrx's own, ``None`` where all are."""
    for stage in STAGES:
        try:
            spec = importlib.util.find_spec(stage)
            origin = None if spec is None else spec.origin
        except ValueError:  # a module that was put there by hand
            spec, origin = None, getattr(sys.modules[stage], "__file__", None) or "a module without a file"
        if origin is None:
            where = "is not installed" if spec is None else "is an empty folder somewhere else on the path"
            return f"package {stage!r} {where}; install amrx again, which brings it"
        if os.path.realpath(origin) != os.path.join(_HOME, stage, "__init__.py"):
            mend = "rename it, uninstall it or take its folder off the Python path"
            return f"another package shadows amrx's {stage!r}: {origin}{_owners(stage)}; {mend}"
        if not _is_marked(origin):
            mend = "uninstall it and install amrx again"
            return f"another package has overwritten amrx's {stage!r}: {origin}{_owners(stage)}; {mend}"
    return None


def _is_marked(file: str) -> bool:
    try:
        with open(file, "rb") as stream:
            return stream.read(len(MARK)) == MARK
    except OSError:
        return False


def _owners(stage: str) -> str:
    """Return the distributions that hold the package, in brackets; nothing for a file of the user's."""
    from importlib.metadata import packages_distributions

    owners = sorted({name for name in packages_distributions().get(stage, []) if name != "amrx"})
    return f" (of {', '.join(owners)})" if owners else ""


def _is_command() -> bool:
    """Tell whether this process starts the command: ``amrx``, ``python -m amrx`` or ``python -m STAGE``."""
    program = (getattr(sys, "argv", None) or [""])[0]
    if program != "-m":  # Python's name for it until the module is found
        return os.path.basename(program) in _COMMANDS
    started = sys.orig_argv
    module = started[started.index("-m") + 1 :][:1] if "-m" in started else []
    return bool(module) and module[0].partition(".")[0] in ("amrx", *STAGES)
