"""Numbers that a graph lost, and numbers of things that were read as counts."""

import penman
import pytest

from parser.mini.rules.lost_numbers import with_lost_numbers


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_lost_numbers(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words", "mended"),
    [
        ("(c / charge-05 :ARG1 (o / order-02 :ARG0 (i / i)))", "My order 48213 was charged.", "en",
         {"o": "order"},
         "(c / charge-05 :ARG1 (o / order-02 :mod 48213 :ARG0 (i / i)))"),
        ("(c / charge-05 :ARG1 (o / order-02))", "Order no. 48213 was charged.", "en", {"o": "Order"},
         "(c / charge-05 :ARG1 (o / order-02 :mod 48213))"),
        ("(c / clean-01 :ARG1 (r / room :quant 214))", "Zimmer 214 wurde gereinigt.", "de", {"r": "Zimmer"},
         "(c / clean-01 :ARG1 (r / room :mod 214))"),
        ('(d / dirty-02 :ARG1 (r / room :name (n / name :op1 "905")))', "Room 905 is dirty.", "en",
         {"r": "Room"}, "(d / dirty-02 :ARG1 (r / room :mod 905))"),
        ("(p / pay-01 :ARG1 (m / monetary-quantity :quant 905 :unit (d / dollar)))",
         "Wir haben Rechnung 905.", "de", {"m": "Rechnung", "d": "Rechnung"},
         "(p / pay-01 :ARG1 (m / invoice :mod 905))"),
        ('(o / order-01 :ARG1 (p / product :name (n / name :op1 "905")))', "Wo ist meine Bestellung 905?",
         "de", {"o": "ist", "p": "905"}, "(o / order-01 :ARG1 (p / order-02 :mod 905))"),
        ("(l / lose-02 :ARG1 (m / monetary-quantity :quant 1000000 :unit (d / dollar)))", "Lost 100 million.",
         "en", {}, "(l / lose-02 :ARG1 (m / monetary-quantity :quant 100000000 :unit (d / dollar)))"),
        ("(c / come-01 :ARG1 (p / page) :quant 9)", "Page 9 came.", "en", {"p": "Page"},
         "(c / come-01 :ARG1 (p / page :mod 9))"),
        ("(n / need-01 :ARG1 (c / child))", "We need 2 children here.", "en", {"c": "children"},
         "(n / need-01 :ARG1 (c / child :quant 2))"),
        ("(o / order-01 :ARG1 (p / pair))", "I ordered two pairs.", "en", {"p": "pairs"},
         "(o / order-01 :ARG1 (p / pair :quant 2))"),
        ("(o / order-01 :ARG1 (c / chair))", "J'ai commandé six chaises.", "fr", {"c": "chaises"},
         "(o / order-01 :ARG1 (c / chair :quant 6))"),
        ("(o / owe-01 :ARG1 (o2 / order-02))", "48213 numaralı siparişim yok.", "tr", {"o2": "siparişim"},
         "(o / owe-01 :ARG1 (o2 / order-02 :mod 48213))"),
        ('(g / go-02 :ARG4 (s / street :name (n / name :op1 "Baker" :op2 "Street")))',
         "I went to 14 Baker Street.", "en", {"n": "Baker", "s": "Street"},
         '(g / go-02 :ARG4 (a / street-address-91 :ARG1 14 :ARG2 '
         '(s / street :name (n / name :op1 "Baker" :op2 "Street"))))'),
    ],
)  # fmt: skip
def test_a_number_goes_to_its_noun(
    graph: str, text: str, lang: str, words: dict[str, str], mended: str
) -> None:
    assert _mended(graph, text, lang, **words) == mended


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        # between two nouns
        ("(g / give-01 :ARG2 (b / boy) :ARG1 (t / ticket))", "I gave the boy 3 tickets.", "en",
         {"b": "boy", "t": "tickets"}),
        # a word after its noun, one that is not only a number, one that the graph holds
        ("(b / buy-01 :ARG1 (b2 / book))", "J'achète un livre neuf.", "fr", {"b2": "livre"}),
        ("(p / physician)", "Sei medico.", "it", {"p": "medico"}),
        ("(a / and :op1 (p / pair) :op2 (b / box :quant 2))", "Two pairs, two boxes", "en", {"p": "pairs"}),
        # a unit, a currency, a clock time, a month
        ("(w / weigh-01 :ARG1 (b / box))", "The box 300 kg.", "en", {"b": "box"}),
        ("(c / cost-01 :ARG1 (b / box))", "The box 300 €.", "en", {"b": "box"}),
        ("(o / open-01 :ARG1 (g / gate))", "The gate 18:30 opened.", "en", {"g": "gate"}),
        # an ordinal
        ("(c / come-01 :ARG1 (n / night))", "gecenin 5. ribaundunu", "tr", {"n": "gecenin"}),
        # the aligned word is no translation of the concept
        ("(r / rise-01 :ARG1 (p / point :quant 26))", "Er stieg um 26 Punkte.", "de", {"p": "um"}),
        # the number is there, and the node has another one
        ("(c / come-01 :ARG1 (p / page :mod 7))", "Page 9 came.", "en", {"p": "Page"}),
        ("(c / come-01 :ARG1 (b / boat) :quant 9)", "Boat 9 came.", "en", {"b": "Boat"}),
        # a million, beside another number
        ("(l / lose-02 :ARG1 (m / monetary-quantity :quant 1000000) :ARG2 (x / million :quant 5))",
         "I lost 1000000 of 5 million.", "en", {}),
        # a compound
        ("(c / cut-02 :ARG1 (b / point) :mod (b2 / basis))", "a 50 basis point cut", "en",
         {"b2": "basis", "b": "point"}),
    ],
)  # fmt: skip
def test_a_guess_is_not_made(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    assert _mended(graph, text, lang, **words) == penman.encode(penman.decode(graph), indent=None)
