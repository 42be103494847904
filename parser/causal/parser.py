"""Wrap the causal language model as a `Parser` that returns valid graphs.

::

    text <amr> ──decoder, token after token──> words ──> packed form ──delinearize──> graph
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor

from amrx.device import length_buckets, pick_device
from amrx.errors import InputError
from amrx.muse.model import fastest_dtype
from amrx.pretrained.generate import text_ids
from amrx.pretrained.hub import hash_model
from amrx.types import Sentence
from linearize.frames import LAW, unknown_frame
from linearize.packed import unpack
from parser.causal.base import GRAPH, SENSE, load_folder
from parser.causal.words import from_words
from parser.protocols import CUT
from parser.writing import WritingParser, check_folder

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


FULL = 0.75
"""Finished rows leave the batch when at most this share of it is unfinished."""
Refuse = Callable[[list[int], int], bool]


def continue_texts(
    model: PreTrainedModel, texts: Sequence[Sequence[int]], most: int, eos: int, refuse: Refuse | None = None
) -> list[tuple[list[int], bool]]:
    """Continue texts greedily: append the most probable token at each step.

    ``most`` limits the new tokens; ``refuse`` tells whether a token must not follow the start of a
    continuation.

    Returns:
        For each text its new tokens without ``eos``, and whether ``eos`` was reached.
    """
    ids, mask = _left_padded(texts, eos, model.device)
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


def _left_padded(texts: Sequence[Sequence[int]], filler: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return the ids ``(B, T)``, padded on the left, and their mask: 1 at tokens, 0 at padding."""
    width = max(map(len, texts))
    ids = torch.full((len(texts), width), filler)
    mask = torch.zeros((len(texts), width), dtype=torch.long)
    for position, text in enumerate(texts):
        ids[position, width - len(text) :] = torch.tensor(text)
        mask[position, width - len(text) :] = 1
    return ids.to(device), mask.to(device)


MOST_PIECES = 256
"""Maximum number of subwords of a sentence; a longer one is cut, with a note in ``repairs``."""
FEWEST, MOST = 20, 5
"""A graph has at most ``FEWEST + MOST * n`` tokens; ``n``: tokens of the batch's longest sentence."""
LONGEST_WORD = 16
"""Number of last tokens in which the verb of a frame is searched."""
LANG = "en"


class CausalParser(WritingParser):
    """A fine-tuned decoder that writes the graph of an English sentence, greedily.

    A frame outside PropBank's lexicon is never written. Another batch size may change rounding, and so the
    graph, if two graphs are almost equally probable. A sentence of more than `MOST_PIECES` subwords is cut.
    """

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, name: str) -> None:
        super().__init__(model, tokenizer, name, length_buckets, lambda words: unpack(from_words(words)))
        self.eos = cast("int", tokenizer.eos_token_id)
        self.graph = cast("int", tokenizer.convert_tokens_to_ids(GRAPH))
        self.senses = {row: text for row, text in self.pieces.added.items() if SENSE.fullmatch(text)}

    def languages(self, sentences: Sequence[Sentence]) -> list[str]:
        """Return the given languages; English if none is given."""
        return [sentence.lang or LANG for sentence in sentences]

    def read(self, text: str, lang: str = LANG) -> tuple[list[int], list[str]]:
        """Return the ids of a sentence, followed by the mark of the graph, and the notes on changes."""
        ids = text_ids(self.tokenizer, f" {text.strip()}")
        notes = [f"{CUT} at {MOST_PIECES} subwords"] if len(ids) > MOST_PIECES else []
        if lang != LANG:
            notes.append(f"the model does not know language {lang!r}; read as English")
        return [*ids[:MOST_PIECES], self.graph], notes

    def _write(self, rows: list[list[int]]) -> list[tuple[list[int], bool]]:
        most = FEWEST + MOST * max(map(len, rows))
        return continue_texts(self.model, rows, most, self.eos, self.refuse)

    def refuse(self, written: list[int], token: int) -> bool:
        """Return whether ``token`` turns the last word of ``written`` into a frame that PropBank lacks."""
        if token not in self.senses:
            return False
        words = self.pieces.words(written[-LONGEST_WORD:])
        return not words or unknown_frame(words[-1] + self.senses[token])


def load_causal(folder: str | Path | None, *, device: str | None = None) -> CausalParser:
    """Load a parser from a folder that ``amrx train-parser --recipe causal`` wrote."""
    path = check_folder("causal", folder, "amrx train-parser DATA -o DIR --recipe causal")
    model, tokenizer = load_folder(path)
    if GRAPH not in tokenizer.get_vocab():
        raise InputError(f"the tokenizer has no token {GRAPH}; is this a causal parser to AMR?", file=path)
    chosen = pick_device(device)
    # the stub of its own ``to`` is wrapped
    cast("torch.nn.Module", model).to(chosen, fastest_dtype(chosen)).eval()
    return CausalParser(model, tokenizer, f"causal-{hash_model(path)}.{LAW}")
