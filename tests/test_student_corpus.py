"""retrofit.student: what is gathered, drawn and asked of the teacher, and the losses."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.errors import InputError, OutputError
from amrx.muse.model import MuseModel
from amrx.muse.tokenize import MuseTokenizer
from retrofit.training.student.corpus import Corpus, gather, prepare
from retrofit.training.student.readers import teach
from retrofit.training.student.recipe import Amounts, Distill
from retrofit.training.student.train import Planner, losses
from tests.support.student_toys import GERMAN, RECIPE, SNLI, data, muse

__all__ = ["data", "muse"]


@pytest.fixture
def corpus(data: Path, tmp_path: Path, muse: tuple[MuseModel, MuseTokenizer]) -> Corpus:
    return prepare(data, tmp_path / "corpus.npz", RECIPE.amounts, 0, muse[1])


def test_translations_share_a_meaning_and_nothing_reserved_is_there(data: Path):
    found = gather(data, {"Ein Hund läuft im Park.", "The girl is reading."}, RECIPE.amounts, seed=0)
    meaning = {key: found.meaning[row] for key, row in found.rows.items()}
    for english, german in GERMAN.items():
        if ("de", german) in meaning:
            assert meaning["de", german] == meaning["en", english] == found.meanings[english]
    assert meaning["tr", "İstasyon nerede?"] == meaning["de", "Wo ist der Bahnhof?"]
    assert not {"Ein Hund läuft im Park.", "The girl is reading."} & {text for _, text in found.rows}
    assert {premise for premise, _, _ in SNLI} | {
        hypothesis for _, hypothesis, _ in SNLI
    } <= found.meanings.keys()


def test_a_sample_is_that_of_the_seed(data: Path):
    amounts = Amounts(langs={"tr": 1.0}, sources={"tatoeba": 1}, nli=0)
    taken = [
        [text for lang, text in gather(data, (), amounts, seed).rows if lang == "tr"] for seed in range(9)
    ]
    assert all(len(texts) == 1 for texts in taken) and len({texts[0] for texts in taken}) == 2
    assert gather(data, (), amounts, 3).rows == gather(data, (), amounts, 3).rows


def test_english_alone_is_taken_as_far_as_asked_for(data: Path, monkeypatch: pytest.MonkeyPatch):
    texts = ["A boat.", "Two boats.", "Three boats.", "a boat that is far too long for what is asked for"]
    monkeypatch.setattr("retrofit.training.student.corpus.english_only", lambda data, reserved: iter(texts))
    without = gather(data, (), Amounts(langs={"tr": 1.0}, sources={"tatoeba": 9}, nli=0), 0).rows.keys()
    taken = [
        gather(
            data, (), Amounts(langs={"tr": 1.0}, sources={"tatoeba": 9}, nli=0, words=5, english_only=most), 0
        ).rows.keys()
        - without
        for most in (0, 2, 9)
    ]
    assert [len(rows) for rows in taken] == [0, 2, 3]
    assert taken[1] < taken[2] == {("en", text) for text in texts[:3]}


def test_the_packed_corpus_is_what_was_gathered(corpus: Corpus, data: Path, muse, tmp_path: Path):
    found = gather(data, {"Ein Hund läuft im Park."}, RECIPE.amounts, 0)
    texts = [text for _, text in found.rows]
    assert [corpus.row(i) for i in range(len(texts))] == muse[1].encode(texts)
    assert [corpus.languages[code] for code in corpus.lang] == [lang for lang, _ in found.rows]
    assert list(corpus.english) == list(found.meanings)
    written = (tmp_path / "corpus.npz").stat().st_mtime_ns
    assert prepare(data, tmp_path / "corpus.npz", RECIPE.amounts, 0, muse[1]).english == corpus.english
    assert (tmp_path / "corpus.npz").stat().st_mtime_ns == written
    prepare(data, tmp_path / "corpus.npz", RECIPE.amounts, 1, muse[1])
    assert (tmp_path / "corpus.npz").stat().st_mtime_ns != written


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06", b"PK\x03\x04 cut", b"\x93NUMPY", "another archive"])
def test_a_damaged_packed_corpus_is_told(data: Path, muse, tmp_path: Path, content: bytes | str):
    path = tmp_path / "corpus.npz"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        np.savez(path, other=np.zeros(3))
    with pytest.raises(InputError, match=r"corpus\.npz: is not a packed corpus; delete it: "):
        prepare(data, path, RECIPE.amounts, 0, muse[1])


def test_draws_follow_the_weights_of_languages_and_skip_what_has_no_teacher(corpus: Corpus):
    known = np.array([text != "Where is the station?" for text in corpus.english])
    recipe = dataclasses.replace(RECIPE, distill=dataclasses.replace(RECIPE.distill, batch=4000))
    planner = Planner(corpus, recipe, known[:, None] * np.ones((1, 3)))
    drawn = planner.plan(7)
    assert known[corpus.meaning[drawn]].all()
    share = np.bincount(corpus.lang[drawn], minlength=3) / 4000  # de en tr, weights 1, 2.5 and 2
    assert share == pytest.approx(np.array([1, 2.5, 2]) / 5.5, abs=0.03)
    assert np.array_equal(drawn, planner.plan(7)) and not np.array_equal(drawn, planner.plan(8))


def test_losses_follow_their_equations():
    vectors, goal = np.random.default_rng(0).normal(size=(2, 4, 5))
    recipe = dataclasses.replace(
        RECIPE, distill=Distill(batch=4, contrast=1.0, temperature=0.5, same_above=2.0)
    )
    both = losses(torch.from_numpy(vectors), torch.from_numpy(goal), recipe)
    student, teacher = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (vectors, goal))
    cosines = student @ teacher.T
    assert float(both["distill"]) == pytest.approx(1 - np.diag(cosines).mean())
    wanted = [
        np.mean([np.log(np.exp(row / 0.5).sum()) - row[i] / 0.5 for i, row in enumerate(table)])
        for table in (cosines, cosines.T)
    ]
    assert float(both["contrast"]) == pytest.approx(np.mean(wanted))


def test_teacher_vectors_survive_a_kill_and_are_asked_once(tmp_path, monkeypatch):
    monkeypatch.setattr("retrofit.training.student.readers.BLOCK", 2)
    asked: list[str] = []

    def teacher(texts):
        if len(asked) == 4 and "kill" in mood:
            raise KeyboardInterrupt
        asked.extend(texts)
        return np.array([[len(text), 1.0] for text in texts])

    texts, mood = ["a", "bb", "ccc", "dddd", "eeeee"], ["kill"]
    with pytest.raises(KeyboardInterrupt):
        teach(texts, tmp_path / "t.npy", teacher, "toy", 2)
    assert not (tmp_path / "t.npy").exists()
    mood.clear()
    assert teach(texts, tmp_path / "t.npy", teacher, "toy", 2)[:, 0].tolist() == [1, 2, 3, 4, 5]
    assert teach(texts, tmp_path / "t.npy", teacher, "toy", 2).dtype == np.float16 and asked == texts
    teach(texts[:3], tmp_path / "t.npy", teacher, "toy", 2)
    assert asked == texts + texts[:3]


def test_a_kill_leaves_no_half_key(tmp_path, monkeypatch):
    write = Path.write_text

    def killed(path: Path, text: str, encoding: str):
        if path.suffix != ".key":
            return write(path, text, encoding)
        write(path, text[:3], encoding)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_text", killed)
    with pytest.raises(KeyboardInterrupt):
        teach(["a"], tmp_path / "t.npy", lambda texts: np.ones((len(texts), 2)), "toy", 2)
    assert not list(tmp_path.glob("*.key"))


def test_teacher_vectors_without_their_key_are_not_asked_again(tmp_path: Path):
    asked: list[str] = []

    def teacher(texts):
        asked.extend(texts)
        return np.ones((len(texts), 2))

    (tmp_path / "t.npy").write_bytes(b"an older array")
    (tmp_path / "t.key").mkdir()  # where the key cannot be written
    with pytest.raises(OutputError, match="is a folder"):
        teach(["a", "bb"], tmp_path / "t.npy", teacher, "toy", 2)
    assert not (tmp_path / "t.npy").exists()
    (tmp_path / "t.key").rmdir()
    assert teach(["a", "bb"], tmp_path / "t.npy", teacher, "toy", 2).tolist() == [[1, 1], [1, 1]]
    assert asked == ["a", "bb"]
