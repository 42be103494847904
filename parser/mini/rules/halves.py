"""Find halves of units: *half an hour*, *a year and a half*.

::

    half an hour, полчаса, 半个小时      0.5, before the unit
    une heure et demie, bir buçuk saat   1.5, before the unit

The parser reads nearly all of them as the whole unit: half an hour is an hour. Only units count: *half a
sandwich* stays, as do clock times (*à une heure et demie*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from amrx.composed_text import Span
from parser.mini.rules.literals import group_sign
from parser.mini.rules.number_words import number_words

_UNITS = {
    "ar": "ساعة|سنة|شهر|يوم|لتر|كيلو|متر",
    "cs": r"hodin[yua]?|rok[uy]?|let|měsíc[ei]?|dne|dny|litru?|kil[ao]|metru?|kilometru?|minut[yu]",
    "da": r"timer?|år|dag|liter|kilo|meter|kilometer|minut(?:ter)?|måned(?:er)?",
    "de": r"Stunden?|Jahre?s?|Monate?|Tage?s?|Liter|Kilo(?:gramm|meter)?|Meter|Pfund|Minuten?",
    "en": r"hours?|years?|months?|days?|weeks?|minutes?|miles?|kilos?|kilograms?|kilomet(?:er|re)s?"
    r"|lit(?:er|re)s?|met(?:er|re)s?|pounds?|pints?|gallons?|tons?|inch(?:es)?",
    "es": r"horas?|años?|mes(?:es)?|semanas?|litros?|kilos?|kilómetros?|metros?|minutos?",
    "fi": r"tunti\w*|tunni\w+|vuo\w+|kuukau\w+|litra\w*|kiloa?|metri\w*",
    "fr": r"heures?|journées?|années?|ans?|mois|litres?|kilos?|kilomètres?|mètres?|minutes?",
    "hu": r"órá\w*|óra|év\w*|nap\w*|liter\w*|kiló\w*|méter\w*|perc\w*",
    "id": "jam|tahun|bulan|hari|liter|kilo|meter|kilometer|menit",
    "it": r"or[ae]|ann[oi]|mes[ei]|giornat[ae]|litr[oi]|chil[oi]|chilometr[oi]|metr[oi]|minut[oi]",
    "ja": "時間|年|日|キロ|メートル|リットル|分|か月|ヶ月",
    "ko": "시간|년|개월|킬로|미터|리터",
    "nb": r"timer?|år|dag|liter|kilo|meter|kilometer|minutt(?:er)?|måned(?:er)?",
    "nl": r"uur|jaar|maand|dag|liter|kilo|meter|kilometer|minuut|pond",
    "pl": r"godzin[yęaą]?|roku|rok|lata|miesiąca|dnia|litra?|kil[ao]|metra?|kilometra?|minuty",
    "pt": r"horas?|anos?|m[eê]s(?:es)?|semanas?|litros?|quilos?|quilômetros?|metros?|minutos?",
    "ro": r"or[aăe]|an[iu]?|luni?|zile?|litr[ui]|kil(?:ogram)?|metr[ui]",
    "ru": r"час(?:а|ов)?|год(?:а)?|лет|месяц(?:а|ев)?|дня|дней|день|литр(?:а|ов)?|кило(?:грамм\w*|метр\w*)?"
    r"|метр(?:а|ов)?|минут\w*",
    "sv": r"timm(?:e|ar)|år|dag|liter|kilo|meter|kilometer|minut(?:er)?|månad(?:er)?|mil",
    "tr": r"saat\w*|yıl\w*|sene\w*|ay|aydır|gün\w*|kilo(?:metre|gram)?|litre|metre|dakika\w*|dönüm",
    "uk": r"годин\w*|рок\w*|рік|місяц\w*|дн[яі]в?|день|літр(?:а|ів)?|кіло(?:грам\w*|метр\w*)?|метр(?:а|ів)?",
    "vi": "tiếng|giờ|năm|tháng|ngày|lít|ký|cân|mét|ki-lô-mét",
    "zh": "小时|钟头|月|年|公里|公斤|米|升",
}  # fmt: skip
_HALF = {
    "ar": ("نصف {u}",), "cs": ("půl {u}",), "da": ("(?:en |et )?halvt? {u}",),
    "de": ("(?:eine[rn]? |ein )?halbe[nrs]? {u}",), "en": ("half an? {u}", "a half {u}"),
    "es": ("medi[oa] {u}",), "fi": ("puol(?:i|en) {u}",), "fr": ("(?:une? )?demi-{u}",), "hu": ("fél {u}",),
    "id": ("setengah {u}",), "it": ("(?:una? )?mezz(?:[ao] |['’]){u}",),
    "ja": ("(?<![\\d一二三四五六七八九十間])半{u}",), "ko": ("반 ?{u}",), "nb": ("(?:en |et )?halvt? {u}",),
    "nl": ("(?:een )?hal(?:f|ve) ?{u}",), "pl": ("pół {u}",), "pt": ("mei[oa] {u}",),
    "ro": ("(?:o )?jumătate de {u}",), "ru": ("пол(?:-| )?{u}",), "sv": ("(?:en |ett )?halv[ta]? ?{u}",),
    "tr": ("yarım {u}",), "uk": ("пів ?{u}",), "vi": ("nửa {u}",),
    "zh": ("(?<![\\d一二两三四五六七八九十个])半个?{u}",),
}  # fmt: skip
"""Half a unit."""
_AND_A_HALF = {
    "ar": ("{u} ونصف",), "cs": ("{n} {u} a půl", "{u} a půl"),
    "da": ("{n} og et halvt {u}", "{n} og en halv {u}", "halvanden {u}"),
    "en": ("{n} {u} and a half", "{n} and a half {u}"), "es": ("{n} {u} y medi[oa]",),
    "fi": ("puolitoista {u}",), "fr": ("{n} {u} et demie?",), "hu": ("másfél {u}",), 
    "id": ("{n} setengah {u}",),
    "it": ("{n}[ '’]{u} e mezz[ao]",), "ja": ("{n}{u}半",), "ko": ("{n} ?{u} 반",),
    "nb": ("{n} og ett? halvt {u}", "{n} og en halv {u}", "halvannen {u}"),
    "nl": ("anderhal(?:f|ve) {u}", "{n}(?:ën|en)half {u}"),
    "pl": ("{n} i pół {u}",), "pt": ("{n} {u} e mei[oa]",), "ro": ("{n} {u} și jumătate",),
    "ru": ("{n} с половиной {u}", "{n} {u} с половиной", "{u} с половиной"),
    "sv": ("{n} och ett? halvt? {u}", "{n} och en halv {u}"),
    "tr": ("{n} buçuk {u}",), "uk": ("{n} з половиною {u}",), "vi": ("{n} {u} rưỡi",),
    "zh": ("{n}个半{u}", "{n}{u}半"),
}  # fmt: skip
"""A number of units and a half."""
_ONE = {
    "cs": "jedn[aue]", "da": "en|et", "de": "eine?", "en": "an?|one", "es": "un[ao]?", "fr": "une?",
    "id": "satu", "it": "un[ao]?", "ja": "一", "ko": "한", "nb": "en|ett?", "nl": "een|één", 
    "pl": "jedn[ąaej]+",
    "pt": "uma?", "ro": "o|un", "ru": "один|одна", "sv": "en|ett", "tr": "bir", "uk": "один|одна",
    "vi": "một",
    "zh": "一",
}  # fmt: skip
_NUMERALS = {
    "ja": "一二三四五六七八九", "zh": "一二三四五六七八九", "vi": ("một", "hai", "ba", "bốn", "năm", "sáu"),
    "ko": ("한", "두", "세", "네", "다섯", "여섯"),
}  # fmt: skip
_CLOCK = re.compile(
    r"\b(?:à|vers|avant|après|dès|jusqu['’]à|est|entre|de|às?|pelas|alle|all|a las?)[\s'’]+$", re.IGNORECASE
)
"""Words before the time of a clock."""
_CLOCKS = frozenset({"es", "fr", "it", "pt"})
_UNSPACED = frozenset({"ja", "ko", "zh"})


def halves_in(text: str, lang: str) -> Iterator[tuple[Span, str]]:
    """Yield the spans of halves with their units, and the number with the unit to read in their place.

    Example:
        >>> list(halves_in("We waited for half an hour.", "en"))
        [((14, 26), '0.5 hour')]
        >>> list(halves_in("Bir buçuk saat bekledik.", "tr"))
        [((0, 14), '1,5 saat')]
    """
    for pattern, one in _patterns(lang):
        for match in pattern.finditer(text):
            found = match.groupdict()
            number = found.get("n")
            if number and lang in _CLOCKS and _CLOCK.search(text[: match.start()]):
                continue
            whole = _whole(number, lang) if number else one
            if whole is not None:
                counter = "个" if lang == "zh" and "个" in match[0] else ""
                gap = "" if lang in ("ja", "zh") else " "
                sign = "." if group_sign(lang) == "," else ","
                yield match.span(), f"{whole}{sign}5{counter}{gap}{found['u']}"


def _whole(word: str, lang: str) -> int | None:
    """Return the value of a number from one to ninety-nine, in digits or in one word."""
    if word.isdecimal():
        return int(word)
    if re.fullmatch(_ONE.get(lang, "(?!)"), word, re.IGNORECASE):
        return 1
    if lang in _NUMERALS:
        return _NUMERALS[lang].index(word) + 1 if word in _NUMERALS[lang] else 2 if word in "两兩" else None
    return number_words(lang).values.get(word.casefold())


@cache
def _patterns(lang: str) -> tuple[tuple[re.Pattern[str], int], ...]:
    """Return the patterns of halves of a language, with the whole number where none is written."""
    if lang not in _UNITS:
        return ()
    numbers = r"\d{1,2}|[一二两兩三四五六七八九]" if lang in ("ja", "zh") else r"\w+"
    left, right = ("", "") if lang in _UNSPACED else (r"(?<![\w-])", r"(?![\w-])")
    groups = {"u": f"(?P<u>{_UNITS[lang]})", "n": f"(?P<n>{numbers})"}
    return tuple(
        (re.compile(f"{left}(?:{form.format(**groups)}){right}", re.IGNORECASE), one)
        for one, forms in enumerate((_HALF[lang], _AND_A_HALF.get(lang, ())))
        for form in forms
    )
