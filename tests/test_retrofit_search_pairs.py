"""Pairs of like meaning in one file or between two, beside double loops in float64."""

from collections.abc import Sequence

import pytest

from amrx.errors import InputError, OptionError
from amrx.types import Sentence
from retrofit.search import pairs, search
from tests.support.search_toys import (
    by_hand,
    is_as_by_hand,
    small_blocks,  # noqa: F401
    student,
    texts,
)


@pytest.mark.usefixtures("small_blocks")
def test_every_pair_of_a_file_is_there_once_the_best_first() -> None:
    encoder, lines = student(), texts(1, 13)
    matches = list(pairs(lines, encoder=encoder, lang="en", top=3))
    wanted = set()
    for one in lines:
        others = sorted((t for t in lines if t != one), key=lambda text: -by_hand(encoder, one, text)[2])
        wanted |= {tuple(sorted((int(one), int(other)))) for other in others[:3]}
    assert [(int(m.a.text), int(m.b.text)) for m in matches] == sorted(
        wanted, key=lambda pair: -by_hand(encoder, str(pair[0]), str(pair[1]))[2]
    )
    assert all(is_as_by_hand(encoder, match) for match in matches)


@pytest.mark.usefixtures("small_blocks")
def test_a_sentence_is_no_pair_with_itself_among_many_like_it() -> None:
    lines = [Sentence(f"s{number}", "7", "en") for number in range(9)]
    matches = list(pairs(lines, encoder=student(), top=2))
    assert all(match.a.id != match.b.id and match.combined == pytest.approx(1) for match in matches)
    assert {name for match in matches for name in (match.a.id, match.b.id)} == {one.id for one in lines}
    assert list(pairs(["1"], encoder=student(), lang="en")) == []


@pytest.mark.usefixtures("small_blocks")
def test_pairs_rerank_makes_amr_of_the_best_pairs_of_the_base() -> None:
    encoder, lines = student(), texts(1, 30)
    matches = list(pairs(lines, encoder=encoder, lang="en", rerank=6))
    near = {(a, b) for a in lines for b in lines if int(a) < int(b)}
    best = sorted(near, key=lambda pair: -by_hand(encoder, *pair)[0])[:6]
    assert [(m.a.text, m.b.text) for m in matches] == sorted(
        best, key=lambda pair: -by_hand(encoder, *pair)[2]
    )
    assert len(encoder.encoders[0].seen) <= 12


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("margin", [False, True])
def test_translations_are_mined_by_the_papers_margin(margin: bool) -> None:
    encoder, one, other = student(), texts(1, 8), texts(5, 9)  # 5 to 8 are on both sides
    matches = list(pairs(one, other, encoder=encoder, lang="en", top=3, margin=margin))
    near = {(a, b): by_hand(encoder, a, b)[2] for a in one for b in other}

    def mean(cosines: Sequence[float]) -> float:
        return sum(sorted(cosines)[-3:]) / 3

    def score(a: str, b: str) -> float:  # Artetxe and Schwenk 2019, section 3.1, ratio, k = 3
        around = mean([near[a, y] for y in other]) / 2 + mean([near[x, b] for x in one]) / 2
        return near[a, b] / around if margin else near[a, b]

    assert {(match.a.text, match.b.text) for match in matches} >= {(str(n), str(n)) for n in range(5, 9)}
    for column in ([match.a.text for match in matches], [match.b.text for match in matches]):
        assert len(column) == len(set(column))
    found = [match.margin if margin else match.combined for match in matches]
    assert found == pytest.approx([score(m.a.text, m.b.text) for m in matches], abs=1e-6)
    assert found == sorted(found, reverse=True)
    assert all(is_as_by_hand(encoder, match) for match in matches)


def test_pairs_options_that_cannot_be() -> None:
    with pytest.raises(OptionError, match="threshold must be a margin >= 0, got -0.5"):
        pairs(["1"], ["2"], encoder=student(), margin=True, threshold=-0.5)
    with pytest.raises(OptionError, match="rerank and margin contradict each other"):
        pairs(["1"], ["2"], encoder=student(), margin=True, rerank=9)
    with pytest.raises(OptionError, match="margin is for the translations of two sides"):
        pairs(["1"], encoder=student(), margin=True)
    with pytest.raises(OptionError, match="rerank needs a channel with a weight above 0"):
        pairs(["1"], encoder=student(0), rerank=9)
    with pytest.raises(InputError, match="there is no sentence to search"):
        search(["1"], [], encoder=student())
