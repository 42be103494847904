"""The training corpus of the shipped AMR encoder: open data, parsed where no sembank has the graph.

A group is one English sentence with its translations. Groups come from STS-B train (graded pairs, six
languages), SNLI dev (triplets), SICK and MRPC of BAMBOO (graded pairs and paraphrases) and Tatoeba (Arabic
and Turkish). English sentences of BAMBOO keep BAMBOO's graphs. Nothing that `parser.corpora.leakage`
reserves is taken.
"""

from __future__ import annotations

import json
import random
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import penman

from amrx.records import atomic_path
from amrx.types import Parser, Sentence
from linearize import join_tokens, linearize
from parser.corpora.lines import read_columns
from parser.corpora.parallel import stsb, training_pairs
from parser.corpora.sembanks import bamboo_pairs

LANGS = ("de", "es", "fr", "it", "zh", "nl")
PARAPHRASE = 0.5


@dataclass(frozen=True)
class Amounts:
    """How much to take; small enough for an hour on two cores.

    Attributes:
        translations: Translations of each STS-B sentence, drawn from `LANGS`.
        triplets: SNLI triplets.
        everyday: Tatoeba pairs of each of Arabic and Turkish.
        seed: Of all draws.
    """

    translations: int = 1
    triplets: int = 1_200
    everyday: int = 1_500
    seed: int = 0


@dataclass
class Gathered:
    """Groups, sentences and relations between groups."""

    groups: dict[str, int] = field(default_factory=dict)
    sentences: list[tuple[int, str, str]] = field(default_factory=list)
    graphs: dict[int, penman.Graph] = field(default_factory=dict)
    triplets: list[dict[str, int]] = field(default_factory=list)
    pairs: list[dict[str, float | int | None]] = field(default_factory=list)

    def group(self, english: str, graph: penman.Graph | None = None) -> int:
        """Return the group of an English sentence, new when it is seen first."""
        number = self.groups.get(english)
        if number is None:
            number = self.groups[english] = len(self.groups)
            if graph is not None:
                self.graphs[len(self.sentences)] = graph
            self.sentences.append((number, "en", english))
        return number


def gather(data: Path, reserved: Container[str], amounts: Amounts) -> Gathered:
    """Collect sentences and relations; parse nothing yet."""
    rng = random.Random(amounts.seed)  # noqa: S311
    found = Gathered()
    _graded(found, data, reserved, rng, amounts.translations)
    _bamboo(found, data, reserved)
    _triplets(found, data, reserved, amounts.triplets)
    for lang in ("ar", "tr"):
        pairs = list(training_pairs(data, [lang], reserved, ["tatoeba"]))
        for pair in rng.sample(pairs, min(amounts.everyday, len(pairs))):
            found.sentences.append((found.group(pair.english), lang, pair.foreign))
    return found


def _graded(
    found: Gathered, data: Path, reserved: Container[str], rng: random.Random, translations: int
) -> None:
    names = [*LANGS]
    sides = {lang: [pair.foreign for pair in stsb(data, [lang])] for lang in names}
    english = [pair.english for pair in stsb(data, names[:1])]
    pairs = list(bamboo_pairs(data / "amr" / "bamboo" / "sts", "train"))
    for row in range(0, len(english), 2):
        first, second = english[row], english[row + 1]
        if first in reserved or second in reserved:
            continue
        graphs = (pairs[row // 2].source.graph, pairs[row // 2].target.graph)
        numbers = [found.group(first, graphs[0]), found.group(second, graphs[1])]
        found.pairs.append({"a": numbers[0], "b": numbers[1], "score": pairs[row // 2].score})
        for side, number in enumerate(numbers):
            for lang in rng.sample(names, translations):
                if sides[lang][row + side] not in reserved:
                    found.sentences.append((number, lang, sides[lang][row + side]))


def _bamboo(found: Gathered, data: Path, reserved: Container[str]) -> None:
    for name in ("sick", "para"):
        for pair in bamboo_pairs(data / "amr" / "bamboo" / name, "train"):
            if pair.source.snt in reserved or pair.target.snt in reserved:
                continue
            a = found.group(pair.source.snt, pair.source.graph)
            b = found.group(pair.target.snt, pair.target.graph)
            if name == "sick":
                found.pairs.append({"a": a, "b": b, "score": pair.score})
            elif pair.score > PARAPHRASE:
                found.pairs.append({"a": a, "b": b, "score": None})


def _triplets(found: Gathered, data: Path, reserved: Container[str], most: int) -> None:
    sides: dict[str, dict[str, str]] = {}
    for premise, hypothesis, label, *_ in read_columns(data / "nli" / "snli" / "dev.tsv", 3):
        if premise not in reserved and hypothesis not in reserved:
            sides.setdefault(premise, {}).setdefault(label, hypothesis)
    whole = ((p, s) for p, s in sides.items() if "entailment" in s and "contradiction" in s)
    for premise, side in islice(whole, most):
        found.triplets.append(
            {
                "premise": found.group(premise),
                "entailment": found.group(side["entailment"]),
                "contradiction": found.group(side["contradiction"]),
            }
        )


def write(out: Path, found: Gathered, parser: Parser, *, progress: bool = False) -> dict[str, int]:
    """Parse what has no graph and write the corpus folder; returns counts by status.

    Raises:
        OutputError: The folder cannot be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    todo = [i for i in range(len(found.sentences)) if i not in found.graphs]
    asked = [Sentence(str(i), found.sentences[i][2], found.sentences[i][1]) for i in todo]
    parses = dict(zip(todo, parser.parse(asked, batch_size=128, progress=progress), strict=True))
    counts: dict[str, int] = {}
    rows = []
    for i in range(len(found.sentences)):
        graph = found.graphs[i] if i in found.graphs else parses[i].graph
        status = "ok" if i in found.graphs else parses[i].status
        counts[status] = counts.get(status, 0) + 1
        rows.append({"id": i, "tokens": join_tokens(linearize(graph)), "status": status})
    _lines(out / "parses.jsonl", rows)
    sentences = [
        {"id": i, "group": g, "lang": lang, "text": t} for i, (g, lang, t) in enumerate(found.sentences)
    ]
    _lines(out / "sentences.jsonl", sentences)
    _lines(out / "triplets.jsonl", found.triplets)
    _lines(out / "pairs.jsonl", found.pairs)
    return counts


def _lines(path: Path, rows: Iterable[object] | Sequence[object]) -> None:
    with atomic_path(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
