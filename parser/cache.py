"""Parses kept by what they were made from, so that nothing is parsed twice.

::

    sha256(text, lang, parser fingerprint)  ──>  the parse, without its id      one sqlite file

The key holds everything a parse depends on: another text, language or set of weights is another entry, and
an entry never goes stale. Several processes may read and write one file at once (write-ahead log, short
transactions); a killed one loses at most the block it was parsing.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

import penman
from penman.models.amr import model as amr_model

from amrx.errors import OutputError
from amrx.records.graph_text import encode
from amrx.types import Parse, Parser, Sentence

LAYOUT = 1
"""Number of the form of keys and values; raise it when either changes."""

_MAGIC = b"SQLite format 3\0"
_OWNER = 0x616D7278  # "amrx", in the field that sqlite's file format keeps for this
_WAIT = 60.0  # seconds that a process waits for another's transaction
_MOST_KEYS = 500  # in one question; sqlite allows 999 in its oldest builds


def default_path() -> Path:
    """Return the cache file in the user's cache folder (XDG, macOS or Windows)."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "amrx" / "parses.sqlite"


def key_of(sentence: Sentence, fingerprint: str) -> bytes:
    """Return the key of a sentence under a parser; its id plays no part."""
    parts = [LAYOUT, fingerprint, sentence.lang, sentence.text]
    return sha256(json.dumps(parts).encode("ascii")).digest()


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(_MAGIC))


class ParseCache:
    """The file. Use it in a ``with`` block, or close it.

    Args:
        path: The sqlite file; its folder is made when it is not there.

    Raises:
        OutputError: It cannot be opened, or is something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and _head(path) not in (b"", _MAGIC):
                raise sqlite3.DatabaseError("no sqlite file")  # sqlite would overwrite one of a few bytes
            self._connection = sqlite3.connect(path, timeout=_WAIT)
            try:
                self._begin()
            except sqlite3.Error:
                self._connection.close()
                raise

    def _begin(self) -> None:
        """Turn the write-ahead log on, which sqlite refuses without waiting while another opens the file."""
        until = time.monotonic() + _WAIT
        while True:
            try:
                return self._prepare()
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.02)

    def _prepare(self) -> None:
        """Make the table in a new file; leave any other program's database alone."""
        ask = self._connection.execute
        # Tables first: another process commits table and owner together, perhaps between the two questions.
        tables = ask("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        owner = ask("PRAGMA application_id").fetchone()[0]
        if owner != _OWNER and (owner or tables):
            raise sqlite3.DatabaseError("another program's database")
        ask("PRAGMA journal_mode = WAL").fetchone()
        ask("PRAGMA synchronous = NORMAL")
        with self._connection:
            ask("BEGIN IMMEDIATE")
            ask(f"PRAGMA application_id = {_OWNER}")
            ask("CREATE TABLE IF NOT EXISTS parses (key BLOB PRIMARY KEY, value TEXT) WITHOUT ROWID")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn sqlite's errors and the system's into one line that names the file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise OutputError(f"{self.path}: the parse cache cannot be used: {error}") from error
        except sqlite3.DatabaseError as error:
            hint = "remove it, or name another file with --cache"
            raise OutputError(f"{self.path}: is no parse cache ({error}); {hint}") from error
        except OSError as error:
            raise OutputError(f"{self.path}: the parse cache cannot be used: {error.strerror}") from error

    def __len__(self) -> int:
        with self._told():
            return int(self._connection.execute("SELECT count(*) FROM parses").fetchone()[0])

    def get(self, keys: Iterable[bytes]) -> dict[bytes, str]:
        """Return the values of those keys that are there."""
        wanted = list(dict.fromkeys(keys))
        found: dict[bytes, str] = {}
        with self._told():
            for start in range(0, len(wanted), _MOST_KEYS):
                part = wanted[start : start + _MOST_KEYS]
                marks = ",".join("?" * len(part))
                found.update(
                    self._connection.execute(f"SELECT key, value FROM parses WHERE key IN ({marks})", part)
                )
        return found

    def put(self, values: Mapping[bytes, str]) -> None:
        """Add entries in one transaction; what is there already stays."""
        with self._told(), self._connection as transaction:
            transaction.executemany("INSERT OR IGNORE INTO parses VALUES (?, ?)", values.items())

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> ParseCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class CachedParser:
    """A parser that asks the cache first. It is itself a parser, with the same fingerprint.

    Law: it returns what the parser returns, whatever the cache holds; graphs come back without metadata.

    Args:
        parser: What to parse with.
        cache: Where parses are kept.

    Attributes:
        hits: Sentences answered from the cache so far.
    """

    def __init__(self, parser: Parser, cache: ParseCache) -> None:
        self.parser, self.cache, self.hits = parser, cache, 0

    @property
    def fingerprint(self) -> str:
        """The parser's own."""
        return self.parser.fingerprint

    def parse(
        self, sentences: Sequence[Sentence], *, batch_size: int = 64, progress: bool = False
    ) -> list[Parse]:
        """Return one ``Parse`` a sentence, in order; equal sentences are parsed once."""
        keys = [key_of(sentence, self.fingerprint) for sentence in sentences]
        values = self.cache.get(keys)
        self.hits += sum(key in values for key in keys)
        missing = {key: sentence for key, sentence in zip(keys, sentences, strict=True) if key not in values}
        if missing:
            made = self.parser.parse(list(missing.values()), batch_size=batch_size, progress=progress)
            fresh = {key: _pack(parse) for key, parse in zip(missing, made, strict=True)}
            self.cache.put(fresh)
            values |= fresh
        return [
            _unpack(values[key], sentence, self.fingerprint)
            for key, sentence in zip(keys, sentences, strict=True)
        ]


def _pack(parse: Parse) -> str:
    """Write a parse as JSON, without what its sentence and its parser say."""
    record = {
        "lang": parse.lang,
        "graph": encode(parse.graph, indent=None, name=f"sentence {parse.id!r}"),
        "status": parse.status,
        "repairs": parse.repairs,
        "alignments": parse.alignments,
    }
    return json.dumps(record)


def _unpack(value: str, sentence: Sentence, fingerprint: str) -> Parse:
    """Read a parse back for a sentence."""
    record: dict[str, Any] = json.loads(value)
    return Parse(
        id=sentence.id,
        text=sentence.text,
        lang=record["lang"],
        graph=penman.decode(record["graph"], model=amr_model),
        status=record["status"],
        repairs=tuple(record["repairs"]),
        alignments={node: (start, end) for node, (start, end) in record["alignments"].items()},
        parser=fingerprint,
    )
