import gc
import itertools
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from amrx import cli

ROOT = Path(cli.__file__).resolve().parents[1]
NUMBERS = itertools.count()


@pytest.fixture
def command(monkeypatch, tmp_path):
    """Put a module with one command, ``try``, into the table; return a function that runs it."""

    def install(body: str, name: str = "try"):
        module = f"amrx_command_{next(NUMBERS)}"
        text = (
            "from __future__ import annotations\nfrom typing import Annotated\nimport typer\n"
            + textwrap.dedent(body)
        )
        (tmp_path / f"{module}.py").write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.setitem(cli.COMMANDS, name, cli.Command(module, "run", "a trial"))
        return lambda *arguments: cli.main([name, *arguments])

    return install


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


def test_help_lists_every_command_with_its_line(capsys):
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    for name, row in cli.COMMANDS.items():
        assert f"  {name} " in out
        assert row.help in out
    assert cli.main([]) == 0
    assert capsys.readouterr().out == out


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["no-such"], []])
def test_top_level_loads_no_stage_and_nothing_heavy(arguments):
    heavy = {"torch", "numpy", "typer", "transformers", "penman", "linearize", "parser", "retrofit", "rich"}
    code = f"import sys; from amrx.cli import main; main({arguments!r}); print({heavy} & set(sys.modules))"
    done = python(code)
    assert done.stdout.splitlines()[-1] == "set()", done.stderr


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_tells_its_options(name, capsys):
    assert cli.main([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"amrx {name}" in out
    assert "--help" in out


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_help_of_a_command_loads_no_torch(name):
    done = python(
        f"import sys\nfrom amrx.cli import main\nmain([{name!r}, '--help'])\nprint('torch' in sys.modules)"
    )
    assert done.stdout.splitlines()[-1] == "False", done.stderr


@pytest.mark.parametrize(
    ("command", "left_out"),
    [
        (["parse", "-o", "o.amr"], {"transformers", "sentencepiece", "lingua", "amrx.evaluation"}),
        (["retrofit", "--preset", "graph", "-o", "o.npy"], {"transformers", "lingua", "amrx.evaluation"}),
        (
            ["retrofit", "--preset", "text", "-o", "o.npy"],
            {"transformers", "scipy", "networkx", "lingua", "amrx.evaluation"},
        ),
    ],
)
def test_a_sentence_takes_no_library_that_it_does_not_use(
    command, left_out, tmp_path, monkeypatch, e5_files, muse_files
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    Path("one.txt").write_text("The boy goes.\n")
    command = [command[0], "one.txt", "--lang", "en", "--no-cache", *command[1:]]
    done = python(
        "import sys; from amrx.cli import main; "
        f"assert main({command!r}) == 0; print({left_out} & set(sys.modules))"
    )
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "set()", done.stdout + done.stderr
    assert Path(command[-1]).stat().st_size


def test_garbage_is_collected_as_before_after_a_command(capsys):
    before = gc.get_threshold()
    assert cli.main(["--version"]) == 0
    assert gc.get_threshold() == before


def test_version(capsys):
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == "amrx 0.27.0\n"


def test_unknown_command_is_one_line_with_a_suggestion(capsys):
    assert cli.main(["pars", "x"]) == 2
    assert capsys.readouterr().err == "amrx: error: unknown command 'pars'; did you mean parse or pairs?\n"
    assert cli.main(["zzz"]) == 2
    assert capsys.readouterr().err == "amrx: error: unknown command 'zzz'; amrx --help lists the commands\n"


def test_arguments_reach_the_function(command, capsys):
    run = command(
        """
        def run(file: Annotated[str, typer.Argument(help="A file.")],
                size: Annotated[int, typer.Option(help="A size.")] = 3) -> int:
            '''Try a thing.'''
            print(file, size)
            return 7
        """
    )
    assert run("a.txt", "--size", "5") == 0
    assert capsys.readouterr().out == "a.txt 5\n"
    assert run("--help") == 0
    out = capsys.readouterr().out
    assert "Try a thing." in out
    assert "A size." in out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [(["--sise", "5"], "--sise"), ([], "file"), (["a", "--size", "x"], "--size"), (["a", "b"], "b")],
)
def test_usage_errors_are_one_line(command, capsys, arguments, problem):
    run = command("def run(file: str, size: int = 3) -> None:\n    '''Try.'''\n")
    assert run(*arguments) == 2
    err = capsys.readouterr().err
    assert err.startswith("amrx: error: ")
    assert err.count("\n") == 1
    assert problem in err.lower()
    assert "amrx try --help" in err


@pytest.mark.parametrize(
    ("statement", "status", "line"),
    [
        ("raise InputError('is empty', file='a.txt')", 2, "a.txt: is empty"),
        ("raise OutputError('b:\\n  full')", 2, "b: full"),
        ("open('/nowhere/at/all')", 2, "/nowhere/at/all: No such file or directory"),
        ("open('/')", 2, "/: Is a directory"),
        ("raise PermissionError(13, 'Permission denied', 'c.txt')", 2, "c.txt: Permission denied"),
        ("raise OSError('the hub\\nis away')", 2, "the hub is away"),
        ("import no_such_package_at_all.inside", 2, "package 'no_such_package_at_all' is not installed"),
        ("raise KeyboardInterrupt", 130, "interrupted"),
        ("raise typer.Abort", 130, "interrupted"),
    ],
)
def test_errors_that_a_user_can_mend_are_one_line(command, capsys, statement, status, line):
    run = command(f"from amrx.errors import *\ndef run() -> None:\n    '''Try.'''\n    {statement}\n")
    assert run() == status
    err = capsys.readouterr().err
    assert err.startswith(f"amrx: error: {line}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("place", ["before", "after"])
def test_debug_shows_the_traceback(command, capsys, place):
    command("from amrx.errors import *\ndef run() -> None:\n    '''Try.'''\n    raise OptionError('no')\n")
    assert cli.main(["--debug", "try"] if place == "before" else ["try", "--debug"]) == 2
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert err.endswith("amrx: error: no\n")


def test_debug_after_two_dashes_is_an_argument(command, capsys):
    run = command("def run(text: str) -> None:\n    '''Try.'''\n    print(text)\n")
    assert run("--", "--debug") == 0
    assert capsys.readouterr().out == "--debug\n"


def test_faults_of_the_program_are_not_hidden(command):
    run = command("def run() -> None:\n    '''Try.'''\n    raise ZeroDivisionError\n")
    with pytest.raises(ZeroDivisionError):
        run()


def test_missing_module_of_our_own_is_a_fault(command):
    run = command("def run() -> None:\n    '''Try.'''\n    import parser.no_such_file\n")
    with pytest.raises(ModuleNotFoundError):
        run()


def test_exit_status_of_a_command(command):
    assert command("def run() -> None:\n    '''Try.'''\n    raise typer.Exit(3)\n")() == 3


def test_reader_that_goes_away_is_no_error(tmp_path):
    code = "import sys; from amrx.cli import main; sys.exit(main(['--help']))"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=write, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(write)
    assert done.stderr == ""
    assert done.returncode == 141


@pytest.mark.parametrize("words", ["show g.amr", "smatch g.amr g.amr"])
def test_reader_that_goes_away_before_a_drawing_is_no_error_either(tmp_path, words):
    (tmp_path / "g.amr").write_text("(b / boy)\n")
    code = f"import sys; from amrx.cli import main; sys.exit(main({words.split()}))"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert (done.stderr, done.returncode) == ("", 141)


def test_output_is_utf8_whatever_the_terminal_says(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    body = "def run() -> None:\n    'Try.'\n    print('gr\u00fcn \u90a3')\n"
    (tmp_path / "amrx_command_utf8.py").write_text(body, encoding="utf-8")
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r}); from amrx import cli\n"
        "cli.COMMANDS['try'] = cli.Command('amrx_command_utf8', 'run', ''); sys.exit(cli.main(['try']))"
    )
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, env=environment)
    assert done.stdout.decode("utf-8") == "gr\u00fcn \u90a3\n", done.stderr


