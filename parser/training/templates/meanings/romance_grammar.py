"""Hold the differences of Spanish, French and Italian, for `romance` beside this file.

Of each verb the tables have: Spanish 0 third person, 1 past, 2 participle, 3 infinitive, 4 subjunctive;
French and Italian 0 third person, 1 participle, 2 infinitive, 3 subjunctive, as their past is compound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

ELIDED = ("aeiouàâéèêœh", "aeiouàèéìòù")  # French, Italian


@dataclass(frozen=True, slots=True)
class Grammar:
    """What sets a language apart from its sisters.

    Attributes:
        lang: Its code.
        places: Of present, participle, infinitive and subjunctive in the table.
        article: Of gender, definiteness and the word that follows.
        by: Preposition and noun phrase of the agent of a passive.
        to: The same of a recipient.
        adjectives: Masculine and feminine, and masculine before a vowel; in front where there are three.
        was: Masculine and feminine of "is" and of "was" before a participle.
        no: Before the verb, with a space or without, and behind it.
        has: Auxiliary of the past; empty where it has one of its own.
        say: Verbs of opinion, each with whether the subjunctive follows.
        want: Finite verbs of controls, with their preposition.
        modals: Finite verbs.
        that: The conjunction and, of an object, the pronoun.
        who: The pronoun of a subject.
        because: The conjunction.
        than: What stands before the other of a comparison.
        plus: "More".
        conjoin: "And" before a verb.
        clitic: Before the verb where there is a recipient.
    """

    lang: str
    places: tuple[int, int, int, int]
    article: Callable[[str, bool, str], str]
    by: Callable[[str], str]
    to: Callable[[str], str]
    adjectives: Mapping[str, tuple[str, ...]]
    was: tuple[tuple[str, str], tuple[str, str]]
    no: tuple[str, str]
    has: str
    say: Mapping[str, tuple[str, bool]]
    want: Mapping[str, tuple[str, str]]
    modals: Mapping[str, str]
    that: str
    who: str
    because: str
    than: Callable[[str], str]
    plus: str
    conjoin: Callable[[str], str]
    clitic: str = ""


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
    """Return what puts a preposition before a noun phrase, merged with its article where it is."""

    def before(phrase: str) -> str:
        for article, merged in forms.items():
            if phrase.startswith(article):
                return merged + phrase.removeprefix(article)
        return f"{plain} {phrase}"

    return before


def _spanish_and(verb: str) -> str:
    return f"{'e' if verb[0] in 'ií' else 'y'} {verb}"


def elide(before: str, after: str) -> str:
    """Return two French words, the first without its ``e`` where the second begins with a vowel."""
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
    modals={"can": "puede", "must": "debe"}, that="que", who="que", because="porque",
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
    modals={"can": "peut", "must": "doit"}, that="que", who="qui", because="parce que",
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
    modals={"can": "può", "must": "deve"}, that="che", who="che", because="perché",
    than=_contracted({"il ": "del ", "lo ": "dello ", "la ": "della ", "l'": "dell'"}, "di"),
    plus="più", conjoin=_contracted({}, "e"),
)  # fmt: skip
