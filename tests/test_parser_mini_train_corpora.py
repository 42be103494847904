"""parser.training.mini.train: sentences with exchanged parts and constructed ones come with their stages."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import penman
import pytest

from amrx.types import Parse
from parser.training.mini import train as module
from parser.training.mini.pack_data import read_arrays
from parser.training.templates.meanings.draw import constructed_examples
from tests.support.small_mini_run import PARALLEL, RECIPE, TEXTS, stopped


def test_exchanged_parts_come_with_their_stage_and_labels_may_be_kept(small, exchanged, drawn, tmp_path):
    recipe = dataclasses.replace(
        RECIPE, project_exchange=(0.0, 2.0), project_beam=(1, 0), exchanges=6, seed=3
    )
    module.train(Path("nowhere"), tmp_path / "out", recipe, device="cpu")
    assert exchanged == [(list(TEXTS), 6, 3), ([], 0, 3)]
    assert small == [list(PARALLEL)]
    assert list(drawn.values()) == [24] * 4 + [24 + 4] * 3 + [24 + 4 * 0.25 + 3 * 2] * 2
    work = tmp_path / "out" / "training"
    assert (work / "projected-2.bin").read_bytes() == (work / "projected-1.bin").read_bytes()


def test_labelled_pairs_of_languages_without_a_sembank_are_exchanged_too(small, exchanged, drawn, tmp_path):
    recipe = dataclasses.replace(RECIPE, project_exchange=(0.0, 2.0), project_exchanges=(0, 5))
    module.train(Path("nowhere"), tmp_path / "out", recipe, device="cpu")
    # English has a sembank
    assert exchanged == [(list(TEXTS), 8, 0), (list(PARALLEL.values()), 5, 0)]
    assert drawn[8] == 24 + 4 * 0.25 + 2 * 3 * 2


def test_a_run_stopped_between_exchanges_and_labels_ends_like_an_unbroken_one(
    small, exchanged, tmp_path, monkeypatch
):
    recipe = dataclasses.replace(RECIPE, project_exchange=(0.0, 2.0))
    module.train(Path("nowhere"), tmp_path / "whole", recipe, device="cpu")
    write = module.write_arrays

    def stops(path, arrays):
        return stopped() if path.name == "projected-2.bin" else write(path, arrays)

    monkeypatch.setattr(module, "write_arrays", stops)
    with pytest.raises(KeyboardInterrupt):
        module.train(Path("nowhere"), tmp_path / "part", recipe, device="cpu")
    monkeypatch.setattr(module, "write_arrays", write)
    module.train(Path("nowhere"), tmp_path / "part", recipe, device="cpu")
    assert len(exchanged) == 2 * 2  # once a run, from the sembanks and from the labelled pairs
    whole, part = (tmp_path / name / "model.safetensors" for name in ("whole", "part"))
    assert part.read_bytes() == whole.read_bytes()


def test_where_labels_are_kept_the_exchanges_before_them_are_too(small, exchanged, drawn, tmp_path):
    recipe = dataclasses.replace(RECIPE, project_exchange=(1.0, 2.0), project_beam=(1, 0))
    module.train(Path("nowhere"), tmp_path / "out", recipe, device="cpu")
    assert exchanged == [(list(TEXTS), 8, 0), ([], 0, 0)]  # in the first projection alone
    assert list(drawn.values()) == [24] * 4 + [24 + 4 + 3] * 3 + [24 + 4 * 0.25 + 3 * 2] * 2


def test_constructed_sentences_come_with_their_stage(small, drawn, tmp_path, monkeypatch):
    asked: list[tuple[int, int, bool]] = []

    def made(count, seed, reserved):
        asked.append((count, seed, "Measured." in reserved))
        return constructed_examples(2, seed, reserved)

    monkeypatch.setattr(module, "constructed_examples", made)
    monkeypatch.setattr(module, "load_reserved", lambda data: frozenset({"Measured."}))
    recipe = dataclasses.replace(RECIPE, project_constructed=(0.5, 2.0), constructed=7, seed=3)
    module.train(Path("nowhere"), tmp_path / "out", recipe, device="cpu")
    assert asked == [(7, 3, True)]  # once for both stages
    # those that the few letters of these sembanks can write
    count = float(read_arrays(tmp_path / "out" / "training" / "constructed.bin")["pair_weight"].sum())
    assert 0 < count <= len(list(constructed_examples(2, 3, ())))
    assert list(drawn.values()) == [24] * 4 + [24 + 4 + count * 0.5] * 3 + [24 + 4 * 0.25 + count * 2] * 2


def test_labels_lose_what_their_sentence_denies(small, tmp_path, monkeypatch):
    graphs = {
        "The boy sleeps.": "(s / sleep-01 :ARG0 (b / boy) :mode imperative)",
        "The dog sings.": "(s / sing-01 :ARG0 (d / dog) :polarity -)",
    }

    class Teacher:
        def __init__(self, *arguments):
            self.fingerprint = "teacher"

        def parse(self, sentences, batch_size, progress):
            return [Parse(one.id, one.text, one.lang, penman.decode(graphs[one.text])) for one in sentences]

    labels: list[list[str] | None] = []
    project = module.projected_examples

    def projected(data, reserved, recipe, parse, projection):
        labels.extend(parse(list(PARALLEL)))
        return project(data, reserved, recipe, parse, projection)

    monkeypatch.setattr(module, "MiniParser", Teacher)
    monkeypatch.setattr(module, "projected_examples", projected)
    module.train(Path("nowhere"), tmp_path / "out", RECIPE, device="cpu")
    assert labels == [["sleep-01", ":ARG0", "boy"], None] * 2
