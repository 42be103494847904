"""The recipe of the mini parser: everything that decides a run of its training."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from dataclasses import dataclass

from amrx.errors import OptionError
from parser.mini.layers import Shape


@dataclass(frozen=True)
class Recipe:
    """Everything that decides a run.

    A run has a stage for each projection and one before them; ``learning_rate``, ``dropout`` and
    ``word_dropout`` hold a number for each stage, ``project_words``, ``project_pairs``, ``project_beam``,
    ``project_draws``, ``project_weight``, ``project_exchange``, ``project_exchanges``,
    ``project_constructed`` and ``project_scenes`` one for each projection.

    Attributes:
        start: Parser of this kind to go on from, as ``mini``, which ships, or ``mini:DIR``: its symbols, and
            its weights as the first ones; empty for new ones. ``project_at`` may then begin with 0: labels
            come before the first update, and the first stage, of no updates, ends with the weights of old.
        teacher: Parser that labels the English side, such as ``causal:DIR``; the run's own so far when empty.
        steps: Updates.
        batch: Padded source pieces plus symbols in a batch.
        learning_rate: Peak of AdamW's rate, after ``warmup`` updates of a stage; cosine to 0 at its end.
        warmup: Updates of linear warm-up.
        weight_decay: Of matrices.
        average: Decay of the running mean of the weights.
        soup: Shares of the running means at the ends of the stages, the last stage's first, in the weighted
            mean of them (a model soup, Wortsman et al. 2022) that is saved; ``(1,)`` for the last one alone.
            They are divided by their sum; those of stages that a run has not are left out.
        seed: Of weights, order and dropout.
        save_every: Updates between checkpoints.
        width: Model width; the rest of the shape follows.
        inner: Width of the feed-forward layers.
        encoder: Encoder layers.
        decoder: Decoder layers.
        reader: Layers of multilingual-e5-small that read the sentence and are trained too; 0 for the frozen
            features of multilingual USE.
        reader_rate: Peak of their rate, for one of the rest.
        dropout: Dropout probability.
        word_dropout: Probability that a whole source piece or previous symbol is hidden.
        least: Times that a symbol must occur in the English graphs to get an id.
        most_nodes: Concepts and constants in the alphabet at most.
        project_at: Steps at which the teacher labels the parallel text (anew); none for never.
        project_langs: Languages to label: those without a sembank, and others for more words and registers.
            The English side is learnt too, so that its graphs stay those of its translations.
        project_sources: Parallel corpora to take, of `parser.training.corpora.parallel.SOURCES`.
        project_words: Longer English sentences are not labelled, in each projection.
        project_pairs: Pairs of each language and source at most, in each projection.
        project_beam: Beams of the search that labels, in each projection (a teacher's own search is its
            own); 0 keeps the labels of the last one.
        project_draws: Graphs drawn beside the search's, in each projection; the label is the one that agrees
            best with all of them (`parser.ensemble.agreement`). 0 for the search's, and where labels are
            kept.
        project_known: How often a labelled pair of a language that a sembank has is drawn, for one of a
            language that none has.
        project_weight: How often a labelled pair is drawn in an epoch, after each projection.
        project_exchange: How often a sentence of a sembank is drawn with exchanged parts
            (`parser.training.mini.exchange`), for once as it is, after each projection; 0 for never. Where
            labels are kept, exchanges are too.
        project_exchanges: Exchanges of each labelled sentence of a language without a sembank at most, in
            each projection; 0 for none, and none where labels are kept.
        project_constructed: How often a constructed sentence (`parser.training.templates.meanings`) is drawn
            in an epoch, after each projection.
        project_scenes: Captions in Arabic and Turkish, made by rule (`parser.training.templates.captions`),
            that are labelled too whatever the other limits, in each projection; none where labels are kept.
        exchanges: Exchanges of each sentence of a sembank at most.
        constructed: Meanings of constructed sentences.

    Raises:
        OptionError: The stages do not rise, a value that each of them needs is missing, no labels
            are there to be kept, or the soup lacks the last stage or takes something away.
    """

    start: str = ""
    teacher: str = ""
    steps: int = 113_500
    batch: int = 1_500
    learning_rate: tuple[float, ...] = (1.3e-3, *[1.0e-3] * 10)
    warmup: int = 600
    weight_decay: float = 0.02
    average: float = 0.999
    soup: tuple[float, ...] = (0.5, 0.4, 0.0, 0.0, 0.05, 0.05)
    seed: int = 0
    save_every: int = 400
    width: int = 256
    inner: int = 1024
    encoder: int = 4
    decoder: int = 2
    reader: int = 0
    reader_rate: float = 0.1
    dropout: tuple[float, ...] = (0.1, 0.1, 0.1, 0.2, *[0.3] * 7)
    word_dropout: tuple[float, ...] = (0.0, 0.0, 0.0, 0.05, *[0.1] * 7)
    least: int = 2
    most_nodes: int = 9_000
    project_at: tuple[int, ...] = (
        9_000, 15_800, 30_000, 48_000, 66_000, 76_000, 85_000, 88_500, 95_500, 104_500,
    )  # fmt: skip
    project_langs: tuple[str, ...] = ("ar", "tr", "de", "es", "fr", "it", "zh")
    project_sources: tuple[str, ...] = ("tatoeba", "multi30k", "xnli", "wmt-mt")
    project_words: tuple[int, ...] = (16, 16, 16, *[24] * 7)
    project_pairs: tuple[int, ...] = (6_000, 12_000, 24_000, *[30_000] * 7)
    project_beam: tuple[int, ...] = (1, 2, 2, 2, 0, 2, 0, 2, 0, 2)
    project_draws: tuple[int, ...] = (*[0] * 9, 4)
    project_known: float = 0.4
    project_weight: tuple[float, ...] = (0.7, 0.35, 0.5, 0.5, 0.5, *[0.6] * 5)
    project_exchange: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, *[1.5] * 6)
    project_exchanges: tuple[int, ...] = (0, 0, 0, 0, 0, 2, 0, 2, 0, 2)
    project_constructed: tuple[float, ...] = (0, 0, 0, 0, 0, 0, 1.5, 1.0, 1.0, 1.0)
    project_scenes: tuple[int, ...] = (0,) * 10
    exchanges: int = 8
    constructed: int = 5_000

    def __post_init__(self) -> None:
        least = 0 if self.start else 1
        ends = (least - 1, *self.project_at, self.steps)
        if any(first >= second for first, second in itertools.pairwise(ends)):
            raise OptionError(
                f"project_at {self.project_at} does not rise from {least} to {self.steps - 1}, steps less 1"
            )
        stages = ("learning_rate", "dropout", "word_dropout")
        projections = (
            "words", "pairs", "beam", "draws", "weight", "exchange", "exchanges", "constructed", "scenes",
        )  # fmt: skip
        for name in (*stages, *(f"project_{part}" for part in projections)):
            wanted = len(self.project_at) + (name in stages)
            if len(getattr(self, name)) < wanted:
                raise OptionError(
                    f"{name} holds {len(getattr(self, name))} numbers, not {wanted}, one a stage"
                )
        if min(self.project_beam, default=0) < 0 or self.project_beam[:1] == (0,):
            raise OptionError(f"project_beam {self.project_beam}: at least 1, or 0 after the first")
        if any(
            draws < 0 or (draws and not beam)
            for draws, beam in zip(self.project_draws, self.project_beam, strict=False)
        ):
            raise OptionError(
                f"project_draws {self.project_draws}: 0 or more, and 0 where project_beam keeps the labels"
            )
        if not self.soup or self.soup[0] <= 0 or min(self.soup) < 0:
            raise OptionError(f"soup {self.soup}: a share above 0 of the last stage, and none below 0")

    def stages(self) -> list[tuple[int, int]]:
        """First step of each stage and the one after its last.

        Example:
            >>> Recipe(steps=10, project_at=(4,)).stages()
            [(0, 4), (4, 10)]
        """
        ends = (*self.project_at, self.steps)
        return list(zip((0, *ends), ends, strict=False))

    def stage(self, step: int) -> int:
        """Number of the stage that a step belongs to."""
        return bisect_right(self.project_at, step)

    def rate(self, step: int) -> float:
        """Return the learning rate of a step: linear warm-up times cosine, anew after each projection."""
        stage = self.stage(step)
        begin, end = self.stages()[stage]
        warm = min(1.0, (step - begin + 1) / self.warmup)
        falling = 0.5 * (1 + math.cos(math.pi * (step - begin) / (end - begin)))
        return self.learning_rate[stage] * warm * falling

    def shape(self, symbols: int, stage: int = 0) -> Shape:
        """Shape of the network for an alphabet of that many symbols, with the dropout of a stage."""
        return Shape(
            symbols,
            self.width,
            self.width // 64,
            self.inner,
            self.encoder,
            self.decoder,
            self.dropout[stage],
            self.word_dropout[stage],
            reader=self.reader,
        )
