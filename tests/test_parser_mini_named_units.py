"""The unit of a quantity is the one that the sentence names (CLDR)."""

import penman
import pytest

import amrx
from parser.mini.rules.currencies import amounts_in
from parser.mini.rules.measures import Unit, measures_of
from parser.mini.rules.named_units import with_named_units


@pytest.mark.parametrize(("text", "lang", "noun"), [
    ("Он заплатил 500 рублей.", "ru", "ruble"), ("500₽", "ru", "ruble"), ("500 рублями", "ru", "ruble"),
    ("Kitap 500 lira.", "tr", "lira"), ("500 TL", "tr", "lira"), ("₺500", "en", "lira"),
    ("Zapłaciłem 500 złotych.", "pl", "zloty"), ("Zaplatil jsem 500 korun.", "cs", "koruna"),
    ("Jag betalade 500 kronor.", "sv", "krona"), ("500 norske kroner", "nb", "krone"),
    ("500 forintot fizettem.", "hu", "forint"), ("500 Schweizer Franken", "de", "franc"),
    ("500 francs suisses", "fr", "franc"), ("500 reais", "pt", "real"), ("500 lire", "it", "lira"),
    ("彼は500円を払った。", "ja", "yen"), ("500米ドル", "ja", "dollar"), ("500ペソ", "ja", "peso"),
    ("他付了500元。", "zh", "yuan"), ("500英镑", "zh", "pound"), ("그는 500원을 냈다.", "ko", "won"),
    ("ราคา 500 ดอลลาร์", "th", "dollar"), ("500 đồng", "vi", "dong"), ("500 रुपये", "hi", "rupee"),
    ("500 שקלים", "he", "shekel"), ("500 ευρώ", "el", "euro"), ("500 гривень", "uk", "hryvnia"),
    ("It cost 500 Mexican pesos.", "en", "peso"),
     ("USD 500", "de", "dollar"),
    ("R$ 500", "pt", "real"), ("500 US$", "es", "dollar"), ("$500", "en", "dollar"),
])  # fmt: skip
def test_currency_beside_a_number(text, lang, noun):
    assert list(amounts_in(text, lang)) == [("500", noun)]


@pytest.mark.parametrize(("text", "lang"), [
    ("500 new cars", "en"), ("500 новых машин", "ru"), ("500人", "zh"), ("500명 동안", "ko"),
    ("500 grammes", "fr"), ("Try 500 of them, all 500.", "en"),
    ("He won in 500 minutes.", "en"), ("500 Personen", "de"), ("", "en"), ("peso", "es"),
])  # fmt: skip
def test_other_amounts(text, lang):
    assert list(amounts_in(text, lang)) == []


@pytest.mark.parametrize(("text", "lang", "quantity", "noun"), [
    (" kilometers.", "en", "distance", "kilometer"), (" kilometres", "en", "distance", "kilometer"),
    ("-kilometer run", "en", "distance", "kilometer"), (" Kilometern", "de", "distance", "kilometer"),
    ("公里", "zh", "distance", "kilometer"), ("キロメートル走った", "ja", "distance", "kilometer"),
    ("킬로미터를", "ko", "distance", "kilometer"), ("km를", "ko", "distance", "kilometer"),
    (" كيلومتر", "ar", "distance", "kilometer"), (" किलोमीटर", "hi", "distance", "kilometer"),
    (" km/h", "de", "speed", "kilometer-per-hour"),
    (" Kilometer pro Stunde", "de", "speed", "kilometer-per-hour"),
    (" m²", "fr", "area", "square-meter"), (" metros cuadrados", "es", "area", "square-meter"),
    (" g flour", "en", "mass", "gram"), (" grammi di farina", "it", "mass", "gram"),
    (" литрами", "ru", "volume", "liter"), (" litre", "tr", "volume", "liter"),
    (" Mo", "fr", "information", "megabyte"),
    (" MB", "de", "information", "megabyte"), (" dakika", "tr", "temporal", "minute"),
    (" m tall", "en", "distance", "meter"),
])  # fmt: skip
def test_unit_after_a_number(text, lang, quantity, noun):
    assert measures_of(lang).after(text) == Unit(f"{quantity}-quantity", noun)


