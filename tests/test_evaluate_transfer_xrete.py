"""AmericasNLI, XCOPA and the mean absolute error of MARC: what the tasks of Emma-X ask of the probes."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError
from amrx.evaluation import run
from amrx.evaluation.run import load
from amrx.evaluation.tasks.transfer.americas import ANLI, TRAIN
from amrx.evaluation.tasks.transfer.read import ChoiceReader, Item
from amrx.evaluation.tasks.transfer.task_table import MARC
from amrx.evaluation.tasks.transfer.xcopa import XCOPA
from tests.support.word_encoder import Words

HEADER = "id\tlanguage\tpremise\thypothesis\tlabel"
LABELS = ("entailment", "neutral", "contradiction")


def write(file: Path, rows: list[str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{row}\n" for row in rows), "utf-8")


def nli(count: int, start: int = 0) -> list[str]:
    """Pairs of which the second sentence repeats the first, or is a word that tells the label."""
    words = ("same same", "maybe maybe", "never never")
    return [f"w{start + n}\t{words[n % 3]}\t{LABELS[n % 3]}" for n in range(count)]


@pytest.fixture
def anli(tmp_path: Path) -> Path:
    write(tmp_path / "transfer" / "XNLI" / "dev-en.tsv", nli(2490))
    for split, counts in (("dev", {"oto": 222, "aym": 743}), ("test", {"oto": 748, "aym": 750})):
        for code, count in counts.items():
            rows = [f"{n}\t{code}\t{row}" for n, row in enumerate(nli(count, 90000))]
            write(tmp_path / "transfer" / "ANLI" / split / f"{code}.tsv", [HEADER, *rows])
    return tmp_path


def test_americas_nli_is_a_classifier_of_xnli(anli: Path) -> None:
    words = Words()
    rows = run([words], [ANLI], anli)
    metric = "accuracy, fitted on dev-en"
    found = {row.language: (row.value, row.n) for row in rows if row.metric == metric}
    assert found == {"ay": (pytest.approx(100, abs=1), 750), "oto": (pytest.approx(100, abs=1), 748)}
    codes = {code for text, code in words.seen if text.startswith("w9") and len(text) == 6}
    assert codes == {"ay", None}  # Otomi has no code of two letters, so its language is not told
    skipped = {one.language for one in ANLI.load(anli)[1]}
    assert skipped == {"bzd", "cni", "gn", "hch", "nah", "qu", "shp", "tar"}


def test_spanish_is_fitted_on_too_where_it_is(anli: Path) -> None:
    """Guo et al. 2023, appendix C: English and Spanish MultiNLI; by the names of XNLI-MT."""
    fit = dataclasses.replace(TRAIN, count=60)
    plans = tuple(dataclasses.replace(plan, fit=fit) for plan in ANLI.plans[:2])
    task = dataclasses.replace(ANLI, languages=("ay",), plans=plans)
    rows = [row.replace("contradiction", "contradictory") for row in nli(60)]
    for code in ("en", "es"):
        file = anli / "transfer" / "XNLI" / f"multinli.train.{code}.tsv"
        write(file, ["premise\thypo\tlabel", *(f"{code}{row}" for row in rows)])
    words = Words()
    metrics = {row.metric for row in run([words], [task], anli)}
    assert "accuracy, fitted on train-en and train-es" in metrics
    assert {("enw0", "en"), ("esw0", "es")} < set(words.seen)
    file.unlink()
    assert "accuracy" in {row.metric for row in run([Words()], [task], anli)}


def test_social_iqa_is_fitted_on_with_copa(tmp_path: Path) -> None:
    """Guo et al. 2023, appendix C; three items a question: the context with it, and an answer."""
    folder = tmp_path / "xcopa" / "siqa"
    question = {"context": "Kim ran.", "question": "Why?", "answerA": "a", "answerB": "b", "answerC": "c"}
    write(folder / "train.jsonl", [json.dumps(question)] * 2)
    write(folder / "train-labels.lst", ["3", "1"])
    expected = [
        (("Kim ran. Why?", answer), right) for answer, right in zip("abcabc", (0, 0, 1, 1, 0, 0), strict=True)
    ]
    assert ChoiceReader()(folder / "train.jsonl") == tuple(Item(texts, right) for texts, right in expected)
    (plan, *_) = XCOPA.plans
    fit = dataclasses.replace(plan.fit, count=8, counts=(("siqa", 6),))
    task = dataclasses.replace(XCOPA, languages=("it",), plans=(dataclasses.replace(plan, fit=fit),))
    write(tmp_path / "xcopa" / "en" / "train.en.jsonl", [json.dumps(choice(n, n % 2)) for n in range(4)])
    for split, count in (("val", 100), ("test", 500)):
        rows = [json.dumps(choice(n, n % 2)) for n in range(count)]
        write(tmp_path / "xcopa" / "it" / f"{split}.it.jsonl", rows)
    words = Words()
    assert {row.metric for row in run([words], [task], tmp_path)} == {
        "accuracy, fitted on SIQA and train-en",
        "dev accuracy, fitted on SIQA and train-en",
    }
    assert ("Kim ran. Why?", "en") in words.seen
    write(folder / "train-labels.lst", ["3"])
    with pytest.raises(InputError, match=r"train-labels\.lst: must have 2 labels as train\.jsonl"):
        ChoiceReader()(folder / "train.jsonl")
    write(folder / "train-labels.lst", ["3", "4"])
    with pytest.raises(
        InputError, match=r"train-labels\.lst:2: field 'label': must be one of 1, 2, 3, got '4'"
    ):
        ChoiceReader()(folder / "train.jsonl")


def test_what_chooses_the_classifier_is_no_translation_of_what_it_saw(anli: Path) -> None:
    ((part,), _) = load([ANLI], anli)
    fit, select = part.columns()[0], part.columns()[2]
    assert (len(fit.texts), len(select.texts)) == (1662, 828)
    assert not set(fit.texts) & set(select.texts)
    assert {column.language for column in part.columns()[:6]} == {"en"}


def test_a_header_that_is_another_is_named(anli: Path) -> None:
    file = anli / "transfer" / "ANLI" / "test" / "oto.tsv"
    write(file, ["id\tpremise\thypothesis\tlabel", *file.read_text("utf-8").splitlines()[1:]])
    with pytest.raises(
        InputError, match=r"oto.tsv:1: field 'language': header must be 'id, language, premise, h"
    ):
        load([ANLI], anli)


def choice(n: int, label: int) -> dict:
    """The right choice has the word that goes with the premise's kind."""
    kind = n % 2
    right, wrong = (f"c{n} because", f"c{n} moon") if kind else (f"c{n} therefore", f"c{n} stone")
    choices = (right, wrong) if label == 0 else (wrong, right)
    return {
        "premise": f"p{n}",
        "choice1": choices[0],
        "choice2": choices[1],
        "question": "cause" if kind else "effect",
        "label": label,
        "idx": n,
        "changed": False,
    }


