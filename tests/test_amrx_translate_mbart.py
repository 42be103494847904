"""Translation by a tiny mBART-50 in the real file format."""

import json
import shutil
from pathlib import Path

import pytest

from amrx.cli import main
from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.pretrained.generate import source_codes
from amrx.translate.mbart50 import HUB_ID, MBartTranslator
from tests.support import tiny_mbart as tiny
from tests.support.tiny_marian import lines

TEXTS = list(tiny.PAIRS["de_DE"])
GERMAN, FRENCH = (list(pairs.values()) for pairs in tiny.PAIRS.values())


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.save(tmp_path_factory.mktemp("mbart") / "learnt", steps=60)


@pytest.fixture(scope="module")
def rough(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random weights, whose output depends on every token they read."""
    return tiny.save(tmp_path_factory.mktemp("mbart") / "rough")


def test_the_forced_first_token_chooses_the_language(learnt: Path):
    translator = MBartTranslator(str(learnt), device="cpu")
    texts = ["", *TEXTS, "Yes.", " \t"]
    made = translator.translate(texts, source="en", target="de", batch_size=2)
    assert made == ["", *GERMAN, "Ja.", ""]
    assert translator.translate(TEXTS, source="en", target="fr") == FRENCH
    # and again: a pair does not change what another one forces
    assert translator.translate(TEXTS, source="en", target="de") == GERMAN
    beams = MBartTranslator(str(learnt), beam=3, device="cpu")
    assert beams.translate(TEXTS, source="en", target="de") == GERMAN


@pytest.mark.parametrize(("lang", "code"), [("en", "en_XX"), ("de", "de_DE"), ("zh", "zh_CN")])
def test_it_writes_what_transformers_own_recipe_writes(rough: Path, lang: str, code: str):
    """The lines of the model card: src_lang, generate with forced_bos_token_id, batch_decode."""
    import torch
    from transformers import MBart50Tokenizer, MBartForConditionalGeneration

    tokenizer = MBart50Tokenizer.from_pretrained(rough, src_lang=code)
    model = MBartForConditionalGeneration.from_pretrained(rough).eval()
    model.generation_config.forced_eos_token_id = None  # ours tells that it was cut instead
    translator = MBartTranslator(str(rough), device="cpu")
    texts = ["The boy goes.", "dogs", "Two garçon Hunde sleep."]
    for target, forced in (("fr", "fr_XX"), ("ar", "ar_AR")):
        pair = translator.pair(lang, target)
        expected = []
        for text in texts:
            inputs = tokenizer(text, return_tensors="pt")
            assert pair.read(text)[0] == inputs["input_ids"][0].tolist()
            with torch.inference_mode():
                ids = model.generate(
                    **inputs, forced_bos_token_id=tokenizer.lang_code_to_id[forced], do_sample=False,
                    num_beams=1, max_length=64, suppress_tokens=[1],
                )  # fmt: skip
            expected.append(tokenizer.batch_decode(ids, skip_special_tokens=True)[0].strip())
        assert [one.text for one in pair.translate(texts)] == expected
        assert len(set(expected)) > 1


def test_random_weights_translate_each_sentence_once_and_alone(rough: Path):
    pair = MBartTranslator(str(rough), device="cpu").pair("en", "de")
    texts = ["The boy", "</s> fr_XX", "那个", "dogs " * 90, "Yes. " * 5, "The boy"]
    together = pair.translate(texts)
    assert together[3].cut and together[0] == together[5]
    for batch_size in (1, 3):
        assert pair.translate(texts, batch_size=batch_size) == together
    ids = pair.tokenizer.convert_ids_to_tokens(pair.read("</s> fr_XX")[0])
    assert ids == ["en_XX", "▁", "<unk>", "▁", "<unk>", "</s>"]


def test_what_is_no_model_or_no_language(learnt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    with pytest.raises(MissingResourceError, match=f"hf download {HUB_ID}; .*--engine mbart50:DIR"):
        MBartTranslator().find("en", "de")
    translator = MBartTranslator(str(learnt))
    with pytest.raises(OptionError, match="lacks language 'da'; choose from ar cs de "):
        translator.find("en", "da")
    with pytest.raises(OptionError, match="'la'"):
        translator.pair("la", "de")
    copy = shutil.copytree(learnt, tmp_path / "copy")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(InputError, match="weights are pickled; .* amrx convert-checkpoint .*mbart50:DIR"):
        MBartTranslator(str(copy)).find("en", "de")
    (copy / "config.json").write_text('{"model_type": "marian"}')
    with pytest.raises(InputError, match="'marian' is not an mBART-50"):
        MBartTranslator(str(copy)).find("en", "de")


def test_pickled_weights_are_converted(learnt: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    import torch

    folder = shutil.copytree(learnt, tmp_path / "fetched")
    before = MBartTranslator(str(learnt), device="cpu")
    wanted = before.translate(TEXTS, source="en", target="de")
    state = before.pair("en", "de").generate.model.state_dict()
    (folder / "model.safetensors").unlink()
    torch.save(state, folder / "pytorch_model.bin")
    argv = ["convert-checkpoint", str(folder / "pytorch_model.bin"), "--base", str(folder), "-o"]
    assert main([*argv, str(tmp_path / "new")]) == 0
    made = MBartTranslator(str(tmp_path / "new"), device="cpu")
    assert made.translate(TEXTS, source="en", target="de") == wanted == GERMAN
    torch.save(state | {"model.odd": state["model.shared.weight"]}, folder / "pytorch_model.bin")
    capsys.readouterr()
    assert main([*argv, str(tmp_path / "other")]) == 2
    assert "key 'model.odd' is unknown" in capsys.readouterr().err


def test_a_hub_id_is_what_was_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    repository = tmp_path / "models--facebook--mbart-large-50-many-to-many-mmt"
    snapshot = repository / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text('{"model_type": "mbart"}')
    (snapshot / "model.safetensors").touch()
    (snapshot / "sentencepiece.bpe.model").touch()
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc")
    with monkeypatch.context() as patch:
        patch.setattr("importlib.util.find_spec", lambda name: None)
        with pytest.raises(MissingResourceError, match="pip install protobuf"):
            MBartTranslator().find("en", "fr")
    (snapshot / "tokenizer.json").touch()
    assert MBartTranslator().find("en", "fr") == snapshot


def test_a_tokenizer_without_the_code_is_none_of_mbart_50(learnt: Path, tmp_path: Path):
    copy = shutil.copytree(learnt, tmp_path / "copy")
    file = copy / "tokenizer.json"
    file.write_text(file.read_text("utf-8").replace("hi_IN", "hi_XX"), "utf-8")
    settings = copy / "tokenizer_config.json"
    settings.write_text(settings.read_text("utf-8").replace("hi_IN", "hi_XX"), "utf-8")
    with pytest.raises(InputError, match="no token 'hi_IN'"):
        MBartTranslator(str(copy), device="cpu").pair("en", "hi")


def test_every_language_has_one_code():
    from transformers.models.mbart50.tokenization_mbart50 import FAIRSEQ_LANGUAGE_CODES

    codes = source_codes(FAIRSEQ_LANGUAGE_CODES)
    assert len(codes) == len(FAIRSEQ_LANGUAGE_CODES) == 52
    assert {"en": "en_XX", "zh": "zh_CN", "ar": "ar_AR"}.items() <= codes.items()


def test_the_command(learnt: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "s.txt"
    source.write_text("".join(f"{text}\n" for text in TEXTS))
    out = tmp_path / "out"
    argv = ["translate", str(source), "-o", str(out), "--to", "de,fr", "--device", "cpu", "--engine"]
    assert main([*argv, f"mbart50:{learnt}"]) == 0
    capsys.readouterr()
    assert [row["text"] for row in lines(out)["de/00000.jsonl"]] == GERMAN
    assert [row["text"] for row in lines(out)["fr/00000.jsonl"]] == FRENCH
    model = json.loads((out / "de" / "model.json").read_text())
    assert model == json.loads((out / "fr" / "model.json").read_text())
    assert main([*argv, "mt5"]) == 2
    assert "--engine must be opus-mt, mbart50 or mbart50:DIR, got 'mt5'" in capsys.readouterr().err
    assert main([*argv, f"mbart50:{learnt}", "--model", f"de={learnt}"]) == 2
    assert "--model is for OPUS-MT" in capsys.readouterr().err