@pytest.mark.parametrize(
    ("package", "name"), [("parser", "parse"), ("linearize", "linearize"), ("retrofit", "retrofit")]
)
def test_each_stage_runs_alone(package, name):
    done = subprocess.run(
        [sys.executable, "-m", package, "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert f"python -m {package}" in done.stdout
    same = subprocess.run(
        [sys.executable, "-m", "amrx", name, "--help"], capture_output=True, text=True, check=False
    )
    assert same.stdout.replace(f"amrx {name}", f"python -m {package}").split() == done.stdout.split()


LOUD = """
import sys
from amrx import device
from amrx.errors import OptionError
def run(error: bool = False) -> None:
    '''Try.'''
    sys.stderr.write(f"a line, then one every {device.EVERY:g} s\\n")
    print("output")
    if error:
        raise OptionError("no")
"""


def test_quiet_writes_nothing_but_errors(command, capsys, monkeypatch):
    monkeypatch.setattr("amrx.device.EVERY", 60.0)
    run = command(LOUD)
    assert run("--quiet") == 0
    assert capsys.readouterr() == ("output\n", "")
    assert run("--error", "--quiet") == 2
    assert capsys.readouterr() == ("output\n", "amrx: error: no\n")
    assert run() == 0
    assert capsys.readouterr() == ("output\n", "a line, then one every 60 s\n")


def test_verbose_writes_more_often(command, capsys):
    run = command(LOUD)
    assert run("--verbose") == 0
    assert capsys.readouterr().err == "a line, then one every 5 s\n"
    assert run("--quiet", "--verbose") == 2
    assert capsys.readouterr() == ("", "amrx: error: --quiet and --verbose contradict each other\n")
