import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def repository(tmp_path):
    """A repository whose interpreter only notes what it is called with."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "_environment.sh", tmp_path / "scripts")
    (tmp_path / "pyproject.toml").write_text("one")
    (tmp_path / "constraints.txt").write_text("two")
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "$@" >>"{tmp_path}/calls"\n[ ! -f "{tmp_path}/broken" ]\n')
    python.chmod(0o755)
    return tmp_path


def bash(repository, code, **environment):
    code = f"set -euo pipefail; source {repository}/scripts/_environment.sh; {code}"
    return subprocess.run(
        ["bash", "-c", code], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def calls(repository):
    noted = repository / "calls"
    lines = noted.read_text().splitlines() if noted.exists() else []
    noted.unlink(missing_ok=True)
    return [line for line in lines if "install" in line]


def test_installs_once_until_the_requirements_change(repository):
    done = bash(repository, "make_environment muse,report; echo $AMRX_ROOT $HF_HUB_OFFLINE")
    assert done.stdout == f"{repository} 1\n"
    assert "about a minute" in done.stderr
    [call] = calls(repository)
    assert call.endswith("-c constraints.txt -e .[muse,report]")
    again = bash(repository, "make_environment muse,report")
    assert (again.stdout, again.stderr, calls(repository)) == ("", "", [])
    bash(repository, "make_environment test")
    assert len(calls(repository)) == 1
    (repository / "constraints.txt").write_text("three")
    bash(repository, "make_environment muse,report")
    assert len(calls(repository)) == 1


def test_install_that_fails_is_tried_again(repository):
    (repository / "broken").touch()
    assert bash(
        repository, "make_environment test; echo reached", PYTHON=str(repository / ".venv/bin/python")
    ).returncode
    (repository / "broken").unlink()
    calls(repository)
    assert bash(repository, "make_environment test; echo reached").stdout == "reached\n"
    assert len(calls(repository)) == 1


def test_too_old_a_python_is_said_in_one_line(repository):
    shutil.rmtree(repository / ".venv")
    done = bash(repository, "make_environment test; echo reached", PYTHON="/bin/false no-such-python")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1].startswith("error: Python 3.11 or newer is needed")


@pytest.mark.parametrize("script", [".ci/run", "scripts/test", "scripts/demo"])
def test_scripts_are_executable_bash_that_stops_at_errors(script):
    path = ROOT / script
    assert os.access(path, os.X_OK)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in text
    assert subprocess.run(["bash", "-n", path], capture_output=True, check=False).stderr == b""
