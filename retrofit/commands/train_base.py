"""Run ``amrx train-base``: train a base encoder for ``--base``."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from amrx.cli_options import Device, Fresh, Overrides, Threads, check_folders
from amrx.errors import OptionError, check_choice
from amrx.recipes import load_recipe, parse_override
from amrx.threads import limit_threads

if TYPE_CHECKING:
    from retrofit.training.bases.sources import Kind, Source

METHODS = {
    "emma-x": "emma_x",
    "msimcse": "msimcse",
    "vmsst": "vmsst",
    "contrastive": "vmsst",
    "bitranslation": "vmsst",
}
"""Folder of each method in ``retrofit/training/bases``, with ``recipe``, ``train`` and ``recipes``."""

DEFAULTS = {"msimcse": "english-nli", "contrastive": "contrastive"}
"""Default recipe of a method, if it is not ``paper``."""

SHARED = ("vmsst",)
"""Folders with several methods; their recipes have a key ``method``, which the command sets."""


def train_base(
    method: Annotated[str, typer.Argument(help=f"Method: {', '.join(METHODS)}.")],
    out: Annotated[Path, typer.Option("--output", "-o", help="Encoder folder to write.")],
    config: Annotated[
        str | None, typer.Option(help="Name of a shipped recipe, or a TOML file; the paper's by default.")
    ] = None,
    parallel: Annotated[
        list[str] | None, typer.Option(help="en-de:PAIRS.tsv or en-de:FILE.en,FILE.de; may repeat.")
    ] = None,
    text: Annotated[
        list[str] | None, typer.Option(help="de:FILE, one sentence per line; may repeat.")
    ] = None,
    triplets: Annotated[
        list[str] | None,
        typer.Option(help="en:FILE of sentence, paraphrase, contradiction, or SimCSE's .csv; may repeat."),
    ] = None,
    nli: Annotated[
        list[str] | None,
        typer.Option(
            help="en:FILE or en-de:FILE.en,FILE.de of premise, hypothesis, label; or SNLI's, MultiNLI's and "
            "XNLI-MT's files."
        ),
    ] = None,
    set_: Overrides = None,
    device: Device = None,
    fresh: Fresh = False,
    threads: Threads = None,
) -> None:
    """Train a base encoder; the same command resumes a stopped run.

    Files may be compressed (.gz). The written folder is a base encoder: amrx retrofit --base DIR
    """
    limit_threads(threads)
    check_choice("method", method, METHODS)
    check_folders(out)
    recipe = read_recipe(method, config or DEFAULTS.get(method, "paper"), set_ or [])
    sources = [
        *_sources("parallel", parallel), *_sources("text", text),
        *_sources("triplets", triplets), *_sources("nli", nli),
    ]  # fmt: skip
    from amrx.threads import set_threads
    from retrofit.training.bases.train import train

    set_threads()
    train(_module(method, "train").METHOD, sources, out, recipe, device, fresh=fresh)
    sys.stderr.write(f"{out}: a base encoder, for --base\n")


def read_recipe(method: str, name: str, overrides: list[str]) -> object:
    """Load a method's recipe by the name of a shipped file or by path, then apply KEY=VALUE overrides."""
    folder = Path(__file__).parent.parent / "training" / "bases" / METHODS[method] / "recipes"
    recipe: type[object] = _module(method, "recipe").Recipe
    changes = dict(parse_override(text) for text in overrides)
    if METHODS[method] in SHARED:
        if changes.get("method", method) != method:
            raise OptionError(f"recipe key 'method' is set by the command, here to {method!r}")
        changes["method"] = method
    return load_recipe(recipe, folder, name, changes)


def _module(method: str, name: str) -> ModuleType:
    return importlib.import_module(f"retrofit.training.bases.{METHODS[method]}.{name}")


def _sources(kind: Kind, texts: list[str] | None) -> list[Source]:
    from retrofit.training.bases.sources import read_source

    return [read_source(kind, text) for text in texts or []]
