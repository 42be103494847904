"""What a run of the mini parser's training is made of, so that no other run goes on in its folder."""

from __future__ import annotations

from pathlib import Path

from amrx.errors import OptionError, OutputError
from amrx.records import atomic_path, fingerprint
from parser.training.corpora.leakage import RESERVED
from parser.training.mini.recipe import Recipe

_READ = (
    "amr/**/*",
    "parallel/**/*",
    "sts/stsb/*/train.csv",
    "transfer/XNLI/dev-*.tsv",
    "transfer/PAWSX/dev-*.tsv",
    "qe/*/train.tsv.gz",
    *(pattern for pattern, _ in RESERVED.values()),
)
"""Files of the open data that examples come from, or that reserve a text."""


def run_fingerprint(data: Path, recipe: Recipe, parsers: str) -> str:
    """Return a hash of all that decides a run.

    Args:
        data: Folder of the open data, whose files are read whole (190 MB: a second).
        recipe: The recipe.
        parsers: Fingerprints of the parser that the run goes on from, and of its teacher.
    """
    files = sorted({path for pattern in _READ for path in data.glob(pattern) if path.is_file()})
    names = [path.relative_to(data).as_posix() for path in files]
    return fingerprint({"recipe": repr(recipe), "parsers": parsers, "files": names}, files)


def claim(work: Path, run: str) -> None:
    """Make the folder in which a run keeps what it needs to go on, or check that it is this run's.

    Args:
        work: The folder; ``run.key`` in it, its first file, holds the hash.
        run: Of `run_fingerprint`.

    Raises:
        OptionError: The folder holds another run, or one of a version that kept no hash.
        OutputError: It cannot be made.
    """
    key = work / "run.key"
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{work}: cannot be made: {error.strerror}") from error
    if not any(work.iterdir()):
        with atomic_path(key) as temporary:
            temporary.write_text(run, "utf-8")
    elif not key.is_file() or key.read_text("utf-8") != run:
        told = "belongs to another recipe, start, teacher or data; name another folder, or delete it"
        raise OptionError(f"{work} {told}")
