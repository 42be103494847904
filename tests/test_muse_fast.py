"""The fast tokenizer is the sentencepiece model, whole or cut."""

import pytest

from amrx.errors import OptionError
from amrx.muse.fast import fast_tokenizer
from amrx.muse.tokenize import MuseTokenizer

TEXTS = [
    "",
    "   ",
    "Der Junge  will\tgehen. ",
    "ﬁne １２ ㎏ ½ a\u200bb",
    "那个男孩想去。",
    "الولد يريد أن يذهب",
    "🙂🙂 ☃ Ωmega",
    "\u3000全角 Straße NAÏVE",
]


pytestmark = pytest.mark.usefixtures("muse_files")


def test_all_pieces_give_the_ids_of_sentencepiece():
    ours = [found.ids for found in fast_tokenizer().encode_batch(TEXTS)]
    assert ours == MuseTokenizer().encode(TEXTS)


def test_fewer_pieces_spell_the_same_text():
    cut = fast_tokenizer(2000)
    assert cut.get_vocab_size() == 2000
    found = cut.encode("Der Junge will gehen.")
    assert (found.tokens[0], found.tokens[-1]) == ("<s>", "</s>")
    assert "".join(found.tokens[1:-1]) == "▁Der▁Junge▁will▁gehen."
    assert len(found.ids) > len(MuseTokenizer().encode(["Der Junge will gehen."])[0])
    assert max(found.ids) < 2000


@pytest.mark.parametrize("pieces", [3, 128_001])
def test_a_number_of_pieces_that_cannot_be_is_refused(pieces: int):
    with pytest.raises(OptionError, match=f"must be 7 to 128000, or 0 for all, got {pieces}"):
        fast_tokenizer(pieces)
