"""How mBART-50 is told which language it reads and which it writes."""

from __future__ import annotations

from collections.abc import Iterable


def source_codes(codes: Iterable[str]) -> dict[str, str]:
    """Map ISO 639-1 codes to the codes of mBART-50.

    Args:
        codes: The language codes of its tokenizer.

    Example:
        >>> source_codes(["de_DE", "en_XX", "zh_CN"])
        {'de': 'de_DE', 'en': 'en_XX', 'zh': 'zh_CN'}
    """
    return {code.partition("_")[0]: code for code in codes}
