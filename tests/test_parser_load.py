"""parser.load: names that are no parser's."""

from __future__ import annotations

import pytest

from amrx.cli import main
from amrx.errors import MissingResourceError, OptionError
from parser import load
from parser.load import MOST_WRAPPED


@pytest.mark.parametrize("kind", ["voted", "pivot", "voted@3"])
@pytest.mark.parametrize("times", [MOST_WRAPPED + 1, 3000])
def test_too_many_parsers_around_each_other_are_refused(kind: str, times: int) -> None:
    with pytest.raises(OptionError, match=r"^parser '.{40}\.\.\.' wraps more than 8 parsers$"):
        load(f"{kind}:" * times + "mini")


def test_a_folder_may_hold_colons() -> None:
    with pytest.raises(MissingResourceError, match="missing on this machine: "):
        load("voted:mini:" + "a:" * 50)


@pytest.mark.parametrize("digits", [7, 5000])
@pytest.mark.parametrize("kind", ["voted"])
def test_a_number_of_draws_too_long_is_one_line(
    kind: str, digits: int, capsys: pytest.CaptureFixture[str], tmp_path
) -> None:
    (tmp_path / "s.txt").write_text("Hello.\n")
    name = f"{kind}@{'9' * digits}:mini"
    argv = ["parse", str(tmp_path / "s.txt"), "--lang", "en", "--no-cache", "-o", str(tmp_path / "o.amr")]
    assert main([*argv, "--parser", name]) == 2
    told = capsys.readouterr().err
    assert "must have at most 4 digits, got " in told and told.count("\n") == 1 and len(told) < 200
