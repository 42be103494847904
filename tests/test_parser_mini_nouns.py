"""Nouns that the parser does not know are translated."""

import penman
import pytest

from amrx.composed_text import Span
from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.dictionaries import translations
from parser.mini.rules.nouns import (
    alike,
    is_inflected,
    near,
    nouns_of,
    singular,
    translate,
    with_singular_nouns,
    with_translated_nouns,
    written_nouns,
)


def mend(graph: str, text: str, lang: str, words: dict[str, str], invented: tuple[str, ...] = ()) -> str:
    """Mend a graph whose nodes are aligned to ``words`` of the text."""
    alignments: dict[str, Span] = {
        node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()
    }
    mended = with_translated_nouns(penman.decode(graph), text, lang, alignments, invented)
    return penman.encode(mended, indent=None)


@pytest.mark.parametrize(
    ("lang", "text", "word", "wrong", "noun"),
    [
        ("de", "Ich habe das Passwort vergessen.", "Passwort", "card", "password"),
        ("tr", "Klavye bozuk.", "Klavye", "octopus", "keyboard"),
        ("tr", "Klavye bozuk.", "Klavye", "thing", "keyboard"),
        ("zh", "键盘坏了。", "盘", "month", "keyboard"),
        ("ja", "キーボードが壊れた。", "キーボードが", "octopus", "keyboard"),
        ("ko", "비밀번호를 잊었다.", "비밀번호를", "key", "password"),
        ("fr", "L'écran est noir.", "L'écran", "corner", "screen"),
        ("ru", "Забыл пароль.", "пароль", "key", "password"),
        ("nl", "Ik heb een hamer gekocht.", "hamer", "pig", "hammer"),
        ("de", "Ich habe die Schublade.", "Schublade", "hat", "drawer"),  # not written like *habe*
        ("tr", "Şifremi unuttum.", "Şifremi", "letter", "password"),
        # everyday nouns, which dictionaries confuse
        ("es", "Los grifos son nuevos.", "grifos", "griffin", "tap"),
        ("it", "Le padelle sono sporche.", "padelle", "bread", "pan"),
        ("ru", "Нет вилок.", "вилок", "fish", "fork"),
        ("tr", "Çatalları yıkadım.", "Çatalları", "tent", "fork"),
    ],
)
def test_a_wrong_noun_is_translated(lang: str, text: str, word: str, wrong: str, noun: str) -> None:
    assert mend(f"(x / {wrong})", text, lang, {"x": word}) == f"(x / {noun})"


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        ("(m / monitor)", "Der Bildschirm ist neu.", "de", {"m": "Bildschirm"}),  # near the translation
        ("(a / and :op1 (c / card) :op2 (p / password))", "Das Passwort der Karte.", "de", {"c": "Passwort"}),
        ("(c / castle)", "Das Schloss ist alt.", "de", {"c": "Schloss"}),  # an everyday noun of two meanings
        ("(h / hospital)", "Das Krankenhaus hat Passwort.", "de", {"h": "Passwort"}),  # of another word
        ("(c / catalog)", "Das Passwort im Katalog.", "de", {"c": "Passwort"}),  # written like another word
        ("(p / piano :name (n / name :op1 \"X\"))", "Klavye bozuk.", "tr", {"p": "Klavye", "n": "Klavye"}),
        ("(l / leak-01 :ARG0 (i / i))", "hasła do domu", "pl", {"l": "hasła"}),  # a frame with arguments
        ("(w / work-01 :ARG0 (p / piano))", "Klavye bozuk.", "tr", {"w": "Klavye", "p": "Klavye"}),
        ("(k / key)", "La Contraseña de Clave.", "es", {"k": "Contraseña"}),  # inside a name
        ("(b / book)", "Auf dem Tisch liegen Dinge.", "de", {"b": "liegen"}),  # no noun, unlike *Liegen*
        ("(t / thing :ARG1-of (w / write-01))", "Klavye bozuk.", "tr", {"t": "Klavye", "w": "Klavye"}),
        ("(p / piano)", "Klavye bozuk.", "tr", {}),  # not aligned
        ("(p / piano)", "The keyboard.", "en", {"p": "keyboard"}),
        ("(p / piano)", "ಕೀಬೋರ್ಡ್", "kn", {"p": "ಕೀಬೋರ್ಡ್"}),  # no translations
    ],
)  # fmt: skip
def test_other_nodes_stay(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    assert mend(graph, text, lang, words) == graph


def test_invented_words_copies_and_bare_frames_are_translated() -> None:
    assert mend("(x / slivk)", "Klavye bozuk.", "tr", {"x": "Klavye"}, ("slivk",)) == "(x / keyboard)"
    assert mend("(x / klavye)", "Klavye bozuk.", "tr", {"x": "Klavye"}) == "(x / keyboard)"
    assert mend("(x / leak-01)", "Zapomniałem hasła.", "pl", {"x": "hasła"}) == "(x / password)"


def test_the_graph_is_the_same_object_if_nothing_changes() -> None:
    graph = penman.decode("(m / monitor)")
    assert with_translated_nouns(graph, "Der Bildschirm", "de", {"m": (4, 14)}) is graph


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words", "mended"),
    [
        ("(m / mirror)", "Die Ampel war rot.", "de", {"m": "Ampel"}, "(l / light :mod (m / traffic))"),
        ("(c / credit)", "Mijn kredietkaart.", "nl", {"c": "kredietkaart"}, "(c / card :mod (m / credit))"),
        ("(b / bag)", "Min sovsäck är blöt.", "sv", {"b": "sovsäck"}, "(b / bag :mod (m / sleep-01))"),
    ],
)
def test_a_compound_is_its_head_with_a_modifier(graph, text, lang, words, mended) -> None:
    result = penman.decode(mend(graph, text, lang, words))
    expected = penman.decode(mended)
    assert [role for _, role, _ in result.triples] == [role for _, role, _ in expected.triples]
    assert [one[2] for one in result.instances()] == [one[2] for one in expected.instances()]


