"""Convert a published checkpoint to a Hugging Face folder.

::

    FILE.pt {"model": state dict, ...}  ┐
    base    config.json, tokenizer      ├──> DIR  config.json, generation_config.json, model.safetensors,
    vocab   predicates.txt, ...         ┘         tokenizer.json: read by `load_seq2seq`

The file is read with ``weights_only``, so that no pickled code runs; every key must be used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from amrx.errors import InputError, MissingResourceError
from amrx.pretrained.hub import loading, saving
from amrx.published_checkpoint import new_folder, read_state
from parser.seq2seq.base import base_kind, load_tokenizer, set_generation
from parser.seq2seq.published import FETCH, POINTERS, SHARED, embeddings, is_idle, new_tokens, read_lists

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerBase


def convert(checkpoint: Path, output: Path, base: Path, vocab: Path | None = None) -> int:
    """Write the folder and return the number of rows of AMR's tokens.

    Args:
        checkpoint: ``.pt`` file of SPRING or XAMR, trained with pointer tokens.
        output: Folder to write; it appears when it is complete.
        base: Folder of the model that was fine-tuned; only configuration and tokenizer are read from it.
        vocab: Folder ``data/vocab`` of SPRING; not needed if the base's tokenizer has AMR's tokens.
    """
    kind = base_kind(base)
    tokenizer = load_tokenizer(base, kind)
    state = {key: value for key, value in read_state(checkpoint).items() if not is_idle(key)}
    if SHARED not in state:
        raise InputError(f"key {SHARED!r} is missing", file=checkpoint)
    with new_folder(output) as folder:
        added = _extend(tokenizer, state[SHARED].shape[0], kind, vocab, checkpoint)
        model = _model(base, kind, state, tokenizer, checkpoint)
        with saving(output):
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
    return added


def _extend(
    tokenizer: PreTrainedTokenizerBase, rows: int, kind: str, vocab: Path | None, checkpoint: Path
) -> int:
    """Add the tokens of all ``rows`` to ``tokenizer``; return the number of new ones."""
    from tokenizers import AddedToken

    old = len(tokenizer)
    if rows == old and tokenizer.convert_tokens_to_ids(f" {POINTERS[0]}") != tokenizer.unk_token_id:
        return 0
    if vocab is None:
        raise MissingResourceError(
            f"names of the {rows - old} rows that {checkpoint} adds to its base",
            fetch=FETCH,
            local="--vocab spring/data/vocab",
        )
    names, known = read_lists(vocab), tokenizer.get_vocab()
    tokens = new_tokens(names, known, kind)
    if rows == old + len(new_tokens(names, known, kind, pointers=False)):
        raise InputError("was trained without pointer tokens, which amrx needs", file=checkpoint)
    if rows != old + len(tokens):
        fault = f"{SHARED!r} has {rows} rows, but base and lists name {old} + {len(tokens)} tokens"
        raise InputError(fault, file=checkpoint)
    # special, so that such a token inside a text can still be read as text
    tokenizer.add_tokens([AddedToken(token, normalized=False) for token in tokens], special_tokens=True)
    if tokenizer.convert_tokens_to_ids(tokens) != list(range(old, rows)):
        raise InputError("its tokenizer orders AMR's tokens differently", file=checkpoint)
    return len(tokens)


def _model(
    base: Path, kind: str, state: dict[str, Tensor], tokenizer: PreTrainedTokenizerBase, checkpoint: Path
) -> PreTrainedModel:
    """Build the model from the weights; every key must match."""
    import torch
    from transformers import AutoConfig
    from transformers import BartForConditionalGeneration as Bart
    from transformers import MBartForConditionalGeneration as MBart

    with loading(base):
        config = cast("PreTrainedConfig", AutoConfig.from_pretrained(base, local_files_only=True))
    tables = {name: state[key] for name, key in embeddings(state).items()}
    config.vocab_size = len(tokenizer)
    config.tie_word_embeddings = all(torch.equal(table, state[SHARED]) for table in tables.values())
    config.dtype = torch.float32
    with torch.device("meta"):  # without memory for weights
        build = cast("Callable[[PreTrainedConfig], PreTrainedModel]", MBart if kind == "mbart" else Bart)
        model = build(config)
    weights = {name: value.float() for name, value in (state | tables).items()}
    _compare(weights, {name: tuple(own.shape) for name, own in model.state_dict().items()}, checkpoint)
    model.load_state_dict(weights, assign=True)
    model.tie_weights()
    set_generation(model, kind)
    return model


def _compare(weights: Mapping[str, Tensor], wanted: Mapping[str, tuple[int, ...]], checkpoint: Path) -> None:
    """Raise InputError that names the first key that is unknown, missing or of another shape."""
    unknown, missing = sorted(weights.keys() - wanted.keys()), sorted(wanted.keys() - weights.keys())
    for what, keys in (("unknown to the base's architecture", unknown), ("missing", missing)):
        if keys:
            more = f" (and {len(keys) - 1} more)" if len(keys) > 1 else ""
            raise InputError(f"key {keys[0]!r}{more} is {what}", file=checkpoint)
    for name, shape in wanted.items():
        if tuple(weights[name].shape) != shape:
            fault = f"key {name!r} has shape {tuple(weights[name].shape)}, the base requires {shape}"
            raise InputError(fault, file=checkpoint)
