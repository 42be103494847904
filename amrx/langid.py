"""Detect the language of a text (lingua) and check language codes (ISO 639-1).

Only the languages of multilingual USE are candidates: with fewer candidates short sentences are classified
better. Lingua's whole models take seconds to load, so that its small ones, of three letters, classify what
they are sure of (`SURE`), which is most short sentences. No text is detected whose language is given.
Chinese is ``zh`` in every script.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from amrx.composed_text import compose
from amrx.errors import OptionError
from amrx.texts import as_texts
from amrx.types import Sentence

if TYPE_CHECKING:
    from lingua import LanguageDetector

CODES = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv "
    "dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie "
    "ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv "
    "mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm "
    "rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts "
    "tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split()
)
"""Every two-letter code of ISO 639-1."""

DETECTED = tuple("ar de en es fr it ja ko nl pl pt ru th tr zh".split())
"""Candidates of `detect`: the languages of multilingual USE."""

SURE = 0.99
"""Least lead of the best language in probability for an answer of the small models.

It is the highest that lingua takes.
"""

FALLBACK = "en"
"""Language of a text without letters."""


def check(code: str) -> str:
    """Return ``code`` if it is an ISO 639-1 code.

    Example:
        >>> check("de")
        'de'
        >>> check("DE")
        Traceback (most recent call last):
        amrx.errors.OptionError: language code 'DE' is not in ISO 639-1; did you mean 'de'?
    """
    if not isinstance(code, str):
        raise OptionError(f"language code must be a str, got {code!r}")
    if code in CODES:
        return code
    head = code.strip().lower().replace("_", "-").partition("-")[0]
    near = [head] if head in CODES else difflib.get_close_matches(head[:2], sorted(CODES), n=1, cutoff=0.9)
    hint = f"; did you mean {near[0]!r}?" if near else " (two small letters, as in 'de')"
    raise OptionError(f"language code {code!r} is not in ISO 639-1{hint}")


def codes_of(lang: str | Sequence[str], count: int) -> list[str]:
    """Return one code per sentence."""
    codes = [lang] * count if isinstance(lang, str) else list(lang)
    if len(codes) != count:
        raise OptionError(f"{len(codes)} language codes for {count} sentences")
    return codes


@functools.cache
def _detector(*, small: bool) -> LanguageDetector:
    """Build a detector of lingua once per process; its models load at the first use."""
    from lingua import IsoCode639_1, Language, LanguageDetectorBuilder

    chosen = [Language.from_iso_code_639_1(getattr(IsoCode639_1, code.upper())) for code in DETECTED]
    builder = LanguageDetectorBuilder.from_languages(*chosen)
    if small:
        builder = builder.with_low_accuracy_mode().with_minimum_relative_distance(SURE)
    return builder.build()


def detect(texts: str | Iterable[str]) -> list[str]:
    """Return one ISO 639-1 code per text, in order; ``en`` for a text without letters.

    Example:
        >>> detect(["Der Junge möchte gehen.", "那个男孩想去。", ""])
        ['de', 'zh', 'en']
    """
    texts = as_texts(texts)
    distinct = list(dict.fromkeys(texts))
    if not any(distinct):
        return [FALLBACK] * len(texts)
    codes = dict.fromkeys(distinct, FALLBACK)
    for small in (True, False):
        composed = [compose(text).text for text in distinct]
        answers = _detector(small=small).detect_languages_in_parallel_of(composed)
        answered = {text: name for text, name in zip(distinct, answers, strict=True) if name is not None}
        codes |= {text: name.iso_code_639_1.name.lower() for text, name in answered.items()}
        distinct = [text for text in distinct if text not in answered]
    return [codes[text] for text in texts]


def detection_note(unknown: int, count: int) -> str:
    """Return a line that says how many languages of ``count`` texts are detected; empty if all are known.

    Example:
        >>> detection_note(0, 9), detection_note(2, 9)[:42]
        ('', 'the language of 2 of 9 texts is detected, ')
    """
    if not unknown:
        return ""
    known = f"the language of {unknown} of {count} texts is detected, as one of {' '.join(DETECTED)}"
    return f"{known}; give --lang for others\n"


def fill_languages(sentences: Sequence[Sentence]) -> list[str]:
    """Return the language of each sentence, detected if it is missing."""
    unknown = [sentence.text for sentence in sentences if sentence.lang is None]
    detected = iter(detect(unknown))
    return [next(detected) if sentence.lang is None else sentence.lang for sentence in sentences]
