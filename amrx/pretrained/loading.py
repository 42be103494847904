"""Load networks of transformers and reject incomplete ones.

transformers fills arrays missing in a file with random numbers, logs a warning and continues. Here such a
network is rejected::

    files      encoder.layer.0.*                          cls.predictions.*
    network    encoder.layer.0.*   encoder.layer.1.*
               read                missing: rejected      an unused head: ignored
"""

from __future__ import annotations

import contextlib
import math
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amrx.errors import InputError
from amrx.pretrained.hub import loading

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

POOLER = ("pooler.",)
"""The head that pooling of token states does not use; XLM-R was published without it."""

_LEFTOVER = re.compile(r"(^|\.)((attn|attention)\.(masked_)?bias|version|token_type_ids|.*\._weight)$")
"""Buffers of older versions, and mDeBERTa's copies of its embeddings: unused in computation."""

_LOCK = threading.Lock()


def load_network(
    kind: Any,  # noqa: ANN401  # a class of transformers, whose ``from_pretrained`` has no common type
    folder: Path,
    *,
    unused: Sequence[str] = (),
    source: Path | None = None,
    **options: Any,  # noqa: ANN401  # those of ``from_pretrained``
) -> PreTrainedModel:
    """Load a network in float32 on the CPU from safetensors, and reject it if it is incomplete.

    Arrays whose name has a part in ``unused`` may be missing. ``source`` is the name in errors.
    """
    import torch

    ours = {"local_files_only": True, "trust_remote_code": False, "dtype": torch.float32}
    if "gguf_file" not in options:
        ours["use_safetensors"] = True
    model: PreTrainedModel
    with loading(source or folder):
        model, report = kind.from_pretrained(
            folder, ignore_mismatched_sizes=True, output_loading_info=True, **ours, **options
        )
    check_arrays(model, report, source or folder, unused)
    return model


def check_arrays(
    model: PreTrainedModel, report: Mapping[str, Any], source: Path, unused: Sequence[str] = ()
) -> None:
    """Raise if a network was not read completely.

    Arrays of the files whose top-level module the network lacks, such as ``lm_head`` of an encoder, belong to
    an unused head and are ignored.
    """

    def used(name: str) -> bool:
        return not any(part in name for part in unused)

    missing = sorted(filter(used, report["missing_keys"]))
    if missing:
        raise InputError(f"lacks {len(missing)} arrays of the model, {missing[0]} first", file=source)
    misshapen = sorted((key for key in report["mismatched_keys"] if used(key[0])), key=lambda key: key[0])
    if misshapen:
        name, theirs, ours = misshapen[0]
        shapes = f"{tuple(theirs)} in the file and {tuple(ours)} in the model"
        raise InputError(
            f"has {len(misshapen)} arrays of another shape than the model, {name} first: {shapes}",
            file=source,
        )
    foreign = sorted(name for name in report["unexpected_keys"] if used(name) and _inside(name, model))
    if foreign:
        raise InputError(
            f"has {len(foreign)} arrays that the model of its config.json lacks, {foreign[0]} first",
            file=source,
        )
    check_finite(dict(model.named_parameters()), source)


def check_finite(arrays: Mapping[str, Tensor], source: Path) -> None:
    """Raise InputError if arrays hold NaN or infinity; it gives their number and the first."""
    # a sum is finite only if every number is, and needs no second array in memory
    broken = [name for name, array in arrays.items() if not math.isfinite(float(array.detach().sum()))]
    if broken:
        raise InputError(f"has {len(broken)} arrays that are not finite, {broken[0]} first", file=source)


SHORTEST = 8
"""Least maximum length of a tokenizer in use."""


def check_tokenizer(tokenizer: PreTrainedTokenizerBase, rows: int, source: Path) -> None:
    """Raise if a tokenizer cannot be that of a model of ``rows`` embeddings.

    It has no words (for a folder without tokenizer files transformers returns one that knows only special
    tokens), more tokens than rows, an id without a row, two tokens with one id, or a maximum length below
    `SHORTEST`. Fewer tokens than rows are usual.
    """
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):
        raise InputError("has a tokenizer without words; is its tokenizer.json lost?", file=source)
    if len(tokenizer) > rows:
        raise InputError(f"tokenizer has {len(tokenizer)} tokens, more than the model", file=source)
    owners: dict[int, str] = {}
    for token, number in tokenizer.get_vocab().items():
        if not 0 <= number < rows:
            problem = f"id {number} of token {token!r} has no embedding; the model has {rows}"
            raise InputError(f"tokenizer is damaged: {problem}", file=source)
        if number in owners:
            problem = f"tokens {owners[number]!r} and {token!r} have one id, {number}"
            raise InputError(f"tokenizer is damaged: {problem}", file=source)
        owners[number] = token
    if tokenizer.model_max_length < SHORTEST:
        rule = f"must be at least {SHORTEST}, got {tokenizer.model_max_length}"
        raise InputError(f"model_max_length {rule}", file=source / "tokenizer_config.json")


def _inside(name: str, model: PreTrainedModel) -> bool:
    """Return whether an array belongs to a module of the network."""
    prefix = str(model.base_model_prefix)
    body: Any = getattr(model, prefix, model) if prefix else model
    whole: Any = model
    modules = {own for part in (whole, body) for own, _ in part.named_children()}
    first, _, rest = name.partition(".")
    if first == prefix and rest:
        first = rest.partition(".")[0]
    return first in modules and not _LEFTOVER.search(name)


@contextlib.contextmanager
def watching() -> Iterator[list[tuple[PreTrainedModel, Mapping[str, Any]]]]:
    """Collect every network that another library loads, with its loading report.

    sentence-transformers passes options to ``from_pretrained``, but not the one that returns the report.
    Arrays of another shape are reported like missing ones, not raised.
    """
    from transformers import PreTrainedModel

    loaded: list[tuple[PreTrainedModel, Mapping[str, Any]]] = []
    inner = PreTrainedModel.__dict__["from_pretrained"]

    def load(kind: type[PreTrainedModel], *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        asked = options.pop("output_loading_info", False)
        options["ignore_mismatched_sizes"] = True
        model, report = inner.__func__(kind, *arguments, output_loading_info=True, **options)
        loaded.append((model, report))
        return (model, report) if asked else model

    with _LOCK:
        setattr(PreTrainedModel, "from_pretrained", classmethod(load))  # noqa: B010  # mypy knows no other way
        try:
            yield loaded
        finally:
            setattr(PreTrainedModel, "from_pretrained", inner)  # noqa: B010
