"""What the options of six commands change, where no other test uses them; and that none is forgotten."""

import ast
import importlib
import json
import os
import re
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.main import get_command

from amrx.cli import COMMANDS, main
from amrx.errors import OptionError
from retrofit.combine import RetrofittedEncoder
from retrofit.weight_fitting import FittedWeights
from tests.support.fake_command import FakeBase, FakeGraphs, FakeParser
from tests.support.toy_parser import ToyParser

TESTS = Path(__file__).parent
THREADS = "test_amrx_threads_option"
CHANNELS = "test_student_commands"
SPLIT = "test_retrofit_split"
REDUCED = "test_retrofit_reduce"
SEARCH = "test_retrofit_search_commands"
FILES = {
    "train-encoder": ("test_retrofit_train", "test_retrofit_seeds", THREADS),
    "retrofit": (
        "test_retrofit_cli",
        "test_retrofit_cli_bad",
        "test_retrofit_saved",
        "test_retrofit_engines",
        CHANNELS,
        SPLIT,
        REDUCED,
        THREADS,
    ),
    "translate": ("test_amrx_translate", "test_amrx_translate_mbart", "test_amrx_translate_flags", THREADS),
    "explain": ("test_retrofit_explain", CHANNELS, SPLIT, THREADS),
    "search": (SEARCH, THREADS),
    "pairs": (SEARCH, "test_retrofit_search_pairs", THREADS),
    "fine-tune": ("test_retrofit_fine_tune", THREADS),
    "gather": ("test_retrofit_gather", THREADS),
    "gather-nli": ("test_retrofit_gather_nli", THREADS),
}


def options_of(command: str) -> list[tuple[str, ...]]:
    """Return the spellings of every option: ``--output`` and ``-o`` are one."""
    found = COMMANDS[command]
    app = typer.Typer(add_completion=False)
    app.command()(getattr(importlib.import_module(found.module), found.function))
    return [
        tuple(spellings)
        for option in get_command(app).params
        if option.param_type_name == "option" and option.name != "help"
        for spellings in (option.opts, option.secondary_opts)
        if spellings
    ]


def options_in_tests(command: str) -> set[str]:
    """Return the options that the command's own test files name, or a function here that runs it."""
    text = [(TESTS / f"{stem}.py").read_text("utf-8") for stem in FILES[command]]
    here = Path(__file__).read_text("utf-8")
    functions = (ast.get_source_segment(here, node) or "" for node in ast.parse(here).body)
    text += [function for function in functions if f'run("{command}"' in function.replace("\n        ", "")]
    return set(re.findall(r'"(--?[a-z-]+)"', "\n".join(text)))


@pytest.mark.parametrize("command", COMMANDS)
def test_output_has_one_name(command: str) -> None:
    spellings = options_of(command)
    assert ("--output", "-o") in spellings or not {"--out", "-o", "--output"} & set(sum(spellings, ()))


@pytest.mark.parametrize("command", FILES)
def test_every_option_is_used_in_a_test(command: str) -> None:
    used = options_in_tests(command)
    missing = [spellings for spellings in options_of(command) if not used & set(spellings)]
    assert len(options_of(command)) >= 7 and not missing


def run(command: str, *arguments: object) -> int:
    return main([command, *map(str, arguments)])


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """What `retrofit.load.load` was asked for; it gives fakes."""
    asked: list[dict[str, object]] = []

    def load(
        base: str, parser: str, encoder: str, weight: float | None, *,
        split: bool, integration: str | None, cache: object = None, parts: object = None,
    ) -> RetrofittedEncoder:  # fmt: skip
        asked.append(
            {"names": (base, parser, encoder), "weight": weight, "integration": integration, "split": split}
        )
        chosen = 1.0 if weight is None else weight
        return RetrofittedEncoder(
            FakeBase(), FakeParser(), FakeGraphs(), weight=chosen, integration=integration or "norm-concat"
        )

    monkeypatch.setattr(sys.modules["retrofit.load"], "load", load)
    return asked


