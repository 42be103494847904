"""Write meanings in Arabic, without vowel marks.

Forms of a verb in the table: 0 masculine past, 1 feminine past, 2 masculine present; of a transitive verb 3
masculine and 4 feminine past of the passive; of a ditransitive verb 3 the preposition of the recipient.
"""

from parser.training.templates.meanings import meaning as m
from parser.training.templates.meanings.lexicon import form
from parser.training.templates.morphology.arabic import Agreement, read_noun, verb
from parser.training.templates.words import UnsayableError, joined

_OPINIONS = {"think": ("يعتقد", "أن"), "say": ("يقول", "إن"), "know": ("يعرف", "أن"), "hope": ("يأمل", "أن")}
_CONTROLS = {"want": "يريد", "try": "يحاول"}
_ADJECTIVES = {"big": "كبير", "small": "صغير"}
_COMPARATIVES = {"big": "أكبر", "small": "أصغر", "old": "أكبر سنا", "young": "أصغر سنا"}
_OF_LIVING = {"old": "عجوز", "young": "شاب"}
_FEMININE = "ة"


def arabic(meaning: m.Meaning, style: int = 0) -> str:
    """Return the sentence; style 1 has the verb before its subject."""
    if isinstance(meaning, m.Clause):
        return _clause(meaning, style)
    if isinstance(meaning, m.Both):
        return joined(_clause(meaning.clause, style), "و" + _predicate(meaning))
    if isinstance(meaning, m.Comparison):
        if not meaning.who.definite:
            raise UnsayableError
        return joined(_thing(meaning.who), _COMPARATIVES[meaning.adjective], "من", _thing(meaning.than))
    if isinstance(meaning, m.Linked):
        return joined(_clause(meaning.clause, style), _subordinate(meaning))
    if isinstance(meaning, m.Command):
        raise UnsayableError  # the table has no imperatives
    if isinstance(meaning, m.Opinion):
        finite, that = _OPINIONS[meaning.verb]
        if meaning.verb == "hope":
            raise UnsayableError
        clause = _clause(meaning.clause, 0, accusative=True)
        return _ordered(meaning.who, finite, joined(that, clause), style)
    if isinstance(meaning, m.Wish):
        agent = m.required(meaning.clause.agent)
        verb = _gendered(_present(meaning.clause), agent)
        inner = joined("أن", verb, _thing(agent), _objects(meaning.clause))
        return _ordered(meaning.who, "يريد", inner, style)
    assert isinstance(meaning, m.Control)
    inner = joined("أن", _gendered(_present(meaning.clause), meaning.who), _objects(meaning.clause))
    return _ordered(meaning.who, _CONTROLS[meaning.verb], inner, style, "لا" if meaning.negated else "")


def _subordinate(meaning: m.Linked) -> str:
    """Return the conjunction and its clause."""
    other = meaning.other
    if meaning.link == "if":
        was = "كانت" if _is_feminine(m.required(other.agent)) else "كان"
        return joined("إذا", was, _clause(other, 0))
    if meaning.link == "when":
        return joined("عندما", _clause(other, 1))
    that = {"because": "لأن", "although": "رغم أن"}[meaning.link]
    return joined(that, _clause(other, 0, accusative=True))


def _ordered(who: m.Thing, finite: str, rest: str, style: int, no: str = "") -> str:
    """Return subject, verb in the subject's gender, and the rest; in style 1 the verb is first."""
    finite = joined(no, _gendered(finite, who))
    subject = _thing(who)
    if style:
        return joined(finite, subject, rest)
    if not who.definite:
        raise UnsayableError  # a sentence does not begin with an indefinite subject
    return joined(subject, finite, rest)


