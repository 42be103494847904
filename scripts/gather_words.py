#!/usr/bin/env python
"""Write the English translations of the most frequent words of 19 languages, ambiguous words included.

    PYTHONPATH=PACKAGES python scripts/gather_words.py PACKAGES OUTPUT [LANG ...]

PACKAGES is as for ``scripts/gather_nouns.py``; OUTPUT is ``parser/mini/rules/data/words``. A line of
``OUTPUT/LANG.tsv.xz`` is a form and its translations, the largest share first::

    haushalt<TAB>household:.44<TAB>budget:.29

The forms are the `MOST` most frequent ones of wordfreq (letters only) without the first `FREQUENT`. A form is
looked up itself and by its lemmas (`heads`), as a noun, verb, adjective and adverb; all scores of
`wikdict.Translation` are added. Translations that are no single English content words are left out, and those
that neither two languages support nor a dictionary of English has; a share is a score divided by the sum of
the scores of the others. Those of at least `LEAST` are written, at most `AT_MOST`. A form is left out if its
translations that are single content words have less than `SINGLE` of the score of all: most of its
translations are phrases (*precious metal*) or names; and if function words have more than any of them.
In `FEW` languages, with few dictionaries, rare English words count less.

Chinese and Japanese have dictionaries of English besides (`asian_dictionaries`; PACKAGES has the wheel,
unzipped, and ``jamdict.db``, too). Their forms are the `MOST_ASIAN` most frequent ones, JMdict's common words
and the conjugated forms of the Japanese ones, up to `LONGEST` letters.

English words have their base forms by lemminflect, each with the share 1.

The dictionaries of `SPOILT` languages are not read: they translate each word of a definition.
"""

from __future__ import annotations

import csv
import gzip
import lzma
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgpack  # type: ignore[import-untyped]
import simplemma
from asian_dictionaries import Dictionary, cedict, jmdict
from function_words import FUNCTION_WORDS
from gather_nouns import frequent_words
from wikdict import Translation, american, translate

from amrx.records import atomic_path
from parser.mini.rules.nouns import is_inflected
from parser.mini.translations import LONGEST

LANGS = "de es fr it pl ru tr pt nl zh sv fi nb el bg ca id ja".split()
MOST, MOST_ENGLISH, FREQUENT = 40_000, 60_000, 150
LEAST, AT_MOST, SINGLE = 0.12, 4, 0.4
KINDS = {"n": "noun", "v": "verb", "adj": "adj", "adv": "adv"}
"""Parts of speech in WikDict and in lemminflect's table."""
UNSPACED = frozenset({"ja", "zh"})
FEW = frozenset({"zh"})
COMMON = 1000
"""Rank from which an English word counts less in these: 1 / (1 + log(rank / COMMON))."""
SPOILT = frozenset({"zho"})
UNKNOWN_RANK = 10**9
OTHERS, FUNCTION = "", " "
"""They stand for all translations that are no single words, and for function words."""
SPELLINGS = {
    "aeroplane": "airplane", "aluminium": "aluminum", "anaemia": "anemia", "armour": "armor",
    "artefact": "artifact", "cheque": "check", "cosy": "cozy", "diarrhoea": "diarrhea",
    "draught": "draft", "encyclopaedia": "encyclopedia", "enrol": "enroll", "foetus": "fetus",
    "fulfil": "fulfill", "haemorrhage": "hemorrhage", "instalment": "installment", "instil": "instill",
    "jewellery": "jewelry", "judgement": "judgment", "kerb": "curb", "manoeuvre": "maneuver",
    "marvellous": "marvelous", "mediaeval": "medieval", "mould": "mold", "moustache": "mustache",
    "oestrogen": "estrogen", "orthopaedic": "orthopedic", "paediatrician": "pediatrician",
    "plough": "plow", "programme": "program", "pyjamas": "pajamas", "sceptical": "skeptical",
    "skilful": "skillful", "smoulder": "smolder", "sulphur": "sulfur", "traveller": "traveler",
    "tyre": "tire", "whilst": "while", "woollen": "woolen", "yoghurt": "yogurt",
    "counsellor": "counselor", "practise": "practice", "sceptic": "skeptic", "grey": "gray",
    "ageing": "aging", "storey": "story",
}  # fmt: skip
"""American spellings that `american` does not know."""
MOST_ASIAN = 100_000
"""Number of the most frequent Chinese or Japanese forms that are translated."""
LETTER = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
"""Kana and Chinese characters."""
NUMERAL = re.compile("[一二三四五六七八九十百千万亿億两第]+")
HIRAGANA = re.compile("[ぁ-ゖー]+")
RARE = 30_000
"""Rank from which an English word is not taken for the base of another one."""
NOMINAL = (
    ("ization", "ize"), ("ication", "y"), ("anation", "ain"), ("ation", "ate"), ("ation", "e"), ("ation", ""),
    ("ition", "ish"), ("ition", "e"), ("ption", "be"), ("uction", "uce"), ("ction", "ct"), ("tion", "t"),
    ("tion", "te"), ("sion", "d"), ("sion", "de"), ("sion", "s"), ("sion", "se"), ("ssion", "t"),
    ("ment", ""), ("ance", ""), ("ance", "e"), ("ence", ""), ("ence", "e"), ("al", ""), ("al", "e"),
    ("ery", "er"), ("ysis", "yze"), ("ure", ""), ("ure", "e"), ("wth", "w"),
)  # fmt: skip
ADVERBIAL = (("ily", "y"), ("ically", "ic"), ("ly", ""), ("ly", "le"))
"""Endings of nouns and adverbs, and those of the verbs and adjectives of which they are made."""


