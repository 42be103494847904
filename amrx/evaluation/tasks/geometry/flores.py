"""Geometry of one sentence in many languages, on FLORES."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from amrx.evaluation.data_folders import Data, read_sentences
from amrx.evaluation.hub_data.forms import Field, Table
from amrx.evaluation.hub_data.source import HubData, HubFile
from amrx.evaluation.metrics import Floats
from amrx.evaluation.results.means import group_means
from amrx.evaluation.results.rows import Row, Scored, Skipped
from amrx.evaluation.tasks.emma_x_languages import FLORES_HEAD, LINE, head_and_tail
from amrx.evaluation.tasks.geometry.flores_languages import NAMES
from amrx.evaluation.tasks.geometry.measures import (
    canonical_form,
    fit_gaussian,
    principal_ratio,
    symmetric_kl,
)
from amrx.evaluation.tasks.geometry.scatter import clouds
from amrx.evaluation.tasks.task import Column, Described, iso_code
from amrx.types import Vectors
from amrx.vectors import normalise

INVARIANCE = "KL to the other languages, nats, lower is better"
CANONICAL = "Calinski-Harabasz of the translations"
ISOTROPY = "principal ratio"
ISOTROPY_POOLED = "principal ratio, pooled"


@dataclass(frozen=True, slots=True, kw_only=True)
class GeometryTask(Described):
    """Geometry of parallel sentences; see `amrx.evaluation.tasks.task.Task`.

    Attributes:
        languages: ISO 639-1 codes, or other names of languages that have none, in the order of the tables.
        file: Path of a language below the data folder.
        count: Sentences of each language, line by line translations of each other.
        groups: Names and codes of the groups that are averaged, and measured together.
    """

    languages: tuple[str, ...]
    file: str
    count: int
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    group: str = "geometry"

    @property
    def shown(self) -> tuple[str, ...]:
        """Invariance, canonical form, isotropy."""
        return INVARIANCE, CANONICAL, ISOTROPY, ISOTROPY_POOLED

    def load(self, data: Data) -> tuple[list[GeometryPart], list[Skipped]]:
        """Read and check every language that is there; with fewer than two, none is measured.

        Raises:
            InputError: A line is empty, or a file has not as many lines as the task says.
        """
        files = {code: data / self.file.format(code) for code in self.languages}
        found = {code: file for code, file in files.items() if file.is_file()}
        missing = [code for code in self.languages if code not in found or len(found) < 2]
        skipped = [Skipped(self.name, code, files[code], self.fetch) for code in missing]
        if len(found) < 2:
            return [], skipped
        sentences = tuple(read_sentences(file, self.count, self.name) for file in found.values())
        return [GeometryPart(self, tuple(found), sentences)], skipped

    def means(self, scores: Mapping[str, float]) -> dict[str, float]:
        """Return the mean over all languages; nothing where they are measured together, as the groups are."""
        return group_means(scores, [("all", self.languages)])

    def gaps(self, rows: Sequence[Row]) -> str:
        """Return a line that names the languages of each encoder without invariance, empty if none is."""
        lines = []
        for label in dict.fromkeys(row.encoder for row in rows if row.task == self.name):
            own = {
                (row.metric, row.language) for row in rows if (row.encoder, row.task) == (label, self.name)
            }
            there = [code for code in self.languages if (ISOTROPY, code) in own]
            missing = [code for code in there if (INVARIANCE, code) not in own]
            if missing:
                lines.append(f"{label} has no KL for {', '.join(missing)}")
        needed = "that needs two languages, and vectors that fill every direction"
        return f"{self.name}: {'; '.join(lines)}; {needed}" if lines else ""


@dataclass(frozen=True, slots=True)
class GeometryPart:
    """The sentences of every language."""

    task: GeometryTask
    languages: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]

    def columns(self) -> list[Column]:
        """Return a column a language."""
        return [
            Column(texts, iso_code(code)) for texts, code in zip(self.sentences, self.languages, strict=True)
        ]

    def score(self, label: str, vectors: Sequence[Vectors]) -> list[Scored]:
        """Return invariance and isotropy of each language, and what is measured of several together.

        That is canonical form and isotropy, of all languages and of each group with two of them, invariance
        of each such group, and maps of all. Vectors are scaled to length 1 first. Invariance of a language is
        the mean of its symmetric KL to each other language; that of a group is the mean over the pairs within
        it (appendix B.2, Eq. 1). A language whose vectors have no density has none, and is no other language
        to the rest.
        """
        sides = [normalise(vectors[place]) for place in range(len(self.languages))]
        table = _divergences(sides)
        rows = [
            self._row(label, code, INVARIANCE, value, self.task.count)
            for code, value in zip(self.languages, _others(table), strict=True)
            if value is not None
        ]
        rows += [
            self._row(label, code, ISOTROPY, principal_ratio(side), self.task.count)
            for code, side in zip(self.languages, sides, strict=True)
        ]
        maps = clouds(sides, self.languages)
        canonical, pooled = self._together(label, "", sides)
        rows += [canonical._replace(clouds=maps), pooled]
        for name, codes in self.task.groups:
            places = [place for place, code in enumerate(self.languages) if code in codes]
            if 2 <= len(places) < len(sides):
                rows += self._together(label, f"{name}, ", [sides[place] for place in places])
                within = [value for value in _others(table[np.ix_(places, places)]) if value is not None]
                if within:
                    mean, title = sum(within) / len(within), f"{name}, {len(places)} languages"
                    rows.append(self._row(label, title, INVARIANCE, mean, self.task.count))
        return rows

    def _together(self, label: str, name: str, sides: Sequence[Vectors]) -> tuple[Scored, Scored]:
        """Return canonical form and isotropy of some languages together."""
        pooled = np.concatenate(sides)
        meanings = np.tile(np.arange(self.task.count), len(sides))
        language, form = f"{name}{len(sides)} languages", canonical_form(pooled, meanings)
        return (
            self._row(label, language, CANONICAL, form, len(pooled)),
            self._row(label, language, ISOTROPY_POOLED, principal_ratio(pooled), len(pooled)),
        )

    def _row(self, label: str, language: str, metric: str, value: float, count: int) -> Scored:
        return Scored(Row(label, self.task.name, language, metric, value, count))


def _divergences(sides: Sequence[Vectors]) -> Floats:
    """Return the symmetric KL of each two sides, NaN where one has no density, ``(n, n)``."""
    fitted = {place: found for place, side in enumerate(sides) if (found := fit_gaussian(side)) is not None}
    table = np.full((len(sides), len(sides)), np.nan)
    for first, second in itertools.combinations(fitted, 2):
        table[first, second] = table[second, first] = symmetric_kl(fitted[first], fitted[second])
    return table


def _others(table: Floats) -> list[float | None]:
    """Return the mean of each row over what is a number; ``None`` where nothing is."""
    numbers = [row[~np.isnan(row)] for row in table]
    return [float(row.sum() / len(row)) if len(row) else None for row in numbers]


_HUB = HubData("mteb/FloresBitextMining", "CC BY-SA 4.0", "2144d16cc15edd22d4a9237d12bff5f31f5c07fc")
_LANGUAGES = tuple(NAMES)
_HEAD = frozenset(code for code, name in NAMES.items() if name in FLORES_HEAD)


def _on_hub() -> tuple[HubFile, ...]:
    """Return the file of each language: a column of one table, named by FLORES' own code."""
    return tuple(
        HubFile(f"geometry/flores/devtest.{code}", _HUB, "data/devtest-*.parquet", Table((Field(name),)))
        for code, name in NAMES.items()
    )


FLORES = GeometryTask(
    name="flores",
    languages=_LANGUAGES,
    groups=head_and_tail((code for code in _LANGUAGES if code != "en"), _HEAD),
    file="geometry/flores/devtest.{}",
    count=1012,
    note="FLORES-200 devtest; invariance, canonical form and isotropy after Emma-X (Guo et al. 2023, "
    "appendix B), on vectors of length 1; KL and Calinski-Harabasz are not on a scale of 100; "
    "Calinski-Harabasz is scikit-learn's, (n - K) / (K - 1) times what the appendix prints; KL of a group is "
    "within it; "
    f"{LINE}",
    fetch="https://github.com/facebookresearch/flores, a language a file, as geometry/flores/devtest.XX, "
    "XX the ISO 639-1 code, or FLORES' own name where there is none",
    hub=_on_hub(),
)
