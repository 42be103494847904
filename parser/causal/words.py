"""Convert packed symbols (`linearize.packed`) to the words of a causal language model and back.

::

    packed   name :op1 "New_York" ):polarity -
    words    name :op1 <lit> New York </lit> </n> :polarity -

A closing bracket is the word ``</n>``; a string is between ``<lit>`` and ``</lit>``, with a space for each
underscore. `from_words` inverts `to_words`, except that a space in a string becomes an underscore, as in
AMR's own strings. `from_words` reads any list of strings: invalid parts stay invalid, and
`linearize.restore.delinearize` repairs them and lists the repairs.
"""

from collections.abc import Iterable, Sequence

from linearize.packed import split_role
from parser.seq2seq.dialect import END_LITERAL, LITERAL, end_of_literal

END_NODE = "</n>"


def to_words(symbols: Iterable[str]) -> list[str]:
    """Write packed symbols as words.

    Example:
        >>> " ".join(to_words(["name", ":op1", '"New_York"', "):polarity", "-"]))
        'name :op1 <lit> New York </lit> </n> :polarity -'
    """
    words: list[str] = []
    for symbol in symbols:
        if role := split_role(symbol):
            words += [END_NODE] * role[0] + [role[1]]
        elif symbol.startswith('"'):
            words += [LITERAL, *symbol[1:-1].replace("_", " ").split(), END_LITERAL]
        else:
            words.append(symbol)
    return words


def from_words(words: Sequence[str]) -> list[str]:
    """Read words as packed symbols.

    A string without an end mark ends before the next role. The end of a node is dropped if no role follows:
    nodes open at the end are closed anyway.

    Example:
        >>> from_words("name :op1 <lit> New York </lit> </n> :polarity - </n>".split())
        ['name', ':op1', '"New_York"', '):polarity', '-']
    """
    symbols: list[str] = []
    closing, position = 0, 0
    while position < len(words):
        word = words[position]
        position += 1
        if word == LITERAL:
            end = end_of_literal(words, position)
            symbols.append('"' + "_".join(words[position:end]).replace('"', "") + '"')
            position = end
        elif word == END_NODE:
            closing += 1
        elif split_role(word):
            symbols.append(")" * closing + word)
            closing = 0
        elif word != END_LITERAL:
            symbols.append(word)
    return symbols
