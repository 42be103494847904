"""Mewsli-X: link mentions in the news to entities, among a million descriptions in fifty languages.

::

    wikinews_mentions-test.jsonl   one article per line: context.{language, text, sentence_spans},
                                   mentions[].{entity_id, mention_span.{start, end, text}}
    candidate_set_entities.jsonl   one entity per line: entity_id, description, description_language,
                                   sentence_spans

Mentions are formatted as in XTREME-R's baseline: ``Smith: The verdict came back for { Smith } .``
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amrx.errors import InputError
from amrx.evaluation.data_folders import Data, check_count
from amrx.evaluation.neighbours.nearest import load_faiss
from amrx.evaluation.neighbours.pool import Entry, PoolSearch
from amrx.evaluation.results.rows import Scored, Skipped, group_means, mean_scored
from amrx.evaluation.tasks.retrieval.lareqa import DEPTH
from amrx.evaluation.tasks.task import Column, Described
from amrx.records.json_lines import Node, read_objects
from amrx.types import Vectors

_BRACES = re.compile(r"\{(.*?)\}")


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention in its sentence, and the entity it refers to."""

    language: str
    text: str
    entity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MewsliTask(Described):
    """Entity retrieval; see `amrx.evaluation.tasks.task.Task`."""

    languages: tuple[tuple[str, int], ...]  # ISO 639-1 codes and numbers of mentions, in table order
    mentions: str  # path of the articles below the data folder
    entities: str  # path of the entities below the data folder
    candidates: int  # number of entities
    group: str = "retrieval"
    shown: tuple[str, ...] = (f"mAP@{DEPTH}",)

    def load(self, data: Data) -> tuple[list[MewsliPart], list[Skipped]]:
        """Read and check the mentions and all entities; only the names of entities are kept."""
        files = [data / self.mentions, data / self.entities]
        missing = [file for file in files if not file.is_file()]
        if missing:
            return [], [Skipped(self.name, code, missing[0], self.fetch) for code, _ in self.languages]
        load_faiss()  # fail now, not after an hour of encoding
        mentions = tuple(read_mentions(files[0]))
        for code, count in self.languages:
            own = sum(mention.language == code for mention in mentions)
            check_count(own, count, f"mentions of language {code!r}", self.name, files[0])
        names = [entity.name for entity in read_entities(files[1])]
        check_count(len(names), self.candidates, "entities", self.name, files[1])
        unknown = {mention.entity for mention in mentions}.difference(names)
        if unknown:
            raise InputError(f"no entity {min(unknown)!r}, to which a mention refers", file=files[1])
        return [MewsliPart(self, mentions, files[1])], []

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over the languages."""
        return group_means(scores, [("all", [code for code, _ in self.languages])])


@dataclass(frozen=True, slots=True)
class MewsliPart:
    """The mentions of every language, and the path of the entities."""

    task: MewsliTask
    mentions: tuple[Mention, ...]
    entities: Path

    def _of(self, code: str) -> list[Mention]:
        return [mention for mention in self.mentions if mention.language == code]

    def columns(self) -> list[Column]:
        """Return the mentions of each language."""
        return [Column([mention.text for mention in self._of(code)], code) for code, _ in self.task.languages]

    def score_pool(self, label: str, vectors: Sequence[Vectors], search: PoolSearch) -> list[Scored]:
        """Return the mean average precision of each language: the mean of 1 / rank of the right entity.

        An entity below rank 20 counts as 0.
        """
        queries = np.concatenate([vectors[index] for index in range(len(self.task.languages))])
        ranked = search(read_entities(self.entities), queries, DEPTH).names
        scored, start = [], 0
        for code, count in self.task.languages:
            gold = np.array([mention.entity for mention in self._of(code)], dtype=np.object_)
            hits = ranked[start : start + count] == gold[:, None]  # (n, k)
            items = np.where(hits.any(axis=1), 1 / (1 + hits.argmax(axis=1)), 0.0)
            scored.append(mean_scored(label, self.task.name, code, self.task.shown[0], items))
            start += count
        return scored


def read_entities(file: Path) -> Iterator[Entry]:
    """Yield the descriptions, sentence by sentence with single spaces, under the names of their entities."""
    for node in read_objects(file):
        yield Entry(_description(node), node.get("description_language").text(), node.get("entity_id").text())


def _description(node: Node) -> str:
    """Return the sentences of an entity's description."""
    description, spans = node.get("description"), node.list("sentence_spans")
    text = _tidy(" ".join(_cut(description, span) for span in spans))
    if not text:
        raise description.error("has no sentence with text")
    return text


