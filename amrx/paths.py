"""Names of models that may be paths of folders."""

from __future__ import annotations

import os


def name_of(model: str | os.PathLike[str]) -> str:
    """Return a name as it is, and a path in its absolute form, which no name of a model can be.

    Example:
        >>> name_of("mini"), name_of(os.fspath("st:DIR"))
        ('mini', 'st:DIR')
    """
    return model if isinstance(model, str) else os.path.abspath(model)
