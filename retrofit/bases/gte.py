"""The settings of Alibaba's gte models, read into the class that transformers has for them.

Their folders were published with ``"model_type": "new"`` and code of their own, which amrx does not run.
transformers has had the same network as ``gte`` since summer 2026 and renames the weights as it reads them;
what is left are the settings. Their rotation frequencies, with head width ``d`` and NTK factor ``s``, are
``(s θ)^(-2i/d) / s^(2/d)``: in transformers' terms linear scaling by ``s^(2/d)`` of the base ``s θ``.

Source: Zhang et al. 2024, mGTE; https://kexue.fm/archives/9706 for the scaling.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amrx.errors import InputError

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

PUBLISHED = "new"
"""What their ``config.json`` gives as type of the model."""

_SAME = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "hidden_act",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
    "pad_token_id",
)


def native_config(settings: Mapping[str, Any], file: Path) -> PreTrainedConfig:
    """Return the settings of a published folder as transformers' own.

    Raises:
        InputError: This version of transformers has no such class, or a setting is one that it cannot do.
    """
    from transformers import CONFIG_MAPPING

    if "gte" not in CONFIG_MAPPING:
        raise InputError(
            f"model type {PUBLISHED!r} comes with code of its own, which is not run, and this version of "
            "transformers has no class for it; fetch: pip install 'transformers>=5.23'",
            file=file,
        )
    if settings.get("position_embedding_type", "rope") != "rope" or settings.get("logn_attention_scale"):
        raise InputError("asks for positions or attention that transformers' gte does not have", file=file)
    try:
        same = {key: settings[key] for key in _SAME}
        width = same["hidden_size"] // same["num_attention_heads"]
        same["rope_parameters"] = _rope(settings["rope_theta"], settings.get("rope_scaling"), width)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"lacks a setting or has a wrong one: {error}", file=file) from None
    config: PreTrainedConfig = CONFIG_MAPPING["gte"](**same)
    return config


def _rope(theta: float, scaling: Mapping[str, Any] | None, width: int) -> dict[str, Any]:
    """Return transformers' parameters of the rotation.

    Raises:
        ValueError: The scaling is another one than fixed NTK.

    Example:
        >>> _rope(20000, {"type": "ntk", "factor": 8.0}, 2)
        {'rope_type': 'linear', 'rope_theta': 160000.0, 'factor': 8.0}
    """
    if scaling is None:
        return {"rope_type": "default", "rope_theta": float(theta)}
    if scaling["type"] != "ntk" or scaling.get("mixed_b") is not None:
        raise ValueError(f"rope_scaling {dict(scaling)}")
    factor = float(scaling["factor"])
    return {"rope_type": "linear", "rope_theta": theta * factor, "factor": factor ** (2 / width)}
