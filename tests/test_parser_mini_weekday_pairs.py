"""Weekdays that are named side by side are all in the graph."""

import penman
import pytest

from parser.mini.rules.weekday_pairs import with_weekday_pairs

MONDAY = "(c / close-01 :time (d / date-entity :weekday (m / monday)))"
THURSDAY = "(c / close-01 :time (d / date-entity :weekday (t / thursday)))"
TWO = (
    "(c / close-01 :time (d / date-entity :weekday (m / monday))"
    " :time (d2 / date-entity :weekday (t / thursday)))"
)


def _days(graph: penman.Graph) -> list[tuple[str, str]]:
    """Return the relations and weekdays below the time of the top."""
    concepts = {node: str(concept) for node, _, concept in graph.instances()}
    (time,) = graph.edges(source=graph.top, role=":time")
    found = [(concepts[time.target], "")]
    for edge in sorted(graph.edges(source=time.target), key=lambda edge: edge.role):
        (day,) = graph.edges(source=edge.target, role=":weekday")
        assert concepts[edge.target] == "date-entity"
        found.append((edge.role, concepts[day.target]))
    return found


@pytest.mark.parametrize("given", [MONDAY, THURSDAY, TWO])
@pytest.mark.parametrize(
    ("text", "lang", "relation"),
    [
        ("Closed on Monday and Thursday.", "en", "and"), ("Montags und donnerstags zu.", "de", "and"),
        ("Cierra los lunes y los jueves.", "es", "and"), ("Fermé le lundi et le jeudi.", "fr", "and"),
        ("Закрыто в понедельник и в четверг.", "ru", "and"), ("周一和周四关门。", "zh", "and"),
        ("Pazartesi ve perşembe günleri kapalı.", "tr", "and"),
        ("Zamknięte w poniedziałek lub czwartek.", "pl", "or"),
        ("Closed from Monday to Thursday.", "en", "date-interval"),
        ("Montag – Donnerstag", "de", "date-interval"),
        ("Chiuso dal lunedì al giovedì.", "it", "date-interval"),
        ("Pazartesiden perşembeye kadar kapalı.", "tr", "date-interval"),
        ("월요일부터 목요일까지 닫습니다.", "ko", "date-interval"),
        ("周一到周四关门。", "zh", "date-interval"),
    ],
)  # fmt: skip
def test_both_weekdays_are_written_in_order(given: str, text: str, lang: str, relation: str) -> None:
    graph = with_weekday_pairs(penman.decode(given), text, lang, {})
    assert _days(graph) == [(relation, ""), (":op1", "monday"), (":op2", "thursday")]


def test_a_list_of_three() -> None:
    graph = with_weekday_pairs(penman.decode(THURSDAY), "Closed on Monday, Tuesday and Thursday.", "en", {})
    assert _days(graph) == [("and", ""), (":op1", "monday"), (":op2", "tuesday"), (":op3", "thursday")]


def test_the_word_for_from_goes() -> None:
    given = "(o / open-01 :time (s / since :op1 (d / date-entity :weekday (f / friday))))"
    graph = with_weekday_pairs(penman.decode(given), "Aperto dal lunedì al venerdì.", "it", {})
    assert _days(graph) == [("date-interval", ""), (":op1", "monday"), (":op2", "friday")]
    assert "since" not in {concept for _, _, concept in graph.instances()}


@pytest.mark.parametrize(
    ("given", "text", "lang"),
    [
        (MONDAY, "It was closed on Monday, and we came on Thursday.", "en"),  # two times
        (MONDAY, "Closed on Monday and Monday.", "en"),
        (MONDAY, "Closed on Monday.", "en"),
        (MONDAY, "On Monday to my surprise, Thursday came.", "en"),
        ("(c / close-01 :time (b / between :op1 (d / date-entity :weekday (m / monday))"
         " :op2 (d2 / date-entity :weekday (t / thursday))))", "Closed between Monday and Thursday.", "en"),
        ("(m / move-01 :ARG1 (m2 / meet-03) :time (d / date-entity :weekday (m3 / monday)))",
         "Moved on Monday or Thursday.", "en"),
        ("(m / move-01 :ARG2 (p / park) :time (d / date-entity :weekday (m3 / monday)))",
         "Moved from Monday to Thursday.", "en"),  # to somewhere else
        ("(m / move-01 :ARG2 (g / go-02 :time (d / date-entity :weekday (m3 / monday))))",
         "Moved from Monday to Thursday.", "en"),  # of another verb
        ("(m / move-01 :time (d / date-entity :weekday (m3 / sunday)))", "From Monday to Thursday.", "en"),
        ("(c / close-01 :time (d / date-entity :dayperiod (e / evening) :weekday (m / monday)))",
         "Closed on Monday and Thursday evening.", "en"),
        ("(c / close-01 :time (d / date-entity :weekday (s / sunday)))",
         "Closed on Monday and Thursday.", "en"),
        ("(c / close-01 :time (a / and :op1 (d / date-entity :weekday (m / monday))"
         " :op2 (d2 / date-entity :weekday (t / thursday))))", "Closed on Monday and Thursday.", "en"),
        ("(c / close-01 :time (d / date-entity :dayperiod (e / evening)))",
         "Closed on Monday and Thursday.", "en"),
        ("(c / close-01 :time (d / day))", "Closed on Monday and Thursday.", "en"),
    ],
)  # fmt: skip
def test_nothing_else_changes(given: str, text: str, lang: str) -> None:
    graph = penman.decode(given)
    assert with_weekday_pairs(graph, text, lang, {}) is graph


