"""Which rows of which file a classifier is fitted on, selected on and measured on, as data.

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
    """Some rows of a file: row ``r``, counted from 0, belongs to part ``(r // block) % of``.

    Attributes:
        block: Rows in a row that stay together, as those of one premise.
        of: How many parts there are.
        parts: The parts that are taken.

    Example:
        >>> Take(block=2, of=3, parts=(0, 2))(["a", "b", "c", "d", "e", "f", "g"])
        ['a', 'b', 'e', 'f', 'g']
    """

    block: int
    of: int
    parts: tuple[int, ...]

    def __call__(self, rows: Sequence[T]) -> list[T]:
        """Return the rows that are taken, in order."""
        return [row for place, row in enumerate(rows) if (place // self.block) % self.of in self.parts]


Read = Callable[[Path], tuple[Item, ...]]
EVERY = Take(block=1, of=1, parts=(0,))


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of one file a language.

    Attributes:
        file: Path below the data folder; ``{}`` stands for the language.
        count: How many rows the file has.
        take: Which of them.
        names: What the files call a language, where that is not its code.
        counts: How many rows the files of some languages have instead.
        reader: Reads and checks a file, where the task's own reader does not.
        code: ISO 639-1 code of the texts, where one file serves every language.
        published: The path by the name that the file is published under; ``{}`` stands for the language.
        sample: Whether the file may have fewer rows; the metric then says that it is a sample.
    """

    file: str
    count: int
    take: Take = EVERY
    names: tuple[tuple[str, str], ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    reader: Read | None = None
    code: str | None = None
    published: str = ""
    sample: bool = False

    def find(self, data: Data, language: str) -> Path:
        """Return the file of a language, by either name; by the first where there is none."""
        file = data / self.path(language)
        if self.published and not file.is_file():
            other = data / self.published.format(dict(self.names).get(language, language))
            return other if other.is_file() else file
        return file

    def rows(self, language: str) -> int:
        """Return how many rows the file of a language has."""
        return dict(self.counts).get(language, self.count)

    def path(self, language: str) -> str:
        """Return the path for a language.

        Example:
            >>> Source("transfer/XNLI/dev-{}.tsv", 2490).path("de")
            'transfer/XNLI/dev-de.tsv'
        """
        return self.file.format(dict(self.names).get(language, language))


@dataclass(frozen=True, slots=True)
class Plan:
    """One way to fit, select and measure.

    Attributes:
        fitted_on: Name of the files to fit on; ``train-en`` is the published protocol and is not named.
        fit: What the classifier learns from.
        select: What its regularisation is chosen on, in every language.
        measure: What it is measured on, in every language.
        fit_in: The languages that it learns from; nothing is fitted without the first one.
        measured_on: Name of the files to measure on; ``test`` is not named.
    """

    fitted_on: str
    fit: Source
    select: Source
    measure: Source
    fit_in: tuple[str, ...] = ("en",)
    measured_on: str = "test"

    def of_sample(self) -> Plan:
        """Return the plan that is fitted on a sample of its rows."""
        return replace(self, fitted_on=f"a sample of {self.fitted_on}")

    def metric(self, name: str) -> str:
        """Return a metric's name; it tells where was fitted and measured unless that is train-en and test.

        Example:
            >>> nowhere = Source("{}", 1)
            >>> Plan("dev-en", nowhere, nowhere, nowhere).metric("accuracy")
            'accuracy, fitted on dev-en'
        """
        fitted = "" if self.fitted_on == "train-en" else f", fitted on {self.fitted_on}"
        return name + fitted + ("" if self.measured_on == "test" else f", measured on {self.measured_on}")
