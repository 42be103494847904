"""parser.run.cache and parser.load: what is kept, under which key, and what comes back."""

import json
import sqlite3

import penman
import pytest
from penman.models.amr import model as amr_model

from amrx.errors import MissingResourceError, OptionError, OutputError
from amrx.records.store import user_cache
from amrx.types import Parse, Parser, Sentence
from parser import load
from parser.load import PARSERS, Kind
from parser.run.cache import PARSES, CachedParser, ParseCache


class Fixed:
    """Gives each text the graph it was told."""

    def __init__(self, graphs, fingerprint="fixed-1"):
        self.graphs, self.fingerprint, self.calls = graphs, fingerprint, []

    def parse(self, sentences, *, batch_size=64, progress=False):
        self.calls.append([sentence.text for sentence in sentences])
        return [
            Parse(
                sentence.id,
                sentence.text,
                sentence.lang or "en",
                self.graphs[sentence.text],
                "repaired",
                ("a role without a node",),
                {self.graphs[sentence.text].top: (0, 3)},
                self.fingerprint,
            )
            for sentence in sentences
        ]


@pytest.fixture
def cache(tmp_path):
    with ParseCache(tmp_path / "deep" / "er" / "c.sqlite") as opened:
        yield opened


def test_what_comes_back_is_what_went_in(amrs, cache):
    amrs["ring"] = penman.decode("(r / ring :consist-of (g / gold) :ARG0-of (s / shine-01))", model=amr_model)
    inner = Fixed(amrs)
    parser = CachedParser(inner, cache)
    assert isinstance(parser, Parser)
    sentences = [Sentence(f"id-{name}", name, "de") for name in amrs]
    expected = inner.parse(sentences)
    for hits in (0, len(amrs)):  # made, then kept
        parses = parser.parse(sentences)
        for parse, true in zip(parses, expected, strict=True):
            assert set(parse.graph.triples) == set(true.graph.triples)
            assert parse.graph.top == true.graph.top
            fields = ("id", "text", "lang", "status", "repairs", "alignments", "parser")
            assert [getattr(parse, f) for f in fields] == [getattr(true, f) for f in fields]
            encoded = [penman.encode(one.graph, model=amr_model) for one in (parse, true)]
            assert encoded[0] == encoded[1]
        assert parser.hits == hits
    assert len(cache) == len(amrs)


def test_equal_sentences_are_parsed_once_and_keep_their_ids(amrs, cache):
    inner = Fixed(amrs)
    parser = CachedParser(inner, cache)
    texts = ["boy", "york", "boy", "cycle", "boy"]
    parses = parser.parse([Sentence(str(n), text) for n, text in enumerate(texts)])
    assert [(parse.id, parse.text) for parse in parses] == [(str(n), text) for n, text in enumerate(texts)]
    assert inner.calls == [["boy", "york", "cycle"]]  # by length, and then in order
    assert parses[0].graph is not parses[2].graph
    parser.parse([Sentence("9", "single"), Sentence("10", "boy")])
    assert inner.calls[1:] == [["single"]]
    assert parser.parse([]) == []


def test_a_kill_loses_no_more_than_a_block(monkeypatch, amrs, cache):
    monkeypatch.setattr("parser.run.cache.BLOCK", 2)

    class Dies(Fixed):
        def parse(self, sentences, **options):
            if len(self.calls) == 2:
                raise KeyboardInterrupt
            return super().parse(sentences, **options)

    texts = [f"{'long ' * (n % 3)}{n}" for n in range(7)]
    graphs = dict.fromkeys(texts, amrs["boy"])
    with pytest.raises(KeyboardInterrupt):
        CachedParser(Dies(graphs), cache).parse([Sentence(text, text) for text in texts])
    assert len(cache) == 4
    inner = Fixed(graphs)
    parses = CachedParser(inner, cache).parse([Sentence(text, text) for text in texts])
    assert [parse.id for parse in parses] == texts
    assert inner.calls == [["long 4", "long long 2"], ["long long 5"]]  # blocks are of like length


def test_another_parser_is_another_entry(amrs, cache):
    one, two = Fixed(amrs, "one"), Fixed({**amrs, "boy": amrs["york"]}, "two")
    for inner in (one, two, one, two):
        (parse,) = CachedParser(inner, cache).parse([Sentence("1", "boy", "de")])
        assert (parse.graph.top, parse.parser) == (inner.graphs["boy"].top, inner.fingerprint)
    assert [len(inner.calls) for inner in (one, two)] == [1, 1]


