"""Write meanings in German.

Forms of a verb in the table: 0 third person, 1 past, 2 participle, 3 infinitive; ``dat`` marks verbs with a
dative object.
"""

from parser.training.templates.meanings import meaning as m
from parser.training.templates.meanings.lexicon import form, word
from parser.training.templates.words import UnsayableError, joined

_OPINIONS = {"think": "denkt", "say": "sagt", "know": "weiß", "hope": "hofft"}
_CONJUNCTIONS = {"because": "weil", "if": "wenn", "although": "obwohl", "when": "als"}
_MODALS = {"can": "kann", "must": "muss"}
_ADJECTIVES = {"big": "groß", "small": "klein", "old": "alt", "young": "jung"}
_COMPARATIVES = {"big": "größer", "small": "kleiner", "old": "älter", "young": "jünger"}
_DEFINITE = {
    "m": {"nom": "der", "acc": "den", "dat": "dem"},
    "f": {"nom": "die", "acc": "die", "dat": "der"},
    "n": {"nom": "das", "acc": "das", "dat": "dem"},
}
_ENDINGS = {  # endings of ein
    "m": {"nom": "", "acc": "en", "dat": "em"},
    "f": {"nom": "e", "acc": "e", "dat": "er"},
    "n": {"nom": "", "acc": "", "dat": "em"},
}
_STRONG = {"m": "er", "f": "e", "n": "es"}  # endings of an adjective after ein


def german(meaning: m.Meaning, style: int = 0) -> str:
    """Return the sentence; style 1 has the perfect, and the object first if its article shows the case."""
    if isinstance(meaning, m.Clause):
        return _main(meaning, style)
    if isinstance(meaning, m.Both):
        finite = form(meaning.other.verb, "de", 1 if meaning.clause.past else 0)
        return joined(_main(meaning.clause, 0), "und", finite, _objects(meaning.other))
    if isinstance(meaning, m.Command):
        return _command(meaning.clause)
    if isinstance(meaning, m.Comparison):
        than = joined("als", _thing(meaning.than, "nom"))
        return joined(_thing(meaning.who, "nom"), "ist", _COMPARATIVES[meaning.adjective], than)
    if isinstance(meaning, m.Linked):
        return _linked(meaning, style)
    who = _thing(meaning.who, "nom")
    if isinstance(meaning, m.Opinion):
        return joined(who, _OPINIONS[meaning.verb] + ",", "dass", _sub(meaning.clause))
    if isinstance(meaning, m.Wish):
        return joined(who, "will,", "dass", _sub(meaning.clause))
    assert isinstance(meaning, m.Control)
    what, bare = _objects(meaning.clause), form(meaning.clause.verb, "de", 3)
    no = "nicht" if meaning.negated else ""
    if meaning.verb == "want":
        return joined(who, "will", what, no, bare)
    return joined(who, joined("versucht", no) + ",", what, "zu", bare)


def _command(clause: m.Clause) -> str:
    """Return the polite form, an infinitive before *Sie*."""
    if clause.negated and clause.patient is not None and not clause.patient.definite:
        raise UnsayableError  # "kein" is not written here
    no = "nicht" if clause.negated else ""
    return joined(form(clause.verb, "de", 3), "Sie", _when(clause), _objects(clause), no)


def _linked(meaning: m.Linked, style: int) -> str:
    other = joined(_CONJUNCTIONS[meaning.link], _sub(meaning.other))
    if not style or meaning.link == "because":
        return joined(_main(meaning.clause, style) + ",", other)
    subject, finite, middle, end = _parts(meaning.clause, 0)
    return joined(other + ",", finite, subject, middle, end)


def _main(clause: m.Clause, style: int) -> str:
    subject, finite, middle, end = _parts(clause, style)
    front = clause.patient
    if style and front is not None and not clause.passive and clause.recipient is None:
        # the object is first only if its article shows that it is not the subject
        if front.noun.named or word(front.noun, "de")[0] != "m" or "dat" in clause.verb.forms["de"]:
            raise UnsayableError
        no = "nicht" if clause.negated else ""
        return joined(_thing(front, "acc"), finite, subject, _when(clause), no, end)
    return joined(subject, finite, middle, end)


def _sub(clause: m.Clause) -> str:
    subject, finite, middle, end = _parts(clause, 0)
    return joined(subject, middle, end, finite)


def _parts(clause: m.Clause, style: int) -> tuple[str, str, str, str]:
    """Return subject, finite verb, middle field and end of the clause."""
    verb, no = clause.verb, "nicht" if clause.negated else ""
    if clause.passive:
        by = joined("von", _thing(clause.agent, "dat")) if clause.agent else ""
        subject, participle = _thing(m.required(clause.patient), "nom"), form(verb, "de", 2)
        if "dat" in verb.forms["de"]:
            raise UnsayableError
        if clause.modal:
            return subject, _MODALS[clause.modal], joined(by, no), f"{participle} werden"
        return subject, "wurde" if clause.past else "wird", joined(_when(clause), by, no), participle
    if no and clause.patient is not None and not clause.patient.definite:
        raise UnsayableError  # "kein" is not written here
    subject, middle = _thing(m.required(clause.agent), "nom"), joined(_when(clause), _objects(clause), no)
    if clause.modal:
        return subject, _MODALS[clause.modal], middle, form(verb, "de", 3)
    if style and clause.past:
        return subject, "hat", middle, form(verb, "de", 2)
    return subject, form(verb, "de", 1 if clause.past else 0), middle, ""


def _when(clause: m.Clause) -> str:
    return clause.adverb.forms["de"] if clause.adverb else ""


def _objects(clause: m.Clause) -> str:
    if clause.patient is None:
        return ""
    case = "dat" if "dat" in clause.verb.forms.get("de", ()) else "acc"
    whom = _thing(clause.recipient, "dat") if clause.recipient else ""
    return joined(whom, _thing(clause.patient, case))


def _thing(thing: m.Thing, case: str) -> str:
    gender, noun, *weak = word(thing.noun, "de")
    if thing.noun.named:
        return noun
    if case != "nom" and weak:
        noun = weak[0]
    article = _DEFINITE[gender][case] if thing.definite else "ein" + _ENDINGS[gender][case]
    adjective = _ADJECTIVES.get(thing.adjective, "")
    if adjective:
        same = case == "nom" or (case == "acc" and gender != "m")
        if not same:
            adjective += "en"
        else:
            adjective += "e" if thing.definite else _STRONG[gender]
    return joined(article, adjective, noun + _relative(thing, gender))


def _relative(thing: m.Thing, gender: str) -> str:
    clause = thing.relative
    if clause is None:
        return ""
    if "dat" in clause.verb.forms.get("de", ()):
        raise UnsayableError
    finite = form(clause.verb, "de", 1 if clause.past else 0)
    if clause.agent is None:
        return ", " + joined(_DEFINITE[gender]["nom"], _objects(clause), finite) + ","
    return ", " + joined(_DEFINITE[gender]["acc"], _thing(clause.agent, "nom"), finite) + ","
