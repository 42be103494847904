"""Head and long tail: which languages an encoder of the XLM-R family has seen, and which it has not.

Emma-X (Guo et al. 2023) tells head and long-tail languages apart on Tatoeba and FLORES-200. Its lists could
not be read, so the line between them is our own, one that anybody can check: a language is of the head if the
model card of XLM-R (Conneau et al. 2020), the encoder that Emma-X starts from, names it, and else of the long
tail. Imani et al. 2023 (Glot500) draw it there too. ``no`` on that card is read as Bokmål (nb).
"""

from __future__ import annotations

from collections.abc import Iterable

HEAD = frozenset(
    "af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi "
    "hr hu hy id is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my ne nl nb om or pa "
    "pl ps pt ro ru sa sd si sk sl so sq sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh".split()
)
"""The 93 languages of huggingface.co/FacebookAI/xlm-roberta-base, as ISO 639-1 codes."""
LINE = "head: languages that XLM-R has seen; long tail: the others (our reading of Emma-X)"


def head_and_tail(codes: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...]]]:
    """Return the names of both groups and which of some languages are in each.

    Example:
        >>> head_and_tail(("de", "ig", "zh"))
        (('head', ('de', 'zh')), ('long tail', ('ig',)))
    """
    known = tuple(codes)
    head = tuple(code for code in known if code in HEAD)
    return ("head", head), ("long tail", tuple(code for code in known if code not in HEAD))
