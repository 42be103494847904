"""Inflect the adjectives of the lexicon: by simplemma's tables, by vowel harmony, or by stems."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import verb_forms
from verb_forms import HIGH, VOICELESS

HANGUL, CODAS, BIEUP = 0xAC00, 28, 17
"""The first Korean syllable, the number of last consonants, and that of *p*, which is soft before vowels."""

PARTICIPLES = {
    "ca": (("at", "ada ats ades"), ("it", "ida its ides")),
    "es": (("ado", "ada ados adas"), ("ido", "ida idos idas")),
    "fr": (("é", "ée és ées"),),
    "it": (("ato", "ata ati ate"), ("ito", "ita iti ite")),
    "pt": (("ado", "ada ados adas"), ("ido", "ida idos idas")),
}
"""Ends of adjectives whose other forms a table has as those of a verb, and the ends of these forms."""


def turkish_forms(word: str) -> set[str]:
    """Return a Turkish adjective with endings of predicates, by vowel harmony.

    Example:
        >>> {"yorgun", "yorgundu", "yorgunum", "yorgunlar"} <= turkish_forms("yorgun")
        True
        >>> {"aptalsın", "aptalmış", "aptaldır"} <= turkish_forms("aptal")
        True
    """
    last = next((letter for letter in reversed(word) if letter in HIGH), "e")
    high, low = HIGH[last], "a" if last in "aıou" else "e"
    buffer = "y" if word[-1] in HIGH else ""
    hard = "t" if word[-1] in VOICELESS else "d"
    soft = word[:-1] + {"k": "ğ"}.get(word[-1], word[-1]) if len(word) > 4 else word
    past = f"{word}{buffer}{hard}{high}"
    endings = (f"{hard}{high}r", f"{buffer}m{high}ş", f"s{high}n", f"l{low}r", f"s{high}n{high}z")
    return {
        word, past, f"{past}m", f"{past}l{low}r", *(word + end for end in endings),
        f"{soft}{buffer}{high}m", f"{soft}{buffer}{high}z",
    }  # fmt: skip


def japanese_forms(word: str) -> set[str]:
    """Return forms of a Japanese adjective in *-i*; other adjectives as they are.

    Example:
        >>> sorted(japanese_forms("鋭い")), japanese_forms("頑固")
        (['鋭い', '鋭かった', '鋭く', '鋭くない'], {'頑固'})
    """
    return {word[:-1] + end for end in ("い", "く", "かった", "くない")} if word.endswith("い") else {word}


def korean_forms(word: str) -> set[str]:
    """Return frequent forms of a Korean adjective in *-da*.

    Example:
        >>> {"심각한", "심각합니다", "심각했다"} <= korean_forms("심각하다")
        True
        >>> {"아름다운", "아름답습니다", "아름다워요"} <= korean_forms("아름답다")
        True
        >>> {"느린", "느립니다", "느려요"} <= korean_forms("느리다")
        True
        >>> {"재미있는", "재미있어요"} <= korean_forms("재미있다")
        True
    """
    stem = word.removesuffix("다")
    soft = chr(ord(stem[-1]) - BIEUP)
    if (ord(stem[-1]) - HANGUL) % CODAS != BIEUP or len(stem) == 1:
        return verb_forms.korean_forms(word)
    ends = ("운", "워", "워요", "웠다", "웠습니다", "웠어요", "워서")
    return verb_forms.korean_forms(word) | {stem[:-1] + soft + end for end in ends}


def arabic_forms(word: str) -> set[str]:
    """Return an Arabic adjective with the endings of genders and plurals, and with the article.

    Example:
        >>> {"جميل", "جميلة", "الجميل", "الجميلة"} <= arabic_forms("جميل")
        True
    """
    return {article + word + end for article in ("", "ال") for end in ("", "ة", "ا", "ين", "ون", "ات")}


def participle_forms(word: str, lang: str) -> set[str]:
    """Return the other forms of a Romance adjective that is written like a participle.

    Example:
        >>> sorted(participle_forms("hinchado", "es")), participle_forms("feo", "es")
        (['hinchada', 'hinchadas', 'hinchados'], set())
    """
    return {
        word.removesuffix(end) + other
        for end, others in PARTICIPLES.get(lang, ())
        if word.endswith(end)
        for other in others.split()
    }


BY_STEM = {"ar": arabic_forms, "ja": japanese_forms, "ko": korean_forms, "tr": turkish_forms}
"""Languages whose forms are not from a table."""


def forms(bases: Collection[str], lang: str) -> Iterator[tuple[str, str]]:
    """Yield each form of adjectives and its base form."""
    if lang in BY_STEM or lang == "zh":
        yield from ((form, base) for base in bases for form in BY_STEM.get(lang, lambda word: {word})(base))
        return
    for base in bases:
        yield from ((form, base) for form in participle_forms(base, lang))
    yield from verb_forms.table_forms(bases, lang).items()
