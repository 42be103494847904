import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from retrofit.amr.pieces import WordRows, distinct, expand, join_rows, rows_of, tokenize_words
from retrofit.training.amr.prepare import corpus_vocabulary

WORDS = ["boy", "go", "##ing", "want", "##s", "(", ")", "-", *"abcdefghijklmnopqrstuvwxyz0123456789"]
LETTERS = [f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz0123456789"]


def small_tokenizer(*added: str) -> Tokenizer:
    pieces = dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *LETTERS])
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    tokenizer.add_tokens(list(added))
    return tokenizer


rows = st.lists(st.lists(st.integers(0, 5), max_size=6), min_size=1, max_size=8)


@given(words=rows, pieces=st.lists(st.lists(st.integers(10, 20), max_size=3), min_size=6, max_size=6))
@settings(max_examples=80, deadline=None)
def test_expand_equals_replacing_word_by_word(words: list[list[int]], pieces: list[list[int]]):
    made, cut = expand(rows_of(words), rows_of(pieces), first=1, last=2, max_tokens=7)
    expected = [[piece for word in row for piece in pieces[word]] for row in words]
    assert [made.row(i).tolist() for i in range(len(made))] == [[1, *row[:5], 2] for row in expected]
    assert cut == sum(len(row) > 5 for row in expected)


@given(words=rows)
@settings(max_examples=50, deadline=None)
def test_distinct_and_join_keep_every_row(words: list[list[int]]):
    twice = join_rows(rows_of(words), rows_of(words))
    once, place = distinct(twice)
    assert [once.row(i).tolist() for i in place] == [*words, *words]
    assert len(once) == len({tuple(row) for row in words})


def test_gather_pads_to_the_width():
    assert rows_of([[1, 2, 3], [4]]).gather(np.array([1, 0]), 4).tolist() == [[4, 0, 0, 0], [1, 2, 3, 0]]


def test_an_inverse_role_is_not_its_role_and_three_letters():
    tokenizer = small_tokenizer(":ARG0", ":ARG0-of", "want-01")
    row = tokenize_words([":ARG0", ":ARG0-of", "want-01", "( want-01 :ARG0-of ( boy ) )"], tokenizer)
    assert row.lengths.tolist() == [1, 1, 1, 7]


def test_symbols_are_relations_with_their_inverse_and_frequent_frames():
    words = (":ARG1-of", "boy", "go-02", "rare-01", ":op1", "2020-01", "have-org-role-91")
    made = corpus_vocabulary(words, np.array([1, 50, 5, 4, 1, 9, 7]), 5)
    assert dict(made.frames) == {"go-02": 5, "have-org-role-91": 7}
    assert {":ARG1-of", ":op1", ":op1-of", ":ARG0", ":ARG1", ":polarity"} <= set(made.relations)


def test_joined_and_split_linearizations_are_one():
    words = WordRows()
    words.add(["(", "city", ":op1", "New York", ")"])
    words.add("( city :op1 %New%20York )")
    made = words.rows()
    assert made.row(0).tolist() == made.row(1).tolist()
