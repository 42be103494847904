"""The dictionary's translations of a sentence's words gain in decoding (Arthur et al. 2016)."""

import math
from random import Random

import numpy as np
import pytest
import torch

from amrx.types import Sentence
from parser.mini import translations as module
from parser.mini.parser import load_mini
from parser.mini.symbols import Alphabet
from parser.mini.translations import EPSILON, STRENGTH, Concepts, Entry, Translations, entries, log_total

NODES = (
    "person",
    "clinic",
    "objective",
    "stir-01",
    "stir-02",
    "have-rel-role-91",
    "12",
    '"Berlin"',
    "clinical",
)
ALPHABET = Alphabet((), (":ARG0",), NODES)
NEVER = float("-inf")
CPU = torch.device("cpu")


def favoured(
    row: list[Entry], scores: list[float], shares: list[float], before: tuple[int, ...] = ()
) -> list[float]:
    """Return the scores of `NODES` and three copies after they were favoured."""
    concepts, table = Concepts(ALPHABET, CPU), torch.tensor([scores])
    batch = Translations.of([row], concepts, CPU)
    batch.favour(table, torch.tensor([shares]), torch.tensor([before], dtype=torch.long), concepts.worded)
    return table[0].tolist()


def test_only_concepts_with_a_word_of_their_own_are_raised_or_lowered() -> None:
    worded = Concepts(ALPHABET, CPU).worded.tolist()
    assert [node for node, one in zip(NODES, worded, strict=True) if one] == [
        "clinic", "objective", "stir-01", "stir-02", "clinical",
    ]  # fmt: skip


def test_the_gain_is_that_of_the_paper_and_words_keep_their_probability() -> None:
    scores = [0.3, -2.0, 1.5, 0.1, -0.4, 0.9, 0.0, 0.2, -1.0, 0.5, -0.5, 0.7]
    shares = [0.1, 0.6, 0.25, 0.05]
    new = favoured([Entry((("clinic", 1.0),), (1, 2))], scores, shares)

    # softmax with the bias of the lexicon, in float64: log(a + EPSILON) is a constant away from the gain
    words = [1, 2, 3, 4, 8]
    raised = np.array(scores, dtype=np.float64)
    raised[1] += STRENGTH * math.log((0.85 + EPSILON) / EPSILON)
    before, after = np.exp(scores), np.exp(raised)
    expected = before.copy()
    expected[words] = after[words] * before[words].sum() / after[words].sum()
    np.testing.assert_allclose(np.exp(new), expected, rtol=1e-5)
    assert new[1] > scores[1] and new[2] < scores[2] and new[0] == pytest.approx(scores[0])


def test_the_gain_grows_with_the_share() -> None:
    scores = [0.0] * 12
    new = favoured([Entry((("clinic", 0.75), ("objective", 0.25)), (1,))], scores, [0, 0.8, 0.2, 0])
    expected = STRENGTH * math.log((0.8 * 0.75 + EPSILON) / (0.8 * 0.25 + EPSILON))
    assert new[1] - new[2] == pytest.approx(expected, rel=1e-5)


def test_a_translation_that_the_prefix_has_in_any_sense_gains_nothing() -> None:
    scores = [0.0] * 12
    assert favoured([Entry((("stir-02", 1.0),), (1,))], scores, [0, 1, 0, 0], (4,)) == scores
    assert favoured([Entry((("stir-02", 1.0),), (1,))], scores, [0, 1, 0, 0], (3,)) == scores
    new = favoured([Entry((("stir-02", 1.0),), (1,))], scores, [0, 1, 0, 0], (1,))
    assert new[3] == new[4] > 0 > new[1] == new[2] == new[8]


def test_no_attention_no_gain() -> None:
    scores = [0.1 * number for number in range(12)]
    assert favoured([Entry((("clinic", 1.0),), (3,))], scores, [0.5, 0.5, 0, 0]) == pytest.approx(scores)


def test_a_node_of_two_words_has_the_larger_gain() -> None:
    scores = [0.0] * 12
    both = favoured(
        [Entry((("stir-01", 1.0),), (1,)), Entry((("stir-02", 1.0),), (2,))], scores, [0, 0.3, 0.7, 0]
    )
    alone = favoured([Entry((("stir-02", 1.0),), (2,))], scores, [0, 0.3, 0.7, 0])
    assert both == pytest.approx(alone, abs=1e-6)


def test_what_the_grammar_forbids_stays_forbidden() -> None:
    scores = [0.0] * 12
    scores[1] = NEVER
    new = favoured([Entry((("clinic", 1.0),), (1,))], scores, [0, 1, 0, 0])
    assert new[1] == NEVER and new[0] == pytest.approx(0.0)
    forbidden = [NEVER if number in (1, 2, 3, 4, 8) else 0.0 for number in range(12)]
    assert favoured([Entry((("clinic", 1.0),), (1,))], forbidden, [0, 1, 0, 0]) == forbidden


