"""How a model that reads many languages is told which one it reads."""

from __future__ import annotations

from collections.abc import Mapping

FALLBACK = "en_XX"


def source_codes(codes: Mapping[str, int]) -> dict[str, str]:
    """Map ISO 639-1 codes to the codes of mBART-50.

    Args:
        codes: The language codes of the tokenizer with their ids.

    Example:
        >>> source_codes({"de_DE": 250003, "en_XX": 250004, "zh_CN": 250025})
        {'de': 'de_DE', 'en': 'en_XX', 'zh': 'zh_CN'}
    """
    return {code.partition("_")[0]: code for code in codes}
