"""A pronoun beside a verb is its recipient or its object."""

import penman
import pytest

from parser.mini.rules.recipients import with_recipients


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_recipients(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "verb"),
    [
        ("The pilot told me that it is late.", "en", "told"),
        ("The pilot told to me that it is late.", "en", "told"),
        ("Der Pilot sagte mir, dass es spät ist.", "de", "sagte"),
        ("Der Pilot hat mir heute gesagt, dass es spät ist.", "de", "gesagt"),
        ("Le pilote m'a dit qu'il est tard.", "fr", "dit"),
        ("El piloto me ha dicho que es tarde.", "es", "dicho"),
        ("Il pilota mi ha detto che è tardi.", "it", "detto"),
        ("O piloto disse-me que é tarde.", "pt", "disse-me"),
        ("De piloot heeft me gisteren verteld dat het laat is.", "nl", "verteld"),
        ("Pilot powiedział mi, że jest późno.", "pl", "powiedział"),
        ("Пилот вчера сказал мне, что уже поздно.", "ru", "сказал"),
        ("Пілот мені вчора сказав, що вже пізно.", "uk", "сказав"),
        ("Pilot bana geç olduğunu söyledi.", "tr", "söyledi"),
        ("飞行员告诉我时间不早了。", "zh", "告诉"),
        ("パイロットは私にもう遅いと言った。", "ja", "言った"),
        ("조종사는 나에게 늦었다고 말했다.", "ko", "말했다"),
        ("Piloten sa till mig att det är sent.", "sv", "sa"),
        ("Piloten fortalte mig at det er sent.", "da", "fortalte"),
    ],
)
def test_the_hearer_is_added(text: str, lang: str, verb: str) -> None:
    graph = "(t / tell-01 :ARG0 (p / pilot) :ARG1 (l / late))"
    mended = "(t / tell-01 :ARG0 (p / pilot) :ARG2 (i / i) :ARG1 (l / late))"
    assert _mended(graph, text, lang, t=verb) == mended


def test_a_known_speaker_is_the_hearer() -> None:
    graph = "(g / give-01 :ARG0 (b / boss) :ARG1 (k / key :poss (i / i)))"
    mended = "(g / give-01 :ARG0 (b / boss) :ARG2 (i / i) :ARG1 (k / key :poss i))"
    assert _mended(graph, "The boss gave me my key.", "en", g="gave") == mended


@pytest.mark.parametrize(
    ("text", "lang", "verb"),
    [
        ("A wasp stung us in the garden.", "en", "stung"),
        ("Im Garten hat uns eine Wespe gestochen.", "de", "gestochen"),
        ("Une guêpe nous a piqués dans le jardin.", "fr", "piqués"),
        ("Una vespa ci ha punto in giardino.", "it", "punto"),
        ("Оса ужалила нас в саду.", "ru", "ужалила"),
        ("Arı bizi bahçede soktu.", "tr", "soktu"),
    ],
)
def test_an_object_is_added(text: str, lang: str, verb: str) -> None:
    mended = "(s / sting-01 :ARG0 (w / wasp) :ARG1 (w2 / we))"
    assert _mended("(s / sting-01 :ARG0 (w / wasp))", text, lang, s=verb) == mended


def test_the_theme_of_an_invitation_is_no_guest() -> None:
    graph = "(i / invite-01 :ARG0 (a / aunt) :ARG1 (d / dinner))"
    mended = "(i / invite-01 :ARG0 (a / aunt) :ARG1 (w / we) :ARG2 (d / dinner))"
    assert _mended(graph, "Our aunt invited us to dinner.", "en", i="invited") == mended


def test_an_hour_is_no_recipient() -> None:
    graph = "(e / explain-01 :ARG0 (h / he) :ARG1 (p / plan-01))"
    mended = "(e / explain-01 :ARG0 (h / he) :ARG2 (t / they) :ARG1 (p / plan-01))"
    assert _mended(graph, "Les explicó el plan a las nueve.", "es", e="explicó") == mended


def test_a_misread_pronoun_is_replaced() -> None:
    graph = "(h / help-01 :ARG0 (n / nobody) :ARG2 (p / person))"
    mended = "(h / help-01 :ARG0 (n / nobody) :ARG2 (w / we))"
    assert _mended(graph, "Ніхто нам не допоміг.", "uk", h="допоміг", p="нам") == mended


@pytest.mark.parametrize(
    ("before", "after"),
    [(":ARG0 (w / we)", ":ARG2 (w / we)"), (":ARG1 (b / bill) :ARG2 b", ":ARG1 (b / bill) :ARG2 (w / we)")],
)
def test_a_recipient_is_neither_agent_nor_theme(before: str, after: str) -> None:
    text = "They asked the clerk to send us the bill."
    assert _mended(f"(s / send-01 {before})", text, "en", s="send") == f"(s / send-01 {after})"


@pytest.mark.parametrize(
    ("graph", "text", "lang", "verb"),
    [
        ("(g / give-01 :ARG0 (b / boy) :ARG1 (l / lift))", "The boy gave her mother a lift.", "en", "gave"),
        ("(g / give-01 :ARG0 (b / boy) :ARG1 (l / lift))", "The boy gave a lift to my aunt.", "en", "gave"),
        ("(g / take-01 :ARG0 (b / boy) :ARG1 (l / lift))", "The boy took us by car.", "en", "took"),
        ("(g / buy-01 :ARG1 (s / sort))", "Das ist die von Ihnen gekaufte Sorte.", "de", "gekaufte"),
        ("(g / like-01 :ARG0 (i / i) :ARG1 (i2 / it))", "Ich mag ihn sehr.", "de", "mag"),
        (
            "(g / report-01 :ARG1 (w / week))",
            "La academia tendrá su informe la otra semana.",
            "es",
            "informe",
        ),
        ("(g / ask-01 :ARG0 (i / i) :ARG1 (t / time))", "Me preguntaba qué hora es.", "es", "preguntaba"),
        ("(g / give-01 :ARG0 (w / we) :ARG1 (m / money))", "Nous donnons de l'argent.", "fr", "donnons"),
        ("(g / say-01 :ARG0 (h / he) :ARG1 (c / come-01))", "他说他们会来。", "zh", "说"),
        (
            "(g / send-01 :ARG0 (y / you) :ARG1 (l / letter))",
            "Мне нужно отправить письмо.",
            "ru",
            "отправить",
        ),
        ("(g / say-01 :ARG0 (h / he) :ARG1 (b / be-01))", "Han säger att det är för dem.", "sv", "säger"),
        ("(g / attack-01 :ARG0 (h / he) :time (b / before))", "Overgrepet mot henne.", "nb", "mot"),
        (
            "(g / say-01 :ARG0 (h / he) :ARG1 (b / be-01))",
            "그에게 그 말은 아주 중요하다고 말했다.",
            "ko",
            "말했다",
        ),
        ("(g / tell-01 :ARG0 (h / he) :ARG2 (i / i))", "He told me.", "en", "told"),
        (
            "(g / ask-01 :ARG0 (h / he) :ARG1 (s / sign-01))",
            "Les pidió a sus clientes que firmaran.",
            "es",
            "pidió",
        ),
        (
            "(g / explain-01 :ARG0 (h / he) :ARG1 (r / return-01 :ARG0 (n / nurse)) :ARG2 n)",
            "A las enfermeras les explicó la vuelta.",
            "es",
            "explicó",
        ),
    ],
)
def test_nothing_else_changes(graph: str, text: str, lang: str, verb: str) -> None:
    assert _mended(graph, text, lang, g=verb) == graph