class English(NamedTuple):
    """Hold the base forms, ranks and American spellings of English words."""

    bases: Mapping[tuple[str, str], list[str]]  # base forms of each form and part of speech
    ranks: Mapping[str, int]  # rank by frequency
    known: frozenset[str]  # words without British spellings

    @classmethod
    def load(cls, folder: Path) -> English:
        """Read lemminflect's table and wordfreq's list."""
        bases: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        with gzip.open(folder / "lemminflect/resources/lemma_lu.csv.gz", "rt", encoding="utf-8") as file:
            for form, kind, words in csv.reader(file):
                bases[form, kind] += words.split("/")
        ranks = {word: rank for rank, word in enumerate(frequent_words(folder, "en"))}
        words = {word for key, some in bases.items() for word in (key[0], *some)}
        words |= {word for word in list(ranks)[:150_000] if word.isalpha()}
        words -= FUNCTION_WORDS

        def is_british(word: str) -> bool:
            other = american(word, _Without(words, word))
            # the list has more British than American texts
            factor = 1 if word.endswith(("ey", "lle")) else 10 if word.endswith("tre") else 3
            return other != word and ranks.get(other, UNKNOWN_RANK) < factor * ranks.get(word, UNKNOWN_RANK)

        return cls(bases, ranks, frozenset(word for word in words if not is_british(word)))

    def lemma(self, word: str, kind: str) -> str:
        """Return the base form of a translation, `FUNCTION` for a function word, `OTHERS` for other text."""
        word = word.removeprefix("to ") if kind == "v" else word
        if not re.fullmatch(r"[a-z]+(-[a-z]+)*", word) or len(word) < 2:
            return OTHERS
        if any(part not in self.ranks for part in word.split("-")):
            return OTHERS  # no English word
        base = word
        if known := self.bases.get((word, KINDS[kind])):
            base = word if word in known else known[0]
        elif not any((word, other) in self.bases for other in KINDS.values()) and kind in "nv":
            base = simplemma.lemmatize(word, lang="en").lower()
        base = SPELLINGS.get(base, base)
        base = american(base, self.known)
        return FUNCTION if {word, base} & FUNCTION_WORDS else base if base.isascii() else OTHERS

    def verb(self, noun: str) -> str | None:
        """Return the verb of which a noun is made, if it is in the table: *explain* for *explanation*."""
        if gerund := self.bases.get((noun, "verb")):
            return gerund[0]
        stems = (noun.removesuffix(old) + new for old, new in NOMINAL if noun.endswith(old))
        return next((verb for verb in stems if self._is_base(verb, "verb")), None)

    def adjective(self, word: str) -> str:
        """Return the adjective of which an adverb is made, or the word: *quick* for *quickly*."""
        if (word, "adj") in self.bases:
            return word
        stems = (word.removesuffix(old) + new for old, new in ADVERBIAL if word.endswith(old))
        return next((stem for stem in stems if self._is_base(stem, "adj")), word)

    def _is_base(self, word: str, kind: str) -> bool:
        known = self.ranks.get(word, UNKNOWN_RANK) < RARE
        return known and word not in FUNCTION_WORDS and word in self.bases.get((word, kind), ())


class _Without:
    """A container of words without one of them."""

    def __init__(self, words: set[str], without: str) -> None:
        self.words, self.without = words, without

    def __contains__(self, word: object) -> bool:
        return word != self.without and word in self.words


