"""parser.mini.rules.places: on which side of a thing something is."""

import penman
import pytest

from parser.mini.rules.places import with_places

UNDER = "(b / be-located-at-91 :ARG1 (c / cat) :ARG2 (u / under :op1 (t / table)))"


def changed(graph: str, text: str, lang: str, **words: str) -> str:
    """Return the changed graph in one line; ``words`` gives the word of each node."""
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_places(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("text", "lang", "cat", "table"),
    [
        ("Die Katze ist unter dem Tisch.", "de", "Katze", "Tisch"),
        ("Die Katze ist unter dem Tisch.", "de", "Katze", "unter"),  # aligned to the preposition
        ("Le chat est sous la table.", "fr", "chat", "table"),
        ("El gato está debajo de la mesa.", "es", "gato", "mesa"),
        ("Кошка под столом.", "ru", "Кошка", "столом"),
        ("Kot jest pod stołem.", "pl", "Kot", "stołem"),
        ("Kedi masanın altında.", "tr", "Kedi", "masanın"),
        ("猫在桌子下面。", "zh", "猫", "桌子"),
        ("猫はテーブルの下にいる。", "ja", "猫", "テーブル"),
        ("고양이는 탁자 아래에 있다.", "ko", "고양이", "탁자"),
        ("القطة تحت الطاولة.", "ar", "القطة", "الطاولة"),
    ],
)
def test_side_that_is_lost(text: str, lang: str, cat: str, table: str) -> None:
    graph = "(b / be-located-at-91 :ARG1 (c / cat) :ARG2 (t / table))"
    assert changed(graph, text, lang, c=cat, t=table) == UNDER


@pytest.mark.parametrize(
    ("graph", "right"),
    [
        ("(u / under :op1 (c / cat) :ARG2 (t / table))", UNDER),
        ("(u / under :op1 (c / cat) :location (t / table))", UNDER),
        ("(b / be-located-at-91 :ARG1 (c / cat) :ARG2 (t / table :op1-of (u / under)))", UNDER),
        (
            "(c / cat :location (t / table) :location (u / under))",
            "(c / cat :location (u / under :op1 (t / table)))",
        ),
        (UNDER, UNDER),
    ],
)
def test_side_that_is_joined_to_the_wrong_thing(graph: str, right: str) -> None:
    mended = changed(graph, "Le chat est sous la table.", "fr", c="chat", t="table", u="sous")
    assert shape(mended) == shape(right)


def shape(text: str) -> set[tuple[str, str, str]]:
    """Return the relations of a graph between concepts, with its top."""
    graph = penman.decode(text)
    concepts = {node: str(one) for node, _, one in graph.instances()}
    edges = {(concepts[edge.source], edge.role, concepts[edge.target]) for edge in graph.edges()}
    return edges | {("", "top", concepts[str(graph.top)])}


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        # no word for a side, two of them, not a place, no noun beside it
        ("(b / be-located-at-91 :ARG1 (c / cat) :ARG2 (t / table))", "Le chat est sur la table.", "fr",
         {"c": "chat", "t": "table"}),
        ("(b / be-located-at-91 :ARG1 (c / cat) :ARG2 (t / table))",
         "Le chat est sous le lit, sous la table.", "fr",
         {"c": "chat", "t": "table"}),
        ("(s / sit-01 :ARG1 (h / he) :ARG2 (t / table))", "Он сидит за столом.", "ru",
         {"h": "Он", "t": "столом"}),
        ("(s / sit-01 :ARG1 (h / he) :location (s2 / shore))", "On siedzi nad brzegiem.", "pl",
         {"h": "On", "s2": "brzegiem"}),
        ("(l / look-01 :ARG0 (h / he) :location (s / sky))", "Они наблюдают за небом.", "ru",
         {"h": "Они", "s": "небом"}),
        ("(w / work-01 :ARG0 (h / he) :condition (p / pressure))", "Il travaille sous pression.", "fr",
         {"h": "Il", "p": "pression"}),
        ("(w / work-01 :ARG0 (h / he) :location (o / office))", "Er arbeitet im Büro unter der Woche.", "de",
         {"h": "Er", "o": "Büro"}),
    ],
)  # fmt: skip
def test_other_sentences_stay(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    assert changed(graph, text, lang, **words) == graph


def test_noun_that_is_not_aligned() -> None:
    graph = "(b / behind :op1 (s / shoe))"
    assert changed(graph, "الحذاء خلف الأريكة.", "ar", s="الحذاء") == graph


def test_back_of_a_thing() -> None:
    graph = "(b / be-located-at-91 :ARG1 (s / shoe) :ARG2 (b2 / back :part-of (c / couch)))"
    right = "(b / be-located-at-91 :ARG1 (s / shoe) :ARG2 (b2 / behind :op1 (c / couch)))"
    assert changed(graph, "鞋子在沙发后面。", "zh", s="鞋子", c="沙发", b2="后面") == right