@pytest.mark.parametrize(("text", "lang"), [
    (" people", "en"), (" men", "en"), (" in the bag", "en"), (" a day", "en"), (" машин", "ru"),
    (" с лишним", "ru"),
    (" w porównaniu", "pl"), (" a 6", "es"), (" y 6", "es"), ("人", "zh"), ("명", "ko"), (" Mann", "de"),
    (" grandes", "es"), ("", "en"),
])  # fmt: skip
def test_no_unit_after_a_number(text, lang):
    assert measures_of(lang).after(text) is None


@pytest.mark.parametrize(("text", "lang", "wrong", "right"), [
    ("He ran 10 kilometers.", "en", "distance-quantity :quant 10 :unit (x / mile",
     "distance-quantity :quant 10 :unit (x / kilometer"),
    ("We need 3 liters of milk.", "en", "mass-quantity :quant 3 :unit (x / pound",
     "volume-quantity :quant 3 :unit (x / liter"),
    ("5 millions de litres", "fr", "mass-quantity :quant 5000000 :unit (x / pound",
     "volume-quantity :quant 5000000 :unit (x / liter"),
    ("It weighs 5 pounds.", "en", "mass-quantity :quant 5 :unit (x / kilogram",
     "mass-quantity :quant 5 :unit (x / pound"),
    ("It costs 5 pounds.", "en", "monetary-quantity :quant 5 :unit (x / dollar",
     "monetary-quantity :quant 5 :unit (x / pound"),
])  # fmt: skip
def test_quantity_has_the_unit_of_its_number(text, lang, wrong, right):
    graph = with_named_units(penman.decode(f"(q / {wrong}))"), text, lang, {})
    assert penman.encode(graph, indent=None) == f"(q / {right}))"


def test_missing_unit_makes_a_quantity():
    graph = with_named_units(
        penman.decode("(n / need-01 :ARG1 (m / milk :quant 3))"), "3 Liter Milch", "de", {}
    )
    assert penman.encode(graph, indent=None) == (
        "(n / need-01 :ARG1 (m / milk :quant (q / volume-quantity :quant 3 :unit (u / liter))))"
    )


@pytest.mark.parametrize(("graph", "text"), [
    # a unit by itself, money, time, no unit, a number that is twice in the graph
    ("(l / liter :quant 3)", "3 liters"), ("(c / coin :quant 3)", "3 dollars"),
    ("(w / work-01 :quant 3)", "3 hours"), ("(m / milk :quant 3)", "3 cows"),
    ("(a / and :op1 (m / milk :quant 3) :op2 (b / beer :quant 3))", "3 liters"),
])  # fmt: skip
def test_numbers_that_stay(graph, text):
    decoded = penman.decode(graph)
    assert with_named_units(decoded, text, "en", {}) is decoded


def test_power_of_ten_before_the_currency():
    assert list(amounts_in("3.5 million Swiss francs", "en")) == [("3500000", "franc")]


def test_each_amount_has_its_own_currency():
    text = "Она обменяла 7 000 рублей на 70 евро."
    assert list(amounts_in(text, "ru")) == [("7000", "ruble"), ("70", "euro")]
    graph = penman.decode(
        "(e / exchange-01 :ARG1 (m / monetary-quantity :quant 7000 :unit (d / dollar))"
        " :ARG3 (m2 / monetary-quantity :quant 70 :unit (d2 / dollar)))"
    )
    named = with_named_units(graph, text, "ru", {})
    assert {triple.target for triple in named.instances()} >= {"ruble", "euro"}


