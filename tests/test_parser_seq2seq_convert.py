"""Published checkpoints to folders, by round trip with tiny models in their layout."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from amrx.cli import main
from amrx.errors import InputError, MissingResourceError, OutputError
from amrx.types import Sentence
from parser import load
from parser.writers.convert import convert, new_tokens, read_lists
from tests.support import tiny_seq2seq as tiny

LISTS = {
    # want-01 twice; boy is a piece of the base without its space, "the" one with it; rare-01 is too rare
    "predicates.txt": "want-01 9\nrare-01 4\ngo-02 5\nboy 7\nthe 7\n",
    "additions.txt": "date-entity\n-01\n-of\n:ARG0\n:ARG1\nwant-01\n",
    "recategorizations.txt": "PERSON\n_1\n\n",
}
MARKS = 512 + 6


@pytest.fixture(scope="module")
def vocab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vocab")
    for name, text in LISTS.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module", params=["bart", "mbart"])
def base(request, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was fine-tuned, with weights that the conversion must not look at."""
    folder = tmp_path_factory.mktemp(request.param) / request.param
    bart = request.param == "bart"
    tokenizer = tiny.bart_tokenizer(folder.parent / "text") if bart else tiny.mbart_tokenizer()
    return tiny.save(folder, tiny.tiny_model(request.param, len(tokenizer), seed=5), tokenizer)


def rows_of(base: Path, vocab: Path) -> int:
    vocabulary = json.loads((base / "tokenizer.json").read_text())["model"]["vocab"]
    known = [entry if isinstance(entry, str) else entry[0] for entry in vocabulary]
    return len(known) + len(new_tokens(read_lists(vocab), known, base.name))


def checkpoint(file: Path, model, *, layout: str) -> Path:
    """Save a model as its training would have: SPRING with its pointer network and no head, XAMR as it is."""
    import torch

    state = {f"module.{key}" if layout == "xamr" else key: value for key, value in model.state_dict().items()}
    if layout == "spring":
        del state["lm_head.weight"]
        for part in ("q", "k"):
            state[f"model.decoder.pointer_{part}.weight"] = torch.randn(32, 32)
            state[f"model.decoder.pointer_{part}.bias"] = torch.randn(32)
        state["model.decoder.embed_backreferences.weight"] = torch.randn(4, 32)
    torch.save({"model": state, "optimizer": {"state": {}, "lr": 1e-5}}, file)
    return file


def logits(model, rows: int):
    import torch

    ids = torch.arange(10)[None] + rows - 11
    with torch.inference_mode():
        return model(input_ids=ids, decoder_input_ids=ids.flip(1)).logits


@pytest.mark.parametrize("tied", [True, False])
def test_the_folder_gives_the_logits_of_the_checkpoint(
    base: Path, vocab: Path, tmp_path: Path, tied: bool, full_disk
):
    import torch

    rows = rows_of(base, vocab)
    model = tiny.tiny_model(base.name, rows, seed=2, tie_word_embeddings=tied)
    layout = "spring" if base.name == "bart" and tied else "xamr"
    file = checkpoint(tmp_path / "best.pt", model, layout=layout)
    argv = ["convert-checkpoint", str(file), "-o", str(tmp_path / "new"), "--base", str(base)]
    with full_disk(), pytest.raises(OutputError, match="new: cannot be written: No space left on device"):
        convert(file, tmp_path / "new", base, vocab)
    assert main([*argv, "--vocab", str(vocab)]) == 0
    parser = load(f"seq2seq:{tmp_path / 'new'}")
    assert torch.equal(logits(parser.model, rows), logits(model, rows))
    assert parser.model.config.tie_word_embeddings is tied
    assert len(parser.tokenizer) == rows
    settings = parser.generate.settings
    expected = (0, None) if base.name == "bart" else (2, 0)
    assert (settings.decoder_start_token_id, settings.forced_bos_token_id) == expected
    [parse] = parser.parse([Sentence("1", "The boy wants to go.", "en")])
    assert parse.graph.triples
    assert not [entry for entry in tmp_path.iterdir() if entry.name.startswith(".")]


def test_every_token_has_the_row_of_its_place(base: Path, vocab: Path, tmp_path: Path):
    rows = rows_of(base, vocab)
    file = checkpoint(tmp_path / "best.pt", tiny.tiny_model(base.name, rows), layout="xamr")
    added = convert(file, tmp_path / "new", base, vocab)
    tokenizer = load(f"seq2seq:{tmp_path / 'new'}").tokenizer
    tokens = tokenizer.convert_ids_to_tokens(range(rows - added, rows))
    names = ["want-01", "go-02", "boy", "the", "date-entity", "-01", "-of", ":ARG0", ":ARG1", "PERSON", "_1"]
    if base.name == "bart":  # a token listed twice: its last place there, its first on mBART-50
        names.remove("want-01")
        names.insert(names.index("PERSON"), "want-01")
        known = {"Ġboy", "Ġthe"}  # pieces of the base get no second row
        assert known < set(tokenizer.convert_ids_to_tokens(range(rows - added)))
        names = [name for name in names if f"Ġ{name}" not in known]
    assert tokens[:-MARKS] == [name if name[0] in "-_" else f" {name}" for name in names]
    assert tokens[-MARKS] == " <pointer:0>"
    assert tokens[-7:] == [
        " <pointer:511>", " <pointer>", " <stop>", " <lit>", " </lit>", " <backr:src:XXX>",
        " <backr:trg:XXX>",
    ]  # fmt: skip


