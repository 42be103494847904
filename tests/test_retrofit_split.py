"""Texts of several sentences in ``amrx retrofit`` and ``amrx explain``: the AMR side is the mean of them."""

import json
from pathlib import Path

import numpy as np
import penman
import pytest
import torch

from amrx.cli import main
from amrx.errors import OptionError
from amrx.types import Parse, Sentence
from parser.load import PARSERS, Kind
from retrofit import load
from retrofit.bases import load_base
from retrofit.load import fitted_weight

GRAPHS = {
    "Dogs bark.": "(b / bark-01 :ARG0 (d / dog))",
    "Cats sleep.": "(s / sleep-01 :ARG0 (c / cat))",
    "Dogs bark. Cats sleep.": "(b / bark-01 :ARG0 (d / dog :mod (c / cat)))",
}


class Told:
    fingerprint = "told"

    def parse(self, sentences, *, lang=None, batch_size=64, progress=False):
        return [self.one(one) for one in sentences]

    def one(self, sentence: Sentence) -> Parse:
        return Parse(sentence.id, sentence.text, "en", penman.decode(GRAPHS[sentence.text]), parser="told")


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PARSERS, "told", Kind(lambda folder: Told(), "told", "for tests"))


def test_the_amr_side_of_a_text_is_the_mean_over_its_sentences(tmp_path, monkeypatch):
    # bfloat16, where the processor multiplies it, rounds as the batch is shaped
    monkeypatch.setattr("amrx.muse.model.fastest_dtype", lambda device: torch.float32)
    source = tmp_path / "s.txt"
    source.write_text("Dogs bark.\nCats sleep.\nDogs bark. Cats sleep.\n", "utf-8")
    vectors = {}
    for split in ("--split", "--no-split"):
        out = tmp_path / f"v{split}.npy"
        options = [
            "--parser",
            "told",
            "--lang",
            "en",
            "--no-cache",
            "--integration",
            "concat",
            "--weight",
            "1",
        ]
        assert main(["retrofit", str(source), "-o", str(out), split, *options]) == 0
        vectors[split] = np.load(out)[:, 512:]
    dogs, cats, both = vectors["--split"]
    np.testing.assert_allclose(both, (dogs + cats) / 2, atol=1e-6)
    assert np.abs(vectors["--no-split"][2] - both).max() > 0.01
    assert np.array_equal(vectors["--no-split"][:2], vectors["--split"][:2])


def test_explain_shows_the_graphs_of_all_sentences(tmp_path: Path) -> None:
    for split, top in (("--split", "multi-sentence"), ("--no-split", "bark-01")):
        out = tmp_path / "e.json"
        command = ["explain", "Dogs bark. Cats sleep.", "Dogs bark.", "--lang-a", "en", "--lang-b", "en"]
        assert main([*command, "--parser", "told", "--no-cache", split, "--json", str(out)]) == 0
        first = json.loads(out.read_text("utf-8"))["sentences"][0]["graph"]
        assert penman.decode(first).instances()[0].target == top


def test_a_channel_is_named_once() -> None:
    with pytest.raises(OptionError, match="encoder 'mini' is named twice"):
        load(base="muse", encoder="mini,mini")


def test_a_weight_is_that_of_the_parser_that_is_fed() -> None:
    muse = load_base("muse")
    assert fitted_weight("meaning", muse, "split:mini") == fitted_weight("meaning", muse, "mini") != 1
    encoder = load(base="muse", parser="told", weight=1)
    assert encoder.parser is not None and encoder.parser.fingerprint == "split4:told"
    whole = load(base="muse", parser="told", weight=1, split=False)
    assert whole.parser is not None and whole.parser.fingerprint == "told"
    assert load(base="muse", parser=Told(), weight=1).parser.fingerprint == "told"
