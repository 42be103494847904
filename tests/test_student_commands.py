"""A student where parser and AMR encoder stand: load, retrofit, save, eval, and what refuses one."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.cli import main
from amrx.errors import InputError, OptionError
from amrx.muse.model import load_model
from amrx.vectors import normalise
from retrofit import load
from retrofit.bases import load_base
from retrofit.combine import RetrofittedEncoder, combine
from retrofit.load import channel_names, load_amr, load_saved
from retrofit.student.encoder import StudentEncoder, load_student, save_student
from retrofit.student.network import StudentNetwork
from retrofit.weight_fitting import fit_on_stsb, stored_weights
from tests.support.student_toys import DEV, TINY, folder, muse, student, write_data
from tests.support.toy_parser import ToyParser

TEXTS = ["A dog runs in the park.", "Ein Hund läuft.", "", "كلب يركض في الحديقة.", "Go! " * 90]


__all__ = ["folder", "muse", "student"]

TEXTS = ["A dog runs in the park.", "Ein Hund läuft.", "", "كلب يركض في الحديقة.", "Go! " * 90]


def test_beside_a_base_it_needs_no_parser_and_shares_its_model(folder: Path, monkeypatch):
    monkeypatch.setattr("parser.load", lambda name: pytest.fail("a parser was loaded"))
    loads = []
    real = load_model
    monkeypatch.setattr("amrx.muse.model.load_model", lambda *given: loads.append(given) or real(*given))
    encoder = load("muse", parser="no such parser", encoder=str(folder), weight=0.5)
    assert len(loads) == 1 and encoder.parser is None
    assert encoder.name == "muse+tiny" and encoder.dimension == 524
    base, side = encoder.base.encode(TEXTS), encoder.encoders[0].encode(TEXTS)
    made = encoder.encode(TEXTS, lang="en")
    assert made == pytest.approx(combine(base, side, weight=0.5), abs=1e-3)
    assert np.array_equal(encoder.with_weight(0).encode(TEXTS, lang="en"), base)
    assert encoder.fingerprint != encoder.with_weight(1).fingerprint
    assert encoder.encoders[0].fingerprint in encoder.fingerprint


def test_another_base_gets_a_student_with_a_model_of_its_own(folder: Path):
    base = load_base("muse")

    class Other:
        name, dimension, fingerprint = "other", 512, "other"
        encode = staticmethod(base.encode)

    made = RetrofittedEncoder(Other(), None, load_student(folder)).encode(["A dog."], lang="en")
    assert made == pytest.approx(load("muse", encoder=str(folder), weight=1.0).encode(["A dog."]), abs=1e-5)


def test_its_weight_is_fitted_and_remembered(folder, student, tmp_path, monkeypatch, capsys):
    data = write_data(tmp_path / "data")
    encoder = RetrofittedEncoder(load_base("muse"), None, student)
    fitted = fit_on_stsb(encoder, data)
    assert fitted.score >= fitted.base_score and len(DEV) == 3
    save_student(tmp_path / "mine", StudentNetwork(TINY))
    (tmp_path / "s.txt").write_text("A dog.\n", "utf-8")
    command = ["retrofit", str(tmp_path / "s.txt"), "-o", str(tmp_path / "v.npy"), "--encoder",
               str(tmp_path / "mine")]  # fmt: skip
    assert main([*command, "--fit-weight", "--data", str(data)]) == 0
    stored = stored_weights(tmp_path / "mine")["muse"][""]
    assert f"weight {stored['weight']:g}" in capsys.readouterr().err
    assert load("muse", encoder=str(tmp_path / "mine")).weights == (stored["weight"],)


def test_a_killed_fit_encodes_no_kept_language_again(folder, tmp_path, monkeypatch):
    data, mine = write_data(tmp_path / "data"), tmp_path / "mine"
    save_student(mine, StudentNetwork(TINY))
    (tmp_path / "s.txt").write_text("A dog.\n", "utf-8")
    command = ["retrofit", str(tmp_path / "s.txt"), "-o", str(tmp_path / "v.npy"), "--encoder", str(mine),
               "--vector-cache", str(tmp_path / "v.sqlite"), "--fit-weight", "--data", str(data)]  # fmt: skip
    encode, asked, limit = StudentEncoder._encode, [], 2

    def until_killed(
        student: StudentEncoder, texts: list[str], *, lang: list[str], batch_size: int, progress: bool
    ) -> object:
        if len(asked) == limit:
            raise KeyboardInterrupt
        asked.append((*texts, *lang))
        return encode(student, texts, lang=lang, batch_size=batch_size, progress=progress)

    monkeypatch.setattr(StudentEncoder, "_encode", until_killed)
    assert main(command) == 130
    assert len(asked) == limit
    limit = 99
    assert main(command) == 0
    assert len(set(asked)) == len(asked) == 6  # each language once; the weight is 0


def test_beside_an_amr_encoder_all_go_into_one_vector(folder: Path, tmp_path: Path):
    texts = TEXTS[:2]

    both = load("muse", "mini", ["mini", str(folder)], (0.5, 0.25))
    assert both.name == "muse+amr-encoder-mini+tiny"
    base, amr, side = (
        part.encode(texts, lang="en") for part in (both.base, both.with_weight((1, 0)), both.encoders[1])
    )
    parts = [base, 0.5 * normalise(amr[:, 512:]), 0.25 * normalise(side)]
    assert both.encode(texts, lang="en") == pytest.approx(np.hstack(parts), abs=2e-3)
    alone = (
        RetrofittedEncoder(both.base, both.parser, both.encoders[0], weight=0.5),
        RetrofittedEncoder(both.base, None, both.encoders[1], weight=0.25),
    )
    for weight, single in zip(((0.5, 0), (0, 0.25)), alone, strict=True):
        dropped = both.with_weight(weight)
        assert (dropped.fingerprint, dropped.dimension) == (single.fingerprint, single.dimension)
        assert np.array_equal(dropped.encode(texts, lang="en"), single.encode(texts, lang="en"))
    assert np.array_equal(both.with_weight(0).encode(texts, lang="en"), base)
    both.save(tmp_path / "saved")
    again = load(tmp_path / "saved")
    assert again.fingerprint == both.fingerprint and again.weights == (0.5, 0.25)
    assert (tmp_path / "saved" / "encoder-2" / "encoder-tiny" / "model.safetensors").is_file()
    assert np.array_equal(again.encode(texts, lang="en"), both.encode(texts, lang="en"))


def test_weights_of_several_channels_are_fitted_and_kept_together(folder, tmp_path, capsys):
    data, mine = write_data(tmp_path / "data"), tmp_path / "mine"
    save_student(mine, StudentNetwork(TINY))
    save_student(tmp_path / "other", StudentNetwork(TINY))
    (tmp_path / "s.txt").write_text("A dog.\n", "utf-8")
    channels = f"{mine},{tmp_path / 'other'}"
    command = ["retrofit", str(tmp_path / "s.txt"), "-o", str(tmp_path / "v.npy"), "--encoder", channels]
    assert main([*command, "--fit-weight", "--data", str(data)]) == 0
    fitted = load("muse", encoder=[mine, tmp_path / "other"])
    entry = stored_weights(mine)["muse"]["+other"]
    assert fitted.weights == (entry["weight"], stored_weights(tmp_path / "other")["muse"]["+mine"]["weight"])
    assert f"{fitted.summary}, mean Spearman {entry['score']:.2f}" in capsys.readouterr().err
    assert main([*command, "--weight", "0.5,0.25"]) == 0
    assert np.load(tmp_path / "v.npy").shape == (1, 536)
    assert main([*command, "--weight", "1,2,3"]) == 2
    assert "3 weights for 2 channels" in capsys.readouterr().err
    assert main([*command, "--weight", "1;2"]) == 2


def test_a_preset_names_the_channels(capsys):
    assert channel_names(None, "best") == ("mini", "student-e5", "e5-small")
    assert load("muse", preset="fast", weight=1).name == "muse+student-text"
    graph, meaning = load(preset="graph"), load(preset="meaning")
    assert meaning.name == "muse+amr-encoder-meaning" and meaning.weights > graph.weights
    assert graph.encoders[0].dimension - meaning.encoders[0].dimension == 256  # without the sketch
    choices = "fast, text, graph, meaning, best"
    with pytest.raises(OptionError, match=f"unknown preset 'good'; choose from {choices}"):
        load(preset="good")
    assert main(["retrofit", "--save", "x", "--preset", "fast", "--encoder", "mini"]) == 2
    assert "preset 'fast' sets the encoders; give either preset or encoder" in capsys.readouterr().err
    assert main(["explain", "A dog.", "Ein Hund.", "--lang-a", "en", "--preset", "fast"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("student-text (weight ") and "usual: unrelated" in lines[1]
    assert lines[-2:] == ["a [en] A dog.", "b [de] Ein Hund."]


def test_another_base_may_be_a_channel():
    both = load("muse", encoder="minilm", weight=0.5)
    minilm = load_base("minilm").encode(TEXTS)
    assert both.parser is None and both.name == "muse+minilm"
    assert both.encode(TEXTS, lang="en")[:, 512:] == pytest.approx(0.5 * normalise(minilm), abs=1e-3)


def test_a_saved_folder_holds_the_student(folder: Path, tmp_path: Path):
    encoder = load("muse", encoder=str(folder), weight=0.7)
    encoder.save(tmp_path / "saved")
    again = load_saved(tmp_path / "saved")
    assert again.parser is None and again.weights == (0.7,)
    assert np.array_equal(again.encode(TEXTS, lang="en"), encoder.encode(TEXTS, lang="en"))
    weights = tmp_path / "saved" / "encoder" / "encoder-tiny" / "model.safetensors"
    torch.manual_seed(5)
    save_student(weights.parent, StudentNetwork(TINY))
    with pytest.raises(InputError, match="weights differ from the saved ones"):
        load_saved(tmp_path / "saved")


def write_sts17(folder: Path) -> Path:
    """Write one track under a data folder and return the folder."""
    track = folder / "sts" / "sts17" / "en-de.tsv"
    track.parent.mkdir(parents=True)
    rows = [f"{a}\t{b}\t{score}\n" for a, b, score in DEV] * 84
    track.write_text("".join(rows[:250]), "utf-8")
    return folder


def test_the_eval_command_scores_students_beside_the_base(folder, tmp_path, capsys):
    write_sts17(tmp_path / "data")
    out = tmp_path / "rows.json"
    command = ["eval", "--tasks", "sts17", "--data", str(tmp_path / "data"), "--json", str(out)]
    assert main([*command, "--encoder", str(folder), "--weight", "0.3"]) == 0
    text = out.read_text("utf-8")
    assert "muse+tiny" in text and json.loads(text)
    assert "muse+tiny: weight 0.3" in capsys.readouterr().err
    assert main([*command, "--encoder", f"{folder}+minilm", "--weight", "0.3,0.4"]) == 0
    assert "muse+tiny+minilm: weight 0.3, 0.4" in capsys.readouterr().err
    assert {row["encoder"] for row in json.loads(out.read_text("utf-8"))} == {"muse", "muse+tiny+minilm"}
    assert main([*command, "--preset", "fast"]) == 0
    assert "muse+student-text: weight" in capsys.readouterr().err
    assert main([*command, "--encoder", "mini"]) == 2
    assert "--weight need --amr" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["explain", "A dog.", "Ein Hund.", "--html", "e.html", "--encoder"],
            "muse+tiny does not read; add --parser",
        ),
        (
            ["eval", "--control", "amr", "--tasks", "sts17", "--amr", "--weight", "1", "--encoder"],
            "is a student, which reads",
        ),
    ],
)
def test_what_needs_graphs_refuses_a_student(arguments, said, folder, capsys, tmp_path):
    extra = ["--data", str(write_sts17(tmp_path / "data"))] if arguments[0] == "eval" else []
    assert main([*arguments, str(folder), *extra]) == 2
    assert said in capsys.readouterr().err


def test_parser_and_encoder_must_fit(student: StudentEncoder):
    with pytest.raises(OptionError, match="tiny reads sentences, which need no parser"):
        RetrofittedEncoder(load_base("muse"), ToyParser(), student)
    with pytest.raises(OptionError, match="reads graphs, which need a parser"):
        RetrofittedEncoder(load_base("muse"), None, load_amr("mini"))
    with pytest.raises(OptionError, match="has no graphs"):
        RetrofittedEncoder(load_base("muse"), None, student).parse(["A dog."], ["en"])
