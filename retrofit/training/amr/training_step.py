"""Plan a training step as data: the drawn rows, the foils, and the losses over their vectors.

::

    plan(step)                 numpy only, follows from (seed, step)
      rows   [nli a | nli + | nli - | pairs a | pairs b | distill | graded a | graded b | edits a | edits b]
      foils  [pairs | distill], each with the row from which it was made; [edits], both changed graphs
    losses(plan, vectors)      torch, one term per objective
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import torch

from retrofit.amr.pieces import Ints, ends, tokenize_words
from retrofit.training.amr.corpus import Corpus
from retrofit.training.amr.edits import Editor
from retrofit.training.amr.foils import make_foil
from retrofit.training.amr.losses import (
    cosent_loss,
    edit_loss,
    foil_loss,
    info_nce,
    ranking_loss,
    regression_loss,
)
from retrofit.training.amr.prepare import Prepared
from retrofit.training.amr.recipe import Contrast, Distill, Edits, Recipe
from retrofit.training.shuffled import Shuffled

_FOILED = {"pairs": "pairs.1", "distill": "distill"}
"""The block from which the foils of an objective are made."""


@dataclass(slots=True)
class Plan:
    """Rows to encode, and the block of each objective."""

    rows: list[Ints] = field(default_factory=list)  # rows of `Prepared.rows`, in blocks
    # extra sequences of pieces, in blocks, encoded after the rows
    foils: list[list[int]] = field(default_factory=list)
    # name to (first, last) index in ``rows``
    blocks: dict[str, tuple[int, int]] = field(default_factory=dict)
    # name to (first, last) index in ``foils``
    foil_blocks: dict[str, tuple[int, int]] = field(default_factory=dict)
    foil_rows: list[int] = field(default_factory=list)  # index in ``rows`` of the original of each foil
    # meaning of each draw of ``distill``
    groups: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    # gold score of each pair of ``graded``
    scores: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    # rows of ``parses`` of both blocks of ``edits``
    edited: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def add(self, name: str, rows: Ints) -> None:
        """Append a block of rows."""
        start = sum(len(block) for block in self.rows)
        self.rows.append(rows)
        self.blocks[name] = (start, start + len(rows))

    def all_rows(self) -> Ints:
        """Return the rows of all blocks, in order."""
        return np.concatenate(self.rows)


class Objectives:
    """The active objectives on one corpus."""

    def __init__(
        self,
        corpus: Corpus,
        prepared: Prepared,
        recipe: Recipe,
        teacher: torch.Tensor | None,
        base: torch.Tensor | None = None,
    ) -> None:
        self._prepared, self._recipe, self._teacher, self._base = prepared, recipe, teacher, base
        self._corpus = corpus
        shown = [recipe.languages.get(code, 0) > 0 for code in corpus.languages]
        parsed = (corpus.table >= 0) & np.array(shown)
        self._translated = np.flatnonzero(parsed.sum(axis=1) > 1)  # meanings with two graphs
        self._pieces: dict[str, list[int]] = {}
        counts = np.bincount(corpus.parses.flat, minlength=len(corpus.words))
        self._editor = Editor(corpus.words, counts.tolist()) if recipe.edits.weight > 0 else None
        self._triplets = corpus.triplets
        graded = ~np.isnan(corpus.scores)
        self._graded, self._scores = corpus.pairs[graded], corpus.scores[graded]
        groups = np.flatnonzero((corpus.table >= 0).any(axis=1))  # meanings with at least one parse
        both = np.stack([groups, groups], axis=1)
        self._alike = np.concatenate([both, corpus.pairs[~graded].reshape(-1, 2)])
        self._meanings = groups
        self._pools: dict[str, Shuffled] = {}
        sizes = {
            "nli": len(self._triplets), "pairs": len(self._alike),
            "distill": len(groups), "graded": len(self._graded), "edits": len(self._translated),
        }  # fmt: skip
        for stream, (name, size) in enumerate(sizes.items()):
            part: Contrast | Distill | Edits = getattr(recipe, name)
            if part.weight > 0 and size > 0:
                self._pools[name] = Shuffled(size, (recipe.seed, 1, stream))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the objectives that are active and have data."""
        spoiled = ("foils",) if self._recipe.foils.weight > 0 and self._recipe.foils.share > 0 else ()
        return (*self._pools, *(spoiled if {"pairs", "distill"} & self._pools.keys() else ()))

    def plan(self, step: int) -> Plan:
        """Draw the plan of one step, which depends only on (seed, step)."""
        random = np.random.default_rng((self._recipe.seed, 2, step))
        plan = Plan()
        draw = self._prepared.drawer.draw
        if "nli" in self._pools:
            chosen = self._triplets[self._pools["nli"].take(step, self._recipe.nli.batch)]
            for side in range(3):
                plan.add(f"nli.{side}", draw(chosen[:, side], random))
        if "pairs" in self._pools:
            self._plan_pairs(plan, step, random)
        if "distill" in self._pools:
            plan.groups = self._meanings[self._pools["distill"].take(step, self._recipe.distill.batch)]
            rows = draw(plan.groups, random)
            plan.add("distill", rows)
            self._add_foils(plan, "distill", rows, random)
        if "graded" in self._pools:
            chosen = self._pools["graded"].take(step, self._recipe.graded.batch)
            plan.scores = self._scores[chosen]
            for side in range(2):
                plan.add(f"graded.{side}", draw(self._graded[chosen, side], random))
        if "edits" in self._pools:
            self._plan_edits(plan, step, random)
        return plan

    def losses(self, plan: Plan, vectors: torch.Tensor, student: torch.Tensor) -> dict[str, torch.Tensor]:
        """Return one loss per objective."""
        recipe, losses = self._recipe, dict[str, torch.Tensor]()

        def block(name: str) -> torch.Tensor:
            return vectors[slice(*plan.blocks[name])]

        if "nli.0" in plan.blocks:
            candidates = torch.cat([block("nli.1"), block("nli.2")])
            losses["nli"] = ranking_loss(block("nli.0"), candidates, temperature=recipe.nli.temperature)
        if "pairs.0" in plan.blocks:
            candidates = torch.cat([block("pairs.1"), self._foils(plan, "pairs", vectors)])
            losses["pairs"] = ranking_loss(block("pairs.0"), candidates, temperature=recipe.pairs.temperature)
        if "distill" in plan.blocks:
            losses["distill"] = self._distill(plan, student)
        if "graded.0" in plan.blocks:
            scores = torch.from_numpy(plan.scores).float().to(vectors.device)
            losses["graded"] = cosent_loss(
                block("graded.0"), block("graded.1"), scores, temperature=recipe.graded.temperature
            )
        if "edits.0" in plan.blocks:
            assert self._base is not None
            graphs = torch.cat([block("edits.0"), block("edits.1"), self._foils(plan, "edits", vectors)])
            losses["edits"] = edit_loss(
                graphs, self._base[torch.from_numpy(plan.edited).to(self._base.device)].float(),
                weight=recipe.edits.base_weight, base_kept=recipe.edits.base_kept,
                temperature=recipe.edits.temperature,
            )  # fmt: skip
        if recipe.foils.weight > 0 and plan.foil_rows:
            offset = len(vectors) - len(plan.foils)
            spoiled = vectors[offset : offset + len(plan.foil_rows)]
            own = vectors[torch.tensor(plan.foil_rows, device=vectors.device)]
            losses["foils"] = foil_loss(own, spoiled, ceiling=recipe.foils.ceiling)
        return losses

    def _distill(self, plan: Plan, student: torch.Tensor) -> torch.Tensor:
        """Return the loss of the rows of ``distill`` against the teacher's vectors."""
        assert self._teacher is not None
        part, drawn = self._recipe.distill, student[slice(*plan.blocks["distill"])]
        goal = self._teacher[torch.from_numpy(plan.groups).to(student.device)].float()
        loss = regression_loss(drawn, goal)
        if part.contrast > 0:
            loss = loss + part.contrast * info_nce(
                drawn, goal, self._foils(plan, "distill", student),
                temperature=part.temperature, same_above=part.same_above,
            )  # fmt: skip
        return loss

    def _foils(self, plan: Plan, name: str, vectors: torch.Tensor) -> torch.Tensor:
        first, last = plan.foil_blocks.get(name, (0, 0))
        offset = len(vectors) - len(plan.foils)
        return vectors[offset + first : offset + last]

    def _plan_pairs(self, plan: Plan, step: int, random: np.random.Generator) -> None:
        """Draw two rows of one meaning, in different languages if possible, or one row of each paraphrase.

        A meaning whose two draws are the same row is left out; if all are, so is the block.
        """
        chosen = self._alike[self._pools["pairs"].take(step, self._recipe.pairs.batch)]
        first, second, differ = self._prepared.drawer.draw_two(chosen[:, 0], random)
        other = self._prepared.drawer.draw(chosen[:, 1], random)
        paraphrase = chosen[:, 0] != chosen[:, 1]
        second = np.where(paraphrase, other, second)
        kept = paraphrase | differ
        if not kept.any():
            return
        plan.add("pairs.0", first[kept])
        plan.add("pairs.1", second[kept])
        self._add_foils(plan, "pairs", second[kept], random)

    def _plan_edits(self, plan: Plan, step: int, random: np.random.Generator) -> None:
        """Draw two graphs of each meaning and change both; a meaning in which no change fits is left out."""
        corpus, part = self._corpus, self._recipe.edits
        assert self._editor is not None
        weights = np.array([self._recipe.languages.get(code, 0.0) for code in corpus.languages])
        chosen: list[npt.NDArray[np.int32]] = []
        changed: list[tuple[list[str], list[str]]] = []
        for group in self._translated[self._pools["edits"].take(step, part.batch)]:
            usable = weights * (corpus.table[group] >= 0)
            pair = random.choice(len(usable), size=2, replace=False, p=usable / usable.sum())
            rows = corpus.table[group][pair]
            first, second = ([corpus.words[word] for word in corpus.parses.row(int(row))] for row in rows)
            made = self._editor.change(first, second, part.kinds, random)
            if made is not None:
                chosen.append(rows)
                changed.append(made)
        if not changed:
            return
        rows = np.array(chosen, dtype=np.int64)  # (n, 2)
        plan.edited = rows.T.flatten()
        start = len(plan.foils)
        for side in range(2):
            plan.add(f"edits.{side}", rows[:, side])
            plan.foils += [self._encoded(graphs[side]) for graphs in changed]
        plan.foil_blocks["edits"] = (start, len(plan.foils))

    def _encoded(self, tokens: Sequence[str]) -> list[int]:
        """Return the pieces of a graph, cut as all rows are."""
        new = list(dict.fromkeys(token for token in tokens if token not in self._pieces))
        if new:
            pieces = tokenize_words(new, self._prepared.tokenizer)
            self._pieces |= {token: pieces.row(number).tolist() for number, token in enumerate(new)}
        first, last = ends(self._prepared.tokenizer)
        body = [piece for token in tokens for piece in self._pieces[token]]
        return [first, *body[: self._recipe.model.max_tokens - 2], last]

    def _add_foils(self, plan: Plan, name: str, rows: Ints, random: np.random.Generator) -> None:
        part, start = self._recipe.foils, len(plan.foils)
        limit, first = self._recipe.model.max_tokens, plan.blocks[_FOILED[name]][0]
        for block_row, row in enumerate(rows[: int(part.share * len(rows))], start=first):
            pieces = self._prepared.rows.row(int(row)).tolist()
            foil = make_foil(pieces, self._prepared.signs, part.kinds, random)
            if foil is not None:
                plan.foil_rows.append(block_row)
                plan.foils.append(foil if len(foil) <= limit else [*foil[: limit - 1], pieces[-1]])
        plan.foil_blocks[name] = (start, len(plan.foils))
