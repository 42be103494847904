"""Values of sentences in many languages: in digits, as AMR, in a graph, and those that a graph lacks."""

import subprocess
import sys

import penman
import pytest

from amrx.composed_text import compose
from parser.values import find_values, lost_values, with_values, written_in_digits
from parser.values.numerals import numerals_of
from parser.values.value import Value

# language, sentence, and per value its words, roles and constants, without variables
ROWS = """
en | It weighs two and a half kilos and costs $40. | mass-quantity 2.5 kilogram, monetary-quantity 40 dollar
en | Nineteen sixty-nine was good for at most 300 farmers. | 1969, at-most 300
en | Call me at half past nine on Thursday, 4 June. | date-entity "9:30" thursday 6 4
en | The fair runs from 7 to 9 pm. | date-interval date-entity "19:00" date-entity "21:00"
en | It rose 3.5% between 2011 and 2015. | percentage-entity 3.5, between date-entity 2011 date-entity 2015
en | Our guest Σοφία writes to info@farm.org. | "Σοφία", email-address-entity "info@farm.org"
en | They gave one hundred and two hundred. | 100, 200
de | Gegen halb elf waren mehr als zweitausend Gäste da. | date-entity "10:30", more-than 2000
de | Anderthalb Liter Milch kosten 1,85 Euro. | volume-quantity 1.5 liter, monetary-quantity 1.85 euro
de | Die Kirche stammt aus dem dreizehnten Jahrhundert. | date-entity 13
de | Vor fünf Wochen zog sie nach Mailand. | before now temporal-quantity 5 week, "Milan"
de | In der Nacht waren es minus acht Grad Celsius. | temperature-quantity -8 celsius
de | Frau 王 wohnt in München. | "王", "Munich"
de | Um halb drei kam er. | date-entity "2:30"
fr | Elle a trouvé trente-six lettres. | 36
fr | Le bateau arrive à neuf heures et quart le vingt juillet. | date-entity "9:15" 7 20
fr | Il y a deux mois, nous avons loué cinq cents vélos. | before now temporal-quantity 2 month, 500
fr | Le chat a cinq ans. | temporal-quantity 5 year
fr | Il parle allemand depuis mardi. | since date-entity tuesday
es | La feria dura del lunes al jueves. | date-interval date-entity monday date-entity thursday
es | Pagamos ciento veinte euros por media tonelada. | monetary-quantity 120 euro, mass-quantity 0.5 tonne
es | Trabajó en Pekín de 2003 a 2010. | "Beijing", date-interval date-entity 2003 date-entity 2010
it | Il mercato apre alle sei e mezza di sabato. | date-entity "6:30" saturday
it | Servono almeno trentadue sedie. | at-least 32
it | Due terzi dei soci sono arrivati prima di domenica. | "2/3", before date-entity sunday
pt | O curso começa no dia 15 de março. | date-entity 3 15
pt | Vendemos setecentas garrafas até sexta-feira. | 700, until date-entity friday
nl | Om kwart over acht kwamen vijfenveertig kinderen. | date-entity "8:15", 45
nl | De helft van de bomen is anderhalve meter hoog. | "1/2", distance-quantity 1.5 meter
sv | Tåget går klockan halv sex på onsdag. | date-entity "5:30" wednesday
sv | Minst tjugosju hus byggdes i april 1998. | at-least 27, date-entity 1998 4
da | Mere end femogtyve både kom før lørdag. | more-than 25, before date-entity saturday
nb | Vi ventet i trettito minutter til klokken ni. | temporal-quantity 32 minute, date-entity "9:00"
pl | Przyszło ponad stu pięćdziesięciu gości. | more-than 150
pl | Wystawa jest czynna od wtorku do piątku. | date-interval date-entity tuesday date-entity friday
pl | Mieszkała w Łodzi i mówiła po hiszpańsku. | "Łódź"
ru | Около сорока двух рыбаков вышли в море в понедельник. | about 42, date-entity monday
ru | Он купил 2,5 килограмма рыбы за триста рублей. | mass-quantity 2.5 kilogram, monetary-quantity 300 ruble
ru | Музей в Казани и в Уфе закрыт. | "Kazan", "Ufa"
ru | Вот ссылка: https://example.org/a и пароль Wi-Fi. | url-entity "https://example.org/a", "Wi-Fi"
uk | Понад триста учнів прийшли о восьмій у четвер. | more-than 300, date-entity "8:00" thursday
uk | Вона жила в Харкові до 1991 року. | "Kharkiv", 1991
tr | Bin iki yüz koyun sattık. | 1200
tr | Bin yeni ev yapıldı. | 1000
tr | Yüzü güzel, otobüse bin. |
tr | Toplantı saat üçte, salı günü. | date-entity "3:00" tuesday
tr | Öğrencilerin dörtte üçü geldi. | "3/4"
cs | Vlak jede v pět hodin a veze sedmdesát lidí. | date-entity "5:00", 70
ro | Am cumpărat douăzeci și opt de cărți. | 28
hu | Harminchárom ember várt pénteken. | 33, date-entity friday
fi | Satakaksikymmentä taloa rakennettiin kesäkuussa. | 120, date-entity 6
id | Lebih dari tiga puluh lima orang datang pada hari Rabu. | more-than 35, date-entity wednesday
vi | Có hai mươi ba con mèo. | 23
ar | وصل ستة وثلاثون مسافرا يوم الخميس. | 36, date-entity thursday
ar | اشترينا مئتي كرسي. | 200
hi | पैंतालीस बच्चे सोमवार को आए। | 45, date-entity monday
hi | सौ किताबें | 100
zh | 三百二十个学生下午四点半到学校。 | 320, date-entity "16:30"
zh | 三分之二的人在上海。 | "2/3", "Shanghai"
zh | 周一到周四我休息。 | date-interval date-entity monday date-entity thursday
zh | 他一九九五年买了两百公斤大米。 | date-entity 1995, mass-quantity 200 kilogram
ja | 四十七人が水曜日までに来た。 | 47, until date-entity wednesday
ja | 彼は午後三時から五時まで働く。 | date-interval date-entity "15:00" date-entity "17:00"
ko | 서른여섯 명이 목요일에 왔다. | 36, date-entity thursday
ko | 백 권을 읽고 백이십 킬로미터를 달렸다. | 100, distance-quantity 120 kilometer
"""


