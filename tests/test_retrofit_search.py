"""Search and pairs, beside double loops in float64."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
import tempfile
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import penman
import pytest

import retrofit.index
from amrx.cli import main
from amrx.encoder import TextEncoder
from amrx.errors import InputError, OptionError, OutputError
from amrx.evaluation.vector_cache import VectorCache
from amrx.types import Parse, Sentence, Vectors
from parser.run.cache import CachedParser, ParseCache
from retrofit.combine import RetrofittedEncoder
from retrofit.index import Index
from retrofit.search import Match, pairs, search


class Words(TextEncoder):
    """Texts are numbers: each is the seed of its vector; ``0`` has none. Counts what it was given."""

    def __init__(self, name: str, width: int) -> None:
        self.rows: Vectors | None = None
        self.name, self.dimension, self.fingerprint = name, width, f"{name}:{width}"
        self.seen: list[str] = []
        self.largest = 0

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        self.seen += texts
        self.largest = max(self.largest, len(texts))
        if self.rows is not None:
            return self.rows[[int(text) % len(self.rows) for text in texts]]
        return np.array([self.vector(text) for text in texts], dtype=np.float32)

    def vector(self, text: str) -> np.ndarray:
        if text == "0":
            return np.zeros(self.dimension, dtype=np.float32)
        seed = int(text) + 1_000_000 * self.dimension
        return np.random.default_rng(seed).normal(size=self.dimension).astype(np.float32) + 1


def student(weight: float = 0.5, widths: tuple[int, int] = (5, 4)) -> RetrofittedEncoder:
    return RetrofittedEncoder(Words("base", widths[0]), None, Words("side", widths[1]), weight=weight)


def cos(x: np.ndarray, y: np.ndarray) -> float:
    x, y = x.astype(np.float64), y.astype(np.float64)
    lengths = float(np.linalg.norm(x) * np.linalg.norm(y))
    return float(x @ y) / lengths if lengths else 0.0


def by_hand(encoder: RetrofittedEncoder, one: str, other: str) -> tuple[float, float | None, float]:
    """Base, AMR and combined cosine by the definition of norm-concat."""
    sides = [encoder.base.vector(text) for text in (one, other)]
    seconds = [encoder.encoders[0].vector(text) for text in (one, other)]
    base, amr = cos(*sides), cos(*seconds)
    square = encoder.weights[0] ** 2
    there = [float(vector.any()) for vector in seconds]
    bases = [float(vector.any()) for vector in sides]
    lengths = [(b + square * t) ** 0.5 for b, t in zip(bases, there, strict=True)]
    combined = (base + square * amr) / (lengths[0] * lengths[1]) if all(lengths) else 0.0
    return base, amr if all(there) and encoder.weights[0] else None, combined


@pytest.fixture(params=["faiss", "numpy"])
def small_blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few rows, by either search."""
    monkeypatch.setattr(retrofit.index, "BLOCK", 4)
    monkeypatch.setattr(retrofit.index, "_SEARCHED", 3)
    monkeypatch.setattr("retrofit.search.BLOCK", 4)
    if request.param == "numpy":
        monkeypatch.setitem(sys.modules, "faiss", None)
    else:
        pytest.importorskip("faiss", reason="it is the extra index")


def texts(start: int, count: int) -> list[str]:
    return [str(number) for number in range(start, start + count)]


def is_as_by_hand(encoder: RetrofittedEncoder, match: Match) -> bool:
    base, amr, combined = by_hand(encoder, match.a.text, match.b.text)
    assert (match.channels is None) == (amr is None)
    assert [match.base, match.combined] == pytest.approx([base, combined], abs=1e-6)
    return amr is None or match.channels == pytest.approx(amr, abs=1e-6)


