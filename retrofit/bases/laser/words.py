"""Sentences as words, the way LASER1 was taught to read them.

::

    "Der Junge,  (sagt er) …"  ──printable, plain punctuation──>  "Der Junge, (sagt er)..."
        ──Moses──>  Der Junge , ( sagt er ) ...     ──lower case──>  der junge , ( sagt er ) ...

Between Moses and the lower case, jieba finds the words of Chinese, MeCab with the IPA dictionary those of
Japanese, and Greek gets Latin letters. The packages for these are loaded at the first such sentence.

Source: Artetxe and Schwenk 2019, Massively Multilingual Sentence Embeddings, section 3;
https://github.com/facebookresearch/LASER, ``source/lib/text_processing.py``.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import warnings
from collections.abc import Callable

from amrx.records.store import user_cache
from retrofit.bases.laser.extra import missing_part
from retrofit.bases.laser.moses import Moses
from retrofit.bases.laser.text import plain_punctuation, printable

Step = Callable[[str], str]


class Words:
    """Sentences of any language to words, a blank between two.

    Raises:
        MissingResourceError: sacremoses is not installed.
    """

    def __init__(self) -> None:
        self._moses = {"en": Moses("en")}  # so that a missing package is told before anything is read
        self._steps: dict[str, Step] = {}

    def cut(self, sentence: str, lang: str) -> str:
        """Return the words of a sentence.

        Raises:
            MissingResourceError: The language needs a package that is not installed.
        """
        if lang not in self._moses:
            self._moses[lang] = Moses(lang)
        text = self._moses[lang].cut(plain_punctuation(printable(sentence), lang))
        if lang in STEPS and lang not in self._steps:
            self._steps[lang] = STEPS[lang]()
        return self._steps.get(lang, str)(text).lower()


def _chinese() -> Step:
    """Return jieba's cut, its list of words kept in the user's cache folder instead of a shared one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its own syntax, and of setuptools
            import jieba
    except ModuleNotFoundError as error:
        raise missing_part(error, "finds the words of Chinese") from None
    jieba.setLogLevel(logging.CRITICAL)  # it tells of its list
    jieba_cut = jieba.Tokenizer()
    folder = user_cache("jieba")
    with contextlib.suppress(OSError):  # where nothing can be kept, the list is read anew
        folder.mkdir(parents=True, exist_ok=True)
    jieba_cut.tmp_dir = str(folder)
    return lambda text: " ".join(jieba_cut.cut(text))


def _japanese() -> Step:
    """Return MeCab's cut."""
    try:
        import ipadic
        import MeCab
    except ModuleNotFoundError as error:
        raise missing_part(error, "finds the words of Japanese") from None
    cut: Step = MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati").parse
    return cut


def _greek() -> Step:
    """Return the change to Latin letters."""
    try:
        from transliterate import translit
    except ModuleNotFoundError as error:
        raise missing_part(error, "writes Greek in Latin letters") from None
    return functools.partial(translit, language_code="el", reversed=True)


STEPS: dict[str, Callable[[], Step]] = {"zh": _chinese, "ja": _japanese, "el": _greek}
"""What is done between Moses and the lower case, by language."""
