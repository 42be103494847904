from __future__ import annotations

import dataclasses
import math
import tomllib
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import InputError, OptionError
from amrx.recipes import load_config, parse_override, to_toml


@dataclasses.dataclass(frozen=True)
class Optimiser:
    rate: float = 1e-3
    schedule: Literal["linear", "cosine"] = "linear"
    betas: tuple[float, float] = (0.9, 0.999)


@dataclasses.dataclass(frozen=True)
class Recipe:
    name: str
    seed: int = 1
    fast: bool = False
    data: Path | None = None
    languages: tuple[str, ...] = ("en",)
    weights: dict[str, float] = dataclasses.field(default_factory=dict)
    steps: list[int] = dataclasses.field(default_factory=list)
    optimiser: Optimiser = Optimiser()

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError(f"seed {self.seed} is below 0")


@pytest.fixture
def recipe(tmp_path):
    def write(text: str) -> Path:
        path = tmp_path / "recipe.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_file_fills_what_it_says_and_leaves_the_defaults(recipe):
    path = recipe(
        'name = "mini"\nlanguages = ["de", "zh"]\ndata = "x/y"\nsteps = [1, 2]\n[optimiser]\nrate = 1\n'
    )
    found = load_config(Recipe, path)
    assert found == Recipe(
        "mini", data=Path("x/y"), languages=("de", "zh"), steps=[1, 2], optimiser=Optimiser(rate=1.0)
    )
    assert isinstance(found.optimiser.rate, float)


def test_overrides_win_over_the_file(recipe):
    path = recipe('name = "mini"\nseed = 2\n[optimiser]\nrate = 0.1\n')
    found = load_config(Recipe, path, {"seed": 3, "optimiser.schedule": "cosine", "weights.ar": 2})
    assert (found.seed, found.optimiser) == (3, Optimiser(0.1, "cosine"))
    assert found.weights == {"ar": 2.0}
    assert load_config(Recipe, None, {"name": "x"}) == Recipe("x")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('nmae = "x"', "unknown key 'nmae'; did you mean 'name'?"),
        (
            'name = "x"\n[optimiser]\nlearning = 1',
            "unknown key 'optimiser.learning'; the keys are: rate, schedule",
        ),
        ("seed = 1", "key 'name' is missing"),
        ('name = "x"\nseed = "1"', "key 'seed' must be of type int, got '1'"),
        ('name = "x"\nseed = 1.5', "key 'seed' must be of type int, got 1.5"),
        ('name = "x"\nseed = true', "key 'seed' must be of type int, got True"),
        ('name = "x"\nfast = 1', "key 'fast' must be of type bool, got 1"),
        ("name = 1", "key 'name' must be of type str, got 1"),
        ('name = "x"\ndata = 1', "key 'data' must be of type Path, got 1"),
        ('name = "x"\nlanguages = "de"', "key 'languages' must be of type tuple[str, ...], got 'de'"),
        ('name = "x"\nlanguages = ["de", 1]', "key 'languages[1]' must be of type str, got 1"),
        ('name = "x"\noptimiser = 1', "key 'optimiser' must be of type table, got 1"),
        ('name = "x"\n[optimiser]\nschedule = "step"', "must be one of 'linear', 'cosine', got 'step'"),
        ('name = "x"\n[optimiser]\nbetas = [1]', "key 'optimiser.betas' must have 2 items, got [1]"),
        ('name = "x"\n[weights]\nar = "much"', "key 'weights.ar' must be of type float, got 'much'"),
        ('name = "x"\nseed = -1', "seed -1 is below 0"),
        ("name = ", "invalid TOML"),
    ],
)
def test_mistakes_name_file_and_key(recipe, text, problem):
    path = recipe(text)
    with pytest.raises(OptionError) as caught:
        load_config(Recipe, path)
    assert str(caught.value).startswith(f"{path}: ")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_mistakes_in_overrides_say_so():
    with pytest.raises(
        OptionError, match="overrides: unknown key 'optimiser.rat'; did you mean 'optimiser.rate'"
    ):
        load_config(Recipe, None, {"name": "x", "optimiser.rat": 1})
    with pytest.raises(OptionError, match="'name' is a value, not a table"):
        load_config(Recipe, None, {"name": "x", "name.first": 1})