def read_mentions(file: Path) -> Iterator[Mention]:
    """Yield the mentions of all articles."""
    for node in read_objects(file):
        context = node.get("context")
        if context.get("text").value == "":
            hint = "is empty; get-mewsli-x.sh writes wikinews_mentions-test.jsonl with the text"
            raise context.get("text").error(hint)
        language = context.get("language").text()
        for mention in node.list("mentions"):
            yield Mention(language, _in_sentence(context, mention), mention.get("entity_id").text())


def read_pairs(file: Path) -> Iterator[tuple[str, str]]:
    """Yield mentions of English Wikipedia with the descriptions of their entities, to train on.

    They are formatted as mentions and entities of the test.
    """
    for node in read_objects(file):
        mention = node.get("contextual_mention")
        yield _in_sentence(mention.get("context"), mention.get("mention")), _description(node.get("entity"))


def _in_sentence(context: Node, mention: Node) -> str:
    text = context.get("text").text()
    spans = [_span(span, len(text)) for span in context.list("sentence_spans")]
    return _marked(text, spans, mention.get("mention_span"))


def _marked(text: str, spans: Sequence[tuple[int, int]], mention: Node) -> str:
    """Return the mention, a colon, and its sentence with the mention in braces."""
    start, end = _span(mention, len(text))
    if text[start:end] != mention.get("text").text():
        raise mention.error(f"{mention.get('text').value!r} is not the text of the span")
    around = [span for span in spans if span[0] <= start and end <= span[1]]
    if not around:
        raise mention.error("is in no sentence of sentence_spans")
    left, right = (
        _BRACES.sub(r"(\1)", part) for part in (text[around[0][0] : start], text[end : around[0][1]])
    )
    return _tidy(f"{text[start:end]}: {left} {{ {text[start:end]} }} {right}")


def _span(node: Node, length: int) -> tuple[int, int]:
    start, end = node.get("start").integer(), node.get("end").integer()
    if not 0 <= start < end <= length:
        raise node.error(f"span {start} to {end} is not within {length} letters")
    return start, end


def _cut(text: Node, span: Node) -> str:
    start, end = _span(span, len(text.text()))
    return text.text()[start:end]


def _tidy(text: str) -> str:
    return " ".join(text.splitlines()).replace("  ", " ").strip()


MEWSLI_X = MewsliTask(
    name="mewsli-x",
    languages=(
        ("ar", 1501), ("de", 1551), ("en", 1490), ("es", 1552), ("fa", 458), ("ja", 1519), ("pl", 1562),
        ("ro", 672), ("ta", 1567), ("tr", 1215), ("uk", 1537),
    ),
    mentions="retrieval/mewsli-x/wikinews_mentions-test.jsonl",
    entities="retrieval/mewsli-x/candidate_set_entities.jsonl", candidates=1_003_893,
    note="Mewsli-X test (Ruder et al. 2021, XTREME-R; release 20220518, whose results do not compare with "
    "the paper's); a mention in its sentence against a million entities; cosine, no training",
    fetch="https://github.com/google-research/google-research, "
    "dense_representations_for_entity_retrieval/mel/get-mewsli-x.sh, its two files as retrieval/mewsli-x",
)  # fmt: skip
