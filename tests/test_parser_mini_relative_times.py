"""Times before and after now are no durations."""

import penman
import pytest

from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.relative_times import phrases, with_relative_times


def graph(number: int, unit: str, role: str = ":duration") -> str:
    return f"(g / go-02 {role} (t / temporal-quantity :quant {number} :unit (u / {unit})))"


def before(number: int, unit: str) -> str:
    quantity = f"(t / temporal-quantity :quant {number} :unit (u / {unit}))"
    return f"(g / go-02 :time (b / before :op1 (n / now) :quant {quantity}))"


def mend(text: str, lang: str, given: str) -> str:
    return penman.encode(with_relative_times(penman.decode(given), text, lang), indent=None)


@pytest.mark.parametrize(
    ("lang", "text", "number", "unit"),
    [
        ("en", "He left 12 days ago.", 12, "day"),
        ("de", "Er ging vor drei Wochen.", 3, "week"),
        ("fr", "Il y a deux heures, il est parti.", 2, "hour"),
        ("es", "Se fue hace 5 años.", 5, "year"),
        ("it", "Tre giorni fa è partito.", 3, "day"),
        ("nl", "Drie dagen geleden ging hij.", 3, "day"),
        ("pl", "Trzy dni temu wyjechał.", 3, "day"),
        ("ru", "Он ушёл пять минут назад.", 5, "minute"),
        ("tr", "Üç gün önce gitti.", 3, "day"),
        ("zh", "三天前他走了。", 3, "day"),
        ("ja", "3日前に彼は去った。", 3, "day"),
        ("ko", "3일 전에 그는 떠났다.", 3, "day"),
        ("ar", "غادر قبل 3 أيام.", 3, "day"),
    ],
)
def test_a_time_before_now_is_no_duration(lang: str, text: str, number: int, unit: str) -> None:
    for role in (":duration", ":time", ":frequency"):
        assert mend(text, lang, graph(number, unit, role)) == before(number, unit)


def test_a_time_after_now_counts_from_now_where_the_language_says_so() -> None:
    quantity = "(t / temporal-quantity :quant 2 :unit (u / week))"
    for lang, text in (("en", "He will go in two weeks."), ("fr", "Il ira dans deux semaines.")):
        expected = f"(g / go-02 :time (a / after :op1 (n / now) :quant {quantity}))"
        assert mend(text, lang, graph(2, "week")) == expected
    assert mend("Через две недели он ушёл.", "ru", graph(2, "week")) == (
        f"(g / go-02 :time (a / after :quant {quantity}))"
    )


@pytest.mark.parametrize(
    ("lang", "text", "number", "unit"),
    [
        ("en", "He did it in two weeks.", 2, "week"),  # a duration
        ("de", "Er schaffte es in zwei Wochen.", 2, "week"),
        ("es", "Hace tres días que no duerme.", 3, "day"),
        ("es", "Vive aquí desde hace tres años.", 3, "year"),
        ("pt", "Moro aqui há três anos.", 3, "year"),
        ("en", "He left 12 days ago.", 5, "day"),  # another number
        ("en", "He left 12 days ago.", 12, "week"),  # another unit
        ("en", "He waited for three days.", 3, "day"),
    ],
)
def test_durations_stay(lang: str, text: str, number: int, unit: str) -> None:
    given = penman.decode(graph(number, unit))
    assert with_relative_times(given, text, lang) is given


def test_a_time_that_is_right_stays() -> None:
    given = penman.decode(before(3, "day"))
    assert with_relative_times(given, "He left three days ago.", "en") is given


def test_a_rate_becomes_a_time_if_it_has_nothing_else() -> None:
    quantity = "(t / temporal-quantity :quant 2 :unit (w / week))"
    text = "Vor zwei Wochen ging sie."
    bare = f"(g / go-02 :frequency (r / rate-entity-91 :ARG3 {quantity}))"
    assert mend(text, "de", bare) == f"(g / go-02 :time (b / before :op1 (n / now) :quant {quantity}))"
    full = f"(g / go-02 :frequency (r / rate-entity-91 :ARG1 3 :ARG3 {quantity}))"
    assert mend(text, "de", full) == full


def test_new_variables_are_free() -> None:
    given = "(b / book-01 :ARG1 (n / night) :duration (t / temporal-quantity :quant 3 :unit (d / day)))"
    mended = with_relative_times(penman.decode(given), "She booked it 3 days ago.", "en")
    assert {"b2", "n2"} <= mended.variables()


def test_phrases_name_the_number_only_in_digits() -> None:
    found = [(phrase.concept, phrase.unit, phrase.number) for phrase in phrases("vor drei Tagen", "de")]
    assert found == [("before", "day", None)]


def test_the_parser_writes_the_time() -> None:
    (parse,) = load_mini().parse([Sentence("1", "Il y a trois jours, il est parti.", "fr")])
    assert {"before", "now"} <= {concept for _, _, concept in parse.graph.instances()}


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Ich gehe seit drei Wochen."), ("en", "I have been going for three weeks."),
        ("es", "Voy desde hace 3 semanas."), ("fr", "J'y vais depuis trois semaines."),
        ("it", "Vado da tre settimane."), ("nl", "Ik ga al drie weken."), ("pl", "Idę od trzech tygodni."),
    ],
)  # fmt: skip
def test_times_until_now_are_durations(lang: str, text: str) -> None:
    for given in (graph(3, "week", ":frequency"), before(3, "week")):
        assert mend(text, lang, given) == graph(3, "week")


def test_other_times_are_not_until_now() -> None:
    for text, given in (
        ("He goes every 3 weeks.", graph(3, "week", ":frequency")),
        ("He went 3 weeks ago, for the first time.", before(3, "week")),
        ("He goes for three days.", graph(3, "week", ":frequency")),
        ("He goes for 3 weeks.", before(3, "week").replace("before", "before :mod (j / just)")),
    ):
        assert mend(text, "en", given) == mend(given, "en", given)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("The film starts in 10 minutes.", "en"),
        ("Der Film beginnt in 10 Minuten.", "de"),
        ("Der Zug fährt in 10 Minuten ab.", "de"),
        ("De film begint over 10 minuten.", "nl"),
    ],
)
@pytest.mark.parametrize("over", [False, True])
def test_what_begins_in_ten_minutes(text: str, lang: str, over: bool) -> None:
    quantity = "(t / temporal-quantity :quant 10 :unit (m / minute))"
    given = f"(o / over :op1 {quantity})" if over else quantity
    graph = penman.decode(f"(s / start-01 :duration {given})")
    mended = penman.encode(with_relative_times(graph, text, lang), indent=None)
    assert mended == f"(s / start-01 :time (a / after :op1 (n / now) :quant {quantity}))"


@pytest.mark.parametrize(
    ("text", "lang"), [("He ran it in 10 minutes.", "en"), ("Er lief es in 10 Minuten.", "de")]
)
def test_what_takes_ten_minutes(text: str, lang: str) -> None:
    graph = penman.decode("(r / run-02 :duration (t / temporal-quantity :quant 10 :unit (m / minute)))")
    assert with_relative_times(graph, text, lang) is graph