def forms(folder: Path, lang: str) -> list[str]:
    """Return the forms to translate."""
    fewest = 1 if lang in UNSPACED else 2
    words = [word for word in frequent_words(folder, lang) if word.isalpha() and len(word) >= fewest]
    if dictionary := asian(folder, lang):
        some = [*words[FREQUENT:MOST_ASIAN], *sorted(dictionary.common), *conjugated(dictionary, words)]
        return [form for form in dict.fromkeys(some) if len(form) <= LONGEST and is_word(form)]
    return words[FREQUENT:MOST]


def is_word(form: str) -> bool:
    """Return whether a form has letters of Chinese or Japanese and is no number."""
    return LETTER.search(form) is not None and not NUMERAL.fullmatch(form)


def conjugated(dictionary: Dictionary, words: Sequence[str]) -> Iterator[str]:
    """Yield the conjugated forms of frequent or common words; in hiragana, only long forms of rarer words."""
    listed, usual = {*words[:MOST_ASIAN]} | dictionary.common, {*words[:FREQUENT]}
    for form, infinitives in sorted(dictionary.forms.items()):
        if form in listed or not listed.isdisjoint(infinitives):
            is_safe = len(form) > 2 and usual.isdisjoint(infinitives)
            if is_safe or not HIRAGANA.fullmatch(form):
                yield form


def clean(
    given: Mapping[str, Translation], kind: str, lang: str, english: English
) -> Iterator[tuple[str, Translation]]:
    """Yield the lemmas of translations that are content words, `FUNCTION` and `OTHERS`, with their sums."""
    sums: dict[str, Translation] = {}
    for name, one in given.items():
        word = english.lemma(name, kind)
        if lang in FEW and word in english.ranks:
            rank = max(1.0, english.ranks[word] / COMMON)
            one = one._replace(score=one.score / (1 + math.log(rank)))
        sums[word] = joined(sums.get(word), one)
    yield from sums.items()


def joined(old: Translation | None, new: Translation) -> Translation:
    """Add two scores; the support is the larger one, for both may be of the same languages."""
    if old is None:
        return new
    return Translation(old.score + new.score, max(old.support, new.support), old.direct or new.direct)


Entries = Mapping[str, Mapping[str, Mapping[str, Translation]]]
"""Translations by part of speech and word."""


def entries(folder: Path, lang: str, english: English) -> Entries:
    """Return the translations of the words of a language."""
    simplified = chinese_mapping(folder) if lang == "zh" else {}
    tables: dict[str, dict[str, dict[str, Translation]]] = {}
    for kind in KINDS:
        table: defaultdict[str, dict[str, Translation]] = defaultdict(dict)
        for word, given in translate(folder, lang, kind, SPOILT).items():
            own = table[word.replace(" ", "").translate(simplified) if lang in UNSPACED else word]
            for name, one in clean(given, kind, lang, english):
                own[name] = joined(own.get(name), one)
        tables[kind] = table
    if dictionary := asian(folder, lang):
        add_dictionary(tables, dictionary, lang, english)
    return {
        kind: {word: own for word, own in table.items() if own.keys() - {OTHERS, FUNCTION}}
        for kind, table in tables.items()
    }


@cache
def asian(folder: Path, lang: str) -> Dictionary | None:
    """Return the dictionary of Chinese or Japanese."""
    return cedict(folder) if lang == "zh" else jmdict(folder) if lang == "ja" else None


def add_dictionary(
    tables: Mapping[str, dict[str, dict[str, Translation]]],
    dictionary: Dictionary,
    lang: str,
    english: English,
) -> None:
    """Add the translations of a dictionary.

    AMR writes adverbs as adjectives. Of a word that is a noun and a verb, half of the score of a noun
    (*explanation*) is given to the verb of which that is made (*explain*).
    """

    def add(kind: str, word: str, name: str, one: Translation) -> None:
        own = tables[kind].setdefault(word, {})
        own[name] = joined(own.get(name), one)

    for kind, table in dictionary.translations.items():
        for word, given in table.items():
            for name, one in clean(given, kind, lang, english):
                verb = english.verb(name) if kind == "n" and word in dictionary.actions else None
                if verb and verb != name:
                    half = one._replace(score=one.score / 2)
                    add("v", word, verb, half)
                    add(kind, word, name, half)
                else:
                    add(kind, word, english.adjective(name), one)


def chinese_mapping(folder: Path) -> Mapping[int, str]:
    """Return wordfreq's table of traditional to simplified characters."""
    with gzip.open(folder / "wordfreq" / "data" / "_chinese_mapping.msgpack.gz") as file:
        return msgpack.load(file, raw=False, strict_map_key=False)


