"""retrofit.bases.trained: what is said where there is no such folder."""

from __future__ import annotations

import re
import shlex

import pytest

from amrx.cli import main
from amrx.errors import MissingResourceError
from retrofit.bases import load_base
from retrofit.commands.train_base import METHODS


@pytest.mark.parametrize("method", METHODS)
def test_the_command_that_makes_a_missing_folder_lacks_but_the_input(method, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MissingResourceError) as caught:
        load_base(f"{method}:BASE")
    amrx, *arguments = shlex.split(caught.value.fetch)
    assert amrx == "amrx" and arguments[-2:] == ["-o", "BASE"]
    assert main(arguments) == 2
    assert re.search(r"(pairs\.tsv\.gz|nli\.tsv): no such file", capsys.readouterr().err)
