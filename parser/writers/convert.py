"""Convert a published checkpoint of SPRING or XAMR to a Hugging Face folder.

::

    FILE.pt {"model": state dict, ...}  ┐
    base    config.json, tokenizer      ├──> DIR  config.json, generation_config.json, model.safetensors,
    vocab   predicates.txt, ...         ┘         tokenizer.json: read by `load_seq2seq`

    model.shared.weight (V, d)      rows 0 ... B-1   the tokens of BART-large or mBART-50
                                    rows B ... V-1   AMR's, in the order of three lists and SPRING's marks

The file is read with ``weights_only``, so that no pickled code runs; every key must be used. Both trainings
read the lists from ``data/vocab`` of SPRING's repository: ``predicates.txt`` (a frame and its count),
``additions.txt``, ``recategorizations.txt``. A checkpoint does not contain them, so they must be available.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from amrx.errors import InputError, MissingResourceError
from amrx.pretrained.hub import loading, saving
from amrx.published_checkpoint import new_folder, read_state
from parser.writers.seq2seq import POINTERS, base_kind, load_tokenizer, new_tokens, set_generation

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerBase


FILES = ("predicates.txt", "additions.txt", "recategorizations.txt")
FETCH = "git clone https://github.com/SapienzaNLP/spring"
_FEWEST = 5  # a frame with a lower count has no row

_IDLE = re.compile(
    r"model\.decoder\.pointer_[qk]\.(weight|bias)"  # SPRING's pointer network, unused with pointer tokens
    r"|_rev\..*"  # SPRING's reverse direction, from graphs to text
    r"|.*backreferences.*"  # left over in old files; SPRING's own bin/patch_legacy_checkpoint.py deletes them
)
_EMBEDDINGS = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
SHARED = "model.shared.weight"


def is_idle(key: str) -> bool:
    """Return whether the networks do not need a key when pointers are tokens.

    Example:
        >>> is_idle("model.decoder.pointer_q.bias"), is_idle("model.decoder.layers.0.fc1.bias")
        (True, False)
    """
    return _IDLE.fullmatch(key) is not None


def embeddings(keys: Iterable[str]) -> dict[str, str]:
    """Map each embedding table of the model to the key that holds it; missing tables are the shared one.

    Example:
        >>> embeddings(["model.shared.weight"])["lm_head.weight"]
        'model.shared.weight'
    """
    known = set(keys)
    return {name: name if name in known else SHARED for name in _EMBEDDINGS}


def read_lists(folder: Path) -> list[str]:
    """Return the names in the three lists, read as in SPRING and XAMR."""
    names: list[str] = []
    for file in (folder / name for name in FILES):
        try:
            lines = file.read_text("utf-8").strip().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            fault = f"cannot be read: {reason}; --vocab takes the folder data/vocab of SPRING"
            raise InputError(fault, file=file) from None
        for number, line in enumerate(lines, start=1):
            if file.name != "predicates.txt":
                names.append(line)
                continue
            name, _, count = line.partition(" ")
            if not count.strip().isdecimal():
                raise InputError(f"must be a frame and its count, got {line!r}", file=file, line=number)
            if int(count) >= _FEWEST:
                names.append(name)
    return [name for name in names if name]


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
