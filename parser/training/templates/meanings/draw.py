"""Draw random meanings, and make training examples of them in each language that can express them."""

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import replace
from functools import partial
from random import Random

from amrx.errors import OptionError
from amrx.examples import foils, meanings
from linearize.forms import linearize
from linearize.packed import pack
from parser.training.corpora.leakage import Reserved
from parser.training.example import Example
from parser.training.templates.meanings import meaning as m
from parser.training.templates.meanings.arabic import arabic
from parser.training.templates.meanings.chinese import chinese
from parser.training.templates.meanings.english import english
from parser.training.templates.meanings.german import german
from parser.training.templates.meanings.graph import graph
from parser.training.templates.meanings.lexicon import Verb, adverbs, is_one_of, nouns, verbs
from parser.training.templates.meanings.romance import FRENCH, ITALIAN, SPANISH, sentence
from parser.training.templates.meanings.turkish import turkish
from parser.training.templates.words import Noun, UnsayableError, finished

RULES: Mapping[str, Callable[[m.Meaning, int], str]] = {
    "en": english, "de": german, "es": partial(sentence, SPANISH), "fr": partial(sentence, FRENCH),
    "it": partial(sentence, ITALIAN), "tr": turkish, "zh": chinese, "ar": arabic,
}  # fmt: skip


def sentences(meaning: m.Meaning, rng: Random) -> dict[str, str]:
    """Return a meaning in each language that can express it; articles, style and full stop are random."""
    texts: dict[str, str] = {}
    for lang, rules in RULES.items():
        style = rng.randrange(2)
        for attempt in (style, 1 - style):
            try:
                text = rules(with_articles(meaning, rng), attempt)
            except UnsayableError:
                continue
            texts[lang] = finished(text, lang, rng.random() < 0.9)
            break
    return texts


def with_articles(meaning: m.Meaning, rng: Random) -> m.Meaning:
    """Return a meaning with random articles, which do not change its graph."""

    def one(thing: m.Thing | None) -> m.Thing | None:
        if thing is None:
            return None
        relative = None if thing.relative is None else clause(thing.relative)
        return replace(thing, definite=rng.random() < 0.65, relative=relative)

    def clause(part: m.Clause) -> m.Clause:
        agent, patient, recipient = one(part.agent), one(part.patient), one(part.recipient)
        return replace(part, agent=agent, patient=patient, recipient=recipient)

    if isinstance(meaning, m.Clause):
        return clause(meaning)
    if isinstance(meaning, m.Linked):
        return replace(meaning, clause=clause(meaning.clause), other=clause(meaning.other))
    if isinstance(meaning, m.Command):
        return m.Command(clause(meaning.clause))
    if isinstance(meaning, m.Both):
        return m.Both(clause(meaning.clause), clause(meaning.other))
    who = one(meaning.who)
    assert who is not None
    if isinstance(meaning, m.Comparison):
        than = one(meaning.than)
        assert than is not None
        return m.Comparison(who, meaning.adjective, than)
    return replace(meaning, who=who, clause=clause(meaning.clause))


def constructed_examples(count: int, seed: int, reserved: Container[str]) -> Iterator[Example]:
    """Yield sentences of ``count`` meanings in each language that can express them, each of weight 1.

    A meaning is dropped if its sentence in any language is reserved or in `amrx.examples`.
    """
    if count < 0:
        raise OptionError(f"constructed must be at least 0, got {count}")
    rng = Random(seed)  # noqa: S311
    shown = Reserved(example.text for example in (*meanings(), *foils()))
    for _ in range(count):
        meaning = draw(rng)
        texts = sentences(meaning, rng)
        if any(text in reserved or text in shown for text in texts.values()):
            continue
        packed = pack(linearize(graph(meaning), form="pointer"))
        for lang, text in texts.items():
            yield Example(text, packed, lang, 1.0)


