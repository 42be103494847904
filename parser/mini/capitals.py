"""Write a sentence in capitals as people usually write it, letter for letter."""

from __future__ import annotations

FEWEST = 2
"""Words in capitals that make a sentence one in capitals: a single one may be an abbreviation."""


def in_capitals(text: str) -> bool:
    """Tell whether a text is written in capitals alone.

    Example:
        >>> [in_capitals(text) for text in ("THE DOG SLEEPS.", "The dog sleeps.", "NATO", "狗睡了。")]
        [True, False, False, False]
    """
    return text.isupper() and sum(word.isupper() and len(word) > 1 for word in text.split()) >= FEWEST


def in_small_letters(text: str, lang: str = "") -> str:
    """Return a text of the same length in small letters, the first letter of each sentence apart.

    Example:
        >>> in_small_letters("DER HUND SCHLÄFT. ER TRÄUMT.")
        'Der hund schläft. Er träumt.'
        >>> in_small_letters("IŞIK İYİ", "tr")
        'Işık iyi'
    """
    small = _TURKISH if lang in ("tr", "az") else {}
    letters = [small.get(letter) or (low if len(low := letter.lower()) == 1 else letter) for letter in text]
    begins = True
    for index, letter in enumerate(text):
        if begins and letter.isalpha():
            letters[index], begins = letter, False
        begins = begins or letter in ".!?"
    return "".join(letters)


_TURKISH = {"I": "ı", "İ": "i"}
