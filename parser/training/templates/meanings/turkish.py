"""Turkish: of each verb the stem and the passive's stem, and ``dat`` for a dative object.

Suffixes follow vowel harmony: by the last vowel of what stands before, ``A`` is a or e, ``I`` is ı, i, u
or ü.
"""

from __future__ import annotations

from parser.training.templates.meanings.meaning import (
    Both,
    Clause,
    Comparison,
    Control,
    Meaning,
    Opinion,
    Reason,
    Thing,
    Wish,
)
from parser.training.templates.meanings.words import UnsayableError, form, joined, there, word

VOWELS = "aıoueiöü"
_BACK = "aıou"
_HIGH = {"a": "ı", "ı": "ı", "o": "u", "u": "u", "e": "i", "i": "i", "ö": "ü", "ü": "ü"}
_VOICELESS = "çfhkpsşt"
_SOFT = {"et": "ed", "git": "gid", "kaybet": "kaybed", "ye": "yi"}
_OPINIONS = {"think": "düşünüyor", "say": "söylüyor", "know": "biliyor", "hope": "umuyor"}
_ADJECTIVES = {"big": "büyük", "small": "küçük", "old": "yaşlı", "young": "genç"}
_OLD_THING = "eski"


def turkish(meaning: Meaning, style: int = 0) -> str:
    """Return the sentence, without capital and full stop.

    Args:
        meaning: What to say.
        style: 1 for the object before the recipient.

    Raises:
        UnsayableError: There is no way to.
    """
    if isinstance(meaning, Clause):
        return _clause(meaning, style)
    if isinstance(meaning, Both):
        finite = _finite(_stem(meaning.other), Clause(meaning.other.verb, past=meaning.clause.past))
        return joined(_clause(meaning.clause, style), "ve", _objects(meaning.other, style), finite)
    if isinstance(meaning, Comparison):
        than = _thing(meaning.than, "DAn")
        return joined(_thing(meaning.who), than, "daha", _ADJECTIVES[meaning.adjective])
    if isinstance(meaning, Reason):
        why = meaning.cause
        if why.negated:
            raise UnsayableError
        did = suffixed(_did(_stem(why)), "I")
        cause = joined(_thing(there(why.agent)), _objects(why, style), did, "için")
        return joined(cause, _clause(meaning.clause, style))
    who = _thing(meaning.who)
    if isinstance(meaning, Control):
        what, stem = _objects(meaning.clause, style), _stem(meaning.clause)
        if meaning.verb == "want":
            return joined(who, what, suffixed(stem, "mAk"), "istemiyor" if meaning.negated else "istiyor")
        return joined(
            who, what, suffixed(suffixed(stem, "mA"), "yA"), "çalışmıyor" if meaning.negated else "çalışıyor"
        )
    clause = meaning.clause
    if clause.passive or clause.modal or clause.negated:
        raise UnsayableError
    other, what, stem = _thing(there(clause.agent), "nIn"), _objects(clause, style), _stem(clause)
    if isinstance(meaning, Wish):
        return joined(who, other, what, suffixed(suffixed(suffixed(stem, "mA"), "sI"), "nI"), "istiyor")
    assert isinstance(meaning, Opinion)
    return joined(who, other, what, suffixed(suffixed(_did(stem), "I"), "nI"), _OPINIONS[meaning.verb])


def suffixed(stem: str, suffix: str) -> str:
    """Return a stem with a suffix in harmony; a first ``y``, ``n`` or ``s`` only stands behind a vowel.

    Example:
        >>> [suffixed("kedi", "yI"), suffixed("at", "yI"), suffixed("kuş", "yA"), suffixed("git", "DI")]
        ['kediyi', 'atı', 'kuşa', 'gitti']
    """
    last = next(letter for letter in reversed(stem) if letter in VOWELS)
    if suffix[0] in "yns" and stem[-1] not in VOWELS:
        suffix = suffix[1:]
    made = ""
    for letter in suffix:
        if letter == "A":
            letter = last = "a" if last in _BACK else "e"
        elif letter == "I":
            letter = last = _HIGH[last]
        elif letter == "D":
            letter = "t" if (stem + made)[-1] in _VOICELESS else "d"
        elif letter in VOWELS:
            last = letter
        made += letter
    return stem + made


