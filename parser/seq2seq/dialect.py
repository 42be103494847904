"""Convert the words of SPRING and XAMR to the pointer form of `linearize` and back.

::

    pointer   ( <0> name :op1 "New_York" :polarity - )
    SPRING    ( <pointer:0> name :op1 <lit> New York </lit> :polarity - )

The graph is written depth first, with a pointer before every concept, and strings between ``<lit>`` and
``</lit>`` with a space for each underscore (Bevilacqua et al., "One SPRING to Rule Them Both", AAAI 2021, its
DFS form; XAMR, Cai et al., Findings of EMNLP 2021, writes the same). Pointers are also read as ``<R0>`` and
``<0>``.

`from_words` inverts `to_words`, except that a space in a string becomes an underscore, as in AMR's own
strings. `from_words` reads any list of strings: invalid parts stay invalid, and
`linearize.restore.delinearize` repairs them and lists the repairs.
"""

import re
from collections.abc import Iterable, Sequence

from linearize.tokens import CLOSE, OPEN, kind_of

LITERAL, END_LITERAL = "<lit>", "</lit>"
_POINTER = re.compile(r"<(?:pointer:|R)?([0-9]+)>")
# SPRING's special words; two of them end in XXX there
_MARK = re.compile(r"</?[a-z]+(?::[a-z]+:XXX)?>")
_BRACKETS = re.compile(r"[()]+")
_COLON = ":"


def to_words(tokens: Iterable[str]) -> list[str]:
    """Write tokens of the pointer form as SPRING's words.

    Example:
        >>> " ".join(to_words(["(", "<0>", "name", ":op1", '"New_York"', ")"]))
        '( <pointer:0> name :op1 <lit> New York </lit> )'
    """
    words: list[str] = []
    for token in tokens:
        if kind_of(token) == "pointer":
            words.append(f"<pointer:{token[1:-1]}>")
        elif token.startswith('"'):
            words += [LITERAL, *token[1:-1].replace("_", " ").split(), END_LITERAL]
        else:
            words.append(token)
    return words


def from_words(words: Sequence[str]) -> list[str]:
    """Read SPRING's words as tokens of the pointer form.

    A string without an end mark ends before the next role, bracket or pointer. A single colon belongs to the
    next word. Marks of other forms (``<stop>``) are dropped.

    Example:
        >>> from_words("( <R0> name :op1 <lit> New York </lit> : op2 <lit> :-) )".split())
        ['(', '<0>', 'name', ':op1', '"New_York"', ':op2', '":-)"', ')']
    """
    tokens: list[str] = []
    colon, position = False, 0
    while position < len(words):
        word = words[position]
        position += 1
        if word == LITERAL:
            end = end_of_literal(words, position)
            tokens.append('"' + "_".join(words[position:end]).replace('"', "") + '"')
            position = end + (end < len(words) and words[end] == END_LITERAL)
            colon = False
        elif word == _COLON:
            colon = True
        elif pointer := _POINTER.fullmatch(word):
            tokens.append(f"<{pointer[1]}>")
            colon = False
        elif _BRACKETS.fullmatch(word):
            tokens += word
            colon = False
        elif not _MARK.fullmatch(word):
            tokens.append(_COLON + word if colon else word)
            colon = False
    return tokens


def end_of_literal(words: Sequence[str], start: int) -> int:
    """Return the end position of the string whose first word is at ``start``."""
    for position in range(start, len(words)):
        if words[position] == END_LITERAL:
            return position
        if words[position] == LITERAL:
            break
    for position in range(start, len(words)):
        word = words[position]
        if word in (OPEN, CLOSE, LITERAL) or _POINTER.fullmatch(word) or re.fullmatch(r":[A-Za-z].*", word):
            return position
    return len(words)
