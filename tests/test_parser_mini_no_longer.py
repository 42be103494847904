"""No longer is not any more, in one form for all languages."""

import penman
import pytest

from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.no_longer import with_no_longer


def mend(text: str, lang: str, given: str, words: dict[str, str]) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_no_longer(penman.decode(given), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("cs", "Petr už nekouří."),
        ("da", "Peter ryger ikke længere."),
        ("de", "Peter raucht nicht mehr."),
        ("en", "Peter does not smoke any more."),
        ("en", "Peter no longer smokes."),
        ("es", "Pedro ya no fuma."),
        ("fr", "Pierre ne fume plus."),
        ("it", "Pietro non fuma più."),
        ("ja", "彼はもうタバコを吸わない。"),
        ("ko", "그는 더 이상 담배를 피우지 않는다."),
        ("nb", "Peter røyker ikke lenger."),
        ("nl", "Peter rookt niet meer."),
        ("pl", "Piotr już nie pali."),
        ("pt", "Pedro já não fuma."),
        ("ru", "Пётр больше не курит."),
        ("sv", "Peter röker inte längre."),
        ("tr", "Ahmet artık sigara içmiyor."),
        ("uk", "Петро більше не курить."),
        ("zh", "他不再抽烟了。"),
    ],
)
def test_all_languages_have_one_form(lang: str, text: str) -> None:
    given = "(s / smoke-02 :polarity - :ARG0 (p / person))"
    right = "(s / smoke-02 :polarity - :ARG0 (p / person) :time (a / anymore))"
    assert mend(text, lang, given, {}) == right


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("de", "Die Kinder können nicht mehr im Garten spielen."),
        ("fr", "Les enfants ne peuvent plus jouer dans le jardin."),
        ("es", "Los niños ya no pueden jugar en el jardín."),
        ("ru", "Дети больше не могут играть в саду."),
    ],
)
def test_the_parser_writes_the_time(lang: str, text: str) -> None:
    (parse,) = load_mini().parse([Sentence("1", text, lang)])
    concepts = {node: concept for node, _, concept in parse.graph.instances()}
    times = [concepts[time] for _, _, time in parse.graph.edges(source=parse.graph.top, role=":time")]
    assert (concepts[parse.graph.top or ""], times) == ("possible-01", ["anymore"])


def test_other_readings_of_the_phrase_go() -> None:
    given = "(h / have-03 :polarity - :ARG1 (m / money :quant (m2 / more)) :time (y / yet))"
    words = {"m2": "d'argent", "y": "plus"}
    assert mend("Ils n'ont plus d'argent.", "fr", given, words) == (
        "(h / have-03 :polarity - :ARG1 (m / money) :time (a / anymore))"
    )


def test_now_stays_unless_it_is_the_phrase() -> None:
    given = "(o / open-01 :polarity - :time (n / now))"
    right = "(o / open-01 :polarity - :time (n / now) :time (a / anymore))"
    assert mend("Jetzt ist es nicht mehr offen.", "de", given, {"n": "Jetzt"}) == right
    assert mend("Dükkan artık açık değil.", "tr", given, {"n": "artık"}) == (
        "(o / open-01 :polarity - :time (a / anymore))"
    )


def test_a_lost_negation_is_that_of_the_verb() -> None:
    given = "(l / live-01 :ARG0 (h / he) :time (n / now))"
    assert mend("O artık burada yaşamıyor.", "tr", given, {"n": "artık"}) == (
        "(l / live-01 :polarity - :ARG0 (h / he) :time (a / anymore))"
    )
    given = "(o / order-01 :ARG1 (g / grant-01 :time (n / no-longer)))"
    assert mend("They order judges to no longer grant it.", "en", given, {}) == (
        "(o / order-01 :ARG1 (g / grant-01 :polarity - :time (a / anymore)))"
    )


@pytest.mark.parametrize(
    ("lang", "text", "given"),
    [
        ("de", "Es sind nicht mehr als fünf.", "(p / person :polarity -)"),
        ("de", "Er raucht nicht mehr und trinkt nicht.", "(s / smoke-02 :polarity -)"),
        ("en", "I do not want any more cake.", "(w / want-01 :polarity -)"),
        ("es", "Ya no solo fuma.", "(s / smoke-02 :polarity -)"),
        ("fr", "Il n'est pas plus grand.", "(t / tall :polarity -)"),
        ("fr", "Il ne reste plus que Marie.", "(r / remain-01 :polarity -)"),
        ("it", "Non è più efficace di altri.", "(e / effective-04 :polarity -)"),
        ("pl", "On już nigdy nie pali.", "(s / smoke-02 :polarity -)"),
        ("ru", "Его больше нет, он уже не раз курил.", "(s / smoke-02 :polarity -)"),
        ("en", "He says it no longer matters.", "(s / say-01 :ARG1 (m / matter-01))"),
        ("en", "I don't know anymore.", "(k / know-01 :polarity - :mod (b / b :mod (a / anymore)))"),
        ("zh", "你为什么不再试一次?", "(t / try-01 :polarity -)"),
    ],
)  # fmt: skip
def test_other_sentences_stay(lang: str, text: str, given: str) -> None:
    assert mend(text, lang, given, {}) == given
