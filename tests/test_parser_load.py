"""parser.load: names that are no parser's."""

import pytest

from amrx.cli import main
from amrx.errors import MissingResourceError, OptionError
from parser import load
from parser.load import MOST_WRAPPED


@pytest.mark.parametrize("kind", ["split", "pivot"])
@pytest.mark.parametrize("times", [MOST_WRAPPED + 1, 3000])
def test_too_many_parsers_around_each_other_are_refused(kind: str, times: int) -> None:
    with pytest.raises(OptionError, match=r"^parser '.{40}\.\.\.' wraps more than 8 parsers$"):
        load(f"{kind}:" * times + "mini")


def test_a_folder_may_hold_colons() -> None:
    with pytest.raises(MissingResourceError, match="missing on this machine: "):
        load("split:mini:" + "a:" * 50)


@pytest.mark.parametrize("name", ["voted:mini", "voted@4:mini", "voted", "bf16:mini", "split:voted:mini"])
def test_parsers_that_went_name_their_replacement(name, capsys, tmp_path):
    (tmp_path / "s.txt").write_text("Hello.\n")
    argv = ["parse", str(tmp_path / "s.txt"), "--lang", "en", "--no-cache", "-o", str(tmp_path / "o.amr")]
    assert main([*argv, "--parser", name]) == 2
    told = capsys.readouterr().err
    assert "mini writes one graph in one pass and needs no wrapper since version 0.24; choose from" in told
    assert told.count("\n") == 1
