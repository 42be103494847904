"""Several seeds in one command, the paper's recipes, and the ablations of what the encoder reads."""

# ruff: noqa: F811  fixtures of another file
import dataclasses
import json
import shutil
import statistics
from pathlib import Path

import numpy as np
import penman
import pytest

from amrx.cli import main
from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.recipes import load_recipe
from linearize import linearize
from linearize.tokens import join_tokens
from retrofit.amr.backbone import find_backbone, load_backbone
from retrofit.amr.encoder import load_encoder
from retrofit.amr.tensor_files import write_weights
from retrofit.commands.train_encoder import RECIPES
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.train import train, train_seeds
from tests.support.amr_toys import backbone, corpus, recipe  # noqa: F401

PAPER = {"en", "de", "es", "it", "zh", "fr", "ar"}


def test_three_seeds_their_mean_and_deviation(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    told = []
    recipe = dataclasses.replace(recipe, steps=2)
    made = train_seeds(corpus, tmp_path / "all", recipe, 3, "cpu", report=told.append)
    alone = [
        train(corpus, tmp_path / str(seed), dataclasses.replace(recipe, seed=seed), "cpu")
        for seed in (3, 4, 5)
    ]
    scores = [run.best for run in alone]
    assert list(made.runs) == [3, 4, 5] and list(made.runs.values()) == alone
    assert len(set(scores)) > 1
    kept = json.loads((tmp_path / "all" / "seeds.json").read_text())
    assert [row["best"] for row in kept["seeds"]] == scores
    assert kept["mean"] == pytest.approx(sum(scores) / 3)
    assert kept["deviation"] == pytest.approx(np.std(scores, ddof=1))
    assert {line["seed"] for line in told} == {3, 4, 5}
    for seed in (3, 5):
        one, other = (tmp_path / place / "model.safetensors" for place in (f"all/seed-{seed}", str(seed)))
        assert one.read_bytes() == other.read_bytes()


def test_seeds_stopped_and_gone_on_with_are_those_of_one_run(corpus, recipe, tmp_path):
    recipe = dataclasses.replace(recipe, steps=2)
    whole = train_seeds(corpus, tmp_path / "whole", recipe, 2, "cpu")
    ended = train_seeds(corpus, tmp_path / "parts", recipe, 2, "cpu", time_limit=0.0)
    assert not ended.finished and "0 of 2 seeds done" in str(ended)
    assert not (tmp_path / "parts" / "seeds.json").exists()
    for _ in range(5):
        ended = train_seeds(corpus, tmp_path / "parts", recipe, 2, "cpu", time_limit=0.0)
    assert ended.finished and ended.runs == whole.runs
    for name in ("seeds.json", "seed-4/model.safetensors"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_the_command_trains_seeds(corpus, backbone, tmp_path, capsys):
    small = tmp_path / "small.toml"
    small.write_text(
        f'steps = 1\nprecision = "fp32"\n[model]\nbackbone = "{backbone}"\nmax_tokens = 32\n'
        "[nli]\nweight = 1\nbatch = 4\n"
    )
    out = tmp_path / "out"
    arguments = ["train-encoder", str(corpus), "-o", str(out), "--recipe", str(small), "--device", "cpu"]
    assert main([*arguments, "--seeds", "2"]) == 0
    scores = [row["best"] for row in json.loads((out / "seeds.json").read_text())["seeds"]]
    told = f"2 seeds done, best dev score: mean {statistics.fmean(scores):.2f}"
    assert f"{told}, deviation {statistics.stdev(scores):.2f}" in capsys.readouterr().err
    assert main([*arguments, "--seeds", "1", "--fresh", "--time-limit", "1000"]) == 0
    assert "1 seeds done, best dev score: mean " in capsys.readouterr().err
    assert main([*arguments, "--seeds", "0"]) == 2


def test_no_dev_pairs_no_mean(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    folder = shutil.copytree(corpus, tmp_path / "corpus")
    (folder / "dev_pairs.jsonl").unlink()
    made = train_seeds(folder, tmp_path / "out", dataclasses.replace(recipe, steps=1), 1, "cpu")
    assert made.mean is None and "no dev pairs" in str(made)


def test_the_recipe_of_the_paper() -> None:
    paper = load_recipe(Recipe, RECIPES, "paper", [])
    assert set(paper.languages) == PAPER and set(paper.languages.values()) == {1.0}
    assert (paper.learning_rate, paper.nli.batch, paper.nli.temperature) == (5e-5, 512, 0.05)
    assert (paper.epochs, paper.evaluate_every, paper.english_text) == (999, 125, 0.5)
    assert (paper.model.backbone, paper.model.pooling) == ("bert-base-uncased", "cls")
    assert (paper.model.max_tokens, paper.model.read_limit) == (128, 512)
    assert paper.model.min_frame_count == 5
    assert (paper.pairs.weight, paper.distill.weight, paper.graded.weight, paper.foils.share) == (0, 0, 0, 0)
    assert paper.counted(275_601).steps == 999 * 539


@pytest.mark.parametrize(
    ("number", "changed"),
    [
        (1, {"languages": {"en": 1.0}}),
        (2, {}),  # its corpus differs: parsed by a parser that never saw French
        (3, {"languages": dict.fromkeys(sorted(PAPER - {"fr", "ar"}), 1.0)}),
        (4, {"english_text": 0.0}),
        (5, {}),
    ],
)
def test_variants_are_the_paper_recipe_but_for_one_thing(number: int, changed: dict[str, object]) -> None:
    variant = dataclasses.asdict(load_recipe(Recipe, RECIPES, f"variant-{number}", []))
    paper = dataclasses.asdict(load_recipe(Recipe, RECIPES, "paper", []))
    assert {key: value for key, value in variant.items() if value != paper[key]} == changed


def test_epochs_are_passes_over_the_triplets(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    ended = train(corpus, tmp_path / "out", dataclasses.replace(recipe, epochs=1), "cpu")
    assert ended.finished and ended.steps == 6  # 24 triplets, four a step
    (empty := shutil.copytree(corpus, tmp_path / "corpus")).joinpath("triplets.jsonl").unlink()
    with pytest.raises(OptionError, match="'epochs' counts passes over triplets"):
        train(empty, tmp_path / "none", dataclasses.replace(recipe, epochs=1), "cpu")


def rewritten(corpus: Path, folder: Path) -> Path:
    """The same corpus in the pointer form."""
    shutil.copytree(corpus, folder)
    for stem in ("parses", "dev_parses"):
        rows = [json.loads(line) for line in (folder / f"{stem}.jsonl").read_text().splitlines()]
        for row in rows:
            graph = penman.decode(named(row["tokens"]))
            row["tokens"] = join_tokens(linearize(graph, form="pointer"))
        (folder / f"{stem}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def named(tokens: str) -> str:
    """Give every node of a linearization without re-entrancy a variable."""
    words = tokens.split()
    return " ".join(f"(v{i} /" if word == "(" else word for i, word in enumerate(words))


GRAPH = "(s / see-01 :ARG0 (d / dog) :ARG1 (b / bird :poss d))"
OTHER = "(s / see-01 :ARG0 (d / dog) :ARG1 (b / bird :poss (d2 / dog)))"


def test_pointer_tokens_tell_one_dog_from_two(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    pointers = dataclasses.replace(recipe, steps=1, model=dataclasses.replace(recipe.model, form="pointer"))
    train(rewritten(corpus, tmp_path / "corpus"), tmp_path / "pointer", pointers, "cpu")
    train(corpus, tmp_path / "paper", dataclasses.replace(recipe, steps=1), "cpu")
    graphs = [penman.decode(GRAPH), penman.decode(OTHER)]
    one, two = load_encoder(tmp_path / "paper").encode_graphs(graphs)
    assert np.allclose(one, two, atol=1e-6)
    encoder = load_encoder(tmp_path / "pointer")
    one, two = encoder.encode_graphs(graphs)
    assert not np.allclose(one, two, atol=1e-4)
    assert np.array_equal(
        encoder.encode_tokens([linearize(graph, form="pointer") for graph in graphs]), np.stack([one, two])
    )
    vocabulary = json.loads((tmp_path / "pointer" / "tokenizer.json").read_text())["added_tokens"]
    assert {"<0>", "<1>", "<2>"} <= {token["content"] for token in vocabulary}


def test_a_corpus_of_the_other_form_is_named(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    pointers = dataclasses.replace(recipe, model=dataclasses.replace(recipe.model, form="pointer"))
    with pytest.raises(InputError, match=r"parses\.jsonl:1: field 'tokens': is not in the pointer form"):
        train(corpus, tmp_path / "a", pointers, "cpu")
    with pytest.raises(InputError, match="is not in the paper form .* amrx gather --form"):
        train(rewritten(corpus, tmp_path / "corpus"), tmp_path / "b", recipe, "cpu")


def test_relations_and_frames_come_from_a_sembank(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    """Cai et al. 2022, section 4.1: those with five uses in the sembank, not in the training parses."""
    graphs = "(b / bark-01 :ARG2 (x / dog))\n\n" * 5 + "(s / see-01 :manner (x / dog))\n\n" * 4
    (tmp_path / "bank.txt").write_text(graphs)
    assert main(["vocabulary", str(tmp_path / "bank.txt"), "-o", str(tmp_path / "v.json")]) == 0
    for storage, file in (("from-file", str(tmp_path / "v.json")), ("from-parses", None)):
        part = dataclasses.replace(recipe.model, vocabulary=file)
        train(corpus, tmp_path / storage, dataclasses.replace(recipe, steps=1, model=part), "cpu")
    added = {
        name: {
            token["content"]
            for token in json.loads((tmp_path / name / "tokenizer.json").read_text())["added_tokens"]
            if not token["content"].startswith("[")
        }
        for name in ("from-file", "from-parses")
    }
    assert {"bark-01", ":ARG2", ":ARG2-of", ":polarity"} <= added["from-file"]
    assert not {"see-01", ":manner", ":mod"} & added["from-file"]
    assert {"see-01", ":mod"} <= added["from-parses"] and "bark-01" not in added["from-parses"]


def test_a_vocabulary_that_cannot_be_used_is_named(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    part = dataclasses.replace(recipe.model, vocabulary=str(tmp_path / "none.json"))
    with pytest.raises(InputError, match=r"none\.json: no such file"):
        train(corpus, tmp_path / "out", dataclasses.replace(recipe, model=part), "cpu")


def test_a_cut_corpus_is_counted(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    log: list[dict[str, object]] = []
    short = dataclasses.replace(recipe, steps=1, model=dataclasses.replace(recipe.model, max_tokens=14))
    train(corpus, tmp_path, short, "cpu", report=lambda line: log.append(dict(line)))
    assert 0 < log[0]["cut"] <= 72


def test_a_backbone_as_the_hub_has_it(backbone, tmp_path, monkeypatch):
    """bert-base-uncased: names of a whole BERT before every array, gamma and beta, a head beside it."""
    import torch

    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(MissingResourceError, match="hf download bert-base-uncased"):
        find_backbone("bert-base-uncased")
    repository = tmp_path / "models--bert-base-uncased"
    snapshot = repository / "snapshots" / "abc"
    shutil.copytree(backbone, snapshot)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc")
    _, plain = load_backbone(str(backbone))

    def old(name: str) -> str:
        return name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")

    state = {f"bert.{old(name)}": value for name, value in plain.state_dict().items()}
    write_weights(snapshot / "model.safetensors", state | {"cls.predictions.bias": torch.zeros(3)})
    _, loaded = load_backbone("bert-base-uncased")
    assert all(torch.equal(value, plain.state_dict()[name]) for name, value in loaded.state_dict().items())


def test_patience_ends_a_run_and_stays_ended(corpus: Path, recipe: Recipe, tmp_path: Path) -> None:
    """At rate 0 no look after the first is better, so two more looks end the run."""
    still = dataclasses.replace(
        recipe, steps=50, warmup=0, learning_rate=0.0, evaluate_every=1, checkpoint_every=50, patience=2
    )
    ended = train(corpus, tmp_path, still, "cpu")
    assert (ended.finished, ended.steps, ended.best_step) == (True, 3, 1)
    assert train(corpus, tmp_path, still, "cpu") == ended
