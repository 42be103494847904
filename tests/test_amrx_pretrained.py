"""Every loader refuses a model folder that is not whole, by one rule."""

import json
import re
import shutil
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path

import pytest

from amrx.errors import InputError
from tests.support import damaged_models as damage
from tests.support import tiny_causal, tiny_marian, tiny_mbart, tiny_models, tiny_seq2seq


@dataclass(frozen=True)
class Loader:
    """How a model is made and loaded; ``layer`` names its layers, ``layers`` counts them."""

    make: Callable[[Path], Path]
    load: Callable[[Path], object]
    layer: str
    layers: int


def _base(prefix: str) -> Callable[[Path], object]:
    def load(folder: Path) -> object:
        from retrofit.bases import load_base

        return load_base(f"{prefix}:{folder}", "cpu")

    return load


def _parser(kind: str) -> Callable[[Path], object]:
    def load(folder: Path) -> object:
        from parser import load

        return load(f"{kind}:{folder}")

    return load


def _backbone(folder: Path) -> object:
    from retrofit.training.bases.backbone import build_encoder
    from retrofit.training.bases.recipe import Backbone

    return build_encoder(Backbone(name=str(folder), max_tokens=16), 0)


def _decoder(folder: Path) -> object:
    import torch

    from retrofit.training.bases.vmsst.network import build_decoder
    from retrofit.training.bases.vmsst.recipe import Decoder, Recipe

    recipe = Recipe()
    start = replace(recipe.backbone, name=str(folder), start="pretrained")
    recipe = replace(recipe, backbone=start, decoder=Decoder(layers=1))
    model = types.SimpleNamespace(get_input_embeddings=lambda: torch.nn.Embedding(2, 2))
    return build_decoder(model, 4, 2, recipe)  # type: ignore[arg-type]  # only a random one looks at more


def _marian(folder: Path) -> object:
    from amrx.translate.marian import Marian

    return Marian(folder, "de", device="cpu")


def _mbart(folder: Path) -> object:
    from amrx.translate.mbart50 import MBartTranslator

    return MBartTranslator(str(folder), device="cpu").pair("en", "de")


def _seq2seq_base(folder: Path) -> object:
    from parser.writers.seq2seq import load_network

    return load_network(folder, 0.1)


def _bart(folder: Path) -> Path:
    tokenizer = tiny_seq2seq.add_symbols(tiny_seq2seq.bart_tokenizer(folder / "pieces"))
    return tiny_seq2seq.save(folder, tiny_seq2seq.tiny_model("bart", len(tokenizer)), tokenizer)


def _causal_parser(folder: Path) -> object:
    from parser.writers.causal import load_folder

    return load_folder(folder)


