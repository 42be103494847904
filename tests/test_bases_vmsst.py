"""VMSST's terms and gradients against a slow float64 reference written from the equations."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from amrx.errors import InputError, OptionError
from retrofit.training.bases.backbone import _write_scratch, build_encoder, tokenize
from retrofit.training.bases.recipe import Backbone, Scratch
from retrofit.training.bases.vmsst.network import build_decoder, build_semantic, states_of
from retrofit.training.bases.vmsst.objective import build_objective
from retrofit.training.bases.vmsst.recipe import Decoder, Latents, Recipe
from tests.support.training_toys import PAIRS
from tests.support.vmsst_reference import Reference

SMALL = Scratch(kind="mt5", pieces=120, width=8, layers=1, heads=2, dropout=0.0)
BACKBONE = Backbone(start="scratch", pooling="mean", max_tokens=9, scratch=SMALL)
RECIPE = Recipe(
    batch=2, elbo=0.3, backbone=BACKBONE, latents=Latents(width=6, kl_warmup=4), decoder=Decoder(layers=2)
)
ROWS, LANGUAGES = PAIRS[:3], (2, 0)


@pytest.fixture(autouse=True)
def exact_norm(monkeypatch: pytest.MonkeyPatch) -> None:
    """mT5's norm computes in float32 whatever it is given; here it must not."""
    from transformers.models.mt5.modeling_mt5 import MT5LayerNorm

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        variance = states.square().mean(dim=-1, keepdim=True)
        return self.weight * states * torch.rsqrt(variance + self.variance_epsilon)

    monkeypatch.setattr(MT5LayerNorm, "forward", forward)


def made(recipe: Recipe):
    """An objective in float64 and a batch of three pairs of unequal length."""
    objective = build_objective(build_semantic(recipe), recipe, 3).double().eval()
    features = tokenize(objective.encoder, [row[side] for side in (0, 1) for row in ROWS])
    numbers = torch.tensor([LANGUAGES[side] for side in (0, 1) for _ in ROWS])
    return objective, {"pairs": {**features, "language": numbers}}


def reference_of(objective, batch) -> Reference:
    column = batch["pairs"]
    ids = [
        row[mask.bool()].tolist()
        for row, mask in zip(column["input_ids"], column["attention_mask"], strict=True)
    ]
    assert len({len(row) for row in ids}) > 1  # some are padded
    return Reference(objective, ids[:3], ids[3:], LANGUAGES)


def gradients(objective, total: torch.Tensor) -> dict[str, torch.Tensor]:
    objective.zero_grad()
    total.backward()
    return {name: p.grad.clone() for name, p in objective.named_parameters() if p.grad is not None}


def agree(objective, found: dict[str, torch.Tensor], wanted: dict[str, torch.Tensor]) -> None:
    """Every term, and the gradient of the total by every parameter; and that all are trained."""
    assert found.keys() == wanted.keys()
    for name in wanted:
        assert found[name].item() == pytest.approx(wanted[name].item(), rel=1e-9), name
    ours, theirs = gradients(objective, found["total"]), gradients(objective, wanted["total"])
    assert ours.keys() == theirs.keys() == dict(objective.named_parameters()).keys()
    for name in theirs:
        torch.testing.assert_close(ours[name], theirs[name], rtol=1e-7, atol=1e-10, msg=name)


@pytest.mark.parametrize(
    "recipe",
    [
        RECIPE,
        replace(
            RECIPE,
            contrast=0.7,
            vmsst=0.2,
            similarity="cosine",
            temperature=0.05,
            decoder=Decoder(layers=1, factored=True),
        ),
        replace(RECIPE, contrast=1.0, vmsst=5e-4, decoder=Decoder(layers=1)),
        replace(RECIPE, latents=Latents(width=6, kl=False, one_encoder=True)),
        replace(
            RECIPE, latents=Latents(width=6, languages=False), decoder=Decoder(layers=1, languages=False)
        ),
    ],
    ids=["plain", "contrast-factored", "vmsst-contrastive", "no-kl-one-encoder", "no-languages"],
)
def test_vmsst_is_what_the_equations_say(recipe: Recipe):
    objective, batch = made(recipe)
    torch.manual_seed(0)
    semantic, language = torch.randn(3, 6, dtype=torch.float64), torch.randn(6, 6, dtype=torch.float64)
    weight = recipe.latents.kl_weight(2)
    found = objective.terms(objective.read(batch), semantic, language, weight)
    slow = reference_of(objective, batch)
    reconstruction, kl = slow.bound(semantic, language)
    wanted = {"translation": slow.translation(), "reconstruction": reconstruction, "kl": kl}
    own = wanted["translation"] + recipe.elbo * (reconstruction + weight * kl)
    wanted["total"] = recipe.vmsst * own
    if recipe.contrast:
        wanted["contrast"] = slow.contrast(recipe.temperature, dot=recipe.similarity == "dot")
        wanted["total"] = wanted["total"] + recipe.contrast * wanted["contrast"]
    agree(objective, found, wanted)


