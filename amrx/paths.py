"""Model names that may be folder paths."""

from __future__ import annotations

import os


def name_of(model: str | os.PathLike[str]) -> str:
    """Return a name as it is, and a path object as its absolute path, which cannot be a model name.

    Example:
        >>> name_of("mini"), name_of(os.fspath("st:DIR"))
        ('mini', 'st:DIR')
    """
    return model if isinstance(model, str) else os.path.abspath(model)
