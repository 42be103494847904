"""Write the clock times of a sentence in digits, which the parser copies.

::

    at half past seven         at 7:30
    um acht Uhr (de)           um 8:00
    um Viertel vor acht (de)   um 7:45
    à sept heures et demie     à 7:30
    alle 7.30 (it)             alle 7:30
    a las siete y media (es)   a las 7:30
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from amrx.composed_text import Composed, Span

WRITTEN = (0, "")
FULL, HALF, QUARTER, TO_HALF, TO_QUARTER = (0, "00"), (0, "30"), (0, "15"), (-1, "30"), (-1, "45")
"""Hours added to the hour that is named, and minutes; none if they are written."""
_LAST = r"(?=[.,;!?…](?!\d)|$"
"""The end of a clause, or one of the words that follow."""
PATTERNS: Mapping[str, Mapping[str, tuple[int, str]]] = {
    "ar": {r"(?<=الساعة\s){}": FULL},
    "cs": {r"(?:(?<=v\s)|(?<=ve\s)|(?<=do\s)|(?<=od\s)){} hodin[uy]?": FULL},
    "da": {
        "halv {}": TO_HALF, "kvart over {}": QUARTER, "kvart i {}": TO_QUARTER, r"(?<=klokken\s){}": FULL,
    },
    "de": {
        "halb {}": TO_HALF, "Viertel nach {}": QUARTER, "Viertel vor {}": TO_QUARTER,
        "{} Uhr {m}": WRITTEN,
        r"{} Uhr(?!\s(?:\d|fünf|zehn|\w+zehn|\w*zig|\w*ßig))": FULL,
        rf"(?:(?<=um\s)|(?<=gegen\s)){{}}{_LAST}|\s(?:am|abends|morgens|in)\b)": FULL,
    },
    "en": {
        "half past {}": HALF, "(?:a )?quarter past {}": QUARTER, "(?:a )?quarter to {}": TO_QUARTER,
        r"(?<=at\s){} {m}": WRITTEN, "{} o['’]clock": FULL,
        rf"(?<=at\s){{}}{_LAST}|\s(?:in the|on|tonight|tomorrow|today|every)\b)": FULL,
    },
    "es": {
        r"(?<=las\s){} y media": HALF, r"(?<=las\s){} y cuarto": QUARTER,
        r"(?<=las\s){} menos cuarto": TO_QUARTER,
        r"(?<=las\s){} y {m}": WRITTEN,
        rf"(?<=a\slas\s){{}}{_LAST}|\s(?:de la|del|en|y|para|con|hasta)\b)": FULL,
    },
    "fi": {r"(?<=kello\s){}": FULL},
    "fr": {
        r"(?:(?<=à\s)|(?<=vers\s)){} heures? et demie": HALF,
        r"(?:(?<=à\s)|(?<=vers\s)){} heures? et quart": QUARTER,
        r"(?:(?<=à\s)|(?<=vers\s)){} heures? moins le quart": TO_QUARTER,
        r"(?:(?<=à\s)|(?<=vers\s)){} heures? {m}": WRITTEN,
        rf"(?:(?<=à\s)|(?<=vers\s)){{}} heures?{_LAST}"
        r"|\s(?:du|ce|avec|pour|et(?! quart| demie)|dans|demain)\b)": FULL,
    },
    "hu": {"{} órakor": FULL},
    "id": {r"(?<=pukul\s){}": FULL},
    "it": {
        r"(?<=le\s){} e mezz[ao]": HALF, r"(?<=le\s){} e un quarto": QUARTER,
        r"(?<=le\s){} meno un quarto": TO_QUARTER,
        r"(?<=le\s){} e {m}": WRITTEN,
        rf"(?<=alle\s){{}}{_LAST}|\s(?:di|del|della|in|e(?! mezz| un quarto)|per|con)\b)": FULL,
    },
    "ko": {"{} ?시 반": HALF, "{} ?시(?=에|부터|까지|쯤|[ .,]|$)": FULL},
    "nb": {
        "halv {}": TO_HALF, "kvart over {}": QUARTER, "kvart på {}": TO_QUARTER, r"(?<=klokken\s){}": FULL,
    },
    "nl": {
        "half {}": TO_HALF, "kwart over {}": QUARTER, "kwart voor {}": TO_QUARTER,
        r"(?:(?<=om\s)|(?<=rond\s)|(?<=tot\s)|(?<=vanaf\s)){} uur": FULL,
    },
    "pl": {rf"(?<=o\s){{}}(?: godzinie)?{_LAST}|\s(?:rano|wieczorem|po południu|w|z|i)\b)": FULL},
    "pt": {
        r"(?<=às\s){} e meia": HALF, r"(?<=às\s){} e quinze": QUARTER,
        r"(?<=às\s){} e {m}": WRITTEN,
        rf"(?<=às\s){{}}(?: horas)?{_LAST}|\s(?:da|em|no|na|para|com)\b)": FULL,
    },
    "ro": {r"(?<=ora\s){}": FULL},
    "ru": {
        r"(?<=в\s){} {m}": WRITTEN,
        r"(?:(?<=в\s)|(?<=к\s)|(?<=до\s)){} час(?:а|ов)(?!\s(?:\w*дцать|\w*сят|сорок|пять|десять))": FULL,
    },
    "sv": {
        "halv {}": TO_HALF, "kvart över {}": QUARTER, "kvart i {}": TO_QUARTER, r"(?<=klockan\s){}": FULL,
    },
    "tr": {r"saat {}(?:['’]?[dt][ae])?": FULL},
    "uk": {r"(?:(?<=о\s)|(?<=об\s)){}(?: годині)?": FULL},
    "vi": {r"(?<=lúc\s){} giờ(?! rưỡi)": FULL},
    "zh": {"{}点(?=[，。,.！？的]|$|[开关出起见吃回结下上来去走睡到])": FULL},
}  # fmt: skip
_FORMS = {
    "ar": "الواحدة الثانية الثالثة الرابعة الخامسة السادسة السابعة الثامنة التاسعة العاشرة",
    "ko": "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두",
    "pl": "pierwszej drugiej trzeciej czwartej piątej szóstej siódmej ósmej dziewiątej dziesiątej jedenastej"
    " dwunastej",
    "uk": "першій другій третій четвертій п'ятій шостій сьомій восьмій дев'ятій десятій"
    " одинадцятій дванадцятій",
    "zh": "－ 两 三 四 五 六 七 八 九 十 十一 十二",  # 一点 is *a little*
}  # fmt: skip
"""Hours whose forms are not those of num2words, from one on."""
_TIME = r"(?<![\d.])(?P<h>[01]?\d|2[0-4])\.(?P<m>[0-5]\d)(?![\d.]*\d|\s?(?:%|€|zł|Kč|₽))"
_DOTTED = {
    "cs": rf"(?:(?<=\bv )|(?<=\bve )|(?<=\bod )|(?<=\bdo )){_TIME}{_LAST}|\s(?:hod|hodin|v|na|do)\b)",
    "de": rf"{_TIME}(?=\sUhr)",
    "en": rf"{_TIME}(?=\s?(?:am|pm|a\.m|p\.m)\b)", "es": rf"(?<=\blas ){_TIME}",
    "it": rf"(?:(?<=\balle )|(?<=\bore )|(?<=\bdalle )){_TIME}",
    "nl": rf"{_TIME}(?=\suur)", "pl": rf"(?:(?<=\bo )|(?<=\bgodz\. )){_TIME}{_LAST}|\s(?:w|na|z|i|do)\b)",
    "pt": rf"(?<=\bàs ){_TIME}", "ro": rf"(?<=\bora ){_TIME}",
    "ru": rf"(?<=\bв ){_TIME}{_LAST}|\s(?:утра|вечера|дня|ночи|в|на)\b)",
    "tr": rf"(?:(?<=\bsaat )|(?=\S+['’][dt][ae]\b)){_TIME}",
    "uk": rf"(?:(?<=\bо )|(?<=\bоб )){_TIME}{_LAST}|\s(?:ранку|вечора|дня|ночі|в|у|на)\b)",
}  # fmt: skip
"""Clock times with a dot, which is a decimal point elsewhere."""
_AFTER_TIME = {"tr": ("saat ", "'da")}
"""Text before and after the digits of a clock time."""
_ONE = {"fr": {"une": 1}, "it": {"una": 1}, "pt": {"uma": 1, "duas": 2}}
"""Hours whose form num2words does not give."""


_UNSPACED = frozenset({"ko", "zh"})


def with_clock_digits(composed: Composed, lang: str) -> Composed:
    """Return a text with clock times in digits; the same object if it has none in words.

    Example:
        >>> with_clock_digits(Composed("Es beginnt um halb acht."), "de").text
        'Es beginnt um 7:30.'
    """
    composed = composed.with_replaced(_dotted(composed.text, lang))
    return composed.with_replaced(_found(composed.text, lang))


def _dotted(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of clock times with a dot, and the same times with a colon."""
    for match in re.finditer(_DOTTED.get(lang, "(?!)"), text, re.IGNORECASE):
        yield match.span(), f"{match['h']}:{match['m']}"


