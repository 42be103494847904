"""Write meanings in Chinese.

The table has the word of each verb, or a pattern for a ditransitive verb. ``state`` marks stative verbs,
which have no 在 or 了; ``done`` marks punctual verbs, which always have 了.
"""

from parser.training.templates.meanings import meaning as m
from parser.training.templates.meanings.lexicon import form, word
from parser.training.templates.words import UnsayableError

_OPINIONS = {"think": "认为", "say": "说", "know": "知道", "hope": "希望"}
_CONJUNCTIONS = {"because": ("因为", ""), "if": ("如果", ""), "although": ("虽然", ""), "when": ("当", "时")}
_ADJECTIVES = {"big": "大", "small": "小", "old": "老", "young": "年轻的"}
_PREDICATES = {"big": "大", "small": "小", "old": "老", "young": "年轻"}
_AS_TEXT = {"old": "旧"}  # for things


def chinese(meaning: m.Meaning, style: int = 0) -> str:
    """Return the sentence; style 1 has the object before the verb (把)."""
    if isinstance(meaning, m.Clause):
        return _clause(meaning, style)
    if isinstance(meaning, m.Both):
        raise UnsayableError
    if isinstance(meaning, m.Command):
        begin = ("不要", "别") if meaning.clause.negated else ("请", "")
        return begin[style] + _when(meaning.clause) + _plain(meaning.clause)
    if isinstance(meaning, m.Comparison):
        adjective = _PREDICATES[meaning.adjective]
        return _thing(meaning.who) + "比" + _thing(meaning.than) + adjective
    if isinstance(meaning, m.Linked):
        before, behind = _CONJUNCTIONS[meaning.link]
        return before + _clause(meaning.other, style) + behind + "，" + _clause(meaning.clause, style)
    who = _thing(meaning.who)
    if isinstance(meaning, m.Control):
        no = "不" if meaning.negated else ""
        if meaning.verb == "try" and no:
            raise UnsayableError
        return who + no + {"want": "想", "try": "试图"}[meaning.verb] + _plain(meaning.clause)
    if isinstance(meaning, m.Wish):
        return who + "想让" + _thing(m.required(meaning.clause.agent)) + _plain(meaning.clause)
    assert isinstance(meaning, m.Opinion)
    if meaning.verb == "hope" and meaning.clause.past:
        raise UnsayableError
    return who + _OPINIONS[meaning.verb] + _clause(meaning.clause, style)


def _clause(clause: m.Clause, style: int) -> str:
    verb, state = form(clause.verb, "zh", 0), "state" in clause.verb.forms["zh"][1:]
    if clause.passive:
        if clause.negated or clause.modal or state or not clause.past:
            raise UnsayableError
        return (
            _thing(m.required(clause.patient))
            + _when(clause)
            + "被"
            + _thing(m.required(clause.agent))
            + verb
            + "了"
        )
    who, no = (
        _thing(m.required(clause.agent)) + _when(clause),
        ("没" if clause.past else "不") if clause.negated else "",
    )
    if clause.modal:
        return who + no + {"can": "能", "must": "必须"}[clause.modal] + _plain(clause)
    if clause.recipient is not None:
        if clause.negated or not clause.past:
            raise UnsayableError
        return who + _given(clause, verb)
    if clause.negated:
        if not clause.past and not state:
            raise UnsayableError
        return who + no + verb + _what(clause)
    return who + (verb + _what(clause) if state else _changing(clause, style))


def _changing(clause: m.Clause, style: int) -> str:
    """Return a verb that is not stative, with its aspect and object."""
    verb, marks, what = form(clause.verb, "zh", 0), clause.verb.forms["zh"][1:], _what(clause)
    if not clause.past and "done" not in marks:
        if clause.adverb is not None:
            return verb + what
        return ("在" if style else "正在") + verb + what
    if style and what and "done" in marks and m.required(clause.patient).definite:
        return "把" + what + verb + "了"
    return verb + "了" + what


def _when(clause: m.Clause) -> str:
    return clause.adverb.forms["zh"] if clause.adverb else ""


def _what(clause: m.Clause) -> str:
    return _thing(clause.patient) if clause.patient else ""


def _plain(clause: m.Clause) -> str:
    """Return verb and objects, without 在 and 了."""
    verb = form(clause.verb, "zh", 0)
    if clause.recipient is not None:
        return _given(clause, verb.replace("了", ""))
    return verb + _what(clause)


def _given(clause: m.Clause, pattern: str) -> str:
    what = m.required(clause.patient)
    if pattern.startswith("把") != what.definite:
        raise UnsayableError  # 把 needs a definite object; an indefinite one follows the recipient
    return pattern.format(r=_thing(m.required(clause.recipient)), o=_thing(what))


def _thing(thing: m.Thing) -> str:
    classifier, noun = word(thing.noun, "zh")
    adjective = _ADJECTIVES.get(thing.adjective, "")
    if not thing.noun.living:
        adjective = _AS_TEXT.get(thing.adjective, adjective)
    return ("" if thing.definite else f"一{classifier}") + _relative(thing) + adjective + noun


def _relative(thing: m.Thing) -> str:
    clause = thing.relative
    if clause is None:
        return ""
    if clause.recipient is not None:
        raise UnsayableError
    verb = form(clause.verb, "zh", 0)
    if clause.agent is None:
        return verb + _thing(m.required(clause.patient)) + "的"
    return _thing(clause.agent) + verb + "的"
