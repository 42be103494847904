"""Translation by tiny Marian models in the real file format."""

import json
import shutil
from pathlib import Path

import pytest

from amrx.cli import main
from amrx.errors import InputError, MissingResourceError
from amrx.translate.marian import Marian, OpusTranslator
from tests.support import tiny_marian as tiny


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models: one that learnt its pairs, one of random weights, one of several languages."""
    home = tmp_path_factory.mktemp("opus")
    tiny.save(home / "opus-mt-en-de", steps=80)
    tiny.save(home / "opus-mt-en-fr", seed=1)
    tiny.save(home / "opus-mt-en-zh", marks=(">>cmn_Hans<<", ">>yue_Hant<<", ">>cmn<<"))
    return home


@pytest.fixture
def opus(home: Path, monkeypatch, tmp_path: Path) -> OpusTranslator:
    monkeypatch.setenv("AMRX_OPUS_MT", str(home))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return OpusTranslator(device="cpu")


@pytest.mark.parametrize("file", ["generation_config.json", "config.json"])
def test_no_beams_are_those_of_the_models_own_settings(home: Path, tmp_path: Path, file: str):
    """OPUS-MT's, which are in config.json of the older folders."""
    folder = tmp_path / "opus-mt-en-de"
    shutil.copytree(home / "opus-mt-en-de", folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    settings = json.loads((folder / file).read_text()) if (folder / file).is_file() else {}
    (folder / file).write_text(json.dumps({**settings, "num_beams": 4}))
    beams = [Marian(folder, "de", beam=beam, device="cpu").generate.settings.num_beams for beam in (0, 1, 3)]
    assert beams == [4, 1, 3]


def test_a_model_that_learnt_its_pairs_translates(opus: OpusTranslator, home: Path):
    texts = ["", *tiny.PAIRS, "Yes.", " \t"]
    expected = ["", *tiny.PAIRS.values(), "Ja.", ""]
    assert opus.translate(texts, source="en", target="de", batch_size=2) == expected
    assert opus.translate([], source="en", target="de") == []
    beams = OpusTranslator({("en", "de"): home / "opus-mt-en-de"}, beam=3, device="cpu")
    assert beams.translate(texts, source="en", target="de") == expected
    assert beams.fingerprint("de") != opus.fingerprint("de") != opus.fingerprint("fr")


def test_random_weights_translate_each_sentence_once_and_alone(opus: OpusTranslator, monkeypatch):
    pair = opus.pair("en", "fr")
    texts = ["The boy", "</s> <pad>", "那个", "dog " * 90, "Yes. " * 5, "The boy", "see the house"]
    together = pair.translate(texts)
    assert [made.cut for made in together][3]
    assert together[0] == together[5]
    assert len({made.text for made in together}) > 2
    for batch_size in (1, 3):
        assert pair.translate(texts, batch_size=batch_size) == together
    asked = []
    generate = pair.generate
    monkeypatch.setattr(pair, "generate", lambda rows: asked.extend(rows) or generate(rows))
    pair.translate([*texts, "", *texts])
    assert len(asked) == len({*texts})
    with pytest.raises(InputError, match="surrogate"):
        pair.translate(["\ud800"])


def test_a_model_of_several_languages_is_told_which(opus: OpusTranslator, home: Path):
    pair = opus.pair("en", "zh")
    assert len(pair.before) == 1
    ids, _ = pair.read("Yes.")
    assert ids == pair.tokenizer(">>cmn_Hans<< Yes.")["input_ids"]
    assert pair.tokenizer.convert_ids_to_tokens(ids[:1]) == [">>cmn_Hans<<"]
    with pytest.raises(InputError, match=r"cannot write 'ar'; choose from >>cmn<<, >>cmn_Hans<<"):
        Marian(home / "opus-mt-en-zh", "ar", device="cpu")


def test_what_is_no_model(opus: OpusTranslator, home: Path, tmp_path: Path):
    with pytest.raises(MissingResourceError) as caught:
        opus.translate(["a"], source="en", target="it")
    for part in ("Helsinki-NLP/opus-mt-en-it", "hf download Helsinki-NLP/opus-mt-en-it", "AMRX_OPUS_MT"):
        assert part in str(caught.value)
    copy = shutil.copytree(home / "opus-mt-en-fr", tmp_path / "copy")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(InputError, match="weights are pickled; .* amrx convert-checkpoint .* --base "):
        Marian(copy, "fr")
    (copy / "config.json").write_text('{"model_type": "bart"}')
    with pytest.raises(InputError, match="'bart' is not a Marian"):
        Marian(copy, "fr")
    shutil.copy(home / "opus-mt-en-fr" / "config.json", copy)
    (copy / "pytorch_model.bin").rename(copy / "model.safetensors")
    (copy / "source.spm").unlink()
    with pytest.raises(InputError, match=r"source\.spm: no such file"):
        Marian(copy, "fr")
    shutil.copy(home / "opus-mt-en-fr" / "source.spm", copy)
    (copy / "vocab.json").write_text("{")
    with pytest.raises(InputError, match="cannot be loaded"):
        Marian(copy, "fr")


def test_pickled_weights_are_converted(opus: OpusTranslator, home: Path, tmp_path: Path, capsys, full_disk):
    import torch

    folder = shutil.copytree(home / "opus-mt-en-de", tmp_path / "fetched")
    model = opus.pair("en", "de").generate.model
    (folder / "model.safetensors").unlink()
    state = {key: value for key, value in model.state_dict().items() if "embed_positions" not in key}
    torch.save(state, folder / "pytorch_model.bin")
    argv = ["convert-checkpoint", str(folder / "pytorch_model.bin"), "--base", str(folder), "-o"]
    with full_disk():
        assert main([*argv, str(tmp_path / "new")]) == 2
    assert "new: cannot be written: No space left on device" in capsys.readouterr().err
    assert main([*argv, str(tmp_path / "new")]) == 0
    made = Marian(tmp_path / "new", "de", device="cpu")
    assert [one.text for one in made.translate(list(tiny.PAIRS))] == list(tiny.PAIRS.values())
    key = "model.encoder.layers.0.fc1.bias"
    torch.save({name: value for name, value in state.items() if name != key}, folder / "pytorch_model.bin")
    capsys.readouterr()
    assert main([*argv, str(tmp_path / "other")]) == 2
    assert f"key '{key}' is missing" in capsys.readouterr().err
    assert main([*argv, str(tmp_path / "other"), "--vocab", str(tmp_path)]) == 2
    assert "--vocab is for the FILE.pt of SPRING or XAMR" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


def test_the_command(opus: OpusTranslator, home: Path, tmp_path: Path, capsys):
    source = tmp_path / "s.tsv"
    source.write_text("sentence1\tsentence2\tscore\nThe boy goes.\tYes.\t0.5\nYes.\tYes.\t5\n")
    out = tmp_path / "out"
    argv = ["translate", str(source), "-o", str(out), "--to"]
    assert main([*argv, "de,it"]) == 2
    assert "hf download Helsinki-NLP/opus-mt-en-it" in capsys.readouterr().err
    assert not out.exists()
    assert main([*argv, "de,it", "--model", f"it={home / 'opus-mt-en-de'}", "--device", "cpu"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith(f"{out}/de: 2 rows, ")
    assert told[0].endswith(" sentences/s")
    assert len(told) == 2
    row = {"sentence1": "Der Junge geht.", "sentence2": "Ja.", "score": "0.5", "lang": "de"}
    found = tiny.lines(out)["de/00000.jsonl"][0]
    found.pop("flags", None)  # one word may look like any language
    assert found == row
    assert main([*argv, "de", "--model", "de=nowhere"]) == 2
    assert "must be LANG=DIR" in capsys.readouterr().err