def test_the_baselines_are_what_the_equations_say():
    objective, batch = made(replace(RECIPE, method="bitranslation"))
    wanted = reference_of(objective, batch).translation()
    agree(objective, objective(batch, 0), {"translation": wanted, "total": wanted})
    objective, batch = made(replace(RECIPE, method="contrastive"))
    wanted = reference_of(objective, batch).contrast(1.0, dot=True)
    agree(objective, objective(batch, 0), {"contrast": wanted, "total": wanted})


def test_contrastive_is_section_6_3_by_hand():
    """p(s|t) = exp(s·t) / Σ_j exp(s_i·t_j), p(t|s) = exp(s·t) / Σ_j exp(t_i·s_j), -1/(2|B|) Σ of the logs."""
    objective, _ = made(replace(RECIPE, method="contrastive"))
    s, t = [(1.0, 2.0), (0.5, -1.0)], [(2.0, 0.0), (0.0, -3.0)]
    e = math.exp
    dots = [[2.0, -6.0], [1.0, 3.0]]  # s_i·t_j
    assert dots == [[a * c + b * d for c, d in t] for a, b in s]
    both = [
        e(2) / (e(2) + e(-6)) * (e(2) / (e(2) + e(1))),  # i = 1: over all t, then over all s
        e(3) / (e(1) + e(3)) * (e(3) / (e(-6) + e(3))),
    ]
    wanted = -sum(math.log(value) for value in both) / 4
    vectors = torch.tensor([*s, *t], dtype=torch.float64)
    assert objective.contrast(vectors).item() == pytest.approx(wanted, rel=1e-12)
    assert objective.contrast(2 * vectors).item() != pytest.approx(wanted, rel=0.1)  # no cosine


@pytest.mark.parametrize("method", ["contrastive", "vmsst"])
@pytest.mark.parametrize("dropout", [0.0, 0.5, None])
def test_the_dropout_of_a_pretrained_start_is_the_recipes(mt5: Path, tmp_path: Path, method: str, dropout):
    """Section 6.4: 0.1 for Contrastive, none for VMSST, whatever the model was pretrained with (here 0.3)."""
    for file in mt5.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    config = json.loads((tmp_path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"dropout_rate": 0.3}))
    recipe = started_from(tmp_path)
    recipe = replace(recipe, method=method, backbone=replace(recipe.backbone, dropout=dropout))
    objective, batch = made(recipe)
    drops = {module.p for module in objective.modules() if isinstance(module, torch.nn.Dropout)}
    assert drops == {0.3 if dropout is None else dropout}
    objective.train()
    terms = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        terms.append(objective(batch, 0)["contrast" if method == "contrastive" else "translation"].item())
    assert (terms[0] == terms[1]) == (dropout == 0.0)


