"""retrofit.training.amr.edits: the same change of meaning in two graphs of one sentence."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.records.json_lines import read_objects
from retrofit.training.amr.edits import KINDS, Editor, another_number, parts
from retrofit.training.amr.losses import edit_loss
from retrofit.training.amr.recipe import Contrast, Edits, Recipe
from retrofit.training.amr.train import set_up, train
from tests.support.amr_toys import backbone, corpus, recipe

__all__ = ["backbone", "corpus", "recipe"]

ENGLISH = (
    "( contrast-01 :ARG1 ( increase-01 :ARG0 ( shop ) :ARG1 ( price :quant 40 ) ) "
    ":ARG2 ( want-01 :ARG0 ( person :name ( name :op1 Mary ) ) :ARG1 ( it ) :polarity - ) )"
).split()
GERMAN = (
    "( contrast-01 :ARG2 ( want-01 :polarity - :ARG1 ( it ) :ARG0 ( person :name ( name :op1 Mary ) ) ) "
    ":ARG1 ( increase-01 :ARG1 ( price :mod ( new ) :quant 40 ) :ARG0 ( shop ) ) )"
).split()


def editor(*more: str) -> Editor:
    words = list(dict.fromkeys([*ENGLISH, *GERMAN, *more]))
    return Editor(words, [1] * len(words))


def changed(kind: str, *more: str) -> set[tuple[str, str]]:
    made = [editor(*more).change(ENGLISH, GERMAN, [kind], np.random.default_rng(s)) for s in range(40)]
    return {(" ".join(one), " ".join(other)) for one, other in filter(None, made)}


def negated(graph: str) -> frozenset[str]:
    return frozenset(part.parent for part in parts(graph.split()) if part.role == ":polarity")


def swapped(tokens: list[str], one: str, other: str) -> str:
    return " ".join({one: other, other: one}.get(token, token) for token in tokens)


def test_an_exchange_takes_two_concepts_of_both_graphs_and_no_description():
    pairs = [("shop", "price"), ("it", "shop"), ("it", "price")]
    assert changed("exchange") == {(swapped(ENGLISH, *pair), swapped(GERMAN, *pair)) for pair in pairs}


def test_operands_in_another_order_are_no_change():
    both = "( and :op1 ( dog ) :op2 ( cat ) )".split()
    assert editor().change(both, both, ["exchange"], np.random.default_rng(0)) is None


def test_a_negation_is_added_to_one_frame_or_taken_away_in_both_graphs():
    both = [tuple(map(negated, pair)) for pair in changed("polarity")]
    assert all(one == other for one, other in both)
    others = [{"want-01", "contrast-01"}, {"want-01", "increase-01"}]
    assert {one for one, _ in both} == {frozenset(), *map(frozenset, others)}


def test_a_frame_that_one_side_alone_negates_is_left():
    plain = [token for token in GERMAN if token not in (":polarity", "-")]
    for seed in range(20):
        one, other = editor().change(ENGLISH, plain, ["polarity"], np.random.default_rng(seed))
        assert one.count("-") == 2 and other.count("-") == 1


def test_an_opposite_is_the_usual_concept_of_the_corpus():
    words = [*ENGLISH, "decrease-01", "decrease-02"]
    chosen = Editor(words, [1] * (len(words) - 1) + [5])
    for seed in range(5):
        made = chosen.change(ENGLISH, GERMAN, ["antonym"], np.random.default_rng(seed))
        assert made == tuple(
            ["decrease-02" if token == "increase-01" else token for token in side]
            for side in (ENGLISH, GERMAN)
        )
    assert editor().change(ENGLISH, GERMAN, ["antonym"], np.random.default_rng(0)) is None


def test_numbers_and_names_become_others_on_both_sides():
    for kind, old in (("amount", "40"), ("name", "Mary")):
        for one, other in changed(kind, "Peter"):
            new = (set(one.split()) - set(ENGLISH)) | ({"Peter"} & set(one.split()))
            assert old not in one.split() and old not in other.split()
            assert new <= set(other.split())


@pytest.mark.parametrize("number", ["7", "40", "1250", "3.5", "0", "11"])
def test_another_number_has_as_many_digits_and_differs(number):
    for seed in range(30):
        other = another_number(number, np.random.default_rng(seed))
        assert other != number and len(other) == len(number)
        assert not (number[0] != "0" and other[0] == "0")


def test_parts_of_a_graph_and_of_text():
    found = {(ENGLISH[p.place], p.role, p.parent, p.constant) for p in parts(ENGLISH)}
    assert ("Mary", ":op", "name", True) in found and ("shop", ":ARG0", "increase-01", False) in found
    assert list(parts("the shop is closed".split())) == []
    assert editor().change(["the", "shop"], ["the", "shop"], KINDS, np.random.default_rng(0)) is None


def test_the_loss_is_eq_1_on_the_similarity_of_use():
    count, weight, kept, temperature = 3, 1.5, 0.9, 0.07
    random = torch.Generator().manual_seed(0)
    vectors = torch.randn(4 * count, 5, generator=random, dtype=torch.float64)
    base = torch.randn(2 * count, 4, generator=random, dtype=torch.float64)

    def cosine(x: torch.Tensor, y: torch.Tensor) -> float:
        return float(x @ y / (x.norm() * y.norm()))

    def similarity(i: int, j: int) -> float:
        (meaning, one), (other_meaning, other) = ((k % count, k >= 2 * count) for k in (i, j))
        b = cosine(base[i % (2 * count)], base[j % (2 * count)])
        if meaning == other_meaning and one != other:
            b *= kept
        return (b + weight**2 * cosine(vectors[i], vectors[j])) / (1 + weight**2)

    terms = []
    for i in range(4 * count):
        partner = i + count if i // count % 2 == 0 else i - count
        scores = {j: np.exp(similarity(i, j) / temperature) for j in range(4 * count) if j != i}
        terms.append(-np.log(scores[partner] / sum(scores.values())))
    loss = edit_loss(vectors, base, weight=weight, base_kept=kept, temperature=temperature)
    assert float(loss) == pytest.approx(np.mean(terms), abs=1e-10)


def edits_only(recipe: Recipe) -> Recipe:
    off = {name: Contrast() for name in ("nli", "pairs", "graded")}
    still = dataclasses.replace(recipe.distill, weight=0.0)
    foils = dataclasses.replace(recipe.foils, weight=0.0, share=0.0)
    part = Edits(weight=1.0, batch=6, base="muse")
    return dataclasses.replace(recipe, **off, distill=still, foils=foils, edits=part)


def test_a_step_holds_both_graphs_of_a_meaning_and_both_changed(corpus: Path, recipe: Recipe, tmp_path: Path):
    ready = set_up(corpus, tmp_path, edits_only(recipe), "cpu")
    plan = ready.objectives.plan(3)
    count = len(plan.edited) // 2
    assert count > 0 and len(plan.foils) == 2 * count
    rows = ready.prepared.rows
    for place in range(count):
        pair = plan.edited[[place, count + place]]
        assert {ready.corpus.sources[row][1] for row in pair} == {"en", "de"}
        assert ready.corpus.sources[pair[0]][0] == ready.corpus.sources[pair[1]][0]
        for side in range(2):
            assert plan.foils[side * count + place] != rows.row(int(pair[side])).tolist()
    texts = [str(record.get("text").value) for record in read_objects(corpus / "sentences.jsonl")]
    assert [text for text, _ in ready.corpus.sources] == texts


def test_a_run_learns_to_tell_changes_and_resumes(corpus: Path, recipe: Recipe, tmp_path: Path):
    run = dataclasses.replace(edits_only(recipe), steps=30, checkpoint_every=5)
    lines: list[dict] = []
    assert train(corpus, tmp_path / "whole", run, "cpu", report=lines.append).finished
    losses = [line["edits"] for line in lines if "edits" in line]
    assert losses[-1] < losses[0]
    assert not train(corpus, tmp_path / "stopped", run, "cpu", time_limit=0.0).finished
    assert train(corpus, tmp_path / "stopped", run, "cpu").finished
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "stopped")]
    assert weights[0] == weights[1]