def test_a_row_has_the_same_bits_alone_and_in_a_batch() -> None:
    words = [f"{letter}{other}" for letter in "abcdefg" for other in "hijklmn"]
    alphabet = Alphabet((), (":ARG0",), tuple(words))
    concepts, random = Concepts(alphabet, CPU), Random(0)
    rows = [
        [
            Entry(
                tuple((random.choice(words), random.random()) for _ in range(random.randint(1, 4))), (place,)
            )
            for place in range(1, number)
        ]
        for number in range(12)
    ]
    generator = torch.Generator().manual_seed(0)
    scores = torch.randn((12, len(words) + 12), generator=generator)
    shares = torch.rand((12, 12), generator=generator).softmax(-1)
    before = torch.zeros((12, 0), dtype=torch.long)
    together = scores.clone()
    Translations.of(rows, concepts, CPU).favour(together, shares, before, concepts.worded)
    for number, row in enumerate(rows):
        one = slice(number, number + 1)
        alone = scores[one].clone()
        Translations.of([row], concepts, CPU).favour(alone, shares[one], before[one], concepts.worded)
        assert torch.equal(alone, together[one])


def test_the_total_of_a_row_is_its_log_sum_exp() -> None:
    scores = torch.tensor([[1.0, 2.0, NEVER], [NEVER, NEVER, NEVER]])
    expected = torch.logsumexp(scores, 1)
    assert torch.allclose(log_total(scores), expected) and log_total(scores)[1] == NEVER


SPANS = ((0, 0), (0, 3), (4, 7), (7, 9), (10, 16), (0, 0))


def test_entries_have_the_slots_of_the_pieces() -> None:
    words = entries("Die Ampel nieste", "de", SPANS)
    assert [(one.shares[0], one.pieces) for one in words] == [
        (("light", 1.0), (3, 4)), (("sneeze-01", 1.0), (5,)), (("traffic", 1.0), (3, 4)),
    ]  # fmt: skip


def test_an_ambiguous_word_has_all_its_translations() -> None:
    (word,) = entries("der Haushalt", "de", ((0, 0), (0, 3), (4, 12), (0, 0)))
    assert {"household", "budget"} <= dict(word.shares).keys() and word.pieces == (3,)


def test_an_english_word_has_its_base_forms() -> None:
    assert entries("in planning", "en", ((0, 0), (0, 2), (3, 11), (0, 0))) == (
        Entry((("planning", 1.0), ("plan", 1.0)), (3,)),
    )


def test_conjugated_japanese_words_have_the_translations_of_the_infinitive() -> None:
    (word,) = entries("走って", "ja", ((0, 0), (0, 2), (2, 3), (0, 0)))
    assert word.shares[0][0] == "run" and word.pieces == (2,)


@pytest.mark.parametrize(
    ("text", "lang", "concept"),
    [
        ("여자는", "ko", "woman"),
        ("والبيت", "ar", "house"),
        ("الب\u064eي\u0652ت", "ar", "house"),
        ("жінка", "uk", "woman"),
        ("महिला", "hi", "woman"),
    ],
)
def test_words_learnt_from_parallel_text(text: str, lang: str, concept: str) -> None:
    (word,) = entries(text, lang, ((0, 0), (0, len(text)), (0, 0)))
    assert concept in dict(word.shares) and word.pieces == (2,)


@pytest.mark.parametrize(("text", "lang"), [("Paris and I", "en"), ("Qua qua.", "la"), ("Er und sie", "de")])
def test_no_entries(text: str, lang: str) -> None:
    assert entries(text, lang, ((0, 0), (0, len(text)), (0, 0))) == ()


SENTENCES = {
    ("Sie hat die Datei gelöscht.", "de"): "erase-01",
    ("El hombre se ahogó en el río.", "es"): "drown-01",
    ("Ma valise est perdue.", "fr"): "suitcase",
    ("Si è scusato con me.", "it"): "apologize-01",
    ("Hata tipik.", "tr"): "typical-02",
    ("她在扫地。", "zh"): "sweep-01",
    ("彼は鼻水をかんだ。", "ja"): "nose",
}
"""Sentences with a word that the parser misreads without translations, and its concept."""


def test_the_shipped_parser_reads_rare_words_better(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [Sentence("", *one) for one in SENTENCES]
    parser = load_mini()
    with_them = [{str(one.target) for one in parse.graph.instances()} for parse in parser.parse(sentences)]
    monkeypatch.setattr(module, "STRENGTH", 0.0)
    without = [{str(one.target) for one in parse.graph.instances()} for parse in parser.parse(sentences)]
    for concept, yes, no in zip(SENTENCES.values(), with_them, without, strict=True):
        assert concept in yes and concept not in no
