"""Which file of which dataset holds the rows of a task's file, as data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from amrx.evaluation.hub_data.forms import Form


@dataclass(frozen=True, slots=True)
class HubData:
    """A dataset whose licence lets anyone fetch it.

    Attributes:
        name: Its id on the hub, or a folder that holds the same files.
        licence: Licence of the rows.
        revision: Commit on the hub; a branch stands for its newest commit.
    """

    name: str
    licence: str
    revision: str = "main"

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder on this machine."""
        return Path(self.name).is_dir()

    def place(self, file: str, revision: str) -> str:
        """Return what ``datasets`` calls a file of it.

        Example:
            >>> HubData("mteb/xnli", "CC BY-NC 4.0").place("test/de.parquet", "09698e0")
            'hf://datasets/mteb/xnli@09698e0/test/de.parquet'
        """
        if self.is_folder:
            return str(Path(self.name).resolve() / file)
        return f"hf://datasets/{self.name}@{revision}/{file}"


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of the data folder's layout.

    Attributes:
        path: Path below the data folder.
        data: The dataset that has its rows.
        file: Path in the dataset, parquet or JSON; ``*`` stands for anything.
        form: How the rows become its lines.
        language: The language of the task that needs it; ``None`` if all do.
        unless: Paths of files that together hold its rows too: it is not fetched where the data folder has
            them all. Of none, it always is.
    """

    path: str
    data: HubData
    file: str
    form: Form
    language: str | None = None
    unless: tuple[str, ...] = ()