def heads(
    folder: Path, form: str, lang: str, tables: Entries, ranks: Mapping[str, int]
) -> dict[str, set[str]]:
    """Return the dictionary words of a form, each with the parts of speech that it may have."""
    words: defaultdict[str, set[str]] = defaultdict(set)
    words[form].update(KINDS)
    if lang == "tr":
        for word, kind in turkish(form, tables, ranks):
            words[word].add(kind)
        return words
    if dictionary := asian(folder, lang):
        for word, kind in dictionary.forms.get(form, {}).items():
            words[word].add(kind)
    for spelling in (form, form.capitalize()) if lang == "de" else (form,):
        for word in lemma(spelling, lang):
            words[word].update(KINDS)
            if word in tables["v"] and not may_be_noun(form, word, lang):
                words[word].discard("n")
    return words


def may_be_noun(form: str, verb: str, lang: str) -> bool:
    """Return whether a form may be that of a noun written as an infinitive: *pouvoirs*, not *peut*."""
    if lang in {"de", "nl", "fr", "es", "pt", "ca"}:
        return form.startswith(verb)
    if lang == "it":
        return form.startswith(verb[:-1])
    if lang == "ru":
        return form == verb or form in {verb[:-1] + end for end in ("и", "ью", "ей", "ям", "ями", "ях")}
    return True


@cache
def lemma(form: str, lang: str) -> tuple[str, ...]:
    """Return the lemma of a form by simplemma, if it knows the language."""
    try:
        return (simplemma.lemmatize(form, lang=lang).lower(),)
    except ValueError:
        return ()


VOWELS = "aeıioöuü"
_VERB_ENDING = re.compile(
    # negation, ability, passive are left out but for negation: they are other verbs in dictionaries
    r"(?:m[aeıiuü])?(?:y?[ae]bil)?(?:"
    r"[dt][ıiuü](?:m|n|k|n[ıi]z|n[uü]z|l[ae]r)?"  # past
    r"|m[ıiuü][şs](?:[ıiuü]m|s[ıiuü]n|[ıiuü]z|l[ae]r|t[ıiuü](?:m|n|k|l[ae]r)?|t[ıiuü]r)?"  # reported
    r"|[ıiuü]?yor(?:um|sun|uz|sunuz|lar|du(?:m|n|k|lar)?|mu[şs])?"  # present
    r"|y?[ae]ca(?:k|ğ)(?:[ıi]m|s[ıi]n|[ıi]z|l[ae]r|t[ıi]r?|[ıi]|[ıi]n[ıi]|[ıi]n[ae]|[ıi]nd[ae])?"
    r"|y?[ae]ce(?:k|ğ)(?:im|sin|iz|ler|tir?|i|ini|ine|inde)?"  # future
    r"|[ıiuüae]?r(?:[ıiuü]m|s[ıiuü]n|[ıiuü]z|l[ae]r|s[ae]|k[ae]n|d[ıiuü](?:m|k)?)?|z(?:l[ae]r)?"  # aorist
    r"|s[ae](?:m|n|k|n[ıi]z|l[ae]r)?|s[ıiuü]n(?:l[ae]r)?"  # conditional, imperative
    r"|m[ae](?:k|l[ae]r|kt[ae](?:d[ıi]r)?|y[ae]|y[ıi]|s[ıi]|s[ıi]n[ıiae]|n[ıi]n|d[ae]n|m|n|kt[ae]n|l[ıi](?:y[ıi]m|s[ıi]n|y[ıi]z|d[ıi]r)?)?"
    r"|y?[ae]n(?:l[ae]r(?:[ıi]n?)?|[ıiuü]|[ae]|d[ae]n|[ıi]n)?"  # participle
    r"|[dt][ıiuü]ğ[ıiuü](?:m|n|m[ıiuü]z|n[ıiuü]|n[ae]|nd[ae]n?|n[ıi]z)?|[dt][ıiuü]kl[ae]r[ıi](?:n[ıiae]|nd[ae])?"
    r"|[dt][ıiuü]k(?:t[ae]n|ç[ae])"
    r"|y?[ıiuü]p|y?[ae]r[ae]k|y?[ıiuü]nc[ae]|m[ae]d[ae]n|y?[ae]l[ıi]m?|y?[ae]y[ıi]m|[ıiuü]n(?:[ıiuü]z)?"
    r")"
)


