"""Means over groups of languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

PART = re.compile(r"\((\d+ of \d+)\)$")
"""How the name of a mean ends, as `group_means` makes it, that is not over all of its languages."""


def group_means(scores: Mapping[str, float], groups: Iterable[tuple[str, Sequence[str]]]) -> dict[str, float]:
    """Return the mean of each group that has a score; its name says over how many languages it runs.

    Args:
        scores: Value of each language.
        groups: Name and languages of each group.

    Example:
        >>> group_means({"de": 80.0, "fr": 60.0}, [("seen", ("de",)), ("all", ("de", "fr", "tr"))])
        {'mean, seen (1)': 80.0, 'mean, all (2 of 3)': 70.0}
    """
    found = {}
    for name, languages in groups:
        values = [scores[language] for language in languages if language in scores]
        if values:
            count = (
                str(len(values)) if len(values) == len(languages) else f"{len(values)} of {len(languages)}"
            )
            found[f"mean, {name} ({count})"] = sum(values) / len(values)
    return found
