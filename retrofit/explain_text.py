"""An explanation as text for the terminal, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from amrx.control_characters import visible
from parser.draw.page import bare
from parser.graphs.diff import FACETS, Fact

if TYPE_CHECKING:
    from amrx.types import Parse
    from retrofit.explain import Cosines, Explanation

HEADINGS = {
    "concept": "concepts", "role": "roles", "polarity": "polarity", "name": "names", "quantity": "quantities",
}  # fmt: skip


def as_text(explanation: Explanation) -> str:
    """Return cosines, both graphs, then what agrees and what differs, a fact a line."""
    first, second = explanation.parses
    found = explanation.comparison
    lines = [
        *_cosines(explanation.cosines), "",
        *_sentence("a", first), "", *_sentence("b", second), "",
        explanation.summary,
        "", *_facts("agree", found.agree), "", *_facts("differ (a | b)", found.differ),
    ]  # fmt: skip
    return visible("\n".join(lines), lines=True) + "\n"


def cosine_rows(cosines: Cosines) -> list[tuple[str, float | None]]:
    """Return names and values of the cosines, in the order in which they are shown."""
    combined = f"combined ({cosines.integration}, AMR weight {cosines.weight:g})"
    return [(f"base ({cosines.base_name})", cosines.base), ("AMR", cosines.amr), (combined, cosines.combined)]


def by_facet(facts: Sequence[Fact]) -> list[tuple[str, list[Fact]]]:
    """Group facts under the headings of their kinds; kinds without a fact are left out."""
    groups = [(HEADINGS[facet], [fact for fact in facts if fact.facet == facet]) for facet in FACETS]
    return [(heading, members) for heading, members in groups if members]


def _cosines(cosines: Cosines) -> Iterator[str]:
    rows = cosine_rows(cosines)
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        yield f"{name:<{width}}  " + ("none, for a parse failed" if value is None else f"{value:6.3f}")


def _sentence(letter: str, parse: Parse) -> Iterator[str]:
    why = f" ({'; '.join(parse.repairs)})" if parse.repairs else ""
    yield f"{letter} [{parse.lang}] {parse.text}" + ("" if parse.status == "ok" else f"  {parse.status}{why}")
    yield bare(parse.graph)


def _facts(title: str, facts: Sequence[Fact]) -> Iterator[str]:
    yield title if facts else f"{title}: nothing"
    for heading, members in by_facet(facts):
        yield f"  {heading}"
        yield from (f"    {fact.words.removeprefix('concept: ')}" for fact in members)


def as_json(explanation: Explanation) -> str:
    """Return everything as one JSON object; ``null`` on a side of a fact where that graph says nothing."""
    cosines, found = explanation.cosines, explanation.comparison
    concepts = [{i.source: i.target for i in parse.graph.instances()} for parse in explanation.parses]
    record = {
        "sentences": [_parse(parse) for parse in explanation.parses],
        "cosines": {"base": cosines.base, "amr": cosines.amr, "combined": cosines.combined},
        "base": cosines.base_name,
        "weight": cosines.weight,
        "integration": cosines.integration,
        "smatch": {"f1": found.smatch, "shared": found.shared, "triples": found.sizes},
        "nodes": [{"a": a, "b": b, "concepts": [concepts[0][a], concepts[1][b]]} for a, b in found.pairs],
        "agree": [_fact(fact) for fact in found.agree],
        "differ": [_fact(fact) for fact in found.differ],
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def _parse(parse: Parse) -> dict[str, object]:
    return {
        "text": parse.text, "lang": parse.lang, "graph": bare(parse.graph), "status": parse.status,
        "repairs": parse.repairs,
    }  # fmt: skip


def _fact(fact: Fact) -> dict[str, object]:
    return {
        "facet": fact.facet, "role": fact.role, "of": fact.of, "a": fact.left, "b": fact.right,
        "words": fact.words,
    }  # fmt: skip
