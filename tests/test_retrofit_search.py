"""Search, beside double loops in float64."""

import errno
import os
import sys
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import retrofit.index
from amrx.errors import InputError, OptionError, OutputError
from amrx.types import Sentence
from amrx.vector_cache import VectorCache
from retrofit.combine import RetrofittedEncoder
from retrofit.index import Index
from retrofit.search import pairs, search
from tests.support.search_toys import (
    GRAPHS,
    Graphs,
    Lengths,
    Told,
    Words,
    by_hand,
    cos,
    is_as_by_hand,
    small_blocks,  # noqa: F401
    student,
    texts,
)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("weight", [0, 0.5, 3])
def test_search_is_a_double_loop(weight: float) -> None:
    encoder, queries, corpus = student(weight), texts(1, 9), texts(100, 14)
    matches = list(search(queries, corpus, encoder=encoder, lang="en", top=3))
    assert [match.a.text for match in matches] == [query for query in queries for _ in range(3)]
    assert [match.a.id for match in matches[::3]] == texts(1, 9)
    for place, query in enumerate(queries):
        order = sorted(corpus, key=lambda text: -by_hand(encoder, query, text)[2])
        assert [match.b.text for match in matches[3 * place : 3 * place + 3]] == order[:3]
    assert all(is_as_by_hand(encoder, match) for match in matches)
    assert {match.b.id for match in matches} <= set(texts(1, 14))


@pytest.mark.usefixtures("small_blocks")
def test_a_threshold_leaves_out_the_rest_and_the_rest_alone() -> None:
    encoder, corpus = student(), texts(100, 14)
    matches = list(search(texts(1, 9), corpus, encoder=encoder, lang="en", top=14, threshold=0.6))
    near = {(q, c) for q in texts(1, 9) for c in corpus if by_hand(encoder, q, c)[2] >= 0.6}
    assert {(match.a.text, match.b.text) for match in matches} == near
    assert 0 < len(near) < 9 * 14


def test_equal_sentences_reach_a_threshold_of_one() -> None:
    encoder, corpus = student(), texts(100, 14)
    matches = list(search(corpus, corpus, encoder=encoder, lang="en", top=1, threshold=1))
    assert [(match.a.text, match.b.text) for match in matches] == [(text, text) for text in corpus]
    twice = list(pairs([*corpus, *corpus], encoder=encoder, lang="en", top=1, threshold=1))
    assert sorted(match.a.text for match in twice) == corpus


@pytest.mark.usefixtures("small_blocks")
def test_rerank_makes_amr_of_candidates_alone_and_orders_them_by_both() -> None:
    encoder, queries, corpus = student(), texts(1, 2), texts(100, 40)
    matches = list(search(queries, corpus, encoder=encoder, lang="en", top=2, rerank=5))
    for place, query in enumerate(queries):
        near = sorted(corpus, key=lambda text: -by_hand(encoder, query, text)[0])[:5]
        order = sorted(near, key=lambda text: -by_hand(encoder, query, text)[2])[:2]
        assert [match.b.text for match in matches[2 * place : 2 * place + 2]] == order
    assert all(is_as_by_hand(encoder, match) for match in matches)
    assert len(encoder.encoders[0].seen) <= 2 + 2 * 5
    assert len(encoder.encoders[0].seen) == len(set(encoder.encoders[0].seen))


@pytest.mark.usefixtures("small_blocks")
def test_rerank_of_all_gives_the_answers_without_it() -> None:
    asked = {"encoder": student(), "lang": "en", "top": 4}
    whole, reranked = (list(search(texts(1, 5), texts(9, 20), rerank=n, **asked)) for n in (None, 20))
    assert [(m.a, m.b) for m in whole] == [(m.a, m.b) for m in reranked]


@pytest.mark.usefixtures("small_blocks")
def test_an_index_is_made_once_for_many_calls() -> None:
    encoder = student()
    index = Index(encoder, texts(100, 9), lang="en")
    first = list(search("1", index, lang="en", top=2))
    assert first == list(search(["1"], texts(100, 9), encoder=student(), lang="en", top=2))
    assert encoder.base.seen == [*texts(100, 9), "1"]
    with pytest.raises(OptionError, match=r"rerank=N needs Index\(lazy=True\)"):
        search("1", index, rerank=9)