def outline(value: Value) -> str:
    """Return the concepts and constants of a value, in order."""
    if not value.amr.startswith("("):
        return value.amr
    triples = penman.decode(value.amr).triples
    nodes = {source for source, _, _ in triples}
    return " ".join(str(one) for _, role, one in triples if role == ":instance" or one not in nodes)


@pytest.mark.parametrize("row", [row for row in ROWS.split("\n") if row])
def test_values_of_sentences(row: str) -> None:
    lang, text, expected = (part.strip() for part in row.split("|"))
    digits = written_in_digits(compose(text), lang)
    values = [outline(one) for one in find_values(digits.text, lang) if one.sure]
    assert ", ".join(values) == expected


# language, sentence, graph of the network, words of its nodes by variable, graph with values
GRAPHS = [
    ("en", "The shop closes on Friday.", "(c / close-01 :ARG1 (s / shop))", "c=closes s=shop",
     "(c / close-01 :ARG1 (s / shop) :time (d / date-entity :weekday (f / friday)))"),
    ("en", "They met on Friday.",
     "(m / meet-03 :ARG0 (t / they) :time (d / date-entity :weekday (f / friday)))",
     "m=met t=They d=Friday f=Friday",
     "(m / meet-03 :ARG0 (t / they) :time (d / date-entity :weekday (f / friday)))"),
    ("de", "Am Dienstag kamen weniger als 5 Leute.",
     "(c / come-01 :ARG1 (p / person :quant (a / at-least :op1 5))"
     " :time (d / date-entity :weekday (m / monday)))",
     "c=kamen p=Leute a=weniger d=Dienstag",
     "(c / come-01 :ARG1 (p / person :quant (a / less-than :op1 5))"
     " :time (d / date-entity :weekday (t / tuesday)))"),
    ("ru", "Он съел три килограмма рыбы.", "(e / eat-01 :ARG0 (h / he) :ARG1 (f / fish :quant 3))",
     "e=съел f=рыбы",
     "(e / eat-01 :ARG0 (h / he) :ARG1 (f / fish :quant (m / mass-quantity :quant 3 :unit (k / kilogram))))"),
    ("es", "Vivió en Roma de 2003 a 2010.",
     "(l / live-01 :ARG0 (h / he) :location (c / city :name (n / name :op1 \"Roma\"))"
     " :time (d / date-entity :year 2003))", "l=Vivió c=Roma n=Roma d=2003",
     "(l / live-01 :ARG0 (h / he) :location (c / city :name (n / name :op1 \"Rome\"))"
     " :time (d / date-interval :op1 (d2 / date-entity :year 2003) :op2 (d3 / date-entity :year 2010)))"),
    ("de", "Sie wohnt in Mailand.", "(l / live-01 :ARG0 (s / she) :location (c / country :name (n / name :op1"
     " \"Mailand\")))", "l=wohnt c=Mailand n=Mailand",
     "(l / live-01 :ARG0 (s / she) :location (c / city :name (n / name :op1 \"Milan\")))"),
    ("en", "Yesterday 田中さん called me.",
     "(c / call-01 :ARG0 (p / person :name (n / name :op1 \"called\" :op2 \"me\")) :ARG1 (i / i))",
     "c=called i=me p=田中さん",
     "(c / call-01 :ARG0 (p / person :name (n / name :op1 \"田中\")) :ARG1 (i / i))"),
    ("en", "Room 214 is dirty.",
     "(d / dirty-02 :ARG1 (r / room :name (n / name :op1 \"214\")))", "d=dirty r=Room",
     "(d / dirty-02 :ARG1 (r / room :mod 214))"),
    ("en", "See order 48213.", "(s / see-01 :ARG1 (t / thing :quant 48213 :ARG1-of (o / order-01)))",
     "s=See o=order t=order", "(s / see-01 :ARG1 (t / thing :mod 48213 :ARG1-of (o / order-01)))"),
    ("en", "Printer 4 is broken.",
     "(b / break-01 :ARG1 (p / printer :name (n / name :op1 4) :mod 4))", "b=broken p=Printer n=4",
     "(b / break-01 :ARG1 (p / printer :mod 4))"),
    ("en", "Bicycle number 18572 is missing.",
     "(m / miss-01 :ARG1 (b / bicycle :time (d / date-entity :year 18572)))", "m=missing b=Bicycle d=18572",
     "(m / miss-01 :ARG1 (b / bicycle :mod 18572))"),
    ("de", "Angriff tötet 15", "(k / kill-01 :ARG0 (a / attack-01) :ARG1 (p / person :quant 15))",
     "k=tötet p=tötet a=Angriff", "(k / kill-01 :ARG0 (a / attack-01) :ARG1 (p / person :quant 15))"),
    ("en", "Player 15.", "(s / score-01 :ARG0 (p / person :quant 15 :ARG0-of (p2 / play-01)))",
     "p=Player p2=Player", "(s / score-01 :ARG0 (p / person :mod 15 :ARG0-of (p2 / play-01)))"),
    ("de", "Mailand, Peking", "(a / and :op1 (c / city :name (n / name :op1 \"X\")) :op2 (d / city :name n))",
     "c=Mailand d=Peking",
     "(a / and :op1 (c / city :name (n / name :op1 \"Milan\")) :op2 (d / city :name n))"),
    ("sk", "Je z mesta New York.", "(c / city :name (n / name :op1 \"Big\" :op2 \"York\" :op3 \"City\"))",
     "c=York", "(c / city :name (n / name :op1 \"New\" :op2 \"York\"))"),
    ("en", "German elections", "(e / elect-01 :mod (c / country :name (n / name :op1 \"Germany\")))",
     "e=elections c=German", "(e / elect-01 :mod (c / country :name (n / name :op1 \"Germany\")))"),
    ("en", "Syrian troops kill 35.", "(k / kill-01 :ARG0 (t / troop) :ARG1 (p / person :quant 35))",
     "k=kill t=troops p=35", "(k / kill-01 :ARG0 (t / troop) :ARG1 (p / person :quant 35))"),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "text", "graph", "words", "expected"), GRAPHS)
