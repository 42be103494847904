"""Reproduce the tables of the four papers, as far as data and weights are available.

::

    PAPERS ──a table: tasks, base encoders──> load each base, or report it missing ─────> rows ──> Markdown
                                                                      (means, then language by language)

Every encoder of a table has a line, with its numbers or with the command that fetches its weights; every task
without data is named below, with the missing files. Nothing is left out silently. If no encoder can be
measured, the table explains how to proceed, and the published numbers are printed.
"""

import itertools
import re
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from amrx.errors import MissingResourceError, OptionError
from amrx.evaluation import tasks_named
from amrx.evaluation.hub_data import provide
from amrx.evaluation.report.text_tables import markdown_grid
from amrx.evaluation.results.published import Published
from amrx.evaluation.results.rows import Row, Scored, Skipped, by_encoder, skipped_lines
from amrx.evaluation.run import score_items
from amrx.evaluation.tasks.summary_tables import Summary, summarised
from amrx.evaluation.tasks.task import AnyPart, Task, published_of
from amrx.types import Encoder
from retrofit.bases.names import is_row
from retrofit.bases.table import PROVIDERS

WIDEST = 20
"""Maximum number of columns of numbers with one line per encoder; a wider table is transposed."""


def markdown_tables(task: Task, rows: Sequence[Row]) -> list[str]:
    """Return a table with a heading for each metric that the task shows and that has rows.

    Each line is an encoder, published ones first (only with means over the same languages); columns are the
    means, then the languages. A table of more than `WIDEST` columns is transposed. Missing values are dashes.
    """
    tables = []
    for metric in task.shown:
        if scores := by_encoder(rows, task.name, metric):
            tables.append(
                f"### {task.name}, {metric}\n\n{_language_grid(task, scores, published_of(task, metric))}"
            )
    return tables


def _language_grid(
    task: Task, scores: Mapping[str, Mapping[str, float]], published: Sequence[Published]
) -> str:
    summed = {name: task.means(own) for name, own in scores.items()}
    means = list(dict.fromkeys(name for own in summed.values() for name in own))
    heads = [*means, *dict.fromkeys(language for own in scores.values() for language in own)]
    lines: dict[str, Mapping[str, float]] = {}
    for known in published:
        if published_values := known.in_columns(heads):
            lines[f"{known.encoder} ({known.source})"] = published_values
    lines |= {name: {**own, **summed[name]} for name, own in scores.items()}
    cells = [["", *heads]]
    for name, values in lines.items():
        cells.append([name, *(f"{values[head]:.2f}" if head in values else "–" for head in heads)])
    if len(heads) > WIDEST:
        cells = [list(column) for column in zip(*cells, strict=True)]
    return markdown_grid(cells)


def published_tables(task: Task) -> list[str]:
    """Return a table with a heading of the published rows for each metric that the task shows.

    It has the published means; without any, the languages.
    """
    tables = []
    for metric in task.shown:
        every = published_of(task, metric)
        rows = [row for row in every if row.means] or every
        heads = list(dict.fromkeys(name for row in rows for name, _ in row.means or row.languages))
        cells = [["", *heads]]
        for row in rows:
            values = dict(row.means or row.languages)
            numbers = (f"{values[head]:.2f}" if head in values else "–" for head in heads)
            cells.append([f"{row.encoder} ({row.source})", *numbers])
        if rows:
            tables.append(f"### {task.name}, {metric}, published\n\n{markdown_grid(cells)}")
    return tables


