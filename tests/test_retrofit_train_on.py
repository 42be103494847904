"""An AMR encoder's folder as the backbone of a training: it goes on from those weights."""

import dataclasses
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError
from retrofit.amr.backbone import load_backbone
from retrofit.amr.encoder import AmrEncoder, load_encoder
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.train import set_up, train
from tests.support.amr_toys import backbone, corpus, recipe

__all__ = ["backbone", "corpus", "recipe"]
GRAPHS = ["( see-01 :ARG0 ( dog ) )", "( see-01 :ARG1 ( owl :mod ( wild ) ) )"]


@pytest.fixture
def other(corpus: Path, tmp_path: Path) -> Path:
    """The corpus again, as another parser would have written it: with a frame and a relation more."""
    folder = tmp_path / "other"
    shutil.copytree(corpus, folder)
    lines = [json.loads(line) for line in (folder / "parses.jsonl").read_text().splitlines()]
    lines[0]["tokens"] = "( spot-01 :ARG0 ( dog ) :location ( see-01 ) )"
    (folder / "parses.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def part(recipe: Recipe, **changes: object) -> Recipe:
    return dataclasses.replace(recipe, model=dataclasses.replace(recipe.model, **changes))


@pytest.mark.parametrize("storage", ["float32", "int8"])
def test_training_begins_with_the_encoders_weights_and_its_vocabulary_grows(
    corpus: Path, other: Path, recipe: Recipe, tmp_path: Path, storage: str
):
    first = tmp_path / "first"
    train(corpus, first, part(recipe, storage=storage), "cpu")
    trained = load_encoder(first)
    ready = set_up(other, tmp_path / "second", part(recipe, backbone=str(first)), "cpu")
    begun = AmrEncoder(ready.model, ready.prepared.tokenizer, max_tokens=32)
    np.testing.assert_allclose(begun.encode_tokens(GRAPHS), trained.encode_tokens(GRAPHS), atol=1e-6)
    old = load_backbone(str(first))[0].get_vocab()
    new = ready.prepared.tokenizer.get_vocab(with_added_tokens=True)
    assert set(new) - set(old) == {"spot-01", ":location", ":location-of"}
    assert {token: new[token] for token in old} == old


def test_what_it_becomes_is_an_encoder_of_the_new_corpus(corpus, other, recipe, tmp_path):
    train(corpus, tmp_path / "first", recipe, "cpu")
    train(other, tmp_path / "second", part(recipe, backbone=str(tmp_path / "first")), "cpu")
    first, second = load_encoder(tmp_path / "first"), load_encoder(tmp_path / "second")
    assert not np.allclose(first.encode_tokens(GRAPHS), second.encode_tokens(GRAPHS), atol=1e-4)


@pytest.mark.parametrize("text", ["{", "[]", '{"backbone": {"hidden_size": 16}}'])
def test_a_damaged_config_is_told(corpus: Path, recipe: Recipe, tmp_path: Path, text: str):
    train(corpus, tmp_path / "first", recipe, "cpu")
    (tmp_path / "first" / "config.json").write_text(text)
    with pytest.raises(InputError, match=r"config\.json.*is not a model's config"):
        load_backbone(str(tmp_path / "first"))