def test_missing_file():
    with pytest.raises(InputError, match="no such file"):
        load_config(Recipe, "no/recipe.toml")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a=1", 1),
        ("a.b = [1, 2]", [1, 2]),
        ("a=true", True),
        ("a=cuda:1", "cuda:1"),
        ("a=", ""),
        ('a="1"', "1"),
    ],
)
def test_override_from_the_command_line(text, value):
    key, found = parse_override(text)
    assert key == text.partition("=")[0].strip()
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("text", ["a", "=1", ""])
def test_override_without_a_key_or_value(text):
    with pytest.raises(OptionError, match="must be KEY=VALUE"):
        parse_override(text)


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
numbers = st.floats(allow_nan=False)
optimisers = st.builds(Optimiser, numbers, st.sampled_from(["linear", "cosine"]), st.tuples(numbers, numbers))
recipes = st.builds(
    Recipe,
    names,
    st.integers(0, 2**40),
    st.booleans(),
    st.none() | st.sampled_from([Path("a/b"), Path("ä b")]),
    st.lists(names).map(tuple),
    st.dictionaries(names, numbers),
    st.lists(st.integers(-5, 5)),
    optimisers,
)


@given(recipes)
def test_every_recipe_loads_as_itself(scratch, recipe):
    path = scratch / "recipe.toml"
    path.write_text(to_toml(recipe), encoding="utf-8", newline="\n")
    assert load_config(Recipe, path) == recipe


def test_infinity_and_what_is_no_recipe():
    assert tomllib.loads(to_toml(Optimiser(rate=math.inf)))["rate"] == math.inf
    for value in (Recipe, {"a": 1}):
        with pytest.raises(TypeError, match="must be a dataclass instance"):
            to_toml(value)


def test_a_file_extends_another(tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_text(
        'name = "old"\nseed = 4\n[weights]\nen = 1\nde = 2\n[optimiser]\nrate = 0.5\nschedule = "cosine"\n'
    )
    (tmp_path / "new.toml").write_text(
        'extends = "old"\nseed = 5\n[weights]\nfr = 3\n[optimiser]\nrate = 1\n'
    )
    made = load_config(Recipe, tmp_path / "new.toml", {"fast": True})
    # a table that is a dataclass is filled up, a free one is replaced
    expected = Recipe("old", seed=5, fast=True, weights={"fr": 3.0}, optimiser=Optimiser(1.0, "cosine"))
    assert made == expected


@pytest.mark.parametrize(
    ("extends", "message"),
    [
        ('"none"', "extends 'none', but .*none.toml is not a file"),
        ("3", "extends 3, but"),
        ('"me"', "extends itself through"),
    ],
)
def test_what_cannot_be_extended(extends: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "me.toml").write_text(f"extends = {extends}\n")
    with pytest.raises(OptionError, match=message):
        load_config(Recipe, tmp_path / "me.toml")


DEEP = ["[" * 5000, "[" * 5000 + "]" * 5000, "{a=" * 5000 + "1" + "}" * 5000, "9" * 5000]


@pytest.mark.parametrize("value", DEEP)
def test_a_value_too_deep_or_too_long_to_read_is_one_error(value, tmp_path, capsys):
    from amrx.cli import main

    with pytest.raises(OptionError, match="^key 'a.b': invalid value: "):
        parse_override(f"a.b={value}")
    file = tmp_path / "recipe.toml"
    file.write_text(f"a = {value}\n")
    assert main(["train-encoder", str(tmp_path), "-o", str(tmp_path / "out"), "--recipe", str(file)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"amrx: error: {file}: invalid TOML: ") and told.count("\n") == 1


def test_a_value_that_is_no_toml_is_still_a_string():
    assert parse_override("a=[1, x") == ("a", "[1, x")
