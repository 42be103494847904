"""The only negation of a sentence is at the predicate that it negates."""

import penman
import pytest

from parser.mini.rules.negation_scope import (
    with_placed_negation,
    with_two_negations,
    without_spread_negation,
)


def _negated(graph: str, text: str, lang: str, **words: str) -> list[str]:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    mended = with_placed_negation(penman.decode(graph), text, lang, spans)
    concepts = {node: str(concept) for node, _, concept in mended.instances()}
    return sorted(concepts[node] for node, role, _ in mended.triples if role == ":polarity")


BUY_READ = (
    "(c / contrast-01 :ARG1 (b / buy-01 :polarity - :ARG0 (i / i)) :ARG2 (r / read-01 :polarity - :ARG0 i))"
)


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words", "negated"),
    [
        (BUY_READ, "I bought the book but did not read it.", "en", {"b": "bought", "r": "read"}, ["read-01"]),
        (BUY_READ, "I bought the book but didn't read it.", "en", {"b": "bought", "r": "read"}, ["read-01"]),
        (BUY_READ, "I did not buy the book but read it.", "en", {"b": "buy", "r": "read"}, ["buy-01"]),
        (BUY_READ, "Ich kaufte das Buch, aber las es nicht.", "de", {"b": "kaufte", "r": "las"}, ["read-01"]),
        (BUY_READ, "J'ai acheté le livre mais je n'ai pas lu.", "fr", {"b": "acheté", "r": "lu"},
         ["read-01"]),
        (BUY_READ, "Compré el libro pero no lo leí.", "es", {"b": "Compré", "r": "leí"}, ["read-01"]),
        (BUY_READ, "Я купил книгу, но не прочитал её.", "ru", {"b": "купил", "r": "прочитал"}, ["read-01"]),
        (BUY_READ, "我买了书，但没有读。", "zh", {"b": "买", "r": "读"}, ["read-01"]),
        (BUY_READ, "Kitabı aldım ama okumadım.", "tr", {"b": "aldım", "r": "okumadım"}, ["read-01"]),
        # the verb of a clause before it, without a conjunction
        ("(k / know-01 :polarity - :ARG1 (p / pay-01 :polarity -))", "I know she did not pay.", "en",
         {"k": "know", "p": "pay"}, ["pay-01"]),
        # moved into the clause of *not*
        ("(g / go-02 :polarity - :condition (r / rain-01))", "If it does not rain, we go.", "en",
         {"g": "go", "r": "rain"}, ["rain-01"]),
        # no comma between the clauses; *I* is no conjunction of Slavic languages
        ("(c / complain-01 :polarity - :ARG0 (i / i) :condition (s / stop-01 :polarity -))",
         "If the noise does not stop today I will complain.", "en", {"c": "complain", "s": "stop"},
         ["stop-01"]),
        ("(w / walk-01 :polarity - :ARG1-of (c / cause-01 :ARG0 (r / run-09 :polarity -)))",
         "As the trains were not running we'd walk.", "en", {"w": "walk", "r": "running"}, ["run-09"]),
        # *never*
        ("(w / walk-01 :polarity - :ARG1-of (c / cause-01 :ARG0 (d / drive-01 :time (e / ever))))",
         "He walks because he never drives.", "en", {"w": "walks", "d": "drives"}, ["drive-01"]),
        ("(g / go-02 :polarity - :ARG1-of (c / cause-01 :ARG0 (d / drive-01)))",
         "Er geht, weil er nie fährt.", "de", {"g": "geht", "d": "fährt"}, ["drive-01"]),
        # aligned to the auxiliary verb before *not*; *because* is no verb
        ("(w / work-01 :ARG1-of (c / cause-01 :polarity - :ARG0 (s / sleep-01)))",
         "She works because she does not sleep.", "en", {"w": "works", "c": "because", "s": "does"},
         ["sleep-01"]),
        # the negated node has no word, and is not above the verb beside *not*
        ("(c / contrast-01 :ARG1 (w / write-01 :polarity -) :ARG2 (a / answer-01))",
         "我给他写信，但他没有回答。", "zh", {"a": "没有"}, ["answer-01"]),
        # a command
        ("(w / wait-01 :ARG1 (y / you))", "Otobüsü beklemeyin.", "tr", {"w": "beklemeyin"}, ["wait-01"]),
        # a wish
        ("(h / hope-01 :polarity - :ARG1 (c / come-01))", "我们希望他不来。", "zh",
         {"h": "希望", "c": "不"}, ["come-01"]),
        # lost, at the end of the clause or just before its verb
        ("(s / stay-01 :condition (r / rain-01))", "Wenn es nicht regnet, bleiben wir.", "de",
         {"s": "bleiben", "r": "regnet"}, ["rain-01"]),
        ("(s / sleep-01)", "Er schläft heute nicht.", "de", {"s": "schläft"}, ["sleep-01"]),
        # a relative clause
        ("(l / live-01 :polarity - :ARG0 (m / man :ARG0-of (s / smoke-02)))",
         "The man who does not smoke lives.", "en", {"l": "lives", "s": "smoke"}, ["smoke-02"]),
        # lost, and just before its verb
        ("(l / live-01 :ARG0 (m / man :ARG0-of (s / smoke-02)))", "El hombre que no fuma vive.", "es",
         {"l": "vive", "s": "fuma"}, ["smoke-02"]),
        # the modal verb has it
        ("(c / contrast-01 :ARG1 (s / sell-01 :polarity -) "
         ":ARG2 (p / possible-01 :polarity - :ARG1 (b / buy-01)))",
         "He sold it but can not buy it.", "en", {"s": "sold", "p": "can", "b": "buy"}, ["possible-01"]),
    ],
)  # fmt: skip
def test_the_negation_goes_to_its_predicate(
    graph: str, text: str, lang: str, words: dict[str, str], negated: list[str]
) -> None:
    assert _negated(graph, text, lang, **words) == negated


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        # right already
        ("(c / contrast-01 :ARG1 (b / buy-01) :ARG2 (r / read-01 :polarity -))",
         "He bought but did not read.", "en", {"b": "bought", "r": "read"}),
        # several negations
        (BUY_READ, "I did not buy it and did not read it.", "en", {"b": "buy", "r": "read"}),
        (BUY_READ, "I never buy books but do not read.", "en", {"b": "buy", "r": "read"}),
        # *not* may hold for both verbs
        ("(a / and :op1 (e / eat-01 :polarity -) :op2 (d / drink-01 :polarity -))",
         "He did not eat or drink.", "en", {"e": "eat", "d": "drink"}),
        ("(a / and :op1 (e / eat-01 :polarity -) :op2 (s / sleep-01 :polarity -))",
         "The dog would not eat and it would sleep.", "en", {"e": "eat", "s": "sleep"}),
        # the negated node has no word, but is above the verb
        ("(t / think-01 :polarity - :ARG1 (c / come-01))", "我看他不来。", "zh", {"c": "来"}),
        # no predicate is aligned in the clause of *not*
        (BUY_READ, "I bought the book but did not read it.", "en", {"b": "bought"}),
        # lost, but its verb is not beside it
        ("(t / think-01)", "Nicht alle denken das.", "de", {"t": "denken"}),
        # a word that is negative itself
        ("(c / cause-01 :ARG0 (h / happy-01 :polarity -) :ARG1 (p / pay-01 :polarity -))",
         "He is unhappy and did not pay.", "en", {"h": "unhappy", "p": "pay"}),
        # another word with the letters of *not*
        ("(l / like-01 :polarity - :ARG1 (d / dislike-01 :polarity -))", "他不但喜欢，而且讨厌。", "zh",
         {"l": "喜欢", "d": "讨厌"}),
        # a language without a table
        (BUY_READ, "Nakupil, ale nečetl.", "cs", {"b": "Nakupil", "r": "nečetl"}),
    ],
)  # fmt: skip
def test_nothing_else_changes(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    given = penman.decode(graph)
    before = sorted(str(c) for n, _, c in given.instances() if (n, ":polarity", "-") in given.triples)
    assert _negated(graph, text, lang, **words) == before


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words", "negated"),
    [
        ("(t / tell-01 :polarity - :ARG1 (l / leave-11))", "She never told me why he did not leave.", "en",
         {"t": "told", "l": "leave"}, ["leave-11", "tell-01"]),
        ("(t / tell-01 :ARG1 (l / leave-11 :polarity -))", "She never told me that he did not leave.", "en",
         {"t": "told", "l": "leave"}, ["leave-11", "tell-01"]),
        ("(t / tell-01 :polarity - :ARG1 (l / leave-11))", "Sie hat nie gesagt, warum er nicht ging.", "de",
         {"t": "gesagt", "l": "ging"}, ["leave-11", "tell-01"]),
        ("(t / tell-01 :polarity - :ARG1 (l / leave-11))", "Ze zei nooit waarom hij niet vertrok.", "nl",
         {"t": "zei", "l": "vertrok"}, ["leave-11", "tell-01"]),
        ("(t / tell-01 :polarity - :ARG1 (l / leave-11))", "Elle n'a jamais dit pourquoi il n'est pas parti.",
         "fr", {"t": "dit", "l": "parti"}, ["leave-11", "tell-01"]),
        ("(t / tell-01 :polarity - :ARG1 (l / leave-11))", "Она никогда не говорила, почему он не ушёл.",
         "ru", {"t": "говорила", "l": "ушёл"}, ["leave-11", "tell-01"]),
        # the negation of *why* is that of its verb
        ("(t / tell-01 :polarity - :ARG1 (y / thing :polarity - :ARG0-of (c / cause-01 "
         ":ARG1 (l / leave-11))))",
         "She never told me why he did not leave.", "en", {"t": "told", "y": "why", "l": "leave"},
         ["leave-11", "tell-01"]),
    ],
)  # fmt: skip
def test_a_lost_negation_of_two_is_written(
    graph: str, text: str, lang: str, words: dict[str, str], negated: list[str]
) -> None:
    assert _both(graph, text, lang, **words) == negated


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        # both are there, or the verb itself negates
        ("(t / tell-01 :polarity - :ARG1 (l / leave-11 :polarity -))",
         "She never told me why he did not leave.", "en", {"t": "told", "l": "leave"}),
        ("(t / tell-01 :polarity - :ARG1 (d / dislike-01))", "She never told me that she does not like it.",
         "en", {"t": "told", "d": "like"}),
        # one clause, another negative word, a question, a quotation
        ("(t / tell-01 :polarity - :ARG1 (l / leave-11))", "She never did not leave.", "en", {"l": "leave"}),
        ("(t / tell-01 :polarity - :ARG1 (l / leave-11))", "She did not tell nobody why he did not leave.",
         "en", {"t": "tell", "l": "leave"}),
        ("(t / tell-01 :polarity - :ARG1 (l / leave-11))", "Did she not tell you why he did not leave?",
         "en", {"t": "tell", "l": "leave"}),
        # two negations of one statement
        ("(s / say-01 :polarity - :ARG1 (l / leave-11))", "Non è che dico che non parte.", "it",
         {"s": "dico", "l": "parte"}),
        ("(t / tell-01 :polarity - :ARG1 (l / leave-11))", "She did not say “he did not leave”.",
         "en", {"t": "say", "l": "leave"}),
    ],
)  # fmt: skip
def test_no_negation_is_invented(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    decoded = penman.decode(graph)
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    assert with_two_negations(decoded, text, lang, spans) is decoded


def _both(graph: str, text: str, lang: str, **words: str) -> list[str]:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    mended = with_two_negations(penman.decode(graph), text, lang, spans)
    concepts = {node: str(concept) for node, _, concept in mended.instances()}
    return sorted(concepts[node] for node, role, _ in mended.triples if role == ":polarity")


@pytest.mark.parametrize(
    ("text", "lang", "words", "negated"),
    [
        ("İki kez aradım ama kimse cevap vermedi.", "tr", {"c": "aradım", "a": "cevap"}, ["answer-01"]),
        ("Я звонил дважды, но никто не ответил.", "ru", {"c": "звонил", "a": "ответил"}, ["answer-01"]),
        # both clauses have a negation of their own
        ("Я не звонил, но никто не ответил.", "ru", {"c": "звонил", "a": "ответил"},
         ["answer-01", "call-02"]),
        # a word with a negation of its own
        ("He dissented, but nobody answered.", "en", {"c": "dissented", "a": "answered"},
         ["answer-01", "call-02"]),
        # clauses of this language cannot be told
        ("Zavolal jsem, ale nikdo neodpověděl.", "cs", {"c": "Zavolal", "a": "neodpověděl"},
         ["answer-01", "call-02"]),
    ],
)  # fmt: skip
def test_nobody_negates_its_own_clause(
    text: str, lang: str, words: dict[str, str], negated: list[str]
) -> None:
    graph = penman.decode(
        "(b / contrast-01 :ARG1 (c / call-02 :polarity -) :ARG2 (a / answer-01 :polarity - :ARG0 (n / nobody)"
        " :ARG1 (o / no)))"
    )
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    mended = without_spread_negation(graph, text, lang, spans)
    concepts = {node: str(concept) for node, _, concept in mended.instances()}
    polar = sorted(concepts[node] for node, role, _ in mended.triples if role == ":polarity")
    assert polar == negated
    assert "no" not in concepts.values()


def test_no_without_nobody_stays() -> None:
    graph = penman.decode("(s / say-01 :ARG0 (h / he) :ARG1 (n / no))")
    assert without_spread_negation(graph, "He said no.", "en", {"s": (3, 7)}) is graph


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words", "negated"),
    [
        ("(a / and :polarity - :op1 (w / work-01) :op2 (s / sleep-01))", "He works and does not sleep.", "en",
         {"a": "and", "w": "works", "s": "sleep"}, ["sleep-01"]),
        ("(a / and :op1 (w / work-01 :polarity -) :op2 (s / sleep-01))", "他工作而不睡觉。", "zh",
         {"w": "工作", "s": "睡觉"}, ["sleep-01"]),
        # both verbs
        ("(a / and :polarity - :op1 (e / eat-01) :op2 (d / drink-01))", "He does not eat and drink.", "en",
         {"a": "and", "e": "eat", "d": "drink"}, ["and"]),
    ],
)  # fmt: skip
def test_and_not(graph: str, text: str, lang: str, words: dict[str, str], negated: list[str]) -> None:
    assert _negated(graph, text, lang, **words) == negated