Load = Callable[[str, str | None], Encoder]
"""Function that loads a base by name, alone or combined with an AMR encoder."""
AMR = "+amr"


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One table."""

    name: str  # name for ``--only``
    title: str  # the paper
    tasks: tuple[str, ...]  # names of tasks; a summary shows its own columns
    encoders: tuple[str, ...]  # names of bases; the suffix ``+amr`` adds the AMR side
    notes: tuple[str, ...] = ()
    # the paper's model and settings of a line, as a name of a base; ``NAME=DIR`` keeps the settings
    models: Mapping[str, str] = field(default_factory=dict)
    # how a line, or each line of a base, differs from the paper's; a column of the table
    differs: Mapping[str, str] = field(default_factory=dict)
    # tasks whose mean accuracy is another column, over seen and over all languages
    averaged: tuple[str, ...] = ()


_TRANSFER = ("mldoc", "mldoc-mlearn", "xnli", "pawsx", "marc", "marc-mlearn", "qam")
PAPERS = (
    PaperTable(
        "amr",
        "Cai et al. 2022, Retrofitting Multilingual Sentence Embeddings with AMR",
        ("sts17", *(f"{name}-senteval" for name in _TRANSFER)),
        tuple("mbert mbert+amr xlmr laser laser+amr labse labse+amr muse muse+amr xpara xpara+amr".split()),
        (
            "the paper's AMR side is --encoder SEED-1,...,SEED-5 --parser seq2seq:XAMR --beam 4 --weight 1; "
            "the released encoders are trained with model.pooling=mlp-train on --form released",
            "marc-senteval: the paper prints as seen the mean over de, en, es, fr and ja",
        ),
        {"labse": "labse@unscaled"},
        {
            "muse": "convolutional; the paper's mUSE is the large Transformer, which has no row",
            "laser": "LASER2, unless DIR has the files of LASER1, which is the paper's",
        },
        tuple(f"{name}-senteval" for name in _TRANSFER if not name.endswith("-mlearn")),
    ),
    PaperTable(
        "emma-x",
        "Guo et al. 2023, Emma-X",
        ("xrete", "xrete-zero-shot", "flores-retrieval", "tatoeba", "flores"),
        ("xlmr", "labse", "xpara", "muse", "emma-x"),
        (
            "Table 1 is of fine-tuned models (amrx fine-tune): rows of xrete's probe have none beside them",
            "xrete-zero-shot: the threshold of BUCC is fitted on the part that is measured",
            "flores-retrieval and flores: 1,012 public sentences, the paper has 3,001",
        ),
        {"xlmr": "xlmr@cls:FacebookAI/xlm-roberta-large"},
        {
            "xlmr": "large, [CLS], as Table 4 says; the paper names no pooling in Tables 2 and 3",
            "muse": "in no table of the paper",
        },
    ),
    PaperTable(
        "vmsst",
        "Wieting et al. 2023, VMSST",
        ("vmsst",),
        ("laser", "labse", "xpara", "muse", "contrastive", "bitranslation", "vmsst"),
        (
            "the authors' checkpoint (footnote 1: T5X, google-research/vmsst; jwieting/vmsst on the hub, "
            "with code of its own) has no loader here",
            "mkqa: the mean is over the 24 languages of Table 12, zh being zh_cn",
            "sts12-16: SMT of 2013 counts for Pearson; without its file the column is named without SMT",
        ),
    ),
    PaperTable(
        "msimcse",
        "Wang et al. 2022, mSimCSE",
        tuple("msimcse msimcse-languages msimcse-sts tnews langid-en-de-fr-hi langid-en-tr-ar-bg".split()),
        ("mbert", "xlmr", "laser", "labse", "msimcse"),
        (
            "the authors' weights: `hf download yaushian/mSimCSE xlm-roberta-large-mono_en.zip` (or "
            "-cross_all.zip), unpacked as DIR: --base msimcse=hf@cls@32:DIR",
            "cross-lingual NLI: one row per entailment and epoch is drawn; the scripts write one for each "
            "of 15 languages of the anchor: --set epochs=15",
            "a row for each model of Tables 6 and 8: --base msimcse=DIR, several times",
            "Table 5 (PAWS-X) is of fine-tuned models: amrx fine-tune pawsx --english",
        ),
        {
            "mbert": "mbert@embeddings-last@32",
            "xlmr": "xlmr@embeddings-last@32:FacebookAI/xlm-roberta-large",
            "msimcse": "msimcse@32",
        },
        {
            "xlmr": "pooled as in Tables 3 and 4; the rows of Table 1 are cited, their pooling is not said",
            "mbert": "pooled as in Tables 3 and 4",
        },
    ),
)
_OWN = "amrx train-base "
_ABSENT = "no: "
"""Start of the text on weights that are not on this machine."""


@dataclass(frozen=True, slots=True)
class Reproduced:
    """A table of a paper."""

    text: str  # Markdown
    scores: int  # number of rows that were measured, with means over seeds
    skipped: tuple[Skipped, ...]  # missing data
    absent: Mapping[str, str]  # command that fetches the weights of each encoder that is not here


def reproduce(
    table: PaperTable,
    data: Path | None,
    load: Load,
    *,
    bases: Mapping[str, Sequence[str]],
    sides: Sequence[str] = ("mini",),
    fetched: Path | None = None,
    indexes: Path | None = None,
    progress: bool = False,
    note: Callable[[str], object] = lambda line: None,
) -> Reproduced:
    """Return one table as Markdown: one line per encoder, one column per mean, and missing data below.

    Then follows a table for each metric of each task, language by language, with the published rows; if no
    encoder has a score, instructions and only the published rows. With several AMR encoders in ``sides``,
    such as the seeds of one recipe, a base has a line for each of them, one for their mean, and one for the
    standard deviation (n - 1) of each column over them. ``bases`` gives the bases to load instead of the base
    of that name; each has its own line. ``note`` is called with a line of text before each step.
    """
    tasks = tasks_named(table.tasks)
    note(f"{table.name}: reading the data of {', '.join(task.name for task in tasks)}")
    provided = provide(tasks, data, fetched, progress=progress)
    loaded: list[AnyPart] = []
    skipped: list[Skipped] = []
    for task in tasks:
        parts, missing = task.load(provided.data)
        loaded += parts
        skipped += missing
    words: dict[str, str] = {}
    scored: list[Scored] = []
    runs: dict[str, list[str]] = {}
    named = list(_bases(table, bases))
    for number, (name, base) in enumerate(named, start=1):
        note(f"{table.name}: line {number} of {len(named)}, {name}")
        seeds: list[list[Row]] = []
        for side in sides if name.endswith(AMR) else (None,):
            label = name if side is None or len(sides) == 1 else f"{name} {side}"
            words[label], seed_rows = _line(base, side, load, loaded, indexes, progress)
            seeds.append([one.row._replace(encoder=label) for one in seed_rows])
        if len(seeds) > 1 and seeds[0]:
            runs[name] = [rows[0].encoder for rows in seeds]
            seeds.append(_averaged(seeds, f"{name}, mean of {len(seeds)}"))
            words |= {seeds[-1][0].encoder: "yes", f"{name}, deviation": "yes"}
        scored += [Scored(row) for rows in seeds for row in rows]
    summed, gaps = summarised(tasks, scored)
    every = [one.row for one in (*scored, *summed)]
    lines = [
        (name, description, [row for row in every if row.encoder == name])
        for name, description in words.items()
    ]
    columns = _columns([task for task in tasks if task.name in table.tasks], lines)
    columns |= _averages(table.averaged, columns)
    for (name, own), values in itertools.product(runs.items(), columns.values()):
        if all(label in values for label in own):
            values[f"{name}, deviation"] = statistics.stdev(values[label] for label in own)
    lacking = (*provided.refused, *skipped_lines(skipped), *gaps)
    if scored:
        grids = [grid for task in tasks for grid in markdown_tables(task, every)]
    else:
        grids = [grid for task in tasks if task.name in table.tasks for grid in published_tables(task)]
    text = "\n".join(
        [
            f"## {table.title}",
            "",
            *([] if scored else [_instructions(words), ""]),
            _grid(columns, lines, table.differs),
            "",
            *(f"- {line}" for line in (*table.notes, *provided.origins, *lacking)),
            *(f"\n{grid}" for grid in grids),
        ]
    )
    absent = {
        name: description.removeprefix(_ABSENT)
        for name, description in words.items()
        if description.startswith(_ABSENT)
    }
    return Reproduced(text, len(scored), tuple(skipped), absent)


def summary(tables: Sequence[Reproduced], output: str) -> str:
    """Return one line that counts the scores of all tables, and names tasks with missing data, and weights.

    Raises:
        MissingResourceError: Nothing was measured; names data and weights with the commands that fetch them.
    """
    skipped = [one for table in tables for one in table.skipped]
    absent = {name: fetch for table in tables for name, fetch in table.absent.items()}
    tasks = ", ".join(dict.fromkeys(one.task for one in skipped))
    lacking = [
        f"{what} {names}" for what, names in (("data of", tasks), ("weights of", ", ".join(absent))) if names
    ]
    scores = sum(table.scores for table in tables)
    if scores == 0:
        fetches = "; ".join(dict.fromkeys([*(one.fetch for one in skipped), *absent.values()]))
        raise MissingResourceError(
            f"nothing was measured: {' and '.join(lacking)}",
            fetch=fetches,
            local="--data DIR, --base NAME=DIR",
        )
    left_out = f"; skipped, as it says: {', '.join(lacking)}" if lacking else ""
    return f"{output}: {scores} scores{left_out}"


def _instructions(words: Mapping[str, str]) -> str:
    """Return instructions on how to measure an encoder, for a table without scores."""
    here = [name for name, description in words.items() if description == "yes"]
    if here:
        return (
            f"Nothing is measured: the weights of {', '.join(here)} are on this machine, but the data of "
            "these tasks are not; fetch them as the lines below the table say, into the folder of `--data`."
        )
    name = next(iter(words)).partition(" ")[0].removesuffix(AMR)
    return (
        "Nothing is measured: no weights of these encoders are on this machine. Run the command of a line, "
        f"then this one again; or give weights that you have as `--base {name}=DIR`, a local folder; or "
        f"measure another base in a line, such as `--base {name}=muse`, which ships. Published numbers are "
        "below."
    )


def _averaged(seeds: Sequence[Sequence[Row]], name: str) -> list[Row]:
    """Return the mean over the seeds of each number, as rows of another name."""
    return [
        same[0]._replace(encoder=name, value=statistics.fmean(row.value for row in same))
        for same in zip(*seeds, strict=True)
    ]


def _bases(table: PaperTable, bases: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the name of each line and the base to load for it.

    A folder is loaded with the paper's settings of the line, ``labse@unscaled:DIR``.
    """
    for name in table.encoders:
        base = name.removesuffix(AMR)
        model = table.models.get(name, base)
        given = bases.get(base, ())
        own = [one if is_row(one) else f"{model.partition(':')[0]}:{one}" for one in given] or [model]
        if len(set(own)) < len(own):
            raise OptionError(f"--base {base}= is given twice with one encoder: {', '.join(given)}")
        places = [one.partition(":")[2] or one for one in own]
        for one, place in zip(own, places, strict=True):
            # two poolings of one folder differ before the colon
            label = base if len(own) == 1 else f"{base} {one if places.count(place) > 1 else place}"
            yield label + name[len(base) :], one