@pytest.mark.parametrize("rerank", [None, 3])
def test_a_match_names_the_languages(monkeypatch: pytest.MonkeyPatch, rerank: int | None) -> None:
    def detect(texts: list[str]) -> list[str]:
        return ["sv" if int(text) > 1 else "da" for text in texts]

    monkeypatch.setattr("amrx.langid.detect", detect)
    corpus = [Sentence("x", "1", "fi"), "1", "2"]
    matches = list(search(["2", "1"], corpus, encoder=student(), top=3, rerank=rerank))
    assert [match.a.lang for match in matches] == ["sv"] * 3 + ["da"] * 3
    assert {(match.b.id, match.b.lang) for match in matches} == {("x", "fi"), ("2", "da"), ("3", "sv")}
    langs = {frozenset((m.a.lang, m.b.lang)) for m in pairs(corpus, encoder=student(), rerank=rerank, top=3)}
    assert langs == {frozenset({"fi", "da"}), frozenset({"fi", "sv"}), frozenset({"da", "sv"})}


@pytest.mark.usefixtures("small_blocks")
def test_a_sentence_without_a_vector_is_near_nothing() -> None:
    (match,) = search("0", ["1"], encoder=student(), lang="en")
    assert (match.base, match.channels, match.combined) == (0, None, 0)


def test_two_channels_are_searched_together() -> None:
    """By hand: the mean of the cosines, weighed by the squares of the weights."""
    first, second = Words("first", 7), Words("second", 5)
    encoder = RetrofittedEncoder(Words("base", 6), None, (first, second), weight=(0.5, 2.0))
    corpus = ["1", "2", "3"]
    matches = list(search(["7"], corpus, encoder=encoder, lang="en", top=3))
    assert {match.b.text for match in matches} == set(corpus)
    for match in matches:
        cosines = [
            cos(channel.vector(match.a.text), channel.vector(match.b.text))
            for channel in (encoder.base, first, second)
        ]
        assert match.channels == pytest.approx((0.25 * cosines[1] + 4 * cosines[2]) / 4.25, abs=1e-5)
        assert match.combined == pytest.approx(
            (cosines[0] + 0.25 * cosines[1] + 4 * cosines[2]) / 5.25, abs=1e-5
        )


def student_of_lengths() -> RetrofittedEncoder:
    return RetrofittedEncoder(Lengths(), None, Lengths())


def test_why_tells_negation_swapped_roles_and_quantities() -> None:
    encoder = RetrofittedEncoder(Lengths(), Told(), Graphs())
    matches = search("dog bites man", [*GRAPHS, "?"], encoder=encoder, lang="en", why=True)
    differ = {match.b.text: match.differ for match in matches}
    assert differ == {
        "dog bites man": (),
        "man bites dog": (
            "swapped role: :ARG0 of bite-01: dog | man", "swapped role: :ARG1 of bite-01: man | dog",
        ),
        "dog bites no man": ("negation: :polarity of bite-01: (none) | -",),
        "dog bites two men": ("quantity: :quant of man: (none) | 2",),
        "?": (),
    }  # fmt: skip


def test_contradictions_are_of_the_graphs_of_the_matches_alone() -> None:
    parser, encoder = Told(), student_of_lengths()
    lines = [*GRAPHS, "?"]
    matches = list(pairs(lines, encoder=encoder, lang="en", top=4, contradictions=True, parser=parser))
    told = {(match.a.text, match.b.text): match.contradictions for match in matches}
    assert len(matches) == 10 and {match.differ for match in matches} == {None}
    assert told["dog bites man", "dog bites no man"] == ("negation: :polarity of bite-01: (none) | -",)
    assert told["dog bites man", "man bites dog"] == ("swapped role: :ARG0 of bite-01: dog | man",)
    assert told["dog bites man", "dog bites two men"] == () == told["dog bites man", "?"]
    assert sorted(parser.seen) == sorted(lines)
    parser.seen.clear()
    best = max(match.combined for match in matches)
    some = list(pairs(lines, encoder=encoder, lang="en", threshold=best, contradictions=True, parser=parser))
    assert set(parser.seen) == {text for match in some for text in (match.a.text, match.b.text)} < set(lines)
    assert [match.contradictions for match in pairs(lines, encoder=encoder, lang="en")] == [None] * 10


