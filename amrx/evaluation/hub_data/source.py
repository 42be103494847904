"""Describe the file of a dataset that holds the rows of a task's file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from amrx.evaluation.hub_data.forms import Form


@dataclass(frozen=True, slots=True)
class HubData:
    """A dataset that may be redistributed."""

    name: str  # its id on the hub, or a folder with the same files
    licence: str  # licence of the rows
    revision: str = "main"  # commit on the hub; a branch means its newest commit

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder on this machine."""
        return Path(self.name).is_dir()

    def location(self, file: str, revision: str) -> str:
        """Return the location of a file for ``datasets``.

        Example:
            >>> HubData("mteb/xnli", "CC BY-NC 4.0").location("test/de.parquet", "09698e0")
            'hf://datasets/mteb/xnli@09698e0/test/de.parquet'
        """
        if self.is_folder:
            return str(Path(self.name).resolve() / file)
        return f"hf://datasets/{self.name}@{revision}/{file}"


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of the data folder, and its rows on the hub."""

    path: str  # path below the data folder
    data: HubData  # the dataset that has its rows
    file: str  # path in the dataset, parquet or JSON; ``*`` matches anything
    form: Form  # conversion of the rows to lines
    language: str | None = None  # the language of the task that needs it; ``None`` if all do
    # paths of files that together hold the same rows: the file is not downloaded if the data folder has them
    # all. Ignored if empty.
    unless: tuple[str, ...] = ()
