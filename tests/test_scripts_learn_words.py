"""Concepts of words are learnt from parallel text (``scripts/learn_words.py``)."""

import lzma
from pathlib import Path

import pytest

from tests.support.script_modules import load_script

learn_words = load_script("learn_words")

PAIRS = [
    ("여자가 춤춘다", "=the woman dance"),
    ("여자는 노래한다", "=the woman sing"),
    ("남자가 춤춘다", "=the man dance"),
    ("남자는 노래한다", "=the man sing"),
    ("여자를 본다", "=the woman see"),
    ("남자를 본다", "=the man see"),
] * 2


def learnt(lang: str) -> dict[str, list[tuple[str, float]]]:
    """Return the rows of `PAIRS`."""
    texts, english = zip(*PAIRS, strict=True)
    return dict(learn_words.learn([line.split() for line in english], texts, lang))


def test_words_have_the_concepts_that_their_sentences_share() -> None:
    rows = learnt("any")
    assert rows["춤춘다"][0][0] == "dance" and rows["본다"][0][0] == "see"
    assert not any(concept.startswith("=") for shares in rows.values() for concept, _ in shares)


def test_a_beginning_has_the_concept_of_all_its_words() -> None:
    rows = learnt("ko")
    assert rows["여자-"][0][0] == "woman" and rows["남자-"][0][0] == "man"
    assert rows["여자를"][0][0] == "woman"


def test_a_rare_form_is_smoothed_by_its_beginning() -> None:
    shares = learn_words.smoothed([({"woman": 9.0}, 10), ({"girl": 1.0}, 1)])
    assert shares == pytest.approx({"woman": 0.675, "girl": 0.25})


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        ({"woman": 0.6, "girl": 0.2, "run": 0.01}, ["woman", "girl"]),
        ({"woman": 0.3, "=the": 0.4}, []),
        ({"woman": 0.2, "girl": 0.1}, []),
        ({}, []),
    ],
)
def test_unsure_words_have_no_concepts(probabilities: dict[str, float], expected: list[str]) -> None:
    assert [one for one, _ in learn_words.concept_shares(probabilities)] == expected


def test_english_words_are_the_concepts_of_graphs_or_base_forms() -> None:
    graphs = {
        "The destruction ended": ["destroy", "end"],
        "A destruction began": ["destroy", "begin"],
        "Their destruction": ["destroy"],
        "It ended": ["end"],
        "They began": ["begin"],
    }
    english = learn_words.English(graphs)
    assert english.words("the destruction of zebras") == ["=the", "destroy", "=of", "zebra"]
    assert english.words("It ended") == ["end", "=it"]


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        learn_words.write(tmp_path / name, "ko", learnt("ko").items())
    first, second = ((tmp_path / name / "ko.tsv.xz").read_bytes() for name in ("first", "second"))
    assert first == second and "여자-\twoman:" in lzma.decompress(first).decode("utf-8")