def test_the_default_parser_reads_the_matches_of_an_encoder_without_one(monkeypatch):
    monkeypatch.setattr(sys.modules["retrofit.load"], "load_reader", Told)
    [match] = search("dog bites man", ["dog bites no man"], encoder=student_of_lengths(), lang="en", why=True)
    assert match.differ == ("negation: :polarity of bite-01: (none) | -",) and match.contradictions is None


def test_what_is_kept_is_not_encoded_again(tmp_path: Path) -> None:
    with VectorCache(tmp_path / "v.sqlite") as cache:
        first = list(search("1", texts(100, 9), encoder=student(), lang="en", cache=cache))
        again = student()
        assert list(search("2", texts(100, 9), encoder=again, lang="en", cache=cache)) != first
        assert (again.base.seen, again.encoders[0].seen) == (["2"], ["2"])
        other = RetrofittedEncoder(Words("base", 5), None, Words("another", 4), weight=0.5)
        list(search("2", texts(100, 9), encoder=other, lang="en", cache=cache))
        assert (len(other.base.seen), len(other.encoders[0].seen)) == (0, 10)


def test_vectors_of_100_000_lines_are_not_in_memory() -> None:
    """One of the three columns alone takes 51 MB; each block 0.5 MB."""
    encoder = student(widths=(128, 128))
    rows = np.random.default_rng(0).normal(size=(64, 128)).astype(np.float32)
    for side in (encoder.base, encoder.encoders[0]):
        side.rows = rows
    corpus = [Sentence(str(number), str(number), "en") for number in range(100_000)]
    tracemalloc.start()
    try:
        matches = list(search(["5", "6"], corpus, encoder=encoder, lang="en"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [match.b.text for match in matches] == [str(n + 64 * k) for n in (5, 6) for k in range(5)]
    assert max(encoder.base.largest, encoder.encoders[0].largest) <= retrofit.index.BLOCK
    assert peak < 40e6


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "pwrite", lambda descriptor, part, place: len(part) - 1)
    with pytest.raises(OutputError, match="the vectors of the index: No space left on device"):
        search("1", ["2"], encoder=student(), lang="en")


def test_a_disk_that_takes_no_file_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(prefix: str, buffering: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(OutputError, match="the vectors of the index: No space left on device"):
        search("1", ["2"], encoder=student(), lang="en")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"top": 0}, "top must be a whole number >= 1, got 0"),
        ({"threshold": 1.5}, "threshold must be a cosine from -1 to 1, got 1.5"),
        ({"threshold": float("nan")}, "threshold must be a cosine from -1 to 1, got nan"),
        ({"rerank": 4}, r"rerank must be a whole number >= top \(5\), got 4"),
        ({"top": "5"}, "top must be a whole number >= 1, got '5'"),
        ({"top": 1.5}, "top must be a whole number >= 1, got 1.5"),
        ({"top": None}, "top must be a whole number >= 1, got None"),
        ({"rerank": "9"}, r"rerank must be a whole number >= top \(5\), got '9'"),
        ({"threshold": "0.8"}, "threshold must be a cosine from -1 to 1, got '0.8'"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        search(["0"], ["1"], encoder=student(), **options)
    with pytest.raises(OptionError, match=told):
        pairs(["0", "1"], encoder=student(), **options)


@pytest.mark.parametrize(("queries", "got"), [(None, "None"), ({"a": 1}, "dict"), (b"a", "bytes")])
def test_queries_that_are_no_texts_are_named_at_once(queries: Any, got: str) -> None:
    with pytest.raises(InputError, match=f"sentences must be a str or Sentence or an .*, got {got}"):
        search(queries, ["1"], encoder=student(), lang="en")


def test_a_query_that_is_no_text_is_named_where_it_stands() -> None:
    with pytest.raises(InputError, match="sentence 2 must be a str or Sentence, got 3"):
        list(search(["0", 3], ["1"], encoder=student(), lang="en"))  # type: ignore[list-item]
