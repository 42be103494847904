"""The ``amrx`` command: a table of commands, each imported only when it runs.

The first word is looked up by hand, because an argument parser alone would exceed the 0.3 s of
``amrx --help``. typer reads the options of a command from its annotations.

Exit status: 0 success; 2 a user error (`amrx.errors`), a failing file or disk, or a missing package, each
reported on one line; 130 interrupted or terminated; 141 the reader of the output closed the pipe; 1 anything
else.
"""

import contextlib
import gc
import importlib
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from amrx import __version__, device
from amrx.control_characters import visible
from amrx.errors import AmrxError, OptionError
from amrx.stages import STAGES

GARBAGE = 50_000
"""New objects between two searches for garbage: modules and tables leave none while they are loaded."""
VERBOSE = 5.0
"""Seconds between two progress lines with ``--verbose``."""


class Command(NamedTuple):
    """Module, function and help line of a command."""

    module: str
    function: str
    help: str


COMMANDS = {
    "parse": Command("parser.commands.parse", "parse", "parse sentences of any language to AMR graphs"),
    "linearize": Command("linearize.commands.linearize_file", "linearize_file", "convert graphs to tokens"),
    "delinearize": Command("linearize.commands.delinearize_file", "delinearize_file",
        "restore graphs from tokens"),
    "retrofit": Command("retrofit.commands.retrofit", "retrofit",
        "encode sentences: a base encoder's vector and AMR's"),
    "explain": Command("retrofit.commands.explain", "explain",
        "show why two sentences match: graphs side by side"),
    "search": Command("retrofit.commands.search", "search",
        "find the sentences of a corpus that mean the same as queries"),
    "pairs": Command("retrofit.commands.search", "pairs",
        "find duplicates in a file, or translations between two"),
    "serve": Command("retrofit.commands.serve", "serve",
        "open a local page: two sentences or a query, with graphs and cosines"),
    "bases": Command("retrofit.commands.bases", "bases", "list the base encoders and which are installed"),
    "show": Command("parser.commands.show", "show", "draw graphs in the terminal or as an HTML page"),
    "eval": Command("retrofit.commands.eval", "evaluate",
        "score an encoder on similarity, transfer, retrieval, geometry"),
    "eval compare": Command("amrx.evaluation.report.commands", "compare",
        "test which differences between two results are significant"),
    "eval report": Command("amrx.evaluation.report.commands", "report",
        "write results as one HTML page: tables, intervals, bars"),
    "eval papers": Command("retrofit.commands.papers", "papers",
        "reproduce every table of the four papers that data and weights allow"),
    "smatch": Command("parser.commands.smatch", "smatch", "score graphs against gold graphs"),
    "translate": Command("amrx.translate.command", "translate", "translate sentences, NLI or STS rows"),
    "vocabulary": Command("linearize.commands.vocabulary", "vocabulary", "list the AMR symbols of a sembank"),
    "train-parser": Command("parser.commands.train_parser", "train_parser", "train a parser from a recipe"),
    "convert-checkpoint": Command("parser.commands.convert_checkpoint", "convert_checkpoint",
        "convert a published SPRING or XAMR checkpoint to a parser folder"),
    "gather": Command("retrofit.commands.gather", "gather_corpus",
        "collect and parse training data of train-encoder"),
    "gather-nli": Command("retrofit.commands.gather", "gather_nli_corpus",
        "translate and parse NLI triplets for train-encoder"),
    "train-encoder": Command("retrofit.commands.train_encoder", "train_encoder",
        "train an AMR encoder from a recipe"),
    "average-encoders": Command("retrofit.commands.train_encoder", "average_encoders",
        "average the weights of AMR encoders of one corpus"),
    "add-structure": Command("retrofit.commands.train_encoder", "add_structure",
        "append a sketch of each graph to an AMR encoder's vector"),
    "train-student": Command("retrofit.commands.train_student", "train_student",
        "train a graph-free student of a text encoder"),
    "train-base": Command("retrofit.commands.train_base", "train_base",
        "train a base: Emma-X, mSimCSE, VMSST"),
    "fine-tune": Command("retrofit.commands.fine_tune", "fine_tune_model",
        "fine-tune a whole model on a task of xrete, and measure it"),
}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``amrx ARGV`` and return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    flags = _take_flags(arguments)
    debug = "--debug" in flags
    if not arguments or arguments[0] in ("-h", "--help"):
        return _guarded(lambda: print(_help()), debug=debug)  # noqa: T201  # the help is the output
    if arguments[0] in ("-V", "--version"):
        return _guarded(lambda: print(f"amrx {__version__}"), debug=debug)  # noqa: T201  # so is the version
    name, *rest = arguments
    if rest and f"{name} {rest[0]}" in COMMANDS:  # a command of two words
        name, rest = f"{name} {rest[0]}", rest[1:]
    return _guarded(lambda: _run(name, rest, flags, program=f"amrx {name}"), debug=debug)


