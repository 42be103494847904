import html
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import penman
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from amrx.cli import main
from amrx.types import Parse, Sentence, Vectors
from amrx.vectors import cosine
from parser.draw.pairing import Pairing
from parser.draw.svg import picture
from retrofit.combine import RetrofittedEncoder
from retrofit.explain import ChannelCosine, Cosines, Explanation, as_json, as_text, explain, explain_pair
from retrofit.explain_page import as_html

BITE = "(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))"
SWAP = "(b / bite-01 :ARG0 (m / man) :ARG1 (d / dog))"
GRAPHS = {
    "The dog bites the man.": BITE,
    "The man bites the dog.": SWAP,
    "Der Hund beißt den Mann.": BITE,
    "The dog does not bite the man.": BITE.replace("bite-01", "bite-01 :polarity -"),
}
COSINES = Cosines(
    (ChannelCosine("muse", 1, 0.9, 0.8), ChannelCosine("amr", 0.5, 0.6, 0.2)), 0.8, "norm-concat"
)


class FakeBase:
    name, dimension, fingerprint = "base", 2, "base:1"

    def encode(
        self, sentences: Sequence[str], *, lang: Sequence[str], batch_size: int = 64, progress: bool = False
    ) -> Vectors:
        return np.array([[1, code == "de"] for code in lang], dtype=np.float32).reshape(-1, 2)