@pytest.fixture
def text(tmp_path: Path) -> Path:
    file = tmp_path / "in.txt"
    file.write_text("eins\nzwei\ndrei\n", "utf-8")
    return file


def test_names_reach_the_loader(loaded: list[dict[str, object]], text: Path, tmp_path: Path) -> None:
    named = ["--base", "B", "--parser", "P", "--encoder", "mini", "--integration", "concat"]
    assert run("retrofit", text, "--output", tmp_path / "v.npy", "--lang", "de", "--weight", 2, *named) == 0
    assert run("explain", "eins", "zwei", "--lang-a", "de", "--lang-b", "de", *named) == 0
    expected = {"names": ("B", "P", ("mini",)), "integration": "concat", "split": True}
    assert loaded == [expected | {"weight": (2.0,)}, expected | {"weight": None}]
    vectors = np.load(tmp_path / "v.npy")
    assert vectors[:, :3].tolist() == [[4, ord("d"), 1]] * 3  # concat leaves the base as it is
    assert vectors[:, 3:].tolist() == [[2, 2]] * 3


def test_explain_takes_the_names(loaded: list[dict[str, object]]) -> None:
    langs = ["--lang-a", "de", "--lang-b", "de"]
    assert run("explain", "a", "b", "--base", "B", "--parser", "P", "--encoder", "E", *langs) == 0
    assert run("explain", "a", "b", "--integration", "norm-add", *langs) == 2  # 3 and 2 wide
    assert [one["integration"] for one in loaded] == [None, "norm-add"]


@pytest.mark.parametrize("size", [1, 3])
def test_the_batch_size_reaches_the_base(size, loaded, text, tmp_path, monkeypatch):
    seen = []
    encode = FakeBase.encode

    def noting(
        base: FakeBase, sentences: list[str], *, lang: list[str], batch_size: int, progress: bool
    ) -> object:
        seen.append(batch_size)
        return encode(base, sentences, lang=lang)

    monkeypatch.setattr(FakeBase, "encode", noting)
    assert run("retrofit", text, "-o", tmp_path / "v.npy", "--lang", "de", "--batch-size", size) == 0
    assert seen == [size]
    assert run("retrofit", text, "-o", tmp_path / "v.npy", "--lang", "de", "--batch-size", 0) == 2


def test_a_fitted_weight_is_used_stored_and_told(loaded, text, tmp_path, monkeypatch, capsys):
    given = []

    def fit(encoder: RetrofittedEncoder, data: Path, *, progress: bool) -> FittedWeights:
        given.append(data)
        return FittedWeights(weights=(0.25,), score=80.0, base_score=79.0)

    monkeypatch.setattr("retrofit.weight_fitting.fit_on_stsb", fit)
    monkeypatch.setattr(sys.modules["retrofit.load"], "find_encoder", lambda name: tmp_path)
    monkeypatch.setattr(sys.modules["retrofit.load"], "reads_graphs", lambda name: True)
    out = tmp_path / "v.npy"
    assert run("retrofit", text, "-o", out, "--lang", "de", "--fit-weight", "--data", tmp_path) == 0
    assert given == [tmp_path]
    assert json.loads((tmp_path / "fitted_weights.json").read_text())["base"]["mini"]["weight"] == 0.25
    told = capsys.readouterr().err
    assert "weight 0.25, mean Spearman 80.00 (base 79.00); stored in " in told
    assert str(tmp_path / "fitted_weights.json") in told
    assert [one["weight"] for one in loaded] == [1.0]  # given, so that no missing weight is warned of
    assert np.load(out)[:, 3:] == pytest.approx(0.25 / np.sqrt(2))
    monkeypatch.delenv("AMRX_DATA", raising=False)
    assert run("retrofit", text, "-o", out, "--fit-weight") == 2
    assert "--fit-weight needs --data DIR" in capsys.readouterr().err


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int | None, int | None]]:
    """Names, workers and beams of the parsers that were opened; the toy parser is given."""
    asked: list[tuple[str, int | None, int | None]] = []

    def open_parser(name: str, workers: int | None, stack: ExitStack, beam: int | None) -> ToyParser:
        asked.append((name, workers, beam))
        return ToyParser()

    monkeypatch.setattr("parser.run.pool.open_parser", open_parser)
    monkeypatch.setattr("parser.training.corpora.leakage.load_reserved", lambda folder: frozenset())
    monkeypatch.delenv("AMRX_DATA", raising=False)
    monkeypatch.setenv("AMRX_DEVICE", "")  # --device sets it
    return asked


