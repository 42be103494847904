"""retrofit.student: gathering, drawing, losses, and that a stopped run ends like an unbroken one."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.cli import main
from amrx.errors import OptionError
from amrx.muse.model import MuseModel, load_model
from amrx.muse.tokenize import MuseTokenizer
from retrofit.cli_train_student import read_recipe
from retrofit.load import load
from retrofit.student import corpus as corpus_module
from retrofit.student import setup
from retrofit.student.corpus import Corpus, prepare
from retrofit.student.encoder import load_student
from retrofit.student.gather import gather
from retrofit.student.plan import Plan, Planner
from retrofit.student.recipe import Amounts, Recipe
from retrofit.student.step import losses
from retrofit.student.teacher import teach
from retrofit.student.train import Run, train
from tests.student_toys import GERMAN, PAIRS, RECIPE, ToyTeacher, write_data


@pytest.fixture(scope="module")
def muse() -> tuple[MuseModel, MuseTokenizer]:
    return load_model(), MuseTokenizer()


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(corpus_module, "load_reserved", lambda folder: {"Ein Hund läuft im Park."})
    return write_data(tmp_path / "data")


@pytest.fixture
def teacher(muse: tuple[MuseModel, MuseTokenizer], monkeypatch: pytest.MonkeyPatch) -> ToyTeacher:
    made = ToyTeacher(*muse, without="Where is the station?")
    monkeypatch.setattr(setup, "open_teacher", lambda recipe, device: (made, "toy"))
    return made


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
    assert len(found.graded) == len(PAIRS) - 1
    assert found.graded[1][0].keys() == {"en"} and found.graded[1][1].keys() == {"en", "de"}
    assert [label for *_, label in found.ranked] == [1, 0, 0]


def test_a_sample_is_that_of_the_seed(data: Path):
    amounts = Amounts(langs={"tr": 1.0}, sources={"tatoeba": 1}, nli=0)
    taken = [
        [text for lang, text in gather(data, (), amounts, seed).rows if lang == "tr"] for seed in range(9)
    ]
    assert all(len(texts) == 1 for texts in taken) and len({texts[0] for texts in taken}) == 2
    assert gather(data, (), amounts, 3).rows == gather(data, (), amounts, 3).rows


def test_the_packed_corpus_is_what_was_gathered(corpus: Corpus, data: Path, muse, tmp_path: Path):
    found = gather(data, {"Ein Hund läuft im Park."}, RECIPE.amounts, 0)
    texts = [text for _, text in found.rows]
    assert [corpus.row(i) for i in range(len(texts))] == muse[1].encode(texts)
    assert [corpus.languages[code] for code in corpus.lang] == [lang for lang, _ in found.rows]
    assert list(corpus.english) == list(found.meanings) and corpus.scores.tolist() == [p[2] for p in PAIRS]
    german = corpus.languages.index("de")
    assert corpus.graded[1, 0, german] == -1
    assert texts[corpus.graded[0, 1, german]] == "Eine Person macht Musik."
    written = (tmp_path / "corpus.npz").stat().st_mtime_ns
    assert prepare(data, tmp_path / "corpus.npz", RECIPE.amounts, 0, muse[1]).english == corpus.english
    assert (tmp_path / "corpus.npz").stat().st_mtime_ns == written
    prepare(data, tmp_path / "corpus.npz", RECIPE.amounts, 1, muse[1])
    assert (tmp_path / "corpus.npz").stat().st_mtime_ns != written


def test_draws_follow_the_weights_of_languages_and_skip_what_has_no_teacher(corpus: Corpus):
    known = np.array([text != "Where is the station?" for text in corpus.english])
    recipe = dataclasses.replace(RECIPE, distill=dataclasses.replace(RECIPE.distill, batch=4000))
    planner = Planner(corpus, recipe, known)
    plan = planner.plan(7)
    drawn = plan.rows[: plan.sizes[0]]
    assert known[corpus.meaning[drawn]].all()
    share = np.bincount(corpus.lang[drawn], minlength=3) / 4000  # de en tr, weights 1, 2.5 and 2
    assert share == pytest.approx(np.array([1, 2.5, 2]) / 5.5, abs=0.03)
    assert np.array_equal(plan.rows, planner.plan(7).rows) and not np.array_equal(
        plan.rows, planner.plan(8).rows
    )
    for row, score in zip(plan.rows[4000:4003], plan.scores, strict=True):
        pair = PAIRS[[i for i in range(len(PAIRS)) if row in corpus.graded[i, 0]][0]]
        assert score == pair[2]


def test_losses_follow_their_equations():
    random = np.random.default_rng(0)
    vectors, base = random.normal(size=(4 + 6 + 4, 5)), random.normal(size=(14, 3))
    base /= np.linalg.norm(base, axis=1, keepdims=True)
    goal, scores, labels = random.normal(size=(4, 5)), np.array([3.0, 1.0, 2.0]), np.array([1, 0])
    plan = Plan(np.arange(14), (4, 3, 2), scores, labels)
    made = losses(plan, *(torch.from_numpy(x) for x in (vectors, base, goal)), RECIPE)

    def cos(a, b):
        return (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)

    assert float(made["distill"]) == pytest.approx((1 - cos(vectors[:4], goal)).mean())

    def cosent(cosines, gold):
        n = range(len(gold))
        terms = [np.exp((cosines[i] - cosines[j]) / 0.05) for i in n for j in n if gold[i] < gold[j]]
        return np.log1p(sum(terms))

    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    joined = np.hstack([base, RECIPE.graded.beside * unit])
    wanted = [cosent(cos(x[4:7], x[7:10]), scores) for x in (vectors, joined)]
    assert float(made["graded"]) == pytest.approx(np.mean(wanted))
    wanted = [cosent(cos(x[10:12], x[12:14]), labels) for x in (vectors, joined)]
    assert float(made["nli"]) == pytest.approx(np.mean(wanted))


def test_a_stopped_run_ends_like_an_unbroken_one(data, teacher, muse, tmp_path, monkeypatch):
    lines: list[dict] = []
    whole = train(data, tmp_path / "whole", RECIPE, "cpu", muse=muse, report=lines.append)
    assert whole.finished and whole.steps == 10 and whole.best is not None
    assert lines[0]["taught"] == lines[0]["meanings"] - 1
    wanted = (tmp_path / "whole" / "model.safetensors").read_bytes()
    step = Run.one_step
    for stop in (2, 5, 9):

        def stopping(self, number, stop=stop):
            if number == stop:
                raise KeyboardInterrupt
            return step(self, number)

        monkeypatch.setattr(Run, "one_step", stopping)
        with pytest.raises(KeyboardInterrupt):
            train(data, tmp_path / "part", RECIPE, "cpu", muse=muse)
        monkeypatch.setattr(Run, "one_step", step)
    assert train(data, tmp_path / "part", RECIPE, "cpu", muse=muse) == whole
    assert (tmp_path / "part" / "model.safetensors").read_bytes() == wanted
    logs = [(tmp_path / name / "training" / "log.jsonl").read_text("utf-8") for name in ("whole", "part")]
    timeless = [[{k: v for k, v in json.loads(line).items() if k != "steps_per_second"} for line in log.splitlines()]
                for log in logs]  # fmt: skip
    assert timeless[0] == timeless[1] and [line["step"] for line in timeless[0]] == [0, 4, 8, 10]


def test_it_learns_to_give_the_teachers_vectors(data, teacher, muse, tmp_path):
    shape = dataclasses.replace(RECIPE.shape, dropout=0.0)
    recipe = dataclasses.replace(
        RECIPE, steps=60, warmup=5, learning_rate=2e-2, shape=shape, evaluate_every=60
    )
    train(data, tmp_path / "out", recipe, "cpu", muse=muse)
    student = load_student(tmp_path / "out", shared=muse)
    english, german = list(GERMAN), list(GERMAN.values())
    goal = teacher(english)
    made = student.encode(german)
    cosines = made @ (goal / np.linalg.norm(goal, axis=1, keepdims=True)).T
    assert (cosines.argmax(1) == np.arange(len(german))).mean() >= 0.9
    assert np.diag(cosines).mean() > 0.8


def test_teacher_vectors_survive_a_kill_and_are_asked_once(tmp_path, monkeypatch):
    monkeypatch.setattr("retrofit.student.teacher.BLOCK", 2)
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


def test_a_checkpoint_of_another_recipe_is_refused(data, teacher, muse, tmp_path):
    train(data, tmp_path / "out", RECIPE, "cpu", muse=muse, time_limit=0)
    other = dataclasses.replace(RECIPE, learning_rate=1e-4)
    with pytest.raises(OptionError, match="another recipe or teacher"):
        train(data, tmp_path / "out", other, "cpu", muse=muse)
    assert train(data, tmp_path / "out", other, "cpu", muse=muse, resume=False, time_limit=0).steps == 1


def test_a_run_may_begin_with_a_student(data, teacher, muse, tmp_path):
    train(data, tmp_path / "first", RECIPE, "cpu", muse=muse)
    recipe = dataclasses.replace(RECIPE, initial=str(tmp_path / "first"), steps=1, learning_rate=1e-9)
    train(data, tmp_path / "second", recipe, "cpu", muse=muse)
    first, second = (
        load_student(tmp_path / name, shared=muse).encode(PAIRS[0][:2]) for name in ("first", "second")
    )
    assert first == pytest.approx(second, abs=1e-4)
    with pytest.raises(OptionError, match="'mini' is no student"):
        train(data, tmp_path / "third", dataclasses.replace(recipe, initial="mini"), "cpu", muse=muse)


@pytest.mark.parametrize("name", ["student", "student-text"])
def test_the_shipped_recipes_can_be_read(name: str):
    recipe = read_recipe(name, ["steps=7"])
    assert recipe.steps == 7 and recipe.teacher == ("amr" if name == "student" else "minilm")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"steps": 0}, "'steps' must be at least 1"),
        ({"graded": dataclasses.replace(RECIPE.graded, weight=-1)}, "'graded.weight' must not be negative"),
        ({"shape": dataclasses.replace(RECIPE.shape, heads=3)}, "'shape.width' must be a multiple"),
    ],
)
def test_a_senseless_recipe_is_refused(settings, said):
    with pytest.raises(OptionError, match=said):
        Recipe(**settings)


def test_the_command_trains_and_its_folder_is_an_encoder(data, teacher, muse, tmp_path, capsys):
    settings = ["steps=2", "warmup=1", "rows=8", "dev_rows=0", "shape.width=16", "shape.heads=2",
                "shape.inner=16", "shape.layers=1", "shape.dimension=12", "distill.batch=8",
                "amounts.langs={de=1.0}", "amounts.sources={stsb=9}"]  # fmt: skip
    told = [part for setting in settings for part in ("--set", setting)]
    out = str(tmp_path / "out")
    assert main(["train-student", str(data), "-o", out, "--recipe", "student-text", *told]) == 0
    assert "2 steps, STS-B dev best" in capsys.readouterr().err
    encoder = load("muse", encoder=out, weight=0.5)
    assert encoder.encode(["Ein Hund."], lang="de").shape == (1, 524) and encoder.name == "muse+out"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "-o", "x"], "nowhere: no such folder"),
        ([".", "-o", "x", "--recipe", "big"], "recipe 'big' is neither a TOML file nor one of: student, student-text"),
        ([".", "-o", "x", "--set", "graded.wait=1"], "unknown key 'graded.wait'"),
    ],
)  # fmt: skip
def test_the_command_names_what_is_wrong(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["train-student", *arguments]) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "x").exists()