def test_the_dropout_of_a_model_that_has_none_is_refused(mt5: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("retrofit.training.bases.backbone.DROPOUT", ("pause",))
    recipe = started_from(mt5)
    with pytest.raises(OptionError, match=r"'backbone.dropout' is set, but the model in .* has no dropout"):
        made(replace(recipe, backbone=replace(recipe.backbone, dropout=0.1)))


def test_the_dropout_of_other_starts_is_the_recipes_too():
    for kind in ("bert", "mt5"):
        backbone = replace(BACKBONE, scratch=replace(SMALL, kind=kind, dropout=0.2), dropout=0.4)
        objective, _ = made(replace(RECIPE, backbone=backbone))
        assert {one.p for one in objective.modules() if isinstance(one, torch.nn.Dropout)} == {0.4}
        config = objective.encoder[0].model.config.to_dict()
        assert ("dropout_rate" in config, "hidden_dropout_prob" in config) == (kind == "mt5", kind == "bert")
    with pytest.raises(OptionError, match=r"'backbone.dropout' must lie in 0..1, got 1"):
        Backbone(dropout=1)


def test_a_step_draws_its_noise_and_its_kl_weight_rises():
    objective, batch = made(RECIPE)
    steps = []
    for step in (0, 2, 4):
        torch.manual_seed(1)
        steps.append(objective(batch, step))
    torch.manual_seed(2)
    other = objective(batch, 0)
    assert other["reconstruction"] != steps[0]["reconstruction"]
    assert other["kl"] == steps[0]["kl"] and other["translation"] == steps[0]["translation"]
    for terms, weight in zip(steps, (0.0, 0.5, 1.0), strict=True):
        bound = steps[0]["reconstruction"] + weight * steps[0]["kl"]
        assert terms["total"].item() == pytest.approx((terms["translation"] + 0.3 * bound).item(), rel=1e-12)


@pytest.mark.parametrize("kind", ["mt5", "bert"])
def test_padding_changes_nothing(kind):
    scratch = replace(SMALL, kind=kind, pieces=3000)
    backbone = replace(BACKBONE, scratch=scratch, max_tokens=30)
    objective, batch = made(replace(RECIPE, backbone=backbone, contrast=1.0))
    column = batch["pairs"]
    padded = {
        name: torch.nn.functional.pad(column[name], (0, 4), value=fill)
        for name, fill in (("input_ids", 3), ("attention_mask", 0))
    }
    terms = []
    for more in ({}, padded):
        torch.manual_seed(0)
        terms.append(objective({"pairs": column | more}, 4))
    for name in terms[0]:
        assert terms[0][name].item() == pytest.approx(terms[1][name].item(), rel=1e-12), name
    encoder = objective.encoder.float()
    texts = [text for pair in PAIRS for text in pair]
    together = torch.tensor(encoder.encode(texts, batch_size=24))
    alone = torch.tensor(encoder.encode(texts, batch_size=1))
    torch.testing.assert_close(together, alone, rtol=1e-5, atol=1e-6)


@pytest.fixture(scope="module")
def mt5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny mT5 as the published ones are: one table of pieces, and an output layer of its own."""
    from transformers import MT5Config, MT5ForConditionalGeneration

    folder = tmp_path_factory.mktemp("mt5")
    _write_scratch(folder, SMALL, 9)  # for its tokenizer
    config = MT5Config(
        vocab_size=120, d_model=8, d_kv=4, num_heads=2, d_ff=10, num_layers=1, num_decoder_layers=3,
        dropout_rate=0.0, pad_token_id=3,
    )  # fmt: skip
    config.tie_word_embeddings = False
    torch.manual_seed(0)
    model = MT5ForConditionalGeneration(config)
    model.set_input_embeddings(model.shared)
    model.save_pretrained(folder)
    return folder


def started_from(folder: Path, layers: int = 2) -> Recipe:
    backbone = Backbone(start="pretrained", name=str(folder), pooling="mean", max_tokens=9)
    return replace(RECIPE, backbone=backbone, decoder=Decoder(layers=layers))


def test_a_pretrained_start_keeps_the_weights_and_the_output_layer(mt5: Path):
    from safetensors.torch import load_file

    objective, _ = made(started_from(mt5))
    saved = load_file(mt5 / "model.safetensors")
    have = {name: value.float() for name, value in objective.state_dict().items()}
    assert not torch.equal(saved["lm_head.weight"], saved["shared.weight"])
    assert torch.equal(have["decoder.head.weight"], saved["lm_head.weight"])
    table = states_of(objective.encoder).get_input_embeddings().weight
    assert torch.equal(table.float(), saved["shared.weight"])
    for name, value in saved.items():
        crossing = name.startswith("decoder") and ".layer.1." in name
        if crossing or name.startswith("decoder.block.2."):
            continue
        kind, _, rest = name.partition(".block.")
        places = {
            "encoder": [f"encoder.0.model.{name}", f"language.own.{name}"],
            "decoder": [f"decoder.stack.block.{rest}"],
        }.get(kind, [])
        for place in places:
            assert torch.equal(have[place], value), place
    assert len(objective.decoder.stack.block) == 2
    # only the table of pieces is shared
    owners = [name for name, p in objective.named_parameters(remove_duplicate=False) if p is table]
    assert all(name.startswith("encoder.0.model.") for name in owners)


def test_a_start_that_does_not_fit_is_refused_in_one_line(mt5: Path, tmp_path: Path):
    from safetensors.torch import load_file, save_file

    with pytest.raises(OptionError, match=r"'decoder.layers' is 4, but .* has 3"):
        made(started_from(mt5, layers=4))
    for file in mt5.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    weights = load_file(mt5 / "model.safetensors")
    del weights["lm_head.weight"]
    save_file(weights, tmp_path / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(InputError, match=r"lacks 1 arrays of the model, lm_head\.weight first"):
        made(started_from(tmp_path))
    _write_scratch(tmp_path, replace(SMALL, kind="bert"), 9)
    recipe = started_from(tmp_path)
    with pytest.raises(InputError, match="is bert; the decoder is started from mt5"):
        build_decoder(states_of(build_semantic(recipe)), 12, 3, recipe)


@pytest.mark.parametrize("factored", [False, True])
def test_a_table_of_multilingual_use_starts_both_ends(factored: bool):
    """μ_sem is the mean of the states to begin with, and the output layer looks along the embeddings."""
    known = replace(BACKBONE, scratch=replace(SMALL, table="muse"))
    recipe = replace(RECIPE, backbone=known, latents=Latents(), decoder=Decoder(layers=1, factored=factored))
    encoder = build_semantic(recipe)
    plain = build_encoder(known, recipe.seed).encode(["Der Junge will gehen."], convert_to_tensor=True)
    torch.testing.assert_close(encoder.encode(["Der Junge will gehen."], convert_to_tensor=True), plain)
    table = states_of(encoder).get_input_embeddings().weight.detach()
    decoder = build_decoder(states_of(encoder), 2 * 8, 3, recipe)
    wanted = table / table.std() / 8**0.5
    torch.testing.assert_close(decoder.head.weight.detach(), wanted)
    assert (decoder.beside is None) == factored
    if decoder.beside is not None:
        torch.testing.assert_close(decoder.beside.weight.detach(), torch.cat([wanted, 0 * wanted], dim=1))
    narrow = build_decoder(states_of(encoder), 4, 3, recipe)
    assert narrow.beside is None or not narrow.beside.weight.any()