@pytest.mark.parametrize("weight", [0, 0.5, 3])
def test_search_is_a_double_loop(small_blocks: None, weight: float) -> None:
    encoder, queries, corpus = student(weight), texts(1, 9), texts(100, 14)
    matches = list(search(queries, corpus, encoder=encoder, lang="en", top=3))
    assert [match.a.text for match in matches] == [query for query in queries for _ in range(3)]
    assert [match.a.id for match in matches[::3]] == texts(1, 9)
    for place, query in enumerate(queries):
        order = sorted(corpus, key=lambda text: -by_hand(encoder, query, text)[2])
        assert [match.b.text for match in matches[3 * place : 3 * place + 3]] == order[:3]
    assert all(is_as_by_hand(encoder, match) for match in matches)
    assert {match.b.id for match in matches} <= set(texts(1, 14))


def test_a_threshold_leaves_out_the_rest_and_the_rest_alone(small_blocks: None) -> None:
    encoder, corpus = student(), texts(100, 14)
    matches = list(search(texts(1, 9), corpus, encoder=encoder, lang="en", top=14, threshold=0.6))
    near = {(q, c) for q in texts(1, 9) for c in corpus if by_hand(encoder, q, c)[2] >= 0.6}
    assert {(match.a.text, match.b.text) for match in matches} == near
    assert 0 < len(near) < 9 * 14


def test_rerank_makes_amr_of_candidates_alone_and_orders_them_by_both(small_blocks: None) -> None:
    encoder, queries, corpus = student(), texts(1, 2), texts(100, 40)
    matches = list(search(queries, corpus, encoder=encoder, lang="en", top=2, rerank=5))
    for place, query in enumerate(queries):
        near = sorted(corpus, key=lambda text: -by_hand(encoder, query, text)[0])[:5]
        order = sorted(near, key=lambda text: -by_hand(encoder, query, text)[2])[:2]
        assert [match.b.text for match in matches[2 * place : 2 * place + 2]] == order
    assert all(is_as_by_hand(encoder, match) for match in matches)
    assert len(encoder.encoders[0].seen) <= 2 + 2 * 5
    assert len(encoder.encoders[0].seen) == len(set(encoder.encoders[0].seen))


def test_rerank_of_all_gives_the_answers_without_it(small_blocks: None) -> None:
    asked = {"encoder": student(), "lang": "en", "top": 4}
    whole, reranked = (list(search(texts(1, 5), texts(9, 20), rerank=n, **asked)) for n in (None, 20))
    assert [(m.a, m.b) for m in whole] == [(m.a, m.b) for m in reranked]


def test_an_index_is_made_once_for_many_calls(small_blocks: None) -> None:
    encoder = student()
    index = Index(encoder, texts(100, 9), lang="en")
    first = list(search("1", index, lang="en", top=2))
    assert first == list(search(["1"], texts(100, 9), encoder=student(), lang="en", top=2))
    assert encoder.base.seen == [*texts(100, 9), "1"]
    with pytest.raises(OptionError, match="rerank needs an index that is lazy"):
        search("1", index, rerank=9)


def test_a_sentence_without_a_vector_is_near_nothing(small_blocks: None) -> None:
    (match,) = search("0", ["1"], encoder=student(), lang="en")
    assert (match.base, match.channels, match.combined) == (0, None, 0)


def test_every_pair_of_a_file_is_there_once_the_best_first(small_blocks: None) -> None:
    encoder, lines = student(), texts(1, 13)
    matches = list(pairs(lines, encoder=encoder, lang="en", top=3))
    wanted = set()
    for one in lines:
        others = sorted((t for t in lines if t != one), key=lambda text: -by_hand(encoder, one, text)[2])
        wanted |= {tuple(sorted((int(one), int(other)))) for other in others[:3]}
    assert [(int(m.a.text), int(m.b.text)) for m in matches] == sorted(
        wanted, key=lambda pair: -by_hand(encoder, str(pair[0]), str(pair[1]))[2]
    )
    assert all(is_as_by_hand(encoder, match) for match in matches)


def test_a_sentence_is_no_pair_with_itself_among_many_like_it(small_blocks: None) -> None:
    lines = [Sentence(f"s{number}", "7", "en") for number in range(9)]
    matches = list(pairs(lines, encoder=student(), top=2))
    assert all(match.a.id != match.b.id and match.combined == pytest.approx(1) for match in matches)
    assert {name for match in matches for name in (match.a.id, match.b.id)} == {one.id for one in lines}
    assert list(pairs(["1"], encoder=student(), lang="en")) == []


