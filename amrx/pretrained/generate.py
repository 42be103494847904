"""Generate in batches such that the result for a sentence depends only on that sentence.

::

    lengths 5 9 14 | 17 30      width 16: rows 0 1 2     width 32: rows 3 4

Rounding of floating-point sums depends on matrix shapes, and may then decide a near tie differently. So the
sentence alone determines the shapes: its ids are padded to its length rounded up to `ROUND`, only sentences
of the same width share a batch, the output limit follows from the width, and a batch is filled up to a
multiple of `ROWS` rows.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from amrx.device import length_buckets, pad_rows

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def source_codes(codes: Iterable[str]) -> dict[str, str]:
    """Map ISO 639-1 codes to the codes of mBART-50.

    Example:
        >>> source_codes(["de_DE", "en_XX", "zh_CN"])
        {'de': 'de_DE', 'en': 'en_XX', 'zh': 'zh_CN'}
    """
    return {code.partition("_")[0]: code for code in codes}


def text_ids(tokenizer: PreTrainedTokenizerBase, text: str) -> list[int]:
    """Return the ids of a text; special tokens in it are treated as text."""
    tokens = tokenizer(text, add_special_tokens=False, split_special_tokens=True)
    return cast("list[int]", tokens["input_ids"])


ROUND, ROWS = 16, 8


@dataclass(frozen=True, slots=True)
class Room:
    """Limit of the output length: ``fewest + most * width`` tokens, including the start token."""

    fewest: int  # constant term
    most: int  # tokens per token of the padded sentence

    def of(self, width: int) -> int:
        """Return the maximum number of tokens for a sentence of this width."""
        return self.fewest + self.most * width


def width_of(length: int) -> int:
    """Return the width to which a sentence of ``length`` ids is padded.

    Example:
        >>> width_of(16), width_of(17)
        (16, 32)
    """
    return -(-length // ROUND) * ROUND


def batches(lengths: Sequence[int], batch_size: int) -> list[list[int]]:
    """Return batches of positions, each of sentences of the same width, longest first.

    Example:
        >>> batches([5, 17, 9, 30, 14], 2)
        [[3, 1], [4, 2], [0]]
    """
    widths = [width_of(length) for length in lengths]
    ordered: list[list[int]] = []
    for width in sorted(set(widths), reverse=True):
        members = [position for position, own in enumerate(widths) if own == width]
        buckets = length_buckets([lengths[position] for position in members], batch_size)
        ordered += [[members[index] for index in bucket] for bucket in buckets]
    return ordered


class Generator:
    """Generate with BART, mBART or Marian: greedy, or beam search if ``beam`` is above 1.

    Args:
        model: A model with language-model head. Of its generation settings only the first tokens are used:
            those of BART-large forbid repeated trigrams, but brackets repeat all the time.
        room: Limit of the output length.
        beam: Number of beams; 0 is that of the model's generation settings.
        first: Id of the forced first token, such as a language; default the model's own.
    """

    def __init__(
        self, model: PreTrainedModel, room: Room, beam: int = 1, *, first: int | None = None
    ) -> None:
        from transformers import GenerationConfig

        config, own = model.config, model.generation_config
        self.model, self.room = model.eval(), room
        self.beam = beam or int(getattr(own, "num_beams", None) or 1)
        self.pad, self.eos = cast("int", config.pad_token_id), cast("int", config.eos_token_id)
        self.longest = int(config.max_position_embeddings)
        start = None if own is None else own.decoder_start_token_id
        forced = None if own is None else own.forced_bos_token_id
        self.settings = GenerationConfig(
            decoder_start_token_id=config.decoder_start_token_id if start is None else start,
            forced_bos_token_id=forced if first is None else first,
            bos_token_id=config.bos_token_id,
            eos_token_id=self.eos,
            pad_token_id=self.pad,
            suppress_tokens=[self.pad],  # padding has no meaning; Marian's own settings forbid it as well
            num_beams=self.beam,
            do_sample=False,
        )
        model.generation_config = self.settings  # otherwise the model's own settings fill missing ones

    def forbid(self, tokens: Iterable[int]) -> None:
        """Forbid these tokens, in addition to those already forbidden."""
        self.settings.suppress_tokens = sorted({*(self.settings.suppress_tokens or []), *tokens})

    def __call__(self, rows: Sequence[Sequence[int]]) -> list[tuple[list[int], bool]]:
        """Generate for source ids of one width.

        Args:
            rows: Ids of each sentence, including special ones; all of the same `width_of`, and at most as
                many as the model has positions.

        Returns:
            Ids of each output without start and end, and whether it ended within the limit.
        """
        import torch

        settings = copy.copy(self.settings)
        width = min(width_of(max(map(len, rows))), self.longest)
        settings.max_length = min(self.room.of(width), self.longest)
        filled = [*rows, *([rows[-1]] * (-len(rows) % ROWS))]
        ids = pad_rows(filled, self.pad, width)
        mask = pad_rows([[1] * len(row) for row in filled], 0, width)
        device = self.model.device
        with torch.inference_mode():
            output = cast(
                "torch.Tensor",
                self.model.generate(
                    input_ids=ids.to(device), attention_mask=mask.to(device), generation_config=settings
                ),
            )  # (B, T)
        return [self._cut(row) for row in output[: len(rows), 1:].tolist()]

    def _cut(self, row: list[int]) -> tuple[list[int], bool]:
        if self.eos not in row:
            return row, False
        return row[: row.index(self.eos)], True