def test_options_of_gather(opened, tmp_path, monkeypatch):
    from retrofit.training.amr.gather import Amounts, Gathered

    seen: list[Amounts] = []

    def gather(data: Path, reserved: object, amounts: Amounts) -> Gathered:
        seen.append(amounts)
        found = Gathered()
        found.group("A sentence.")
        return found

    monkeypatch.setattr("retrofit.training.amr.gather.gather", gather)
    config = tmp_path / "amounts.toml"
    config.write_text("triplets = 7\nwords = 5\n")
    settings = ["--parser", "p", "--workers", 2, "--config", config, "--set", "words=6"]
    assert (
        run("gather", tmp_path, "--output", tmp_path / "c", "--workers", 2, "--config", config, *settings[:2])
        == 0
    )
    settings += ["--beam", 3, "--device", "cpu"]
    assert run("gather", tmp_path, "--output", tmp_path / "d", *settings) == 0
    assert opened == [("p", 2, None), ("p", 2, 3)] and os.environ["AMRX_DEVICE"] == "cpu"
    assert [(one.triplets, one.words) for one in seen] == [(7, 5), (7, 6)]
    assert run("gather", tmp_path, "-o", tmp_path / "e", "--workers", 0) == 2


def test_options_of_gather_nli(opened: list[tuple[str, int | None, int | None]], tmp_path: Path) -> None:
    (tmp_path / "nli.csv").write_text("sent0,sent1,hard_neg\na b,c,d\n")
    assert (
        run("gather-nli", tmp_path / "nli.csv", "--output", tmp_path / "c", "--parser", "p", "--workers", 3)
        == 0
    )
    settings = ["--parser", "p", "--beam", 4, "--device", "cpu"]
    assert run("gather-nli", tmp_path / "nli.csv", "-o", tmp_path / "d", *settings) == 0
    assert opened == [("p", 3, None), ("p", None, 4)] and os.environ["AMRX_DEVICE"] == "cpu"


def test_an_unknown_device_is_refused_before_anything_is_read(tmp_path, capsys):
    (tmp_path / "a.txt").write_text("A sentence.\n")
    assert run("retrofit", tmp_path / "a.txt", "-o", tmp_path / "v.npy", "--device", "abacus") == 2
    assert "abacus" in capsys.readouterr().err and not (tmp_path / "v.npy").exists()
    assert run("explain", "One.", "Two.", "--device", "abacus") == 2
    assert "abacus" in capsys.readouterr().err


def test_recipe_and_out_of_train_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def train(corpus: Path, out: Path, recipe: object, device: object, **options: object) -> None:
        seen.append((corpus, out, recipe, device, options))
        raise OptionError("enough")

    monkeypatch.setattr("retrofit.training.amr.train.train", train)
    settings = ["--time-limit", 5, "--fresh", "--set", "model.pooling=mlp", "--device", "cpu"]
    assert run("train-encoder", tmp_path, "--output", tmp_path / "o", "--recipe", "variant-3", *settings) == 2
    [(corpus, out, recipe, device, options)] = seen
    assert (corpus, out, device) == (tmp_path, tmp_path / "o", "cpu")
    assert (options["resume"], options["time_limit"]) == (False, 5.0)
    assert (recipe.model.pooling, recipe.nli.batch, "fr" in recipe.languages) == ("mlp", 512, False)
