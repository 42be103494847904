"""Reword constructions that the network misreads, before it reads them.

::

    As soon as the rain stops, we leave.    ──>  After the rain stops, we leave.
    We used to live in Rome.                ──>  We formerly live in Rome.
    El tren acaba de salir. (es)            ──>  El tren recientemente salir.

The network loses the clause of *as soon as*, reads *used to* as a verb, and the Spanish *acabar de* (to have
just done) as *end*. It reads the other words, and needs no right forms of the verb. Each word keeps its span
in the given text.
"""

from __future__ import annotations

import re
from functools import cache

from amrx.composed_text import Composed

_POSSIBLE = {
    "de": r"(?! (?:wie |als )?möglich)",
    "en": r"(?! (?:\w+ )?(?:possible|practicable|\w+ (?:can|could)))"
    r"(?! (?:next|today|tonight|tomorrow|in|on|at|(?:this )?(?:week|month|year|evening|\w+noon|\w*day))\b)",
    "es": r"(?! (?:sea |me sea |le sea )?posible)", "it": r"(?! possibile)", "nl": r"(?! mogelijk)",
    "pt": r"(?! (?:for )?possível)", "ru": r"(?! (?:возможно|мог(?:л[аи]|у|ут)?|можно|может)\b)",
}  # fmt: skip
"""*As soon as possible* is no clause."""
_AS_SOON_AS = {
    "da": ("så snart", "efter at"), "de": ("sobald", "nachdem"), "en": ("as soon as", "after"),
    "es": ("en cuanto(?! al?\\b| l[ao]s? )|tan pronto como"
        "(?! (?:hoy|mañana|en|este|el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo|\\d))\\b)",
        "después de que"),
    "fr": ("(?:dès|aussitôt)(?= qu(?:e|['’])(?! possible))", "après"), "it": ("non appena", "dopo che"),
    "nb": ("så snart", "etter at"), "nl": ("zodra", "nadat"),
    "pl": (r"(?<!podczas )(?:gdy|jak|kiedy) tylko(?! (?:chc|m[oó]g|potraf|można|umi[ae])\w*)", "po tym jak"),
    "pt": (r"(?<!é )(?<!foi )(?<!era )(?:assim|logo) que(?=[^.,;]* \w+[aeio]r(?:em|mos)?\b)", "depois que"),
    "ro": ("(?:de îndată|imediat) ce", "după ce"),
    "ru": ("(?<!время )(?<!тогда )как только", "после того как"), "sv": ("så snart(?: som)?", "efter att"),
    "uk": ("як тільки", "після того як"),
}  # fmt: skip
_INFINITIVE = r"(?= \w+(?:[aei]r|ír)(?:se|me|te|nos|l[aoe]s?)?\b)"
_OTHERS = {
    "en": {
        r"(?:(?<=^)|(?<=[,;.] )|(?<=\b(?:and|but|who) )|(?<=\b(?:that|when) ))"
        r"((?:I|you|he|she|it|we|they|there|who|(?:my|our|his|her|their|your) \w+)(?: (?:always|also))?)"
        r" used to(?= (?!be\b)[a-z]+\b)(?!.* (?:is|are|was|were|has|have)\b)": r"\1 formerly",
    },
    "es": {
        rf"acabo de{_INFINITIVE}": "yo recientemente", rf"acabamos de{_INFINITIVE}": "nosotros recientemente",
        rf"(?<=\w )acaban? de{_INFINITIVE}": "recientemente",
    },
    "fr": {
        r"(?<=\w )vien(?:t|nent) (?:de |d['’])(?=[a-zéèêâî]+(?:er|ir|re)\b)"
        r"(?!(?:être|avoir|mer|terre|derrière|fer|verre|guerre|pierre|centre)\b)": "récemment ",
    },
    "pt": {
        rf"acabei de{_INFINITIVE}": "eu recentemente", rf"acab[aá]mos de{_INFINITIVE}": "nós recentemente",
        rf"(?<=\w )(?:acabou|acabaram) de{_INFINITIVE}": "recentemente",
    },
    "zh": {
        r"(?<=[^\W\d_])一([到来停走]|下课|下班|(?:[回见听出进收说]|打开|看到)[^\W\d_]{0,2}?)(?=(?:，[^\W\d_]{0,3})?就)":
        r"\1之后",
    },
}  # fmt: skip


def with_rewordings(composed: Composed, lang: str) -> Composed:
    """Return a text whose constructions are reworded; the same object if it has none.

    Example:
        >>> from amrx.composed_text import compose
        >>> with_rewordings(compose("Ruf mich an, sobald er kommt."), "de").text
        'Ruf mich an, nachdem er kommt.'
    """
    for pattern, new in _patterns(lang):
        parts = [(match.span(), _like(match, new)) for match in pattern.finditer(composed.text)]
        composed = composed.with_replaced(parts)
    return composed


def _like(match: re.Match[str], new: str) -> str:
    """Return the new words with a capital if the old ones have one."""
    words = match.expand(new)
    return words[0].upper() + words[1:] if match[0][0].isupper() else words


@cache
def _patterns(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    others = dict(_OTHERS.get(lang, {}))
    if lang in _AS_SOON_AS:
        old, new = _AS_SOON_AS[lang]
        others[rf"(?:{old})\b{_POSSIBLE.get(lang, '')}"] = new
    begin = "" if lang == "zh" else r"(?<!\w)"
    return tuple((re.compile(f"{begin}{old}", re.IGNORECASE), new) for old, new in others.items())