def _found(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of clock times and their digits, from left to right."""
    pattern = _pattern(lang)
    for match in pattern.finditer(text) if pattern else ():
        name = next(name for name, value in match.groupdict().items() if value and name.startswith("hour"))
        hours, minutes = list(PATTERNS[lang].values())[int(name.removeprefix("hour"))]
        hour = _hours(lang)[match[name].lower()] + hours
        minutes = minutes or match[name.replace("hour", "minute")]
        before, after = _AFTER_TIME.get(lang, ("", ""))
        yield match.span(), f"{before}{hour or 12}:{minutes}{after}"


@cache
def _pattern(lang: str) -> re.Pattern[str] | None:
    """Return a pattern of all clock times, with the hour of the n-th one in the group ``hourN``."""
    if lang not in PATTERNS:
        return None
    hour = "|".join(sorted(_hours(lang), key=len, reverse=True))
    parts = (
        pattern.replace("{}", f"(?P<hour{number}>{hour})")
        .replace("{m}", rf"(?P<minute{number}>[0-5]\d)")
        .replace(" ", r"\s+")
        for number, pattern in enumerate(PATTERNS[lang])
    )
    edges = ("", "") if lang in _UNSPACED else (r"(?<!\w)", r"(?!\w)")
    return re.compile(f"{edges[0]}(?:{'|'.join(parts)}){edges[1]}", re.IGNORECASE)


@cache
def _hours(lang: str) -> Mapping[str, int]:
    """Return the hours from 1 to 12 by their words and digits."""
    from num2words import num2words

    if lang in _FORMS:
        return {word: hour for hour, word in enumerate(_FORMS[lang].split(), 1)}
    code = "no" if lang == "nb" else lang
    words = {num2words(hour, lang=code): hour for hour in range(1, 13)}
    return words | _ONE.get(lang, {}) | {str(hour): hour for hour in range(1, 13)}
