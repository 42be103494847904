"""Linearize a graph: convert it to tokens, in three forms.

::

    (w / want-01                 paper:    ( want-01 :ARG0 ( boy ) :ARG1 ( go-02 :ARG0 ( boy ) ) )
       :ARG0 (b / boy)           released: ( want-01 :ARG0 ( boy ) :ARG1 ( go-02 :ARG0 boy ) )
       :ARG1 (g / go-02          pointer:  ( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1> ) )
          :ARG0 b))

The paper's form (Cai et al., "Retrofitting Multilingual Sentence Embeddings with Abstract Meaning
Representation", EMNLP 2022, section 3) feeds encoders: no variables, a re-entrant node repeated by its
concept, no ``:wiki``, no quotes. The paper does not specify how a node is repeated. The form ``paper``
repeats it in brackets; the form ``released``, of the authors' code (jcyk/MSE-AMR), repeats it bare,
which distinguishes it from a second node of the same concept and is 6 % shorter (The Little Prince). It also
splits an inverse role, ``:ARG0 -of``, except ``:consist-of``, and writes a string's ``_`` as a space. The
pointer form (after SPRING, Bevilacqua et al., AAAI 2021) feeds and trains parsers: it is lossless, and
:func:`linearize.restore.delinearize` reads it back.
"""

import re
from typing import Literal, get_args

import penman

from amrx.errors import InputError, check_choice
from linearize.tokens import CLOSE, NOTHING, OPEN, kind_of, write_atom
from linearize.walk import Step, walk

Form = Literal["paper", "released", "pointer"]
INVERSE = "-of"
"""Second token of an inverse role in the form ``released``."""
_WHOLE = ":consist-of"
_NOT_IN_ROLES = re.compile(r'[\s"()/:~\ud800-\udfff]')


def linearize(graph: penman.Graph, *, form: Form = "paper", keep_wiki: bool = False) -> list[str]:
    """Return ``graph`` as tokens, depth first from its top.

    Args:
        graph: A connected graph, as ``penman.decode`` gives it or built from triples.
        form: ``paper``, ``released`` or ``pointer``.
        keep_wiki: Keep ``:wiki`` attributes.

    Returns:
        The tokens. In the pointer form, with ``keep_wiki``, ``delinearize`` restores every triple.

    Raises:
        InputError: ``graph`` is not a graph, is empty or disconnected, or has a node with two concepts.
        OptionError: ``form`` is unknown.

    Example:
        >>> graph = penman.decode("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))")
        >>> " ".join(linearize(graph))
        '( want-01 :ARG0 ( boy ) :ARG1 ( go-02 :ARG0 ( boy ) ) )'
        >>> " ".join(linearize(graph, form="released"))
        '( want-01 :ARG0 ( boy ) :ARG1 ( go-02 :ARG0 boy ) )'
        >>> " ".join(linearize(penman.decode('(p / person :ARG0-of (t / teach-01))'), form="released"))
        '( person :ARG0 -of ( teach-01 ) )'
        >>> " ".join(linearize(graph, form="pointer"))
        '( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1> ) )'
    """
    check_choice("form", form, get_args(Form))
    if not isinstance(graph, penman.Graph):
        raise InputError(
            f"graph must be a penman.Graph, got {type(graph).__name__}; penman.decode reads text"
        )
    steps = walk(graph)
    if not keep_wiki:
        steps = _without_wiki(steps)
    if form == "pointer":
        return _pointer(steps)
    return _paper(steps) if form == "paper" else _released(steps)


def _without_wiki(steps: list[Step]) -> list[Step]:
    """Return the steps without ``:wiki`` roles that lead to a constant."""
    kept: list[Step] = []
    for step in steps:
        if step.kind == "value" and kept[-1].text == ":wiki":
            kept.pop()
        else:
            kept.append(step)
    return kept


def _pointer(steps: list[Step]) -> list[str]:
    pointers: dict[str | None, str] = {}
    tokens: list[str] = []
    for kind, text, concept in steps:
        if kind == "role":
            tokens.append(_role(text))
        elif kind == "close":
            tokens.append(CLOSE)
        elif kind == "value":
            tokens.append(write_atom(text))
        else:
            pointer = pointers.setdefault(text, f"<{len(pointers)}>")
            tokens.extend((OPEN, pointer, write_atom(concept)) if kind == "open" else (pointer,))
    return tokens


def _released(steps: list[Step]) -> list[str]:
    split = [
        step._replace(text=str(step.text).replace("_", " "))
        if step.kind == "value" and str(step.text).startswith('"')
        else step
        for step in steps
    ]
    tokens: list[str] = []
    for token in _paper(split, bare=True):
        inverse = kind_of(token) == "role" and token.endswith(INVERSE) and token != _WHOLE
        tokens.extend((token.removesuffix(INVERSE), INVERSE) if inverse else (token,))
    return tokens


def _paper(steps: list[Step], bare: bool = False) -> list[str]:
    concepts = {step.text: _words(step.concept) for step in steps if step.kind == "open"}
    tokens: list[str] = []
    for kind, text, _ in steps:
        if kind == "role":
            tokens.append(_role(text))
        elif kind == "close":
            tokens.append(CLOSE)
        elif kind == "open":
            tokens.extend((OPEN, *concepts[text]))
        elif kind == "again":
            tokens.extend(concepts[text] if bare else (OPEN, *concepts[text], CLOSE))
        else:
            words = _words(text)
            if words:
                tokens.extend(words)
            else:  # a role without a target
                tokens.pop()
    return tokens


def _words(value: object) -> list[str]:
    """Return a concept or constant without quotes and escapes."""
    atom = write_atom(value)
    if atom == NOTHING:
        return []
    if atom.startswith('"'):
        return re.sub(r"\\(.)", r"\1", atom[1:-1]).split()
    return [str(value)]


def _role(role: str | None) -> str:
    """Return ``role`` in a form that penman can read."""
    text = str(role)
    return text if kind_of(text) == "role" else ":" + _NOT_IN_ROLES.sub("", text)
