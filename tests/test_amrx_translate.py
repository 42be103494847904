"""Translation by tiny Marian models in the real file format."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from amrx.cli import main
from amrx.errors import InputError, MissingResourceError, OptionError, OutputError
from amrx.translate import Marian, OpusTranslator, Translation
from amrx.translate_files import translate_file
from amrx.types import Translator
from tests import tiny_marian as tiny


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


def test_a_model_that_learnt_its_pairs_translates(opus: OpusTranslator, home: Path):
    assert isinstance(opus, Translator)
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
    assert pair.mark == ">>cmn_Hans<< "
    ids, _ = pair._read("Yes.")
    assert pair.tokenizer.convert_ids_to_tokens(ids[:1]) == [">>cmn_Hans<<"]
    with pytest.raises(InputError, match=r"cannot write 'ar'; it writes: >>cmn<<, >>cmn_Hans<<"):
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
    with pytest.raises(InputError, match="'bart' is no Marian"):
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


def test_pickled_weights_are_converted(opus: OpusTranslator, home: Path, tmp_path: Path, capsys):
    import torch

    folder = shutil.copytree(home / "opus-mt-en-de", tmp_path / "fetched")
    model = opus.pair("en", "de").generate.model
    (folder / "model.safetensors").unlink()
    state = {key: value for key, value in model.state_dict().items() if "embed_positions" not in key}
    torch.save(state, folder / "pytorch_model.bin")
    argv = ["convert-checkpoint", str(folder / "pytorch_model.bin"), "--base", str(folder), "-o"]
    assert main([*argv, str(tmp_path / "new")]) == 0
    made = Marian(tmp_path / "new", "de", device="cpu")
    assert [one.text for one in made.translate(list(tiny.PAIRS))] == list(tiny.PAIRS.values())
    key = "model.encoder.layers.0.fc1.bias"
    torch.save({name: value for name, value in state.items() if name != key}, folder / "pytorch_model.bin")
    capsys.readouterr()
    assert main([*argv, str(tmp_path / "other")]) == 2
    assert f"key '{key}' is missing" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


class Fake:
    """A translator that upper-cases, or breaks off at a word."""

    beam = 1

    def __init__(self, stop: str = "", folder: Path = Path("nowhere")):
        self.stop, self.seen, self.folder = stop, [], folder

    def find(self, source, target):
        return self.folder

    def forget(self, source, target):
        self.seen.append(f"forgot {target}")

    def pair(self, source, target):
        return self

    def translate(self, texts, *, batch_size, show):
        if self.stop and self.stop in texts:
            raise KeyboardInterrupt
        self.seen += texts
        return [Translation("" if text == "nothing" else text.upper(), cut=text == "long") for text in texts]


def lines(folder: Path) -> dict[str, list]:
    files = sorted(folder.rglob("*.jsonl"))
    return {
        str(file.relative_to(folder)): [json.loads(line) for line in file.read_text().splitlines()]
        for file in files
    }


def test_a_killed_run_goes_on_at_the_first_shard_that_is_not_there(tmp_path: Path):
    source = tmp_path / "s.txt"
    source.write_text("".join(f"row {number}\n" for number in range(7)))
    whole = list(translate_file(source, tmp_path / "a", ["de", "fr"], Fake(), shard_size=3))
    assert [(told.lang, told.rows, told.before) for told in whole] == [("de", 7, 0), ("fr", 7, 0)]
    assert lines(tmp_path / "a")["fr/00002.jsonl"] == [
        {"id": "7", "text": "ROW 6", "lang": "fr", "flags": ["another-language"]}
    ]
    with pytest.raises(KeyboardInterrupt):
        list(translate_file(source, tmp_path / "b", ["de", "fr"], Fake("row 3"), shard_size=3))
    assert list(lines(tmp_path / "b")) == ["de/00000.jsonl"]
    again = Fake()
    told = list(translate_file(source, tmp_path / "b", ["de", "fr"], again, shard_size=3))
    rows = [f"row {number}" for number in range(7)]
    assert again.seen == [*rows[3:], "forgot de", *rows, "forgot fr"]
    assert told[0].before == 3
    assert str(told[0]).startswith("de: 7 rows (3 of an earlier run), 0 empty, 7 another language, 0 cut, ")
    assert lines(tmp_path / "b") == lines(tmp_path / "a")
    assert not [file for file in tmp_path.rglob(".*")]


def test_rows_keep_their_columns_and_tell_what_went_wrong(tmp_path: Path):
    source = tmp_path / "nli.csv"
    source.write_text('premise,hypothesis,label\n"long",nothing,0\nDer Junge möchte gehen,,1\n')
    [told] = translate_file(source, tmp_path / "a", ["de"], Fake())
    assert lines(tmp_path / "a")["de/00000.jsonl"] == [
        {"premise": "LONG", "hypothesis": "", "label": "0", "lang": "de"}
        | {"flags": ["another-language", "cut", "empty"]},
        {"premise": "DER JUNGE MÖCHTE GEHEN", "hypothesis": "", "label": "1", "lang": "de"},
    ]
    assert (told.flags["empty"], told.flags["cut"], told.flags["another-language"]) == (1, 1, 1)
    [told] = translate_file(source, tmp_path / "b", ["de"], Fake(), columns=["label"])
    assert lines(tmp_path / "b")["de/00000.jsonl"][0]["premise"] == "long"


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path):
    source = tmp_path / "s.txt"
    source.write_text("a\n")

    def run(out="a", targets=("de",), **options):
        return list(translate_file(source, tmp_path / out, list(targets), Fake(), **options))

    run()
    with pytest.raises(OptionError, match="a translation of another shard_size"):
        run(shard_size=2)
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    with pytest.raises(OptionError, match="de holds a translation of another model"):
        list(translate_file(source, tmp_path / "a", ["de"], Fake(folder=tmp_path / "model")))
    (tmp_path / "a" / "de" / "model.json").write_text("[3]")
    with pytest.raises(InputError, match=r"model\.json: is no plan"):
        run()
    source.write_text("b\n")
    with pytest.raises(OptionError, match="a translation of another input"):
        run()
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "mine").touch()
    with pytest.raises(OutputError, match="holds other things"):
        run("c")
    with pytest.raises(OptionError, match="each once, and not 'en'"):
        run("d", ["de", "en"])
    with pytest.raises(OptionError, match="'german' is no ISO"):
        run("d", ["german"])
    with pytest.raises(OptionError, match="standard input"):
        list(translate_file(Path("-"), tmp_path / "d", ["de"], Fake()))
    (tmp_path / "e.csv").write_text("text\n")
    with pytest.raises(InputError, match="has no rows"):
        list(translate_file(tmp_path / "e.csv", tmp_path / "d", ["de"], Fake()))
    assert not (tmp_path / "d").exists()


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
    found = lines(out)["de/00000.jsonl"][0]
    found.pop("flags", None)  # one word may look like any language
    assert found == row
    assert main([*argv, "de", "--model", "de=nowhere"]) == 2
    assert "write LANG=DIR" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "columns", "told"),
    [
        ("s.tsv", "a\tb\nx\ty\n", (), r"s\.tsv:1: no column 'text' or another usual one.*a, b"),
        ("s.tsv", "a\tb\nx\ty\n", ("c",), r"s\.tsv:1: no column 'c'; the columns are: a, b"),
        ("s.tsv", "text\tb\nx\ty\n\tz\n", ("b", "4"), "no column '4'"),
        ("s.csv", "a,text\nx\n", (), r"s\.csv:2: field 'text': the row is too short"),
        ("s.csv", 'text\n"x\n', (), r"s\.csv:2: "),
        ("s.jsonl", '{"text": 3}\n', (), r"s\.jsonl:1: field 'text': 3 is no text"),
        ("s.txt", "a\n", ("text",), "has no columns"),
        ("s.amr", "(a / b)\n", (), "holds graphs"),
    ],
)
def test_bad_rows(tmp_path: Path, name: str, text: str, columns, told: str):
    (tmp_path / name).write_text(text)
    with pytest.raises((InputError, OptionError), match=told):
        list(translate_file(tmp_path / name, tmp_path / "out", ["de"], Fake(), columns=columns))
    assert not (tmp_path / "out").exists()


def test_columns_by_position(tmp_path: Path):
    (tmp_path / "s.tsv").write_text("x\tone\ny\ttwo\n")
    list(translate_file(tmp_path / "s.tsv", tmp_path / "out", ["de"], Fake(), columns=["2"]))
    assert [row["2"] for row in lines(tmp_path / "out")["de/00000.jsonl"]] == ["ONE", "TWO"]
