"""Write meanings in Turkish.

Forms of a verb in the table: 0 stem, 1 passive stem; ``dat`` marks verbs with a dative object.
"""

from parser.training.templates.meanings import meaning as m
from parser.training.templates.meanings.lexicon import form
from parser.training.templates.morphology.turkish import (
    CASES,
    before_vowel,
    declined,
    past_noun,
    present,
    read_noun,
    subject_participle,
    suffixed,
)
from parser.training.templates.words import UnsayableError, joined

_OPINIONS = {"think": "düşünüyor", "say": "söylüyor", "know": "biliyor", "hope": "umuyor"}
_ADJECTIVES = {"big": "büyük", "small": "küçük", "old": "yaşlı", "young": "genç"}
_OLD_THING = "eski"


def turkish(meaning: m.Meaning, style: int = 0) -> str:
    """Return the sentence; style 1 has the object before the recipient."""
    if isinstance(meaning, m.Clause):
        return _clause(meaning, style)
    if isinstance(meaning, m.Both):
        finite = _finite(_stem(meaning.other), m.Clause(meaning.other.verb, past=meaning.clause.past))
        return joined(_clause(meaning.clause, style), "ve", _objects(meaning.other, style), finite)
    if isinstance(meaning, m.Command):
        clause = meaning.clause
        when = clause.adverb.forms["tr"] if clause.adverb else ""
        stem = suffixed(_stem(clause), "mA") if clause.negated else _stem(clause)
        return joined(when, _objects(clause, style), suffixed(before_vowel(stem), "yIn"))
    if isinstance(meaning, m.Comparison):
        than = _thing(meaning.than, "abl")
        return joined(_thing(meaning.who), than, "daha", _ADJECTIVES[meaning.adjective])
    if isinstance(meaning, m.Linked):
        return joined(_subordinate(meaning, style), _clause(meaning.clause, style))
    who = _thing(meaning.who)
    if isinstance(meaning, m.Control):
        what, stem = _objects(meaning.clause, style), _stem(meaning.clause)
        if meaning.verb == "want":
            return joined(who, what, suffixed(stem, "mAk"), "istemiyor" if meaning.negated else "istiyor")
        return joined(
            who, what, suffixed(suffixed(stem, "mA"), "yA"), "çalışmıyor" if meaning.negated else "çalışıyor"
        )
    clause = meaning.clause
    if clause.passive or clause.modal or clause.negated:
        raise UnsayableError
    other, what, stem = _thing(m.required(clause.agent), "gen"), _objects(clause, style), _stem(clause)
    if isinstance(meaning, m.Wish):
        return joined(who, other, what, suffixed(suffixed(suffixed(stem, "mA"), "sI"), "nI"), "istiyor")
    assert isinstance(meaning, m.Opinion)
    return joined(who, other, what, suffixed(suffixed(past_noun(stem), "I"), "nI"), _OPINIONS[meaning.verb])


def _subordinate(meaning: m.Linked, style: int) -> str:
    """Return the conjunction and its clause."""
    other = meaning.other
    if meaning.link == "if" and not other.past:
        return joined("eğer", _clause(other, style) + "sa,")  # -yor, -yorsa
    if other.negated or meaning.link != "because":
        raise UnsayableError
    did = suffixed(past_noun(_stem(other)), "I")
    return joined(_thing(m.required(other.agent)), _objects(other, style), did, "için")


def _stem(clause: m.Clause) -> str:
    return form(clause.verb, "tr", 0)


def _clause(clause: m.Clause, style: int) -> str:
    stem = form(clause.verb, "tr", 1) if clause.passive else _stem(clause)
    when = clause.adverb.forms["tr"] if clause.adverb else ""
    if clause.passive:
        by = joined(_thing(clause.agent), "tarafından") if clause.agent else ""
        parts = (_thing(m.required(clause.patient)), when, by)
    else:
        parts = (_thing(m.required(clause.agent)), when, _objects(clause, style))
    return joined(*parts, _finite(stem, clause))


def _finite(stem: str, clause: m.Clause) -> str:
    if clause.modal == "can":
        if clause.negated:
            return suffixed(before_vowel(stem), "yAmIyor")
        return suffixed(before_vowel(stem), "yAbilir")
    if clause.modal:
        return suffixed(stem, "mAlI")
    if clause.past:
        return suffixed(stem, "mAdI" if clause.negated else "DI")
    return suffixed(stem, "mIyor") if clause.negated else present(stem)


def _objects(clause: m.Clause, style: int) -> str:
    if clause.patient is None:
        return ""
    dative = "dat" in clause.verb.forms.get("tr", ())
    if dative:
        what = _thing(clause.patient, "dat")
    else:
        # an indefinite object that is not living has no case ending
        marked = clause.patient.definite or clause.patient.noun.living
        what = _thing(clause.patient, "acc" if marked else "bare")
    if clause.recipient is None:
        return what
    whom = _thing(clause.recipient, "dat")
    return joined(what, whom) if style and clause.patient.definite else joined(whom, what)


def _thing(thing: m.Thing, case: str = "bare") -> str:
    if thing.noun.named:
        name, suffix = read_noun(thing.noun).noun, CASES[case]
        return name + "'" + suffixed(name.lower(), suffix)[len(name) :] if suffix else name
    adjective = _ADJECTIVES.get(thing.adjective, "")
    if thing.adjective == "old" and not thing.noun.living:
        adjective = _OLD_THING
    noun = declined(thing.noun, case)
    return joined(_relative(thing), adjective, "" if thing.definite else "bir", noun)


def _relative(thing: m.Thing) -> str:
    clause = thing.relative
    if clause is None:
        return ""
    if "dat" in clause.verb.forms.get("tr", ()):
        raise UnsayableError
    stem = _stem(clause)
    if clause.agent is None:
        return joined(_objects(clause, 0), subject_participle(stem))
    return joined(_thing(clause.agent, "gen"), suffixed(past_noun(stem), "I"))