def test_graphs_with_values(lang: str, text: str, graph: str, words: str, expected: str) -> None:
    pairs = [pair.split("=") for pair in words.split()]
    spans = {node: (begin := text.index(word), begin + len(word)) for node, word in pairs}
    given = penman.decode(graph)
    changed, alignments = with_values(given, text, lang, spans)
    assert shape(changed) == shape(penman.decode(expected))
    assert alignments.keys() <= changed.variables()
    assert (changed is given) == (graph == expected)
    again, _ = with_values(changed, text, lang, alignments)
    assert shape(again) == shape(changed)


def shape(graph: penman.Graph) -> str:
    """Return a graph with variables by position."""
    tree = penman.layout.configure(graph)
    tree.reset_variables("v{i}")
    return penman.format(tree, indent=None)


LOST = [
    ("en", "It lasted from 1939 to 1945.",
     "(l / last-01 :time (d / date-entity :year 1939))", ("from 1939 to 1945",)),
    ("en", "Our client Иванов paid 20 euros.", "(p / pay-01 :ARG0 (c / client))", ("Иванов", "20 euros")),
    ("de", "Fünfzehn Leute kamen am Montag.", "(c / come-01 :ARG1 (p / person :quant 15))",
     ("Montag",)),
    ("tr", "Bin kişi geldi.", "(c / come-01 :ARG1 (p / person :quant 1000))", ()),
    ("ru", "Он живёт в Казани.", "(l / live-01 :location (c / city :name (n / name :op1 \"Kazan\")))", ()),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "text", "graph", "lost"), LOST)
