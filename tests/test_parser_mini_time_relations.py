"""*Before*, *after*, *until* and *since* beside a date."""

import penman
import pytest

from parser.mini.rules.time_relations import with_time_relations

TUESDAY = "(d / date-entity :weekday (t / tuesday))"


def _mended(graph: str, text: str, lang: str) -> str:
    return penman.encode(with_time_relations(penman.decode(graph), text, lang), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "relation"),
    [
        ("De winkel is tot dinsdag gesloten.", "nl", "until"),
        ("Der Laden ist bis Dienstag geschlossen.", "de", "until"),
        ("Le magasin est fermé depuis mardi.", "fr", "since"),
        ("La tienda está cerrada hasta el martes.", "es", "until"),
        ("Il negozio è chiuso dopo martedì.", "it", "after"),
        ("A loja está fechada até terça-feira.", "pt", "until"),
        ("Магазин закрыт до вторника.", "ru", "until"),
        ("Sklep jest zamknięty od wtorku.", "pl", "since"),
        ("Dükkan salıdan sonra kapalı.", "tr", "after"),
        ("商店关门到周二。", "zh", "until"),
        ("店は火曜日まで閉まっています。", "ja", "until"),
    ],
)
def test_a_lost_relation_is_written(text: str, lang: str, relation: str) -> None:
    mended = _mended(f"(c / close-01 :time {TUESDAY})", text, lang)
    assert mended == f"(c / close-01 :time ({relation[0]} / {relation} :op1 {TUESDAY}))"


def test_an_action_before_a_date_is_not_until_it() -> None:
    mended = _mended("(e / end-01 :time (d / date-entity :month 5))", "Мы закончим до мая.", "ru")
    assert mended == "(e / end-01 :time (b / before :op1 (d / date-entity :month 5)))"


def test_an_empty_relation_beside_the_date_goes() -> None:
    mended = _mended(f"(o / open-01 :time {TUESDAY} :time (a / after))", "Er öffnet nach Dienstag.", "de")
    assert mended == f"(o / open-01 :time (a2 / after :op1 {TUESDAY}))"


def test_another_relation_is_replaced_and_a_place_becomes_a_time() -> None:
    graph = "(f / finish-01 :location (i / in-front-of :op1 (d / date-entity :month 5)))"
    mended = _mended(graph, "Skończymy przed majem.", "pl")
    assert mended == "(f / finish-01 :time (i / before :op1 (d / date-entity :month 5)))"


def test_a_part_of_the_day_read_off_the_relation_goes() -> None:
    graph = "(o / open-01 :time (d / date-entity :dayperiod (a / afternoon) :weekday (t / tuesday)))"
    assert (
        _mended(graph, "Otwiera się po wtorku.", "pl") == f"(o / open-01 :time (a2 / after :op1 {TUESDAY}))"
    )


def test_a_turkish_weekday_read_as_a_noun_is_replaced() -> None:
    mended = _mended(
        "(c / close-01 :time (s / since :op1 (f / finish-01)))", "Perşembeden beri kapalı.", "tr"
    )
    assert "(f / date-entity :weekday (t / thursday))" in mended


def test_a_date_inside_a_date_is_one() -> None:
    graph = f"(c / call-02 :time (d2 / date-entity :time {TUESDAY}))"
    assert _mended(graph, "Зателефонуйте до вівторка.", "uk").count("date-entity") == 1


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (f"(c / close-01 :time (u / until :op1 {TUESDAY}))", "It is closed until Tuesday.", "en"),
        (f"(c / close-01 :time (b / by :op1 {TUESDAY}))", "Er ist bis Dienstag geschlossen.", "de"),
        (f"(c / close-01 :time {TUESDAY})", "It is closed on Tuesday.", "en"),
        (f"(r / read-01 :time {TUESDAY})", "Wat u moet weten voor dinsdag.", "nl"),  # *for*
        ("(m / meet-03 :time (d / date-entity :month 6 :day 8))", "vom 7. bis 8. Juni", "de"),
        (f"(c / close-01 :time {TUESDAY})", "von Montag bis Dienstag geschlossen", "de"),
        ("(s / sing-01 :time (d / date-entity :day 2 :month 2))", "2月2日前后", "zh"),
        (f"(c / close-01 :time {TUESDAY})", "Stengt til tirsdag", "xx"),
    ],
)  # fmt: skip
def test_nothing_else_changes(graph: str, text: str, lang: str) -> None:
    assert _mended(graph, text, lang) == penman.encode(penman.decode(graph), indent=None)


def test_before_an_event_is_a_time() -> None:
    graph = "(c / call-02 :location (i / in-front-of :op1 (m / meet-03)))"
    assert _mended(graph, "Ze belde voor de vergadering.", "nl") == (
        "(c / call-02 :time (i / before :op1 (m / meet-03)))"
    )
    scene = "(s / stand-01 :location (i / in-front-of :op1 (h / house)))"
    assert _mended(scene, "Ze staat voor het huis.", "nl") == scene


def test_a_year_that_no_word_says_goes() -> None:
    graph = (
        "(s / sing-01 :time (b / before :op1 (n / now) "
        ":quant (t / temporal-quantity :quant 1 :unit (y / year))))"
    )
    assert _mended(graph, "Elle chantait jadis.", "fr") == "(s / sing-01 :time (b / before :op1 (n / now)))"
    assert _mended(graph, "Elle chantait il y a un an.", "fr") == graph
    assert _mended(graph, "She sang a year ago.", "en") == graph
