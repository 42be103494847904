"""The patient before the verb is no agent."""

import penman
import pytest

from parser.mini.rules.object_first import with_object_first


def _agent(text: str, lang: str, first: str, verb: str, second: str, concept: str = "dog") -> str:
    graph = penman.decode(f"(v / bite-01 :ARG0 (a / cat) :ARG1 (b / {concept}))")
    spans = {
        node: (text.index(word), text.index(word) + len(word))
        for node, word in (("v", verb), ("a", first), ("b", second))
    }
    return next(edge.target for edge in with_object_first(graph, text, lang, spans).edges(role=":ARG0"))


@pytest.mark.parametrize(
    ("text", "lang", "words", "concept"),
    [
        ("Кошку укусила собака.", "ru", ("Кошку", "укусила", "собака"), "dog"),
        ("Девочку испугал гром.", "ru", ("Девочку", "испугал", "гром"), "thunder"),
        ("Мальчика похвалил учитель.", "ru", ("Мальчика", "похвалил", "учитель"), "person"),
        ("Kota ugryzł pies.", "pl", ("Kota", "ugryzł", "pies"), "dog"),
        ("Dziewczynkę zbadała lekarka.", "pl", ("Dziewczynkę", "zbadała", "lekarka"), "doctor"),
        ("Хлопчика похвалив учитель.", "uk", ("Хлопчика", "похвалив", "учитель"), "person"),
        ("Den kleinen Jungen lobte der Lehrer.", "de", ("Jungen", "lobte", "Lehrer"), "person"),
        ("Einen Hund biss mein Kater.", "de", ("Hund", "biss", "Kater"), "cat"),
        ("Wen biss der Hund?", "de", ("Wen", "biss", "Hund"), "dog"),
        ("¿A quién mordió el perro?", "es", ("quién", "mordió", "perro"), "dog"),
        ("Кого укусила собака?", "ru", ("Кого", "укусила", "собака"), "dog"),
        ("Mnie ugryzł pies.", "pl", ("Mnie", "ugryzł", "pies"), "dog"),
        ("Мене вкусив собака.", "uk", ("Мене", "вкусив", "собака"), "dog"),
        ("Кот, которого укусила собака, спит.", "ru", ("Кот", "укусила", "собака"), "dog"),
        ("Kot, którego ugryzł pies, śpi.", "pl", ("Kot", "ugryzł", "pies"), "dog"),
        ("El gato al que mordió el perro duerme.", "es", ("gato", "mordió", "perro"), "dog"),
        ("Köpeğin ısırdığı kedi uyuyor.", "tr", ("kedi", "ısırdığı", "Köpeğin"), "dog"),
        ("La fille qu'a vue le chien dort.", "fr", ("fille", "vue", "chien"), "dog"),
        ("القطة التي عضها الكلب نائمة.", "ar", ("القطة", "عضها", "الكلب"), "dog"),
        ("追猫的狗很大。", "zh", ("猫", "追", "狗"), "dog"),
        ("猫を噛んだ犬は寝ている。", "ja", ("猫", "噛", "犬"), "dog"),
        ("고양이를 문 개가 자고 있다.", "ko", ("고양이를", "문", "개가"), "dog"),
    ],
)
def test_the_second_noun_is_the_agent(
    text: str, lang: str, words: tuple[str, str, str], concept: str
) -> None:
    assert _agent(text, lang, *words, concept) == "b"


