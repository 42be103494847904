"""A journey has both ends."""

import penman
import pytest

from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.journeys import journey_in, with_asked_journeys, with_journeys


def mend(text: str, lang: str, given: str) -> str:
    return penman.encode(with_journeys(penman.decode(given), text, lang), indent=None)


SENTENCES = [
    ("ar", "سافر من لندن إلى باريس."),
    ("da", "Han fløj fra London til Paris."),
    ("de", "Er flog von London nach Paris."),
    ("en", "He flew from London to Paris."),
    ("es", "Voló de Londres a París."),
    ("fr", "Il est allé de Londres à Paris."),
    ("id", "Dia terbang dari London ke Paris."),
    ("it", "È volato da Londra a Parigi."),
    ("ja", "彼はロンドンからパリへ飛んだ。"),
    ("ko", "그는 런던에서 파리로 날아갔다."),
    ("nb", "Han fløy fra London til Paris."),
    ("nl", "Hij vloog van Londen naar Parijs."),
    ("pl", "Poleciał z Londynu do Paryża."),
    ("pt", "Ele voou de Londres para Paris."),
    ("ru", "Он летел из Лондона в Париж."),
    ("sv", "Han flög från London till Paris."),
    ("tr", "Londra'dan Paris'e uçtu."),
    ("uk", "Він летів з Лондона до Парижа."),
    ("zh", "他从伦敦飞到巴黎。"),
]


@pytest.mark.parametrize(("lang", "text"), SENTENCES)
def test_a_journey_has_both_ends(lang: str, text: str) -> None:
    assert journey_in(text, lang) == ("London", "Paris")
    given = '(f / fly-01 :ARG1 (h / he) :ARG4 (c / city :name (n / name :op1 "London")))'
    right = (
        '(f / fly-01 :ARG1 (h / he) :source (c / city :name (n / name :op1 "London"))'
        ' :ARG4 (c2 / city :name (n2 / name :op1 "Paris")))'
    )
    assert mend(text, lang, given) == right
    assert mend(text, lang, right) == right


@pytest.mark.parametrize(
    ("lang", "text"), [("en", "He flew from London to Paris."), ("ru", "Он летел из Лондона в Париж.")]
)
def test_the_parser_writes_both_ends(lang: str, text: str) -> None:
    (parse,) = load_mini().parse([Sentence("1", text, lang)])
    names = {str(value) for _, role, value in parse.graph.attributes() if role == ":op1"}
    assert names == {'"London"', '"Paris"'}


def test_a_thing_goes_from_place_to_place() -> None:
    given = (
        '(l / late :domain (t / train :mod (c / city :name (n / name :op1 "Pragma")))'
        ' :location (c2 / city :name (n2 / name :op1 "Warsaw")))'
    )
    assert mend("Поезд из Киева в Варшаву опоздал.", "ru", given) == (
        '(l / late :domain (t / train :source (c / city :name (n / name :op1 "Kyiv"))'
        ' :destination (c2 / city :name (n2 / name :op1 "Warsaw"))))'
    )


def test_frames_have_their_own_roles() -> None:
    given = '(m / move-01 :ARG1 (c / city :name (n / name :op1 "Havana")))'
    assert mend("Przenosi siedzibę z Turcji do Syrii", "pl", given) == (
        '(m / move-01 :source (c / country :name (n / name :op1 "Turkey"))'
        ' :ARG2 (c2 / country :name (n2 / name :op1 "Syria")))'
    )


ROME = '(f / fly-01 :ARG4 (c / city :name (n / name :op1 "Rome")))'


@pytest.mark.parametrize(
    ("lang", "text", "given"),
    [
        ("en", "He flew to Paris.", ROME),
        ("en", "London to Paris.", ROME),
        ("en", "He flew from Rome to London and Paris.", ROME),
        ("en", "They like it from Rome to Paris.", ROME.replace("fly", "like")),
        (
            "nl",
            "De terugkeer van Hongkong naar China.",
            '(r / return-01 :ARG1 (c / city :name (n / name :op1 "Hong" :op2 "Kong"))'
            ' :ARG4 (c2 / country :name (n2 / name :op1 "China")))',
        ),
        (
            "fr",
            "L'ambassade d'Iran à Beyrouth.",
            '(e / embassy :poss (c / country :name (n / name :op1 "Iran")))',
        ),
        (
            "en",
            "He flew from Rome to Paris.",
            '(f / fly-01 :ARG4 (c / city :name (n / name :op1 "Rome") :mod (o / old)))',
        ),
    ],
)  # fmt: skip
def test_other_sentences_stay(lang: str, text: str, given: str) -> None:
    assert mend(text, lang, given) == given


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Quel train va à Paris ?", "fr"),
        ("¿Qué tren va a París?", "es"),
        ("Welcher Zug fährt nach Paris?", "de"),
        ("Какой поезд идёт в Париж?", "ru"),
        ("어느 기차가 파리에 갑니까?", "ko"),
    ],
)
@pytest.mark.parametrize("asked", [" :mod (a / amr-unknown)", ""])
def test_the_train_that_is_asked_for_goes(text: str, lang: str, asked: str) -> None:
    graph = penman.decode(f"(t / train{asked} :location (c / city))")
    mended = penman.encode(with_asked_journeys(graph, text, lang), indent=None)
    assert mended == "(g / go-02 :ARG0 (t / train :mod (a / amr-unknown)) :ARG4 (c / city))"


@pytest.mark.parametrize(
    ("graph", "text"),
    [
        ("(t / train :location (c / city))", "Quel train est à Paris ?"),
        ("(t / train :location (c / city))", "Ce train va à Paris."),
        ("(d / drive-01 :ARG0 (t / train) :location (c / city))", "Quel train va à Paris ?"),
        ("(t / train :mod (a / amr-unknown))", "Quel train va à Paris ?"),
    ],
)
def test_other_questions_stay(graph: str, text: str) -> None:
    decoded = penman.decode(graph)
    assert with_asked_journeys(decoded, text, "fr") is decoded
