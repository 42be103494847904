"""Inflect verbs by hand: by simplemma's tables, by vowel harmony, or by stems."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

VOICELESS = "fstkçşhp"
HIGH = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
"""High vowel after each vowel."""
SHORT = ("m", "n", "", "k", "nIz", "lAr")
LONG = ("Im", "sIn", "", "Iz", "sInIz", "lAr")
"""Personal endings: after the past in *-di*, and after other tenses."""
GODAN = {
    "う": "わいえおっ", "く": "かきけこい", "ぐ": "がぎげごい", "す": "さしせそ", "つ": "たちてとっ",
    "ぬ": "なにねのん", "ぶ": "ばびべぼん", "む": "まみめもん", "る": "らりれろっ",
}  # fmt: skip
"""Ends of the other stems of a verb in each kana."""
_HIRAGANA = re.compile("[\u3041-\u3096]")
_ICHIDAN = re.compile("[いきぎしじちぢにひびぴみりえけげせぜてでねへべぺめれ]る$")
_CONTRACTED = {0: 0, 1: 1, 4: 4, 5: 5, 6: 6, 8: 9, 11: 10, 13: 14, 20: 6}
"""Vowels of Korean stems, and what they become with the vowel of the infinitive."""
_IRREGULAR = frozenset({7, 17, 19})
"""Final consonants of Korean stems of which many are irregular."""


def table_forms(bases: Collection[str], lang: str) -> dict[str, str]:
    """Return the base form of each form of words that simplemma has, and of the words themselves.

    A Russian form with *ё* is written with *е*, too.
    """
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    table = DefaultDictionaryFactory().get_dictionary(lang)
    known = {form.lower(): lemma for form, lemma in table.items() if lemma in bases and form.isalpha()}
    known |= {base: base for base in bases}
    return {form.replace("ё", "е"): base for form, base in known.items()} | known if lang == "ru" else known


def turkish_forms(infinitive: str) -> set[str]:
    """Return finite forms and participles of a Turkish verb, by vowel harmony.

    Example:
        >>> forms = turkish_forms("öksürmek")
        >>> {"öksürüyorum", "öksürdü", "öksürecek", "öksürmüş", "öksürmedi", "öksürür"} <= forms
        True
        >>> "başlıyor" in turkish_forms("başlamak")
        True
    """
    stem = infinitive[:-3]
    open_stem = stem[-1] in HIGH
    buffer = "y" if open_stem else ""
    hard = "t" if stem[-1] in VOICELESS else "d"
    syllables = sum(letter in HIGH for letter in stem)
    aorist = "r" if open_stem else "Ar" if syllables == 1 else "Ir"
    short = stem[:-1] if open_stem else stem
    tenses = {
        f"{stem}{hard}I": SHORT, f"{stem}mAdI": SHORT, f"{short}IyordI": SHORT, f"{stem}mIştI": SHORT,
        f"{short}Iyor": LONG, f"{stem}mIyor": LONG, f"{stem}mIş": LONG, f"{stem}mAmIş": LONG,
        f"{stem}{aorist}": LONG, f"{stem}{buffer}AcAk": ("", "sIn", "lAr", "sInIz"),
        f"{stem}{buffer}AcAğ": ("Im", "Iz"), f"{stem}mAyAcAk": ("", "lAr"), f"{stem}mAyAcAğ": ("Im", "Iz"),
        f"{stem}mAz": ("", "sIn", "lAr"), f"{stem}{buffer}": ("An", "Ip", "ArAk", "IncA"),
        stem: ("mAk", "mAyI"),
    }  # fmt: skip
    return {_harmonised(tense + person) for tense, persons in tenses.items() for person in persons}


def _harmonised(form: str) -> str:
    """Return a form in which ``A`` and ``I`` are vowels that agree with the vowel before."""
    written = ""
    for letter in form:
        last = next((one for one in reversed(written) if one in HIGH), "e")
        vowels = {"A": "a" if last in "aıou" else "e", "I": HIGH[last]}
        written += vowels.get(letter, letter)
    return written


def japanese_forms(verb: str) -> set[str]:
    """Return the stems of a Japanese verb; ``*`` marks one in *-iru* or *-eru* that is godan.

    A verb without kana at its end has *suru*; one in *-ru* after a Chinese character counts as godan.

    Example:
        >>> [sorted(japanese_forms(verb)) for verb in ("溺れる", "泳ぐ")]
        [['溺れ'], ['泳い', '泳が', '泳ぎ', '泳ぐ', '泳げ', '泳ご']]
        >>> sorted(japanese_forms("印刷する"))
        ['印刷さ', '印刷し', '印刷す', '印刷せ', '印刷をさ', '印刷をし', '印刷をす', '印刷をせ']
    """
    if verb.endswith("する") or not _HIRAGANA.fullmatch(verb.removesuffix("*")[-1]):
        return {verb.removesuffix("する") + case + stem for case in ("", "を") for stem in "さしすせ"}
    if _ICHIDAN.search(verb):
        return {verb[:-1]}
    verb = verb.removesuffix("*")
    return {verb, *(verb[:-1] + end for end in GODAN[verb[-1]])}


def korean_forms(verb: str) -> set[str]:
    """Return frequent forms of a regular Korean verb or adjective in *-da*, or of one in *-hada*.

    Example:
        >>> {"사임했다", "사임합니다", "사임한"} <= korean_forms("사임하다")
        True
        >>> {"마셨어요", "마십니다", "마시는"} <= korean_forms("마시다")
        True
        >>> {"먹었다", "먹습니다", "먹은"} <= korean_forms("먹다")
        True
    """
    stem = verb.removesuffix("다")
    first, last = stem[:-1], ord(stem[-1]) - 0xAC00
    head, vowel, final = last // 588, last % 588 // 28, last % 28

    def syllable(vowel: int, final: int) -> str:
        return first + chr(0xAC00 + 588 * head + 28 * vowel + final)

    found = {
        stem + end
        for end in ("다", "고", "지", "지만", "는", "던", "기", "거나", "게", "겠다", "네요", "는데")
    }
    if final == 0:
        found |= {syllable(vowel, 4) + end for end in ("", "다", "다고")}
        found |= {syllable(vowel, 8) + end for end in ("", "까요", "게요")}
        found |= {syllable(vowel, 17) + "니다", stem + "면", stem + "려고", stem + "세요", stem + "며"}
    else:
        found |= {stem + end for end in ("습니다", "은", "을", "으면", "으려고", "으세요", "으며")}
    bright = vowel in (0, 8)
    if stem.endswith("하"):
        infinitive, past = syllable(1, 0), syllable(1, 20)
        found.add(stem + "여")
    elif final == 0 and vowel in _CONTRACTED:
        infinitive, past = (syllable(_CONTRACTED[vowel], end) for end in (0, 20))
    elif final and final not in _IRREGULAR:
        infinitive, past = stem + ("아" if bright else "어"), stem + ("았" if bright else "었")
    else:
        return found
    found |= {infinitive + end for end in ("", "요", "서", "야", "도")}
    return found | {past + end for end in ("다", "습니다", "어요", "고", "지만", "던", "는데", "을")}


def arabic_forms(verb: str) -> set[str]:
    """Return persons of the perfect of a sound Arabic verb in *CaCaCa*, with and without *and*.

    Example:
        >>> {"كتبت", "وكتبوا"} <= arabic_forms("كتب")
        True
    """
    return {
        before + verb + end for before in ("", "و", "ف") for end in ("", "ت", "وا", "نا", "ه", "ها", "هم")
    }


BY_STEM = {"ar": arabic_forms, "ja": japanese_forms, "ko": korean_forms, "tr": turkish_forms}
"""Languages whose forms are not from a table."""


def forms(bases: Collection[str], lang: str) -> Iterator[tuple[str, str]]:
    """Yield each form of verbs and its base form."""
    if lang in BY_STEM or lang == "zh":
        yield from ((form, base) for base in bases for form in BY_STEM.get(lang, lambda verb: {verb})(base))
    else:
        yield from table_forms(bases, lang).items()
