"""Values kept under hashes in one sqlite file that several processes may use at once.

::

    Store(path, KIND) ── get(keys) / put({key: value}) ──> write-ahead log, short transactions

A killed process loses at most the entries that it had not put yet. Each kind of file carries a number of its
own in the header, so that no store takes another program's database, or another kind of store, for its own.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Generic, Self, TypeVar

from amrx.composed_text import is_plain
from amrx.control_characters import visible
from amrx.errors import OptionError, OutputError

V = TypeVar("V", str, bytes)

_MAGIC = b"SQLite format 3\0"
_WAIT = 60.0  # seconds that a process waits for another's transaction
_MOST_KEYS = 500  # in one question; sqlite allows 999 in its oldest builds


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of store.

    Attributes:
        what: Its name in messages.
        option: The option that names another file.
        variable: The environment variable that names one for every command.
        file: Name in the user's cache folder, where neither names one.
        owner: Its number in the field that sqlite's file format keeps for the application.
        table: Name of the table.
        columns: Its columns, in SQL: ``key`` and ``value``.
        layout: Number of the form of keys and values; raised when either changes.
    """

    what: str
    option: str
    variable: str
    file: str
    owner: int
    table: str
    columns: str
    layout: int

    def key(self, text: str, lang: str | None, fingerprint: str) -> bytes:
        """Return the key of a sentence under a model; another text, language or model has another."""
        parts = [self.layout, fingerprint, lang, text]
        if not is_plain(text):  # before it was composed it was read in another way, by the same fingerprint
            parts.append("composed")
        return sha256(json.dumps(parts).encode("ascii")).digest()


def user_cache(name: str) -> Path:
    """Return a file in the user's cache folder (XDG or macOS)."""
    if sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "amrx" / name


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(_MAGIC))


class Store(Generic[V]):
    """The file. Use it in a ``with`` block, or close it.

    Raises:
        OutputError: It cannot be opened, or is something else.
    """

    def __init__(self, path: Path, kind: Kind) -> None:
        self.path: Path = path
        self.kind: Kind = kind
        self._full: bool = False
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
        if owner != self.kind.owner and (owner or tables):
            raise sqlite3.DatabaseError("another program's database")
        ask("PRAGMA journal_mode = WAL").fetchone()
        ask("PRAGMA synchronous = NORMAL")
        with self._connection:
            ask("BEGIN IMMEDIATE")
            ask(f"PRAGMA application_id = {self.kind.owner}")
            ask(f"CREATE TABLE IF NOT EXISTS {self.kind.table} {self.kind.columns}")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn sqlite's errors and the system's into one line that names the file."""
        what = self.kind.what
        try:
            yield
        except sqlite3.OperationalError as error:
            raise OutputError(f"{self.path}: the {what} cannot be used: {error}") from error
        except sqlite3.DatabaseError as error:
            hint = f"remove it, or name another file with {self.kind.option}"
            raise OutputError(f"{self.path}: is no {what} ({error}); {hint}") from error
        except OSError as error:
            raise OutputError(f"{self.path}: the {what} cannot be used: {error.strerror}") from error

    def __len__(self) -> int:
        with self._told():
            question = f"SELECT count(*) FROM {self.kind.table}"
            return int(self._connection.execute(question).fetchone()[0])

    def get(self, keys: Iterable[bytes]) -> dict[bytes, V]:
        """Return the values of those keys that are there; a damaged file may hold any type of value."""
        wanted = list(dict.fromkeys(keys))
        found: dict[bytes, V] = {}
        with self._told():
            for start in range(0, len(wanted), _MOST_KEYS):
                part = wanted[start : start + _MOST_KEYS]
                marks = ",".join("?" * len(part))
                question = f"SELECT key, value FROM {self.kind.table} WHERE key IN ({marks})"
                found.update(self._connection.execute(question, part))
        return found

    def put(self, values: Mapping[bytes, V]) -> None:
        """Add entries in one transaction; what is there already stays."""
        with self._told(), self._connection as transaction:
            insert = f"INSERT OR IGNORE INTO {self.kind.table} VALUES (?, ?)"
            transaction.executemany(insert, values.items())

    def keep(self, values: Mapping[bytes, V]) -> None:
        """Put entries, or go on without: a cache that is full must not cost the work that is done.

        The first failure is said on standard error; nothing more is put after it.
        """
        if self._full:
            return
        try:
            self.put(values)
        except OutputError as error:
            self._full = True
            sys.stderr.write(visible(f"amrx: going on, but keeping no more: {error}") + "\n")

    def drop(self, keys: Iterable[bytes]) -> None:
        """Remove entries that are damaged, and say so on standard error; they are made again."""
        damaged = [(key,) for key in keys]
        if not damaged:
            return
        told = f"amrx: {self.path}: {len(damaged)} damaged entries of the {self.kind.what} are made again"
        sys.stderr.write(visible(told) + "\n")
        with suppress(OutputError), self._told(), self._connection as transaction:
            transaction.executemany(f"DELETE FROM {self.kind.table} WHERE key = ?", damaged)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


S = TypeVar("S", bound=Store[str] | Store[bytes])


def open_chosen(make: Callable[[Path], S], kind: Kind, named: Path | None, *, off: bool) -> S | None:
    """Open the store that a command's options choose: the file named, or the variable's, or the user's own.

    A machine that has no place for the user's own goes without, which is said on standard error.

    Raises:
        OptionError: One is named and none is wanted.
        OutputError: The one named cannot be used.
    """
    if off and named is not None:
        raise OptionError(f"{kind.option} and --no-cache contradict each other")
    if off:
        return None
    chosen = named or (Path(value) if (value := os.environ.get(kind.variable)) else None)
    if chosen is not None:
        return make(chosen)
    try:
        return make(user_cache(kind.file))
    except OutputError as error:
        sys.stderr.write(f"{visible(f'amrx: going on without a cache: {error}')}\n")
        return None
