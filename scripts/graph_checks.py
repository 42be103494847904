"""Check what a graph must have: for ``evaluate_numbers.py``."""

from __future__ import annotations

import re
from collections.abc import Callable

import penman

_ASKED = frozenset("time date-entity location place thing manner way".split())
"""Concepts of the argument of an indirect question."""
_GIVEN_TO = frozenset(":ARG1 :ARG2 :ARG3 :ARG4 :beneficiary :destination".split())
"""Roles of objects and recipients."""
Check = Callable[[penman.Graph], bool]


def has_only(right: str, wrong: str) -> Check:
    """Check that a concept is in the graph, and no wrong one."""

    def check(graph: penman.Graph) -> bool:
        own = [str(one) for _, _, one in graph.instances()]
        return any(re.fullmatch(right, one) for one in own) and not any(
            re.fullmatch(wrong, one) for one in own
        )

    return check


def has_roles(agent: str, patient: str) -> Check:
    """Check the agent and the patient of one verb."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        return any(
            re.fullmatch(agent, own[one.target]) and re.fullmatch(patient, own[other.target])
            for one in graph.edges(role=":ARG0")
            for other in graph.edges(source=one.source)
            if other.role in (":ARG1", ":ARG2")
        )

    return check


def is_command(event: str, polarity: str) -> Check:
    """Check what is commanded, and whether it is negated."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        modes = [node for node, _, mode in graph.attributes(role=":mode") if mode == "imperative"]
        negated = [node for node, _, value in graph.attributes(role=":polarity") if value == "-"]
        return (
            len(modes) == 1
            and re.fullmatch(event, own[modes[0]]) is not None
            and negated == (modes if polarity else [])
        )

    return check


def has_days(concept: str, *days: str) -> Check:
    """Check the weekdays below *and*, *or* or an interval, in order, and that there are no others."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        day_of = {edge.source: own[edge.target] for edge in graph.edges(role=":weekday")}
        parts = [
            [
                day_of.get(edge.target)
                for edge in sorted(graph.edges(source=node), key=lambda edge: edge.role)
                if edge.role.startswith(":op")
            ]
            for node, one in own.items()
            if one == concept
        ]
        return list(days) in parts and len(day_of) == len(days)

    return check


def is_ill(who: str) -> Check:
    """Check who is ill, and that nobody is a disease."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        ill = {node for node, one in own.items() if re.fullmatch("ill-0.|sick-0.", one)}
        return "disease" not in own.values() and any(
            edge.source in ill and own[edge.target] == who for edge in graph.edges()
        )

    return check


def has_speaker_beside(relative: str) -> Check:
    """Check that a coordination has two members, the speaker and a relative of the speaker."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        related = {edge.source for edge in graph.edges(role=":ARG2") if own[edge.target] == relative}
        relatives = {edge.target for edge in graph.edges(role=":ARG0") if edge.source in related}
        members = [
            {edge.target for edge in graph.edges(source=node) if edge.role.startswith(":op")}
            for node, concept in own.items()
            if concept == "and"
        ]
        return any(len(pair) == 2 and "i" in {own[n] for n in pair} and pair & relatives for pair in members)

    return check


def has_concession(concept: str) -> Check:
    """Check that the concept is a concession."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        targets = [edge.target for edge in graph.edges(role=":concession")]
        return any(re.fullmatch(concept, own[target]) for target in targets)

    return check


def has_language(name: str) -> Check:
    """Check that the only named thing is a language of that name."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        named = [(own[edge.source], edge.target) for edge in graph.edges(role=":name")]
        words = [str(one.target).strip('"') for _, node in named for one in graph.attributes(source=node)]
        return [concept for concept, _ in named] == ["language"] and words == [name]

    return check


def has_thanks(deed: str) -> Check:
    """Check that the speaker thanks the hearer for a deed of the hearer, or for nothing."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        roles = {role: own[target] for _, role, target in graph.edges(source=graph.top)}
        agents = [own[one.target] for one in graph.edges(role=":ARG0") if one.source != graph.top]
        people = own[str(graph.top)], roles.get(":ARG0"), roles.get(":ARG1")
        is_for = re.fullmatch(deed, roles.get(":ARG2", "")) is not None
        return people == ("thank-01", "i", "you") and is_for and set(agents) <= {"you"}

    return check


