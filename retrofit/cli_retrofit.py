"""``amrx retrofit``: sentences to retrofitted vectors."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from amrx.errors import OptionError, OutputError

if TYPE_CHECKING:
    from amrx.types import Sentence
    from retrofit.bulk import Written
    from retrofit.combine import RetrofittedEncoder

Dtype = Literal["float32", "float16"]


def retrofit(
    sentences: Annotated[
        str, typer.Argument(help="Text, .tsv, .csv, .jsonl, .amr, or - for standard input.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Vectors to write: .npy, .parquet or .jsonl.")],
    base: Annotated[str, typer.Option(help="Base encoder: one that amrx bases lists, or a folder.")] = "muse",
    lang: Annotated[
        str | None, typer.Option(help="Language of the sentences; detected when not given.")
    ] = None,
    column: Annotated[str | None, typer.Option(help="Column of the text in a table.")] = None,
    lang_column: Annotated[str | None, typer.Option(help="Column of the language.")] = None,
    id_column: Annotated[str | None, typer.Option(help="Column of the identifier.")] = None,
    weight: Annotated[
        float | None, typer.Option(help="Weight of the AMR side; default the fitted one.")
    ] = None,
    fit_weight: Annotated[
        bool, typer.Option("--fit-weight", help="Fit the weight on STS-B dev first.")
    ] = False,
    data: Annotated[
        Path | None, typer.Option(help="Data folder for --fit-weight.", envvar="AMRX_DATA")
    ] = None,
    integration: Annotated[str, typer.Option(help="norm-concat, concat, norm-add or add.")] = "norm-concat",
    dtype: Annotated[str, typer.Option(help="float32 or float16.")] = "float32",
    format_: Annotated[
        str | None, typer.Option("--format", help="npy, parquet or jsonl; default by suffix.")
    ] = None,
    parser: Annotated[str, typer.Option(help="Parser: name or folder.")] = "mini",
    encoder: Annotated[str, typer.Option(help="AMR encoder: name or folder.")] = "mini",
    failed: Annotated[
        Path | None, typer.Option(help="Table of failed parses; default OUT.failed.tsv.")
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(help="Cache of parses; default $AMRX_CACHE, or that of amrx parse."),
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor write a cache.")] = False,
    batch_size: Annotated[int, typer.Option(help="Sentences in one batch.", min=1)] = 64,
    block: Annotated[int, typer.Option(help="Sentences between two saved states.", min=1)] = 2048,
) -> None:
    """Write one vector a sentence: the base encoder's, beside that of the sentence's AMR graph.

    Order and identifiers are kept; identifiers stand in OUT.ids beside a .npy file. Started again after a
    kill, the same command goes on where it was.
    """
    from amrx.device import set_threads
    from amrx.records import check_writable
    from parser.cache import open_cache
    from retrofit.load import load

    target = output_path(out, format_)
    listing = failed or target.with_name(target.name + ".failed.tsv")
    if dtype not in ("float32", "float16"):
        raise OptionError(f"--dtype {dtype!r} is neither float32 nor float16")
    if fit_weight and (weight is not None or data is None):
        raise OptionError("--fit-weight needs --data DIR and takes no --weight")
    check_writable(target)
    check_writable(listing)
    columns = Columns(column, lang_column, id_column, lang)
    with contextlib.ExitStack() as stack:
        path = stack.enter_context(seekable(sentences))
        count = check_input(path, columns, target)  # all of it, before the first model is loaded
        kept = open_cache(cache, off=no_cache)
        if kept is not None:
            stack.enter_context(kept)
        set_threads()
        loaded = load(base, parser, encoder, weight, integration=integration, cache=kept)
        if fit_weight and data is not None:
            loaded = _fitted(loaded, data, encoder, parser)
        sys.stderr.write(f"{count} sentences, {loaded.name}, AMR weight {loaded.weight:g}\n")
        written = write_all(
            loaded, path, columns, count, target, listing,
            dtype=cast(Dtype, dtype), block=block, batch_size=batch_size,
        )  # fmt: skip
    sys.stderr.write(_summary(written, target, listing, loaded.dimension))


@dataclass(frozen=True, slots=True)
class Columns:
    """Where text, language and identifier stand, and the language where none stands."""

    column: str | None = None
    lang_column: str | None = None
    id_column: str | None = None
    lang: str | None = None

    def read(self, path: str) -> Iterator[Sentence]:
        """Stream the sentences of a file."""
        from amrx.records import read_sentences

        return read_sentences(
            path, column=self.column, lang_column=self.lang_column, lang=self.lang, id_column=self.id_column
        )


def output_path(out: Path, format_: str | None) -> Path:
    """Return the file to write; ``--format`` gives a suffix to a name without one and must fit one it has.

    Raises:
        OptionError: Suffix and ``--format`` disagree.
        OutputError: The suffix is none of npy, parquet, jsonl.
    """
    from amrx.records import check_format

    if format_ is not None:
        if out.suffix == "":
            out = out.with_name(f"{out.name}.{format_}")
        elif out.suffix.lower() != f".{format_}":
            raise OptionError(f"--format {format_} and the suffix of {out.name} disagree")
    check_format(out)
    return out


@contextlib.contextmanager
def seekable(path: str) -> Iterator[str]:
    """Give the path itself, or that of a temporary copy of standard input, which can be read twice."""
    if path != "-":
        yield path
        return
    from amrx.records.files import require_file

    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "standard-input.txt"
        with copy.open("wb") as stream:
            while piece := sys.stdin.buffer.read(1 << 20):
                stream.write(piece)
        require_file(copy)
        yield str(copy)


def check_input(path: str, columns: Columns, target: Path) -> int:
    """Read the input once, so that its errors come first, and return the number of sentences.

    Raises:
        InputError: A line cannot be read.
        OutputError: An identifier does not fit into the file of identifiers beside a ``.npy``.
    """
    count = 0
    for sentence in columns.read(path):
        count += 1
        if target.suffix.lower() == ".npy" and ("\n" in sentence.id or "\r" in sentence.id):
            beside = f"{target}.ids"
            raise OutputError(f"{beside}: id {sentence.id!r} has a line break; write .parquet or .jsonl")
    return count


def write_all(
    loaded: RetrofittedEncoder,
    path: str,
    columns: Columns,
    count: int,
    target: Path,
    listing: Path,
    *,
    dtype: Dtype,
    block: int,
    batch_size: int,
) -> Written:
    """Write vectors, identifiers and the table of failed parses."""
    from amrx.records import fingerprint, write_vectors
    from retrofit.bulk import retrofit_sentences

    direct = target.suffix.lower() == ".npy"
    array = target if direct else target.with_name(target.name + ".work.npy")
    settings = {"encoder": loaded.fingerprint, "columns": repr(columns), "dtype": dtype}
    written = retrofit_sentences(
        loaded, columns.read(path), count, array, listing,
        fingerprint=fingerprint(settings, [path]), dtype=dtype,
        block=block, batch_size=batch_size, progress=sys.stderr.isatty(),
    )  # fmt: skip
    if direct:
        _write_ids(target, columns.read(path))
    else:
        import numpy as np

        ids = [sentence.id for sentence in columns.read(path)]
        write_vectors(target, np.load(array, mmap_mode="r", allow_pickle=False), ids)
        array.unlink()
    return written


def _write_ids(target: Path, sentences: Iterator[Sentence]) -> None:
    """Write ``<target>.ids``, one identifier a line, without holding them all."""
    from amrx.records import atomic_path

    beside = target.with_name(target.name + ".ids")
    with atomic_path(beside) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        for sentence in sentences:
            stream.write(sentence.id + "\n")


def _fitted(loaded: RetrofittedEncoder, data: Path, encoder: str, parser: str) -> RetrofittedEncoder:
    """Fit the weight on STS-B dev, store it beside the AMR encoder, and use it."""
    from retrofit.fit import LANGUAGES, fit_on_stsb, store_weight
    from retrofit.load import find_encoder

    found = fit_on_stsb(loaded, data, progress=sys.stderr.isatty())
    described = f"STS-B dev, {' '.join(LANGUAGES)}, each alone and English with each"
    store_weight(find_encoder(encoder), loaded.base.name, found, parser=parser, data=described)
    scores = f"mean Spearman {found.score:.2f} (base {found.base_score:.2f})"
    sys.stderr.write(f"{described}: weight {found.weight:g}, {scores}\n")
    return loaded.with_weight(found.weight)


def _summary(written: Written, target: Path, listing: Path, width: int) -> str:
    lines = [f"{target}: {written.rows} vectors of width {width}"]
    if written.resumed:
        lines[0] += f", {written.resumed} of them from an earlier run"
    if written.failed:
        lines.append(f"{written.failed} parses failed, their AMR part is zero: {listing}")
    return "\n".join(lines) + "\n"
