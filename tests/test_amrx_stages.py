"""Another package in the place of a stage, beside the user's script or in the same folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from amrx import errors, stages

ROOT = Path(__file__).resolve().parent.parent
SHADOWED = "another package shadows amrx's "
OVERWRITTEN = "another package has overwritten amrx's "


def python(*arguments: str, path: list[Path], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path))}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment, cwd=folder
    )


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    return done.stderr.rstrip("\n").rpartition("\n")[2]


@pytest.mark.parametrize("stage", stages.STAGES)
@pytest.mark.parametrize("form", ["module", "package"])
@pytest.mark.parametrize("statement", ["import amrx", "from amrx.types import Sentence"])
def test_a_file_beside_the_script_is_named(stage: str, form: str, statement: str, tmp_path: Path) -> None:
    other = tmp_path / f"{stage}.py" if form == "module" else tmp_path / stage / "__init__.py"
    other.parent.mkdir(exist_ok=True)
    other.write_text("raise RuntimeError('the wrong one ran')")
    (tmp_path / "my.py").write_text(f"{statement}\nprint('went on')")
    done = python("my.py", path=[ROOT], folder=tmp_path)
    assert done.returncode == 1 and done.stdout == ""
    assert last_line(done).startswith(f"amrx.errors.ShadowedError: {SHADOWED}{stage!r}: {other}; rename it")


@pytest.mark.parametrize(
    "statement", ["from retrofit import load", "import retrofit", "from linearize import forms"]
)
def test_a_stage_that_is_imported_first_names_it_too(statement: str, tmp_path: Path) -> None:
    (tmp_path / "parser.py").write_text("def parse_args(): return 1")
    (tmp_path / "my.py").write_text(statement)
    done = python("my.py", path=[ROOT], folder=tmp_path)
    assert last_line(done).startswith(
        f"amrx.errors.ShadowedError: {SHADOWED}'parser': {tmp_path / 'parser.py'}"
    )


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The packages as pip puts them, without the weights."""
    place = tmp_path / "site-packages"
    for package in ("amrx", *stages.STAGES):
        shutil.copytree(
            ROOT / package, place / package, ignore=shutil.ignore_patterns("models", "__pycache__")
        )
    return place


def test_a_package_of_the_same_name_in_the_same_folder_is_named(installed: Path, tmp_path: Path) -> None:
    (installed / "retrofit" / "__init__.py").write_text("")  # as PyPI's retrofit has it
    info = installed / "retrofit-0.3.3.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: retrofit\nVersion: 0.3.3\n")
    (info / "RECORD").write_text("retrofit/__init__.py,,\n")
    for statement in ("from retrofit import load", "import amrx", "import parser"):
        done = python("-c", statement, path=[installed], folder=tmp_path)
        assert last_line(done).startswith(f"amrx.errors.ShadowedError: {OVERWRITTEN}'retrofit': {installed}")
        assert last_line(done).endswith("(of retrofit); uninstall it and reinstall amrx")


@pytest.mark.parametrize("module", ["amrx", "retrofit", "linearize"])
def test_the_command_says_so_in_one_line(module: str, tmp_path: Path) -> None:
    (tmp_path / "parser.py").write_text("")
    done = python("-m", module, "x.txt", path=[tmp_path, ROOT], folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"amrx: error: {SHADOWED}'parser': {tmp_path / 'parser.py'}")
    assert done.stderr.count("\n") == 1


def test_the_installed_command_does_too(tmp_path: Path) -> None:
    script = tmp_path / "bin" / "amrx"
    script.parent.mkdir()
    script.write_text("import sys\nfrom amrx.cli import main\nsys.exit(main())\n")
    (tmp_path / "linearize.py").write_text("")
    done = python(str(script), "--help", path=[tmp_path, ROOT], folder=tmp_path)
    assert done.returncode == 2 and done.stderr.startswith(f"amrx: error: {SHADOWED}'linearize'")


def test_a_script_that_has_arguments_like_the_command_is_none(tmp_path: Path) -> None:
    (tmp_path / "parser.py").write_text("")
    (tmp_path / "my.py").write_text("import amrx")
    done = python("my.py", "-m", "amrx", path=[ROOT], folder=tmp_path)
    assert done.returncode == 1 and "ShadowedError" in last_line(done)


def test_an_empty_folder_or_one_behind_is_no_shadow(tmp_path: Path) -> None:
    (tmp_path / "parser").mkdir()
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "parser.py").write_text("")
    (tmp_path / "my.py").write_text("import retrofit, amrx; print(amrx.__version__)")
    done = python("my.py", path=[ROOT, tmp_path / "later"], folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_stage_has_the_mark() -> None:
    for stage in stages.STAGES:
        assert (ROOT / stage / "__init__.py").read_bytes().startswith(stages.MARK)
    assert stages.find_fault() is None


def test_a_stage_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "STAGES", ("linearize", "no_such_stage"))
    with pytest.raises(errors.ShadowedError, match="package 'no_such_stage' is not installed"):
        stages.check_stages()


def test_a_module_put_there_by_hand_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import types

    monkeypatch.setitem(sys.modules, "parser", types.ModuleType("parser"))
    with pytest.raises(ImportError, match="shadows amrx's 'parser': a module without a file"):
        stages.check_stages()