@pytest.mark.parametrize(("graph", "text"), [
    # the currency is right; no number beside it; a unit that is no currency; another number
    ("(m / monetary-quantity :quant 20 :unit (d / dollar))", "20 dollars"),
    ("(m / monetary-quantity :quant 20 :unit (d / dollar))", "He won 20, in real money."),
    ("(m / monetary-quantity :quant 20 :unit (t / thing))", "20 pesos"),
    ("(m / mass-quantity :quant 21 :unit (p / pound))", "20 pesos"),
])  # fmt: skip
def test_other_graphs_stay(graph, text):
    decoded = penman.decode(graph)
    assert with_named_units(decoded, text, "en", {}) is decoded


def test_number_in_words_has_the_currency_of_the_aligned_word():
    text = "Él pagó veinte pesos."
    graph = penman.decode("(p / pay-01 :ARG1 (m / monetary-quantity :quant 20 :unit (d / dollar)))")
    assert with_named_units(graph, text, "es", {}) is graph
    start = text.index("pesos")
    named = with_named_units(graph, text, "es", {"d": (start, start + 5)})
    assert ("d", ":instance", "peso") in named.triples


def test_parser_writes_the_currency():
    graph = amrx.parse(["Он заплатил 15 000 рублей."], lang="ru")[0].graph
    text = penman.encode(graph, indent=None)
    assert "15000" in text and "ruble" in text and "dollar" not in text


def test_parser_writes_the_unit():
    graph = amrx.parse(["Il a couru 10 kilomètres."], lang="fr")[0].graph
    text = penman.encode(graph, indent=None)
    assert "kilometer" in text and "mile" not in text


def test_a_wrong_unit_goes() -> None:
    graph = penman.decode("(m / milk :quant 3 :unit (m2 / milk))")
    mended = with_named_units(graph, "Wir brauchen 3 Liter Milch.", "de", {})
    assert penman.encode(mended, indent=None) == (
        "(m / milk :quant (q / volume-quantity :quant 3 :unit (u / liter)))"
    )


@pytest.mark.parametrize(
    ("text", "lang", "number", "unit"),
    [
        ("Sie kaufte drei Liter Milch.", "de", 3, "liter"),
        ("Ha comprato due chili di pane.", "it", 2, "kilogram"),
        ("Il a bu deux litres de lait.", "fr", 2, "liter"),
        ("Он купил три литра молока.", "ru", 3, "liter"),
        ("Üç litre süt aldı.", "tr", 3, "liter"),
        ("彼は三リットルの牛乳を買った。", "ja", 3, "liter"),
        ("她买了两公斤牛奶。", "zh", 2, "kilogram"),
        ("우유 세 리터를 샀다.", "ko", 3, "liter"),
    ],
)
def test_number_in_words_has_its_unit(text: str, lang: str, number: int, unit: str) -> None:
    graph = with_named_units(penman.decode(f"(m / milk :quant {number})"), text, lang, {})
    kind = "mass" if unit == "kilogram" else "volume"
    assert penman.encode(graph, indent=None) == (
        f"(m / milk :quant (q / {kind}-quantity :quant {number} :unit (u / {unit})))"
    )


@pytest.mark.parametrize(
    ("text", "lang"),
    [("zwei Fässer Milch", "de"), ("two stones of milk", "en"), ("two in the morning", "en")],
)
def test_words_after_a_number_in_words_are_no_units(text: str, lang: str) -> None:
    graph = penman.decode("(m / milk :quant 2)")
    assert with_named_units(graph, text, lang, {}) is graph


def test_quantity_with_the_concept_of_its_unit() -> None:
    graph = penman.decode("(k / kilometer :quant 10 :unit (k2 / kilometer))")
    mended = with_named_units(graph, "dieci chilometri", "it", {})
    assert penman.encode(mended, indent=None) == "(k / distance-quantity :quant 10 :unit (k2 / kilometer))"