def before_vowel(stem: str) -> str:
    """Return the verb's stem as it stands before a vowel, or before the ``y`` that parts it from one.

    Example:
        >>> [before_vowel(stem) for stem in ("yardım et", "ye", "oku")]
        ['yardım ed', 'yi', 'oku']
    """
    *before, last = stem.split(" ")
    return " ".join([*before, _SOFT.get(last, last)])


def present(stem: str) -> str:
    """Return the third person of the present.

    Example:
        >>> [present(stem) for stem in ("uyu", "izle", "ye", "gel", "git", "yardım et")]
        ['uyuyor', 'izliyor', 'yiyor', 'geliyor', 'gidiyor', 'yardım ediyor']
    """
    if stem[-1] not in VOWELS:
        return suffixed(before_vowel(stem), "Iyor")
    if stem[-1] not in "ae":
        return stem + "yor"
    shorter = stem[:-1]
    if not any(letter in VOWELS for letter in shorter.rsplit(" ", 1)[-1]):
        return shorter + _HIGH[stem[-1]] + "yor"
    return suffixed(shorter, "Iyor")


def _did(stem: str) -> str:
    """Return the stem of what was done: ``gördüğ``."""
    return suffixed(stem, "DIğ")


def _stem(clause: Clause) -> str:
    return form(clause.verb, "tr", 0)


def _clause(clause: Clause, style: int) -> str:
    stem = form(clause.verb, "tr", 1) if clause.passive else _stem(clause)
    when = clause.adverb.forms["tr"] if clause.adverb else ""
    if clause.passive:
        by = joined(_thing(clause.agent), "tarafından") if clause.agent else ""
        parts = (_thing(there(clause.patient)), when, by)
    else:
        parts = (_thing(there(clause.agent)), when, _objects(clause, style))
    return joined(*parts, _finite(stem, clause))


def _finite(stem: str, clause: Clause) -> str:
    if clause.modal == "can":
        if clause.negated:
            return suffixed(before_vowel(stem), "yAmIyor")
        return suffixed(before_vowel(stem), "yAbilir")
    if clause.modal:
        return suffixed(stem, "mAlI")
    if clause.past:
        return suffixed(stem, "mAdI" if clause.negated else "DI")
    return suffixed(stem, "mIyor") if clause.negated else present(stem)


def _objects(clause: Clause, style: int) -> str:
    if clause.patient is None:
        return ""
    dative = "dat" in clause.verb.forms.get("tr", ())
    if dative:
        what = _thing(clause.patient, "yA")
    else:
        # a thing that is not definite has no case
        marked = clause.patient.definite or clause.patient.noun.kind in ("person", "animal")
        what = _thing(clause.patient, "yI" if marked else "")
    if clause.recipient is None:
        return what
    whom = _thing(clause.recipient, "yA")
    return joined(what, whom) if style and clause.patient.definite else joined(whom, what)


def _thing(thing: Thing, case: str = "") -> str:
    noun, *soft = word(thing.noun, "tr")
    if thing.noun.named:
        return noun + "'" + suffixed(noun.lower(), case)[len(noun) :] if case else noun
    if case:
        vowel = case.lstrip("yn")[0] in "AI"  # "çocuğu", and "çocuktan"
        noun = suffixed(soft[0] if soft and vowel else noun, case)
    adjective = _ADJECTIVES.get(thing.adjective, "")
    if thing.adjective == "old" and thing.noun.kind not in ("person", "animal"):
        adjective = _OLD_THING
    return joined(_relative(thing), adjective, "" if thing.definite else "bir", noun)


def _relative(thing: Thing) -> str:
    clause = thing.relative
    if clause is None:
        return ""
    if "dat" in clause.verb.forms.get("tr", ()):
        raise UnsayableError
    stem = _stem(clause)
    if clause.agent is None:
        return joined(_objects(clause, 0), suffixed(before_vowel(stem), "yAn"))
    return joined(_thing(clause.agent, "nIn"), suffixed(_did(stem), "I"))
