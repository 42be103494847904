"""VMSST's ablations of a part for each language, sentence by sentence against the parts themselves."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from amrx.errors import OptionError
from retrofit.training.bases.backbone import tokenize
from retrofit.training.bases.recipe import Backbone, Scratch
from retrofit.training.bases.vmsst.network import build_semantic, states_of
from retrofit.training.bases.vmsst.objective import build_objective
from retrofit.training.bases.vmsst.recipe import Decoder, Latents, Recipe
from tests.support.training_toys import PAIRS

SMALL = Scratch(kind="mt5", pieces=3000, width=8, layers=1, heads=2, dropout=0.0)
RECIPE = Recipe(
    batch=2, elbo=0.3, decoder=Decoder(layers=1, per_language=True),
    latents=Latents(width=6, kl_warmup=0, encoders=0),
    backbone=Backbone(start="scratch", pooling="mean", max_tokens=12, scratch=SMALL),
)  # fmt: skip
LANGUAGES = (2, 0)
"""Numbers of the two sides; of three languages, 1 has no sentence in the batch."""


def made(recipe: Recipe):
    objective = build_objective(build_semantic(recipe), recipe, 3).eval()
    features = tokenize(objective.encoder, [row[side] for side in (0, 1) for row in PAIRS[:3]])
    return objective, {**features, "language": torch.tensor([LANGUAGES[side] for side in (0, 1)] * 3)}


@pytest.mark.parametrize("encoders", [0, 2, 3])
def test_each_language_is_read_by_its_own_encoder(encoders: int):
    objective, column = made(replace(RECIPE, latents=replace(RECIPE.latents, encoders=encoders)))
    expected = objective.language.which.tolist()
    assert expected == [0, 1, 2] or (encoders == 2 and sorted(expected) == [0, 0, 1])
    model, language = states_of(objective.encoder), column.pop("language")
    both = objective.language(model, column, language)
    for row, number in enumerate(language.tolist()):
        own = objective.language.each[expected[number]]
        alone = own(model, {name: value[row : row + 1] for name, value in column.items()}, language[[row]])
        for together, single in zip(both, alone, strict=True):
            torch.testing.assert_close(together[[row]], single, rtol=1e-5, atol=1e-6)


def test_languages_are_allocated_to_four_encoders_at_random():
    """Section 7, VMSST (4 enc.): "We allocate the languages randomly to the different encoders"."""
    four = replace(RECIPE, latents=replace(RECIPE.latents, encoders=4), decoder=Decoder(layers=1))
    drawn = [
        build_objective(build_semantic(recipe), recipe, 12).language.which.tolist()
        for recipe in (four, four, replace(four, seed=1))
    ]
    assert drawn[0] == drawn[1] != drawn[2]  # it follows from the seed
    assert all(sorted(numbers) == sorted([0, 1, 2, 3] * 3) for numbers in drawn)
    assert drawn[0] != [0, 1, 2, 3] * 3


def test_each_language_is_written_by_its_own_decoder():
    objective, column = made(RECIPE)
    table, language = states_of(objective.encoder).get_input_embeddings(), column["language"]
    z = torch.randn(6, 12, generator=torch.Generator().manual_seed(0))
    given = column["input_ids"], column["attention_mask"].bool(), language, z
    total = objective.decoder(table, *given)
    parts = [
        objective.decoder.each[number](table, *(value[[row]] for value in given))
        for row, number in enumerate(language.tolist())
    ]
    torch.testing.assert_close(total, sum(parts), rtol=1e-5, atol=1e-4)
    swapped = (*given[:2], 2 - language, z)  # 0 and 2 in each other's place
    assert abs(objective.decoder(table, *swapped) - total) > 1e-3


def test_every_part_has_a_gradient_and_that_of_a_language_that_is_not_there_is_zero():
    objective, column = made(RECIPE)
    torch.manual_seed(0)
    terms = objective({"pairs": column}, 0)
    terms["total"].backward()
    sizes = {name: p.grad.abs().sum().item() for name, p in objective.named_parameters()}
    for part in ("language", "decoder"):
        of = {
            number: [size for name, size in sizes.items() if name.startswith(f"{part}.each.{number}.")]
            for number in range(3)
        }
        assert len(of[0]) == len(of[1]) == len(of[2]) > 5
        assert max(of[1]) == 0 < min(max(of[0]), max(of[2]))
    assert all(torch.isfinite(term) for term in terms.values())


def test_one_encoder_for_all_is_not_several():
    with pytest.raises(OptionError, match="'latents.encoders' must be 1 with latents.one_encoder, got 4"):
        Latents(one_encoder=True, encoders=4)