def test_lost_values(lang: str, text: str, graph: str, lost: tuple[str, ...]) -> None:
    assert lost_values(penman.decode(graph), text, lang)[: len(lost) or 1] == lost


@pytest.mark.parametrize("lang", "de en es fr it nl pl pt ru sv uk tr cs ar id vi ro da nb fi hu".split())
def test_numbers_are_read_back(lang: str) -> None:
    from num2words import num2words

    codes = {"nb": "no"}
    for number in (11, 17, 25, 48, 99, 101, 250, 777, 1200, 45_000, 250_000):
        text = num2words(number, lang=codes.get(lang, lang)).replace(",", "")
        assert written_in_digits(compose(text), lang).text == str(number), text


def test_texts_without_values_are_returned_as_they_are() -> None:
    composed = compose("The dog sleeps.")
    assert written_in_digits(composed, "en") is composed
    graph = penman.decode("(s / sleep-01 :ARG0 (d / dog))")
    assert with_values(graph, "The dog sleeps.", "en", {})[0] is graph
    assert find_values("The dog sleeps.", "xx") == () and numerals_of("xx").read("two", {3}) is None


def test_tables_are_built_per_language_when_first_met() -> None:
    code = (
        "import time, babel.core, num2words; from parser.values import find_values, written_in_digits;"
        "from amrx.composed_text import compose; start = time.process_time();"
        "find_values(written_in_digits(compose('Zwanzig Meter'), 'de').text, 'de');"
        "print(time.process_time() - start)"
    )
    seconds = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert float(seconds) < 2


@pytest.mark.parametrize(
    ("lang", "text", "graph", "lost"),
    [
        ("en", "The ferry did not stop.", "(s / stop-01 :ARG1 (f / ferry))", ()),  # stop-01 holds one
        ("en", "The ferry did not sail.", "(s / sail-01 :ARG1 (f / ferry))", ("not",)),
        ("de", "Niemand sah die Fähre nicht.", "(s / see-01 :ARG0 (n / nobody) :ARG1 (f / ferry))", ()),
        ("fr", "Elle ne nage jamais.", "(s / swim-01 :ARG0 (s2 / she))", ("jamais",)),
        ("ru", "Паром не плывёт.", "(s / sail-01 :polarity - :ARG1 (f / ferry))", ()),
        ("tr", "Feribot mavi değil.", "(b / blue-01 :ARG1 (f / ferry))", ("değil",)),
        ("zh", "渡轮不是蓝色的。", "(b / blue-01 :ARG1 (f / ferry))", ()),  # no list of negators
    ],
)
def test_a_negation_that_the_graph_lacks_is_named(lang, text, graph, lost):
    assert lost_values(penman.decode(graph), text, lang) == lost
