"""Describe the rows on which a classifier is fitted, selected and measured, as data.

::

    Plan("train-en")  fit: train-en, every row      select: dev-XX, every row      measure: test-XX
    Plan("dev-en")    fit: dev-en, part of the rows  select: dev-XX, the other rows  measure: test-XX
    Plan("train-XX")  fit: train-XX, all languages   select: dev-XX, every row       measure: test-XX
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from amrx.evaluation.data_folders import Data
from amrx.evaluation.tasks.transfer.read import Item

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Take:
    """A part of the rows of a file: row ``r``, counted from 0, belongs to part ``(r // block) % of``.

    Example:
        >>> Take(block=2, of=3, parts=(0, 2))(["a", "b", "c", "d", "e", "f", "g"])
        ['a', 'b', 'e', 'f', 'g']
    """

    block: int  # number of consecutive rows that stay together, such as those of one premise
    of: int  # number of parts
    parts: tuple[int, ...]  # the parts to take

    def __call__(self, rows: Sequence[T]) -> list[T]:
        """Return the chosen rows, in order."""
        return [row for index, row in enumerate(rows) if (index // self.block) % self.of in self.parts]


Read = Callable[[Path], tuple[Item, ...]]
EVERY = Take(block=1, of=1, parts=(0,))


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of one file per language."""

    file: str  # path below the data folder; ``{}`` is replaced by the language
    count: int  # number of rows of the file
    take: Take = EVERY  # the rows to use
    names: tuple[tuple[str, str], ...] = ()  # names of languages in the file names, if they are not the codes
    counts: tuple[tuple[str, int], ...] = ()  # other numbers of rows, by language
    reader: Read | None = None  # reads and checks a file instead of the task's reader
    code: str | None = None  # ISO 639-1 code of the texts, if one file serves every language
    published: str = ""  # path under the published name; ``{}`` is replaced by the language
    sample: bool = False  # whether the file may have fewer rows; the metric then names a sample

    def find(self, data: Data, language: str) -> Path:
        """Return the file of a language under either name, the first name if neither exists."""
        file = data / self.path(language)
        if self.published and not file.is_file():
            other = data / self.published.format(dict(self.names).get(language, language))
            return other if other.is_file() else file
        return file

    def rows(self, language: str) -> int:
        """Return the number of rows of the file of a language."""
        return dict(self.counts).get(language, self.count)

    def path(self, language: str) -> str:
        """Return the path for a language."""
        return self.file.format(dict(self.names).get(language, language))


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to fit, select and measure."""

    fitted_on: str  # name of the training files; ``train-en`` is the published protocol and is not named
    fit: Source  # training rows
    select: Source  # rows to choose the regularisation on, in every language
    measure: Source  # test rows, in every language
    fit_in: tuple[str, ...] = ("en",)  # training languages; nothing is fitted without the first one
    measured_on: str = "test"  # name of the test files; ``test`` is not named

    def of_sample(self) -> Plan:
        """Return the plan for a sample of its training rows."""
        return replace(self, fitted_on=f"a sample of {self.fitted_on}")

    def metric(self, name: str) -> str:
        """Return the name of a metric with its training and test files, unless these are train-en and test.

        Example:
            >>> nowhere = Source("{}", 1)
            >>> Plan("dev-en", nowhere, nowhere, nowhere).metric("accuracy")
            'accuracy, fitted on dev-en'
        """
        fitted = "" if self.fitted_on == "train-en" else f", fitted on {self.fitted_on}"
        return name + fitted + ("" if self.measured_on == "test" else f", measured on {self.measured_on}")
