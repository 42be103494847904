"""Build the graph of a constructed sentence."""

from dataclasses import replace

import penman

from parser.training.templates.meanings import meaning as m


def graph(meaning: m.Meaning) -> penman.Graph:
    """Return the graph of a meaning.

    Example:
        >>> from parser.training.templates.meanings.lexicon import nouns, verbs
        >>> from parser.training.templates.meanings.meaning import Clause, Control, Thing
        >>> go = next(verb for verb in verbs() if verb.frame == "go-02")
        >>> wants = Control("want", Thing(nouns()["boy"]), Clause(go))
        >>> penman.encode(graph(wants), indent=None)
        '(z0 / want-01 :ARG0 (z1 / boy) :ARG1 (z2 / go-02 :ARG0 z1))'
    """
    writer = _Writer()
    return penman.Graph(writer.triples, top=writer.meaning(meaning))


class _Writer:
    """Collect triples in depth-first order."""

    def __init__(self) -> None:
        self.triples: list[tuple[str, str, str]] = []
        self._count = 0

    def meaning(self, meaning: m.Meaning) -> str:
        if isinstance(meaning, m.Clause):
            return self._modal(meaning) if meaning.modal else self._clause(meaning)
        if isinstance(meaning, m.Control):
            top = self._node(m.CONTROLS[meaning.verb])
            who = self._child(top, ":ARG0", meaning.who)
            inner = self._head(meaning.clause)
            self.triples.append((top, ":ARG1", inner))
            self._roles(inner, meaning.clause, who)
            self._polarity(top, meaning.negated)
            return top
        if isinstance(meaning, m.Comparison):
            return self._comparison(meaning)
        if isinstance(meaning, m.Command):
            return self._command(meaning)
        if isinstance(meaning, m.Both):
            return self._both(meaning)
        if isinstance(meaning, m.Linked):
            return self._linked(meaning)
        top = self._node("want-01" if isinstance(meaning, m.Wish) else m.OPINIONS[meaning.verb])
        self._child(top, ":ARG0", meaning.who)
        index = len(self.triples)
        inner = self.meaning(meaning.clause)
        self.triples.insert(index, (top, ":ARG1", inner))
        return top

    def _linked(self, meaning: m.Linked) -> str:
        top = node = self._clause(meaning.clause)
        *way, last = m.LINKS[meaning.link]
        if way:  # an inverted role and its concept
            node = self._node(way[1])
            self.triples.insert(-1, (node, way[0].removesuffix("-of"), top))
        index = len(self.triples)
        self.triples.insert(index, (node, last, self._clause(meaning.other)))
        return top

    def _comparison(self, meaning: m.Comparison) -> str:
        top = self._node("have-degree-91")
        self._child(top, ":ARG1", meaning.who)
        for role, concept in ((":ARG2", meaning.adjective), (":ARG3", "more")):
            node = self._node(concept)
            self.triples.insert(-1, (top, role, node))
        self._child(top, ":ARG4", meaning.than)
        return top

    def _command(self, meaning: m.Command) -> str:
        top = self._head(meaning.clause)
        self.triples.append((top, ":mode", "imperative"))
        self._polarity(top, meaning.clause.negated)
        you = self._node("you")
        self.triples.insert(-1, (top, meaning.clause.verb.subject, you))
        self._roles(top, replace(meaning.clause, negated=False), None)
        return top

    def _both(self, meaning: m.Both) -> str:
        assert meaning.clause.agent is not None
        top = self._node("and")
        first = self._head(meaning.clause)
        self.triples.insert(-1, (top, ":op1", first))
        who = self._child(first, meaning.clause.verb.subject, meaning.clause.agent)
        self._roles(first, replace(meaning.clause, agent=None), None)
        second = self._head(meaning.other)
        self.triples.insert(-1, (top, ":op2", second))
        self._roles(second, meaning.other, who)
        return top

    def _modal(self, clause: m.Clause) -> str:
        """Write ``can`` or ``must`` above the clause; the agent is an argument of ``must`` as well."""
        can = clause.modal == "can"
        top = self._node("possible-01" if can else "obligate-01")
        who = None
        if not can and clause.agent is not None:
            who = self._child(top, ":ARG1", clause.agent)
        index = len(self.triples)
        inner = self._head(clause)
        self.triples.insert(index, (top, ":ARG1" if can else ":ARG2", inner))
        self._roles(inner, replace(clause, negated=False), who)
        self._polarity(top, clause.negated)
        return top

    def _clause(self, clause: m.Clause) -> str:
        top = self._head(clause)
        self._roles(top, clause, None)
        return top

    def _head(self, clause: m.Clause) -> str:
        return self._node(clause.verb.frame)

    def _roles(self, top: str, clause: m.Clause, who: str | None) -> None:
        if who is not None:
            self.triples.append((top, clause.verb.subject, who))
        elif clause.agent is not None:
            self._child(top, clause.verb.subject, clause.agent)
        for role, thing in ((":ARG1", clause.patient), (":ARG2", clause.recipient)):
            if thing is not None:
                self._child(top, role, thing)
        if clause.adverb is not None:
            node = self._node(clause.adverb.concept)
            self.triples.insert(-1, (top, clause.adverb.role, node))
        self._polarity(top, clause.negated)

    def _polarity(self, top: str, negated: bool) -> None:
        if negated:
            self.triples.append((top, ":polarity", "-"))

    def _child(self, top: str, role: str, thing: m.Thing) -> str:
        index = len(self.triples)
        child = self._thing(thing)
        self.triples.insert(index, (top, role, child))
        return child

    def _thing(self, thing: m.Thing) -> str:
        top = self._node(thing.noun.concepts[0])
        if thing.noun.named:
            name = self._node("name")
            self.triples.insert(-1, (top, ":name", name))
            self.triples.append((name, ":op1", f'"{thing.noun.name}"'))
            return top
        for frame in thing.noun.concepts[1:]:
            inner = self._node(frame)
            self.triples.insert(-1, (inner, ":ARG0", top))
        if thing.adjective:
            mod = self._node(thing.adjective)
            self.triples.insert(-1, (top, ":mod", mod))
        if thing.relative is not None:
            clause = thing.relative
            inner = self._head(clause)
            role = clause.verb.subject if clause.agent is None else ":ARG1"
            self.triples.insert(-1, (inner, role, top))
            self._roles(inner, clause, None)
        return top

    def _node(self, concept: str) -> str:
        name = f"z{self._count}"
        self._count += 1
        self.triples.append((name, ":instance", concept))
        return name