def main_stage(name: str, argv: Sequence[str] | None = None) -> int:
    """Run one stage alone, as ``python -m parser``; it takes the options of ``amrx NAME``."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    flags = _take_flags(arguments)
    program = f"python -m {COMMANDS[name].module.partition('.')[0]}"
    return _guarded(lambda: _run(name, arguments, flags, program=program), debug="--debug" in flags)


_FLAGS = {
    "--debug": "shows the traceback of an error",
    "--quiet": "writes nothing to standard error but an error",
    "--verbose": f"writes progress every {VERBOSE:g} seconds, not every 60, where there is no terminal",
}
"""Options that every command takes."""


def _take_flags(arguments: list[str]) -> frozenset[str]:
    """Remove the options of every command from the words before ``--`` and return those that were present."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    flags = frozenset(arguments[:end]) & _FLAGS.keys()
    arguments[:end] = [argument for argument in arguments[:end] if argument not in flags]
    return flags


@contextlib.contextmanager
def _logged(flags: frozenset[str]) -> Iterator[None]:
    """Apply ``--quiet`` and ``--verbose`` to standard error."""
    if {"--quiet", "--verbose"} <= flags:
        raise OptionError("--quiet and --verbose contradict each other")
    seconds = VERBOSE if "--verbose" in flags else device.EVERY
    with contextlib.ExitStack() as stack, device.lines_every(seconds):
        if "--quiet" in flags:
            nowhere = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
            stack.enter_context(contextlib.redirect_stderr(nowhere))
        yield


def _help() -> str:
    """Return the help page: one line per command."""
    width = max(map(len, COMMANDS))
    rows = [f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items()]
    return "\n".join(
        [
            "usage: amrx [--debug] [--quiet] [--verbose] COMMAND ...",
            "",
            "Retrofit multilingual sentence embeddings with Abstract Meaning Representation.",
            "",
            *rows,
            "",
            "amrx COMMAND --help   lists a command's arguments and options",
            "amrx --version        prints the version",
            *(f"{flag:<22}{words}" for flag, words in _FLAGS.items()),
        ]
    )


def _run(name: str, arguments: Sequence[str], flags: frozenset[str], *, program: str) -> int:
    """Load a command, run it on its arguments and return its exit status."""
    command = COMMANDS.get(name)
    if command is None:
        import difflib

        near = difflib.get_close_matches(name, COMMANDS, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "amrx --help lists the commands"
        raise OptionError(f"unknown command {name!r}; {hint}")
    import typer

    function = getattr(importlib.import_module(command.module), command.function)
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    app.command(name)(function)
    runnable = typer.main.get_command(app)
    # typer exports BadParameter, but not its parent, the class of all usage errors
    usage_error: type[Exception] = typer.BadParameter.__mro__[1]
    try:
        with _logged(flags), runnable.make_context(program, list(arguments)) as context:
            runnable.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    except usage_error as error:
        text = getattr(error, "format_message", error.__str__)()
        raise OptionError(f"{text} ({program} --help lists the options)") from error
    return 0


def _guarded(action: Callable[[], int | None], *, debug: bool) -> int:
    """Run ``action``; print errors that a user can fix as one line on standard error."""
    _replace_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # output redirected into a file is later read as UTF-8
    try:
        with _stoppable(), _rarely_collected():
            status = action()
        _flush()
    except KeyboardInterrupt:
        return _fail("interrupted", debug=debug, status=130)
    except BrokenPipeError:
        _discard_output()  # its reader closed the pipe
        return 141
    except AmrxError as error:
        return _fail(str(error), debug=debug)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "amrx", *STAGES):
            raise
        if importlib.util.find_spec(package) is not None:
            problem = f"the installed package {package!r} has no module {error.name!r}; fetch another version"
            return _fail(f"{problem}: pip install --upgrade {package}", debug=debug)
        return _fail(f"package {package!r} is not installed; fetch: pip install {package}", debug=debug)
    except OSError as error:
        prefix = f"{error.filename}: " if error.filename else ""
        return _fail(f"{prefix}{error.strerror or error}", debug=debug)
    return status or 0


def _flush() -> None:
    """Flush standard output; name it in the error of a full disk."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from error


def _discard_output() -> None:
    """Redirect standard output to nowhere, so that flushing it at exit does not raise again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace_closed_streams() -> None:
    """Replace standard streams that the caller closed (``>&-``) by streams that fail.

    Otherwise the next file opened would get the descriptor of the closed stream, and the output of C
    libraries with it. Messages on standard error are lost.
    """
    # opened the wrong way round: standard input cannot be read, standard output cannot be written
    for name, way, mode in (
        ("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")
    ):  # fmt: skip
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, way), mode, encoding="utf-8"))  # noqa: SIM115


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """Treat SIGTERM like an interrupt, so that partial files are removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


@contextlib.contextmanager
def _rarely_collected() -> Iterator[None]:
    """Search for garbage after every `GARBAGE` new objects, not after every few hundred."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], GARBAGE) if before[0] else 0, *before[1:])  # 0: garbage collection is off
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _fail(message: str, *, debug: bool, status: int = 2) -> int:
    """Write a message to standard error as one line and return the exit status.

    ``debug`` writes the traceback first. Control characters in quoted text are made visible.
    """
    if debug:
        import traceback

        sys.stderr.write(visible(traceback.format_exc(), lines=True))
    sys.stderr.write(f"amrx: error: {visible(' '.join(message.split()))}\n")
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()
    return status
