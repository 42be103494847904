"""Text of others where it is shown: control characters can be seen and have no effect."""

from __future__ import annotations

from html import escape

_PICTURES = 0x2400
"""Unicode has a picture of each of the 32 control characters, from here on."""
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SHOWN = {
    **{code: chr(_PICTURES + code) for code in range(0x20)},
    0x7F: "\N{SYMBOL FOR DELETE}",
    **dict.fromkeys([*range(0x80, 0xA0), 0xFFFE, 0xFFFF], _REPLACEMENT),
    **{code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)},  # bytes of a file name that are no UTF-8
}
_IN_LINES = {code: shown for code, shown in _SHOWN.items() if chr(code) not in "\t\n"}


def visible(text: str, *, lines: bool = False) -> str:
    r"""Replace control characters, lone surrogates and non-characters by signs that stand for them.

    A terminal obeys an escape sequence in a sentence, a name or an identifier; XML may not hold one at all.

    Args:
        text: Any text.
        lines: Keep tabs and line breaks.

    Example:
        >>> visible("\x1b[31mred\x07"), visible("a\tb\n", lines=True)
        ('␛[31mred␇', 'a\tb\n')
    """
    return text.translate(_IN_LINES if lines else _SHOWN)


def markup(text: str) -> str:
    """Return text as HTML and XML hold it: `visible`, and with ``<``, ``>``, ``&`` and quotes escaped.

    Example:
        >>> markup("a<b")
        'a&lt;b'
    """
    return escape(visible(text, lines=True))
