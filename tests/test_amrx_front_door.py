"""amrx: the front door, whose names are imported at their first use."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import penman
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

import amrx
from amrx.encoder import TextEncoder
from amrx.errors import AmrxError, InputError, OptionError
from amrx.types import Vectors
from tests.support.toy_parser import ToyParser

NAMES = {
    "load", "load_parser", "load_base", "parse", "linearize", "delinearize", "smatch", "explain", "evaluate",
    "search", "pairs",    "Sentence", "Parse", "__version__",
}  # fmt: skip
GRAPH = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"


class Letters(TextEncoder):
    """Count three letters."""

    name, dimension, fingerprint = "letters", 3, "letters"

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        self.shown = progress
        return np.array([[text.count(letter) for letter in "abc"] for text in texts], np.float32)


def test_every_name_is_there_and_told() -> None:
    assert set(amrx.__all__) == NAMES
    for name in NAMES:
        assert getattr(amrx, name) is not None
    assert set(dir(amrx)) >= NAMES
    with pytest.raises(AttributeError, match="module 'amrx' has no attribute 'lode'"):
        amrx.lode  # noqa: B018


def test_importing_amrx_imports_neither_torch_nor_a_stage() -> None:
    code = (
        "import amrx, sys; print([m for m in ('torch', 'numpy', 'parser', 'retrofit') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_parse_takes_strings_and_a_parser() -> None:
    [parse] = amrx.parse(["Der Junge will gehen."], lang="de", parser=ToyParser())
    assert (parse.id, parse.text, parse.lang) == ("1", "Der Junge will gehen.", "de")
    assert isinstance(parse, amrx.Parse)
    with pytest.raises(InputError, match="sentence 2 must be a str or Sentence, got None"):
        amrx.parse(["one", None], parser=ToyParser())  # type: ignore[list-item]
    with pytest.raises(OptionError, match="unknown parser 'maxi'"):
        amrx.parse("one", lang="en", parser="maxi")


def test_linearize_and_delinearize_undo_each_other() -> None:
    graph = penman.decode(GRAPH)
    tokens = amrx.linearize(graph, form="pointer")
    assert amrx.smatch(amrx.delinearize(tokens).graph, graph).f1 == 100


def test_smatch_takes_text_graphs_and_parses_one_or_several() -> None:
    graph = penman.decode(GRAPH)
    parse = amrx.Parse("1", "The boy wants to go.", "en", graph)
    for one in (GRAPH, graph, parse):
        assert amrx.smatch(one, GRAPH).f1 == 100
        assert amrx.smatch([one, one], [GRAPH, "(b / boy)"]).n == 2
    with pytest.raises(InputError):
        amrx.smatch([GRAPH], [GRAPH, GRAPH])


def test_encoders_take_the_words_of_sentence_transformers() -> None:
    encoder = Letters()
    plain = encoder.encode(["aab", "c", ""])
    assert isinstance(plain, np.ndarray)
    unit = encoder.encode(["aab", "c", ""], normalize_embeddings=True)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), [1, 1, 0], rtol=1e-6)
    tensor = encoder.encode("aab", convert_to_tensor=True)
    assert isinstance(tensor, torch.Tensor) and tensor.tolist() == [2, 1, 0]
    for words, shown in (({}, False), ({"show_progress_bar": True}, True), ({"progress": True}, True)):
        encoder.encode("a", **words)
        assert encoder.shown is shown


def test_precision_is_that_of_numbers_and_keeps_cosines() -> None:
    encoder = Letters()
    small = encoder.encode(["aab", "c", ""], precision="int8")
    assert small.dtype == np.int8 and small.tolist() == [[127, 64, 0], [0, 0, 127], [0, 0, 0]]
    one = encoder.encode("aab", precision="int8", convert_to_tensor=True)
    assert one.dtype == torch.int8 and one.tolist() == [127, 64, 0]
    assert encoder.encode("aab", precision="float16").dtype == np.float16
    assert encoder.similarity(small, small)[0, 0] == pytest.approx(1)
    with pytest.raises(OptionError, match="precision must be float32, float16, int8, got 'uint8'"):
        encoder.encode([], precision="uint8")


def test_similarity_is_the_cosine_of_every_pair() -> None:
    encoder = Letters()
    one, other = encoder.encode(["ab", "c"]), encoder.encode(["a", "cc", ""])
    expected = [[np.sqrt(0.5), 0, 0], [0, 1, 0]]
    np.testing.assert_allclose(encoder.similarity(one, other), expected, atol=1e-6)
    np.testing.assert_allclose(encoder.similarity(one[0], torch.from_numpy(other)), expected[:1], atol=1e-6)
    with pytest.raises(ValueError, match="rows of the same width"):
        encoder.similarity(one, one[:, :2])


def test_an_encoder_says_what_it_is() -> None:
    assert repr(Letters()) == "Letters('letters', dimension=3)"


def test_load_takes_objects_as_base_and_parser(tmp_path: Path) -> None:
    encoder = amrx.load(base=Letters(), encoder="student-text")
    assert encoder.encode("aab").shape == (3 + encoder.encoders[0].dimension,)
    assert repr(encoder).startswith("RetrofittedEncoder(base='letters', encoder='")
    with pytest.raises(OptionError, match="by hand|object"):
        encoder.save(tmp_path / "saved")
    parsed = amrx.load(base=Letters(), parser=ToyParser())
    assert parsed.parser is not None and parsed.encode("aab", lang="en").shape == (parsed.dimension,)
    with pytest.raises(OptionError, match="must have encode"):
        amrx.load(base=3, encoder="student-text")  # type: ignore[arg-type]


def test_evaluate_takes_one_encoder_or_several(data_dir: Path) -> None:
    one = amrx.evaluate(Letters(), "sts17", data_dir)
    assert {row.encoder for row in one} == {"letters"} and len(one) >= 10
    assert len(amrx.evaluate([Letters(), Letters()], "sts17", data_dir)) == 2 * len(one)


def test_errors_about_values_are_value_errors() -> None:
    for kind in (InputError, OptionError):
        assert issubclass(kind, ValueError) and issubclass(kind, AmrxError)
    with pytest.raises(ValueError, match="sentence 1 must be a str, got 3"):
        Letters().encode([3])  # type: ignore[list-item]


def test_a_model_of_sentence_transformers_is_a_base() -> None:
    words = Tokenizer(WordLevel({"[UNK]": 0, "dog": 1, "cat": 2}, unk_token="[UNK]"))
    words.pre_tokenizer = Whitespace()
    model = SentenceTransformer(modules=[StaticEmbedding(words, embedding_dim=4)], device="cpu")
    encoder = amrx.load(base=model, encoder="student-text", weight=0)
    np.testing.assert_array_equal(encoder.encode(["dog", "cat dog"]), model.encode(["dog", "cat dog"]))


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: amrx.load_parser(None), "a model must be named by a str or a path, got None"),
        (lambda: amrx.load_base(3), "a model must be named by a str or a path, got 3"),
        (lambda: amrx.load(encoder=3), "encoders must be a str or Path or an ordered iterable of .*, got 3"),
        (lambda: amrx.load(encoder=[None]), "encoder 1 must be a str or Path, got None"),
        (lambda: amrx.load(parser=3), "an object with parse and fingerprint, got 3"),
        (lambda: amrx.parse("Tom sleeps.", parser=3), "a parser must be a name, a folder or an object with"),
    ],
)
def test_parts_of_another_type_are_named(call: Callable[[], object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        call()
