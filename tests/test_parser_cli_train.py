"""amrx train-parser: its options reach the recipe, and what is wrong is said before anything is read."""

import logging
import shlex

import pytest

from amrx.cli import main
from amrx.errors import MissingResourceError
from parser.commands.train_parser import RECIPES
from parser.mini import load_mini


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """What the mini recipe is called with."""
    import parser.training.mini.train as mini

    calls = []

    def train(data, out, recipe, *, muse=None, device=None, time_limit=None):
        logging.getLogger(mini.__name__).info("training")
        calls.append((data, out, recipe, device, time_limit))

    monkeypatch.setattr(mini, "train", train)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "file").touch()
    return calls


def test_the_recipe_is_file_then_command_line(asked, tmp_path, capsys):
    (tmp_path / "r.toml").write_text("steps = 120000\nseed = 3\n")
    assert main(["train-parser", "data", "-o", "out", "--config", "r.toml", "--set", "seed=5"]) == 0
    ((data, out, recipe, device, time_limit),) = asked
    assert device is None and time_limit is None
    assert capsys.readouterr().err == "training\n"
    assert (str(data), str(out)) == ("data", "out")
    assert (recipe.steps, recipe.seed) == (120000, 5)
    assert recipe.batch == type(recipe)().batch


@pytest.mark.parametrize(("recipe", "module"), RECIPES.items())
def test_the_time_limit_reaches_every_recipe(recipe, module, tmp_path, monkeypatch):
    limits = []
    monkeypatch.setattr(
        f"parser.training.{module}.train", lambda *_, device, time_limit: limits.append(time_limit)
    )
    call = ["train-parser", str(tmp_path), "-o", str(tmp_path / "out"), "--recipe", recipe]
    assert main([*call, "--time-limit", "2.5"]) == 0
    assert limits == [2.5]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["data", "-o", "out", "--recipe", "maxi"], "unknown recipe 'maxi'; choose from mini, xamr, causal"),
        (["nowhere", "-o", "out"], "nowhere: no such folder"),
        (["data", "-o", "file"], "file: is a file, not a folder"),
        (["data", "-o", "out", "--set", "stepps=3"], "stepps"),
        (["data", "-o", "out", "--set", "steps=0"], "steps' must be at least 1, got 0"),
        (["data", "-o", "out", "--recipe", "xamr", "--set", "batch=0"], "batch' must be at least 1, got 0"),
        (["data", "-o", "out", "--set", "steps"], "override must be KEY=VALUE, got 'steps'"),
        (["data", "-o", "out", "--config", "none.toml"], "none.toml: no such file"),
        (["data"], "-o"),
        (["-o", "out"], "name the folder DATA, or --sembank FILE and --dev FILE"),
        (["data", "-o", "out", "--start", "mini"], "--start needs --sembank"),
        (["data", "-o", "out", "--sembank", "a.amr", "--dev", "b.amr"], "--sembank replaces DATA"),
        (["-o", "out", "--sembank", "a.amr"], "--sembank needs --dev FILE"),
        (["-o", "out", "--sembank", "a.amr", "--dev", "b.amr"], "a.amr: no such file or folder"),
        (["-o", "out", "--sembank", "a.amr", "--dev", "b.amr", "--set", "width=64"], "width"),
    ],
)
def test_faults_are_one_line(asked, capsys, arguments, told):
    assert main(["train-parser", *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1
    assert asked == []


def test_own_graphs_take_the_place_of_the_data(asked, tmp_path, monkeypatch):
    from parser.training.mini import own_sembank

    calls = []

    def train(*arguments, device, time_limit):
        calls.append((*arguments, device, time_limit))

    monkeypatch.setattr(own_sembank, "train", train)
    own = ["--sembank", "a.amr", "--dev", "b.amr", "--start", "mini:x", "--lang", "de", "--set", "steps=7"]
    assert main(["train-parser", *own, "-o", "out", "--time-limit", "60"]) == 0
    sembank, dev, out, recipe, device, time_limit = calls[0]
    assert (str(sembank), str(dev), str(out), device, time_limit) == ("a.amr", "b.amr", "out", None, 60)
    assert (recipe.start, recipe.lang, recipe.steps) == ("mini:x", "de", 7) and not asked


def test_the_command_that_makes_a_missing_mini_parser_lacks_but_the_data(asked, tmp_path, capsys):
    with pytest.raises(MissingResourceError) as caught:
        load_mini(tmp_path / "none")
    amrx, *arguments = shlex.split(caught.value.fetch)
    assert amrx == "amrx" and main(arguments) == 2
    assert "DATA: no such folder" in capsys.readouterr().err
    (tmp_path / "data").rename(tmp_path / "DATA")
    assert main(arguments) == 0 and asked[0][1] == tmp_path / "none"
