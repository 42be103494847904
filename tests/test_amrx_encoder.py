"""How encoders and parsers take their sentences: one text, or any ordered iterable, taken once."""

import ast
import enum
import io
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import amrx
from amrx import langid
from amrx.encoder import PlainEncoder, TextEncoder, as_sentences
from amrx.errors import InputError, OptionError
from amrx.texts import as_texts, stream_items
from amrx.types import Encoder, Sentence, Vectors
from amrx.vector_cache import CachedEncoder, VectorCache
from tests.support.toy_parser import ToyParser

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ["A dog barks.", "Yes.", "", "Der Hund bellt laut."]


class Letters(TextEncoder):
    """Counts letters; remembers what it was asked."""

    name, dimension, fingerprint = "letters", 2, "letters:1"

    def __init__(self) -> None:
        self.asked: list[tuple[list[str], object]] = []

    def _encode(self, texts, *, lang, batch_size, progress) -> Vectors:
        self.asked.append((texts, lang))
        return np.array([[len(text), text.count("a")] for text in texts], dtype=np.float32).reshape(-1, 2)


class Word(str, enum.Enum):  # noqa: UP042  # whose str() is its name, not the text
    DOG = "A dog barks."


FORMS: list[Callable[[list[str]], object]] = [
    tuple, iter, deque, np.array, pd.Series, pd.Index, lambda texts: np.array(texts, dtype=object),
    lambda texts: (text for text in texts), lambda texts: map(str.strip, texts),
    lambda texts: dict.fromkeys(texts).keys(), lambda texts: dict(enumerate(texts)).values(),
    lambda texts: pd.Series(texts, index=range(7, 7 + len(texts))), lambda texts: pd.array(texts),
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_ordered_iterable_gives_the_vectors_of_its_list(form: Callable[[list[str]], object]) -> None:
    expected = Letters().encode(TEXTS)
    encoder = Letters()
    assert encoder.encode(form(TEXTS)).tolist() == expected.tolist()  # type: ignore[arg-type]
    assert encoder.asked == [(TEXTS, None)] and all(type(text) is str for text in encoder.asked[0][0])


@given(st.lists(st.text(), max_size=5))
def test_one_text_gives_its_row(texts: list[str]) -> None:
    encoder = Letters()
    rows = encoder.encode(iter(texts))
    assert rows.shape == (len(texts), 2)
    for text, row in zip(texts, rows, strict=True):
        assert encoder.encode(text).tolist() == row.tolist()
        assert encoder.encode(text, lang=["de"]).shape == (2,)


def test_subclasses_of_str_become_plain_strings() -> None:
    assert as_texts([Word.DOG, np.str_("Yes.")]) == ["A dog barks.", "Yes."]
    assert [type(text) for text in as_texts(Word.DOG)] == [str]


def test_an_open_file_is_its_lines() -> None:
    assert as_texts(io.StringIO("a\nb\n")) == ["a\n", "b\n"]


REFUSED: list[tuple[object, str]] = [
    (["a", None], "sentence 2 must be a str, got None"),
    (["a", "b", 7], "sentence 3 must be a str, got 7"),
    ([float("nan")], "sentence 1 must be a str, got nan"),
    ([np.float64("nan")], "sentence 1 must be a str, got nan"),
    (["a", pd.NA], "sentence 2 must be a str, got NAType"),
    ([b"a"], "sentence 1 must be a str, got bytes"),
    ([["a"], ["b"]], "sentence 1 must be a str, got list"),
    ([("a", "b")], "sentence 1 must be a str, got tuple"),
    ([Sentence("1", "a")], "sentence 1 must be a str, got Sentence"),
    ((text for text in ["a", None]), "sentence 2 must be a str, got None"),
    (b"abc", "sentences must be a str or an ordered iterable of str, got bytes"),
    (bytearray(b"abc"), "got bytearray"),
    ({"a": 1}, "ordered iterable of str, got dict"),
    ({"a", "b"}, "got set"),
    (frozenset("a"), "got frozenset"),
    (None, "got None"),
    (7, "got 7"),
    (Path("a.txt"), "got PosixPath"),
    (np.array("a"), "got ndarray"),
    (np.array([["a", "b"]]), "got ndarray"),
    (pd.DataFrame({"text": ["a"]}), "got DataFrame"),
    (range(2), "sentence 1 must be a str, got 0"),
    ([pd.Series(["a"])], "sentence 1 must be a str, got Series"),
    (str, "got type"),
    ("a\ud800", "sentence 1 holds a lone surrogate: 'a\\ud800'"),
    (iter(["a", "\udc00b"]), "sentence 2 holds a lone surrogate: '\\udc00b'"),
    (zip("ab", "cd", strict=True), "sentence 1 must be a str, got tuple"),
    (memoryview(b"ab"), "sentence 1 must be a str, got 97"),
    (np.array(["a"], dtype="S1"), "sentence 1 must be a str, got bytes_"),
    ([True], "sentence 1 must be a str, got True"),
]


@pytest.mark.parametrize(("sentences", "message"), REFUSED)
def test_what_is_no_text_is_refused_with_its_position(sentences: object, message: str) -> None:
    encoder = Letters()
    with pytest.raises(InputError) as refused:
        encoder.encode(sentences)  # type: ignore[arg-type]
    assert message in str(refused.value) and "\n" not in str(refused.value)
    assert encoder.asked == []


def test_languages_are_taken_once_and_counted() -> None:
    encoder = Letters()
    encoder.encode(["a", "b"], lang=(code for code in ["de", "en"]))
    assert encoder.asked == [(["a", "b"], ["de", "en"])]
    for wrong in (["de"], ["de", "en", "fr"], iter(())):
        with pytest.raises(OptionError, match="language codes for 2 sentences"):
            encoder.encode(["a", "b"], lang=wrong)
    with pytest.raises(InputError, match="language code 2 must be a str or NoneType, got 7"):
        encoder.encode(["a", "b"], lang=["de", 7])  # type: ignore[list-item]


def test_wrappers_take_the_same(tmp_path: Path) -> None:
    class Own:
        def encode(self, sentences: list[str]) -> object:
            assert type(sentences) is list
            return [[len(text)] for text in sentences]

    with VectorCache(tmp_path / "v.sqlite") as cache:
        for wrapped in (CachedEncoder(Letters(), cache), PlainEncoder(Own())):
            assert isinstance(wrapped, Encoder)
            assert wrapped.encode("A dog barks.").shape == (wrapped.dimension,)
            assert wrapped.encode(iter(TEXTS)).shape == (4, wrapped.dimension)
            with pytest.raises(InputError, match="sentence 2 must be a str"):
                wrapped.encode(["a", None])  # type: ignore[list-item]


def test_detection_takes_them_too() -> None:
    assert langid.detect("Der Junge möchte nach Hause gehen.") == ["de"]
    assert langid.detect(iter(["", "The boy wants to go home."])) == ["en", "en"]
    with pytest.raises(InputError, match="sentence 1 must be a str, got None"):
        langid.detect([None])  # type: ignore[list-item]


def test_strings_become_records_with_their_position() -> None:
    own = Sentence("x", "c", "fr")
    assert as_sentences("a") == [Sentence("1", "a")]
    assert as_sentences(own, "de") == [own]
    made = as_sentences(iter(["a", own, Sentence("y", "d")]), ["de", "en", "it"])
    assert made == [Sentence("1", "a", "de"), own, Sentence("y", "d", "it")]
    with pytest.raises(OptionError, match="'DE' is not in ISO 639-1; did you mean 'de'"):
        as_sentences(["a"], "DE")
    with pytest.raises(InputError, match="sentence 2 must be a str or Sentence, got None"):
        as_sentences(["a", None])  # type: ignore[list-item]
    with pytest.raises(InputError, match="sentence 'x' holds a lone surrogate: 'a.ud800'"):
        as_sentences(["a", Sentence("x", "a\ud800")])


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (Sentence("x", None), "sentence 2: text must be a str, got None"),  # type: ignore[arg-type]
        (Sentence(1, "a"), "sentence 2: id must be a str, got 1"),  # type: ignore[arg-type]
        (Sentence("x", "a", 5), "sentence 'x': language code must be a str, got 5"),  # type: ignore[arg-type]
        (Sentence("x", "a", "zz"), "sentence 'x': language code 'zz' is not in ISO 639-1"),
    ],
)
def test_fields_of_a_record_are_checked(record: Sentence, told: str) -> None:
    with pytest.raises(InputError, match=told):
        as_sentences(["a", record])
    with pytest.raises(InputError, match=told):
        amrx.parse(["a", record], parser=ToyParser())
    with pytest.raises(OptionError, match="language code must be a str, got 5"):
        langid.check(5)  # type: ignore[arg-type]


