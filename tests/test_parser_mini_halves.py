"""parser.mini.rules.halves: half an hour, a year and a half."""

import penman
import pytest

from amrx.composed_text import Composed
from parser.mini.rules.fractions import with_fractions
from parser.mini.rules.named_units import with_named_units


@pytest.mark.parametrize(
    ("text", "lang", "read"),
    [
        ("We waited half an hour.", "en", "We waited 0.5 hour."),
        ("We waited an hour and a half.", "en", "We waited 1.5 hour."),
        ("They stayed two and a half years.", "en", "They stayed 2.5 years."),
        ("Die Fahrt dauert eine halbe Stunde.", "de", "Die Fahrt dauert 0,5 Stunde."),
        ("Le trajet dure une demi-heure.", "fr", "Le trajet dure 0,5 heure."),
        ("Nous avons attendu deux heures et demie.", "fr", "Nous avons attendu 2,5 heures."),
        ("El viaje dura media hora.", "es", "El viaje dura 0,5 hora."),
        ("Un año y medio después.", "es", "1,5 año después."),
        ("Abbiamo aspettato un'ora e mezza.", "it", "Abbiamo aspettato 1,5 ora."),
        ("Meia hora depois.", "pt", "0,5 hora depois."),
        ("We wachtten anderhalf uur.", "nl", "We wachtten 1,5 uur."),
        ("Мы ждали полчаса.", "ru", "Мы ждали 0,5 часа."),
        ("Мы ждали два с половиной часа.", "ru", "Мы ждали 2,5 часа."),
        ("Ми чекали півгодини.", "uk", "Ми чекали 0,5 години."),
        ("Czekaliśmy pół godziny.", "pl", "Czekaliśmy 0,5 godziny."),
        ("Bir buçuk saat bekledik.", "tr", "1,5 saat bekledik."),
        ("我们等了一个半小时。", "zh", "我们等了1.5个小时。"),
        ("我等了半年。", "zh", "我等了0.5年。"),
        ("一時間半待った。", "ja", "1.5時間待った。"),
        ("انتظرنا نصف ساعة.", "ar", "انتظرنا 0.5 ساعة."),
    ],
)
def test_halves_of_units(text: str, lang: str, read: str) -> None:
    assert with_fractions(Composed(text), lang).text == read


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("She ate half a sandwich.", "en"),
        ("Nous partons à une heure et demie.", "fr"),  # half past one
        ("El tren sale a la una y media.", "es"),
        ("Der Film beginnt um halb drei.", "de"),
        ("Мы легли в полночь.", "ru"),
        ("现在三点半。", "zh"),
        ("等了半天。", "zh"),  # a long time
        ("三時半に会う。", "ja"),
        ("Saat iki buçukta.", "tr"),
        ("Odjíždíme v půl třetí.", "cs"),
    ],
)
def test_other_halves_stay(text: str, lang: str) -> None:
    given = Composed(text)
    assert with_fractions(given, lang) is given


@pytest.mark.parametrize(
    ("graph", "right"),
    [
        # another unit, no unit, a number beside its quantity, another kind of quantity
        (
            "(t / mass-quantity :quant 0.5 :unit (y / pound))",
            "(t / mass-quantity :quant 0.5 :unit (y / kilogram))",
        ),
        ("(t / mass-quantity :quant 0.5)", "(t / mass-quantity :quant 0.5 :unit (u / kilogram))"),
        (
            "(c / cheese :quant 0.5 :quant (m / mass-quantity :quant 0.5))",
            "(c / cheese :quant (m / mass-quantity :quant 0.5 :unit (u / kilogram)))",
        ),
        (
            "(v / volume-quantity :quant 0.5 :unit (k / kilogram))",
            "(v / mass-quantity :quant 0.5 :unit (k / kilogram))",
        ),
    ],
)
def test_half_has_its_unit(graph: str, right: str) -> None:
    mended = with_named_units(penman.decode(graph), "Sie kaufte ein halbes Kilo Käse.", "de", {})
    assert penman.encode(mended, indent=None) == right
