"""Read the words of the templates' tables, and format sentences in any language."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files


class UnsayableError(Exception):
    """A language has no rule or word for a meaning; other languages may have one."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun of captions or of constructed sentences."""

    name: str  # key; in captions the English singular
    kinds: tuple[str, ...]  # semantic classes: ``person``, ``food``, ``in-place``…
    # column of each language that has the word. Turkish and Arabic are read by
    # `parser.training.templates.morphology`, the others by the rules of their language.
    forms: Mapping[str, str]
    # column of the plural, in languages that do not form it by rule
    plurals: Mapping[str, str] = field(default_factory=dict)
    # the concept, or ``person`` and the frame whose agent it is; empty in captions
    concepts: tuple[str, ...] = ()
    named: bool = False  # whether it is a name; then ``concepts`` is ``person`` and the name

    @property
    def living(self) -> bool:
        """Whether it is a person or an animal."""
        return "person" in self.kinds or "animal" in self.kinds

    @property
    def single(self) -> bool:
        """Whether it takes the article ``a``: neither uncountable nor only plural."""
        return "en" in self.plurals and "plural" not in self.kinds

    def column(self, lang: str) -> str:
        """Return the table's column of a language.

        Raises:
            UnsayableError: The table has no such word.
        """
        if lang not in self.forms:
            raise UnsayableError
        return self.forms[lang]


def joined(*words: str) -> str:
    """Join the words that are not empty by spaces."""
    return " ".join(word for word in words if word)


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
