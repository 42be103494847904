"""parser.mini.rules.instead: the alternative that *instead of* excludes."""

import penman
import pytest

from parser.mini.rules.instead import with_alternatives

RIGHT = "(g / go-02 :ARG0 (h / he) :ARG1-of (i / instead-of-91 :ARG2 (r / return-01 :ARG1 h)))"
SENTENCES = [
    ("Instead of returning, he went out.", "en", "returning", "went"),
    ("Statt zurückzukehren, ging er aus.", "de", "zurückzukehren", "ging"),
    ("Au lieu de rentrer, il est sorti.", "fr", "rentrer", "sorti"),
    ("En vez de volver, salió.", "es", "volver", "salió"),
    ("Invece di tornare, è uscito.", "it", "tornare", "uscito"),
    ("Вместо того чтобы вернуться, он вышел.", "ru", "вернуться", "вышел"),
    ("帰る代わりに、彼は出かけた。", "ja", "帰る", "出かけ"),
    ("Dönmek yerine çıktı.", "tr", "Dönmek", "çıktı"),
]


def changed(graph: str, text: str, lang: str, **words: str) -> str:
    """Return the changed graph in one line; ``words`` gives the word of each node."""
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_alternatives(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    "graph",
    [
        "(g / go-02 :ARG0 (h / he) :concession (r / return-01 :ARG1 h))",
        "(g / go-02 :ARG0 (h / he) :condition (r / return-01 :ARG1 h))",
        "(g / go-02 :ARG0 (h / he) :time (b / before :op1 (r / return-01 :ARG1 h)))",
        "(g / go-02 :ARG0 (h / he) :manner (i / instead-of-91 :ARG1 (r / return-01 :ARG1 h)))",
        "(g / go-02 :ARG0 (h / he) :ARG2 (r / return-01 :ARG1 h :ARG2-of (i / instead-of-91)))",
        "(g / go-02 :ARG0 (h / he :ARG1-of (r / return-01 :ARG1-of (i / instead-of-91))))",
    ],
)
@pytest.mark.parametrize(("text", "lang", "back", "out"), SENTENCES)
def test_what_is_not_done(graph: str, text: str, lang: str, back: str, out: str) -> None:
    given = penman.decode(changed(graph, text, lang, r=back, g=out))
    assert given.top == "g"
    assert sorted(given.triples) == sorted(penman.decode(RIGHT).triples)


@pytest.mark.parametrize(
    ("text", "back", "out"),
    [
        ("Although he returned, he went out.", "returned", "went"),
        ("Instead of sleeping or instead of returning, he went out.", "returning", "went"),
        ("Instead, he returned and went.", "returned", "went"),
        ("He went out, though he returned, instead of me.", "returned", "went"),
    ],
)
def test_other_sentences_stay(text: str, back: str, out: str) -> None:
    graph = "(g / go-02 :ARG0 (h / he) :concession (r / return-01 :ARG1 h))"
    assert changed(graph, text, "en", r=back, g=out) == graph


def test_alternative_that_is_right_stays() -> None:
    assert changed(RIGHT, "Instead of returning, he went out.", "en", r="returning", g="went") == RIGHT


def test_what_is_done_is_not_negated() -> None:
    graph = "(g / go-02 :polarity - :ARG1-of (i / instead-of-91 :ARG2 (r / return-01)))"
    right = "(g / go-02 :ARG1-of (i / instead-of-91 :ARG2 (r / return-01)))"
    assert changed(graph, "Instead of returning, he went out.", "en", g="went") == right
    assert changed(graph, "Instead of returning, he did not go.", "en", g="go") == graph