@pytest.mark.parametrize(
    ("graph", "text", "words"),
    [
        ("(m / machine :mod (w / wash-01))", "Die Waschmaschine.", dict.fromkeys("mw", "Waschmaschine")),
        ("(d / door :mod (h / house))", "Die Haustür.", {"d": "Haustür", "h": "Haustür"}),  # another part
        ("(l / light :location (t / traffic))", "Die Ampel.", {"l": "Ampel"}),  # the modifier is there
        ("(t / thing :mod (l / light))", "Die Ampel.", {"t": "Ampel", "l": "Ampel"}),  # the head is there
    ],
)  # fmt: skip
def test_compounds_that_the_graph_has_stay(graph: str, text: str, words: dict[str, str]) -> None:
    assert mend(graph, text, "de", words) == graph


def test_translations_of_compounds_are_heads() -> None:
    assert translate("Die Ampel war rot.", (4, 9), "de") == "light"
    assert nouns_of("de")["ampel"] == "light"
    assert {"traffic", "light", "vacuum", "cleaner", "sleep-01"} <= written_nouns()


def test_only_a_whole_word_in_katakana_is_translated() -> None:
    assert translate("キーボードが", (0, 6), "ja") == "keyboard"
    assert "ボード" in nouns_of("ja")
    assert translate("キーボー", (1, 4), "ja") is None


def test_no_word_is_its_own_translation_and_every_noun_is_near_itself() -> None:
    for lang in "ar bg ca de el es fi fr id it ja ko nb nl pl pt ru sv tr zh".split():
        table = nouns_of(lang)
        assert len(table) > 1000
        assert not [word for word, noun in table.items() if word == noun]
        entries = translations("nouns", lang)
        assert all(noun in near(entries[word]) for word, noun in table.items())


def test_spelling() -> None:
    assert alike("Katalog", "catalog")
    assert alike("résumé", "resume")
    assert not alike("Käse", "cheese")


@pytest.mark.parametrize(
    ("text", "lang", "word", "noun"),
    [
        ("L'homme coupe des pommes de terre.", "fr", "pommes", "potato"),
        ("L'homme coupe des pommes.", "fr", "pommes", "apple"),
        ("Dia bekerja di rumah sakit.", "id", "rumah", "hospital"),
        ("Yer fıstığına alerjim var.", "tr", "fıstığına", "peanut"),
        ("La marée basse commence.", "fr", "basse", None),  # no bass
    ],
)
def test_words_of_a_noun_of_several_words_are_translated_together(text, lang, word, noun) -> None:
    start = text.index(word)
    assert translate(text, (start, start + len(word)), lang) == noun


def test_turkish_words_that_begin_like_a_noun_are_other_words() -> None:
    pairs = [("burnumda", "burun"), ("kitabının", "kitap"), ("saldırdı", "sal"), ("yağmaya", "yağ")]
    assert [is_inflected(*pair, "tr") for pair in pairs] == [True, True, False, False]


def test_the_parser_translates() -> None:
    texts = {"de": "Ich habe mein Passwort vergessen.", "es": "La contraseña no funciona."}
    parses = load_mini().parse([Sentence(lang, text, lang) for lang, text in texts.items()])
    concepts = [{str(concept) for _, _, concept in parse.graph.instances()} for parse in parses]
    assert "password" in concepts[0]
    assert "password" in concepts[1]


def test_copied_english_plurals_are_singular() -> None:
    graph = penman.decode("(s / show-01 :ARG0 (c / cartridges) :ARG1 (p / pants) :ARG2 (n / news))")
    text = "Cartridges show pants news"
    spans = {"c": (0, 10), "p": (16, 21), "n": (22, 26)}
    mended = with_singular_nouns(graph, text, "en", spans, {"pants"})
    expected = "(s / show-01 :ARG0 (c / cartridge) :ARG1 (p / pants) :ARG2 (n / news))"
    assert penman.encode(mended, indent=None) == expected
    for lang, aligned in (("fr", spans), ("en", {"c": (11, 15)})):
        assert with_singular_nouns(graph, text, lang, aligned, {"pants"}) is graph


def test_english_plurals_that_were_read_as_another_noun_are_their_singulars() -> None:
    graph, text = penman.decode("(b / bottle :quant 2)"), "two kettles"
    mended = with_singular_nouns(graph, text, "en", {"b": (4, 11)}, {"bottle"})
    assert penman.encode(mended, indent=None) == "(b / kettle :quant 2)"
    for text, span in (("two Kettles", (4, 11)), ("bottles and kettles", (12, 19))):  # a name; another word
        assert with_singular_nouns(graph, text, "en", {"b": span}, {"bottle"}) is graph


def test_words_that_are_no_plurals_stay() -> None:
    assert [singular(word) for word in ("glass", "virus", "basis", "physics", "gas", "indoors")] == [None] * 6


def test_singulars_of_all_endings() -> None:
    words = "fires scarves sleeves berries matches buses".split()
    assert [singular(word) for word in words] == "fire scarf sleeve berry match bus".split()