def _line(
    base: str, side: str | None, load: Load, loaded: Sequence[AnyPart], indexes: Path | None, progress: bool
) -> tuple[str, list[Scored]]:
    """Return the text on the availability of the weights, and the encoder's scores."""
    name = base.partition("@")[0]
    source = next((row.source for row in PROVIDERS if row.name == name), "")
    if source.startswith(_OWN) and ":" not in base:
        return f"{_ABSENT}`{source}`, then give `--base {name}=DIR`", []
    try:
        encoder = load(base, side)
    except MissingResourceError as error:
        return f"{_ABSENT}`{error.fetch}`", []
    return "yes", score_items([encoder], loaded, indexes=indexes, progress=progress)


def _columns(
    tasks: Sequence[Task], lines: Sequence[tuple[str, str, list[Row]]]
) -> dict[tuple[str, str], dict[str, float]]:
    """Return the value of each encoder in each column: a mean of a task, or a column of a summary."""
    columns: dict[tuple[str, str], dict[str, float]] = {}
    for task in tasks:
        for metric in task.shown:
            for name, _, rows in lines:
                scores = {
                    row.language: row.value for row in rows if (row.task, row.metric) == (task.name, metric)
                }
                means = task.means(scores) if scores else {}
                values = {**(scores if isinstance(task, Summary) or not means else {}), **means}
                for column, value in values.items():
                    head = task.name if len(task.shown) == 1 else f"{task.name}, {metric}"
                    columns.setdefault((head, column), {})[name] = value
    return columns