@pytest.mark.parametrize(
    ("text", "lang", "words", "concept"),
    [
        ("Собака укусила кошку.", "ru", ("Собака", "укусила", "кошку"), "cat"),
        ("Папа купил дом.", "ru", ("Папа", "купил", "дом"), "house"),  # a masculine noun in -а
        ("Никита купил дом.", "ru", ("Никита", "купил", "дом"), "house"),
        ("Учитель похвалил мальчика.", "ru", ("Учитель", "похвалил", "мальчика"), "boy"),
        ("Кошку, укусила собака.", "ru", ("Кошку", "укусила", "собака"), "dog"),  # another clause
        ("Tata kupił dom.", "pl", ("Tata", "kupił", "dom"), "house"),
        ("Die Katze hat der Hund gebissen.", "de", ("Katze", "gebissen", "Hund"), "dog"),  # before the verb
        ("Der Hund biss den Mann.", "de", ("Hund", "biss", "Mann"), "man"),
        ("Den Hund sah die Frau.", "de", ("Hund", "sah", "Frau"), "woman"),  # the article tells nothing
        ("The cat bit the dog.", "en", ("cat", "bit", "dog"), "dog"),
        ("Wer biss den Hund?", "de", ("Wer", "biss", "Hund"), "dog"),
        ("Его собака укусила кота.", "ru", ("Его", "укусила", "кота"), "cat"),  # *his dog*
        ("У меня есть собака.", "ru", ("меня", "есть", "собака"), "dog"),
        ("Кот, который укусил собаку, спит.", "ru", ("Кот", "укусил", "собаку"), "dog"),
        ("El gato que mordió al perro duerme.", "es", ("gato", "mordió", "perro"), "dog"),
        ("Köpeği ısıran kedi uyuyor.", "tr", ("kedi", "ısıran", "Köpeği"), "dog"),
        ("猫は犬を噛んだ。", "ja", ("猫", "噛", "犬"), "dog"),
        ("猫を見て犬は噛んだ。", "ja", ("猫", "噛", "犬"), "dog"),  # the object of another verb
        ("猫追的狗很大。", "zh", ("猫", "追", "狗"), "dog"),
        ("Le chat qui a mordu le chien dort.", "fr", ("chat", "mordu", "chien"), "dog"),
        ("القط الذي عض الكلب نائم.", "ar", ("القط", "عض", "الكلب"), "dog"),
        ("У кого есть собака?", "ru", ("кого", "есть", "собака"), "dog"),
        ("Er bat mich, den Hund zu halten.", "de", ("mich", "halten", "Hund"), "dog"),
    ],
)
def test_the_first_noun_stays_the_agent(
    text: str, lang: str, words: tuple[str, str, str], concept: str
) -> None:
    assert _agent(text, lang, *words, concept) == "a"


@pytest.mark.parametrize(
    ("text", "lang", "verb"),
    [
        ("Qui as-tu vu ?", "fr", "vu"),
        ("Who have you seen?", "en", "seen"),
        ("Who wouldn't you see?", "en", "see"),
        ("Wie heb je gezien?", "nl", "gezien"),
        ("Quem você viu?", "pt", "viu"),
    ],
)
def test_who_is_an_object_beside_a_subject(text: str, lang: str, verb: str) -> None:
    spans = {"a": (0, text.index(" ")), "v": (text.index(verb), text.index(verb) + len(verb))}
    graph = "(v / see-01 :ARG0 (a / amr-unknown) :ARG1 (y / you))"
    mended = with_object_first(penman.decode(graph), text, lang, spans)
    assert penman.encode(mended, indent=None) == "(v / see-01 :ARG0 (y / you) :ARG1 (a / amr-unknown))"


@pytest.mark.parametrize(
    ("text", "lang", "subject"),
    [
        ("Chi hai visto?", "it", "you"), ("Quem vimos?", "pt", "we"), ("¿A quién vieron?", "es", "they"),
        ("Chi ha visto?", "it", None), ("Quem viu?", "pt", None), ("¿Quién vio?", "es", None),
    ],
)  # fmt: skip
def test_the_subject_in_an_ending_is_the_agent(text: str, lang: str, subject: str | None) -> None:
    graph = penman.decode("(v / see-01 :ARG0 (a / amr-unknown))")
    mended = with_object_first(graph, text, lang, {"a": (0, 4), "v": (5, 9)})
    agents = [one.target for one in mended.edges(role=":ARG0")]
    concepts = {node: concept for node, _, concept in mended.instances()}
    assert [concepts[one] for one in agents] == [subject or "amr-unknown"]
    assert [one.target for one in mended.edges(role=":ARG1")] == ["a"] * (subject is not None)


def test_a_clitic_is_no_subject() -> None:
    text, graph = "Quem o viu ontem?", "(v / see-01 :ARG0 (a / amr-unknown) :ARG1 (h / he))"
    mended = with_object_first(penman.decode(graph), text, "pt", {"a": (0, 4), "h": (5, 6), "v": (7, 10)})
    assert penman.encode(mended, indent=None) == graph


@pytest.mark.parametrize(
    ("text", "lang", "verb", "party"),
    [
        ("Qui as-tu invité à la fête ?", "fr", "invité", "fête"),
        ("Chi hai invitato alla festa?", "it", "invitato", "festa"),
        ("Quem convidaste para a festa?", "pt", "convidaste", "festa"),
        ("Wen hast du zur Party eingeladen?", "de", "eingeladen", "Party"),
    ],
)
def test_a_noun_is_no_subject_beside_a_pronoun(text: str, lang: str, verb: str, party: str) -> None:
    graph = penman.decode("(i / invite-01 :ARG0 (a / amr-unknown) :ARG1 (p / party))")
    first = text.split()[0]
    spans = {
        node: (text.index(word), text.index(word) + len(word))
        for node, word in (("a", first), ("i", verb), ("p", party))
    }
    assert with_object_first(graph, text, lang, spans) is graph