def test_from_to_is_an_interval() -> None:
    given = (
        "(c / close-01 :time (b / between :op1 (d / date-entity :weekday (m / monday))"
        " :op2 (d2 / date-entity :weekday (t / thursday))))"
    )
    graph = with_weekday_pairs(penman.decode(given), "Von Montag bis Donnerstag geschlossen.", "de", {})
    assert _days(graph) == [("date-interval", ""), (":op1", "monday"), (":op2", "thursday")]


@pytest.mark.parametrize(
    "times",
    [
        # twice, alone and joined
        ":time (d / date-entity :weekday (m / monday)) :time (d2 / date-entity :weekday (m2 / monday))",
        ":time (d / date-entity :weekday (m / monday)) :time (a / and"
        " :op1 (d2 / date-entity :weekday (m2 / monday)) :op2 (d3 / date-entity :weekday (t / thursday)))",
        # in another order, or with another relation
        ":time (a / and :op1 (d / date-entity :weekday (t / thursday))"
        " :op2 (d2 / date-entity :weekday (m / monday)))",
        ":time (a / or :op1 (d / date-entity :weekday (m / monday))"
        " :op2 (d2 / date-entity :weekday (t / thursday)))",
        # as a part of a day
        ":time (a / and :op1 (d / date-entity :dayperiod (m / monday))"
        " :op2 (d2 / date-entity :weekday (t / thursday)))",
        ":time (d / date-entity :dayperiod (a / afternoon))",
    ],
)
def test_what_was_read_wrong_is_written_anew(times: str) -> None:
    text = "Closed on Monday and Thursday."
    spans = {"a": (text.index("Monday"), text.index("Monday") + 6)}
    graph = with_weekday_pairs(penman.decode(f"(c / close-01 {times})"), text, "en", spans)
    assert _days(graph) == [("and", ""), (":op1", "monday"), (":op2", "thursday")]
    concepts = sorted(str(concept) for _, _, concept in graph.instances())
    assert concepts == ["and", "close-01", "date-entity", "date-entity", "monday", "thursday"]


def test_a_weekday_is_no_part_of_a_day() -> None:
    given = "(p / play-01 :time (d / date-entity :dayperiod (m / monday)))"
    graph = with_weekday_pairs(penman.decode(given), "We play on Monday.", "en", {})
    assert penman.encode(graph, indent=None) == given.replace(":dayperiod", ":weekday")
    given = "(p / play-01 :time (d / date-entity :dayperiod (a / afternoon)))"
    graph = with_weekday_pairs(penman.decode(given), "Wir spielen dienstags.", "de", {"a": (12, 21)})
    assert penman.encode(graph, indent=None) == (
        "(p / play-01 :time (d / date-entity :weekday (a / tuesday)))"
    )


MOVED = "(m / move-01 :ARG1 (e / exam){})"
FROM_TO = " :source (d / date-entity :weekday (m2 / monday)) :ARG2 (d2 / date-entity :weekday (t / thursday))"


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Zkouška byla přesunuta z pondělí na čtvrtek.", "cs"),
        ("Prøven blev flyttet fra mandag til torsdag.", "da"),
        ("Vom Montag auf den Donnerstag verschoben.", "de"), ("It was moved from Monday to Thursday.", "en"),
        ("Se movió del lunes al jueves.", "es"), ("Reporté de lundi à jeudi.", "fr"),
        ("Spostato da lunedì a giovedì.", "it"), ("試験は月曜日から木曜日に移された。", "ja"),
        ("시험이 월요일에서 목요일로 옮겨졌다.", "ko"), ("Verplaatst van maandag naar donderdag.", "nl"),
        ("Przeniesiony z poniedziałku na czwartek.", "pl"),
        ("Movido de segunda-feira para quinta-feira.", "pt"),
        ("Перенесли с понедельника на четверг.", "ru"), ("Flyttades från måndag till torsdag.", "sv"),
        ("Sınav pazartesiden perşembeye alındı.", "tr"), ("Перенесли з понеділка на четвер.", "uk"),
        ("考试从星期一移到星期四。", "zh"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "times",
    [
        " :time (d / date-entity :weekday (m2 / monday))",
        " :time (s / since :op1 (d / date-entity :weekday (m2 / monday)))",
        " :ARG2 (d / date-entity :weekday (t / thursday))",
        " :time (d / date-interval :op1 (d2 / date-entity :weekday (m2 / monday))"
        " :op2 (d3 / date-entity :weekday (t / thursday)))",
        " :ARG2 (d / date-entity :weekday (m2 / monday))"
        " :time (d2 / date-entity :weekday (t / thursday) :weekday m2)",
    ],
)
def test_what_is_moved_has_the_old_and_the_new_day(times: str, text: str, lang: str) -> None:
    graph = with_weekday_pairs(penman.decode(MOVED.format(times)), text, lang, {})
    assert penman.encode(graph, indent=None) == MOVED.format(FROM_TO)


@pytest.mark.parametrize(
    ("verb", "old", "new"),
    [
        ("postpone-01", ":ARG3", ":ARG4"),
        ("shift-01", ":ARG3", ":ARG2"),
        ("delay-01", ":source", ":destination"),
    ],
)
def test_roles_of_the_verb(verb: str, old: str, new: str) -> None:
    given = penman.decode(f"(m / {verb} :time (d / date-entity :weekday (m2 / monday)))")
    graph = with_weekday_pairs(given, "It was moved from Monday to Thursday.", "en", {})
    days = {edge.role: graph.edges(source=edge.target)[0].target for edge in graph.edges(source="m")}
    concepts = {node: concept for node, _, concept in graph.instances()}
    assert {role: concepts[day] for role, day in days.items()} == {old: "monday", new: "thursday"}
