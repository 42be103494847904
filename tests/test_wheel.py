"""The wheel, installed in an empty environment without the repository, parses, retrofits and explains."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MOST = 100_000_000
"""Bytes of a wheel that a package index takes."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling is not installed; fetch: pip install hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True,
        capture_output=True,
    )  # fmt: skip
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the interpreter of an environment with the wheel, and the dependencies by path."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    packages = next((folder / "lib").glob("python*")) / "site-packages"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    # a folder that a .pth file names is searched, but its own .pth files, with the repository, are not read
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin" / "python"


def run(python: Path, folder: Path, *arguments: str) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "AMRX"))}
    done = subprocess.run(
        [python, *arguments], cwd=folder, env={**environment, "AMRX_CACHE": str(folder / "cache")},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_holds_the_packages_and_fits_an_index(wheel: Path):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {
        "amrx", "linearize", "parser", "retrofit",
    }  # fmt: skip
    assert wheel.stat().st_size < MOST


def test_it_parses_retrofits_and_explains(python: Path, tmp_path: Path):
    place = run(python, tmp_path, "-c", "import amrx; print(amrx.__file__)").strip()
    assert Path(place).is_relative_to(python.parents[1])
    (tmp_path / "text.txt").write_text("Drei Hunde spielen im Schnee.\n", encoding="utf-8")
    graphs = run(python, tmp_path, "-m", "amrx", "parse", "text.txt", "--lang", "de")
    assert " / dog" in graphs and ":quant 3" in graphs
    run(python, tmp_path, "-m", "amrx", "retrofit", "text.txt", "--lang", "de", "-o", "vectors.npy")
    assert (tmp_path / "vectors.npy").stat().st_size > 4 * 1152
    pair = "The dog bites the man.", "The man bites the dog."
    assert "Smatch" in run(
        python, tmp_path, "-m", "amrx", "explain", *pair, "--lang-a", "en", "--lang-b", "en"
    )
