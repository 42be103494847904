"""Write meanings in English.

Forms of a verb in the table: 0 infinitive, 1 third person, 2 past, 3 participle, 4 present participle.
"""

from dataclasses import replace

from parser.training.templates.meanings import meaning as m
from parser.training.templates.meanings.lexicon import form, word
from parser.training.templates.words import joined

_OPINIONS = {"think": "thinks", "say": "says", "know": "knows", "hope": "hopes"}
_COMPARATIVES = {"big": "bigger", "small": "smaller", "old": "older", "young": "younger"}
_CONTROLS = {"want": ("want", "wants"), "try": ("try", "tries")}


def english(meaning: m.Meaning, style: int = 0) -> str:
    """Return the sentence; style 1 has the progressive, and ``to`` before the recipient."""
    if isinstance(meaning, m.Clause):
        return _clause(meaning, style)
    if isinstance(meaning, m.Both):
        other = joined(
            form(meaning.other.verb, "en", 2 if meaning.clause.past else 1), _objects(meaning.other, style)
        )
        return joined(_clause(meaning.clause, 0), "and", other)
    if isinstance(meaning, m.Command):
        no = "do not" if meaning.clause.negated else ""
        return joined(no, _infinitive(meaning.clause, style), _when(meaning.clause))
    if isinstance(meaning, m.Comparison):
        than = joined("than", _thing(meaning.than))
        return joined(_thing(meaning.who), "is", _COMPARATIVES[meaning.adjective], than)
    if isinstance(meaning, m.Linked):
        main, other = _clause(meaning.clause, 0), joined(meaning.link, _clause(meaning.other, 0))
        return joined(other + ",", main) if style else joined(main, other)
    if isinstance(meaning, m.Control):
        base, third = _CONTROLS[meaning.verb]
        finite = f"does not {base}" if meaning.negated else third
        return joined(_thing(meaning.who), finite, "to", _infinitive(meaning.clause, style))
    if isinstance(meaning, m.Wish):
        other = _thing(m.required(meaning.clause.agent))
        return joined(_thing(meaning.who), "wants", other, "to", _infinitive(meaning.clause, style))
    assert isinstance(meaning, m.Opinion)
    return joined(_thing(meaning.who), _OPINIONS[meaning.verb], "that", _clause(meaning.clause, style))


def _clause(clause: m.Clause, style: int) -> str:
    verb, no = clause.verb, "not" if clause.negated else ""
    if clause.passive:
        by = joined("by", _thing(clause.agent)) if clause.agent else ""
        be = ("was" if clause.past else "is") if not clause.modal else f"{clause.modal} {no} be"
        participle = form(verb, "en", 3)
        return joined(
            _thing(m.required(clause.patient)),
            be,
            "" if clause.modal else no,
            participle,
            by,
            _when(clause),
        )
    who, what = _thing(m.required(clause.agent)), joined(_objects(clause, style), _when(clause))
    if clause.modal:
        modal = "cannot" if no and clause.modal == "can" else joined(clause.modal, no)
        return joined(who, modal, form(verb, "en", 0), what)
    if style and len(verb.forms["en"]) > 4:
        return joined(who, "was" if clause.past else "is", no, form(verb, "en", 4), what)
    if clause.negated:
        return joined(who, "did not" if clause.past else "does not", form(verb, "en", 0), what)
    return joined(who, form(verb, "en", 2 if clause.past else 1), what)


def _when(clause: m.Clause) -> str:
    return clause.adverb.forms["en"] if clause.adverb else ""


def _infinitive(clause: m.Clause, style: int) -> str:
    return joined(form(clause.verb, "en", 0), _objects(clause, style))


def _objects(clause: m.Clause, style: int) -> str:
    what = _thing(clause.patient) if clause.patient else ""
    if clause.recipient is None:
        return what
    whom = _thing(clause.recipient)
    return joined(what, "to", whom) if style else joined(whom, what)


def _thing(thing: m.Thing) -> str:
    noun = joined(thing.adjective, word(thing.noun, "en")[0])
    if thing.noun.named:
        return noun
    article = "the" if thing.definite else "an" if noun[0] in "aeiou" else "a"
    return joined(article, noun, _relative(thing))


def _relative(thing: m.Thing) -> str:
    clause = thing.relative
    if clause is None:
        return ""
    finite = form(clause.verb, "en", 2 if clause.past else 1)
    if clause.agent is None:
        return joined("that", finite, _objects(clause, 0))
    return joined("that", _thing(replace(clause.agent, relative=None)), finite)