def has_range(role: str, first: str, second: str) -> Check:
    """Check that a range has two ends, and that the graph has no other value of their kind."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        values = {one.source: one.target for one in graph.attributes(role=role)}
        ends = [
            [values.get(edge.target) for edge in sorted(graph.edges(source=node), key=lambda edge: edge.role)]
            for node, concept in own.items()
            if concept == "date-interval"
        ]
        return ends == [[first, second]] and len(values) == 2

    return check


def has_place(event: str, place: str) -> Check:
    """Check where something happens, and that the place takes no other part in it."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        roles = [
            edge.role
            for edge in graph.edges()
            if re.fullmatch(event, own[edge.source]) and re.fullmatch(place, own[edge.target])
        ]
        return roles == [":location"]

    return check


def has_time_inside(verb: str, time: str) -> Check:
    """Check that a verb has a time, alone or as a weekday, and that no other verb has it."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        dates = {edge.source for edge in graph.edges(role=":weekday") if own[edge.target] == time}
        times = dates | {node for node, concept in own.items() if concept == time and not dates}
        above = [own[edge.source] for edge in graph.edges() if edge.target in times]
        return len(above) == 1 and re.fullmatch(verb, above[0]) is not None

    return check


def asks_about(event: str, about: str, thing: str, asked: str) -> Check:
    """Check that an event of a thing asks for one of its roles, and that the graph says no more."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        roles = {(edge.source, edge.role): own[edge.target] for edge in graph.edges()}
        top = str(graph.top)
        is_about = re.fullmatch(thing, roles.get((top, about), "")) is not None
        return own[top] == event and is_about and roles.get((top, asked)) == "amr-unknown" and len(own) == 3

    return check


def has_age_difference(concept: str) -> Check:
    """Check that a pronoun is so many years older or younger, and nobody is so many years old."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        degrees = [node for node, one in own.items() if one == "have-degree-91"]
        roles = [{edge.role: edge.target for edge in graph.edges(source=node)} for node in degrees]
        if len(roles) != 1 or "age-01" in own.values():
            return False
        more = roles[0].get(":ARG3", "")
        years = [edge for edge in graph.edges(source=more) if own[edge.target] == "temporal-quantity"]
        who = own.get(roles[0].get(":ARG1", ""))
        return who in ("he", "she") and own.get(roles[0].get(":ARG2", "")) == concept and len(years) == 1

    return check


def has_two_positive(graph: penman.Graph) -> bool:
    """Return whether a graph coordinates two members, and negates and contrasts nothing."""
    own = {node: str(one) for node, _, one in graph.instances()}
    members = [edge for edge in graph.edges(source=graph.top) if edge.role in (":op1", ":op2")]
    is_negated = any(role == ":polarity" for _, role, _ in graph.triples)
    return own[str(graph.top)] == "and" and len(members) == 2 and not is_negated


def has_stop(action: str) -> Check:
    """Check an action that stops, without a negation."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        stops = {node for node, one in own.items() if one in ("stop-01", "quit-01", "cease-01")}
        actions = [own[one.target] for one in graph.edges(role=":ARG1") if one.source in stops]
        is_negated = any(role == ":polarity" for _, role, _ in graph.triples)
        return not is_negated and any(re.fullmatch(action, one) for one in actions)

    return check


def has_owner(thing: str, owner: str) -> Check:
    """Check the only owner of a thing, by what that owner does."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        owners = [one.target for one in graph.edges(role=":poss") if re.fullmatch(thing, own[one.source])]
        makers = [one.source for one in graph.edges(role=":ARG0") if one.target in owners]
        said = [own[one] for one in makers] + [
            own[e.target] for one in makers for e in graph.edges(source=one)
        ]
        return len(owners) == 1 and any(re.fullmatch(owner, one) for one in said)

    return check


def has_possessor(thing: str, owner: str) -> Check:
    """Check the only owner of a thing, or the only agent of an act."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        owners = [
            own[edge.target]
            for edge in graph.edges()
            if re.fullmatch(thing, own[edge.source]) and edge.role in (":poss", ":ARG0")
        ]
        return owners == [owner]

    return check


