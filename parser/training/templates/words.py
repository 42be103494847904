"""Words of the templates' tables, and what the rules of all languages share."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files


class UnsayableError(Exception):
    """A language's rules or words do not reach a meaning; the other languages still say it."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun of captions or of constructed sentences."""

    name: str  # its key; of captions the English singular
    kinds: tuple[str, ...]  # fields that it belongs to: ``person``, ``food``, ``in-place``…
    # column of each language that has the word. Turkish and Arabic are read by
    # `parser.training.templates.morphology`, the others by the rules of their language.
    forms: Mapping[str, str]
    # column of the plural, in languages that form it by no rule
    plurals: Mapping[str, str] = field(default_factory=dict)
    # the concept, or ``person`` and the frame of which it is the agent; none in captions
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
    """Return the words that are not empty with a space between each two.

    Example:
        >>> joined("the dog", "", "barks")
        'the dog barks'
    """
    return " ".join(word for word in words if word)


def finished(text: str, lang: str, stop: bool = True) -> str:
    """Return a sentence with its capital and, where wanted, its full stop.

    Example:
        >>> finished("iki kedi", "tr")
        'İki kedi.'
    """
    first = "İ" if lang == "tr" and text[0] == "i" else text[0].upper()
    end = "。" if lang == "zh" else "."
    return first + text[1:] + (end if stop else "")


def rows(package: str | None, name: str) -> list[dict[str, str]]:
    """Return the rows of a table in a package."""
    assert package is not None
    text = files(package).joinpath(name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
