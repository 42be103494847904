"""List the words that negate, by language; `negators_in` finds them in a sentence."""

from __future__ import annotations

import re
from functools import cache

NEGATIVE = frozenset({"no-one", "nobody", "nothing"})
"""Concepts that negate their clause."""
_WORDS = {
    "cs": r"ne\w+|ni\w+|žádn\w+|ani", "da": r"ikke|aldrig|ingen|intet|hverken",
    "de": r"nicht|kein\w*|nie|niemals|niemand\w*|nichts|weder",
    "en": r"\w*n['’]t|not|no|never|nobody|none|nothing|nor|neither|cannot|hardly",
    "es": r"no|nunca|jamás|nadie|nada|ning[uú]n\w*|tampoco|ni",
    "fi": r"en|et|ei|emme|ette|eivät|äl\w+",
    "fr": r"ne|n|pas|jamais|rien|personne|aucune?|ni",
    "hu": r"nem|ne|nincs\w*|se|sem|soha|senki\w*|semmi\w*",
    "id": "tidak|bukan|belum|tak|jangan", "it": r"non|mai|nessun\w*|niente|nulla|né",
    "nb": "ikke|aldri|ingen|verken", "nl": "niet|geen|nooit|niemand|niets|noch",
    "pl": r"nie\w*|nigdy|nikt|nic|żad\w+|ani", "pt": r"não|nunca|jamais|ninguém|nada|nenhum\w*|nem",
    "ro": "nu|nici|niciodată|nimeni|nimic", "ru": r"не\w*|ни\w*", "sv": "inte|aldrig|ingen|inget|inga|varken",
    "tr": r"\w+m[ıiuü]yor\w*|\w+m[ae]z\w*|\w+m[ae]d[ıi]\w*|\w+m[ae]y[ae][cn]\w*|değil\w*|yok\w*|hiç\w*|ne",
    "uk": r"не\w*|ні\w*",
}  # fmt: skip
_NOT_NEGATIVE = {
    "cs": r"nes(?:u|eš|e|eme|ete|ou|t|l[aioy]?)|nebo"
    r"|ne(?:be|bes\w*|děl\w*|moc\w*|ch(?:at|ej\w*|al\w*|ám?e?)|j\w+|rv\w*)",
    "pl": r"nie(?:si(?:e\w*|ono)|ś(?:l\w*|ć)|b[oai]\w*|dziel\w*|m(?:iec|c)\w*|dźwie\w*|ch|co|jak\w*|któr\w*)",
    "ru": r"не(?:с(?:у|ёт\w*|ём|ёшь|ет|ут|л[аио]|ти)|б[оае]\w*|дел\w*|м(?:ец|ц)\w*|фт\w*|рв\w*|вест\w*"
    r"|жн\w*|котор\w*|сколько|ужели|давн\w*)",
    "uk": r"не(?:с(?:у|е|еш|емо|уть|л[аио]|ти)|б[оае]\w*|рв\w*|віст\w*|щодавно)",
}  # fmt: skip
"""Words that begin like a negation: *carry*, *sky*, *week*, *German*."""
_SIGNS = {
    "ja": "ない|ませ?ん|なかっ|なく|ぬ|ずに",
    "ko": r"않|없|아니|못|안\s|모르|모른",
    "zh": "不|没|無|无|未|别|非",
}
"""Syllables that negate in scripts where words are not separated from their endings."""


@cache
def negators(lang: str) -> re.Pattern[str] | None:
    """Return a pattern of all words that negate in a language, also those that do not always; or ``None``.

    Example:
        >>> negators("de").findall("Kein Hund bellt nicht.")
        ['Kein', 'nicht']
    """
    if lang in _SIGNS:
        return re.compile(_SIGNS[lang])
    if lang not in _WORDS:
        return None
    return re.compile(rf"\b(?!(?:{_NOT_NEGATIVE.get(lang, '(?!)')})\b)(?:{_WORDS[lang]})\b", re.IGNORECASE)


def is_like_negation(text: str, lang: str, begin: int) -> bool:
    """Return whether the word at a place begins like a negation but is none.

    Example:
        >>> is_like_negation("Listonosz niesie list.", "pl", 10), is_like_negation("Nie pije.", "pl", 0)
        (True, False)
    """
    return bool(re.compile(rf"(?:{_NOT_NEGATIVE.get(lang, '(?!)')})\b", re.IGNORECASE).match(text, begin))


def is_negated_elsewhere(text: str, lang: str, begin: int, end: int) -> bool:
    """Return whether a sentence has a negation outside of a span; also if its language is not listed.

    Example:
        >>> is_negated_elsewhere("Er raucht nicht mehr.", "de", 10, 20)
        False
    """
    pattern = negators(lang)
    return pattern is None or bool(pattern.search(text[:begin]) or pattern.search(text[end:]))
