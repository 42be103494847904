"""Words of LASER1. What is expected was written once by Moses' own Perl rules (sources near release 4.0)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from amrx.errors import MissingResourceError
from retrofit.bases.laser.text import plain_punctuation

MOSES = [
    ("en", "Don't go, \"boy.\" It's 1990's.", "don 't go , \" boy . \" it 's 1990 's ."),
    ("en", "the boys' (1,5) 1\u00a0000 %, a,b,c", "the boys ' ( 1,5 ) 1.000 % , a , b , c"),
    ("de", "Er sagte: „Komm.“ Das ist z.B. 1\u00a0000 %", 'er sagte : " komm " . das ist z.b. 1,000 %'),
    ("de", "Dr. Maier, Nr. Fünf usw. so...", "dr. maier , nr. fünf usw. so ..."),
    ("en", "No. 5, No. Five etc. Then", "no. 5 , no . five etc . then"),
    ("fr", "L’an passé, c'est « à » l'un.", "l' an passé , c' est \" à \" l' un ."),
    ("it", "l'un.Dr.", "l' un.dr."),
    ("ga", "B'fhéidir 'sea", "b' fhéidir ' sea"),
    ("cs", 'Řekl "ano." 1\u00a0000', 'řekl " ano . " 1,000'),
    ("fi", "USA:n 20:een S:T a:b:", "usa:n 20:een s : t a:b :"),
    ("sv", "kl 3: EU:s", "kl 3 : eu:s"),
    ("en", "USA:n", "usa : n"),
    ("hi", "न्यायालय ने कहा।", "न ् यायालय ने कहा ।"),
    ("ko", "한국어 문장입니다.", "한국어 문장입니다 ."),
    ("th", "สวัสดี, ชาวโลก", "สวัสดี , ชาวโลก"),
    ("en", "a\u200bb\tc .. d .'", "a b c .. d . '"),
    ("en", "", ""),
    ("en", " . ", "."),
]


@pytest.fixture(scope="module")
def words():
    pytest.importorskip("subword_nmt", reason="pip install 'amrx[laser]'")
    from retrofit.bases.laser.words import Words

    return Words()


@pytest.mark.parametrize(("lang", "text", "expected"), MOSES)
def test_words_are_those_of_moses(words, lang: str, text: str, expected: str) -> None:
    assert words.cut(text, lang) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", '"a", "b."', '"a," "b."'),
        ("de", '"a," "b."', '"a", "b".'),
        ("cs", '"a," "b."', '"a," "b."'),
        ("ru", '"b..." <"c."<', '"b"... <"c."<'),
        ("ru", "1\u00a0000", "1.000"),
        ("es", "1\u00a0000", "1,000"),
    ],
)
def test_quotes_stand_beside_stops_as_the_language_has_it(lang: str, text: str, expected: str) -> None:
    assert plain_punctuation(text, lang) == expected


def test_chinese_words_are_those_of_jieba(words, monkeypatch, tmp_path: Path, capfd) -> None:
    pytest.importorskip("jieba")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    # python -m jieba -d, as LASER calls it, on the output of Moses
    cut = words.cut("我来到北京清华大学，你好。", "zh")
    assert cut.split() == "我 来到 北京 清华大学 ， 你好 。".split()
    assert capfd.readouterr() == ("", "")
    assert (tmp_path / "amrx" / "jieba" / "jieba.cache").is_file()
    assert words.cut("", "zh") == ""


def test_japanese_words_are_those_of_mecab(words) -> None:
    pytest.importorskip("MeCab")
    pytest.importorskip("ipadic")
    cut = words.cut("コーヒーを飲みながら、東京タワーへ行きました。", "ja")
    assert cut.split() == "コーヒー を 飲み ながら 、 東京 タワー へ 行き まし た 。".split()
    assert words.cut("", "ja").split() == []


def test_greek_gets_latin_letters(words) -> None:
    pytest.importorskip("transliterate")
    # source/lib/romanize_lc.py -l el on the output of Moses
    assert words.cut("Καλημέρα κόσμε, πώς είσαι;", "el") == "kalimera kosme , pos eisai ;"
    assert words.cut("Καλημέρα", "en") == "καλημέρα"


@pytest.mark.parametrize(
    ("lang", "package", "task"),
    [
        ("zh", "jieba", "finds the words of Chinese"),
        ("ja", "ipadic", "finds the words of Japanese"),
        ("el", "transliterate", "writes Greek in Latin letters"),
    ],
)
def test_a_language_that_needs_a_package_names_it(
    words, monkeypatch, lang: str, package: str, task: str
) -> None:
    from retrofit.bases.laser.words import Words

    monkeypatch.setitem(sys.modules, package, None)
    fresh = Words()
    assert fresh.cut("Hello", "en") == "hello"
    message = (
        rf"^missing on this machine: parts of the extra 'laser' \({package}, which {task}\); "
        r"fetch: pip install 'amrx\[laser\]'$"
    )
    with pytest.raises(MissingResourceError, match=message):
        fresh.cut("α", lang)


def test_without_sacremoses_nothing_is_read(monkeypatch) -> None:
    from retrofit.bases.laser.words import Words

    for name in ("sacremoses", "sacremoses.corpus"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        MissingResourceError, match=r"\(sacremoses.*, which splits words for LASER1\).*pip install"
    ):
        Words()
