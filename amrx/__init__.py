"""Retrofit multilingual sentence embeddings with Abstract Meaning Representation (AMR).

::

    import amrx

    encoder = amrx.load()                                    # a base encoder and an AMR side
    vectors = encoder.encode(["Der Junge will gehen.", "The boy wants to go."])
    encoder.similarity(vectors, vectors)

    [parse] = amrx.parse(["Der Junge will gehen."], lang="de")
    amrx.linearize(parse.graph)                              # "(", "want-01", ":ARG0", ...
    amrx.smatch(parse, "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))")
    amrx.explain("The dog bit the man.", "The man bit the dog.").summary
    amrx.search(["Can I cancel it?"], corpus, encoder=encoder)
    amrx.pairs(corpus, encoder=encoder)                      # duplicates and paraphrases
    amrx.evaluate(encoder, "sts17", "DATA")

Names are imported at first use, so ``import amrx`` takes almost no time.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from amrx.stages import check_stages

if TYPE_CHECKING:
    from amrx.types import Parse as Parse
    from amrx.types import Sentence as Sentence

__version__ = "0.27.0"

check_stages()
# idle threads of torch sleep: if they spin, a second busy process makes parsing far slower
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

_HOMES = {
    "Parse": ("amrx.types", "Parse"),
    "Sentence": ("amrx.types", "Sentence"),
    "delinearize": ("linearize.restore", "delinearize"),
    "evaluate": ("amrx.evaluation.run", "evaluate"),
    "explain": ("retrofit.explain", "explain_pair"),
    "linearize": ("linearize.forms", "linearize"),
    "load": ("retrofit.load", "load"),
    "load_base": ("retrofit.bases.names", "load_base"),
    "load_parser": ("parser.load", "load"),
    "pairs": ("retrofit.search", "pairs"),
    "parse": ("parser.load", "parse"),
    "search": ("retrofit.search", "search"),
    "smatch": ("parser.score.smatch", "smatch"),
}
"""Modules and names behind the front door."""

__all__ = sorted([*_HOMES, "__version__"])


def __getattr__(name: str) -> Any:  # noqa: ANN401  # functions and classes of every kind
    """Import a name of the front door at its first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'amrx' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the names of the front door."""
    return sorted({*globals(), *__all__})