def test_pairs_rerank_makes_amr_of_the_best_pairs_of_the_base(small_blocks: None) -> None:
    encoder, lines = student(), texts(1, 30)
    matches = list(pairs(lines, encoder=encoder, lang="en", rerank=6))
    near = {(a, b) for a in lines for b in lines if int(a) < int(b)}
    best = sorted(near, key=lambda pair: -by_hand(encoder, *pair)[0])[:6]
    assert [(m.a.text, m.b.text) for m in matches] == sorted(
        best, key=lambda pair: -by_hand(encoder, *pair)[2]
    )
    assert len(encoder.encoders[0].seen) <= 12


@pytest.mark.parametrize("margin", [False, True])
def test_translations_are_mined_by_the_papers_margin(small_blocks: None, margin: bool) -> None:
    encoder, one, other = student(), texts(1, 8), texts(5, 9)  # 5 to 8 are on both sides
    matches = list(pairs(one, other, encoder=encoder, lang="en", top=3, margin=margin))
    near = {(a, b): by_hand(encoder, a, b)[2] for a in one for b in other}

    def mean(cosines: Sequence[float]) -> float:
        return sum(sorted(cosines)[-3:]) / 3

    def score(a: str, b: str) -> float:  # Artetxe and Schwenk 2019, section 3.1, ratio, k = 3
        around = mean([near[a, y] for y in other]) / 2 + mean([near[x, b] for x in one]) / 2
        return near[a, b] / around if margin else near[a, b]

    assert {(match.a.text, match.b.text) for match in matches} >= {(str(n), str(n)) for n in range(5, 9)}
    for column in ([match.a.text for match in matches], [match.b.text for match in matches]):
        assert len(column) == len(set(column))
    found = [match.margin if margin else match.combined for match in matches]
    assert found == pytest.approx([score(m.a.text, m.b.text) for m in matches], abs=1e-6)
    assert found == sorted(found, reverse=True)
    assert all(is_as_by_hand(encoder, match) for match in matches)


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
    assert [match.b.text for match in matches] == [
        "5",
        "69",
        "133",
        "197",
        "261",
        *(["6", "70", "134", "198", "262"]),
    ]
    assert max(encoder.base.largest, encoder.encoders[0].largest) <= retrofit.index.BLOCK
    assert peak < 40e6


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "pwrite", lambda descriptor, part, place: len(part) - 1)
    with pytest.raises(OutputError, match="the vectors of the index: No space left on device"):
        search("1", ["2"], encoder=student(), lang="en")


def test_a_disk_that_takes_no_file_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(prefix: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    with pytest.raises(OutputError, match="the vectors of the index: No space left on device"):
        search("1", ["2"], encoder=student(), lang="en")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"top": 0}, "top must be a whole number >= 1, got 0"),
        ({"threshold": 1.5}, "threshold must be a cosine from -1 to 1, got 1.5"),
        ({"threshold": float("nan")}, "threshold must be a cosine from -1 to 1, got nan"),
        ({"rerank": 4}, r"rerank must be a whole number >= top \(5\), got 4"),
        ({"why": True}, "why needs graphs, and base.side reads sentences"),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], told: str) -> None:
    for find in (lambda **given: search("1", ["2"], **given), lambda **given: pairs(["2"], **given)):
        with pytest.raises(OptionError, match=told):
            find(encoder=student(), lang="en", **options)


def test_pairs_options_that_cannot_be() -> None:
    with pytest.raises(OptionError, match="threshold must be a margin >= 0, got -0.5"):
        pairs(["1"], ["2"], encoder=student(), margin=True, threshold=-0.5)
    with pytest.raises(OptionError, match="rerank and margin contradict each other"):
        pairs(["1"], ["2"], encoder=student(), margin=True, rerank=9)
    with pytest.raises(OptionError, match="margin is for the translations of two sides"):
        pairs(["1"], encoder=student(), margin=True)
    with pytest.raises(OptionError, match="rerank needs the AMR side, and its weight is 0"):
        pairs(["1"], encoder=student(0), rerank=9)
    with pytest.raises(InputError, match="there is no sentence to search"):
        search(["1"], [], encoder=student())


