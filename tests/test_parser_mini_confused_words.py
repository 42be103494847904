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
