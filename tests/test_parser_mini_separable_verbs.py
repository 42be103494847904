"""A separable verb has its own frame, not that of its stem."""

import penman
import pytest

from linearize.vocabulary import frames
from parser.mini.rules.separable_verbs import _stems, with_separable_verbs


def _mended(graph: str, text: str, lang: str, **words: str) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_separable_verbs(penman.decode(graph), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words", "right"),
    [
        ("(c / come-01 :ARG1 (b / bus) :direction (o / on))", "Der Bus kommt gleich an.", "de",
         {"c": "kommt", "o": "an"}, "(c / arrive-01 :ARG1 (b / bus))"),
        ("(f / fall-01 :ARG1 (h / heat))", "Bei Frost fiel die Heizung aus, und wir froren.", "de",
         {"f": "fiel"}, "(f / fail-01 :ARG1 (h / heat))"),
        ("(g / get-up-26 :ARG1 (s / she))", "Sie gab auf.", "de", {"g": "gab"},
         "(g / give-up-07 :ARG0 (s / she))"),
        # the particle is joined to the verb
        ("(f / fall-01 :ARG1 (p / plane))", "Das Flugzeug ist gestern abgestürzt.", "de",
         {"f": "abgestürzt"}, "(f / crash-01 :ARG1 (p / plane))"),
        ("(l / let-01 :ARG1 (f / file))", "Ich versuche, die Datei hochzuladen.", "de",
         {"l": "hochzuladen"}, "(l / upload-01 :ARG1 (f / file))"),
        # only people are hired
        ("(s / set-up-03 :ARG0 (w / we) :ARG1 (p / person))", "Wir stellen Leute ein.", "de",
         {"s": "stellen"}, "(s / hire-01 :ARG0 (w / we) :ARG1 (p / person))"),
        ("(t / take-01 :ARG0 (w / we) :ARG1 (o / offer-01))", "Wij nemen het aanbod aan.", "nl",
         {"t": "nemen"}, "(t / accept-01 :ARG0 (w / we) :ARG1 (o / offer-01))"),
        ("(n / need-01 :ARG0 (w / we) :ARG1 (f / friend))", "We nodigden onze vrienden uit.", "nl",
         {"n": "nodigden"}, "(n / invite-01 :ARG0 (w / we) :ARG1 (f / friend))"),
    ],
)  # fmt: skip
def test_the_particle_decides(graph: str, text: str, lang: str, words: dict[str, str], right: str) -> None:
    assert _mended(graph, text, lang, **words) == right


@pytest.mark.parametrize(
    ("graph", "text", "lang", "words"),
    [
        # another reading that says the same
        ("(s / surrender-01 :ARG0 (t / they))", "Sie geben auf.", "de", {"s": "geben"}),
        # the particle belongs to another verb, or is a preposition or an adverb
        ("(c / come-01 :ARG1 (h / he))", "Er kommt und schaltet das Licht an.", "de", {"c": "kommt"}),
        ("(c / come-01 :ARG1 (h / he))", "Er kommt von Anfang an.", "de", {"c": "kommt"}),
        ("(c / come-01 :ARG1 (h / he))", "Er kommt ab und an.", "de", {"c": "kommt"}),
        ("(c / come-01 :ARG1 (i / it))", "Es kommt darauf an.", "de", {"c": "kommt"}),
        ("(c / come-01 :ARG1 (h / he))", "Er kommt, das Licht ist an.", "de", {"c": "kommt"}),
        # a reflexive verb
        ("(i / imagine-02 :ARG0 (w / we) :ARG1 (b / beach))", "Wij stelden ons het strand voor.", "nl",
         {"i": "stelden"}),
        # a noun
        ("(r / reputation)", "Das ist der Ruf an.", "de", {"r": "Ruf"}),
        # things are not hired; another language
        ("(s / set-up-03 :ARG1 (c / clock))", "Wir stellen die Uhr ein.", "de", {"s": "stellen"}),
        ("(c / come-01 :ARG1 (b / bus))", "Der Bus kommt gleich an.", "en", {"c": "kommt"}),
    ],
)  # fmt: skip
def test_others_stay(graph: str, text: str, lang: str, words: dict[str, str]) -> None:
    assert _mended(graph, text, lang, **words) == penman.encode(penman.decode(graph), indent=None)


def test_all_frames_of_the_table_exist() -> None:
    listed = {
        frame
        for stems in _stems().values()
        for stem in stems
        for one in stem.frames.values()
        for frame in one
    }
    assert listed <= frames()
