"""Write meanings in Spanish, French and Italian; `romance_grammar` holds their differences."""

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
from parser.training.templates.meanings.romance_grammar import (
    ELIDED,
    FRENCH,
    ITALIAN,
    SPANISH,
    Grammar,
    elide,
)
from parser.training.templates.meanings.words import UnsayableError, form, joined, there, word


def spanish(meaning: Meaning, style: int = 0) -> str:
    """Return the sentence, without capital and full stop.

    Args:
        meaning: What to say.
        style: Nothing depends on it.

    Raises:
        UnsayableError: There is no way to.
    """
    return _sentence(SPANISH, meaning)


def french(meaning: Meaning, style: int = 0) -> str:
    """See `spanish`."""
    return _sentence(FRENCH, meaning)


def italian(meaning: Meaning, style: int = 0) -> str:
    """See `spanish`."""
    return _sentence(ITALIAN, meaning)


def _sentence(own: Grammar, meaning: Meaning) -> str:
    if isinstance(meaning, Clause):
        return _clause(own, meaning)
    if isinstance(meaning, Both):
        return joined(_clause(own, meaning.clause), own.conjoin(_predicate(own, meaning)))
    if isinstance(meaning, Comparison):
        return _compared(own, meaning)
    if isinstance(meaning, Reason):
        cause = _clause(own, meaning.cause)
        because = elide(own.because, cause) if own.lang == "fr" else f"{own.because} {cause}"
        return joined(_clause(own, meaning.clause), because)
    who = _thing(own, meaning.who)
    if isinstance(meaning, Control):
        verb, preposition = own.want[meaning.verb]
        finite = _denied(own, verb, "") if meaning.negated else verb
        infinitive = form(meaning.clause.verb, own.lang, own.places[2])
        if preposition == "de":
            infinitive = elide("de", infinitive)
        else:
            infinitive = joined(preposition, infinitive)
        if own.clitic and meaning.clause.recipient:
            infinitive += own.clitic
        return joined(who, finite, infinitive, _objects(own, meaning.clause))
    if isinstance(meaning, Opinion):
        verb, subjunctive = own.say[meaning.verb]
    else:
        assert isinstance(meaning, Wish)
        verb, subjunctive = own.want["want"][0], True
    clause = _clause(own, meaning.clause, subjunctive=subjunctive)
    that = elide(own.that, clause) if own.lang == "fr" else f"{own.that} {clause}"
    return joined(who, verb, that)


def _predicate(own: Grammar, meaning: Both) -> str:
    """Return the second of two verbs of one subject, with its objects."""
    other, past = meaning.other, meaning.clause.past
    clitic = own.clitic if other.recipient else ""
    if past and own.has:
        said = joined(own.has, form(other.verb, own.lang, own.places[1]))
    else:
        said = form(other.verb, own.lang, 1 if past else own.places[0])
    return joined(clitic, said, _objects(own, other))


def _compared(own: Grammar, meaning: Comparison) -> str:
    feminine = word(meaning.who.noun, own.lang)[0] == "f"
    adjective = own.adjectives[meaning.adjective][feminine]
    is_ = own.was[0][feminine]
    return joined(_thing(own, meaning.who), is_, own.plus, adjective, own.than(_thing(own, meaning.than)))


def _clause(own: Grammar, clause: Clause, *, subjunctive: bool = False) -> str:
    present, participle, infinitive, wished = own.places
    verb, lang = clause.verb, own.lang
    when = clause.adverb.forms[lang] if clause.adverb else ""
    if subjunctive and (clause.past or clause.passive or clause.modal):
        raise UnsayableError
    if clause.passive:
        patient = there(clause.patient)
        feminine = word(patient.noun, lang)[0] == "f"
        said = form(verb, lang, participle)
        if feminine:
            said = said + "e" if lang == "fr" else said[:-1] + "a"
        by = own.by(_thing(own, clause.agent)) if clause.agent else ""
        if clause.modal:
            raise UnsayableError
        finite = own.was[clause.past][feminine]
        return joined(_thing(own, patient), _maybe(own, clause, finite), said, by, when)
    who, what = _thing(own, there(clause.agent)), joined(_objects(own, clause), when)
    clitic = own.clitic if clause.recipient else ""
    if clause.modal:
        finite = _maybe(own, clause, own.modals[clause.modal])
        return joined(who, finite, form(verb, lang, infinitive) + clitic, what)
    if not clause.past:
        said = form(verb, lang, wished if subjunctive else present)
        return joined(who, _maybe(own, clause, said, clitic), what)
    if not own.has:
        return joined(who, _maybe(own, clause, form(verb, lang, 1), clitic), what)
    return joined(who, _maybe(own, clause, own.has, clitic), form(verb, lang, participle), what)


def _maybe(own: Grammar, clause: Clause, finite: str, clitic: str = "") -> str:
    return _denied(own, finite, clitic) if clause.negated else joined(clitic, finite)


def _denied(own: Grammar, finite: str, clitic: str) -> str:
    before, behind = own.no
    if own.lang != "fr":
        return before + joined(clitic, finite)
    first, *others = finite.split()  # "n'a pas été"
    return joined(elide("ne", first) + behind, *others)


def _objects(own: Grammar, clause: Clause) -> str:
    if clause.patient is None:
        return ""
    what = _thing(own, clause.patient)
    if own.lang == "es" and clause.patient.noun.kind in ("person", "animal"):
        what = own.to(what)  # the personal a
    return joined(what, own.to(_thing(own, clause.recipient)) if clause.recipient else "")


def _thing(own: Grammar, thing: Thing) -> str:
    gender, noun = word(thing.noun, own.lang)
    if thing.noun.named:
        return noun
    phrase = noun
    forms = own.adjectives.get(thing.adjective, ())
    if len(forms) == 2:
        phrase = f"{noun} {forms[gender == 'f']}"
    elif forms:
        vowel = gender == "m" and noun[0] in ELIDED[0]
        phrase = f"{forms[2] if vowel else forms[gender == 'f']} {noun}"
    phrase = own.article(gender, thing.definite, phrase) + phrase
    return joined(phrase, _relative(own, thing))


def _relative(own: Grammar, thing: Thing) -> str:
    clause = thing.relative
    if clause is None:
        return ""
    if clause.past:
        raise UnsayableError
    finite = form(clause.verb, own.lang, own.places[0])
    if clause.agent is None:
        return joined(own.who, finite, _objects(own, clause))
    other = _thing(own, clause.agent)
    if own.lang == "es" and thing.noun.kind in ("person", "animal"):
        # "al que persigue el perro": who is whose object shows in the article
        article = {"m": "al", "f": "a la"}[word(thing.noun, "es")[0]]
        return joined(article, "que", finite, other)
    if own.lang == "it":
        raise UnsayableError  # "che insegue il cane" may be read both ways
    return joined(elide(own.that, other) if own.lang == "fr" else f"{own.that} {other}", finite)
