"""Guards of a training: one run a folder, in every trainer; finite numbers; best weights that are there."""

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.cli import main
from amrx.errors import AmrxError, OutputError
from amrx.recipes import load_recipe
from amrx.training import alone, check_finite
from tests.support.training_toys import SCRATCH, settings, write_pairs


def _encoder(folder: Path, out: Path) -> None:
    from retrofit.training.amr.recipe import Contrast, Recipe
    from retrofit.training.amr.train import train

    train(folder, out, Recipe(nli=Contrast(weight=1)), "cpu")


def _student(folder: Path, out: Path) -> None:
    from retrofit.commands.train_student import RECIPES
    from retrofit.training.student.recipe import Recipe
    from retrofit.training.student.train import train

    train(folder, out, load_recipe(Recipe, RECIPES, "student-text"), "cpu")


def _mini(folder: Path, out: Path) -> None:
    from parser.training.mini.train import Recipe, train

    train(folder, out, Recipe(), device="cpu")


def _xamr(folder: Path, out: Path) -> None:
    from parser.training.writers.seq2seq import Recipe, train

    train(folder, out, Recipe(), device="cpu")


def _causal(folder: Path, out: Path) -> None:
    from parser.training.writers.causal import Recipe, train

    train(folder, out, Recipe(), device="cpu")


def _base(method: str) -> Callable[[Path, Path], None]:
    def run(folder: Path, out: Path) -> None:
        from amrx.recipes import parse_override
        from retrofit.commands.train_base import _module, read_recipe
        from retrofit.training.bases.sources import read_source
        from retrofit.training.bases.train import train

        pairs = write_pairs(folder)["pairs.tsv"]
        few = {
            "emma-x": {"pairs.batch": 4, "text.steps": 0},
            "msimcse": {"batch": 4, "mix": '["parallel"]'},
            "vmsst": {"batch": 4},
        }
        keys = settings({**SCRATCH, **few[method]})[1::2]
        assert all(parse_override(key) for key in keys)
        names = {"emma-x": "small", "msimcse": "parallel-small", "vmsst": "small"}
        recipe = read_recipe(method, names[method], keys)
        sources = [read_source("parallel", f"en-de:{pairs}")]
        train(_module(method, "train").METHOD, sources, out, recipe, "cpu", fresh=True)

    return run


TRAININGS = {
    "train-encoder": _encoder, "train-student": _student, "train-parser mini": _mini,
    "train-parser xamr": _xamr, "train-parser causal": _causal,
    **{f"train-base {method}": _base(method) for method in ("emma-x", "msimcse", "vmsst")},
}  # fmt: skip


@pytest.mark.parametrize("name", TRAININGS)
def test_a_second_training_into_a_folder_is_refused_and_changes_nothing(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "training").mkdir(parents=True)
    (out / "training" / "checkpoint.safetensors").write_bytes(b"of the first run")
    with alone(out), pytest.raises(OutputError, match="out: another run is writing it"):
        TRAININGS[name](tmp_path, out)
    assert [file.name for file in out.rglob("*")] == ["training", "checkpoint.safetensors"]
    assert (out / "training" / "checkpoint.safetensors").read_bytes() == b"of the first run"


@pytest.mark.parametrize("file", ["config.json", "modules.json"])
@pytest.mark.parametrize("name", TRAININGS)
def test_a_model_that_no_training_here_made_is_not_replaced(name: str, file: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / file).write_text("{}")
    with pytest.raises(OutputError, match="out: holds a model already; name another folder"):
        TRAININGS[name](tmp_path, out)
    assert [path.name for path in out.iterdir()] == [file]


def test_another_process_is_kept_out_until_it_ends_or_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from amrx.training import alone\n"
        "with alone(Path(sys.argv[1])): print('in', flush=True); time.sleep(600)"
    )
    out = tmp_path / "a" / "out"
    held = subprocess.Popen([sys.executable, "-c", code, str(out)], stdout=subprocess.PIPE, text=True)
    try:
        assert held.stdout is not None
        assert held.stdout.readline() == "in\n"
        with pytest.raises(OutputError, match="out: another run is writing it"), alone(out):
            pass
    finally:
        held.kill()
        held.communicate()
    with alone(out):
        (out / "x").touch()
    assert [file.name for file in out.iterdir()] == ["x"]


def test_a_folder_into_which_nothing_came_is_not_left(tmp_path: Path) -> None:
    with pytest.raises(KeyError), alone(tmp_path / "new"):
        raise KeyError
    (tmp_path / "old").mkdir()
    with alone(tmp_path / "old"):
        pass
    assert [file.name for file in tmp_path.iterdir()] == ["old"]
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="file: cannot be created"), alone(tmp_path / "file"):
        pass


@pytest.mark.parametrize(
    "name",
    ["train-encoder", "train-student", "train-parser mini", "train-parser xamr", "train-parser causal"],
)
def test_a_training_without_data_leaves_no_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with pytest.raises(AmrxError):
        TRAININGS[name](tmp_path / "data", tmp_path / "new" / "out")
    assert [file.name for file in tmp_path.iterdir()] == ["data"]


def test_the_command_says_it_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with alone(tmp_path / "out"):
        assert main(["train-encoder", str(tmp_path), "-o", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == f"amrx: error: {tmp_path / 'out'}: another run is writing it\n"


@given(st.dictionaries(st.sampled_from("abc"), st.floats()))
def test_numbers_pass_if_and_only_if_all_are_finite(values: dict[str, float]) -> None:
    if all(math.isfinite(value) for value in values.values()):
        check_finite(values, "step 7")
    else:
        with pytest.raises(AmrxError, match=r"^step 7 is not finite \(.*(nan|inf).*\); lower the rate$"):
            check_finite(values, "step 7")
