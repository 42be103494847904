"""Make control characters in displayed text visible and harmless."""

from html import escape

_PICTURES = 0x2400
"""First of Unicode's pictures of the 32 control characters."""
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SHOWN = {
    **{code: chr(_PICTURES + code) for code in range(0x20)},
    0x7F: "\N{SYMBOL FOR DELETE}",
    **dict.fromkeys([*range(0x80, 0xA0), 0xFFFE, 0xFFFF], _REPLACEMENT),
    **{code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)},  # bytes of a file name that is not UTF-8
}
_IN_LINES = {code: shown for code, shown in _SHOWN.items() if chr(code) not in "\t\n"}


def visible(text: str, *, lines: bool = False) -> str:
    r"""Replace control characters, lone surrogates and non-characters by visible characters.

    A terminal would execute an escape sequence in a sentence, name or identifier; XML forbids them.

    With ``lines``, tabs and line breaks are kept.

    Example:
        >>> visible("\x1b[31mred\x07"), visible("a\tb\n", lines=True)
        ('␛[31mred␇', 'a\tb\n')
    """
    return text.translate(_IN_LINES if lines else _SHOWN)


def markup(text: str) -> str:
    """Return text for HTML and XML: `visible`, and with ``<``, ``>``, ``&`` and quotes escaped."""
    return escape(visible(text, lines=True))
