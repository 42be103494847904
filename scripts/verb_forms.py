"""Inflect the verbs of ``everyday_verbs.tsv``: by simplemma's tables, by vowel harmony, or by stems."""

from __future__ import annotations

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


def table_forms(bases: Collection[str], lang: str) -> dict[str, str]:
    """Return the base form of each form of verbs that simplemma has, and of the verbs themselves.

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

    Example:
        >>> [sorted(japanese_forms(verb)) for verb in ("溺れる", "泳ぐ")]
        [['溺れ'], ['泳い', '泳が', '泳ぎ', '泳ぐ', '泳げ', '泳ご']]
        >>> sorted(japanese_forms("印刷する"))
        ['印刷さ', '印刷し', '印刷す', '印刷せ', '印刷をさ', '印刷をし', '印刷をす', '印刷をせ']
    """
    if verb.endswith("する"):
        return {verb[:-2] + case + stem for case in ("", "を") for stem in "さしすせ"}
    if verb.endswith("る"):
        return {verb[:-1]}
    verb = verb.removesuffix("*")
    return {verb, *(verb[:-1] + end for end in GODAN[verb[-1]])}


def forms(bases: Collection[str], lang: str) -> Iterator[tuple[str, str]]:
    """Yield each form of verbs and its base form."""
    if lang == "tr":
        yield from ((form, base) for base in bases for form in turkish_forms(base))
    elif lang == "ja":
        yield from ((form, base) for base in bases for form in japanese_forms(base))
    elif lang == "zh":
        yield from ((base, base) for base in bases)
    else:
        yield from table_forms(bases, lang).items()
