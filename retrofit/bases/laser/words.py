"""Split sentences into the words and subwords of LASER1.

::

    "Der Junge,  (sagt er) …"  ──printable, plain punctuation──>  "Der Junge, (sagt er)..."
        ──Moses──>  Der Junge , ( sagt er ) ...     ──lower case──>  der junge , ( sagt er ) ...

Between Moses and the lower case, jieba finds the words of Chinese, MeCab with the IPA dictionary those of
Japanese, and Greek gets Latin letters. The packages for these are loaded at the first such sentence.

Source: Artetxe and Schwenk 2019, Massively Multilingual Sentence Embeddings, section 3;
https://github.com/facebookresearch/LASER, ``source/lib/text_processing.py``.

Words are those of Moses' tokenizer (release 4.0), as in LASER1's training.

::

    Er sagte: "z. B. 1,5 Mio. ... l'an"    ->    Er sagte : " z. B. 1,5 Mio . ... l ' an "

The lists of abbreviations are those of sacremoses. Its tokenizer is not used: release 0.2 leaves Hindi's
virama in its word, splits Finnish and Swedish words at a colon and separates Irish apostrophes. Moses 4.0, on
whose words LASER1's subwords were trained, does none of the three.

Source: Koehn et al. 2007, Moses: Open Source Toolkit for Statistical Machine Translation;
``scripts/tokenizer/tokenizer.perl``.

Subwords are computed by byte-pair encoding, from the files of fastBPE.

::

    boys ──letters──> b o y s</w> ──merges──> b oys</w> ──vocabulary──> b o ys</w> ──written──> b@@ o@@ ys

``93langs.fcodes`` has one merge per line, in the order learnt, and ``93langs.fvocab`` one written
piece per line::

    o y 5120                    boys 812
    oy s</w> 977                b@@ 40113

subword-nmt applies them as fastBPE does: its version 0.2 has the end of the word at the last letter.

Source: Sennrich, Haddow and Birch 2016, Neural Machine Translation of Rare Words with Subword Units;
https://github.com/glample/fastBPE.
"""

import contextlib
import functools
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path

import regex

from amrx.errors import InputError
from amrx.records.files import read_lines
from amrx.records.store import user_cache
from retrofit.bases.laser.files import missing_part
from retrofit.bases.laser.text import plain_punctuation, printable

LISTED = frozenset("ca cs de el en es fi fr ga hu is it lt lv nl pl pt ro ru sk sl sv ta zh".split())
"""Languages whose abbreviations LASER's installer downloads; others use the English ones."""

BEFORE_NUMBERS = "#NUMERIC_ONLY#"

# other characters than letters, digits and spaces are words; dots, apostrophes and commas have own rules
_SIGN = regex.compile(r"[^\p{Alnum}\s.'`,\-]")
_SIGN_BUT_COLON = regex.compile(r"[^\p{Alnum}\s.:'`,\-]|:(?!\p{Ll})")  # Finnish and Swedish: USA:n, S:t
_DOTS = regex.compile(r"\.{2,}")
_COMMAS = (
    (regex.compile(r"(\P{N}),"), r"\1 , "),
    (regex.compile(r",(\P{N})"), r" , \1"),
    (regex.compile(r"(\p{N}),$"), r"\1 ,"),
)
_OUTSIDE = (regex.compile(r"(\P{Alpha})'(\P{Alpha})"), r"\1 ' \2")
_CLOSING = (regex.compile(r"(\p{Alpha})'(\P{Alpha})"), r"\1 ' \2")
_RIGHT = (
    _OUTSIDE,
    (regex.compile(r"([^\p{Alpha}\p{N}])'(\p{Alpha})"), r"\1 ' \2"),
    _CLOSING,
    (regex.compile(r"(\p{Alpha})'(\p{Alpha})"), r"\1 '\2"),
    (regex.compile(r"(\p{N})'s"), r"\1 's"),
)
_LEFT = (
    _OUTSIDE,
    (regex.compile(r"(\P{Alpha})'(\p{Alpha})"), r"\1 ' \2"),
    _CLOSING,
    (regex.compile(r"(\p{Alpha})'(\p{Alpha})"), r"\1' \2"),
)
_ALONE = ((regex.compile("'"), " ' "),)
_APOSTROPHES = {"en": _RIGHT, "fr": _LEFT, "it": _LEFT, "ga": _LEFT}
"""Side to which an apostrophe belongs: the letters after it (``boy 's``), before it (``l' an``), neither."""

_LETTER, _SMALL, _DIGIT = regex.compile(r"\p{Alpha}"), regex.compile(r"\p{Lower}"), regex.compile("[0-9]")
_LAST_QUOTE = regex.compile(r" ?\.'$")