def methods(name: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield every public method of that name that takes sentences, with its class."""
    for package in ("amrx", "linearize", "parser", "retrofit"):
        for file in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                for part in node.body if isinstance(node, ast.ClassDef) else ():
                    if isinstance(part, ast.FunctionDef) and part.name == name:
                        arguments = [argument.arg for argument in part.args.args]
                        if "sentences" in arguments or "inputs" in arguments:
                            yield node.name, part  # type: ignore[union-attr]


def calls(function: ast.FunctionDef) -> set[str]:
    called: Iterable[ast.AST] = ast.walk(function)
    return {node.func.id for node in called if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def test_one_place_takes_the_arguments_of_every_encode() -> None:
    found = {name: calls(function) for name, function in methods("encode")}
    protocols = {"Encoder", "Encodes", "MtebModel"}  # mteb hands over batches of its own
    assert found.keys() - protocols == {"TextEncoder", "RetrofitTransformer"}
    assert all("as_texts" in found[name] for name in found.keys() - protocols)


def test_one_place_takes_the_arguments_of_every_parse() -> None:
    found = {name: calls(function) for name, function in methods("parse") if name != "Parser"}
    assert found.keys() - {"MiniParser"} == {"TextParser"}
    assert [name for name, called in found.items() if "as_sentences" not in called] == []


@pytest.mark.parametrize(
    ("vectors", "told"),
    [
        (None, r"vectors must be rows of numbers, \(n, d\) or \(d,\), got None"),
        (3, r"got an array of shape \(\)"),
        (np.ones((1, 2, 2)), r"got an array of shape \(1, 2, 2\)"),
        (["a dog"], "vectors must be rows of numbers: could not convert string to float: 'a dog'"),
        ({"a": 1}, "vectors must be rows of numbers: "),
        ((row for row in [[1, 2]]), "vectors must be rows of numbers: "),
    ],
)
def test_similarity_of_no_vectors_is_an_error(vectors, told):
    with pytest.raises(InputError, match=told):
        Letters().similarity(vectors, [[1, 2]])
    with pytest.raises(InputError):
        Letters().similarity([[1, 2]], vectors)


def test_items_may_be_endless():
    numbers = stream_items(itertools.count(), int, "number")
    assert list(itertools.islice(numbers, 3)) == [0, 1, 2]


def test_a_missing_language_is_detected() -> None:
    texts = ["Das ist ein langer deutscher Satz.", "This is a long English sentence.", "Hund"]
    seen = Letters()
    vectors = seen.encode(texts, lang=[None, "en", "sv"])
    assert np.array_equal(vectors, seen.encode(texts, lang=["de", "en", "sv"]))
    assert [record.lang for record in as_sentences(texts, [None, "en", "sv"])] == [None, "en", "sv"]
    parses = ToyParser().parse(as_sentences(texts, [None, "en", "sv"]))
    assert [parse.lang for parse in parses] == ["de", "en", "sv"]


def test_options_of_sentence_transformers_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AMRX_DEVICE", raising=False)
    encoder, texts = Letters(), ["a", "bb"]
    plain = encoder.encode(texts)
    assert np.array_equal(encoder.encode(texts, convert_to_numpy=True, device="cpu", prompt_name=None), plain)
    rows = encoder.encode(texts, convert_to_numpy=False)
    assert isinstance(rows, list) and np.array_equal(np.stack([row.numpy() for row in rows]), plain)
    assert encoder.encode("a", convert_to_numpy=False).shape == plain.shape[1:]
    assert np.array_equal(encoder.encode_query(texts, batch_size=1), plain)
    assert np.array_equal(encoder.encode_document("bb"), plain[1])
    with pytest.raises(OptionError, match="prompt_name 'query' is unknown"):
        encoder.encode(texts, prompt_name="query")
    with pytest.raises(OptionError, match="device 'meta' is not on this machine"):
        encoder.encode(texts, device="meta")
    monkeypatch.setattr("amrx.encoder.pick_device", torch.device)
    with pytest.raises(OptionError, match="device 'cuda' is not that of the models; set AMRX_DEVICE before"):
        encoder.encode(texts, device="cuda")
