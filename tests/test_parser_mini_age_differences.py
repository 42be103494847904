"""A difference of ages is no age."""

import penman
import pytest

from parser.mini.rules.age_differences import with_age_differences

YEARS = "(t / temporal-quantity :quant 2 :unit (y / year))"
BROTHER = ":ARG0-of (h2 / have-rel-role-91 :ARG1 s :ARG2 (b / brother))"


def _parts(graph: penman.Graph) -> set[tuple[str, str, str]]:
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    return {(concepts[source], role, concepts.get(target, target)) for source, role, target in graph.triples}


OLDER = _parts(
    penman.decode(
        f"(h / have-degree-91 :ARG1 (s / she) :ARG2 (o / old) :ARG3 (m / more :quant {YEARS})"
        f" :ARG4 (p / person {BROTHER}))"
    )
)


@pytest.mark.parametrize(
    "given",
    [
        f"(a / age-01 :ARG2 {YEARS} :ARG1 (s / she"
        " :ARG1-of (h2 / have-rel-role-91 :ARG0 (p / person) :ARG2 (b / brother))))",
        f"(a / age-01 :ARG1 (s / she) :ARG2 {YEARS} :ARG3 (m / more) :ARG4 (p / person {BROTHER}))",
        f"(h / have-degree-91 :ARG1 (s / she) :ARG2 (o / old) :ARG3 (m / more) :duration {YEARS}"
        f" :ARG4 (p / person {BROTHER}))",
        f"(a / age-01 :ARG2 {YEARS} :ARG1 (s / she"
        f" :ARG1-of (h / have-degree-91 :ARG2 (o / old) :ARG3 (m / more) :ARG4 (p / person {BROTHER}))))",
        f"(a / age-01 :ARG1 (s / she) :ARG2 {YEARS}"
        f" :ARG1-of (h / have-degree-91 :ARG2 (o / old) :ARG3 (m / more) :ARG4 (p / person {BROTHER})))",
        f"(o / old :domain (s / she) :ARG2 {YEARS} :ARG4 (p / person {BROTHER}))",
    ],
)
@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Hun er to år ældre end sin bror.", "da"),
        ("Sie ist zwei Jahre älter als ihr Bruder.", "de"),
        ("She is two years older than her brother.", "en"),
        ("Ella es dos años mayor que su hermano.", "es"),
        ("Elle a deux ans de plus que son frère.", "fr"),
        ("Lei è due anni più vecchia di suo fratello.", "it"),
        ("彼女は弟より二歳年上です。", "ja"),
        ("Ze is twee jaar ouder dan haar broer.", "nl"),
        ("Ona jest dwa lata starsza od brata.", "pl"),
        ("Ela é dois anos mais velha que o irmão.", "pt"),
        ("Она на два года старше брата.", "ru"),
        ("Hon är två år äldre än sin bror.", "sv"),
        ("O, kardeşinden iki yaş büyük.", "tr"),
        ("Вона на два роки старша за брата.", "uk"),
        ("她比她弟弟大两岁。", "zh"),
    ],
)
def test_older(given: str, text: str, lang: str) -> None:
    assert _parts(with_age_differences(penman.decode(given), text, lang)) == OLDER


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("She is two years older than her brother.", "en"),
        ("Sie ist 2 Jahre älter als ihr Bruder.", "de"),
        ("Она на два года старше брата.", "ru"),
    ],
)
def test_lost_years(text: str, lang: str) -> None:
    given = (
        f"(h / have-degree-91 :ARG1 (s / she) :ARG2 (o / old) :ARG3 (m / more) :ARG4 (p / person {BROTHER}))"
    )
    assert _parts(with_age_differences(penman.decode(given), text, lang)) == OLDER


def test_what_else_is_said_stays() -> None:
    given = f"(k / know-01 :ARG1 (a / age-01 :ARG1 (h / he) :ARG2 {YEARS} :polarity -))"
    mended = with_age_differences(penman.decode(given), "I know he is not two years younger.", "en")
    assert penman.encode(mended, indent=None) == (
        "(k / know-01 :ARG1 (h2 / have-degree-91 :polarity - :ARG1 (h / he) :ARG2 (y2 / young)"
        f" :ARG3 (m / more :quant {YEARS})))"
    )


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (f"(a / age-01 :ARG1 (s / she) :ARG2 {YEARS})", "She is two years old.", "en"),
        ("(h / have-degree-91 :ARG1 (s / she) :ARG2 (o / old) :ARG3 (m / more))", "She is older.", "en"),
        (f"(w / wait-01 :ARG1 (s / she) :duration {YEARS})", "The older sister waits two years.", "en"),
        (f"(a / age-01 :ARG1 (s / she) :ARG2 {YEARS})", "An older one is younger by two years.", "en"),
        (f"(a / age-01 :ARG1 (s / she) :ARG2 {YEARS})", "She is two years older.", "xx"),
        ("(h / have-degree-91 :ARG1 (s / she) :ARG3 (m / most :mod (x / way)))", "two years older", "en"),
    ],
)
def test_other_graphs_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    assert with_age_differences(given, text, lang) is given
