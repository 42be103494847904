"""Score the parser on the tour of real text: ``python scripts/evaluate_tour.py OUT.json [PARSER [PAGE.md]]``.

Parses the 50 inputs of ``amrx/examples/tour.amr`` and the 40 sentences of ``ordinary.amr`` with
``split:PARSER``, and scores the graphs by Smatch against accepted graphs: all, by language and by kind.
Writes the rows, and a page (``docs/tour.md``): the score of each kind of the tour, and the worst inputs with
the accepted graph and the parser's. The page's notes, between markers, are written by hand and are preserved.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from amrx.examples import path
from amrx.records import write_json, write_text
from amrx.records.graph_text import encode
from amrx.records.graphs import read_graphs
from amrx.threads import set_threads
from amrx.types import Parse, Sentence
from parser import load
from parser.load import PARSER, with_split
from parser.score.smatch import corpus_smatch

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tour.md"
TOUR, ORDINARY = "Tour of real text", "Ordinary sentences"
WORST = 2
"""Inputs that the page shows."""
START, END = "<!-- notes:start -->", "<!-- notes:end -->"
Pair = tuple[Parse, Parse]
"""The accepted graph and the parser's."""
Row = dict[str, str | float]


def f1(pairs: Sequence[Pair]) -> float:
    """Return the corpus Smatch of accepted and parsed graphs."""
    accepted, parsed = zip(*pairs, strict=True)
    return round(corpus_smatch([p.graph for p in accepted], [p.graph for p in parsed]).f1, 1)


def measure(name: str, pairs: Sequence[Pair], inputs: str = TOUR) -> Iterator[Row]:
    """Yield the rows of all, of each language and of each kind, ready for ``results/``."""
    for task, key in (("by language", lambda p: p.lang), ("by kind", lambda p: p.graph.metadata["kind"])):
        groups: dict[str, list[Pair]] = {"all": list(pairs)}
        for pair in pairs:
            groups.setdefault(key(pair[0]), []).append(pair)
        for group, members in groups.items():
            yield {
                "encoder": name, "task": f"{inputs}, {task}", "language": group, "metric": "smatch",
                "value": f1(members), "n": len(members),
            }  # fmt: skip


def page(name: str, pairs: Sequence[Pair], rows: Sequence[Row], notes: str) -> str:
    """Return the page: scores, notes, and the worst inputs, one per kind, from better to worst."""
    groups = {kind: f1([p for p in pairs if p[0].graph.metadata["kind"] == kind]) for kind in _kinds(pairs)}
    scored = sorted(((f1([pair]), pair) for pair in pairs), key=lambda one: (-one[0], one[1][0].id))
    kinds = [f"{kind} {score}" for kind, score in sorted(groups.items(), key=lambda g: -g[1])]
    parts = [
        "# A tour of real text",
        f"Written by `scripts/evaluate_tour.py`: {len(pairs)} inputs of our own in twelve languages, each\n"
        f"with the graph that an annotator would accept, parsed by `{name}`: Smatch **{rows[0]['value']}**.\n"
        "Names are written as in English; handles, hashtags and emoji are expected to be left out,\n"
        "a sign-off to be `regard :source`. By kind:",
        "\n".join(
            ", ".join(kinds[at : at + 6]) + ("," if at + 6 < len(kinds) else ".")
            for at in range(0, len(kinds), 6)
        ),
        f"{START}\n{notes.strip()}\n{END}",
        f"The worst inputs of {WORST} kinds; `amrx/examples/tour.amr` has all with their accepted graphs.",
        *(_entry(score, *pair) for score, pair in _worst(scored)[-WORST:]),
    ]
    return "\n\n".join(parts) + "\n"


def _worst(scored: Sequence[tuple[float, Pair]]) -> list[tuple[float, Pair]]:
    """Return the last of each kind, in order."""
    last = {pair[0].graph.metadata["kind"]: (score, pair) for score, pair in scored}
    return sorted(last.values(), key=lambda one: -one[0])


def _kinds(pairs: Sequence[Pair]) -> list[str]:
    return list(dict.fromkeys(accepted.graph.metadata["kind"] for accepted, _ in pairs))


def _entry(score: float, accepted: Parse, parsed: Parse) -> str:
    graphs = [("", accepted)] if score == 100 else [("Accepted:", accepted), ("Parsed:", parsed)]
    parts = [f"## {accepted.id}: {score}", f"```text\n{accepted.text}\n```"]
    if parsed.repairs:
        parts.append("Repairs: " + "; ".join(parsed.repairs))
    for title, parse in graphs:
        graph = f"```\n{encode(parse.graph, indent=-1, name=parse.id)}\n```"
        parts.append(f"{title}\n{graph}".strip())
    return "\n\n".join(parts)


def parsed(name: str, file: str) -> list[Pair]:
    """Return the graphs of an example file, accepted and parsed."""
    accepted = list(read_graphs(path(file)))
    graphs = load(name).parse([Sentence(one.id, one.text, one.lang) for one in accepted])
    return list(zip(accepted, graphs, strict=True))


def main(out: Path, name: str = PARSER, file: str | Path = PAGE) -> None:
    """Parse, score, print and write rows and page."""
    set_threads()
    name, target = with_split(name), Path(file)
    pairs = parsed(name, "tour.amr")
    rows = [*measure(name, pairs), *measure(name, parsed(name, "ordinary.amr"), ORDINARY)]
    for row in rows:
        print(f"{row['task']:32} {row['language']:14} {row['value']:5.1f}  ({row['n']})")
    old = target.read_text(encoding="utf-8") if target.is_file() else ""
    notes = old.partition(START)[2].partition(END)[0]
    target.parent.mkdir(parents=True, exist_ok=True)
    write_text(target, page(name, pairs, rows, notes))
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
