"""Whole files to other languages, in shards that a killed run does not do again.

::

    nli.csv ── de ──> OUT/de/00000.jsonl  00001.jsonl ...     one row a row, its columns of text translated
           └── fr ──> OUT/fr/00000.jsonl  00001.jsonl ...
                      OUT/translate.json  OUT/de/model.json   what is translated, how, and by what

A row keeps every column, says its language in ``lang``, and in ``flags``, where there are any, that a
translation is ``empty``, looks like ``another-language`` or was ``cut``. Flags of the file's own translation
are not kept: they are about another text. The same command goes on at the first shard that is not there.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from amrx import langid
from amrx.errors import InputError, OptionError, OutputError
from amrx.pretrained.hub import hash_model
from amrx.records import atomic_path
from amrx.records.files import STDIN
from amrx.records.rereading import Steady, read_once
from amrx.records.rows import Row, numbered_rows, read_rows
from amrx.translate.pairs import Translation, Translators

LISTING, MODEL = "translate.json", "model.json"
FLAGS = ("empty", "another-language", "cut")
_Rows = list[tuple[Row, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that decides the content of the shards."""

    input: str
    source: str
    columns: tuple[str, ...]
    beam: int
    shard_size: int


@dataclass(slots=True)
class Told:
    """Outcome of one language.

    Attributes:
        lang: ISO 639-1 code.
        rows: Rows written, now or before.
        before: Those of them that an earlier run wrote.
        sentences: Distinct sentences translated now, counted in each shard.
        seconds: Time that it took.
        flags: How many texts have each of `FLAGS`, now or before.
    """

    lang: str
    rows: int = 0
    before: int = 0
    sentences: int = 0
    seconds: float = 0.0
    flags: Counter[str] | None = None

    def __str__(self) -> str:
        """Return one line for the terminal."""
        flags = self.flags or Counter()
        kept = f" ({self.before:,} of an earlier run)" if self.before else ""
        speed = f", {self.sentences / self.seconds:,.1f} sentences/s" if self.sentences else ""
        counts = ", ".join(f"{flags[flag]:,} {flag.replace('-', ' ')}" for flag in FLAGS)
        return f"{self.lang}: {self.rows:,} rows{kept}, {counts}{speed}"


