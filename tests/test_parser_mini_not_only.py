"""*Not only* does not negate the concept that it modifies."""

import penman
import pytest

from parser.mini.rules.not_only import with_not_only

BOTH = "(a / and :op1 (c / clean-01) :op2 (q / quiet-04))"


def _parts(graph: penman.Graph) -> set[tuple[str, str, str]]:
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    return {(concepts[source], role, concepts.get(target, target)) for source, role, target in graph.triples}


@pytest.mark.parametrize(
    "given",
    [
        "(x / contrast-01 :ARG1 (c / clean-01 :polarity -) :ARG2 (q / quiet-04))",
        "(x / contrast-01 :ARG1 (c / clean-01 :polarity - :mod (o / only))"
        " :ARG2 (q / quiet-04 :mod (l / also)))",
        "(x / contrast-01 :ARG1 (c / clean-01 :polarity -) :ARG2 (q / quiet-04 :polarity -))",
        "(x / and :op1 (c / clean-01 :polarity -) :op2 (q / quiet-04))",
        "(x / contrast-01 :ARG1 (c / clean-01) :ARG2 (q / quiet-04) :mod (t / too))",
    ],
)
@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Hotellet er ikke kun rent, men også roligt.", "da"),
        ("Das Hotel ist nicht nur sauber, sondern auch ruhig.", "de"),
        ("The hotel is not only clean but also quiet.", "en"),
        ("It isn't just clean, but also quiet.", "en"),
        ("El hotel no solo es limpio, sino también tranquilo.", "es"),
        ("L'hôtel est non seulement propre mais aussi calme.", "fr"),
        ("Il n'est pas seulement propre, il est aussi calme.", "fr"),
        ("L'albergo non è solo pulito ma anche tranquillo.", "it"),
        ("ホテルは清潔なだけでなく、静かです。", "ja"),
        ("Hotellet er ikke bare rent, men også rolig.", "nb"),
        ("Het hotel is niet alleen schoon, maar ook rustig.", "nl"),
        ("Hotel jest nie tylko czysty, ale także cichy.", "pl"),
        ("O hotel não é só limpo, mas também calmo.", "pt"),
        ("Отель не только чистый, но и тихий.", "ru"),
        ("Hotellet är inte bara rent utan också tyst.", "sv"),
        ("Otel sadece temiz değil, aynı zamanda sessiz.", "tr"),
        ("Готель не лише чистий, а й тихий.", "uk"),
        ("酒店不仅干净，而且安静。", "zh"),
    ],
)
def test_languages(given: str, text: str, lang: str) -> None:
    assert _parts(with_not_only(penman.decode(given), text, lang)) == _parts(penman.decode(BOTH))


def test_what_is_above_the_contrast_stays() -> None:
    given = "(s / say-01 :ARG1 (x / contrast-01 :ARG1 (c / clean-01 :polarity -) :ARG2 (q / quiet-04)))"
    graph = with_not_only(penman.decode(given), "They say it is not only clean but quiet.", "en")
    assert penman.encode(graph, indent=None) == f"(s / say-01 :ARG1 {BOTH})"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (BOTH, "The hotel is not only clean but also quiet.", "en"),
        ("(c / clean-01 :polarity -)", "It is not clean, only quiet.", "en"),
        ("(c / clean-01 :polarity -)", "It is not only clean.", "en"),
        ("(c / come-01 :polarity -)", "He did not only come but never left.", "en"),  # another negation
        ("(c / clean-01 :polarity -)", "Es ist nicht nur sauber.", "de"),
        ("(c / clean-01 :polarity -)", "It is not only clean but quiet.", "xx"),
    ],
)
def test_other_negations_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_not_only(given, text, lang) is given
