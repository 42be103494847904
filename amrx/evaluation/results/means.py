"""Compute means over groups of languages."""

import re
from collections.abc import Iterable, Mapping, Sequence

PART = re.compile(r"\((\d+ of \d+)\)$")
"""End of the name of a mean over a part of its languages, as written by `group_means`."""
_COUNT = re.compile(r" \((\d+ of )?\d+\)$")


def counted(count: int, of: int) -> str:
    """Return the number of languages of a mean, for the end of its name.

    Example:
        >>> counted(3, 3), counted(1, 3)
        ('(3)', '(1 of 3)')
    """
    return f"({count})" if count == of else f"({count} of {of})"


def group_of(name: str) -> str:
    """Return the name of a mean without the number of its languages.

    Example:
        >>> group_of("mean, all (1 of 6)"), group_of("mean, all (6)"), group_of("monolingual mean")
        ('mean, all', 'mean, all', 'monolingual mean')
    """
    return _COUNT.sub("", name)


def distinct(totals: Sequence[Mapping[str, float]]) -> list[str]:
    """Return the names of the encoders' means; of equal means over parts of languages only the last.

    Example:
        >>> seen, every = {"mean, seen (2 of 6)": 70.0}, {"mean, all (2 of 15)": 70.0}
        >>> distinct([seen | every]), distinct([seen | every, every])
        (['mean, all (2 of 15)'], ['mean, seen (2 of 6)', 'mean, all (2 of 15)'])
    """
    names = dict.fromkeys(name for own in totals for name in own)
    last = {tuple(own.get(name) for own in totals) if PART.search(name) else name: name for name in names}
    return list(last.values())


def group_means(scores: Mapping[str, float], groups: Iterable[tuple[str, Sequence[str]]]) -> dict[str, float]:
    """Return the mean of each group that has a score, named with the number of its languages.

    Example:
        >>> group_means({"de": 80.0, "fr": 60.0}, [("seen", ("de",)), ("all", ("de", "fr", "tr"))])
        {'mean, seen (1)': 80.0, 'mean, all (2 of 3)': 70.0}
    """
    means = {}
    for name, languages in groups:
        values = [scores[language] for language in languages if language in scores]
        if values:
            means[f"mean, {name} {counted(len(values), len(languages))}"] = sum(values) / len(values)
    return means
