"""Run ``amrx fine-tune``: fine-tune a whole model on a task of Emma-X's Table 1."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amrx.cli_options import Device, Fresh, Overrides, Threads, check_folders, report
from amrx.errors import OptionError, check_choice
from amrx.recipes import load_config, parse_override
from amrx.threads import limit_threads

ENGLISH = ("xnli", "anli", "pawsx", "marc", "xcopa")
SIAMESE = ("multi-sts", "qe", "lareqa", "mewsli-x")
NAMES = (*ENGLISH, "multieurlex", *SIAMESE)


def fine_tune_model(
    task: Annotated[str, typer.Argument(help=f"{', '.join(NAMES[:-1])} or {NAMES[-1]}.")],
    model: Annotated[str, typer.Option(help="Folder or hub id of an encoder in transformers' format.")],
    data: Annotated[Path, typer.Option(help="Data folder.", envvar="AMRX_DATA")],
    out: Annotated[Path, typer.Option("--output", "-o", help="Model folder to write.")],
    english: Annotated[
        bool, typer.Option("--english", help="Train on the English rows only (xnli to xcopa).")
    ] = False,
    config: Annotated[Path | None, typer.Option(help="Recipe, a TOML file.")] = None,
    set_: Overrides = None,
    device: Device = None,
    fresh: Fresh = False,
    threads: Threads = None,
) -> None:
    """Fine-tune a whole model on a task of xrete, and measure it (Table 1 of Emma-X).

    xnli, anli, pawsx, marc, xcopa and multieurlex train the model with a new head on the rows of all
    languages (translate-train-all). --english is the transfer from English of XTREME and of mSimCSE's
    Table 5. multi-sts, qe, lareqa and mewsli-x train it as a Siamese network, whose vectors are compared by
    cosine; the folder is a base encoder for amrx retrofit --base.

    Training rows are read as published: transfer/XNLI/multinli.train.XX.tsv of XNLI-MT,
    transfer/PAWSX/en/train.tsv and XX/translated_train.tsv, transfer/MARC/dataset_XX_train.json,
    transfer/MultiEURLEX/train.jsonl; nli/snli/snli_1.0_train.jsonl and sts/stsb/en/train.csv (multi-sts),
    qe/XX-YY/train.tsv.gz, retrieval/squad/train-v1.1.json (lareqa),
    retrieval/mewsli-x/wikipedia_pairs-train.jsonl; dev files lie beside them, test files as in amrx eval.
    The weights with the best dev score are measured on test and written. The same command resumes a stopped
    run.
    """
    limit_threads(threads)
    from amrx.threads import set_threads
    from retrofit.commands.eval import show
    from retrofit.training.fine_tune import heads, siamese

    check_choice("task", task, NAMES)
    check_folders(out, data)
    if english and (task in SIAMESE or task == "multieurlex"):
        raise OptionError(f"--english works only with {', '.join(ENGLISH)}; got task {task!r}")
    overrides = dict(map(parse_override, set_ or []))
    set_threads()
    if task in SIAMESE:
        recipe = load_config(siamese.Recipe, config or siamese.RECIPES / f"{task}.toml", overrides)
        chosen = siamese.TASKS[task]
        rows = siamese.fine_tune(model, chosen, data, out, recipe, device, fresh=fresh, report=report)
        show([chosen.measured], rows)
        return
    with_head = heads.TASKS[task]
    if isinstance(with_head, heads.HeadTask) and english:
        with_head = heads.in_english(with_head)
    settings = load_config(heads.Recipe, config, overrides)
    part = heads.read_part(with_head, data)
    show([part.task], heads.fine_tune(model, part, out, settings, device, fresh=fresh, report=report))
