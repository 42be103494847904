"""Spelled words against the law written over plain strings, and the frames of whatever is decoded."""

from __future__ import annotations

import re
import string

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from linearize.packed import is_constant
from linearize.vocabulary import frames, is_frame
from parser.mini.grammar import Tables
from parser.mini.spelling import LONGEST_WORD, Letters, Spelled, tree
from parser.mini.symbols import Alphabet

CHARACTERS = tuple(string.ascii_letters + string.digits + "-+\"'.,:/<>() é")
LETTERS = Letters.of(CHARACTERS, torch.device("cpu"))
CPU = torch.device("cpu")
NAMES = sorted(name for name in frames() if set(name) <= set(CHARACTERS))
BEGINNINGS = {name[:end] for name in NAMES if len(name) <= LONGEST_WORD for end in range(1, len(name) + 1)}
SENSE = re.compile(r".*[^-0-9]-[0-9]{2,3}")
HALF = re.compile(r".*[^-0-9]-[0-9]")

words = st.one_of(
    st.text(st.sampled_from(CHARACTERS), max_size=12),
    st.sampled_from(NAMES),
    # a frame with another sense, or with something behind it
    st.builds(
        lambda name, sense, rest: name.rpartition("-")[0] + "-" + sense + rest,
        st.sampled_from(NAMES),
        st.text(st.sampled_from(string.digits), min_size=1, max_size=4),
        st.text(st.sampled_from("-0a"), max_size=2),
    ),
)


def may_follow(word: str, character: str, named: bool) -> bool:
    if len(word) >= LONGEST_WORD:
        return False
    if not word:
        # parts of names are quoted; all else opens a node: no constant, bracket, role or pointer
        return character == '"' if named else character.isalpha()
    longer = word + character
    if word.startswith('"'):
        return not character.isdigit()
    if longer in BEGINNINGS:
        return True
    if not (character.isalnum() or character in "-'"):
        return False
    if character.isdigit() and re.fullmatch(r".*[^-0-9]", word):
        return False
    if HALF.fullmatch(longer) and character == "0" or HALF.fullmatch(word) and word in BEGINNINGS:
        return False
    return not SENSE.fullmatch(longer) and not (len(longer) == LONGEST_WORD and HALF.fullmatch(longer))


def may_end(word: str) -> bool:
    if word.startswith('"'):
        return True
    if is_frame(word):
        return word in BEGINNINGS and word in frames()
    return word not in ("", "imperative", "expressive", "interrogative") and not HALF.fullmatch(word)


@given(words, st.booleans())
@example("imperative", False)
@example("want-01", False)
@example("want-99", False)
@example('"F-16"', True)
@example('"F-"', True)
@example("A:0", False)
@example("t500", False)
@example("creat-0t", False)
@example("go-0t", False)
@example("go-1a", False)
@example("covid-19-ward", False)
@example("interleukin-2", False)
@example("a" * 50, False)
@example("a" * 38 + "-1", False)
def test_a_word_goes_on_and_ends_as_the_law_says(word, named):
    state, said = Spelled.start(2, CPU), ""
    yes, no = torch.tensor([True, False]), torch.tensor([False, False])
    assert not bool(state.allowed(LETTERS, no).any())
    state.follow(torch.tensor([99, -3]), yes, no, LETTERS)
    for character in [*word, None]:
        may = state.allowed(LETTERS, torch.tensor([named, named]))
        assert not bool(may[1].any())  # the second row spells nothing
        expected = [may_end(said), *(may_follow(said, c, named) for c in CHARACTERS)]
        assert may[0].tolist() == expected
        assert bool(may[0].any()), "nothing may follow"
        if character is None or not expected[1 + CHARACTERS.index(character)]:
            break
        said += character
        state.follow(torch.tensor([CHARACTERS.index(character), 0]), no, no, LETTERS)
    if said:
        state.follow(torch.tensor([-1, 0]), no, yes, LETTERS)
        assert not bool(state.inside.any())
        numeric = bool(state.number[0]) and set(said) <= set("0123456789.,:/")
        assert bool(state.number[0]) is numeric


def test_every_frame_that_can_be_spelled_can_be_ended():
    names = NAMES[::10]
    state = Spelled.start(len(names), CPU)
    yes, no = torch.ones(len(names), dtype=torch.bool), torch.zeros(len(names), dtype=torch.bool)
    state.follow(torch.zeros(len(names), dtype=torch.long), yes, no, LETTERS)
    for step in range(LONGEST_WORD + 1):
        may = state.allowed(LETTERS, no)
        next_ = [CHARACTERS.index(name[step]) if step < len(name) else -1 for name in names]
        for name, row, character in zip(names, may.tolist(), next_, strict=True):
            assert len(name) > LONGEST_WORD or len(name) < step or row[1 + character], (name, step)
        state.follow(torch.tensor(next_).clamp_min(0), no, torch.tensor(next_) < 0, LETTERS)


def test_an_alphabet_without_letters_or_digits_has_no_frames():
    leads, frame, mode = tree(("a", "é"))
    assert leads.shape[1] == 2
    assert not bool(frame.any() or mode.any())
    assert tree(())[0].shape == (2, 0)


@pytest.mark.parametrize(
    ("symbol", "known"),
    [("want-01", True), ("brown-02", False), ("boy", True), ('"F-16', True), ("F-16", False), ("<3>", True)],
)
def test_frames_outside_the_lexicon_are_never_chosen(symbol, known):
    alphabet = Alphabet(CHARACTERS, (":ARG0", ")"), ("<3>", *({symbol} - {"<3>"})))
    tables = Tables.of(alphabet, CPU)
    assert bool(tables.known[alphabet.ids[symbol]]) is known
    assert not is_constant(symbol) or known