def test_what_does_not_fit_is_named(base: Path, vocab: Path, tmp_path: Path):
    import torch

    rows = rows_of(base, vocab)
    model = tiny.tiny_model(base.name, rows)

    def told(change, *, lists: Path | None = vocab) -> str:
        state = dict(model.state_dict())
        change(state)
        torch.save({"model": state}, tmp_path / "bad.pt")
        with pytest.raises((InputError, MissingResourceError)) as caught:
            convert(tmp_path / "bad.pt", tmp_path / "new", base, lists)
        assert not (tmp_path / "new").exists()
        return str(caught.value)

    key, shared = "model.decoder.layers.0.fc1.bias", "model.shared.weight"
    assert f"key '{key}' is missing" in told(lambda state: state.pop(key))
    assert "key 'a.b' (and 1 more) is unknown" in told(lambda s: s.update({"a.c": s[key], "a.b": s[key]}))
    misshapen = told(lambda s: s.update({key: torch.zeros(3)}))
    assert f"'{key}' has shape (3,), the base requires (64,)" in misshapen
    assert f"key '{shared}' is missing" in told(lambda state: state.pop(shared))
    assert f"has {rows - 1} rows" in told(lambda s: s.update({shared: s[shared][1:]}))
    assert "without pointer tokens" in told(lambda s: s.update({shared: s[shared][512:]}))
    assert "git clone" in told(lambda state: None, lists=None)
    assert "--vocab takes the folder" in told(lambda state: None, lists=tmp_path)


def test_a_file_that_runs_code_is_not_read(base: Path, vocab: Path, tmp_path: Path):
    class Evil:
        def __reduce__(self):
            return Path.touch, (tmp_path / "ran",)

    import torch

    torch.save({"model": Evil()}, tmp_path / "evil.pt")
    (tmp_path / "old.pt").write_bytes(pickle.dumps({"model": Evil()}))
    (tmp_path / "text.pt").write_text("no checkpoint")
    for name in ("evil.pt", "old.pt", "text.pt"):
        with pytest.raises(InputError, match=r"cannot be read as plain weights"):
            convert(tmp_path / name, tmp_path / "new", base, vocab)
    assert not (tmp_path / "ran").exists()
    torch.save({"model.shared.weight": torch.zeros(3, 2)}, tmp_path / "best.pt")
    for place, told in (("here", "exists already"), ("no/where", "does not exist")):
        (tmp_path / "here" / "mine").mkdir(parents=True, exist_ok=True)
        with pytest.raises(OutputError, match=told):
            convert(tmp_path / "best.pt", tmp_path / place, base, vocab)


def test_the_command_says_what_is_missing(base: Path, tmp_path: Path, capsys, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    argv = ["convert-checkpoint", str(tmp_path / "best.pt"), "-o", str(tmp_path / "new")]
    assert main([*argv, "--base", str(base)]) == 2
    assert "best.pt: no such file" in capsys.readouterr().err
    (tmp_path / "best.pt").touch()
    assert main([*argv, "--base", str(base)]) == 2
    assert "best.pt: is empty" in capsys.readouterr().err
    assert main(["convert-checkpoint", str(tmp_path), "-o", "new", "--base", str(base)]) == 2
    assert "is a folder, not a file" in capsys.readouterr().err
    (tmp_path / "best.pt").write_text("no checkpoint")
    assert main([*argv[:-1], str(base), "--base", str(base)]) == 2  # told before the file is read
    assert "exists already; name a new folder" in capsys.readouterr().err
    assert main([*argv, "--base", "facebook/bart-large"]) == 2
    assert "hf download facebook/bart-large; or give a local copy with --base DIR" in capsys.readouterr().err
    for name in ("no/such/dir", "a b", ""):
        assert main([*argv, "--base", name]) == 2
        told = f"{name!r}: neither a folder nor a valid hub id; give --base DIR"
        assert told in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_the_tokenizer_of_the_hub_needs_a_package(vocab: Path, tmp_path: Path, monkeypatch):
    (tmp_path / "config.json").write_text('{"model_type": "mbart"}')
    (tmp_path / "sentencepiece.bpe.model").touch()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match="pip install protobuf"):
        convert(tmp_path / "best.pt", tmp_path / "new", tmp_path, vocab)


def test_bad_lists(tmp_path: Path, vocab: Path):
    for name, text in LISTS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "predicates.txt").write_text("want-01 9\ngo-02 many\n")
    with pytest.raises(
        InputError, match=r"predicates\.txt:2: must be a frame and its count, got 'go-02 many'"
    ):
        read_lists(tmp_path)
