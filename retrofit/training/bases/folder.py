"""Write the folder of a trained base encoder.

::

    OUT/  a sentence-transformers model (modules.json, config.json, model.safetensors, tokenizer.json, ...)
          amrx.json     method, fingerprint and input of the run: last file: a folder with it is complete
          recipe.toml   the recipe
          README.md     the model card
          training/     logs and loss plots; checkpoints until the run has ended
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from amrx.errors import OutputError
from amrx.pretrained.hub import quiet
from amrx.recipes import to_toml
from amrx.records import write_text
from amrx.training.log import draw_losses
from retrofit.bases.trained import MARK, read_mark
from retrofit.model_card import describe, write_card
from retrofit.training.bases.sources import Kind, Source

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of a folder."""

    method: str  # the trainer
    recipe: object  # its recipe, a dataclass
    sources: tuple[Source, ...]  # sources of its input
    counts: tuple[int, ...]  # number of rows of each source

    @property
    def fingerprint(self) -> str:
        """A hash of method, recipe and names, sizes and rows of the files."""
        return self.fingerprint_of(self.recipe, *zip(self.sources, self.counts, strict=True))

    def fingerprint_of(self, settings: object, *rows: tuple[Source, int]) -> str:
        """A hash of the settings and sources, with their numbers of rows, that a phase reads."""
        sources, counts = tuple(source for source, _ in rows), tuple(count for _, count in rows)
        files = [(str(file), file.stat().st_size) for source in sources for file in source.files]
        described = repr((self.method, settings, sources, counts, files))
        return hashlib.sha256(described.encode()).hexdigest()[:16]

    def rows(self, *kinds: Kind) -> list[tuple[Source, int]]:
        """Return the sources of some kinds with their numbers of rows."""
        both = zip(self.sources, self.counts, strict=True)
        return [(source, count) for source, count in both if source.kind in kinds]


def prepare_folder(out: Path, *, fresh: bool) -> Path:
    """Create the folder and its subfolder ``training``, and return the latter.

    ``fresh`` drops checkpoints and logs of an earlier run.
    """
    training = out / "training"
    try:
        if fresh:
            shutil.rmtree(training, ignore_errors=True)
            (out / MARK).unlink(missing_ok=True)
        training.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{out}: cannot be created: {error.strerror}") from error
    return training


def is_done(out: Path, origin: Origin) -> bool:
    """Return whether the folder holds the result of a run of this origin."""
    return (out / MARK).is_file() and read_mark(out).get("run") == origin.fingerprint


def write_encoder(out: Path, encoder: SentenceTransformer, origin: Origin) -> None:
    """Write the encoder; after a kill there is no ``amrx.json``, and the same command writes it again."""
    (out / MARK).unlink(missing_ok=True)
    partial = out / "training" / "encoder.partial"
    shutil.rmtree(partial, ignore_errors=True)
    with quiet():
        encoder.save(str(partial), create_model_card=False)
    for new in sorted(partial.iterdir()):
        old = out / new.name
        if old.is_dir():
            shutil.rmtree(old)
        new.replace(old)
    partial.rmdir()
    write_text(out / "recipe.toml", to_toml(origin.recipe))
    write_card(out, _describe(encoder, origin))
    both = zip(origin.sources, origin.counts, strict=True)
    record = {
        "method": origin.method,
        "run": origin.fingerprint,
        "input": [[source.kind, source.name, rows] for source, rows in both],
    }
    write_text(out / MARK, json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def finish(training: Path) -> None:
    """Plot the losses of every log, and remove the files of an unfinished run."""
    for log in sorted(training.rglob("log.jsonl")):
        draw_losses(log, log.with_name("loss.svg"))
    for weights in training.rglob("*.safetensors"):
        if weights.name == "checkpoint.safetensors" or weights.name.startswith("best-"):
            weights.unlink()


def _describe(encoder: SentenceTransformer, origin: Origin) -> str:
    """Return the model card."""
    both = zip(origin.sources, origin.counts, strict=True)
    rows = (f"| `{source.name}` | {source.kind} | {rows} |" for source, rows in both)
    use = (
        f"Vectors of width {encoder.get_embedding_dimension()}. Load it with `SentenceTransformer(FOLDER)`,\n"
        "or give the folder to `amrx retrofit --base`. `recipe.toml` holds the recipe of its training."
    )
    return describe(f"Sentence encoder trained by `amrx train-base {origin.method}`", use, {
        "Input": "\n".join(["| input | kind | rows |", "|---|---|--:|", *rows]),
        "Data, licences, limits":
            "Name the licence of every source, and of the weights it started from, before sharing it.",
    })  # fmt: skip
