"""Write meanings in Spanish, French and Italian; a `Grammar` holds their differences.

Forms of a verb in the table: Spanish 0 third person, 1 past, 2 participle, 3 infinitive, 4 subjunctive;
French and Italian, whose past is compound, 0 third person, 1 participle, 2 infinitive, 3 subjunctive.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from parser.training.templates.meanings import meaning as m
from parser.training.templates.meanings.lexicon import form, word
from parser.training.templates.words import UnsayableError, joined

ELIDED = ("aeiouàâéèêœh", "aeiouàèéìòù")  # French, Italian


@dataclass(frozen=True, slots=True)
class Grammar:
    """Properties in which the three languages differ."""

    lang: str  # ISO 639-1 code
    places: tuple[int, int, int, int]  # indices of present, participle, infinitive and subjunctive
    article: Callable[[str, bool, str], str]  # article by gender, definiteness and the next word
    by: Callable[[str], str]  # adds the preposition of the agent of a passive
    to: Callable[[str], str]  # adds the preposition of a recipient
    # masculine and feminine after the noun; or masculine, feminine and masculine before a vowel, before the
    # noun
    adjectives: Mapping[str, tuple[str, ...]]
    # masculine and feminine of "is" and of "was" before a participle
    was: tuple[tuple[str, str], tuple[str, str]]
    no: tuple[str, str]  # negation before the verb (with its space) and after it
    has: str  # auxiliary of the past; empty if the past is a simple form
    say: Mapping[str, tuple[str, bool]]  # verbs of opinion, and whether the subjunctive follows
    want: Mapping[str, tuple[str, str]]  # finite verbs of `Control`, with their preposition
    modals: Mapping[str, str]  # finite modal verbs
    that: str  # conjunction; also the relative pronoun of an object
    who: str  # relative pronoun of a subject
    links: Mapping[str, str]  # conjunctions with the indicative
    than: Callable[[str], str]  # adds the word before the second part of a comparison
    plus: str  # "more"
    conjoin: Callable[[str], str]  # adds "and" before a verb
    clitic: str = ""  # pronoun at the verb if there is a recipient


def _spanish_article(gender: str, definite: bool, _: str) -> str:
    return {"m": ("un", "el"), "f": ("una", "la")}[gender][definite] + " "


def _french_article(gender: str, definite: bool, following: str) -> str:
    if definite and following[0] in ELIDED[0]:
        return "l'"
    return {"m": ("un", "le"), "f": ("une", "la")}[gender][definite] + " "


def _italian_article(gender: str, definite: bool, following: str) -> str:
    vowel = following[0] in ELIDED[1]
    hard = following[0] in "zxy" or (following[0] == "s" and following[1] not in "aeiouàèéìòù")
    hard = hard or following[:2] in ("gn", "ps", "pn")
    if vowel and (definite or gender == "f"):
        return "l'" if definite else "un'"
    if gender == "f":
        return ("una", "la")[definite] + " "
    if hard:
        return ("uno", "lo")[definite] + " "
    return ("un", "il")[definite] + " "


def _contracted(forms: Mapping[str, str], plain: str) -> Callable[[str], str]:
    """Return a function that puts a preposition before a noun phrase, merged with articles in ``forms``."""

    def before(phrase: str) -> str:
        for article, merged in forms.items():
            if phrase.startswith(article):
                return merged + phrase.removeprefix(article)
        return f"{plain} {phrase}"

    return before


def _spanish_and(verb: str) -> str:
    return f"{'e' if verb[0] in 'ií' else 'y'} {verb}"


def elide(before: str, after: str) -> str:
    """Join two French words; the first loses its ``e`` if the second begins with a vowel."""
    if after[0].lower() in ELIDED[0] and before[-1:] == "e":
        return f"{before[:-1]}'{after}"
    return f"{before} {after}"


SPANISH = Grammar(
    "es", (0, 2, 3, 4), _spanish_article,
    by=_contracted({}, "por"), to=_contracted({"el ": "al "}, "a"),
    adjectives={"big": ("grande", "grande"), "small": ("pequeño", "pequeña"),
                "old": ("viejo", "vieja"), "young": ("joven", "joven")},
    was=(("es", "es"), ("fue", "fue")), no=("no ", ""), has="",
    say={"think": ("piensa", False), "say": ("dice", False),
         "know": ("sabe", False), "hope": ("espera", True)},
    want={"want": ("quiere", ""), "try": ("intenta", "")},
    modals={"can": "puede", "must": "debe"}, that="que", who="que",
    links={"because": "porque", "if": "si", "although": "aunque", "when": "cuando"},
    than=_contracted({}, "que"), plus="más", conjoin=_spanish_and,
    clitic="le",
)  # fmt: skip
FRENCH = Grammar(
    "fr", (0, 1, 2, 3), _french_article,
    by=_contracted({}, "par"), to=_contracted({"le ": "au "}, "à"),
    adjectives={"big": ("grand", "grande", "grand"), "small": ("petit", "petite", "petit"),
                "old": ("vieux", "vieille", "vieil"), "young": ("jeune", "jeune", "jeune")},
    was=(("est", "est"), ("a été", "a été")), no=("ne ", " pas"), has="a",
    say={"think": ("pense", False), "say": ("dit", False),
         "know": ("sait", False), "hope": ("espère", False)},
    want={"want": ("veut", ""), "try": ("essaie", "de")},
    modals={"can": "peut", "must": "doit"}, that="que", who="qui",
    links={"because": "parce que", "if": "si", "when": "quand"},
    than=lambda other: elide("que", other), plus="plus", conjoin=_contracted({}, "et"),
)  # fmt: skip
ITALIAN = Grammar(
    "it", (0, 1, 2, 3), _italian_article,
    by=_contracted({"il ": "dal ", "lo ": "dallo ", "la ": "dalla ", "l'": "dall'"}, "da"),
    to=_contracted({"il ": "al ", "lo ": "allo ", "la ": "alla ", "l'": "all'"}, "a"),
    adjectives={"big": ("grande", "grande"), "small": ("piccolo", "piccola"),
                "old": ("vecchio", "vecchia"), "young": ("giovane", "giovane")},
    was=(("è", "è"), ("è stato", "è stata")), no=("non ", ""), has="ha",
    say={"think": ("pensa", True), "say": ("dice", False), "know": ("sa", False), "hope": ("spera", True)},
    want={"want": ("vuole", ""), "try": ("cerca", "di")},
    modals={"can": "può", "must": "deve"}, that="che", who="che",
    links={"because": "perché", "if": "se", "although": "anche se", "when": "quando"},
    than=_contracted({"il ": "del ", "lo ": "dello ", "la ": "della ", "l'": "dell'"}, "di"),
    plus="più", conjoin=_contracted({}, "e"),
)  # fmt: skip


def sentence(own: Grammar, meaning: m.Meaning, style: int = 0) -> str:
    """Return the sentence, without capital and full stop; style 1 begins with a subordinate clause."""
    if isinstance(meaning, m.Clause):
        return _clause(own, meaning)
    if isinstance(meaning, m.Both):
        return joined(_clause(own, meaning.clause), own.conjoin(_predicate(own, meaning)))
    if isinstance(meaning, m.Command):
        return _command(own, meaning.clause)
    if isinstance(meaning, m.Comparison):
        return _compared(own, meaning)
    if isinstance(meaning, m.Linked):
        return _linked(own, meaning, style)
    who = _thing(own, meaning.who)
    if isinstance(meaning, m.Control):
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
    if isinstance(meaning, m.Opinion):
        verb, subjunctive = own.say[meaning.verb]
    else:
        assert isinstance(meaning, m.Wish)
        verb, subjunctive = own.want["want"][0], True
    clause = _clause(own, meaning.clause, subjunctive=subjunctive)
    that = elide(own.that, clause) if own.lang == "fr" else f"{own.that} {clause}"
    return joined(who, verb, that)


def _command(own: Grammar, clause: m.Clause) -> str:
    """Return the polite form: the subjunctive, in French the second person of the plural."""
    when = clause.adverb.forms[own.lang] if clause.adverb else ""
    clitic = own.clitic if clause.recipient else ""
    if own.lang == "fr":
        infinitive = form(clause.verb, "fr", own.places[2])
        if not infinitive.endswith("er"):
            raise UnsayableError
        verb_form = infinitive[:-1] + "z"
    else:
        verb_form = form(clause.verb, own.lang, own.places[3])
    if clitic and not clause.negated:
        raise UnsayableError  # it would follow the verb, whose accent it moves
    return joined(_maybe(own, clause, verb_form, clitic), _objects(own, clause), when)


def _linked(own: Grammar, meaning: m.Linked, style: int) -> str:
    if meaning.link not in own.links:
        raise UnsayableError
    conjunction, other = own.links[meaning.link], _clause(own, meaning.other)
    clause = _clause(own, meaning.clause)
    other = elide(conjunction, other) if own.lang == "fr" else f"{conjunction} {other}"
    first = style and meaning.link != "because"
    return joined(other + ",", clause) if first else joined(clause, other)


def _predicate(own: Grammar, meaning: m.Both) -> str:
    """Return the second verb of a subject, with its objects."""
    other, past = meaning.other, meaning.clause.past
    clitic = own.clitic if other.recipient else ""
    if past and own.has:
        verb_form = joined(own.has, form(other.verb, own.lang, own.places[1]))
    else:
        verb_form = form(other.verb, own.lang, 1 if past else own.places[0])
    return joined(clitic, verb_form, _objects(own, other))


def _compared(own: Grammar, meaning: m.Comparison) -> str:
    feminine = word(meaning.who.noun, own.lang)[0] == "f"
    adjective = own.adjectives[meaning.adjective][feminine]
    is_ = own.was[0][feminine]
    return joined(_thing(own, meaning.who), is_, own.plus, adjective, own.than(_thing(own, meaning.than)))


def _clause(own: Grammar, clause: m.Clause, *, subjunctive: bool = False) -> str:
    present, participle, infinitive, wished = own.places
    verb, lang = clause.verb, own.lang
    when = clause.adverb.forms[lang] if clause.adverb else ""
    if subjunctive and (clause.past or clause.passive or clause.modal):
        raise UnsayableError
    if clause.passive:
        patient = m.required(clause.patient)
        feminine = word(patient.noun, lang)[0] == "f"
        verb_form = form(verb, lang, participle)
        if feminine:
            verb_form = verb_form + "e" if lang == "fr" else verb_form[:-1] + "a"
        by = own.by(_thing(own, clause.agent)) if clause.agent else ""
        if clause.modal:
            raise UnsayableError
        finite = own.was[clause.past][feminine]
        return joined(_thing(own, patient), _maybe(own, clause, finite), verb_form, by, when)
    who, what = _thing(own, m.required(clause.agent)), joined(_objects(own, clause), when)
    clitic = own.clitic if clause.recipient else ""
    if clause.modal:
        finite = _maybe(own, clause, own.modals[clause.modal])
        return joined(who, finite, form(verb, lang, infinitive) + clitic, what)
    if not clause.past:
        verb_form = form(verb, lang, wished if subjunctive else present)
        return joined(who, _maybe(own, clause, verb_form, clitic), what)
    if not own.has:
        return joined(who, _maybe(own, clause, form(verb, lang, 1), clitic), what)
    return joined(who, _maybe(own, clause, own.has, clitic), form(verb, lang, participle), what)


def _maybe(own: Grammar, clause: m.Clause, finite: str, clitic: str = "") -> str:
    return _denied(own, finite, clitic) if clause.negated else joined(clitic, finite)


def _denied(own: Grammar, finite: str, clitic: str) -> str:
    before, behind = own.no
    if own.lang != "fr":
        return before + joined(clitic, finite)
    first, *others = finite.split()  # "n'a pas été"
    return joined(elide("ne", first) + behind, *others)


def _objects(own: Grammar, clause: m.Clause) -> str:
    if clause.patient is None:
        return ""
    what = _thing(own, clause.patient)
    if own.lang == "es" and clause.patient.noun.living:
        what = own.to(what)  # the personal a
    return joined(what, own.to(_thing(own, clause.recipient)) if clause.recipient else "")


def _thing(own: Grammar, thing: m.Thing) -> str:
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


def _relative(own: Grammar, thing: m.Thing) -> str:
    clause = thing.relative
    if clause is None:
        return ""
    if clause.past:
        raise UnsayableError
    finite = form(clause.verb, own.lang, own.places[0])
    if clause.agent is None:
        return joined(own.who, own.clitic if clause.recipient else "", finite, _objects(own, clause))
    other = _thing(own, clause.agent)
    if own.lang == "es" and thing.noun.living:
        # "al que persigue el perro": the article shows which noun is the object
        article = {"m": "al", "f": "a la"}[word(thing.noun, "es")[0]]
        return joined(article, "que", finite, other)
    if own.lang == "it":
        raise UnsayableError  # "che insegue il cane" is ambiguous
    return joined(elide(own.that, other) if own.lang == "fr" else f"{own.that} {other}", finite)
