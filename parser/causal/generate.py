"""Greedy continuation of many texts by a decoder; a text that has ended leaves its batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from transformers import PreTrainedModel

FULL = 0.75
"""A batch of which no more than this share goes on is drawn together."""
Refuse = Callable[[list[int], int], bool]


def continue_texts(
    model: PreTrainedModel, texts: Sequence[Sequence[int]], most: int, eos: int, refuse: Refuse | None = None
) -> list[tuple[list[int], bool]]:
    """Continue texts by what the model finds most probable, token after token.

    Args:
        model: A decoder of transformers.
        texts: Token ids of each text, of any lengths.
        most: Tokens of a continuation at most.
        eos: Token that ends one.
        refuse: Tells for a continuation so far and a token whether it may not follow.

    Returns:
        For each its tokens without the end, and whether it came to its end.
    """
    ids, mask = _at_the_right(texts, eos, model.device)
    written: list[list[int]] = [[] for _ in texts]
    ended = [False] * len(texts)
    going = list(range(len(texts)))
    past = None
    with torch.inference_mode():
        for _ in range(most):
            places = (mask.cumsum(1) - 1).clamp_min(0)[:, -ids.shape[1] :]
            output = model(
                input_ids=ids, attention_mask=mask, position_ids=places, past_key_values=past,
                use_cache=True, logits_to_keep=1,
            )  # fmt: skip
            past, chosen = output.past_key_values, output.logits[:, -1].argmax(-1)
            for position, number in enumerate(going):
                if ended[number]:
                    continue
                token = int(chosen[position])
                if refuse is not None and refuse(written[number], token):
                    order = output.logits[position, -1].argsort(descending=True).tolist()
                    token = next(other for other in order if not refuse(written[number], other))
                    chosen[position] = token
                if token == eos:
                    ended[number] = True
                else:
                    written[number].append(token)
            left = [position for position, number in enumerate(going) if not ended[number]]
            if not left:
                break
            if len(left) <= FULL * len(going):
                kept = torch.tensor(left, device=model.device)
                past.batch_select_indices(kept)
                mask, chosen, going = mask[kept], chosen[kept], [going[position] for position in left]
            mask = torch.cat((mask, mask.new_ones(len(going), 1)), 1)
            ids = chosen[:, None]
    return list(zip(written, ended, strict=True))


def _at_the_right(texts: Sequence[Sequence[int]], filler: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return the ids ``(B, T)``, each text where it goes on, and which of them are real."""
    width = max(map(len, texts))
    ids = torch.full((len(texts), width), filler)
    mask = torch.zeros((len(texts), width), dtype=torch.long)
    for position, text in enumerate(texts):
        ids[position, width - len(text) :] = torch.tensor(text)
        mask[position, width - len(text) :] = 1
    return ids.to(device), mask.to(device)
