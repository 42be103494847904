"""Inflect the adjectives of the lexicon: by simplemma's tables, by vowel harmony, or by stems."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from verb_forms import HIGH, VOICELESS

HADA = "하다 한 하고 하지 하게 하며 합니다 해요 해서 했다 했습니다 했어요 했던".split()
"""Frequent forms of the end of a Korean adjective in *-hada*."""
HANGUL, VOWELS, CODAS = 0xAC00, 21, 28
"""The first Korean syllable, and the numbers of vowels and of last consonants; 0 is none."""
NIEUN, RIEUL, BIEUP, SSANGSIOT = 4, 8, 17, 20
"""Numbers of last consonants."""
BRIGHT = {0, 8}
"""Numbers of the vowels *a* and *o*, after which an ending has *a*."""

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
    if stem.endswith("하"):
        return {stem[:-1] + end for end in HADA}
    head, vowel, coda = stem[:-1], *divmod(ord(stem[-1]) - HANGUL, CODAS)
    if coda == 0:
        return _open_forms(head, vowel, stem)
    polite = {word, *(stem + end for end in ("고", "지", "게", "습니다"))}
    if coda == BIEUP and len(stem) > 1:
        soft = head + _syllable(vowel, 0)
        return polite | {soft + end for end in ("운", "워", "워요", "웠다", "웠습니다", "웠어요", "워서")}
    adnominal = "는" if stem[-1] in "있없" else "은"
    infinitive = "아" if vowel % VOWELS in BRIGHT else "어"
    past = chr(ord(infinitive) + SSANGSIOT)
    return (
        polite
        | {stem + adnominal, *(stem + infinitive + end for end in ("", "요", "서"))}
        | {f"{stem}{past}{end}" for end in ("다", "습니다", "어요")}
    )


def _open_forms(head: str, vowel: int, stem: str) -> set[str]:
    """Return forms of a Korean adjective whose stem ends in a vowel."""
    forms = {f"{stem}{end}" for end in ("다", "고", "지", "게")}
    forms |= {head + _syllable(vowel, NIEUN), head + _syllable(vowel, BIEUP) + "니다"}
    if vowel % VOWELS != VOWELS - 1:
        return forms
    infinitive = vowel - VOWELS + 1 + 6  # i and the vowel eo are yeo
    past = head + _syllable(infinitive, SSANGSIOT)
    return (
        forms
        | {head + _syllable(infinitive, 0) + end for end in ("", "요", "서")}
        | {past + end for end in ("다", "습니다", "어요")}
    )


def _syllable(vowel: int, coda: int) -> str:
    """Return a syllable by the number of its first consonant and vowel, and that of its last consonant."""
    return chr(HANGUL + vowel * CODAS + coda)


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
    """Yield each form of adjectives and its base form.

    A Russian form with *ё* is written with *е*, too.
    """
    if lang in BY_STEM or lang == "zh":
        yield from ((form, base) for base in bases for form in BY_STEM.get(lang, lambda word: {word})(base))
        return
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    for base in bases:
        yield from ((form, base) for form in participle_forms(base, lang))
    table = DefaultDictionaryFactory().get_dictionary(lang)
    known = {form.lower(): lemma for form, lemma in table.items() if lemma in bases and form.isalpha()}
    for form, base in (known | {base: base for base in bases}).items():
        yield form, base
        if lang == "ru" and "ё" in form:
            yield form.replace("ё", "е"), base