def test_xcopa_chooses_the_likelier_pair(tmp_path: Path) -> None:
    small = dataclasses.replace(
        XCOPA,
        languages=("it", "et"),
        plans=(XCOPA.plans[1], dataclasses.replace(XCOPA.plans[2], fit_in=("it", "et"))),
    )
    for code in ("it", "et"):
        for split, count, start in (("val", 100, 0), ("test", 500, 1000)):
            rows = [json.dumps(choice(start + n, n // 2 % 2)) for n in range(count)]
            write(tmp_path / "xcopa" / code / f"{split}.{code}.jsonl", rows)
    rows = run([Words()], [small], tmp_path)
    found = {(row.language, row.metric): (row.value, row.n) for row in rows}
    assert found["it", "accuracy, fitted on val-XX together"][1] == 500
    assert found["it", "accuracy, fitted on val-XX together"][0] > 75
    assert found["et", "dev accuracy, fitted on val-XX together"][1] == 50


def test_a_part_of_the_languages_is_not_fitted_on(tmp_path: Path) -> None:
    small = dataclasses.replace(XCOPA, languages=("it",), plans=XCOPA.plans[1:])
    for code in ("et", "it"):  # and nine others are missing
        rows = [json.dumps(choice(n, n // 2 % 2)) for n in range(100)]
        write(tmp_path / "xcopa" / code / f"val.{code}.jsonl", rows)
    parts, [skipped] = small.load(tmp_path)
    assert not parts
    assert str(skipped).startswith(f"xcopa it skipped: no {tmp_path}/xcopa/ht/val.ht.jsonl; fetch ")


def test_the_cause_comes_first(tmp_path: Path) -> None:
    file = tmp_path / "val.it.jsonl"
    write(file, [json.dumps(choice(1, 1)), json.dumps(choice(2, 0))])
    assert ChoiceReader()(file) == (
        Item(("c1 moon", "p1"), 0),
        Item(("c1 because", "p1"), 1),
        Item(("p2", "c2 therefore"), 1),
        Item(("p2", "c2 stone"), 0),
    )


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("question", "why", ":2: field 'question': must be cause or effect, got 'why'"),
        ("label", 2, ":2: field 'label': must be 0 or 1, got 2"),
        ("label", True, ":2: field 'label': must be an integer, got True"),
        ("choice2", "", ":2: field 'choice2': must be a non-blank string"),
    ],
)
def test_a_wrong_choice_names_file_line_and_field(tmp_path, field, value, message):
    file = tmp_path / "val.it.jsonl"
    write(file, [json.dumps(choice(1, 1)), json.dumps({**choice(2, 0), field: value})])
    with pytest.raises(InputError) as error:
        ChoiceReader()(file)
    assert str(error.value).endswith(message)


class ShortWords(Words):
    """The first 32 dimensions: the regression on 512 takes a quarter of a minute."""

    dimension, fingerprint = 32, "words:32"

    def encode(self, sentences, *, lang=None, batch_size=64, progress=False):
        vectors = super().encode(sentences, lang=lang)[:, : self.dimension]
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True).clip(1)


def test_marc_counts_the_stars_between(data_dir: Path) -> None:
    german = dataclasses.replace(MARC, languages=("en", "de"))
    rows = run([ShortWords()], [german], data_dir)
    found = {row.metric: row for row in rows if row.language == "de"}
    where = "fitted on dev-en, measured on a fifth of dev"
    error, right = found[f"MAE x 100, lower is better, {where}"], found[f"accuracy, {where}"]
    assert error.n == right.n == 1000
    assert 100 - right.value <= error.value <= 4 * (100 - right.value)
    assert np.isfinite(error.value)
