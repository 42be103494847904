"""The page of Cai et al. 2021: its recipe against the released configuration, its table against the data."""

import re
from pathlib import Path

from amrx.cli import main
from amrx.evaluation.results.published import table_rows
from amrx.recipes import load_recipe
from parser.training.writers.recipe import Recipe

FOLDER = Path(__file__).parents[1] / "results" / "papers"
# configs/config.mbart50nmt.xl.opus.yaml of jcyk/XAMR
RELEASED = {
    "model": "facebook/mbart-large-50-many-to-many-mmt", "batch_size": 1250, "accum_steps": 1,
    "nproc_per_node": 4, "warmup_steps": 1, "training_steps": 30000, "weight_decay": 0.004, "grad_norm": 2.5,
    "learning_rate": 0.00005, "dropout": 0.25, "remove_longer_than": 1024, "eval_every": 1000,
}  # fmt: skip


def test_the_released_recipe_has_the_numbers_of_its_configuration() -> None:
    recipe = load_recipe(Recipe, FOLDER, str(FOLDER / "cai-2021-released.toml"), {})
    assert recipe.base == RELEASED["model"]
    assert recipe.distill_steps == recipe.tune_steps == RELEASED["training_steps"]
    assert (recipe.batch, recipe.accumulate) == (RELEASED["batch_size"], RELEASED["nproc_per_node"])
    assert (recipe.warmup, recipe.longest) == (RELEASED["warmup_steps"], RELEASED["remove_longer_than"])
    assert (recipe.weight_decay, recipe.clip) == (RELEASED["weight_decay"], RELEASED["grad_norm"])
    assert (recipe.learning_rate, recipe.dropout) == (RELEASED["learning_rate"], RELEASED["dropout"])
    assert recipe.rate(5) == RELEASED["learning_rate"] and recipe.evaluate_every == RELEASED["eval_every"]


def test_the_table_of_the_page_is_the_data() -> None:
    (row,) = table_rows("cai-2021-readme")
    assert [value for _, value in row.languages] == [73.1, 76.2, 75.8, 62.2, 84.2]
    page = (FOLDER / "cai-2021.md").read_text("utf-8")
    head, line = re.findall(r"^\| (?:\||XAMR).*", page, re.M)
    assert head.strip("| ").split(" | ") == [code for code, _ in row.languages]
    assert line.strip("| ").split(" | ") == [row.encoder, *(f"{value}" for _, value in row.languages)]


def test_the_commands_of_the_page_take_its_options(capsys) -> None:
    page = (FOLDER / "cai-2021.md").read_text("utf-8")
    commands = re.findall(r"^ *amrx ([\w-]+) (.*)", page, re.M)
    assert {name for name, _ in commands} == {
        "convert-checkpoint", "parse", "smatch", "translate", "train-parser"
    }  # fmt: skip
    for name, words in commands:
        assert main([name, "--help"]) == 0
        shown = capsys.readouterr().out
        assert all(option in shown for option in re.findall(r"--[\w-]+", words)), name