def draw(rng: Random) -> m.Meaning:
    """Draw a meaning."""
    kinds = list(_DRAWN)
    (kind,) = rng.choices(kinds, [_DRAWN[kind][0] for kind in kinds])
    return _DRAWN[kind][1](rng)


def _plain(rng: Random, kind: str) -> m.Clause:
    """Draw a clause with tense, negation and, at times, an adverb."""
    clause = _clause(rng, kind)
    clause = replace(clause, past=rng.random() < 0.6, negated=rng.random() < 0.15)
    return _somewhere(rng, clause) if rng.random() < 0.25 else clause


def _passive(rng: Random) -> m.Meaning:
    clause = _plain(rng, "transitive")
    past = clause.past if clause.adverb else rng.random() < 0.8
    return replace(clause, passive=True, agent=None if rng.random() < 0.2 else clause.agent, past=past)


def _control(rng: Random) -> m.Meaning:
    clause = _clause(rng, rng.choice(("intransitive", "transitive", "transitive", "ditransitive")))
    without = replace(clause, agent=None)
    return m.Control(rng.choice(sorted(m.CONTROLS)), _agent(clause), without, negated=rng.random() < 0.2)


def _wish(rng: Random) -> m.Meaning:
    clause = _short(rng)
    return m.Wish(_other(rng, clause), clause)


def _opinion(rng: Random) -> m.Meaning:
    clause = replace(_short(rng), past=rng.random() < 0.3, negated=rng.random() < 0.15)
    return m.Opinion(rng.choice(sorted(m.OPINIONS)), _other(rng, clause), clause)


def _linked(rng: Random) -> m.Meaning:
    first, other = _short(rng), _short(rng)
    while not _apart(first, other):
        other = _short(rng)
    link = rng.choice(("because", "because", "if", "if", "if", "although", "when"))
    past = link == "when" or (link != "if" and rng.random() < 0.5)
    negated = rng.random() < 0.15
    return m.Linked(replace(first, past=past, negated=negated), replace(other, past=past), link)


def _both(rng: Random) -> m.Meaning:
    first, second = _short(rng), _short(rng)
    while (
        first.verb == second.verb
        or not _apart(first, second)
        or not is_one_of(_agent(first).noun, second.verb.agents)
    ):
        second = _short(rng)
    return m.Both(replace(first, past=rng.random() < 0.5), replace(second, agent=None))


def _comparison(rng: Random) -> m.Meaning:
    who = _noun(rng, ("animate",), set())
    than = _noun(rng, ("person",) if "person" in who.kinds else ("animal",), {who.concepts})
    return m.Comparison(m.Thing(who), rng.choice(m.ADJECTIVES), m.Thing(than))


def _command(rng: Random) -> m.Meaning:
    kinds = ("intransitive", "transitive", "transitive", "ditransitive")
    clause = _clause(rng, rng.choice(kinds))
    while not is_one_of(_agent(clause).noun, ("person",)):
        clause = _clause(rng, rng.choice(kinds))
    clause = replace(clause, agent=None, negated=rng.random() < 0.35)
    places = [one for one in adverbs() if one.when == "any"]
    return m.Command(replace(clause, adverb=rng.choice(places)) if rng.random() < 0.2 else clause)


def _modal(rng: Random) -> m.Meaning:
    modal = rng.choice(("can", "must"))
    return replace(_short(rng), modal=modal, negated=modal == "can" and rng.random() < 0.4)


def _relative(rng: Random) -> m.Meaning:
    head = None
    while not _describable(head):
        inner = _clause(rng, rng.choice(("transitive", "transitive", "ditransitive")))
        subject = inner.recipient is not None or rng.random() < 0.6  # of the relative clause
        head = inner.agent if subject else inner.patient
    assert head is not None
    inner = replace(inner, agent=None) if subject else replace(inner, patient=None)
    described = replace(head, relative=replace(inner, past=rng.random() < 0.3))
    past = rng.random() < 0.4
    if rng.random() < 0.5:
        return m.Clause(_verb(rng, "intransitive", head.noun), described, past=past)
    verb = _verb(rng, "transitive", head.noun)
    things = (inner.agent, inner.patient, inner.recipient, head)
    patient = _noun(rng, verb.patients, {thing.noun.concepts for thing in things if thing})
    return m.Clause(verb, described, _thing(rng, patient), past=past)


