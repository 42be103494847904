"""A retrofitted encoder as a folder of sentence-transformers, with the models that ship."""

from __future__ import annotations

import shutil
import sys
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.types import Parser, Sentence, Vectors
from parser.load import with_split
from retrofit import load
from retrofit.bases import load_base
from retrofit.combine import RetrofittedEncoder
from retrofit.folders import base_folder, encoder_folder, find_encoder, parser_folder
from retrofit.load import load_saved
from retrofit.saved_format import FILE, copy_saved
from retrofit.weight_fitting import stored_weights
from tests.support.toy_parser import ToyParser
from tests.support.word_encoder import Words

SENTENCES = ["Der Junge will gehen.", "The boy wants to go.", "男孩想走。"]
LIKE = {"rtol": 0, "atol": 2e-3}  # bf16, where the processor has it, rounds by the batch


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> RetrofittedEncoder:
    copy = tmp_path_factory.mktemp("local") / "mine"
    shutil.copytree(find_encoder("mini"), copy)
    (copy / "training").mkdir()
    (copy / "training" / "checkpoint.safetensors").write_bytes(b"moments")
    return load("muse", "mini", str(copy), 0.5)


@pytest.fixture(scope="module")
def folder(encoder: RetrofittedEncoder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("saved") / "model"
    encoder.save(place)
    return place


@pytest.fixture
def changed(folder: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil; being loaded from elsewhere it also shows that a folder can be moved."""
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def replace(folder: Path, old: str, new: str) -> None:
    text = (folder / FILE).read_text("utf-8")
    assert old in text
    (folder / FILE).write_text(text.replace(old, new), "utf-8")


def test_sentence_transformers_gives_the_same_vectors(encoder: RetrofittedEncoder, changed: Path) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(changed), trust_remote_code=True, local_files_only=True)
    vectors = model.encode(SENTENCES)
    np.testing.assert_allclose(vectors, encoder.encode(SENTENCES), **LIKE)
    assert vectors.dtype == np.float32 and model.get_embedding_dimension() == encoder.dimension
    near = model.similarity(vectors, vectors)
    assert near[0, 1] > 0.5 and near[0, 0] == pytest.approx(1, abs=1e-5)
    assert model.encode("Der Junge will gehen.").shape == (encoder.dimension,)
    assert (changed / "encoder" / "mine" / "model.safetensors").is_file()
    assert not list(changed.rglob("*.py"))
    assert not list(changed.rglob("training"))


def test_our_own_load_needs_no_flag_and_takes_language_and_prompt(
    encoder: RetrofittedEncoder, changed: Path, tmp_path: Path
) -> None:
    from retrofit.sentence_transformer import load as load_model

    model = load_model(changed)
    plain = encoder.encode(SENTENCES, lang="de")
    np.testing.assert_allclose(model.encode(SENTENCES, lang="de"), plain, **LIKE)
    prompted = model.encode(SENTENCES, prompt="query: ", lang="de")
    assert np.abs(prompted - plain)[:, :512].max() > 0.05
    np.testing.assert_allclose(prompted[:, 512:], plain[:, 512:], **LIKE)  # the graph does not feel it
    with pytest.raises(InputError, match="sentence 2 must be a str, got tuple"):
        model.encode(["one", ("one", "two")])
    model.prompts["query"] = "query: "
    model.save(str(tmp_path / "again"), create_model_card=False)
    again = load_model(tmp_path / "again")
    np.testing.assert_allclose(again.encode_query(SENTENCES, lang="de"), prompted, **LIKE)


class Telling:
    """A parser that remembers the language of each sentence."""

    def __init__(self, inner: Parser) -> None:
        self.inner, self.fingerprint, self.told = inner, inner.fingerprint, dict[str, str | None]()

    def parse(self, sentences, **options):
        self.told |= {sentence.text: sentence.lang for sentence in sentences}
        return self.inner.parse(sentences, **options)


def test_the_model_takes_a_language_per_sentence(encoder: RetrofittedEncoder, folder: Path) -> None:
    import pandas as pd
    from sentence_transformers import SentenceTransformer

    from retrofit.sentence_transformer import load as load_model

    model = load_model(folder)
    loaded = model[0].encoder
    loaded.parser = telling = Telling(loaded.parser)
    codes = ["de", "en", "fr"]  # the last is wrong, so that detection would give another one
    expected = encoder.encode(SENTENCES, lang=codes)
    for given in (SENTENCES, tuple(SENTENCES), iter(SENTENCES), pd.Series(SENTENCES, index=[7, 8, 9])):
        telling.told.clear()
        np.testing.assert_allclose(model.encode(given, lang=codes, batch_size=2), expected, **LIKE)
        assert telling.told == dict(zip(SENTENCES, codes, strict=True))
    assert model.encode(SENTENCES[0], lang=["de"]).shape == (encoder.dimension,)
    with pytest.raises(OptionError, match="2 language codes for 3 sentences"):
        model.encode(SENTENCES, lang=["de", "en"])
    with pytest.raises(OptionError, match="'xx' is not in ISO 639-1"):
        model.encode(SENTENCES, lang=["de", "en", "xx"])
    with pytest.raises(InputError, match="sentence 2 must be a str, got Series$"):
        model.encode(["one", pd.Series(SENTENCES)])
    plain = SentenceTransformer(modules=list(model))
    with pytest.raises(OptionError, match="must be one language code, got a list; retrofit.sentence_tra"):
        plain.encode(SENTENCES, lang=codes)
    with pytest.raises(InputError, match="sentence 1 must be a str, got Series$"):
        plain.encode([pd.Series(SENTENCES)])


def test_a_text_travels_to_another_process_with_its_language() -> None:
    import pickle

    from retrofit.sentence_transformer import _Text

    text = pickle.loads(pickle.dumps(_Text(Sentence("7", "Hallo", "de"))))
    assert text == "Hallo" and text.record == Sentence("7", "Hallo", "de")


def test_load_and_save_are_a_pair(encoder: RetrofittedEncoder, changed: Path, tmp_path: Path) -> None:
    again = load(changed)
    assert again.fingerprint == encoder.fingerprint
    assert again.encode(SENTENCES, lang="de").tobytes() == encoder.encode(SENTENCES, lang="de").tobytes()
    again.save(tmp_path / "twice")
    twice = load(str(tmp_path / "twice"), weight=0.25)
    assert twice.weights == (0.25,) and twice.with_weight(0.5).fingerprint == encoder.fingerprint
    with pytest.raises(OptionError, match="folder must be a str or a path, got None"):
        again.save(None)  # type: ignore[arg-type]
    others = ({"parser": "mini"}, {"encoder": "mini"}, {"integration": "concat"}, {"beam": 2})
    for other in (*others, {"dimensions": 64}, {"preset": "fast", "split": False}):
        named = ", ".join(other)
        with pytest.raises(OptionError, match=f"is no base; load it alone, without {named}, with amrx.load"):
            load(changed, **other)
    with pytest.raises(OptionError, match="neither a name nor a folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(OptionError, match=r"'fast' is a preset, no base encoder; write preset='fast'"):
        load("fast")


def test_paths_are_taken_and_saved(
    encoder: RetrofittedEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    shutil.copytree(find_encoder("mini"), "mini")  # a path is never the name of a model that ships
    shutil.copytree(find_encoder("mini").parent / "parser-mini", "parser")
    loaded = load(parser=Path("parser"), encoder=Path("mini"), weight=0.5)
    by_string = load(parser="parser", encoder="./mini", weight=0.5)
    monkeypatch.chdir(tmp_path)
    for number, one in enumerate((loaded, by_string)):
        one.save(tmp_path / str(number))
        assert (tmp_path / str(number) / "encoder" / "mini" / "model.safetensors").is_file()
        assert (tmp_path / str(number) / "parser" / "parser").is_dir()
        again = load(tmp_path / str(number))
        assert again.encode("Der Junge will gehen.", lang="de").shape == (encoder.dimension,)


def test_other_processes_encode_the_same(encoder: RetrofittedEncoder, folder: Path) -> None:
    from retrofit.sentence_transformer import load as load_model

    model = load_model(folder)
    pool = model.start_multi_process_pool(["cpu"])
    try:
        vectors = model.encode(SENTENCES, pool=pool, chunk_size=2, lang="de")
    finally:
        model.stop_multi_process_pool(pool)
    np.testing.assert_allclose(vectors, encoder.encode(SENTENCES, lang="de"), **LIKE)


def test_other_weights_are_an_error_that_says_so(changed: Path) -> None:
    replace(changed, f'fingerprint = "{load_base("muse").fingerprint[:8]}', 'fingerprint = "muse:0000')
    with pytest.raises(InputError, match=r"'base\.fingerprint': weights differ from the saved ones"):
        load_saved(changed)


def test_another_machines_arithmetic_is_none(changed: Path) -> None:
    own = load_base("muse").fingerprint
    other = own.rpartition(":")[0] + (":float32" if own.endswith("bfloat16") else ":bfloat16")
    replace(changed, own, other)
    assert load_saved(changed).weights == (0.5,)


def test_a_parser_that_does_not_split_is_saved_as_it_is(
    encoder: RetrofittedEncoder, folder: Path, tmp_path: Path
) -> None:
    text = "Der Junge will gehen. Das Mädchen schläft."
    whole = load("muse", "mini", "mini", 0.5, split=False)
    whole.save(tmp_path / "whole")
    again = load(tmp_path / "whole")
    assert again.parser.fingerprint == whole.parser.fingerprint != encoder.parser.fingerprint
    np.testing.assert_array_equal(again.encode([text], lang="de"), whole.encode([text], lang="de"))


def test_a_saved_folder_takes_a_device_and_no_other_reading(changed: Path) -> None:
    for other in ({"split": False}, {"beam": 1}):
        with pytest.raises(OptionError, match="load it alone"):
            load(changed, **other)
    with pytest.raises(OptionError, match="'nonsense'"):
        load(changed, device="nonsense")


def test_what_is_missing_is_named(changed: Path, tmp_path: Path) -> None:
    replace(changed, 'name = "muse"', 'name = "st:no/such"')
    with pytest.raises(MissingResourceError, match=r"needed by .*copy\).*hf download no/such"):
        load_saved(changed)
    shutil.rmtree(changed / "encoder")
    with pytest.raises(InputError, match="mine: no such folder; the encoder's copy"):
        load_saved(changed)
    with pytest.raises(InputError, match="is this a folder that amrx retrofit --save wrote"):
        load_saved(tmp_path)


@pytest.mark.parametrize("place", ["../outside", "{tmp_path}/outside", "encoder/../../outside"])
def test_no_folder_outside_is_read_or_written(changed: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "target").mkdir()
    replace(changed, 'folder = "encoder/mine"', f'folder = "{place.format(tmp_path=tmp_path)}"')
    for use in (load_saved, lambda folder: copy_saved(folder, tmp_path / "target")):
        with pytest.raises(InputError, match=r"'encoder\.folder': .* is outside of the folder"):
            use(changed)
    assert not list((tmp_path / "target").iterdir())


@pytest.mark.parametrize("kind", ["", "st:", "hf:"])
def test_it_is_no_base(folder: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(OptionError, match="has its AMR side already and is no base"):
        load_base(f"{kind}{folder}")
    if kind:
        assert main(["explain", "a", "b", "--base", f"{kind}{folder}"]) == 2
        assert "is no base" in capsys.readouterr().err


def test_the_commands_take_it_alone(
    encoder: RetrofittedEncoder, changed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, cache = tmp_path / "in.txt", ["--cache", str(tmp_path / "parses")]
    text.write_text("\n".join(SENTENCES) + "\n", "utf-8")
    saved = ["--base", str(changed), *cache]
    vectors, kept = tmp_path / "v.npy", ["--vector-cache", str(tmp_path / "vectors")]
    assert main(["retrofit", str(text), "-o", str(vectors), "--lang", "de", *saved, *kept]) == 0
    np.testing.assert_allclose(np.load(vectors), encoder.encode(SENTENCES, lang="de"), **LIKE)
    assert main(["pairs", str(text), "-o", str(tmp_path / "p.tsv"), *saved, *kept]) == 0
    assert "男孩想走。" in (tmp_path / "p.tsv").read_text("utf-8")
    assert main(["explain", *SENTENCES[:2], "-o", str(tmp_path / "why.txt"), *saved]) == 0
    assert "weight 0.5" in (tmp_path / "why.txt").read_text("utf-8")
    capsys.readouterr()


@pytest.mark.parametrize(
    "other",
    [
        ["--parser", "mini"], ["--encoder", "mini"], ["--preset", "fast"], ["--no-split"],
        ["--integration", "norm-concat"], ["--dimensions", "64"], ["--fit-weight", "--data", "."],
    ],
)  # fmt: skip
def test_the_commands_take_no_other_part_beside_it(
    changed: Path, other: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "in.txt"
    text.write_text("Der Junge will gehen.\n", "utf-8")
    arguments = ["retrofit", str(text), "-o", str(tmp_path / "v.npy"), "--base", str(changed), *other]
    assert main(arguments) == 2
    named = other[0].removeprefix("--").removeprefix("no-")
    assert f"load it alone, without {named}, with amrx.load(DIR) or as --base DIR" in capsys.readouterr().err
    assert not (tmp_path / "v.npy").exists()


def test_a_weight_that_nobody_fitted_is_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    unfitted = Path(shutil.copytree(find_encoder("mini"), tmp_path / "my encoder"))
    (unfitted / "fitted_weights.json").unlink()
    load("muse", "mini", unfitted)
    command = f"amrx retrofit --base muse --encoder '{unfitted}' --fit-weight --data DIR --save NEW_DIR"
    [message] = caplog.messages
    assert message == (
        f"no weight was fitted for {unfitted} beside muse, so it is 1; fit and store it: {command}"
    )
    caplog.clear()
    load(load_base("muse"), "mini", unfitted)
    assert caplog.messages == [
        f"no weight was fitted for {unfitted} beside muse, so it is 1; give weight=, which "
        "retrofit.weight_fitting.fit_on_stsb fits"
    ]
    caplog.clear()

    class Mine:
        def encode(self, sentences: list[str]) -> Vectors:
            return np.eye(4, dtype=np.float32)[[len(text) % 4 for text in sentences]]

    weights = stored_weights(find_encoder("student-text"))
    load(Mine(), preset="fast")
    [message] = caplog.messages
    assert f"(fitted: student-text {weights['e5-small']['']['weight']:g} beside e5-small, " in message
    assert f", {weights['muse']['']['weight']:g} beside muse); give weight=, which retrofit.w" in message
    caplog.clear()
    load("muse", "mini", unfitted, weight=0.5)
    load("muse", "mini", "mini")
    assert not caplog.messages


def test_eval_scores_it(changed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from retrofit.evaluated_encoders import Caches, Contestants, load_contestants

    asked = Contestants(str(changed), (), (), None, None, None)
    [loaded] = load_contestants(asked, changed, Caches(), ExitStack())
    assert loaded.name == load(changed).name


def test_eval_loads_base_and_parser_once_for_all_encoders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeds of one recipe, and a control, beside one base; the AMR encoders run on the base's device."""
    import parser
    import retrofit.bases
    from parser.run.pool import GrowingParser
    from retrofit.evaluated_encoders import Caches, Contestants, load_contestants

    loaded: list[object] = []
    module = sys.modules["retrofit.load"]  # the package has a function of this name
    load_amr = module.load_amr

    def base(name: str, device: str | None = None) -> Words:
        loaded.append((name, device))
        return Words()

    def toy(name: str, *, beam: int | None = None) -> ToyParser:
        loaded.append((name, beam))
        return ToyParser()

    def amr(name: str, *, device: str, precision: str = "auto") -> object:
        loaded.append((Path(name).name, device))
        return load_amr(name, device=device, precision=precision)

    monkeypatch.setattr(retrofit.bases, "load_base", base)
    monkeypatch.setattr(parser, "load", toy)
    monkeypatch.setattr(module, "load_amr", amr)
    monkeypatch.setattr("retrofit.evaluated_encoders.with_control", lambda base, text, data: text)
    monkeypatch.setenv("AMRX_DEVICE", "cpu")
    (tmp_path / "seed-2").symlink_to(find_encoder("mini"))
    asked = Contestants("muse", ("amr",), ("mini", str(tmp_path / "seed-2")), "mini", "mini", 1.0)
    with ExitStack() as stack:
        alone, *others, control = load_contestants(asked, tmp_path, Caches(), stack)
    assert loaded == [
        ("muse", "cpu"), ("mini", "cpu"), (with_split("mini"), None), ("seed-2", "cpu"), ("mini", "cpu")
    ]  # fmt: skip
    first, second = others
    assert isinstance(first, RetrofittedEncoder) and isinstance(second, RetrofittedEncoder)
    assert first.base is second.base is alone and control.name.endswith("-text")
    assert first.parser is second.parser and isinstance(first.parser, GrowingParser)


def test_local_folders_are_told_from_names(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    where = str(tmp_path)
    names = ["muse", "st:org/model", f"st:{where}", where, f"hf@cls:{where}"]
    assert list(map(base_folder, names)) == ["", "", where, where, where]
    names = ["mini", f"mini:{where}", where, f"pivot:seq2seq:{where}", "pivot:mini"]
    assert list(map(parser_folder, names)) == ["", where, where, where, ""]
    assert encoder_folder("mini") == ""


def test_a_training_is_refused_with_the_way_out(folder: Path, tmp_path: Path) -> None:
    import torch
    from datasets import Dataset
    from sentence_transformers import SentenceTransformerTrainer, SentenceTransformerTrainingArguments
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

    from retrofit.sentence_transformer import load as load_model

    model = load_model(folder)
    rows = Dataset.from_dict(
        {"anchor": ["It rains.", "She reads."], "positive": ["Es regnet.", "Sie liest."]}
    )
    arguments = SentenceTransformerTrainingArguments(
        str(tmp_path), max_steps=1, per_device_train_batch_size=2, report_to="none", save_strategy="no",
        use_cpu=True,
    )  # fmt: skip
    loss = MultipleNegativesRankingLoss(model)
    trainer = SentenceTransformerTrainer(model=model, args=arguments, train_dataset=rows, loss=loss)
    with pytest.raises(
        OptionError, match="a retrofitted model cannot be trained, its vectors have no gradient"
    ):
        trainer.train()
    with torch.no_grad():  # no training
        assert model.train().encode(["It rains."]).shape[0] == 1