class Moses:
    """Split text of one language into words."""

    def __init__(self, lang: str) -> None:
        listed = _abbreviations(lang if lang in LISTED else "en")
        self._abbreviations = frozenset(entry for entry in listed if BEFORE_NUMBERS not in entry)
        numeric = (entry for entry in listed if BEFORE_NUMBERS in entry)
        self._before_numbers = frozenset(entry.removesuffix(BEFORE_NUMBERS).rstrip() for entry in numeric)
        self._signs = _SIGN_BUT_COLON if lang in ("fi", "sv") else _SIGN
        self._apostrophes = _APOSTROPHES.get(lang, _ALONE)

    def cut(self, text: str) -> str:
        """Return the words, separated by spaces."""
        text = self._signs.sub(r" \g<0> ", " ".join(text.split()))
        text = _DOTS.sub(r" \g<0> ", text)
        for pattern, written in (*_COMMAS, *self._apostrophes):
            text = pattern.sub(written, text)
        words = text.split()
        parted = " ".join(
            word if self._keeps_its_dot(words, position) else f"{word[:-1]} ."
            for position, word in enumerate(words)
        )
        ended: str = _LAST_QUOTE.sub(" . '", parted).strip()
        return ended

    def _keeps_its_dot(self, words: Sequence[str], position: int) -> bool:
        """Return whether a word has no final dot, or keeps it: ``z.``, ``Dr.``, ``usw. aber``."""
        word, follows = words[position], words[position + 1] if position + 1 < len(words) else ""
        before = word.removesuffix(".")
        if before in (word, "") or not before.strip("."):  # words of only dots stay unchanged
            return True
        return bool(
            ("." in before and _LETTER.search(before))
            or before in self._abbreviations
            or _SMALL.match(follows)
            or (before in self._before_numbers and _DIGIT.match(follows))
        )


def _abbreviations(lang: str) -> list[str]:
    """Return the entries of a language's list."""
    try:
        from sacremoses.corpus import NonbreakingPrefixes
    except ModuleNotFoundError as error:
        raise missing_part(error, "splits words for LASER1") from None
    return list(NonbreakingPrefixes().words(lang))


Step = Callable[[str], str]


class Words:
    """Split sentences of any language into words, separated by spaces."""

    def __init__(self) -> None:
        self._moses = {"en": Moses("en")}  # so that a missing package is reported first
        self._steps: dict[str, Step] = {}

    def cut(self, sentence: str, lang: str) -> str:
        """Return the words of a sentence."""
        if lang not in self._moses:
            self._moses[lang] = Moses(lang)
        text = self._moses[lang].cut(plain_punctuation(printable(sentence), lang))
        if lang in STEPS and lang not in self._steps:
            self._steps[lang] = STEPS[lang]()
        return self._steps.get(lang, str)(text).lower()


def _chinese() -> Step:
    """Return the words found by jieba, whose word list is cached in the user's folder, not a shared one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings on its syntax and on setuptools
            import jieba
    except ModuleNotFoundError as error:
        raise missing_part(error, "finds the words of Chinese") from None
    jieba.setLogLevel(logging.CRITICAL)  # it logs the loading of its list
    jieba_cut = jieba.Tokenizer()
    folder = user_cache("jieba")
    with contextlib.suppress(OSError):  # if the cache cannot be written, the list is read again
        folder.mkdir(parents=True, exist_ok=True)
    jieba_cut.tmp_dir = str(folder)
    return lambda text: " ".join(jieba_cut.cut(text))


def _japanese() -> Step:
    """Return the words found by MeCab."""
    try:
        import ipadic
        import MeCab
    except ModuleNotFoundError as error:
        raise missing_part(error, "finds the words of Japanese") from None
    cut: Step = MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati").parse
    return cut


def _greek() -> Step:
    """Return the function that transliterates to Latin letters."""
    try:
        from transliterate import translit
    except ModuleNotFoundError as error:
        raise missing_part(error, "writes Greek in Latin letters") from None
    return functools.partial(translit, language_code="el", reversed=True)


STEPS: dict[str, Callable[[], Step]] = {"zh": _chinese, "ja": _japanese, "el": _greek}
"""Steps between Moses and the lower case, by language."""


REMEMBERED = 1 << 17
"""Number of words whose pieces are cached; a few frequent words cover most of a text."""

Cut = Callable[[Sequence[str]], list[str]]
"""Function from words to the pieces of all of them, in the form of the files."""


def read_bpe(codes: Path, vocabulary: Path) -> Cut:
    """Read the merges and the vocabulary written by fastBPE."""
    try:
        from subword_nmt.apply_bpe import BPE
    except ModuleNotFoundError as error:
        raise missing_part(error, "splits words into subwords for LASER1") from None
    lines: dict[str, int] = {}
    for number, fields in _rows(
        codes, "not a merge (left piece, right piece and count, separated by spaces)", 3
    ):
        merge = f"{fields[0]} {fields[1]}\n"
        if merge in lines:
            raise InputError(f"repeats the merge of line {lines[merge]}", file=codes, line=number)
        lines[merge] = number
    pieces = {
        fields[0] for _, fields in _rows(vocabulary, "not a piece and its count, separated by a space", 2)
    }
    bpe = BPE(StringIO("#version: 0.2\n" + "".join(lines)), vocab=pieces)

    def cut(words: Sequence[str]) -> list[str]:
        if len(bpe.cache) > REMEMBERED:
            bpe.cache.clear()
        written: list[str] = bpe.segment_tokens(words)
        return written

    return cut


def _rows(file: Path, otherwise: str, count: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the fields of each line.

    Only a space separates fields: a piece may contain any other character.
    """
    for number, line in enumerate(read_lines(file), start=1):
        fields = [field for field in line.rstrip("\r\n").split(" ") if field]
        if len(fields) != count or not fields[-1].isdecimal():
            raise InputError(f"{line.strip()[:60]!r} is {otherwise}", file=file, line=number)
        yield number, fields
