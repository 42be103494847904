"""Networks of transformers whose every array comes from their files.

transformers fills an array that a file lacks with random numbers, says so in a log and goes on. Here such a
network is refused::

    files      encoder.layer.0.*                          cls.predictions.*
    network    encoder.layer.0.*   encoder.layer.1.*
               read                missing: refused       a head that is not used: passed over
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
"""The head that is not used where states of tokens are pooled; XLM-R was published without one."""

_LEFTOVER = re.compile(r"(^|\.)((attn|attention)\.(masked_)?bias|version|token_type_ids|.*\._weight)$")
"""Buffers of older versions, and mDeBERTa's doubles of its embeddings: nothing is computed with them."""

_LOCK = threading.Lock()


def load_network(
    kind: Any,  # noqa: ANN401  # a class of transformers, whose ``from_pretrained`` has no common type
    folder: Path,
    *,
    unused: Sequence[str] = (),
    source: Path | None = None,
    **options: Any,  # noqa: ANN401  # those of ``from_pretrained``
) -> PreTrainedModel:
    """Load a network in float32 on the CPU from safetensors, and refuse one that is not whole.

    Args:
        kind: Class of transformers, such as ``AutoModel``.
        folder: Folder of the model.
        unused: Parts of the names of arrays that need not be there.
        source: Named in errors; the folder when ``None``.
        options: Further ones of ``from_pretrained``.

    Raises:
        InputError: The files are damaged, or an array is missing, of another shape, not the network's or not
            finite.
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
    """Refuse a network that is not read whole.

    An array of the files that the network has no module for at its top, such as ``lm_head`` of an encoder,
    belongs to a head that is not used.

    Raises:
        InputError: An array is missing, of another shape, not the network's or not finite; says how many and
            the first.
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
    """Raise InputError when an array holds NaN or infinity; it says how many do and the first."""
    # a sum is finite only if every number is, and needs no second array
    broken = [name for name, array in arrays.items() if not math.isfinite(float(array.detach().sum()))]
    if broken:
        raise InputError(f"has {len(broken)} arrays that are not finite, {broken[0]} first", file=source)


def check_tokenizer(tokenizer: PreTrainedTokenizerBase, rows: int, source: Path) -> None:
    """Refuse a tokenizer that reads no text, or that has more tokens than the model.

    transformers makes a tokenizer of a folder without its files too: one that knows its special tokens alone,
    so that every word is unknown.

    Raises:
        InputError: It has special tokens alone, or more tokens than the model.
    """
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):
        raise InputError("has a tokenizer without words; is its tokenizer.json lost?", file=source)
    if len(tokenizer) > rows:
        raise InputError(f"tokenizer has {len(tokenizer)} tokens, more than the model", file=source)


def _inside(name: str, model: PreTrainedModel) -> bool:
    """Tell whether an array's name lies in a module that the network has."""
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
    """Collect every network that another library loads meanwhile, with its loading information.

    sentence-transformers takes options of ``from_pretrained``, but not the one that returns the information.
    An array of another shape is reported like a missing one, not raised.

    Example:
        >>> with watching() as loaded:
        ...     pass  # SentenceTransformer(folder)
        >>> loaded
        []
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
