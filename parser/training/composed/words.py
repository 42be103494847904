"""Format composed sentences, and read the tables of this package."""

import csv
from importlib.resources import files


def finished(text: str, lang: str, stop: bool = True) -> str:
    """Capitalise a sentence and, if ``stop``, append the full stop of its language.

    Example:
        >>> finished("iki kedi", "tr")
        'İki kedi.'
    """
    first = "İ" if lang == "tr" and text[0] == "i" else text[0].upper()
    end = "。" if lang == "zh" else "."
    return first + text[1:] + (end if stop else "")


def rows(package: str | None, name: str) -> list[dict[str, str]]:
    """Return the rows of a tab-separated table in a package."""
    assert package is not None
    text = files(package).joinpath(name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
