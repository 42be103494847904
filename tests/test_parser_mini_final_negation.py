"""The main verb of a sentence keeps its negation."""

import penman
import pytest

from amrx.types import Sentence
from parser.mini.parser import load_mini
from parser.mini.rules.final_negation import with_final_negation


def mend(text: str, lang: str, given: str, words: dict[str, str]) -> str:
    spans = {node: (text.index(word), text.index(word) + len(word)) for node, word in words.items()}
    return penman.encode(with_final_negation(penman.decode(given), text, lang, spans), indent=None)


@pytest.mark.parametrize(
    ("lang", "text", "verb"),
    [
        ("fi", "En tehnyt sitä.", "tehnyt"),
        ("fi", "Me emme kysy.", "kysy"),
        ("ja", "犬は夜に吠えない。", "吠え"),
        ("ja", "彼は来ませんでした。", "来"),
        ("ko", "개들은 밤에 짖지 않는다.", "짖지"),
        ("ko", "그는 생선을 안 먹는다.", "먹는다"),
        ("tr", "Tom bu gece konuşmadı.", "konuşmadı"),
        ("tr", "Ben uyumuyorum.", "uyumuyorum"),
        ("tr", "Tom kaybetmeyecek.", "kaybetmeyecek"),
        ("tr", "Tom asla uyumaz.", "uyumaz"),
    ],
)
def test_the_verb_is_negated(lang: str, text: str, verb: str) -> None:
    given = "(s / speak-01 :ARG1 (g / go-02))"
    assert mend(text, lang, given, {"s": verb}) == "(s / speak-01 :polarity - :ARG1 (g / go-02))"


@pytest.mark.parametrize(
    ("lang", "text"),
    [("fi", "En tunne tätä laulua."), ("ja", "犬は夜に吠えない。"), ("ko", "개들은 밤에 짖지 않는다.")],
)
def test_the_parser_keeps_the_negation(lang: str, text: str) -> None:
    (parse,) = load_mini().parse([Sentence("1", text, lang)])
    assert (parse.graph.top, ":polarity", "-") in parse.graph.triples


@pytest.mark.parametrize(
    ("lang", "text", "given", "words"),
    [
        ("fi", "En vain minä tiedä.", "(k / know-01)", {"k": "tiedä"}),
        ("ja", "彼は水しか飲まない。", "(d / drink-01)", {"d": "飲ま"}),
        ("ja", "彼は行かなければならない。", "(g / go-02)", {"g": "行か"}),
        ("ja", "友達は少ない。", "(f / few-01)", {"f": "少ない"}),
        ("ko", "그는 그녀가 오지 않았다고 말했다.", "(s / say-01)", {"s": "말했다"}),
        ("tr", "Ona karmadır.", "(g / give-01)", {"g": "karmadır"}),
        ("tr", "Bunu umuyor.", "(h / hope-01)", {"h": "umuyor"}),
        ("tr", "Tom konuşmadı mı?", "(s / speak-01)", {"s": "konuşmadı"}),
        ("tr", "Tom konuşmadı.", "(s / speak-01 :ARG1 (n / nothing))", {"s": "konuşmadı"}),
        ("tr", "Tom konuşmadı.", "(s / speak-01 :ARG1 (g / go-02 :polarity -))", {"s": "konuşmadı"}),
        ("tr", "Tom onu sevmiyor.", "(d / dislike-01)", {"d": "sevmiyor"}),
        ("tr", "Tom geldi, ben uyumadım.", "(c / come-01 :ARG1 (p / person))", {"c": "geldi"}),
        ("de", "Er schläft nicht.", "(s / sleep-01)", {"s": "schläft"}),
    ],
)
def test_other_sentences_stay(lang: str, text: str, given: str, words: dict[str, str]) -> None:
    assert mend(text, lang, given, words) == given
