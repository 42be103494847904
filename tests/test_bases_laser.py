from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError, MissingResourceError
from amrx.types import Encoder
from retrofit.bases import load_base
from retrofit.bases.laser.text import clean
from tests.support.tiny_laser import HIDDEN, tiny_checkpoint, written_out

LINES = [
    "der junge will gehen .",
    "the boy wants to go .",
    'l\'an 1.000 (a) "b"',
    "zwei mädchen , drei jungen",
]
TEXTS = ["Der Junge will  gehen.", "The girl (a boy) wants", "", "„Zwei“ Mädchen…", "q"]


def subwords() -> bytes:
    import sentencepiece

    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES * 4), model_writer=written, vocab_size=44, hard_vocab_limit=False,
        model_type="unigram", character_coverage=1.0, minloglevel=2,
    )  # fmt: skip
    return written.getvalue()


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    """LASER2's two files: real keys, five layers of two directions, random numbers."""
    import sentencepiece
    import torch

    folder = tmp_path_factory.mktemp("laser")
    (folder / "laser2.spm").write_bytes(subwords())
    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / "laser2.spm"))
    pieces = [model.IdToPiece(place) for place in range(3, model.GetPieceSize())]
    dictionary = {
        "<s>": 0,
        "<pad>": 1,
        "</s>": 2,
        "<unk>": 3,
        **{p: n for n, p in enumerate(pieces, start=4)},
    }
    found = tiny_checkpoint(dictionary)
    torch.save(found, folder / "laser2.pt")
    return folder, found


def by_hand(folder: Path, found: dict, text: str) -> list[int]:
    import sentencepiece

    model = sentencepiece.SentencePieceProcessor(model_file=str(folder / "laser2.spm"))
    pieces = model.encode(clean(text), out_type=str)
    return [found["dictionary"].get(piece, 3) for piece in pieces] + [2]


def test_vectors_are_those_of_the_written_out_network_for_every_batch_size(checkpoint) -> None:
    folder, found = checkpoint
    base = load_base(f"laser:{folder}", "cpu")
    assert isinstance(base, Encoder)
    vectors = base.encode(TEXTS, lang="de", batch_size=2)
    assert (base.name, base.dimension, vectors.dtype) == ("laser", 2 * HIDDEN, np.float32)
    expected = np.stack([written_out(found, by_hand(folder, found, text)) for text in TEXTS])
    np.testing.assert_allclose(vectors, expected, atol=2e-6)
    for size in (1, 3, 64):
        np.testing.assert_allclose(base.encode(TEXTS, batch_size=size), vectors, atol=1e-6)
    assert base.encode([]).shape == (0, 2 * HIDDEN)
    assert load_base(str(folder), "cpu").fingerprint == base.fingerprint


def test_ids_end_in_eos_and_hold_unk_for_what_the_dictionary_lacks(checkpoint) -> None:
    folder, found = checkpoint
    ids = load_base(f"laser:{folder}", "cpu").ids(["", "The girl", "q", "THE GIRL"])
    assert ids[0] == [2]
    assert ids[1][-1] == 2 and 0 not in ids[1] and ids[1] == ids[3] == by_hand(folder, found, "the girl")
    assert 3 in ids[2]


def test_a_checkpoint_of_2018_in_torchs_old_format_reads_the_same(checkpoint, tmp_path: Path) -> None:
    import torch

    folder, found = checkpoint
    (tmp_path / "laser2.spm").write_bytes((folder / "laser2.spm").read_bytes())
    torch.save(found, tmp_path / "laser2.pt", _use_new_zipfile_serialization=False)
    old, new = load_base(f"laser:{tmp_path}", "cpu"), load_base(f"laser:{folder}", "cpu")
    assert np.array_equal(old.encode(TEXTS), new.encode(TEXTS))
    assert old.fingerprint != new.fingerprint


# what laser_encoders 0.0.2 with sacremoses 0.2.0 makes of them, run once; so 60,000 random strings agreed
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a) .", "(a)."),
        ("a – b  a—b", "a - b a - b"),
        ("l’an", "l'an"),
        ("« a »", '" a "'),
        ("«\u00a0Oui\u00a0»", '"oui"'),
        ("3 %", "3%"),
        ("1\u00a0000", "1.000"),
        ('"a",', '"a,"'),
        ("a‘b‘c", "a'b\"c"),
        ("Nº\u00a05 , 20\u00a0ºC", "nº\u00a05 , 20 ºc"),
        ("`quoted''", "'quoted \""),
        ("‘so’ wie ‚hier‘", '"so" wie "hier"'),
        ("x \u200b y\ttab", "x y tab"),
        ("(a ) ; b : c", "(a); b: c"),
        ("你好，（世界）。", "你好，（世界）。"),
        ("\ud800", ""),
    ],
)
def test_text_is_cleaned_as_published(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_missing_files_name_their_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    message = r"laser2\.pt and laser2\.spm of LASER2 .*curl .*laser/laser2\.\{pt,spm\}; or .* laser:DIR"
    with pytest.raises(MissingResourceError, match=message):
        load_base("laser")
    (tmp_path / "laser2.pt").touch()
    with pytest.raises(MissingResourceError, match=r"^missing on this machine: laser2\.spm of LASER2"):
        load_base(f"laser:{tmp_path}")


def test_files_of_laser_encoders_are_found(checkpoint, monkeypatch, tmp_path: Path) -> None:
    folder, _ = checkpoint
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "laser_encoders").symlink_to(folder)
    assert load_base("laser", "cpu").encode(["a"]).shape == (1, 2 * HIDDEN)


class Evil:
    def __reduce__(self):
        return (print, ("code of the file ran",))


def test_other_files_are_refused(checkpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import torch

    folder, found = checkpoint
    (tmp_path / "laser2.spm").write_bytes((folder / "laser2.spm").read_bytes())
    params, model, dictionary = found["params"], found["model"], found["dictionary"]
    cases = {
        "cannot be read as plain weights": {**found, "params": Evil()},
        "lacks dictionary; is this LASER1 or LASER2": {"params": params, "model": model},
        "lacks params, model, dictionary": [1],
        "unknown param 'heads'": {**found, "params": {**params, "heads": 3}},
        "params describe no network": {**found, "params": {"num_embeddings": 5}},
        "arrays do not fit": {**found, "params": {**params, "num_layers": 4}},
        "ids outside": {**found, "dictionary": {**dictionary, "x": len(dictionary)}},
    }
    for message, wrong in cases.items():
        torch.save(wrong, tmp_path / "laser2.pt")
        with pytest.raises(InputError, match=message):
            load_base(f"laser:{tmp_path}")
    assert "code of the file ran" not in capsys.readouterr().out
    (tmp_path / "laser2.pt").write_bytes(b"damaged")
    with pytest.raises(InputError, match="cannot be read as plain weights"):
        load_base(f"laser:{tmp_path}")
    (tmp_path / "laser2.pt").write_bytes((folder / "laser2.pt").read_bytes())
    (tmp_path / "laser2.spm").write_bytes(b"damaged")
    with pytest.raises(InputError, match="not a SentencePiece model"):
        load_base(f"laser:{tmp_path}")
