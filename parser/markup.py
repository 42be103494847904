"""Remove the markup of posts, web pages, lists and mails.

::

    given   <p>It is <b>late</b> &amp; dark 🌙 #tired</p>      1. eggs 2. milk
    read    It is late & dark tired                            eggs / milk, two sentences
    noted   left out HTML tags, emoji

Invariants: text without markup stays unchanged, without a note. Spans of the plain text can be mapped to the
given one (`amrx.composed_text.Composed`). Empty lines separate paragraphs, items and cells.
"""

import html
import re

from ftfy.badness import is_bad

from amrx.composed_text import Composed, Span

_PARTS = re.compile(
    r"""(?P<signature>(?!\A)^--[ ]?$)
    |(?P<code>```)
    |(?P<comment><!--)
    |(?P<hidden><(?P<name>script|style)\b[^<>]*>)
    |(?P<block></?(?:p|div|br|hr|li|ul|ol|dl|dt|dd|h[1-6]|t[dhr]|table|blockquote|pre|section|article|title)\b[^<>]*>)
    |(?P<tag></?[a-z][^<>]*>)
    |(?P<entity>&(?:\#[0-9]{1,7}|\#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)
    |(?P<item>^[ \t]*[-*•‣◦·][ \t]+(?=\S))
    |(?P<handle>(?<![^\s(\[{"'“„«¿¡])[@#](?=\w))
    |(?P<emoji>[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\u200d\ufe0f\u20e3\u2600-\u27bf\U0001f000-\U0001faff]*)
    |(?P<control>[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]+)""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<!\S)([0-9]{1,2})[.)][ \t]+(?=\S)")
_BREAK = "\n\n"
_READ = {
    "block": _BREAK, "item": _BREAK, "emoji": " ", "code": " ", "comment": " ", "hidden": " ",
    "signature": "",
}  # fmt: skip
"""Replacement of a part by its kind; other parts are removed, entities become their character."""
_NOTES = {
    "tag": "HTML tags", "block": "HTML tags", "comment": "a comment", "hidden": "a script or style",
    "code": "code", "signature": "a signature", "emoji": "emoji", "control": "control characters",
}  # fmt: skip
"""Names of removed parts in the notes."""


def read_markup(text: str) -> tuple[Composed, tuple[str, ...]]:
    """Return a text without its markup, and notes on removed and suspicious parts.

    Example:
        >>> plain, notes = read_markup("<b>Tom</b> &amp; Ann 😀 #happy")
        >>> plain.text, notes
        ('Tom & Ann   happy', ('left out HTML tags, emoji',))
    """
    signs: list[str] = []
    spans: list[Span] = []
    left: dict[str, None] = {}
    end = 0
    for start, stop, kind, read in _parts(text):
        if start < end:
            continue
        signs.append(text[end:start])
        spans += [(index, index + 1) for index in range(end, start)]
        signs.append(read)
        spans += [(start, stop)] * len(read)
        if kind in _NOTES:
            left[_NOTES[kind]] = None
        end = stop
    notes = [f"left out {', '.join(left)}"] if left else []
    if is_bad(text):
        notes.append("looks like text that was decoded wrongly")
    if not end:
        return Composed(text), tuple(notes)
    signs.append(text[end:])
    spans += [(index, index + 1) for index in range(end, len(text))]
    return Composed("".join(signs), tuple(spans)), tuple(notes)


def _parts(text: str) -> list[tuple[int, int, str, str]]:
    """Return start, end, kind and replacement of each part that is not plain text, in order."""
    if text.isalnum():
        return []
    parts = [(number.start(), number.end(), "item", _BREAK) for number in _numbers(text)]
    missing = set[str]()
    for part in _PARTS.finditer(text):
        kind, stop = part.lastgroup or "", part.end()
        if kind == "name":
            kind = "hidden"
        closing = {"code": "```", "comment": "-->", "hidden": f"</{(part['name'] or '').lower()}>"}.get(kind)
        if closing is not None:
            # do not search again for an end that was not found: otherwise the time would be quadratic
            # not text.lower(), which turns the Turkish İ into two characters
            close = None if closing in missing else re.compile(closing, re.IGNORECASE).search(text, stop)
            if close is None:
                missing.add(closing)
                kind = "tag" if kind == "hidden" else ""
            else:
                stop = close.end()
        if kind == "signature":
            stop = len(text)
        if kind:
            read = html.unescape(part.group()) if kind == "entity" else _READ.get(kind, "")
            parts.append((part.start(), stop, kind, read))
    return sorted(parts)


def _numbers(text: str) -> list[re.Match[str]]:
    """Return the numbers of a list, in one line or one per line, counted from 1."""
    numbers = list(_NUMBER.finditer(text))
    counted = [int(number[1]) for number in numbers]
    return numbers if len(numbers) > 1 and counted == list(range(1, len(numbers) + 1)) else []