def turkish(form: str, tables: Entries, ranks: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield the dictionary words of a Turkish form and the part of speech of each.

    These are the nouns and adjectives of which it is a form, without those much rarer than another one
    (*kokus* for *kokusuna*), and the verbs with the longest stem.
    """
    stems = [form[:length] for length in range(2, len(form))]
    stems += [stem[:-1] + _HARD[stem[-1]] for stem in stems if stem[-1] in _HARD]
    for kind in () if form in tables["n"] or form in tables["adj"] else ("n", "adj"):
        known = [word for word in stems if word in tables[kind] and is_inflected(form, word, "tr")]
        best = min((ranks.get(word, UNKNOWN_RANK) for word in known), default=0)
        yield from ((word, kind) for word in known if ranks.get(word, UNKNOWN_RANK) <= 2 * best + 200)
    if form.startswith("var") and re.fullmatch("sa|d[ıi]|d[ıi]r|m[ıi]ş|ken", form[3:]):
        return  # "there is"
    for length in range(len(form), 1, -1):
        stem, rest = form[:length], form[length:]
        if rest and not _VERB_ENDING.fullmatch(rest):
            continue
        verbs = [stem, stem[:-1] + "t"] if stem[-1] == "d" else [stem]  # gid-er
        if re.match("[ıiuü]?yor", rest):
            verbs += [stem + "a", stem + "e"]  # başl-ıyor
        known = [verb + end for verb in verbs for end in ("mak", "mek") if verb + end in tables["v"]]
        if known:
            yield from ((word, "v") for word in known)
            break


_HARD = {"b": "p", "c": "ç", "d": "t", "ğ": "k", "g": "k"}


def shares(pairs: Iterable[tuple[str, Translation]]) -> list[tuple[str, float]]:
    """Return the translations to write and their shares, the largest first."""
    scores: dict[str, Translation] = {}
    for word, one in pairs:
        scores[word] = joined(scores.get(word), one)
    if not scores.keys() - {OTHERS, FUNCTION}:
        return []
    others = scores.pop(OTHERS).score if OTHERS in scores else 0.0
    function = scores.pop(FUNCTION).score if FUNCTION in scores else 0.0
    single = sum(one.score for one in scores.values())
    if single < SINGLE * (single + others) or function > max(one.score for one in scores.values()):
        return []
    sure = {word: one.score for word, one in scores.items() if one.support >= 2 or one.direct}
    total = sum(sure.values())
    kept = [(word, round(score / total, 2)) for word, score in sure.items() if score >= LEAST * total]
    return sorted(kept, key=lambda pair: (-pair[1], pair[0]))[:AT_MOST]


def write(folder: Path, output: Path, lang: str, english: English) -> None:
    """Write the file of a language; print the number of forms by the number of their translations."""
    rows = base_forms(folder) if lang == "en" else translated(folder, lang, english)
    lines = [
        "\t".join([form, *(f"{word}:{share:.2f}" for word, share in pairs)]).replace(":1.00", ":1")
        for form, pairs in rows
    ]
    text = "".join(f"{line}\n" for line in lines).replace(":0.", ":.")
    with atomic_path(output / f"{lang}.tsv.xz") as path:
        path.write_bytes(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))
    counts = Counter(line.count("\t") for line in lines)
    print(f"{lang}: {len(lines)} forms; translations: {sorted(counts.items())}", flush=True)


def base_forms(folder: Path) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    """Yield the `MOST_ENGLISH` most frequent English words and their base forms."""
    from lemminflect import getAllLemmas

    for form in frequent_words(folder, "en")[FREQUENT:MOST_ENGLISH]:
        if not re.fullmatch("[a-z]{2,}", form) or form in FUNCTION_WORDS:
            continue
        words = [word.lower() for some in getAllLemmas(form).values() for word in some]
        bases = [word for word in [*dict.fromkeys(words)][:AT_MOST] if word not in FUNCTION_WORDS]
        if bases:
            yield form, [(word, 1.0) for word in bases]


def translated(folder: Path, lang: str, english: English) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    """Yield the forms of a language and their translations."""
    tables = entries(folder, lang, english)
    ranks = {word: rank for rank, word in enumerate(frequent_words(folder, lang))}
    for form in forms(folder, lang):
        pairs = (
            pair
            for word, kinds in heads(folder, form, lang, tables, ranks).items()
            for kind in sorted(kinds)
            for pair in tables[kind].get(word, {}).items()
        )
        if kept := shares(pairs):
            yield form, kept


def main(packages: str, output: str, *langs: str) -> None:
    """Write the files of all languages, or of the given ones."""
    english = English.load(Path(packages))
    for lang in langs or ("en", *LANGS):
        write(Path(packages), Path(output), lang, english)


if __name__ == "__main__":
    main(*sys.argv[1:])
