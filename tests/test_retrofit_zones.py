import dataclasses
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models

from amrx.errors import OptionError
from linearize import linearize
from parser.training.corpora.sembanks import bamboo_pairs
from retrofit.amr.encoder import AmrEncoder, load_encoder, save_encoder
from retrofit.amr.model import AmrModel
from retrofit.amr.pieces import tokenize_words
from retrofit.amr.zones import SPREAD, TYPES, Zones, add_zones
from retrofit.training.amr.train import set_up
from tests.support.amr_toys import backbone, corpus, recipe

__all__ = ["backbone", "corpus", "recipe"]

NESTED = (
    "( bite-01 :ARG0 ( dog ) :ARG1 ( man :mod ( old ) :ARG0-of ( work-01 :polarity - ) ) :time ( night ) )"
)


def placed(*graphs: list[str]) -> list[list[tuple[int, int]]]:
    """Return type and parent of every word of graphs, over a vocabulary of their own words."""
    words = {word: number for number, word in enumerate(["[PAD]", *{w for graph in graphs for w in graph}])}
    ids = np.zeros((len(graphs), max(map(len, graphs)) + 2), dtype=np.int32)
    for row, graph in enumerate(graphs):
        ids[row, 1 : len(graph) + 1] = [words[word] for word in graph]  # after [CLS]
    zones, parents = Zones(Tokenizer(models.WordLevel(words, unk_token="[PAD]"))).places(ids)
    return [
        list(zip(zones[row].tolist(), parents[row].tolist(), strict=True))[1 : len(graph) + 1]
        for row, graph in enumerate(graphs)
    ]


def zoned(*graphs: list[str]) -> list[list[int]]:
    return [[zone for zone, _ in words] for words in placed(*graphs)]


def slowly(graph: list[str]) -> list[tuple[int, int]]:
    """Return types and parents by recursion over the nodes, as the law is written."""
    found: list[tuple[int, int]] = []
    place = 0

    def node(zone: int, above: int) -> None:
        nonlocal place
        found.append((zone, above))  # (
        place += 1
        head = place + 1  # the place of the concept, with [CLS] before the graph
        role, parent = zone, above
        while graph[place] != ")":
            word = graph[place]
            if word == "(":
                node(role, head)
                role, parent = zone, above
                continue
            if word.startswith(":") and len(word) > 1:
                name, _, inverse = word.partition("-")
                core = name[:4] == ":ARG" and name[4:].isdigit() and inverse in ("", "of")
                role, parent = 2 + 2 * int(name[4:]) + (inverse == "of") if core else zone, head
            found.append((role, parent))
            place += 1
        found.append((zone, above))  # )
        place += 1

    node(0, 0)
    return found


def test_every_piece_stands_in_the_zone_of_its_core_role():
    (types,) = zoned(NESTED.split())
    agent, patient, inverse = 2, 4, 3
    expected = [0, 0, *[agent] * 4, *[patient] * 7, *[inverse] * 6, patient, *[0] * 5]
    assert types == expected


def test_the_parent_of_a_piece_is_the_first_piece_of_the_concept_above_its_node():
    (words,) = placed(NESTED.split())
    bite, man, work = 2, 9, 16  # places, counted from [CLS]
    parents = [parent for _, parent in words]
    assert [NESTED.split()[place - 1] for place in (bite, man, work)] == ["bite-01", "man", "work-01"]
    assert parents == [0, 0, *[bite] * 7, *[man] * 7, *[work] * 2, man, *[bite] * 5, 0]
    assert words == slowly(NESTED.split())


def test_texts_and_graphs_that_are_none_have_no_zone_of_their_own():
    texts = [["a", "(", "small", ")", "dog"], [")", ":ARG0", "(", "dog"], ["(", "(", "("]]
    assert zoned(*texts) == [[0] * 5, [0] * 4, [0] * 3]
    assert {parent for _, parent in placed(texts[0])[0]} <= {0, 3}


def test_places_in_real_graphs_are_those_of_the_recursion(data_dir: Path):
    pairs = list(bamboo_pairs(data_dir / "amr" / "bamboo" / "para", "dev"))[:150]
    graphs = [linearize(pair.source.graph, form="paper") for pair in pairs]
    found = placed(*graphs)
    assert found == [slowly(graph) for graph in graphs]
    assert len({zone for words in found for zone, _ in words}) > 6


def test_a_swap_of_subtrees_moves_every_piece_of_theirs_to_another_zone():
    own = "( bite-01 :ARG0 ( dog :mod ( old ) ) :ARG1 ( man ) )".split()
    swapped = "( bite-01 :ARG0 ( man ) :ARG1 ( dog :mod ( old ) ) )".split()
    first, second = zoned(own, swapped)
    for word, before, after in (("dog", 2, 4), ("old", 2, 4), ("man", 4, 2), ("bite-01", 0, 0)):
        assert (first[own.index(word)], second[swapped.index(word)]) == (before, after)