class FakeParser:
    fingerprint = "parser:1"

    def parse(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[Parse]:
        def parse(s: Sentence) -> Parse:
            graph, status = (GRAPHS[s.text], "ok") if s.text in GRAPHS else ("(a / amr-empty)", "failed")
            return Parse(s.id, s.text, str(s.lang), penman.decode(graph), status)

        return [parse(sentence) for sentence in sentences]


class FakeGraphs:
    name, dimension, fingerprint = "amr", 2, "amr:1"

    def encode_graphs(self, graphs: Sequence[penman.Graph]) -> Vectors:
        first = [graph.edges(role=":ARG0")[0].target for graph in graphs]
        return np.array([[1, name == "m"] for name in first], dtype=np.float32).reshape(-1, 2)


caches: list[object] = []
"""The caches that the encoder was loaded with."""


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> RetrofittedEncoder:
    """The command loads it."""
    made = RetrofittedEncoder(FakeBase(), FakeParser(), FakeGraphs(), weight=0.5)
    caches.clear()

    def load(
        base: str, parser: str, encoder: str, weight: float | None, *,
        split: bool, integration: str = "norm-concat", cache: object,
    ) -> RetrofittedEncoder:  # fmt: skip
        caches.append(cache)
        return made if weight is None else made.with_weight(weight)

    monkeypatch.setattr(sys.modules["retrofit.load"], "load", load)
    return made


def pair(one: str, other: str, langs: tuple[str, str] = ("en", "en")) -> Explanation:
    first, second = (
        Parse("1", text, lang, penman.decode(GRAPHS[text]))
        for text, lang in zip((one, other), langs, strict=True)
    )
    return explain((first, second), COSINES)


def test_the_cosines_are_those_of_the_vectors(encoder: RetrofittedEncoder) -> None:
    texts = "Der Hund beißt den Mann.", "The man bites the dog."
    found = explain_pair(*texts, lang=("de", "en"), encoder=encoder).cosines
    half = np.sqrt(0.5)
    base, amr = found.channels
    assert base.cosine == pytest.approx(half) and amr.cosine == pytest.approx(half)
    assert (base.share, amr.share) == pytest.approx((0.8, 0.2))  # 1 and 0.5 squared
    vectors = encoder.encode(texts, lang=["de", "en"])
    assert found.combined == pytest.approx(cosine(vectors[:1], vectors[1:])[0])
    assert [(one.name, one.weight) for one in found.channels] == [("base", 1), ("amr", 0.5)]


def test_with_weight_zero_the_combined_cosine_is_the_bases(encoder: RetrofittedEncoder) -> None:
    texts = "Der Hund beißt den Mann.", "The man bites the dog."
    found = explain_pair(*texts, lang=("de", "en"), encoder=encoder.with_weight(0)).cosines
    base, amr = found.channels
    assert found.combined == base.cosine and amr.cosine == pytest.approx(np.sqrt(0.5))
    assert (base.share, amr.share) == (1, 0)


def test_a_failed_parse_has_no_amr_cosine(encoder: RetrofittedEncoder) -> None:
    explanation = explain_pair("?!", "The dog bites the man.", lang=("en", "en"), encoder=encoder)
    assert explanation.cosines.channels[1].cosine is None
    assert "none: a parse failed" in as_text(explanation)
    nothing = explain_pair("?", "!", lang=("en", "en"), encoder=encoder)
    for one in (explanation, nothing):
        assert (one.comparison.agree, one.comparison.differ, one.comparison.pairs) == ((), (), ())
        assert "A parse failed" in as_text(one) and "A parse failed" in as_html(one)


def test_text_tells_a_role_swap() -> None:
    text = as_text(pair("The dog bites the man.", "The man bites the dog."))
    agree, differ = text.split("\nagree\n")[1].split("\ndiffer (a | b)\n")
    assert [line.strip() for line in agree.splitlines()] == [
        "concepts", "bite-01", "dog", "man", "roles", "top of the graph: bite-01",
    ]  # fmt: skip
    assert ":ARG0 of bite-01: dog | man" in differ and ":ARG1 of bite-01: man | dog" in differ
    assert re.search(r"combined \(norm-concat\) +0\.800", text)
    assert re.search(r"amr \(weight 0\.5\) +0\.600  share 0\.20", text)
    assert "a [en] The dog bites the man.\n(b / bite-01\n   :ARG0 (d / dog)" in text


def test_a_translation_agrees_and_a_negation_shows() -> None:
    same = as_text(pair("Der Hund beißt den Mann.", "The dog bites the man.", ("de", "en")))
    assert "differ (a | b): nothing" in same and "Smatch 100.0" in same
    negated = as_text(pair("The dog bites the man.", "The dog does not bite the man."))
    assert "  polarity\n    :polarity of bite-01: (none) | -" in negated


def test_json_holds_the_same() -> None:
    record = json.loads(as_json(pair("The dog bites the man.", "The man bites the dog.")))
    assert record["combined"] == 0.8
    assert record["channels"][1] == {"name": "amr", "weight": 0.5, "cosine": 0.6, "share": 0.2}
    assert {"a": "d", "b": "d", "concepts": ["dog", "dog"]} in record["nodes"]
    assert record["differ"][0] == {
        "facet": "role", "role": ":ARG0", "of": "bite-01", "a": "dog", "b": "man",
        "words": ":ARG0 of bite-01: dog | man",
    }  # fmt: skip
    assert penman.decode(record["sentences"][1]["graph"]).triples == penman.decode(SWAP).triples


def test_a_name_that_differs_is_marked_on_the_node_that_it_names() -> None:
    graph = '(g / go-02 :ARG4 (c / city :name (n / name :op1 "%s")))'
    cities = tuple(Parse(name, "", "en", penman.decode(graph % name)) for name in ("Bonn", "Rome"))
    page = as_html(explain(cities, COSINES))
    badges = re.findall(r'<text class="number"[^>]*>([^<]+)</text>', page)
    assert sorted(badges) == ["1", "1", "2≠", "2≠"]


def test_paired_nodes_have_one_number_and_colour_in_both_pictures() -> None:
    page = as_html(pair("The dog bites the man.", "The man bites the dog."))
    pictures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(pictures) == 2
    seen = [
        {
            concept: (hue, number)
            for hue, concept, number in re.findall(
                r'class="paired[^"]*" style="(--hue:\d+)"[^>]*/><text class="concept"[^>]*>([^<]+)</text>'
                r'.*?<text class="number"[^>]*>([^<]+)</text>',
                svg,
            )
        }
        for svg in pictures
    ]
    assert seen[0] == seen[1] and len(set(seen[0].values())) == 3
    assert page.count("≠ :ARG0</text>") == page.count("≠ :ARG1</text>") == 2
    assert "<script" not in page and "http" not in page.replace("http-equiv", "")


def test_what_differs_has_a_sign_and_a_dashed_outline() -> None:
    graph = penman.decode(GRAPHS["The dog does not bite the man."])
    odd = frozenset({("b", ":polarity", "-"), ("d", ":instance", "dog"), ("b", ":ARG0", "d")})
    svg = picture(Parse("1", "", "en", graph), standalone=False, pairing=Pairing({"b": 1, "m": 2}, odd)).svg
    assert 'class="alone odd"' in svg and 'class="negative odd"' in svg
    assert svg.count(">≠</text>") == 2
    assert "≠ :polarity</text>" in svg and "≠ :ARG0</text>" in svg and ">:ARG1</text>" in svg


def test_an_inverse_role_is_marked_as_written() -> None:
    graph = penman.decode("(p / person :ARG0-of (t / teach-01))")
    pairing = Pairing({"p": 1, "t": 2}, frozenset({("t", ":ARG0", "p")}))
    assert "≠ :ARG0-of</text>" in picture(Parse("1", "", "en", graph), standalone=False, pairing=pairing).svg


def test_text_of_a_page_is_escaped() -> None:
    nasty = Parse("1", "<b>&", "en", penman.decode('(a / "<i>")'))
    page = as_html(explain((nasty, nasty), COSINES))
    assert "<b>&" not in page and "&lt;b&gt;&amp;" in page
    assert '<i>"' not in page


def run(*arguments: object) -> int:
    return main(["explain", *map(str, arguments)])


def test_the_command_writes_all_three(encoder, tmp_path, capsys):
    files = tmp_path / "e.json", tmp_path / "e.html"
    options = ["--lang-a", "de", "--lang-b", "en", "--json", files[0], "--html", files[1]]
    assert run("Der Hund beißt den Mann.", "The man bites the dog.", *options) == 0
    assert ":ARG0 of bite-01: dog | man" in capsys.readouterr().out
    assert [s["lang"] for s in json.loads(files[0].read_text("utf-8"))["sentences"]] == ["de", "en"]
    assert files[1].read_text("utf-8").startswith("<!doctype html>")


def test_the_weight_can_be_given(encoder: RetrofittedEncoder, capsys: pytest.CaptureFixture[str]) -> None:
    text = "The dog bites the man."
    assert run(text, text, "--lang-a", "en", "--lang-b", "en", "--weight", 2) == 0
    assert "amr (weight 2)" in capsys.readouterr().out


def test_pairs_of_a_file_are_explained_one_after_the_other(encoder, tmp_path, capsys):
    names = list(GRAPHS)
    rows = [(names[0], names[1]), (names[0], names[3])]
    table = tmp_path / "p.tsv"
    table.write_text("one\tother\n" + "".join(f"{a}\t{b}\n" for a, b in rows), "utf-8")
    files = tmp_path / "e.json", tmp_path / "e.html", tmp_path / "e.txt"
    langs = ("--lang-a", "en", "--lang-b", "en")
    asked = ("--pairs", table, "--columns", "one,other", *langs, "--json", files[0], "--html", files[1])
    assert run(*asked, "-o", files[2], "--no-cache") == 0
    assert caches == [None]
    found = json.loads(files[0].read_text("utf-8"))
    assert [tuple(sentence["text"] for sentence in one["sentences"]) for one in found] == rows
    assert capsys.readouterr().out == ""
    assert [one.pop("ids") for one in found] == [["1", "1"], ["2", "2"]]
    for row, alone in zip(rows, found, strict=True):
        assert run(*row, *langs, "--cache", tmp_path / "c.sqlite", "--json", files[0]) == 0
        assert json.loads(files[0].read_text("utf-8")) == alone
        assert capsys.readouterr().out in files[2].read_text("utf-8")
    assert str(caches[-1].path) == str(tmp_path / "c.sqlite")
    assert files[1].read_text("utf-8").count("They differ in") == 2


@pytest.fixture
def without_graphs(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The command loads an encoder without graphs; the parsers that it loads are listed."""
    encoder, parsers = RetrofittedEncoder(FakeBase(), None, FakeBase(), weight=0.5), []

    def load_reader(parser: str, **_: object) -> FakeParser:
        parsers.append(parser)
        return FakeParser()

    monkeypatch.setattr(sys.modules["retrofit.load"], "load", lambda *_, **__: encoder)
    monkeypatch.setattr(sys.modules["retrofit.load"], "load_reader", load_reader)
    return parsers


def test_pairs_are_scored_without_graphs(without_graphs, tmp_path, capsys):
    table, out = tmp_path / "p.tsv", tmp_path / "e.json"
    table.write_text(
        "id\ttext_a\tlang_a\ttext_b\tlang_b\nx\tHallo\tde\tHello\ten\ny\t?\ten\t!\ten\n", "utf-8"
    )
    assert run("--pairs", table, "--preset", "fast", "--json", out) == 0
    first, second = json.loads(out.read_text("utf-8"))
    half = pytest.approx(np.sqrt(0.5))
    assert first["sentences"] == [{"text": "Hallo", "lang": "de"}, {"text": "Hello", "lang": "en"}]
    assert (first["ids"], first["combined"]) == (["x", "x"], half)
    assert [channel["cosine"] for channel in first["channels"]] == [half, half]
    assert second["combined"] == pytest.approx(1) and "smatch" not in second and "differ" not in second
    text = capsys.readouterr().out
    assert text.startswith("id x\nbase (base)") and text.endswith("\na [en] ?\nb [en] !\n")
    assert re.search(r"combined \(norm-concat\) +0\.707\n\na \[de\] Hallo\nb \[en\] Hello\n", text)
    assert without_graphs == []


def test_a_named_parser_adds_graphs(without_graphs: list[object], tmp_path: Path) -> None:
    texts = "The man bites the dog.", "The dog bites the man."
    page, out = tmp_path / "e.html", tmp_path / "e.json"
    asked = (*texts, "--lang-a", "en", "--lang-b", "en", "--preset", "fast", "-o", tmp_path / "e.txt")
    assert run(*asked, "--parser", "mini", "--html", page, "--json", out) == 0
    assert without_graphs == ["mini"]
    assert len(json.loads(out.read_text("utf-8"))["differ"]) == 2
    shown = page.read_text("utf-8")
    assert shown.count("<svg") == 2 and "<li>swapped role: :ARG0 of bite-01: man | dog</li>" in shown


def test_a_page_needs_graphs(without_graphs, tmp_path, capsys):
    assert run("one", "other", "--preset", "fast", "--html", tmp_path / "e.html") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == ("amrx: error: --html shows graphs, which base+base does not read; add --parser mini")
    assert not (tmp_path / "e.html").exists()


@pytest.mark.parametrize(
    ("columns", "rows", "ids", "titles"),
    [
        (["id_a", "id_b"], [["t<7>", "t9"], ["t<7>", "2"]], None, ["ids t<7> | t9", "ids t<7> | 2"]),
        (["id"], [["row 8"], ["row 8"]], [["row 8", "row 8"]] * 2, ["id row 8", "id row 8"]),
        (["id_a", "id"], [["x", "1"], ["y", "1"]], None, ["ids x | 1", "ids y | 1"]),
    ],
)
@pytest.mark.parametrize("suffix", ["jsonl", "tsv", "parquet"])
def test_identifiers_of_pairs_are_shown(encoder, tmp_path, suffix, columns, rows, ids, titles):
    texts = {"text_a": "The man bites the dog.", "text_b": "The dog bites the man."}
    records = [dict(zip(columns, row, strict=True)) | texts for row in rows]
    table = tmp_path / f"p.{suffix}"
    if suffix == "jsonl":
        table.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    elif suffix == "tsv":
        lines = [list(records[0]), *(list(record.values()) for record in records)]
        table.write_text("".join("\t".join(line) + "\n" for line in lines), "utf-8")
    else:
        pq.write_table(pa.Table.from_pylist(records), table)
    out, text, page = tmp_path / "e.json", tmp_path / "e.txt", tmp_path / "e.html"
    given = ("--lang-a", "en", "--lang-b", "en", "--json", out, "-o", text, "--html", page)
    assert run("--pairs", table, *given) == 0
    assert [one["ids"] for one in json.loads(out.read_text("utf-8"))] == (ids or rows)
    assert [line for line in text.read_text("utf-8").splitlines() if line.startswith("id")] == titles
    assert all(f"<h2>{html.escape(title)}</h2>" in page.read_text("utf-8") for title in titles)


@pytest.mark.parametrize("suffix", ["jsonl", "tsv"])
def test_pairs_of_the_commands_keep_their_languages_and_cosines(encoder, tmp_path, suffix):
    lines = [
        {"text": "The man bites the dog.", "lang": "de"},  # neither would be detected so
        {"text": "Der Hund beißt den Mann.", "lang": "fr"},
    ]
    texts, matches, out = tmp_path / "t.jsonl", tmp_path / f"m.{suffix}", tmp_path / "e.json"
    texts.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    assert main(["pairs", str(texts), "-o", str(matches), "--no-cache"]) == 0
    written = matches.read_text("utf-8").splitlines()
    if suffix == "jsonl":
        (match,) = map(json.loads, written)
    else:
        match = dict(zip(*(line.split("\t") for line in written), strict=True))
    assert (match["lang_a"], match["lang_b"]) == ("de", "fr")
    for given in ([], ["--lang-a", "en", "--lang-b", "en"]):
        assert run("--pairs", matches, "--json", out, "-o", tmp_path / "e.txt", *given) == 0
        (found,) = json.loads(out.read_text("utf-8"))
        assert [sentence["lang"] for sentence in found["sentences"]] == ["de", "fr"]
        assert found["combined"] == pytest.approx(float(match["combined"]), abs=1e-6)


def test_the_language_is_in_the_column_of_its_side_or_one_of_both(encoder, tmp_path):
    texts = {"text_a": "The man bites the dog.", "text_b": "The dog bites the man."}
    out, asked = tmp_path / "e.json", ["--columns", "text_b,text_a", "--lang-b", "it"]

    def langs(row: dict[str, str | None]) -> list[str]:
        (tmp_path / "p.jsonl").write_text(json.dumps(texts | row) + "\n", "utf-8")
        assert run("--pairs", tmp_path / "p.jsonl", "--json", out, "-o", tmp_path / "e.txt", *asked) == 0
        return [sentence["lang"] for sentence in json.loads(out.read_text("utf-8"))[0]["sentences"]]

    assert langs({"lang_a": "de", "lang_b": "fr"}) == ["fr", "de"]
    assert langs({"lang": "es"}) == ["es", "es"]
    assert langs({"lang_b": "fr", "lang": "es"}) == ["fr", "es"]
    assert langs({}) == ["en", "it"]  # detected, and given


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["", "b"], "the first sentence is empty"),
        (["a", " "], "the second sentence is empty"),
        (["a", "b", "--lang-a", "german"], "language code 'german'"),
        (["a", "b", "--html", "none/e.html"], "the folder 'none' does not exist"),
        (["a", "b", "-o", "e", "--html", "./e"], "e: is a name of e, or of its working files"),
        (["a"], "give two sentences, or --pairs FILE"),
        ([], "give two sentences, or --pairs FILE"),
        (["a", "b", "--pairs", "p.tsv"], "give two sentences, or --pairs FILE"),
        (["a", __file__], "is a file, and explain takes two sentences, or --pairs FILE"),
        (["--pairs", "p.tsv"], "p.tsv: no such file"),
        (["--pairs", "graphs.amr"], "--pairs needs a table, such as amrx pairs -o FILE.tsv writes"),
        (["--pairs", "p.tsv", "--columns", "text_a"], "--columns must be two names separated by a comma"),
    ],
)
def test_errors_are_one_line_and_come_before_the_models(arguments, message, capsys, monkeypatch):
    def load(*names: object, **options: object) -> None:
        raise AssertionError("a model was loaded")

    monkeypatch.setattr(sys.modules["retrofit.load"], "load", load)
    assert run(*arguments) == 2
    assert message in capsys.readouterr().err