def has_question(kind: str, event: str) -> Check:
    """Check the time, place, manner or cause of an event, as an argument."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        asked = {edge.target for edge in graph.edges(role=":ARG1") if own[edge.target] in _ASKED}
        asked |= {node for node, one in own.items() if one == "amr-unknown"}
        if kind == "cause":
            causes = {edge.source for edge in graph.edges(role=":ARG0") if edge.target in asked}
            effects = [edge for edge in graph.edges(role=":ARG1") if edge.source in causes]
            return any(
                own[edge.source] == "cause-01" and re.fullmatch(event, own[edge.target]) for edge in effects
            )
        return any(
            re.fullmatch(event, own[edge.source]) and edge.target in asked
            for edge in graph.edges(role=f":{kind}")
        )

    return check


def has_exception(thing: str) -> Check:
    """Check a thing below *except*."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        excepted = [edge.target for edge in graph.edges(role=":ARG1") if own[edge.source] == "except-01"]
        makers = {edge.source for edge in graph.edges(role=":ARG0") if edge.target in excepted}
        said = {own[one] for one in makers.union(excepted)} | {
            own[edge.target] for edge in graph.edges() if edge.source in makers
        }
        return any(re.fullmatch(thing, one) for one in said)

    return check


def has_hearer(pronoun: str) -> Check:
    """Check that a pronoun is told something, and tells nothing."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        roles = {
            edge.role
            for edge in graph.edges()
            if own[edge.target] == pronoun
            and re.fullmatch("(?:tell|say|promise|explain|inform)-01", own[edge.source])
        }
        return bool(roles) and ":ARG0" not in roles

    return check


def has_argument(verb: str, pronoun: str) -> Check:
    """Check a pronoun as an object or recipient of a verb."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        return any(
            re.fullmatch(verb, own[edge.source]) and re.fullmatch(pronoun, own[edge.target])
            for edge in graph.edges()
            if edge.role in _GIVEN_TO
        )

    return check


def says_only(agent: str, patient: str) -> Check:
    """Check the roles, and that nothing is commanded."""
    has_both = has_roles(agent, patient)
    return lambda graph: has_both(graph) and not graph.attributes(role=":mode")


def has_list(members: tuple[str, ...]) -> Check:
    """Check the members of one list."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        lists = [node for node, concept in own.items() if concept == "and"]
        listed = [sorted(own[edge.target] for edge in graph.edges(source=node)) for node in lists]
        return sorted(members) in listed

    return check


def has_negated_condition(graph: penman.Graph) -> bool:
    """Return whether the condition is negated."""
    conditions = {edge.target for edge in graph.edges(role=":condition")}
    return (
        len(conditions) == 1
        and {node for node, role, _ in graph.triples if role == ":polarity"} == conditions
    )


def has_agent(concept: str) -> Check:
    """Check the agent of a verb."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        agents = [own[edge.target] for edge in graph.edges(source=graph.top, role=":ARG0")]
        return len(agents) == 1 and re.fullmatch(concept, agents[0]) is not None

    return check


def has_negation(*concepts: str) -> Check:
    """Check that these concepts are negated, and no others."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        negated = [own[node] for node, role, _ in graph.triples if role == ":polarity"]
        return len(negated) == len(concepts) and all(
            any(re.fullmatch(concept, one) for one in negated) for concept in concepts
        )

    return check


def has_relation(concepts: set[str], day: str) -> Check:
    """Check the relation above a weekday."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(concept) for node, _, concept in graph.instances()}
        dates = {date for date, _, node in graph.edges(role=":weekday") if own[node] == day}
        return any(own[node] in concepts and date in dates for node, _, date in graph.edges(role=":op1"))

    return check


def has_time(verb: str, time: str) -> Check:
    """Check the time of a verb, also below *before* or *after*, without an amount."""

    def check(graph: penman.Graph) -> bool:
        own = {node: str(one) for node, _, one in graph.instances()}
        times = [
            edge.target
            for edge in graph.edges()
            if re.fullmatch(verb, own[edge.source]) and edge.role in (":time", ":mod", ":ARG1-of")
        ]
        times += [edge.target for edge in graph.edges(role=":op1") if edge.source in times]
        return any(re.fullmatch(time, own[one]) for one in times) and not graph.attributes(role=":quant")

    return check


def has_attribute(role: str, constant: str) -> Check:
    """Check that a role has a constant."""
    return lambda graph: any(value == constant for _, _, value in graph.attributes(role=role))


def has_bound(concept: str, number: str) -> Check:
    """Check a number below the concept of its bound."""
    return lambda graph: any(
        (node, ":instance", concept) in graph.triples
        for node, _, value in graph.attributes(role=":op1")
        if value == number
    )


def has_concept(concept: str) -> Check:
    """Check that a concept is in the graph."""
    return lambda graph: any(value == concept for _, _, value in graph.instances())
