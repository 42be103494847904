"""The word of the sentence replaces one that the parser confuses with it."""

import penman
import pytest

from parser.mini.rules.confused_words import with_right_words
from parser.mini.rules.missing import missing_words


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_right_words(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words", "right"),
    [
        ("(l / lend-01 :ARG0 (i / i) :ARG1 (c / car) :ARG2 (t / tom))", "Ich lieh mir das Auto von Tom.",
         "de", {"l": "lieh", "i": "Ich", "c": "Auto", "t": "Tom"},
         "(l / borrow-01 :ARG0 (i / i) :ARG1 (c / car) :ARG2 (t / tom))"),
        ("(l / lend-01 :ARG0 (i / i) :ARG1 (c / car) :ARG2 (f / friend))", 
         "Arabayı arkadaşımdan ödünç aldım.", "tr", {"l": "ödünç", "i": "aldım", "f": "arkadaşımdan"},
         "(l / borrow-01 :ARG0 (i / i) :ARG1 (c / car) :ARG2 (f / friend))"),
        ("(h / have-rel-role-91 :ARG1 (s / she) :ARG2 (w / wife))", "彼女の夫です。", "ja", {"w": "夫"},
         "(h / have-rel-role-91 :ARG1 (s / she) :ARG2 (w / husband))"),
        ("(h / hotel :mod (e / expensive))", "ein billiges Hotel", "de", {"h": "Hotel", "e": "billiges"},
         "(h / hotel :ARG1-of (e / cheap-02))"),
        ("(t / true-01 :ARG1 (a / answer))", "La réponse est fausse.", "fr", {"t": "fausse"},
         "(t / false :domain (a / answer))"),
        ("(c / come-01 :ARG1 (p / person :quant (a / at-least :op1 1)))", "Мало людей пришло.", "ru",
         {"a": "Мало", "p": "людей"}, "(c / come-01 :ARG1 (p / person :quant (a / few)))"),
        ("(t / time :ARG1-of (s / short-07))", "poco tiempo", "es", {"t": "tiempo", "s": "poco"},
         "(t / time :quant (s / little))"),
        ("(h / have-degree-91 :ARG1 (c / car) :ARG2 (e / expensive) :ARG3 (m / more))", "moins cher", "fr",
         {"e": "cher", "m": "moins"},
         "(h / have-degree-91 :ARG1 (c / car) :ARG2 (e / expensive) :ARG3 (m / less))"),
        ("(c / cheap-02 :ARG1 (b / bag))", "Cette sacoche est chère.", "fr", {"c": "chère", "b": "sacoche"},
         "(c / expensive :domain (b / bag))"),
        ("(s / spin-01 :ARG1 (l / lamp))", "La lámpara está rota.", "es", {"s": "rota", "l": "lámpara"},
         "(s / break-01 :ARG1 (l / lamp))"),
        ("(r / restrict-01 :ARG1 (f / fly-01))", "Der Flug wurde gestrichen.", "de",
         {"r": "gestrichen", "f": "Flug"}, "(r / cancel-01 :ARG1 (f / fly-01))"),
        ("(s / sign-01 :ARG0 (i / i) :ARG1 (c / contract-02))", "Ich habe den Vertrag gekündigt.", "de",
         {"s": "gekündigt", "c": "Vertrag"}, "(s / cancel-01 :ARG0 (i / i) :ARG1 (c / contract-02))"),
        ("(m / make-01 :ARG0 (i / i) :ARG1 (s / shoe))", "Je rends les chaussures.", "fr",
         {"m": "rends", "s": "chaussures"}, "(m / return-01 :ARG0 (i / i) :ARG1 (s / shoe))"),
        ("(m / make-02 :ARG0 (s / she) :ARG1 (h / happy-01))", "Elle rend les gens heureux.", "fr",
         {"m": "rend", "h": "heureux"}, "(m / make-02 :ARG0 (s / she) :ARG1 (h / happy-01))"),
        ("(b / baby :domain (t / teacher))", "Die Lehrerin ist schwanger.", "de", {"b": "schwanger"},
         "(b / pregnant :domain (t / teacher))"),
        ("(i / impregnate-01 :ARG1 (t / teacher))", "La profesora está embarazada.", "es",
         {"i": "embarazada"}, "(i / pregnant :domain (t / teacher))"),
        ("(h / have-rel-role-91 :ARG1 (w / we) :ARG2 (f / friend))", "наших родственников", "ru",
         {"f": "родственников"}, "(h / have-rel-role-91 :ARG1 (w / we) :ARG2 (f / relative))"),
        ("(a / assist-01 :ARG0 (i / i) :ARG1 (c / class))", "Asisto a la clase.", "es", {"a": "Asisto"},
         "(a / attend-01 :ARG0 (i / i) :ARG1 (c / class))"),
        # the degree of an adverb is at the verb
        ("(e / eat-01 :ARG0 (h / he) :ARG1 (m / meat :quant (s / some)))", "Hij eet zelden vlees.", "nl",
         {"e": "eet", "m": "vlees", "s": "zelden"},
         "(e / eat-01 :ARG0 (h / he) :ARG1 (m / meat) :frequency (s / rare-02))"),
        # *nearly* with an empty negation
        ("(d / die-01 :polarity - :ARG1 (b / boy) :degree (l / little))", "Мальчик чуть не умер.", "ru",
         {"d": "умер", "l": "чуть"}, "(d / die-01 :ARG1 (b / boy) :degree (l / almost))"),
    ],
)  # fmt: skip
def test_the_word_of_the_sentence_is_written(
    graph: str, text: str, lang: str, words: dict[str, str], right: str
) -> None:
    assert _mended(graph, text, lang, **words) == right


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        # the giver is the subject already
        ("(g / give-01 :ARG0 (t / tom) :ARG1 (c / car) :ARG2 (i / i))", "I received the car from Tom.", "en",
         {"g": "received", "t": "Tom", "i": "I"}),
        ("(g / give-01 :ARG1 (c / car) :ARG2 (i / i))", "I received the car.", "en", {"g": "received"}),
        # the right word is there
        ("(a / and :op1 (w / wife) :op2 (h / husband))", "wife and husband", "en",
         {"w": "wife", "h": "husband"}),
        ("(e / expensive :polarity -)", "cheap", "en", {"e": "cheap"}),
        # another word
        ("(e / east)", "im Westen nichts Neues im Osten", "de", {"e": "Osten"}),
        ("(e / east)", "north-west", "en", {"e": "west"}),
        ("(c / come-01 :ARG1 (p / person :quant (s / some)))", "A few people came.", "en",
         {"p": "people", "s": "few"}),
        ("(m / more :op1 5)", "less than 5", "en", {"m": "less"}),
        # *fewer* as a higher degree of *small*
        ("(h / have-degree-91 :ARG1 (c / car) :ARG2 (s / small) :ARG3 (m / more))", "weniger Autos", "de",
         {"s": "weniger", "m": "weniger"}),
        # a negation of its own
        ("(p / possible-01 :polarity - :degree (v / very))", "hardly possible", "en",
         {"p": "possible", "v": "hardly"}),
        # the misread word has arguments
        ("(p / person :quant (s / some :mod (b / big)))", "few people", "en", {"p": "people", "s": "few"}),
    ],
)  # fmt: skip
def test_nothing_else_changes(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    spans |= {"b": (8, 12)} if "big" in graph else {}
    given = penman.decode(graph)
    assert with_right_words(given, text, lang, spans) is given


@pytest.mark.parametrize("lang", "ar de en es fr it ja ko nl pl pt ru tr uk zh".split())
def test_the_words_of_every_language_are_patterns(lang: str) -> None:
    given = penman.decode("(n / north)")
    assert with_right_words(given, "", lang, {}) is given


def test_the_negation_of_nearly_is_not_missing() -> None:
    graph = penman.decode("(d / die-01 :degree (a / almost))")
    assert missing_words("Он чуть не умер.", "ru", graph) == ()
    assert missing_words("Он не умер.", "ru", graph) == ("не",)


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words", "right"),
    [
        ("(h / have-rel-role-91 :ARG1 (i / i) :ARG2 (u / uncle))", "Mis abuelos duermen.", "es",
         {"u": "abuelos"}, "(h / have-rel-role-91 :ARG1 (i / i) :ARG2 (u / grandparent))"),
        ("(h / have-rel-role-91 :ARG1 (i / i) :ARG2 (s / sister))", "Моя двоюродная сестра.", "ru",
         {"s": "сестра"}, "(h / have-rel-role-91 :ARG1 (i / i) :ARG2 (s / cousin))"),
        ("(h / have-rel-role-91 :ARG1 (i / i) :ARG2 (b / brother))", "这是我的岳父。", "zh",
         {"b": "岳父"}, "(h / have-rel-role-91 :ARG1 (i / i) :ARG2 (b / father-in-law))"),
        # the relation, not the other node of its word
        ("(g / girl :mod (l / little) :ARG0-of (h / have-rel-role-91 :ARG2 (n / niece)))",
         "C'est ma petite-fille.", "fr", {"g": "petite-fille", "n": "petite-fille"},
         "(g / girl :mod (l / little) :ARG0-of (h / have-rel-role-91 :ARG2 (n / granddaughter)))"),
        ("(h / hire-01 :ARG0 (f / firm) :ARG1 (p / person))", "公司解雇了他们。", "zh", {"h": "解雇"},
         "(h / fire-02 :ARG0 (f / firm) :ARG1 (p / person))"),
        # any verb but those of the same meaning
        ("(l / leak-01 :ARG0 (f / firm) :ARG1 (p / person))", "L'azienda ha licenziato due persone.", "it",
         {"l": "licenziato"}, "(l / fire-02 :ARG0 (f / firm) :ARG1 (p / person))"),
        ("(t / try-01 :ARG0 (s / she) :ARG1 (s2 / swim-01 :ARG0 s))", "Elle a réussi à nager.", "fr",
         {"t": "réussi", "s2": "nager"}, "(t / succeed-01 :ARG0 (s / she) :ARG1 (s2 / swim-01 :ARG0 s))"),
        ("(p / possible-01 :ARG1 (s2 / swim-01 :ARG0 (s / she)))", "Ей удалось переплыть реку.", "ru",
         {"p": "удалось", "s2": "переплыть"},
         "(p / succeed-01 :ARG0 (s / she) :ARG1 (s2 / swim-01 :ARG0 s))"),
        ("(g / get-03 :ARG1 (p / pressure) :ARG2 (c / cold-01 :ARG1 p))", "De druk is gestegen.", "nl",
         {"g": "gestegen"}, "(g / rise-01 :ARG1 (p / pressure))"),
        # an adjective has no agent
        ("(i / impregnate-01 :ARG0 (s / she))", "Lei è incinta.", "it", {"i": "incinta"},
         "(i / pregnant :domain (s / she))"),
        ("(s / sunset)", "Lo vi al amanecer.", "es", {"s": "amanecer"}, "(s / sunrise)"),
        ("(c / connect-01 :ARG1 (p / phone))", "The phone disconnected.", "en", {"c": "disconnected"},
         "(c / disconnect-01 :ARG1 (p / phone))"),
    ],
)  # fmt: skip
def test_relatives_and_verbs(graph: str, text: str, lang: str, words: dict[str, str], right: str) -> None:
    assert _mended(graph, text, lang, **words) == right


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        # a verb of the same meaning; one that is not aligned; another state than a degree
        ("(d / dismiss-01 :ARG1 (p / person))", "L'azienda ha licenziato due persone.", "it",
         {"d": "licenziato"}),
        ("(l / leak-01 :ARG1 (p / person))", "L'azienda ha licenziato due persone.", "it",
         {"p": "persone"}),
        ("(g / get-03 :ARG1 (i / it) :ARG2 (r / ready-02))", "Der Teig ist gestiegen.", "de",
         {"g": "gestiegen"}),
        # not able
        ("(p / possible-01 :polarity - :ARG1 (s / swim-01))", "Il n'a pas réussi à nager.", "fr",
         {"p": "réussi", "s": "nager"}),
        ("(f / fire-01 :ARG0 (m / man) :ARG1 (w / we))", "The man fired at us.", "en", {"f": "fired"}),
        ("(r / resign-01 :ARG0 (s / she))", "Она вчера уволилась.", "ru", {"r": "уволилась"}),
        # a noun, a hospital
        ("(w / work-01)", "Poziom zatrudnienia rośnie.", "pl", {"w": "zatrudnienia"}),
        ("(r / return-01 :ARG1 (h / he))", "Er wird entlassen aus der Klinik.", "de", {"r": "entlassen"}),
    ],
)  # fmt: skip
def test_other_verbs_stay(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    assert _mended(graph, text, lang, **words) == penman.encode(penman.decode(graph), indent=None)


def test_not_close_is_not_not_open() -> None:
    graph = "(o / open-01 :polarity - :ARG1 (w / window))"
    given = _mended(graph, "Если ты не закроешь окно.", "ru", o="закроешь")
    assert given == "(o / close-01 :polarity - :ARG1 (w / window))"
    assert _mended(graph, "Окно не открыто, а закрыто.", "ru", o="закрыто") == graph