def _averages(
    tasks: Sequence[str], columns: Mapping[tuple[str, str], Mapping[str, float]]
) -> dict[tuple[str, str], dict[str, float]]:
    """Return the means over tasks of their means over seen and over all languages, if all exist."""
    averages = {}
    for languages in ("mean, seen", "mean, all"):
        each = [
            values
            for task in tasks
            for (head, column), values in columns.items()
            if head in (task, f"{task}, accuracy") and column.startswith(languages)
        ]
        if tasks and len(each) == len(tasks):
            encoders = [name for name in each[0] if all(name in values for values in each)]
            averages[f"mean of {len(tasks)} tasks", languages] = {
                name: statistics.fmean(values[name] for values in each) for name in encoders
            }
    return averages


def _grid(
    columns: Mapping[tuple[str, str], Mapping[str, float]],
    lines: Sequence[tuple[str, str, list[Row]]],
    differs: Mapping[str, str],
) -> str:
    """Return the table of means; its last column says how a line differs from the paper's."""
    last = ["differs from the paper"] if differs else []
    rows = [["encoder", "weights here", *(f"{task}: {column}" for task, column in columns), *last]]
    for name, description, _ in lines:
        cells = (values.get(name) for values in columns.values())
        remark = [differs.get(re.split(r"[ +,]", name)[0], "")] if differs else []
        numbers = ("–" if value is None else f"{value:.2f}" for value in cells)
        rows.append([name, description, *numbers, *remark])
    return markdown_grid(rows)
