"""LASER1 from its three published files: random weights, the formats as they are."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.types import Encoder
from retrofit.bases import load_base
from retrofit.bases.laser.files import FIRST
from tests.support.tiny_laser import HIDDEN, tiny_checkpoint, written_out

WEIGHTS, CODES, VOCABULARY = FIRST.files
MERGES = "t h 9\nth e</w> 8\nb o 7\nbo y</w> 6\ng o</w> 5\n' s</w> 4\n"
PIECES = ("the", "boy", "go", "bo@@", "ys", "y@@", "s", ".", "'s", "'", "l@@", "l", "a@@", "n", "-")
TEXTS = ["The boy’s .", "boys go.", "", "l'an", "q THE the"]
CUT = [
    ["the", "boy", "'s", "."],
    ["bo@@", "y@@", "s", "go", "."],
    [],
    ["l", "'", "a@@", "n"],
    ["q", "the", "the"],
]
LANGS = ["en", "en", "en", "de", "en"]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    import torch

    pytest.importorskip("subword_nmt", reason="pip install 'amrx[laser]'")
    folder = tmp_path_factory.mktemp("laser1")
    # first comes what fairseq had there in 2018
    names = ("<Lua heritage>", "<pad>", "</s>", "<unk>", *PIECES)
    found = tiny_checkpoint({name: place for place, name in enumerate(names)})
    torch.save(found, folder / WEIGHTS, _use_new_zipfile_serialization=False)
    (folder / CODES).write_text(MERGES, "utf-8")
    (folder / VOCABULARY).write_text("".join(f"{piece} 3\n" for piece in PIECES), "utf-8")
    return folder, found


def copied(folder: Path, to: Path) -> Path:
    return Path(shutil.copytree(folder, to, dirs_exist_ok=True))


def test_subwords_are_looked_up_in_the_checkpoints_dictionary(published) -> None:
    folder, found = published
    base = load_base(f"laser:{folder}", "cpu")
    known = found["dictionary"]
    expected = [[*(known.get(piece, known["<unk>"]) for piece in row), known["</s>"]] for row in CUT]
    assert base.ids(TEXTS, LANGS) == expected
    left = ["l@@", "'", "a@@", "n", "</s>"]  # the apostrophe of French goes with what stands before it
    assert base.ids(["l'an"], "fr") == [[known[piece] for piece in left]]


def test_vectors_are_those_of_the_written_out_network_for_every_batch_size(published) -> None:
    folder, found = published
    base = load_base(str(folder), "cpu")
    assert isinstance(base, Encoder)
    assert (base.name, base.dimension) == ("laser1", 2 * HIDDEN)
    vectors = base.encode(TEXTS, lang=LANGS, batch_size=2)
    assert vectors.dtype == np.float32
    expected = np.stack([written_out(found, row) for row in base.ids(TEXTS, LANGS)])
    np.testing.assert_allclose(vectors, expected, atol=2e-6)
    np.testing.assert_allclose(base.encode(TEXTS, lang=LANGS), vectors, atol=1e-6)
    assert base.encode([], lang="en").shape == (0, 2 * HIDDEN)


def test_the_language_is_detected_where_none_is_said(published, monkeypatch) -> None:
    base = load_base(f"laser:{published[0]}", "cpu")
    monkeypatch.setattr(
        "amrx.langid.detect", lambda texts: ["fr" if "an" in text else "en" for text in texts]
    )
    texts = ["l'an", "boy's"]
    assert base.ids(texts) == base.ids(texts, ["fr", "en"]) != base.ids(texts, "de")
    with pytest.raises(OptionError, match="1 language codes for 2 sentences"):
        base.encode(texts, lang=["en"])


def test_a_language_that_needs_a_package_says_so_before_the_network_runs(published, monkeypatch) -> None:
    base = load_base(f"laser:{published[0]}", "cpu")
    monkeypatch.setitem(sys.modules, "jieba", None)
    monkeypatch.setattr(base, "_network", None)
    with pytest.raises(MissingResourceError, match=r"jieba, .* Chinese\).*pip install 'amrx\[laser\]'"):
        base.encode(["the boy", "那个男孩"], lang=["en", "zh"])


def test_fingerprint_is_of_all_three_files(published, tmp_path: Path) -> None:
    folder, _ = published
    whole = load_base(str(folder), "cpu").fingerprint
    assert whole.startswith("laser1:")
    for name in FIRST.files[1:]:
        other = copied(folder, tmp_path / name)
        text = (other / name).read_text("utf-8").replace(" 3\n", " 4\n").replace(" 9\n", " 10\n")
        (other / name).write_text(text, "utf-8")
        assert load_base(str(other), "cpu").fingerprint not in (whole, "")


@pytest.mark.parametrize("name", FIRST.files)
def test_a_missing_file_names_the_command_for_all(published, tmp_path: Path, name: str) -> None:
    folder = copied(published[0], tmp_path / "with blank")
    (folder / name).unlink()
    message = (
        rf"^missing on this machine: {name} of LASER1 \(looked in {folder}\); fetch: "
        rf"curl .*--output-dir '{folder}' .*"
        r"/laser/models/\{bilstm\.93langs\.2018-12-26\.pt,93langs\.fcodes,93langs\.fvocab\}; or .* laser:DIR$"
    )
    with pytest.raises(MissingResourceError, match=message):
        load_base(f"laser:{folder}")


def test_both_encoders_in_one_folder_are_laser2(published, tmp_path: Path) -> None:
    folder = copied(published[0], tmp_path / "both")
    (folder / "laser2.pt").touch()
    with pytest.raises(MissingResourceError, match=r"^missing on this machine: laser2\.spm of LASER2"):
        load_base(str(folder))


def test_damaged_files_are_told(published, tmp_path: Path) -> None:
    import torch

    folder, found = published
    wrong = copied(folder, tmp_path / "wrong")
    (wrong / CODES).write_text(MERGES + "b o\n", "utf-8")
    with pytest.raises(InputError, match=rf"{CODES}:7: 'b o' is not a merge"):
        load_base(str(wrong))
    shutil.copy(folder / CODES, wrong)
    (wrong / VOCABULARY).write_text("the 4\nboy\n", "utf-8")
    with pytest.raises(InputError, match=rf"{VOCABULARY}:2: 'boy' is not a piece"):
        load_base(str(wrong))
    shutil.copy(folder / VOCABULARY, wrong)
    known = found["dictionary"]
    for message, dictionary in {
        "dictionary lacks </s>, <unk>": {"<pad>": 1, "the": 2},
        "dictionary has ids outside its 19 embeddings": {**known, "x": 19},
    }.items():
        torch.save({**found, "dictionary": dictionary}, wrong / WEIGHTS)
        with pytest.raises(InputError, match=message):
            load_base(str(wrong))
    (wrong / WEIGHTS).write_bytes(b"damaged")
    with pytest.raises(InputError, match="cannot be read as plain weights"):
        load_base(str(wrong))