GRAPHS = {
    "dog bites man": "(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))",
    "man bites dog": "(b / bite-01 :ARG0 (m / man) :ARG1 (d / dog))",
    "dog bites no man": "(b / bite-01 :polarity - :ARG0 (d / dog) :ARG1 (m / man))",
    "dog bites two men": "(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man :quant 2))",
}


class Told:
    """Knows the graphs above; all else fails."""

    fingerprint = "told:1"

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.names: tuple[object, ...] = ()

    def parse(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[Parse]:
        self.seen += [one.text for one in sentences]
        return [
            Parse(
                one.id, one.text, str(one.lang), penman.decode(GRAPHS.get(one.text, "(a / amr-empty)")),
                "ok" if one.text in GRAPHS else "failed",
            )
            for one in sentences
        ]  # fmt: skip


class Graphs:
    name, dimension, fingerprint = "amr", 3, "amr:1"

    def encode_graphs(self, graphs: Sequence[penman.Graph]) -> Vectors:
        return np.array([[1, len(graph.triples), 2] for graph in graphs], dtype=np.float32)


class Lengths(TextEncoder):
    name, dimension, fingerprint = "lengths", 3, "lengths:1"

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        return np.array([[len(text), text.count(" "), 1] for text in texts], dtype=np.float32)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """The commands load this parser, between fakes."""
    parser = Told()

    def load(*names: str, split: bool, cache: ParseCache | None) -> RetrofittedEncoder:
        parser.names = (*names, split, None if cache is None else cache.path.name)
        kept = parser if cache is None else CachedParser(parser, cache)
        encoder, weight = RetrofittedEncoder(Lengths(), kept, Graphs()), names[3]
        return encoder if weight is None else encoder.with_weight(weight)

    monkeypatch.setattr(sys.modules["retrofit.load"], "load", load)
    return parser


def test_why_tells_negation_swapped_roles_and_quantities(told: Told) -> None:
    encoder = RetrofittedEncoder(Lengths(), told, Graphs())
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


def command(*words: str | Path | int) -> int:
    return main([str(word) for word in words])


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "q.csv").write_text("id,text,lang\nq1,dog bites man,en\nq2,?,en\n")
    (tmp_path / "c.txt").write_text("".join(f"{text}\n" for text in GRAPHS))
    return tmp_path / "q.csv", tmp_path / "c.txt"


def test_search_writes_json_lines(told: Told, files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "o.jsonl"
    assert command("search", *files, "-k", 1, "--lang", "en", "--id-column", "id", "--why", "-o", out) == 0
    first, second = [json.loads(line) for line in out.read_text().splitlines()]
    assert first == {
        "id_a": "q1", "text_a": "dog bites man", "id_b": "1", "text_b": "dog bites man",
        "base": 1.0, "channels": 1.0, "combined": 1.0, "differ": [],
    }  # fmt: skip
    assert (second["id_a"], second["channels"], second["differ"]) == ("q2", None, [])
    assert told.seen.count("dog bites man") == 1  # in the cache by then


def test_pairs_writes_a_table_to_standard_output(
    told: Told, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"dog bites man\nman bites dog\n?\n")))
    words = ("--lang", "en", "--format", "tsv", "--threshold", "-1", "--why", "--no-cache")
    assert command("pairs", "-", *words) == 0
    output = capsys.readouterr()
    rows = [line.split("\t") for line in output.out.splitlines()]
    assert rows[0] == ["id_a", "text_a", "id_b", "text_b", "base", "channels", "combined", "differ"]
    assert rows[1][:4] == ["1", "dog bites man", "2", "man bites dog"]
    assert rows[1][7].startswith("swapped role: :ARG0 of bite-01: dog | man; swapped role")
    assert len(rows) == 4 and rows[2][5] == ""  # of "?", whose parse failed
    assert output.err == "standard output: 3 lines\n"


