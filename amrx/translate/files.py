"""Translate files to other languages, in shards; a killed run resumes at the first missing shard.

::

    nli.csv ── de ──> OUT/de/00000.jsonl  00001.jsonl ...     one line per row, its columns of text translated
           └── fr ──> OUT/fr/00000.jsonl  00001.jsonl ...
                      OUT/translate.json  OUT/de/model.json   input, settings, and model

A row keeps every column and has its language in ``lang``. ``flags``, if any, mark translations that are
``empty``, look like ``another-language`` or were ``cut``. Flags of the input are dropped, because they are
about another text.
"""

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
from amrx.records import atomic_path, make_folder, write_json
from amrx.records.files import STDIN, reading
from amrx.records.rereading import Steady, read_once
from amrx.records.rows import Row, numbered_rows
from amrx.translate.pairs import Translation, Translators

LISTING, MODEL = "translate.json", "model.json"
FLAGS = ("empty", "another-language", "cut")
_Rows = list[tuple[Row, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings that determine the content of the shards."""

    input: str
    source: str
    columns: tuple[str, ...]
    beam: int
    shard_size: int


@dataclass(slots=True)
class Outcome:
    """Outcome of one language."""

    lang: str  # ISO 639-1 code
    rows: int = 0  # number of rows, of this and earlier runs
    before: int = 0  # number of rows written by earlier runs
    sentences: int = 0  # number of distinct sentences translated by this run, summed over shards
    seconds: float = 0.0  # duration
    flags: Counter[str] | None = None  # number of texts with each of `FLAGS`, of this and earlier runs

    def __str__(self) -> str:
        """Return one line for the terminal."""
        flags = self.flags or Counter()
        earlier = f" ({self.before:,} of an earlier run)" if self.before else ""
        speed = f", {self.sentences / self.seconds:,.1f} sentences/s" if self.sentences else ""
        counts = ", ".join(f"{flags[flag]:,} {flag.replace('-', ' ')}" for flag in FLAGS)
        return f"{self.lang}: {self.rows:,} rows{earlier}, {counts}{speed}"


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
) -> Iterator[Outcome]:
    """Translate a file to each of ``targets``, one after the other.

    The input must not change until the end; ``shard_size`` rows are in memory at a time. Without ``columns``
    those of text are the usual ones (`amrx.records.rows.numbered_rows`).

    Yields:
        The outcome of each finished language.

    Raises:
        MissingResourceError: A model is not on this machine; nothing is written for any language.
    """
    if read_once(path):
        shown = "standard input" if str(path) == STDIN else path
        raise OptionError(f"{shown} cannot be read again after a kill; give a file")
    for lang in (source, *targets):
        langid.check(lang)
    if source in targets or len(set(targets)) < len(targets):
        problem = f"must be different, and not {source!r}, the language of the file"
        raise OptionError(f"target languages {problem}, got {', '.join(targets)}")
    if any(path.resolve().is_relative_to((out / lang).resolve()) for lang in targets):
        raise OptionError(f"{path} is in the folder of its translation; write to another folder")
    # errors of the last row and of missing models are raised before any work
    steady = Steady(path)
    total = _count(path, columns)
    for lang in targets:
        translator.find(source, lang)
    with path.open("rb") as stream:
        content = hashlib.file_digest(stream, "sha256").hexdigest()
    steady.check()
    _claim(out, Plan(content, source, tuple(columns), translator.beam, shard_size))
    for lang in targets:
        _write_or_check(out / lang / MODEL, {"model": hash_model(translator.find(source, lang))})
        outcome = Outcome(lang, flags=Counter())
        rows = steady.read((row[1:] for row in numbered_rows(path, columns)), total)
        for number in range(-(-total // shard_size)):
            shard = list(islice(rows, shard_size))
            steady.check()
            file = out / lang / f"{number:05d}.jsonl"
            if file.is_file():
                outcome.before += len(shard)
            else:
                _translate_shard(shard, file, translator, source, outcome, batch_size, show)
            outcome.rows += len(shard)
            outcome.flags = (outcome.flags or Counter()) + _flags_in(file)
        translator.forget(source, lang)
        yield outcome


def _count(path: Path, columns: Sequence[str]) -> int:
    """Return the number of rows, at least one; check that a column ``flags`` is of this command."""
    total = 0
    for line, row, _ in numbered_rows(path, columns):
        total += 1
        flags: object = row.get("flags", [])
        if not isinstance(flags, list) or not all(flag in FLAGS for flag in flags):
            message = f"flags must be a list of {', '.join(FLAGS)}, got {flags!r}; rename the column"
            raise InputError(message, file=path, line=line, field="flags")
    if total == 0:
        raise InputError("has no rows", file=path)
    return total


def _claim(out: Path, plan: Plan) -> None:
    """Create the folder, or check that its content is of the same plan."""
    if not (out / LISTING).is_file() and out.is_dir() and any(out.iterdir()):
        raise OutputError(f"{out}: is not empty; name a new folder")
    _write_or_check(out / LISTING, asdict(plan) | {"columns": list(plan.columns)})


def _write_or_check(file: Path, settings: dict[str, object]) -> None:
    """Write the settings of the shards beside ``file``, or check that an earlier run wrote the same."""
    if file.is_file():
        with reading(file, "is not a plan of a translation"):
            written = dict(json.loads(file.read_text("utf-8")))
        other = sorted(key for key in settings if written.get(key) != settings[key])
        if other:
            problem = f"holds a translation of another {', '.join(other)}; name a new folder"
            raise OptionError(f"{file.parent} {problem}")
        return
    make_folder(file.parent)
    write_json(file, settings)


def _translate_shard(
    shard: _Rows,
    file: Path,
    translator: Translators,
    source: str,
    outcome: Outcome,
    batch_size: int,
    show: bool | None,
) -> None:
    """Translate the rows of one shard and write them atomically."""
    texts = [row[name] for row, names in shard for name in names]
    started = time.perf_counter()
    pair = translator.pair(source, outcome.lang)
    translations = pair.translate(texts, batch_size=batch_size, show=show)
    outcome.seconds += time.perf_counter() - started
    outcome.sentences += len({text for text in texts if text.strip()})
    flags = iter(_flags(texts, translations, outcome.lang))
    remaining = iter(translations)
    with atomic_path(file) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        for row, names in shard:
            row_flags = [flag for _ in names for flag in next(flags)]
            record: dict[str, object] = {name: cell for name, cell in row.items() if name != "flags"}
            record |= {name: next(remaining).text for name in names} | {"lang": outcome.lang}
            record |= {"flags": row_flags} if row_flags else {}
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")


def _flags(texts: Sequence[str], translations: Sequence[Translation], lang: str) -> list[list[str]]:
    """Return the flags of each translation; languages unknown to detection are not judged."""
    judged = lang in langid.DETECTED
    detected = langid.detect([translation.text if judged else "" for translation in translations])
    return [
        [
            *(["empty"] if text.strip() and not translation.text else []),
            *(["another-language"] if judged and translation.text and code != lang else []),
            *(["cut"] if translation.cut else []),
        ]
        for text, translation, code in zip(texts, translations, detected, strict=True)
    ]


def _flags_in(file: Path) -> Counter[str]:
    """Count the flags of a shard."""
    with file.open(encoding="utf-8") as stream:
        return Counter(flag for line in stream for flag in json.loads(line).get("flags", ()))