def test_zones_change_the_vectors_of_graphs_with_core_roles_alone_and_are_kept(corpus, recipe, tmp_path):
    recipe = dataclasses.replace(recipe, model=dataclasses.replace(recipe.model, zones=True))
    ready = set_up(corpus, tmp_path / "run", recipe, "cpu")
    model, tokenizer = ready.model, ready.prepared.tokenizer
    graphs = ["( see-01 :ARG0 ( dog ) :ARG1 ( cat ) )", "( see-01 )", "dog"]
    blind = AmrEncoder(AmrModel(model.backbone, model.pooling), tokenizer, max_tokens=32)
    told = AmrEncoder(model, tokenizer, max_tokens=32)
    changed = np.abs(told.encode_tokens(graphs) - blind.encode_tokens(graphs)).max(axis=1)
    assert changed[0] > 0.01 and (changed[1:] < 1e-6).all()
    save_encoder(tmp_path / "out", model, tokenizer, recipe.model.max_tokens, "paper", "float32")
    assert load_encoder(tmp_path / "out").encode_tokens(graphs) == pytest.approx(
        told.encode_tokens(graphs), abs=1e-6
    )
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    assert config["amrx"]["zones"] is True and config["backbone"]["type_vocab_size"] == TYPES


def test_parents_are_added_to_the_embeddings_and_are_kept(corpus, recipe, tmp_path):
    """The state of a piece is BERT's for ``E[piece] + U E[first piece of the parent's concept]``."""
    recipe = dataclasses.replace(recipe, model=dataclasses.replace(recipe.model, zones=True, parents=True))
    ready = set_up(corpus, tmp_path / "run", recipe, "cpu")
    model, tokenizer = ready.model.eval(), ready.prepared.tokenizer
    graphs = ["( see-01 :ARG0 ( dog ) :ARG1 ( cat ) )", "( see-01 )", "dog"]
    encoder = AmrEncoder(model, tokenizer, max_tokens=32)
    without = encoder.encode_tokens(graphs)
    assert model.above is not None and not model.above.weight.any()  # a start that changes nothing
    torch.nn.init.normal_(model.above.weight, std=0.3)
    found = encoder.encode_tokens(graphs)
    assert np.abs(found - without)[0].max() > 0.01 and np.abs(found - without)[1:].max() < 1e-6

    words = tokenize_words(graphs[0].split(), tokenizer)
    pieces = [words.row(number).tolist() for number in range(len(words))]
    ids = torch.tensor([[2, *itertools.chain(*pieces), 3]])  # [CLS] and [SEP]
    own = model.backbone.get_input_embeddings()(ids)
    below = torch.zeros(ids.shape[1])
    below[1 + len(pieces[0]) + len(pieces[1]) : -2] = 1  # between the top's concept and the last bracket
    embedded = own + below[None, :, None] * (model.above.weight @ own[0, 1 + len(pieces[0])])
    zones = torch.from_numpy(Zones(tokenizer).places(ids.numpy())[0])
    states = model.backbone(inputs_embeds=embedded, token_type_ids=zones).last_hidden_state[0]
    assert found[0] == pytest.approx(states.mean(0).detach().numpy(), abs=1e-5)

    save_encoder(tmp_path / "out", model, tokenizer, recipe.model.max_tokens, "paper", "float32")
    assert load_encoder(tmp_path / "out").encode_tokens(graphs) == pytest.approx(found, abs=1e-6)
    onward = dataclasses.replace(recipe.model, backbone=str(tmp_path / "out"))
    again = set_up(corpus, tmp_path / "more", dataclasses.replace(recipe, model=onward), "cpu").model
    assert again.above is not None and torch.equal(again.above.weight, model.above.weight)
    for part in (
        dataclasses.replace(onward, parents=False),
        dataclasses.replace(onward, zones=False, parents=False),
    ):
        with pytest.raises(OptionError, match=r"'model.(zones|parents)' must be true, as in"):
            set_up(corpus, tmp_path / "less", dataclasses.replace(recipe, model=part), "cpu")
    with pytest.raises(OptionError, match=r"'model.parents' needs model.zones, got True"):
        dataclasses.replace(recipe, model=dataclasses.replace(recipe.model, zones=False))


def test_a_backbone_gets_its_types_once_and_one_without_types_is_refused(corpus, recipe, tmp_path):
    ready = set_up(corpus, tmp_path, recipe, "cpu")
    backbone = ready.model.backbone
    before = backbone.embeddings.token_type_embeddings.weight.detach().clone()
    add_zones(backbone)
    weight = backbone.embeddings.token_type_embeddings.weight
    assert weight.shape == (TYPES, before.shape[1]) and torch.equal(weight[: len(before)], before)
    offsets = (weight[len(before) :] - before[0]).detach()
    assert offsets.std().item() == pytest.approx(SPREAD, rel=0.1)
    add_zones(backbone)
    assert backbone.embeddings.token_type_embeddings.weight is weight
    again = set_up(corpus, tmp_path, dataclasses.replace(recipe, seed=recipe.seed + 1), "cpu").model.backbone
    add_zones(again)
    assert torch.equal(again.embeddings.token_type_embeddings.weight, weight)  # whatever the seed of the run
    del backbone.embeddings.token_type_embeddings
    with pytest.raises(OptionError, match=r"'model.zones' needs a backbone with token types"):
        add_zones(backbone)
