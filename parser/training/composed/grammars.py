"""How languages write noun phrases and relative clauses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

PEOPLE = frozenset(
    "man woman boy girl child kid baby person people player lady guy teacher student doctor nurse friend"
    " officer soldier driver worker engineer technician customer tourist neighbor colleague manager president"
    " minister spokesman spokeswoman spokesperson leader judge lawyer victim witness suspect cop policeman"
    " singer dancer chef cook farmer actor artist musician writer author scientist expert analyst"
    " mother father brother sister son daughter husband wife uncle aunt cousin".split()
)
"""Concepts that English refers to with *who*."""

Pronoun = Callable[[str, str, str], str | None]
"""Returns the relative pronoun of an article, a noun and its concept; ``None`` if that cannot be told."""
NEVER = re.compile("(?!)")


@dataclass(frozen=True)
class Grammar:
    """The noun phrases and the relative clauses of a language.

    Attributes:
        subject: Pattern of a noun phrase at the beginning of a sentence, with the groups ``article`` and
            ``noun``, and ``particle`` in some languages. `ADJECTIVE` in it is an adjective.
        pronoun: The relative pronoun; none in languages whose clauses stand before the noun.
        order: Whether clauses come ``after`` their noun or ``before`` it; ``final``: after it, and their verb
            is last.
        comma: Whether commas enclose a clause.
        objects: Pattern of the article of an object, of its particle in Japanese; empty: no objects.
        prepositions: Words that do not stand before an object.
        unfit: Pattern of what follows a noun that has an attribute, or a sentence without predicate.
    """

    subject: str
    pronoun: Pronoun | None = None
    order: Literal["after", "before", "final"] = "after"
    comma: bool = False
    objects: str = ""
    prepositions: frozenset[str] = frozenset()
    unfit: re.Pattern[str] = NEVER


ADJECTIVE = r"[^\W\d_]+\s"


def _articles(words: str) -> str:
    """Return the pattern of a noun phrase with an article: the article, an adjective, the noun, a space."""
    return rf"(?P<article>(?i:{words})\s{ADJECTIVE})(?P<noun>[\w-]+)\s"


_BARE = r"(?P<article>)(?P<noun>[\w-]+)\s"


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(patterns)})\b")


def _always(pronoun: str) -> Pronoun:
    return lambda article, noun, concept: pronoun


def _english(article: str, noun: str, concept: str) -> str:
    return "who" if concept in PEOPLE else "that"


def _slavic(masculine: str, feminine: str, neuter: str, men: str) -> Pronoun:
    """Return the pronouns by the gender that the ending of a noun tells; ``men`` end like women."""
    exceptions = frozenset(men.split())

    def pronoun(article: str, noun: str, concept: str) -> str | None:
        if noun.lower() in exceptions:
            return masculine
        if noun[-1] in "aаяя":
            return feminine
        if noun[-1] in "oоeеёęę":
            return neuter
        return None if noun[-1] in "yiuąуюыиiіїьů" else masculine

    return pronoun


_GERMAN_NEUTER = re.compile(
    ".*(?:chen|lein)|kind|baby|tier|pferd|auto|haus|flugzeug|boot|schiff|schaf|schwein|paar|team|mädchen"
    "|opfer|mitglied|gericht|unternehmen|gesetz|land|fahrrad|zebra|kaninchen|huhn",
    re.IGNORECASE,
)


def _german(article: str, noun: str, concept: str) -> str | None:
    """Return the nominative pronoun by the article of a subject, or of an object in the accusative."""
    return {
        "der": "der", "die": "die", "das": "das", "eine": "die", "den": "der", "einen": "der",
        "ein": "das" if _GERMAN_NEUTER.fullmatch(noun) else "der",
    }.get(article.split()[0].lower())  # fmt: skip


_DUTCH_NEUTER = re.compile(".*(?:je|kind|paard|dier|huis|schip|vliegtuig)", re.IGNORECASE)


def _dutch(article: str, noun: str, concept: str) -> str:
    return "dat" if article.lower().startswith("het ") or _DUTCH_NEUTER.fullmatch(noun) else "die"


def _arabic(article: str, noun: str, concept: str) -> str | None:
    if noun.endswith(("ون", "ين", "ات", "ان")):
        return None
    return "التي" if noun.endswith(("ة", "ى", "ا", "ء")) else "الذي"


_AFTER_SLAVIC = _words(
    *"в на с у і и та из з от за по о да w na z ze i v ve s se u do a da od iz že".split(),  # noqa: RUF001
    r"\w+(?:щий|ший|ący|ąca|ící|oucí)",
)
_AFTER_ROMANCE = _words(r"\w+ndo", *"de di y e en em in con com a sobre sur su".split())


def _romance(
    articles: str, pronoun: str, prepositions: str, unfit: re.Pattern[str] = _AFTER_ROMANCE
) -> Grammar:
    return Grammar(
        _articles(articles), _always(pronoun), objects=articles,
        prepositions=frozenset(prepositions.split()), unfit=unfit,
    )  # fmt: skip


GRAMMARS: Mapping[str, Grammar] = {
    "ar": Grammar(r"(?P<article>)(?P<noun>ال\w+)\s", _arabic, unfit=re.compile("الذي|التي|من|في|ال")),
    "cs": Grammar(
        _BARE, _slavic("který", "která", "které", "táta předseda soudce"), comma=True, unfit=_AFTER_SLAVIC
    ),
    "de": Grammar(
        _articles("der|die|das|ein|eine"), _german, "final", comma=True, objects="den|einen|die|eine|das|ein",
        prepositions=frozenset(
            "in auf an mit von zu für über unter durch um nach bei aus und oder als wie".split()
        ),
        unfit=_words(
            r"(?!ist|hat|wird|war|ein)\w+end", *"in auf mit am im von und aus der des vor bei zu an".split()
        ),
    ),
    "el": _romance("ένας|μια|μία|ένα|ο|η|το|οι|τα", "που", "από για με στο στη και ή", NEVER),
    "en": Grammar(
        _articles("a|an|the"), _english, objects="a|an|the",
        prepositions=frozenset(
            "of in on at with to for from by into onto over under about and or as than off through across"
            " near around down up out".split()
        ),
        unfit=_words(r"\w+ing", *"of and or with in on from at for".split(), "'"),
    ),
    "es": _romance(
        "un|una|el|la|los|las|unos|unas", "que", "de a en con por para sobre hacia desde entre y o"
    ),
    "fr": _romance(
        "un|une|le|la|les|des", "qui", "de à en avec pour par dans sur vers et ou",
        _words(r"\w+ant", *"de et en à dans avec sur".split()),
    ),
    "it": _romance("un|una|uno|il|lo|la|i|gli|le", "che", "di a in con per su da tra e o"),
    "ja": Grammar(
        "(?P<article>)(?P<noun>[^、がはもをにでと]{1,6})(?P<particle>[がはも])", order="before", objects="を"
    ),
    "ko": Grammar("(?P<article>(?:한 )?)(?P<noun>[가-힣]{1,5})(?P<particle>[이가은는]) ", order="before"),
    "nl": Grammar(
        _articles("de|het|een"), _dutch, "final", objects="de|het|een",
        prepositions=frozenset(
            "in op aan met van naar voor over onder door om bij uit en of als dan te".split()
        ),
        unfit=_words(*"in op met van en uit aan voor bij de te".split()),
    ),
    "pl": Grammar(
        _BARE, _slavic("który", "która", "które", "mężczyzna tata kierowca poeta"), comma=True,
        unfit=_AFTER_SLAVIC,
    ),
    "pt": _romance("um|uma|o|a|os|as|uns|umas", "que", "de a em com por para sobre entre e ou"),
    "ru": Grammar(
        _BARE, _slavic("который", "которая", "которое", "мужчина папа дедушка дядя судья"), comma=True,
        unfit=_AFTER_SLAVIC,
    ),
    "tr": Grammar(r"(?i:(?P<article>(?:bir\s)?))(?P<noun>\w+)\s", order="before"),
    "uk": Grammar(
        _BARE, _slavic("який", "яка", "яке", "тато дідусь дядько суддя чоловік"), comma=True,
        unfit=_AFTER_SLAVIC,
    ),
    "zh": Grammar(
        "(?P<article>(?:[一两三这那][个只名位条头匹辆架群些])?)(?P<noun>)", order="before",
        objects="(?:[一两三几]?[个只名位条头匹辆架把块张片顶本件杯瓶碗根台座支份些])?",
    ),
}  # fmt: skip
