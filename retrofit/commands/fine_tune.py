"""Run ``amrx fine-tune``: fine-tune a whole model on a task of Emma-X's Table 1."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amrx.cli_options import Device, Fresh, Overrides, Threads, check_folders, report
from amrx.errors import check_choice
from amrx.recipes import load_config, parse_override
from amrx.threads import limit_threads


def fine_tune_model(
    task: Annotated[str, typer.Argument(help="xnli, anli, pawsx, marc or xcopa.")],
    model: Annotated[str, typer.Option(help="Folder or hub id of an encoder in transformers' format.")],
    data: Annotated[Path, typer.Option(help="Data folder.", envvar="AMRX_DATA")],
    out: Annotated[Path, typer.Option("--output", "-o", help="Model folder to write.")],
    english: Annotated[bool, typer.Option("--english", help="Train on the English rows only.")] = False,
    config: Annotated[Path | None, typer.Option(help="Recipe, a TOML file.")] = None,
    set_: Overrides = None,
    device: Device = None,
    fresh: Fresh = False,
    threads: Threads = None,
) -> None:
    """Fine-tune a whole model with a new head on the training rows of all languages (translate-train-all).

    Training rows are read as published: transfer/XNLI/multinli.train.XX.tsv of XNLI-MT,
    transfer/PAWSX/en/train.tsv and XX/translated_train.tsv, transfer/MARC/dataset_XX_train.json; dev and test
    as in amrx eval. The weights with the best mean dev score over languages are measured on test and written.
    The same command resumes a stopped run. --english is the transfer from English of XTREME and of mSimCSE's
    Table 5.
    """
    limit_threads(threads)
    from amrx.threads import set_threads
    from retrofit.commands.eval import show
    from retrofit.training.fine_tune import TASKS, Recipe, fine_tune, in_english, read_part

    check_choice("task", task, TASKS)
    check_folders(out, data)
    recipe = load_config(Recipe, config, dict(map(parse_override, set_ or [])))
    part = read_part(in_english(TASKS[task]) if english else TASKS[task], data)
    set_threads()
    rows = fine_tune(model, part, out, recipe, device, fresh=fresh, report=report)
    show([part.task], rows)