def test_many_keys_and_the_first_value_stays(cache):
    values = {bytes([number // 256, number % 256]): f"value {number}" for number in range(2500)}
    cache.put(values)
    cache.put(dict.fromkeys(values, "later"))
    assert cache.get([*values, *values, b"absent"]) == values


def test_two_at_once(tmp_path):
    with ParseCache(tmp_path / "c") as one, ParseCache(tmp_path / "c") as two:
        one.put({b"a": "1"})
        assert two.get([b"a"]) == {b"a": "1"}
        two.put({b"b": "2"})
        assert one.get([b"a", b"b"]) == {b"a": "1", b"b": "2"}


@pytest.mark.parametrize("moment", range(4))
def test_a_cache_made_by_another_process_while_this_one_looks(tmp_path, monkeypatch, moment):
    """Whatever question of its own another process's making of the file comes before."""
    path, real, asked = tmp_path / "c.sqlite", sqlite3.connect, []

    class Watched(sqlite3.Connection):
        def execute(self, question, *rest):
            if len(asked) == moment:
                monkeypatch.setattr(sqlite3, "connect", real)
                ParseCache(path).close()
            asked.append(question)
            return super().execute(question, *rest)

    monkeypatch.setattr(sqlite3, "connect", lambda *given, **more: real(*given, factory=Watched, **more))
    with ParseCache(path) as cache:
        assert len(cache) == 0
    assert len(asked) > moment


def test_a_file_damaged_later_is_told(tmp_path):
    path = tmp_path / "c"
    with ParseCache(path) as cache:
        cache.put({bytes([n]): "x" * 3000 for n in range(200)})
    content = bytearray(path.read_bytes())
    content[4096:] = b"\x99" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(OutputError, match="parse cache"), ParseCache(path) as cache:
        cache.get([bytes([n]) for n in range(200)])


def test_a_table_from_elsewhere_is_told(tmp_path):
    path = tmp_path / "c"
    with ParseCache(path):
        pass
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE parses")
    connection.execute("CREATE TABLE parses (other TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(OutputError, match="cannot be used"), ParseCache(path) as cache:
        cache.get([b"a"])


def test_the_users_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert user_cache("parses.sqlite") == tmp_path / "amrx" / "parses.sqlite"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert user_cache("parses.sqlite") == tmp_path / "home" / ".cache" / "amrx" / "parses.sqlite"


def test_names_of_parsers(monkeypatch, tmp_path):
    asked = []

    def loader(rest):
        asked.append(rest)
        return Fixed({})

    monkeypatch.setitem(PARSERS, "mini", Kind(loader, "mini or mini:DIR", ""))
    for name in ("mini", "mini:a:b", str(tmp_path)):
        assert isinstance(load(name), Parser)
    assert asked == [None, "a:b", str(tmp_path)]
    with pytest.raises(OptionError, match="nothing follows the colon"):
        load("mini:")
    for unknown in ("min", "", "seq:x", str(tmp_path / "none")):
        with pytest.raises(OptionError, match="choose from mini or mini:DIR"):
            load(unknown)


def test_a_folder_without_weights(tmp_path):
    with pytest.raises(MissingResourceError):
        load(f"mini:{tmp_path}")


DAMAGED = ["garbage", "{}", "[]", None, b"\x00\xff", 7, "((((", "[" * 100_000]


@pytest.mark.parametrize("value", [*DAMAGED, "graph", "status", "lang", "alignments"])
def test_a_damaged_entry_is_dropped_said_and_parsed_again(amrs, cache, capsys, value):
    inner = Fixed(amrs)
    sentences = [Sentence("1", "boy", "de"), Sentence("2", "york", "de"), Sentence("3", "boy", "de")]
    expected = CachedParser(inner, cache).parse(sentences)
    key = PARSES.key(sentences[0].text, sentences[0].lang, inner.fingerprint)
    if value in ("graph", "status", "lang", "alignments"):
        value = json.dumps({**json.loads(cache.get([key])[key]), value: "((((" if value == "graph" else 5})
    cache._connection.execute("UPDATE parses SET value = ? WHERE key = ?", (value, key))
    cache._connection.commit()
    for calls, told in ((["boy"], "1 damaged entries of the parse cache are recomputed"), ([], "")):
        inner.calls.clear()
        parses = CachedParser(inner, cache).parse(sentences)
        assert [penman.encode(one.graph) for one in parses] == [penman.encode(one.graph) for one in expected]
        assert [one.id for one in parses] == ["1", "2", "3"] and parses[0].graph is not parses[2].graph
        assert inner.calls == ([calls] if calls else [])
        assert told in (err := capsys.readouterr().err) and bool(told) == bool(err)


def test_a_cache_without_room_is_said_once_and_costs_no_parse(amrs, cache, capsys, monkeypatch):
    monkeypatch.setattr("parser.run.cache.BLOCK", 1)
    parser = CachedParser(Fixed(amrs), cache)
    parser.parse([Sentence("1", "boy")])
    cache._connection.execute("PRAGMA max_page_count = 1")
    cache._connection.execute("CREATE TEMP TRIGGER full BEFORE INSERT ON parses BEGIN"
                              " SELECT RAISE(ABORT, 'database or disk is full'); END")  # fmt: skip
    parses = parser.parse([Sentence(name, name) for name in amrs])
    assert [parse.id for parse in parses] == list(amrs) and parser.hits == 1
    told = capsys.readouterr().err
    assert (
        told.count("amrx: continuing without writing to the cache: ") == 1
        and "database or disk is full" in told
    )
    assert str(cache.path) in told
