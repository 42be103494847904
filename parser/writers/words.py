"""Convert the tokens of a graph to words of a language model and back, in the dialects of two back ends.

::

    pointer   ( <0> name :op1 "New_York" :polarity - )                        seq2seq: SPRING's words
    SPRING    ( <pointer:0> name :op1 <lit> New York </lit> :polarity - )

    packed    name :op1 "New_York" ):polarity -                               causal
    words     name :op1 <lit> New York </lit> </n> :polarity -

In both a string is between ``<lit>`` and ``</lit>``, with a space for each underscore. SPRING writes depth
first, with a pointer before every concept (Bevilacqua et al., "One SPRING to Rule Them Both", AAAI 2021, its
DFS form; XAMR, Cai et al., Findings of EMNLP 2021, writes the same); pointers are also read as ``<R0>`` and
``<0>``. In the words of the packed form (`linearize.packed`) a closing bracket is ``</n>``.

Reading inverts writing, except that a space in a string becomes an underscore, as in AMR's own strings. Any
list of words can be read: invalid parts stay invalid, and `linearize.restore.delinearize` repairs them and
lists the repairs.
"""

import re
from collections.abc import Iterable, Sequence

from linearize.packed import split_role
from linearize.tokens import CLOSE, OPEN, kind_of

LITERAL, END_LITERAL = "<lit>", "</lit>"
END_NODE = "</n>"
_POINTER = re.compile(r"<(?:pointer:|R)?([0-9]+)>")
# SPRING's special words; two of them end in XXX there
_MARK = re.compile(r"</?[a-z]+(?::[a-z]+:XXX)?>")
_BRACKETS = re.compile(r"[()]+")
_COLON = ":"


def to_spring(tokens: Iterable[str]) -> list[str]:
    """Write tokens of the pointer form as SPRING's words.

    Example:
        >>> " ".join(to_spring(["(", "<0>", "name", ":op1", '"New_York"', ")"]))
        '( <pointer:0> name :op1 <lit> New York </lit> )'
    """
    words: list[str] = []
    for token in tokens:
        if kind_of(token) == "pointer":
            words.append(f"<pointer:{token[1:-1]}>")
        else:
            words += _words_of(token)
    return words


def from_spring(words: Sequence[str]) -> list[str]:
    """Read SPRING's words as tokens of the pointer form.

    A string without an end mark ends before the next role, bracket or pointer. A single colon belongs to the
    next word. Marks of other forms (``<stop>``) are dropped.

    Example:
        >>> from_spring("( <R0> name :op1 <lit> New York </lit> : op2 <lit> :-) )".split())
        ['(', '<0>', 'name', ':op1', '"New_York"', ':op2', '":-)"', ')']
    """
    tokens: list[str] = []
    colon, position = False, 0
    while position < len(words):
        word = words[position]
        position += 1
        if word == LITERAL:
            end = _end_of_literal(words, position)
            tokens.append(_string(words[position:end]))
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


def to_packed_words(symbols: Iterable[str]) -> list[str]:
    """Write packed symbols as words.

    Example:
        >>> " ".join(to_packed_words(["name", ":op1", '"New_York"', "):polarity", "-"]))
        'name :op1 <lit> New York </lit> </n> :polarity -'
    """
    words: list[str] = []
    for symbol in symbols:
        if role := split_role(symbol):
            words += [END_NODE] * role[0] + [role[1]]
        else:
            words += _words_of(symbol)
    return words


def from_packed_words(words: Sequence[str]) -> list[str]:
    """Read words as packed symbols.

    A string without an end mark ends before the next role. The end of a node is dropped if no role follows:
    nodes open at the end are closed anyway.

    Example:
        >>> from_packed_words("name :op1 <lit> New York </lit> </n> :polarity - </n>".split())
        ['name', ':op1', '"New_York"', '):polarity', '-']
    """
    symbols: list[str] = []
    closing, position = 0, 0
    while position < len(words):
        word = words[position]
        position += 1
        if word == LITERAL:
            end = _end_of_literal(words, position)
            symbols.append(_string(words[position:end]))
            position = end
        elif word == END_NODE:
            closing += 1
        elif split_role(word):
            symbols.append(")" * closing + word)
            closing = 0
        elif word != END_LITERAL:
            symbols.append(word)
    return symbols


def _words_of(symbol: str) -> list[str]:
    """Return the words of a string, or of one other symbol."""
    if not symbol.startswith('"'):
        return [symbol]
    return [LITERAL, *symbol[1:-1].replace("_", " ").split(), END_LITERAL]


def _string(words: Sequence[str]) -> str:
    return '"' + "_".join(words).replace('"', "") + '"'


def _end_of_literal(words: Sequence[str], start: int) -> int:
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