def _clause(clause: m.Clause, style: int, *, accusative: bool = False) -> str:
    when = clause.adverb.forms["ar"] if clause.adverb else ""
    if clause.passive:
        patient = m.required(clause.patient)
        if not clause.past or clause.negated or clause.modal or accusative:
            raise UnsayableError
        verb = form(clause.verb, "ar", 4 if _is_feminine(patient) else 3)
        by = joined("من قبل", _thing(clause.agent)) if clause.agent else ""
        return joined(verb, _thing(patient), by, when)
    agent = m.required(clause.agent)
    if clause.modal:
        if accusative or clause.modal == "must" and clause.negated:
            raise UnsayableError
        inner = joined("أن", _gendered(_present(clause), agent), _objects(clause))
        if clause.modal == "can":
            return _ordered(agent, "يستطيع", inner, style, "لا" if clause.negated else "")
        return joined("يجب أن", _gendered(_present(clause), agent), _thing(agent), _objects(clause))
    no = ("ما" if clause.past else "لا") if clause.negated else ""
    if clause.past:
        finite = form(clause.verb, "ar", 1 if _is_feminine(agent) else 0)
    else:
        finite = _gendered(_present(clause), agent)
    subject = _thing(agent, accusative=accusative)
    if style and not accusative:
        return joined(no, finite, subject, _objects(clause), when)
    if not agent.definite:
        raise UnsayableError
    return joined(subject, no, finite, _objects(clause), when)


def _predicate(meaning: m.Both) -> str:
    """Return the second verb of a subject, with its objects."""
    agent = m.required(meaning.clause.agent)
    if meaning.clause.past:
        verb = form(meaning.other.verb, "ar", 1 if _is_feminine(agent) else 0)
    else:
        verb = _gendered(_present(meaning.other), agent)
    return joined(verb, _objects(meaning.other))


def _present(clause: m.Clause) -> str:
    return form(clause.verb, "ar", 2)


def _gendered(present: str, who: m.Thing) -> str:
    """Return the present in the gender of its subject."""
    return verb(present, Agreement(_is_feminine(who)))


def _is_feminine(thing: m.Thing) -> bool:
    return read_noun(thing.noun).feminine


def _objects(clause: m.Clause) -> str:
    if clause.patient is None:
        return ""
    what = _thing(clause.patient, accusative=True)
    if clause.recipient is None:
        return what
    forms = clause.verb.forms.get("ar", ())
    if len(forms) < 4:
        return joined(_thing(clause.recipient, accusative=True), what)
    whom = _thing(clause.recipient)
    if forms[3] != "ل":
        return joined(what, forms[3], whom)
    return joined(what, "لل" + whom.removeprefix("ال") if whom.startswith("ال") else "ل" + whom)


def _thing(thing: m.Thing, *, accusative: bool = False) -> str:
    head = read_noun(thing.noun)
    noun = "ال" + head.stem if thing.definite else _indefinite(head.noun, accusative)
    return joined(noun, _adjective(thing, head.feminine, accusative), _relative(thing, head.feminine))


def _indefinite(bare: str, accusative: bool) -> str:
    return bare + "ا" if accusative and not bare.endswith((_FEMININE, "اء", "ا")) else bare


def _adjective(thing: m.Thing, feminine: bool, accusative: bool) -> str:
    if not thing.adjective:
        return ""
    living = thing.noun.living
    stem = _ADJECTIVES.get(thing.adjective) or (_OF_LIVING[thing.adjective] if living else "قديم")
    if feminine and stem != "عجوز":
        stem += _FEMININE
    return "ال" + stem if thing.definite else _indefinite(stem, accusative)


def _relative(thing: m.Thing, feminine: bool) -> str:
    clause = thing.relative
    if clause is None:
        return ""
    if not thing.definite or clause.past:
        raise UnsayableError
    pronoun = "التي" if feminine else "الذي"
    present = _present(clause)
    if clause.agent is None:
        return joined(pronoun, _gendered(present, thing), _objects(clause))
    if present.endswith("ى"):
        raise UnsayableError
    finite = _gendered(present, clause.agent) + ("ها" if feminine else "ه")
    return joined(pronoun, finite, _thing(clause.agent))