_DRAWN: Mapping[str, tuple[int, Callable[[Random], m.Meaning]]] = {
    "transitive": (5, lambda rng: _plain(rng, "transitive")),
    "passive": (4, _passive),
    "ditransitive": (4, lambda rng: _plain(rng, "ditransitive")),
    "intransitive": (1, lambda rng: _plain(rng, "intransitive")),
    "control": (4, _control),
    "wish": (2, _wish),
    "opinion": (3, _opinion),
    "linked": (5, _linked),
    "both": (2, _both),
    "comparison": (1, _comparison),
    "command": (3, _command),
    "modal": (2, _modal),
    "relative": (3, _relative),
}  # fmt: skip
"""Relative frequency of each kind of meaning, and the function that draws it."""


def _agent(clause: m.Clause) -> m.Thing:
    assert clause.agent is not None
    return clause.agent


def _short(rng: Random) -> m.Clause:
    return _clause(rng, rng.choice(("intransitive", "transitive")))


def _clause(rng: Random, kind: str) -> m.Clause:
    verb = _verb(rng, kind)
    agent, used = _noun(rng, verb.agents, set[tuple[str, ...]]()), set[tuple[str, ...]]()
    used.add(agent.concepts)
    patient = recipient = None
    if kind != "intransitive":
        noun = _noun(rng, verb.patients, used)
        used.add(noun.concepts)
        patient = _thing(rng, noun)
    if kind == "ditransitive":
        recipient = _thing(rng, _noun(rng, ("person",), used))
    return m.Clause(verb, _thing(rng, agent), patient, recipient)


def _verb(rng: Random, kind: str, agent: Noun | None = None) -> Verb:
    fitting = [v for v in verbs() if v.kind == kind and (agent is None or is_one_of(agent, v.agents))]
    return rng.choice(fitting)


def _other(rng: Random, clause: m.Clause) -> m.Thing:
    """Return a person who is not yet in the clause."""
    things = (clause.agent, clause.patient, clause.recipient)
    return _thing(rng, _noun(rng, ("person",), {thing.noun.concepts for thing in things if thing}))


def _describable(thing: m.Thing | None) -> bool:
    """Return whether a relative clause may follow: after a person or animal, but not after a name."""
    return thing is not None and not thing.noun.named and is_one_of(thing.noun, ("animate",))


def _somewhere(rng: Random, clause: m.Clause) -> m.Clause:
    """Return a clause with a random adverb, in the tense that the adverb needs."""
    adverb = rng.choice(adverbs())
    past = clause.past if adverb.when == "any" else adverb.when == "past"
    return replace(clause, adverb=adverb, past=past)


def _apart(one: m.Clause, other: m.Clause) -> bool:
    """Return whether two clauses have no noun in common."""
    sets = [
        {thing.noun.concepts for thing in (clause.agent, clause.patient, clause.recipient) if thing}
        for clause in (one, other)
    ]
    return sets[0].isdisjoint(sets[1])


def _noun(rng: Random, kinds: tuple[str, ...], used: set[tuple[str, ...]]) -> Noun:
    return rng.choice([n for n in nouns().values() if is_one_of(n, kinds) and n.concepts not in used])


def _thing(rng: Random, noun: Noun) -> m.Thing:
    if noun.named or rng.random() >= 0.15:
        return m.Thing(noun)
    living = noun.living
    return m.Thing(noun, adjective=rng.choice(m.ADJECTIVES if living else m.ADJECTIVES[:3]))