def _amrlib(folder: Path) -> Path:
    import sentencepiece
    import torch
    from transformers import T5Config, T5ForConditionalGeneration, T5Tokenizer

    learnt = sentencepiece.SentencePieceProcessor(
        model_proto=tiny_seq2seq.sentencepiece_model(tiny_seq2seq.TEXTS)
    )
    pieces = [(learnt.id_to_piece(i), learnt.get_score(i)) for i in range(3, len(learnt))]
    tokenizer = T5Tokenizer(vocab=[("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), *pieces], extra_ids=0)
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(tokenizer), d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=1,
    )  # fmt: skip
    tiny_seq2seq.save(folder, T5ForConditionalGeneration(config).eval(), tokenizer)
    file = folder / "config.json"
    settings = {"parse_amr": {"max_in_len": 24, "max_out_len": 32, "model_name_or_path": "t5-base"}}
    file.write_text(json.dumps(json.loads(file.read_text()) | {"task_specific_params": settings}))
    return folder


def _mt5(folder: Path) -> Path:
    import torch
    from transformers import MT5Config, MT5ForConditionalGeneration

    torch.manual_seed(0)
    config = MT5Config(vocab_size=40, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2)
    config.tie_word_embeddings = False
    model = MT5ForConditionalGeneration(config)
    model.set_input_embeddings(model.shared)
    model.save_pretrained(folder)
    return folder


def _fine_tuned(folder: Path) -> object:
    from retrofit.training.fine_tune.heads import load_model

    return load_model(folder, 3, 0)


LOADERS = {
    "st": Loader(lambda f: tiny_models.sentence_model(f, labse=False), _base("st"), "encoder.layer.", 2),
    "labse": Loader(lambda f: tiny_models.sentence_model(f, labse=True), _base("labse"), "encoder.layer.", 2),
    "hf": Loader(tiny_models.bert, _base("hf"), "encoder.layer.", 2),
    "train-base": Loader(tiny_models.bert, _backbone, "encoder.layer.", 2),
    "fine-tune": Loader(tiny_models.bert, _fine_tuned, "encoder.layer.", 2),
    "vmsst decoder": Loader(_mt5, _decoder, "decoder.block.", 2),
    "opus-mt": Loader(tiny_marian.save, _marian, "encoder.layers.", 1),
    "mbart50": Loader(tiny_mbart.save, _mbart, "decoder.layers.", 1),
    "seq2seq": Loader(_bart, _parser("seq2seq"), "decoder.layers.", 1),
    "seq2seq base": Loader(_bart, _seq2seq_base, "encoder.layers.", 1),
    "causal": Loader(tiny_causal.make_base, _causal_parser, "layers.", 2),
    "amrlib": Loader(_amrlib, _parser("amrlib"), "encoder.block.", 1),
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One model of each kind, made when it is first asked for."""
    root = tmp_path_factory.mktemp("models")

    class Made(dict):
        def __missing__(self, name: str) -> Path:
            self[name] = LOADERS[name].make(root / name.replace(" ", "-"))
            return self[name]

    return Made()


@pytest.fixture(autouse=True)
def _amrlib_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package is asked for before its weights are read; how it parses is not looked at here."""
    names = ("amrlib", "amrlib.models", "amrlib.models.parse_xfm", "amrlib.models.parse_xfm.inference")
    if "amrlib" in sys.modules:
        return
    made = {name: types.ModuleType(name) for name in names}
    for name, module in made.items():
        module.__path__ = []
        parent, _, own = name.rpartition(".")
        if parent:
            setattr(made[parent], own, module)
        monkeypatch.setitem(sys.modules, name, module)
    made[names[-1]].Inference = object


@pytest.mark.parametrize("name", LOADERS)
def test_arrays_that_are_missing_misshapen_or_too_many_are_refused(name, models, tmp_path):
    kind, whole = LOADERS[name], models[name]
    last = f"{kind.layer}{kind.layers - 1}."
    lost = damage.changed(whole, tmp_path / "lost", damage.without(last))
    with pytest.raises(InputError, match=rf"lost: lacks \d+ arrays of the model, \S*{re.escape(last)}"):
        kind.load(lost)
    narrow = damage.changed(whole, tmp_path / "narrow", damage.narrowed(last))
    with pytest.raises(
        InputError, match=r"narrow: has \d+ arrays of another shape than the model, \S+ first: \("
    ):
        kind.load(narrow)
    more = f"{kind.layer}{kind.layers}."
    deep = damage.changed(whole, tmp_path / "deep", damage.deeper(kind.layer, kind.layers))
    told = rf"deep: has \d+ arrays that the model of its config\.json lacks, \S*{re.escape(more)}\S+ first"
    with pytest.raises(InputError, match=told):
        kind.load(deep)


@pytest.mark.parametrize(
    ("name", "number"), [*zip(LOADERS, cycle((float("nan"), float("inf"), float("-inf"))), strict=False)]
)
def test_arrays_that_are_not_finite_are_refused(name, number, models, tmp_path):
    kind = LOADERS[name]
    last = f"{kind.layer}{kind.layers - 1}."

    def harm(arrays: dict) -> dict:
        array = next(array for key, array in arrays.items() if last in key)
        array.view(-1)[0] = number
        return arrays

    with pytest.raises(InputError, match=rf"harmed: has 1 arrays that are not finite, \S*{re.escape(last)}"):
        kind.load(damage.changed(models[name], tmp_path / "harmed", harm))


@pytest.mark.parametrize("name", ["st", "labse", "hf"])
def test_a_tokenizer_that_is_lost_or_too_large_is_refused(name, models, tmp_path):
    folder = Path(shutil.copytree(models[name], tmp_path / "model"))
    file = folder / "tokenizer.json"
    read = json.loads(file.read_text())
    words = read["model"]["vocab"]
    file.write_text(json.dumps(read | {"model": read["model"] | {"vocab": words | {"dog": len(words)}}}))
    with pytest.raises(InputError, match="model: tokenizer has 14 tokens, more than the model"):
        LOADERS[name].load(folder)
    file.unlink()
    with pytest.raises(InputError, match="model: has a tokenizer without words"):
        LOADERS[name].load(folder)


def test_seq2seq_needs_its_tokenizers_settings(models: dict[str, Path], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(models["seq2seq"], tmp_path / "model"))
    (folder / "tokenizer_config.json").unlink()
    with pytest.raises(InputError, match=r"tokenizer_config\.json: no such file"):
        LOADERS["seq2seq"].load(folder)


@pytest.mark.parametrize("name", LOADERS)
def test_heads_that_are_not_used_are_passed_over(name: str, models: dict[str, Path], tmp_path: Path) -> None:
    import torch

    def with_heads(arrays: dict) -> dict:
        heads = ("cls.predictions.bias", "qa_outputs.weight", "classification_head.dense.bias", "logit_scale")
        return arrays | {head: torch.ones(3) for head in heads}

    headed = damage.changed(models[name], tmp_path / "headed", with_heads)
    kind = LOADERS[name]
    if name == "amrlib":  # the parser itself is a stub's
        from parser import amrlib as xfm

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(xfm, "AmrlibParser", lambda *parts: parts)
            assert kind.load(headed)
    else:
        assert kind.load(headed)


@pytest.mark.parametrize("name", ["opus-mt", "mbart50", "seq2seq", "amrlib", "causal"])
def test_tied_tables_stand_once_and_may_not_be_lost(name, models, tmp_path):
    """The table of pieces has several names in the network and one in the file."""

    def tables(arrays: dict) -> list[str]:
        return [key for key in arrays if key.endswith(("shared.weight", "embed_tokens.weight"))]

    def without_tables(arrays: dict) -> dict:
        assert tables(arrays)
        return {key: array for key, array in arrays.items() if key not in tables(arrays)}

    lost = damage.changed(models[name], tmp_path / "lost", without_tables)
    with pytest.raises(InputError, match=r"lacks \d+ arrays of the model"):
        LOADERS[name].load(lost)


@pytest.mark.parametrize("name", LOADERS)
def test_damaged_files_are_one_input_error(name, models, tmp_path):
    weights = (models[name] / "model.safetensors").read_bytes()
    settings = json.loads((models[name] / "config.json").read_text())
    harms = [
        ("model.safetensors", weights[: len(weights) // 3]),
        ("model.safetensors", b""),
        ("model.safetensors", b"<html>404</html>" * 9),
        ("config.json", b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
        ("config.json", b"[1, 2]"),
    ]
    # T5 without heads is a network without arrays, which the files do not fit
    if keys := {key: 0 for key in settings if key.endswith("attention_heads")}:
        harms.append(("config.json", json.dumps(settings | keys).encode()))
    for number, (file, content) in enumerate(harms):
        folder = Path(shutil.copytree(models[name], tmp_path / f"damaged-{number}"))
        (folder / file).write_bytes(content)
        with pytest.raises(InputError, match="damaged") as caught:
            LOADERS[name].load(folder)
        assert "\n" not in str(caught.value), number