def test_the_options_reach_models_and_caches(told: Told, files: tuple[Path, Path], tmp_path: Path) -> None:
    names = ("--base", "b", "--parser", "p", "--encoder", "e", "--weight", 2, "--no-split")
    caches = ("--cache", tmp_path / "p.sqlite", "--vector-cache", tmp_path / "v.sqlite")
    columns = ("--column", "text", "--lang-column", "lang", "--id-column", "id")
    out = tmp_path / "o.tsv"
    assert command("search", *files, "--lang", "de", *names, *caches, *columns, "--top", 1, "-o", out) == 0
    assert told.names == ("b", "p", ("e",), (2.0,), False, "p.sqlite")
    assert [line.split("\t")[0] for line in out.read_text().splitlines()] == ["id_a", "q1", "q2"]
    with VectorCache(tmp_path / "v.sqlite") as kept:
        assert len(kept) == 2 * (2 + len(GRAPHS))  # the languages differ
    assert command("pairs", files[1], files[1], "--margin", "--rerank", 9) == 2
    assert command("pairs", files[1], "--preset", "graph", "--lang", "en", "--split", "-o", out) == 0
    assert told.names[2] == ("mini",)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["search", "q.csv", "none.txt"], "none.txt: no such file"),
        (["search", "q.csv", "empty.txt"], "empty.txt: is empty"),
        (["search", "-", "-"], "standard input can be one of the files, not both"),
        (["search", "c.txt", "c.txt", "--column", "text"], "c.txt has no columns to choose"),
        (["search", "q.csv", "c.txt", "--column", "no"], "q.csv:1: no column 'no'"),
        (["search", "q.csv", "c.txt", "-o", "o.csv"], "o.csv: write to a name in .jsonl or .tsv"),
        (["search", "q.csv", "c.txt", "-o", "o.tsv.gz"], "o.tsv.gz: write to a name in .jsonl or .tsv"),
        (["search", "q.csv", "c.txt", "-o", "o.tsv", "--format", "jsonl"], "the suffix of o.tsv disagree"),
        (["search", "q.csv", "c.txt", "-o", "c.txt", "--format", "tsv"], "c.txt: is read here"),
        (["search", "q.csv", "c.txt", "--rerank", "2"], "rerank must be a whole number >= top (5), got 2"),
        (["search", "q.csv", "c.txt", "-k", "0"], "Input should be greater than or equal to 1"),
        (["search", "q.csv", "c.txt", "--lang", "english"], "language code 'english' is not in ISO 639-1"),
        (["pairs", "c.txt", "--margin"], "--margin is for the translations of two files; give FILE2"),
        (["search", "q.csv", "c.txt", "--device", "gpu"], "device 'gpu' is unknown"),
        (["pairs", "c.txt", "--device", "cuda:99"], "device 'cuda:99' is not on this machine"),
        (["pairs", "c.txt", "--threshold", "7"], "threshold must be a cosine from -1 to 1, got 7.0"),
        (["pairs", "c.txt", "--weight", "0", "--rerank", "9"], "rerank needs the AMR side, and its weight"),
    ],
)  # fmt: skip
def test_wrong_input_is_one_line(
    told: Told,
    files: tuple[Path, Path],
    words: list[str],
    error: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(files[0].parent)
    Path("empty.txt").touch()
    before = sorted(path.name for path in Path().iterdir())
    assert command(*words) == 2
    output = capsys.readouterr()
    assert error in output.err and output.err.count("\n") == 1 and output.out == ""
    assert sorted(path.name for path in Path().iterdir()) == before
    assert told.seen == []


def test_the_shipped_models_find_a_translation_and_say_why(
    muse_files: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "q.txt").write_text("Der Hund beißt den Mann.\n")
    (tmp_path / "c.txt").write_text(
        "Interest rates rose in March.\nThe dog bites the man.\nThe dog does not bite the man.\n"
    )
    for words in ((), ("--rerank", 3)):
        assert command("search", tmp_path / "q.txt", tmp_path / "c.txt", "-k", 3, "--why", *words) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [line["id_b"] for line in lines] == ["2", "3", "1"]
        assert any(words.startswith("negation: :polarity of bite-01") for words in lines[1]["differ"])


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