def translate_file(
    path: Path,
    out: Path,
    targets: Sequence[str],
    translator: Translators,
    *,
    source: str = "en",
    columns: Sequence[str] = (),
    shard_size: int = 10_000,
    batch_size: int = 64,
    show: bool | None = None,
) -> Iterator[Told]:
    """Translate a file to each of ``targets``, one after the other.

    Args:
        path: A file as `amrx.records.rows.read_rows` takes it; it must stay as it is until all is done.
        out: Folder to write.
        targets: ISO 639-1 codes.
        translator: Where the models come from.
        source: ISO 639-1 code of the file.
        columns: Columns of text; the usual ones when empty.
        shard_size: Rows in a shard, and what is held in memory.
        batch_size: Sentences in one batch.
        show: Whether to draw a bar a shard, with the throughput; only on a terminal when ``None``.

    Yields:
        What became of each language, when it is done.

    Raises:
        OptionError: A code is none, or ``out`` holds the translation of something else or by another model.
        InputError: The file cannot be read, has no rows, changes under way, or has a column ``flags`` of
            another meaning.
        OutputError: ``out`` cannot be written.
        MissingResourceError: A model is not on this machine; nothing is written for any language then.
    """
    if read_once(path):
        shown = "standard input" if str(path) == STDIN else path
        raise OptionError(f"{shown} cannot be read again after a kill; give a file")
    for lang in (source, *targets):
        langid.check(lang)
    if source in targets or len(set(targets)) < len(targets):
        raise OptionError(f"languages {', '.join(targets)}: each once, and not {source!r}, that of the file")
    if any(path.resolve().is_relative_to((out / lang).resolve()) for lang in targets):
        raise OptionError(f"{path} stands where its translation is written; write to another folder")
    # the last row's error, and a model that is missing, come before any work
    steady = Steady(path)
    total = _count(path, columns)
    for lang in targets:
        translator.find(source, lang)
    with path.open("rb") as stream:
        content = hashlib.file_digest(stream, "sha256").hexdigest()
    steady.check()
    _claim(out, Plan(content, source, tuple(columns), translator.beam, shard_size))
    for lang in targets:
        _keep(out / lang / MODEL, {"model": hash_model(translator.find(source, lang))})
        told = Told(lang, flags=Counter())
        rows = steady.read(read_rows(path, columns), total)
        for number in range(-(-total // shard_size)):
            held = list(islice(rows, shard_size))
            steady.check()
            file = out / lang / f"{number:05d}.jsonl"
            if file.is_file():
                told.before += len(held)
            else:
                _shard(held, file, translator, source, told, batch_size, show)
            told.rows += len(held)
            told.flags = (told.flags or Counter()) + _flags_in(file)
        translator.forget(source, lang)
        yield told


def _count(path: Path, columns: Sequence[str]) -> int:
    """Return how many rows there are, at least one; ``flags`` in them can only be those of a translation."""
    total = 0
    for line, row, _ in numbered_rows(path, columns):
        total += 1
        flags: object = row.get("flags", [])
        if not isinstance(flags, list) or not all(flag in FLAGS for flag in flags):
            told = f"{flags!r} is not what this command writes there; give the column another name"
            raise InputError(told, file=path, line=line, field="flags")
    if total == 0:
        raise InputError("has no rows", file=path)
    return total


def _claim(out: Path, plan: Plan) -> None:
    """Make the folder, or see that what is in it is of the same plan."""
    if not (out / LISTING).is_file() and out.is_dir() and any(out.iterdir()):
        raise OutputError(f"{out}: holds other things; name a new folder")
    _keep(out / LISTING, asdict(plan) | {"columns": list(plan.columns)})


def _keep(file: Path, wanted: dict[str, object]) -> None:
    """Write what the shards beside ``file`` depend on, or see that it is what an earlier run wrote."""
    if file.is_file():
        try:
            found = dict(json.loads(file.read_text("utf-8")))
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(f"is no plan of a translation: {error}", file=file) from None
        other = sorted(key for key in wanted if found.get(key) != wanted[key])
        if other:
            told = f"holds a translation of another {', '.join(other)}; name a new folder"
            raise OptionError(f"{file.parent} {told}")
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{file.parent}: cannot be created: {error.strerror}") from error
    with atomic_path(file) as temporary:
        temporary.write_text(json.dumps(wanted, indent=1) + "\n", "utf-8")


def _shard(
    held: _Rows,
    file: Path,
    translator: Translators,
    source: str,
    told: Told,
    batch_size: int,
    show: bool | None,
) -> None:
    """Translate the rows of one shard; the file takes its name when it is whole."""
    texts = [row[name] for row, names in held for name in names]
    started = time.perf_counter()
    pair = translator.pair(source, told.lang)
    made = pair.translate(texts, batch_size=batch_size, show=show)
    told.seconds += time.perf_counter() - started
    told.sentences += len({text for text in texts if text.strip()})
    flags = iter(_flags(texts, made, told.lang))
    written = iter(made)
    with atomic_path(file) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        for row, names in held:
            found = [flag for _ in names for flag in next(flags)]
            kept = {name: cell for name, cell in row.items() if name != "flags"}
            record = kept | {name: next(written).text for name in names} | {"lang": told.lang}
            line: dict[str, object] = {**record, **({"flags": found} if found else {})}
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")


def _flags(texts: Sequence[str], made: Sequence[Translation], lang: str) -> list[list[str]]:
    """Return the flags of each translation; a language that detection does not know is not judged."""
    judged = lang in langid.DETECTED
    found = langid.detect([translation.text if judged else "" for translation in made])
    return [
        [
            *(["empty"] if text.strip() and not translation.text else []),
            *(["another-language"] if judged and translation.text and seen != lang else []),
            *(["cut"] if translation.cut else []),
        ]
        for text, translation, seen in zip(texts, made, found, strict=True)
    ]


def _flags_in(file: Path) -> Counter[str]:
    """Count the flags of a shard."""
    with file.open(encoding="utf-8") as stream:
        return Counter(flag for line in stream for flag in json.loads(line).get("flags", ()))
