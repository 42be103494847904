"""Run ``amrx retrofit``: encode sentences as retrofitted vectors."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from amrx import cli_options as options
from amrx.control_characters import visible
from amrx.device import use_device
from amrx.errors import OptionError, OutputError, check_choice
from amrx.langid import detection_note
from amrx.threads import limit_threads
from amrx.validation import Dtype
from parser.load import PARSER
from retrofit.commands.input_sentences import Columns, OwnIntegration, OwnParser, check_input, note_graphs

if TYPE_CHECKING:
    from amrx.records.rereading import Steady
    from amrx.records.vectors import Array
    from parser.run.engines import Engine
    from retrofit.combine import RetrofittedEncoder
    from retrofit.engines import Result
    from retrofit.evaluated_encoders import Caches
    from retrofit.resumable_retrofit import Written

    Models = tuple[RetrofittedEncoder, Engine[Result]]
    """An encoder, and the engine that runs it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Number format of the output, sentences per block, and sentences per batch."""

    dtype: Dtype
    block: int
    batch_size: int

    def __post_init__(self) -> None:
        """Raise OptionError if the type is unknown."""
        check_choice("--dtype", self.dtype, get_args(Dtype))


_DESCRIPTORS = tuple(map(Path, ("/dev", "/dev/fd", "/proc/self/fd")))


def output_path(out: Path, format_: str | None) -> Path:
    """Return the output file; ``--format`` adds a missing suffix and must match an existing one."""
    from amrx.records import check_format
    from amrx.records.writing import is_device

    if str(out) == "-":
        raise OutputError("-: vectors are written to a file, not to standard output")
    # /dev/stdout is a file if it is redirected to one; it gets no suffix either
    if is_device(out) and out.suffix.lower() != ".jsonl" or out.parent in _DESCRIPTORS and not out.suffix:
        raise OutputError(f"{out}: is a pipe or device, which must have a name in .jsonl")
    if format_ is not None:
        if out.suffix == "":
            out = out.with_name(f"{out.name}.{format_}")
        elif out.suffix.lower() != f".{format_}":
            raise OptionError(f"--format {format_} and the suffix of {out.name} disagree")
    check_format(out)
    return out


def array_of(target: Path) -> Path:
    """Return the ``.npy`` file that grows row by row: the target itself, or a working file beside it."""
    file = Path(os.path.realpath(target))
    return file if target.suffix.lower() == ".npy" else file.with_name(f"{file.name}.work.npy")


def check_names(target: Path, listing: Path, sentences: str) -> None:
    """Check, before anything is written, that output files differ from each other and from the input."""
    from amrx.records import ResumableVectors, check_writable
    from amrx.records.locks import lock_beside
    from amrx.records.writing import check_apart

    array = array_of(target)
    direct = target.suffix.lower() == ".npy"
    beside = [Path(f"{target}.ids"), Path(f"{array}.ids")] if direct else [array]
    working = [*beside, *ResumableVectors.working_names(array)]
    lock = lock_beside(listing)
    check_writable(target, sentences, working=[*working, lock])
    check_apart(listing, target, [target, *working])
    check_writable(listing, sentences, working=[lock])


def retrofit(
    sentences: Annotated[
        str | None,
        typer.Argument(
            help="Text, .tsv, .csv, .jsonl, .parquet, .amr, also with .gz or .zst; - for standard input, "
            "as text; a folder or pattern of such files."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Vectors: .npy (ids in OUT.ids), .parquet, .jsonl; for many inputs a folder.",
        ),
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="New folder for the encoder, in sentence-transformers' format.")
    ] = None,
    base: options.Base = "muse",
    lang: options.Lang = None,
    column: options.Column = None,
    lang_column: options.LangColumn = None,
    id_column: options.IdColumn = None,
    weight: options.Weight = None,
    fit_weight: Annotated[
        bool, typer.Option("--fit-weight", help="Fit the weights on STS-B dev first.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option(help="Data folder for --fit-weight.", envvar="AMRX_DATA")
    ] = None,
    integration: OwnIntegration = None,
    dimensions: Annotated[
        int | None,
        typer.Option(help="Reduced width of the vectors, for muse and the shipped channels.", min=1),
    ] = None,
    dtype: Annotated[
        str, typer.Option(help="float32, float16, or int8, which does not keep lengths.")
    ] = "float32",
    format_: Annotated[
        str | None,
        typer.Option("--format", help="npy, parquet or jsonl; default by the suffix; parquet in a folder."),
    ] = None,
    parser: OwnParser = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="Channels, with commas: AMR encoders; students and bases, which need no parser [mini]."
        ),
    ] = None,
    preset: options.Preset = None,
    split: options.Split = True,
    failed: Annotated[
        Path | None, typer.Option(help="Table of failed parses; default OUT.failed.tsv.")
    ] = None,
    cache: options.ParsesCached = None,
    vector_cache: options.VectorsCached = None,
    no_cache: options.NoCache = False,
    batch_size: options.BatchSize = 64,
    block: Annotated[
        int, typer.Option(help="Sentences per block, after which the state is saved.", min=1)
    ] = 2048,
    workers: options.Workers = None,
    engine: options.Engine = options.EngineName.local,
    device: options.Device = None,
    threads: options.Threads = None,
) -> None:
    """Write one vector per sentence: the base encoder's vector combined with those of the channels.

    A channel is an AMR encoder, which reads the sentence's graph, or an encoder of the sentence itself.

    Order and identifiers are kept; for .npy the identifiers are in OUT.ids. The same command resumes a killed
    run. For many inputs the folder gets one file of vectors per input; the summary names subfolders, which
    are not read, and files of vectors whose input is gone, which are kept. Several machines may run the same
    command on a shared folder, and each takes inputs that no other run has taken. With --save DIR the encoder
    is written to a folder in sentence-transformers' format; sentences are not needed then.
    """
    limit_threads(threads)
    use_device(device)
    from amrx.published_checkpoint import check_new_folder
    from amrx.records.files import require_file
    from amrx.threads import set_threads
    from retrofit.engines import LocalEngine, Parts, open_engine
    from retrofit.evaluated_encoders import open_caches
    from retrofit.load import PAPER_WEIGHT, Shared, channels_beside
    from retrofit.shards import is_many

    reading = {
        "--lang": lang, "--column": column, "--lang-column": lang_column, "--id-column": id_column,
        "--format": format_, "--failed": failed,
    }  # fmt: skip
    check_wanted(sentences, out, save, reading)
    layout = Layout(cast(Dtype, dtype), block, batch_size)
    if fit_weight and (weight is not None or data is None):
        raise OptionError("--fit-weight needs --data DIR and takes no --weight")
    if save is not None:
        check_new_folder(save)
    encoders = channels_beside(base, encoder, preset, dimensions=dimensions, fit_weight=fit_weight)

    with contextlib.ExitStack() as stack:

        def open_models() -> Models:
            kept = open_caches(cache, vector_cache, stack, off=no_cache)
            set_threads()
            alone = workers is None and engine == options.EngineName.local
            weights = PAPER_WEIGHT if fit_weight else weight
            parts = Parts(base, parser, encoders, weights, split, integration, dimensions)
            loaded = parts.load(kept.parses, Shared(stack=stack if alone else None))
            if fit_weight and data is not None and encoders is not None:
                fitted = _fitted(_cached(loaded, kept), data, encoders, parser or PARSER)
                loaded = loaded.with_weight(fitted)
            loaded = _cached(loaded, kept)
            if sentences is None:
                return loaded, LocalEngine(loaded)
            own = replace(
                parts, weights=loaded.weights, dimensions=loaded.dimensions,
                parses=None if kept.parses is None else kept.parses.path,
                vectors=None if kept.vectors is None else kept.vectors.path,
            )  # fmt: skip
            return loaded, open_engine(engine, loaded, own, workers, stack)

        columns = Columns(column, lang_column, id_column, lang)
        note_graphs([sentences] if sentences else [], parser, encoders)
        if sentences is None or out is None:
            loaded, _ = open_models()
        elif is_many(sentences):
            loaded = write_folder(open_models, sentences, columns, out, format_, failed, layout)
        else:
            require_file(sentences)  # first, because a folder that does not exist would be read as one file
            target = output_path(out, format_)
            loaded = write_file(open_models, sentences, columns, target, failed, layout)
        if save is not None:
            loaded.save(save)
            sys.stderr.write(f"{save}: {loaded.summary}; {save / 'README.md'}\n")


def check_wanted(
    sentences: str | None, out: Path | None, save: Path | None, reading: Mapping[str, object]
) -> None:
    """Check that input and output fit together; ``reading`` are the options on the input."""
    if sentences is None and out is None and save is None:
        raise OptionError("nothing to do: give SENTENCES and --output FILE, or --save DIR, or all three")
    if (sentences is None) != (out is None):
        missing = "SENTENCES to read" if sentences is None else "--output FILE for the vectors"
        raise OptionError(f"missing {missing}")
    given = [name for name, value in reading.items() if value is not None]
    if sentences is None and given:
        raise OptionError(f"{given[0]} needs sentences to read")


def write_file(
    open_models: Callable[[], Models],
    sentences: str,
    columns: Columns,
    target: Path,
    failed: Path | None,
    layout: Layout,
) -> RetrofittedEncoder:
    """Check the whole input, then load the models and write the vectors; return the encoder."""
    from amrx.records.locks import locked
    from amrx.records.rereading import Steady, seekable

    listing = failed or target.with_name(target.name + ".failed.tsv")
    check_names(target, listing, sentences)
    with seekable(sentences) as path, locked(listing, wait=False, name=failed or target):
        steady = Steady(path)
        count, empty, unknown = check_input(path, columns, target)
        loaded, engine = open_models()
        sys.stderr.write(f"{count} sentences, {loaded.summary}\n{detection_note(unknown, count)}")
        if empty:
            note = f"{sentences}: {empty} of {count} texts are empty; their vectors mean nothing"
            sys.stderr.write(f"{visible(note)}\n")
        written = write_all(loaded, engine, steady, columns, count, target, listing, layout)
    sys.stderr.write(_summary(written, target, listing, loaded.dimension))
    if written.hits:
        sys.stderr.write(
            f"{written.hits:,} vectors of base and channels came from the cache; --no-cache recomputes\n"
        )
    for cut, graphs in zip(loaded.cuts, written.cut, strict=False):
        if cut is not None:
            sys.stderr.write(replace(cut, count=graphs).summary())
    return loaded


def write_all(
    loaded: RetrofittedEncoder,
    engine: Engine[Result],
    steady: Steady,
    columns: Columns,
    count: int,
    target: Path,
    listing: Path,
    layout: Layout,
) -> Written:
    """Write vectors, identifiers and the table of failed parses.

    Raises:
        InputError: The input changes meanwhile; no output file has its final name then.
    """
    from amrx.records import write_ids, write_vectors
    from retrofit.resumable_retrofit import retrofit_sentences

    path, array = str(steady.path), array_of(target)
    direct = target.suffix.lower() == ".npy"
    identity = identity_of(loaded, columns, layout, path)
    steady.check()

    def finish(vectors: Array) -> None:
        if identity_of(loaded, columns, layout, path) != identity:
            raise steady.changed()
        ids = (sentence.id for sentence in steady.read(columns.read(path), count))
        if direct:
            array.unlink(missing_ok=True)  # remove an older array, which would not fit these identifiers
            write_ids(target, ids)
        else:
            write_vectors(target, vectors, list(ids))

    written = retrofit_sentences(
        engine, steady.read(columns.read(path), count), (count, loaded.dimension), array, listing, finish,
        fingerprint=identity, **asdict(layout),
        progress=True, check=steady.check,
    )  # fmt: skip
    if not direct:
        array.unlink()
    return written


def identity_of(loaded: RetrofittedEncoder, columns: Columns, layout: Layout, path: str | Path) -> str:
    """Return a hash of an input and everything else on which its vectors depend.

    Block and batch size are included, because rounding depends on the sentences of a batch.
    """
    from amrx.records import fingerprint

    settings = {"encoder": loaded.fingerprint, "columns": repr(columns), **asdict(layout)}
    return fingerprint(settings, [path])


def write_folder(
    open_models: Callable[[], Models],
    sentences: str,
    columns: Columns,
    folder: Path,
    kind: str | None,
    failed: Path | None,
    layout: Layout,
) -> RetrofittedEncoder:
    """Load the models once and write one shard per input; return the encoder."""
    from amrx.records import check_format
    from retrofit.shards import inputs_of, subfolders_warning, targets_of, write_shards

    if failed is not None:
        raise OptionError("--failed needs a single input; for many inputs each table is in the folder")
    inputs = inputs_of(sentences)
    targets = targets_of(inputs, folder, kind or "parquet")
    check_format(targets[0])
    folder.mkdir(parents=True, exist_ok=True)
    models = open_models()
    loaded, _ = models

    def write(path: Path, target: Path) -> None:
        write_file(lambda: models, str(path), columns, target, None, layout)

    write_shards(inputs, targets, lambda path: identity_of(loaded, columns, layout, path), write)
    sys.stderr.write(visible(subfolders_warning(sentences), lines=True))
    return loaded


def _cached(loaded: RetrofittedEncoder, kept: Caches) -> RetrofittedEncoder:
    """Return the encoder with the cache of vectors in front of its parts, if there is one."""
    from retrofit.cached_parts import CachedParts

    return loaded if kept.vectors is None else CachedParts(loaded, kept.vectors)


def _fitted(
    loaded: RetrofittedEncoder, data: Path, encoders: Sequence[str], parser: str
) -> tuple[float, ...]:
    """Fit the weights on STS-B dev, store each in the folder of `own_weights`, and return them.

    With cached parts a killed fit resumes: each language's vectors of a part are kept when they are encoded.
    """
    from retrofit.load import own_weights, reads_graphs
    from retrofit.weight_fitting import FILE, LANGUAGES, base_key, fit_on_stsb, key_of, store_weight

    fit = fit_on_stsb(loaded, data, progress=True)
    described = f"STS-B dev, {' '.join(LANGUAGES)}, each alone and English with each"
    names = [channel.name for channel in loaded.encoders]
    for i, (encoder, weight) in enumerate(zip(encoders, fit.weights, strict=True)):
        key = key_of(parser if reads_graphs(encoder) else "", names[:i] + names[i + 1 :])
        folder = own_weights(encoder)
        folder.mkdir(parents=True, exist_ok=True)
        store_weight(folder, base_key(loaded.base), key, weight, fit, described)
    summary = loaded.with_weight(fit.weights).summary
    scores = f"mean Spearman {fit.score:.2f} (base {fit.base_score:.2f})"
    stored = ", ".join(str(own_weights(encoder) / FILE) for encoder in encoders)
    sys.stderr.write(visible(f"{described}: {summary}, {scores}; stored in {stored}\n", lines=True))
    return fit.weights


def _summary(written: Written, target: Path, listing: Path, width: int) -> str:
    lines = [f"{target}: {written.rows} vectors of width {width}"]
    if written.resumed:
        lines[0] += f", {written.resumed} of them from an earlier run"
    if written.failed:
        lines.append(f"{written.failed} parses failed, their AMR part is zero: {listing}")
    return visible("\n".join(lines), lines=True) + "\n"
