"""Run ``amrx eval``: score a base encoder alone, with AMR, and with a text control."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amrx import cli_options as options
from amrx.device import use_device
from amrx.errors import OptionError
from amrx.threads import limit_threads
from parser.load import PARSER

if TYPE_CHECKING:
    from amrx.evaluation import Row, Task
    from amrx.evaluation.results.rows import Scored

TASK_NAMES = (
    "sts17, stsb, stsb-dev, sts12-16, qe, qe-probe, xnli, pawsx, qam, mldoc, marc, mldoc-mlearn, marc-mlearn "
    "(these seven also as NAME-senteval, those of pairs as NAME-uv), anli, xcopa, multieurlex, tatoeba, "
    "bucc, bucc-sample, bucc-dev, lareqa, mewsli-x, nq, mkqa, flores, flores-retrieval, langid, "
    "langid-en-de-fr-hi, langid-en-tr-ar-bg, tnews; xrete, xrete-zero-shot, vmsst, vmsst-four, msimcse, "
    "msimcse-languages and msimcse-sts run and summarise the tasks of those papers"
)


def evaluate(
    base: options.Base = "muse",
    amr: Annotated[bool, typer.Option("--amr", help="Also score it with the AMR side.")] = False,
    control: Annotated[
        str | None,
        typer.Option(help="Score it with a second text encoder too: a base, or amr (the AMR encoder's own)."),
    ] = None,
    tasks: Annotated[
        str | None,
        typer.Option(
            help="Tasks of docs/data.md, with commas; default sts17, or only those of --pairs."
            f" They are {TASK_NAMES}."
        ),
    ] = None,
    pairs: Annotated[
        list[str] | None,
        typer.Option(
            help="Own scored pairs, en-de:FILE.tsv: sentence, sentence, score, without a header; may repeat."
        ),
    ] = None,
    languages: Annotated[
        str | None, typer.Option(help="Languages of transfer tasks, with commas; default all.")
    ] = None,
    tracks: Annotated[
        str | None,
        typer.Option(help="Tracks of similarity tasks, with commas, as en-de,es-es; default all."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="Data folder; fetched files go to $AMRX_DATA_CACHE, or the user's cache.", envvar="AMRX_DATA"
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the base in tables; default: its own name.")
    ] = None,
    parser: Annotated[str | None, typer.Option(help=f"Parser: name or folder; default {PARSER}.")] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="Channels: AMR encoders, students, bases; + joins some into one system; commas separate "
            "systems; default mini."
        ),
    ] = None,
    preset: options.Preset = None,
    split: options.Split = True,
    beam: options.Beam = None,
    weight: options.Weight = None,
    json_: Annotated[
        Path | None,
        typer.Option(
            "--json",
            help="File for the rows, as JSON; FILE.items.npz beside it is for amrx eval compare, "
            "FILE.notes.txt lists skipped data.",
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="File for one HTML page: tables, intervals, bars.")
    ] = None,
    cache: options.ParsesCached = None,
    vector_cache: options.VectorsCached = None,
    index: Annotated[
        Path | None,
        typer.Option(help="Folder of the faiss shards of large pools; default $AMRX_INDEX, or the user's."),
    ] = None,
    no_cache: options.NoCache = False,
    offline: Annotated[
        bool,
        typer.Option("--offline", help="Fetch no data; forbid the network to the libraries of the hub too."),
    ] = False,
    batch_size: options.BatchSize = 64,
    device: options.Device = None,
    threads: options.Threads = None,
) -> None:
    """Score a base encoder on tasks, alone and with a second channel.

    Similarity is Spearman's correlation; transfer is the accuracy of a logistic regression fitted on English,
    or on dev-en if the training file is missing (the metric names it); retrieval is accuracy, F1 or mAP@20;
    all 0-100. Missing files are downloaded once from the Hugging Face hub if their licence allows it, with a
    note in the output; other missing data are skipped, with a note on how to fetch them.

    --amr adds the AMR side. --encoder student-text adds a student instead, which needs no parse and no --amr;
    --encoder mini+student-text adds both to one vector. --control minilm adds a channel of the same kind that
    reads the text itself, with a weight fitted on STS-B dev like that of the AMR side; --control amr lets the
    AMR encoder read the text; commas separate several controls. Differences are to the base.

    --languages restricts transfer tasks to some languages; the classifier is then selected on their dev sets
    only. --tracks restricts sts17, stsb, stsb-dev and qe likewise. A task without any of them is left out.

    --pairs de-en:FILE.tsv scores a file of your own, like sts17, under the name of the file; en:FILE.tsv if
    both sentences are English. Scores may have any scale.

    Vectors and parses are cached, so that a second run encodes nothing: 2 kB per sentence with muse. The
    pools of mewsli-x, nq and mkqa are stored as faiss shards, 1 kB per sentence; a killed run resumes after
    the last shard.
    """
    limit_threads(threads)
    use_device(device)
    from amrx.pretrained.hub import go_offline

    if offline:
        go_offline()

    from amrx.evaluation import tasks_named
    from amrx.evaluation.hub_data import cache_beside, provide
    from amrx.evaluation.neighbours.pool import shard_folder
    from amrx.evaluation.report.tables import save_rows
    from amrx.evaluation.results.files import check_outputs
    from amrx.evaluation.results.rows import skipped_lines
    from amrx.evaluation.run import labels, load, score_items
    from amrx.evaluation.tasks.catalogue import in_languages, in_tracks, own_tasks
    from amrx.evaluation.tasks.sts import STSB_DEV
    from amrx.evaluation.tasks.summary_tables import summarised
    from amrx.threads import set_threads
    from retrofit.evaluated_encoders import Contestants, load_contestants, open_caches

    own_pairs = own_tasks(pairs or ())
    chosen = (*(tasks_named(tasks or "sts17") if tasks or not pairs else ()), *own_pairs)
    fetched = cache_beside(data, off=no_cache)
    controls = [name.strip() for name in (control or "").split(",") if name.strip()]
    sides = _sides(encoder, preset, base, amr=amr)
    asked = (parser, weight, beam) if "amr" in controls else (parser, weight, beam, encoder)
    if not sides and any(option is not None for option in asked):
        raise OptionError("--parser, --encoder, --beam and --weight need --amr")
    check_outputs(json_, html)
    shards = shard_folder(index, off=no_cache)
    spoken, left_out = in_languages(chosen, languages)
    narrowed, without_track = in_tracks(spoken, tracks)
    left_out += without_track
    needed = [*narrowed, STSB_DEV] if controls else narrowed  # the weight of a control is fitted on it
    provided = provide(needed, data, fetched, progress=True)
    sys.stderr.writelines(f"{line}\n" for line in (*provided.origins, *provided.refused))
    loaded, skipped = load(narrowed, provided.data)
    missing = [*left_out, *skipped_lines(skipped)]
    sys.stderr.writelines(f"{line}\n" for line in missing)
    set_threads()
    reader = encoder if encoder and not set(encoder) & set(",+") else None
    contestants = Contestants(base, controls, sides, parser, reader, weight, split, beam)
    with ExitStack() as stack:
        caches = open_caches(cache, vector_cache, stack, off=no_cache)
        encoders = load_contestants(contestants, provided.data, caches, stack)
        own = encoders[0].name
        names = [(name or own) + label.removeprefix(own) for label in labels(encoders)]
        scored = score_items(
            encoders, loaded, names=names, indexes=shards, batch_size=batch_size, progress=True
        )
        sys.stderr.write(caches.summary())
    summed, gaps = summarised(chosen, scored)
    scored += summed
    sys.stderr.writelines(f"{gap}\n" for gap in gaps)
    lacking = [*provided.refused, *missing, *gaps]
    if json_ is not None:
        every = skipped_lines(skipped, len(skipped))
        save_rows(json_, scored, [*provided.origins, *provided.refused, *every, *gaps])
    if html is not None:
        source = "; ".join([f"data of {provided.data}", *provided.origins])
        _write_html(html, scored, source, lacking)
    show(chosen, [one.row for one in scored])


def _sides(encoder: str | None, preset: str | None, base: str, *, amr: bool) -> list[str]:
    """Return the systems besides the base: with ``--amr`` all named ones, else those without graphs."""
    from retrofit.load import channel_names, reads_graphs

    named = [name.strip() for name in (encoder or "").split(",") if name.strip()]
    if preset is not None:
        return ["+".join(channel_names(encoder, name.strip(), base)) for name in preset.split(",")]
    graphs = [any(map(reads_graphs, channel_names(name, None))) for name in named]
    joined = [len(channel_names(name, None)) > 1 for name in named]
    return (named or ["mini"]) if amr else named if named and not any(graphs) or any(joined) else []


def _write_html(path: Path, scored: Sequence[Scored], source: str, notes: Sequence[str]) -> None:
    from amrx.evaluation.report.page_tables import Results
    from amrx.evaluation.report.tables import write_report
    from amrx.evaluation.results.items import key_of

    items = {key_of(one.row): one.items for one in scored if one.items is not None}
    clouds = {key_of(one.row): one.clouds for one in scored if one.clouds}
    write_report(path, [Results(source, [one.row for one in scored], items, clouds)], notes)


def show(tasks: Sequence[Task], rows: Sequence[Row]) -> None:
    """Print the tables of each task that has rows."""
    from amrx.evaluation.report.tables import notes, tables, terminal

    console = terminal()
    shown_tasks = {row.task for row in rows}
    for task in tasks:
        if task.name in shown_tasks:
            for table in tables(task, rows, width=console.width):
                console.print(table)
            console.print("\n".join(notes(task)), style="dim", markup=False)
