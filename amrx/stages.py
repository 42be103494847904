"""Check that the packages installed beside ``amrx`` are not shadowed by others of the same name.

``parser`` is a common name: a file ``parser.py`` beside a user's script is imported instead of the stage, and
PyPI has a ``retrofit`` that overwrites files of the stage. Importing ``amrx`` or a stage therefore checks all
three first; otherwise a later import would fail with a misleading message.
"""

import importlib.util
import os
import sys

STAGES = ("linearize", "parser", "retrofit")
MARK = b'"""Stage: '
"""First bytes of the ``__init__.py`` of every stage."""

_HOME = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_COMMANDS = ("amrx", "amrx.exe", "amrx-script.py")


def check_stages() -> None:
    """Raise if another package shadows a stage; the ``amrx`` command prints one line and exits instead.

    Raises:
        ShadowedError: A stage is shadowed.
        SystemExit: A stage is shadowed and the program is the command; status 2.
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
    """Return a message about the first stage that is not amrx's own, or ``None``."""
    for stage in STAGES:
        try:
            spec = importlib.util.find_spec(stage)
            origin = None if spec is None else spec.origin
        except ValueError:  # a module that user code put into sys.modules
            spec, origin = None, getattr(sys.modules[stage], "__file__", None) or "a module without a file"
        if origin is None:
            problem = "is not installed" if spec is None else "is an empty folder elsewhere on the path"
            return f"package {stage!r} {problem}; reinstall amrx"
        if os.path.realpath(origin) != os.path.join(_HOME, stage, "__init__.py"):
            fix = "rename it, uninstall it or remove its folder from the Python path"
            return f"another package shadows amrx's {stage!r}: {origin}{_owners(stage)}; {fix}"
        if not _is_marked(origin):
            fix = "uninstall it and reinstall amrx"
            return f"another package has overwritten amrx's {stage!r}: {origin}{_owners(stage)}; {fix}"
    return None


def _is_marked(file: str) -> bool:
    try:
        with open(file, "rb") as stream:
            return stream.read(len(MARK)) == MARK
    except OSError:
        return False


def _owners(stage: str) -> str:
    """Return the distributions that own the package, in brackets; nothing for a user's own file."""
    from importlib.metadata import packages_distributions

    owners = sorted({name for name in packages_distributions().get(stage, []) if name != "amrx"})
    return f" (of {', '.join(owners)})" if owners else ""


def _is_command() -> bool:
    """Return whether this process runs the command: ``amrx``, ``python -m amrx`` or ``python -m STAGE``."""
    program = (getattr(sys, "argv", None) or [""])[0]
    if program != "-m":  # the value of sys.argv[0] until the module is found
        return os.path.basename(program) in _COMMANDS
    words = sys.orig_argv
    module = words[words.index("-m") + 1 :][:1] if "-m" in words else []
    return bool(module) and module[0].partition(".")[0] in ("amrx", *STAGES)
