"""parser.mini.rules.causes: clauses of *because* that were read as conditions, concessions or times."""

import penman
import pytest

from parser.mini.rules.causes import with_causes


def changed(graph: str, text: str, lang: str, **words: str) -> str:
    """Return the changed graph in one line; ``words`` gives the word of each node."""
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_causes(penman.decode(graph), text, lang, spans), indent=None)


CAUSE = "(s / stay-01 :ARG1-of (c / cause-01 :ARG0 (r / rain-01)))"


@pytest.mark.parametrize(
    ("text", "lang", "stay", "rain"),
    [
        ("Weil es regnete, blieben wir.", "de", "blieben", "regnete"),
        ("Wir blieben, da es regnete.", "de", "blieben", "regnete"),
        ("Como llovía mucho, nos quedamos.", "es", "quedamos", "llovía"),
        ("Comme il pleuvait, on est restés.", "fr", "restés", "pleuvait"),
        ("雨が降ったので家にいた。", "ja", "いた", "降った"),
        ("Мы остались, потому что шёл дождь.", "ru", "остались", "дождь"),
    ],
)
@pytest.mark.parametrize("role", [":condition", ":concession", ":time"])
def test_because(text: str, lang: str, stay: str, rain: str, role: str) -> None:
    graph = f"(s / stay-01 {role} (r / rain-01))"
    assert changed(graph, text, lang, s=stay, r=rain) == CAUSE


def test_cause_without_effect() -> None:
    """A cause that was joined as a concession gets its effect."""
    graph = "(s / stay-01 :concession (c / cause-01 :ARG0 (r / rain-01)))"
    assert changed(graph, "Da es regnete, blieb er.", "de", s="blieb", c="regnete", r="regnete") == CAUSE


@pytest.mark.parametrize(
    ("text", "lang", "stay", "rain"),
    [
        ("If it rains, we stay.", "en", "stay", "rains"),
        ("We stay because, if it rains, we get wet.", "en", "stay", "rains"),
        ("Wir blieben da, weil er schlief, falls es regnet.", "de", "blieben", "regnet"),
        ("Weil es regnete blieben wir.", "de", "blieben", "regnete"),  # where the clause ends is unknown
        ("We stayed because of the rain.", "en", "stayed", "rain"),
        ("Como llueve.", "es", "Como", "llueve"),
        ("Because he slept and because it rained, they stayed.", "en", "stayed", "rained"),
    ],
)
def test_stays(text: str, lang: str, stay: str, rain: str) -> None:
    graph = "(s / stay-01 :condition (r / rain-01))"
    assert changed(graph, text, lang, s=stay, r=rain) == graph


def test_cause_elsewhere() -> None:
    graph = "(s / stay-01 :condition (r / rain-01) :ARG1-of (c / cause-01 :ARG0 (a / ail-01)))"
    assert changed(graph, "Weil es regnete, blieben wir.", "de", s="blieben", r="regnete") == graph


def test_time_within_the_clause() -> None:
    graph = "(s / stay-01 :time (n / night))"
    assert changed(graph, "Weil nachts Regen fiel, blieben wir.", "de", s="blieben", n="nachts") == graph
