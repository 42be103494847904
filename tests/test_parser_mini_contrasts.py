"""*Tea, not coffee*: coffee is negated, and nothing before it."""

import penman
import pytest

from parser.mini.rules.contrasts import with_contrasts, with_rejection

TEA = "(o / order-01{} :ARG0 (i / i) :ARG1 (a / and :op1 (t / tea) :op2 (c / coffee{})))"
RIGHT = TEA.format("", " :polarity -")


def _mended(graph: str, text: str, lang: str = "en", **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_contrasts(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize("main", ["", " :polarity -"])
@pytest.mark.parametrize("coffee_is", ["", " :polarity -"])
@pytest.mark.parametrize(
    ("text", "lang", "tea", "coffee"),
    [
        ("Ich bestellte Tee, nicht Kaffee.", "de", "Tee", "Kaffee"),
        ("Ich bestellte Tee, keinen Kaffee.", "de", "Tee", "Kaffee"),
        ("I ordered tea, not coffee.", "en", "tea", "coffee"),
        ("I ordered tea, and not any coffee.", "en", "tea", "coffee"),
        ("Pedí té, no café.", "es", "té", "café"), ("J'ai pris du thé, pas du café.", "fr", "thé", "café"),
        ("Ho ordinato tè, non caffè.", "it", "tè", "caffè"),
        ("Ik nam thee, geen koffie.", "nl", "thee", "koffie"),
        ("Zamówiłem herbatę, a nie kawę.", "pl", "herbatę", "kawę"),
        ("Eu pedi chá, não café.", "pt", "chá", "café"),
        ("Я заказал чай, а не кофе.", "ru", "чай", "кофе"), ("Jag tog te, inte kaffe.", "sv", "te", "kaffe"),
    ],
)  # fmt: skip
def test_only_what_is_rejected_is_negated(
    main: str, coffee_is: str, text: str, lang: str, tea: str, coffee: str
) -> None:
    assert _mended(TEA.format(main, coffee_is), text, lang, t=tea, c=coffee) == RIGHT


def test_what_is_lost_negates_nothing() -> None:
    given = "(d / doctor :polarity - :domain (h / he))"
    mended = _mended(given, "He is a doctor, not a nurse.", d="doctor", h="He")
    assert mended == "(d / doctor :domain (h / he))"


@pytest.mark.parametrize(
    ("graph", "text", "lang"),
    [
        (RIGHT, "I ordered tea, not coffee.", "en"),
        (TEA.format(" :polarity -", ""), "I did not order tea, not even coffee.", "en"),
        (TEA.format(" :polarity -", ""), "I never order tea, not coffee.", "en"),  # another negation
        (TEA.format(" :polarity -", ""), "I do not order tea and coffee.", "en"),
        (TEA.format("", ""), "I order tea, not what you and she and I call coffee.", "en"),  # too long
        (TEA.format("", ""), "Du magst Tee und coffee, nicht wahr?", "de"),
        (TEA.format("", ""), "Today, tea, not coffee.", "en"),
        (TEA.format("", ""), "I order tea, not coffee.", "xx"),
        ("(c / coffee :mod (t / tea))", "tea, not coffee", "en"),
    ],
)
def test_other_sentences_stay(graph: str, text: str, lang: str) -> None:
    given = penman.decode(graph)
    spans = {"c": (text.index("coffee"), text.index("coffee") + 6)}
    assert with_contrasts(given, text, lang, spans) is given


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words", "right"),
    [
        ("(w / wolf :polarity - :domain (t / this))", "これは犬ではなく、狼です。", "ja", {"w": "狼"},
         "(w / wolf :domain (t / this))"),
        ("(d / drink-01 :polarity - :ARG1 (t / tea) :ARG2 (c / coffee))",
         "彼女はコーヒーではなくお茶を飲んだ。", "ja", {"d": "飲んだ", "t": "お茶", "c": "コーヒー"},
         "(d / drink-01 :ARG1 (t / tea) :ARG2 (c / coffee :polarity -))"),
        ("(d / drink-01 :polarity - :ARG1 (t / tea) :ARG2 (c / coffee))", "她喝了茶而不是咖啡。", "zh",
         {"d": "喝", "t": "茶", "c": "咖啡"},
         "(d / drink-01 :ARG1 (t / tea) :ARG2 (c / coffee :polarity -))"),
        ("(c / contrast-01 :ARG1 (g / go-02 :polarity -) :ARG2 (d / drink-01 :polarity -))",
         "他没有回家,而是喝酒。", "zh", {"g": "回", "d": "喝"},
         "(c / contrast-01 :ARG1 (g / go-02 :polarity -) :ARG2 (d / drink-01))"),
        ("(w / wolf :polarity - :domain (i / it))", "이것은 개가 아니라 늑대이다.", "ko", {"w": "늑대"},
         "(w / wolf :domain (i / it))"),
        ("(a / and :op1 (c / coffee) :op2 (d / drink-01 :polarity -))", "Kahve değil, çay içti.", "tr",
         {"c": "Kahve", "d": "içti"}, "(a / and :op1 (c / coffee :polarity -) :op2 (d / drink-01))"),
        ("(c / contrast-01 :polarity - :ARG1 (d / dog :polarity -) :ARG2 (w / wolf :polarity -))",
         "To není pes, ale vlk.", "cs", {"d": "pes", "w": "vlk"},
         "(c / contrast-01 :ARG1 (d / dog :polarity -) :ARG2 (w / wolf))"),
        ("(c / contrast-01 :ARG1 (s / sugar :polarity -) :ARG2 (s2 / salt :polarity -))",
         "Esto no es azúcar, sino sal.", "es", {"s": "azúcar", "s2": "sal."},
         "(c / contrast-01 :ARG1 (s / sugar :polarity -) :ARG2 (s2 / salt))"),
        ("(c / contrast-01 :ARG1 (s / call-02 :polarity -) :ARG2 (w / write-01 :polarity -))",
         "Er rief nicht an, sondern schrieb.", "de", {"s": "rief", "w": "schrieb"},
         "(c / contrast-01 :ARG1 (s / call-02 :polarity -) :ARG2 (w / write-01))"),
    ],
)  # fmt: skip
def test_the_other_one_is_not_negated(
    graph: str, text: str, lang: str, words: dict[str, str], right: str
) -> None:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    assert penman.encode(with_rejection(penman.decode(graph), text, lang, spans), indent=None) == right


@pytest.mark.parametrize(
    ("text", "lang", "word"),
    [
        ("これは犬ではない。", "ja", "犬"), ("彼は犬ではなく、狼も飼っていない。", "ja", "狼"),
        ("这不是狗吗,而是狼?", "zh", "狼"), ("Bu köpek değil mi?", "tr", "köpek"),
        ("猫だけではなく、犬も。", "ja", "猫"), ("不是只有猫,而是狗。", "zh", "猫"),
        ("Das ist nicht nur eine Katze, sondern auch schön.", "de", "Katze"),
        ("No es solo un gato, sino también grande.", "es", "gato"),
        # the word is aligned to the other animal, but the dictionary knows it
        ("이것은 고양이가 아니라 늑대이다.", "ko", "늑대"),
    ],
)  # fmt: skip
def test_what_is_rejected_stays_negated(text: str, lang: str, word: str) -> None:
    graph = penman.decode("(c / cat :polarity - :domain (i / it))")
    span = text.index(word), text.index(word) + len(word)
    assert with_rejection(graph, text, lang, {"c": span}) is graph
