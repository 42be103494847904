"""amrx.composed_text, and the words of the mini parser: marks cut none, spans point into the given text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx import langid
from amrx.composed_text import compose, is_plain, with_letters_for_marks
from parser.mini.source import piece_span, read_source
from parser.run.cache import PARSES

SIGNS = st.one_of(
    st.characters(codec="utf-8"),
    st.sampled_from(
        "aeoüÄ .-'\u0301\u0308\u0327\u0345\u00ad\u200b\u200d\ufeff\u202e각ᄀ\u1161\u11a8हिंดี้كَ\u09df\u0344"
    ),
)
TEXTS = st.text(SIGNS, max_size=12)


@given(TEXTS)
def test_composed_text_is_nfc_without_invisible_signs(text):
    seen = [sign for sign in text if unicodedata.category(sign) != "Cf" or sign in "\u200b\u0600\u06dd"]
    composed = compose(text).text
    kept = "".join(sign for sign in seen if sign != "\u034f")
    if all(unicodedata.category(sign) != "Cf" for sign in text):
        assert composed == unicodedata.normalize("NFC", kept)
    assert unicodedata.is_normalized("NFC", composed)
    assert compose(composed).text == composed


@given(TEXTS)
def test_spans_follow_each_other_and_cover_their_signs(text):
    made = compose(text)
    before = 0
    for place, sign in enumerate(made.text):
        start, end = made.given(place, place + 1)
        assert before <= start < end <= len(text)
        assert sign in compose(text[start:end]).text
        assert compose(text[start:end]).text in made.text
        before = start
    if made.text:
        start, end = made.given(0, len(made.text))
        assert compose(text[start:end]).text == made.text


@given(TEXTS)
def test_text_that_is_composed_stays_as_it_is(text):
    composed = compose(text).text
    assert compose(composed).spans is None
    assert len(with_letters_for_marks(text)) == len(text)
    if not any(unicodedata.category(sign).startswith("M") for sign in composed):
        assert is_plain(composed)


@pytest.mark.parametrize(
    ("text", "words", "given_words"),
    [
        ("Mu\u0308ller", ["Müller"], ["Mu\u0308ller"]),
        ("Jo\u0308rg in Ko\u0308ln.", ["Jörg", "in", "Köln"], ["Jo\u0308rg", "in", "Ko\u0308ln"]),
        ("So\u00adfa und Ti\u00adsch", ["Sofa", "und", "Tisch"], ["So\u00adfa", "und", "Ti\u00adsch"]),
        ("\ufeffAnn\u2060a \u202dBob\u202c", ["Anna", "Bob"], ["Ann\u2060a", "Bob"]),
        ("zero\u200bwidth", ["zero", "width"], ["zero", "width"]),
        ("लड़का स्कूल नहीं गया।", ["लड\u093cका", "स्कूल", "नहीं", "गया"], ["लड़का", "स्कूल", "नहीं", "गया"]),
        ("அவன் பள்ளிக்குச் செல்கிறான்", ["அவன்", "பள்ளிக்குச்", "செல்கிறான்"], None),
        ("كَتَبَ مُحَمَّدٌ", ["كَتَبَ", "مُحَمَّدٌ"], None),
        ("שָׁלוֹם עוֹלָם", ["ש\u05b8\u05c1לו\u05b9ם", "עו\u05b9ל\u05b8ם"], None),
        ("i\u0307stanbul'da", ["i\u0307stanbul'da"], None),
        ("can\u2019t we\u0301ll-known", ["can\u2019t", "wéll-known"], ["can\u2019t", "we\u0301ll-known"]),
        ("1\ufe0f\u20e3 dog", ["1", "dog"], None),
        ("\u0301 a", ["a"], None),
        ("e\u00ad\u0301cole", ["école"], ["e\u00ad\u0301cole"]),
        ("می\u200cخواهم", ["میخواهم"], ["می\u200cخواهم"]),
        ("2\u00ad023 O\u2019Bri\u00aden", ["2023", "O\u2019Brien"], ["2\u00ad023", "O\u2019Bri\u00aden"]),
        ("b\u202eac\u202c \u0344a", ["bac", "a"], ["b\u202eac", "a"]),
        ("Gu\u0308ls\u0327en'i", ["Gülşen'i"], ["Gu\u0308ls\u0327en'i"]),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", ["한국"], ["\u1112\u1161\u11ab\u1100\u116e\u11a8"]),
        ("A\u030angstro\u0308m 5\u212b", ["Ångström", "5", "Å"], ["A\u030angstro\u0308m", "5\u212b"]),
    ],
)  # fmt: skip
def test_words_are_whole_and_lead_back(text, words, given_words, tokenizer):
    source = read_source(text, "", tokenizer)
    assert [word.text for word in source.words] == [unicodedata.normalize("NFC", word) for word in words]
    spans = dict.fromkeys(piece_span(source, piece) for piece in range(len(source.ids)))
    if given_words is not None:
        assert [text[slice(*span)] for span in spans if span is not None] == given_words


def test_thai_words_hold_their_vowels(tokenizer):
    assert [word.text for word in read_source("สวัสดี ครับ", "th", tokenizer).words] == ["สวัสดี", "ครับ"]


def test_a_span_without_spaces_around_it_cuts_no_letter_from_its_marks(tokenizer):
    for text in ("น\u0e4d\u0e49า", "ດ\u0ecd\u0eb2", "こ\u3099は\u309aん"):
        source = read_source(text, "", tokenizer)
        for piece in range(len(source.ids)):
            start, end = piece_span(source, piece) or (0, 0)
            ends = [text[place] for place in (start, end) if place < len(text)]
            assert not any(unicodedata.category(sign).startswith("M") for sign in ends)


def test_signs_that_choose_the_form_of_a_letter_change_no_word(tokenizer):
    one, other = (read_source(text, "", tokenizer) for text in ("葛\U000e0100城へ", "葛城へ"))
    assert (one.ids, one.words) == (other.ids, other.words)
    assert one.composed.given(0, 2) == (0, 3)
    assert compose("\u2764\ufe0f").spans is None


def test_decomposed_text_has_the_pieces_of_composed_text(tokenizer):
    text = "Jörg möchte nach Köln, Zoë nicht; a sofa."
    apart = unicodedata.normalize("NFD", text).replace("sofa", "so\u00adfa")
    one, other = read_source(text, "", tokenizer), read_source(apart, "", tokenizer)
    assert (one.ids, one.spans, one.words, one.starts) == (other.ids, other.spans, other.words, other.starts)
    assert one.composed.spans is None


def test_the_language_of_decomposed_text_is_that_of_composed_text():
    text = "Ölüm döşeği"
    assert langid.detect([unicodedata.normalize("NFD", text)]) == langid.detect([text])


def test_what_was_kept_before_text_was_composed_is_not_served():
    import hashlib
    import json

    def before(text: str) -> bytes:
        return hashlib.sha256(json.dumps([2, "p", "de", text]).encode("ascii")).digest()

    for text, same in (("Köln", True), ("Ko\u0308ln", False), ("so\u00adfa", False), ("हिन्दी", False)):
        assert (PARSES.key(text, "de", "p") == before(text)) is same
