"""Store values under hashes in one sqlite file that several processes may use at once.

::

    Store(path) ── get(keys) / put({key: value}) ──> write-ahead log, short transactions

A killed process loses at most the entries that it had not written yet. The header of the file holds a number
per kind of store, so that a store does not open another program's database or another kind of store.
"""

import json
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, Generic, Self, TypeVar

from amrx.composed_text import is_plain
from amrx.control_characters import visible
from amrx.errors import OptionError, OutputError

V = TypeVar("V", str, bytes)

_MAGIC = b"SQLite format 3\0"
_WAIT = 60.0  # seconds to wait for another process's transaction
_MOST_KEYS = 500  # per query; the oldest builds of sqlite allow 999


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of store."""

    what: str  # its name in messages
    option: str  # the option that names another file
    variable: str  # the environment variable that names a file for every command
    file: str  # default file name in the user's cache folder
    owner: int  # its number in sqlite's ``application_id`` field
    table: str  # name of the table
    columns: str  # its columns, in SQL: ``key`` and ``value``
    layout: int  # version of the format of keys and values

    def key(self, text: str, lang: str | None, fingerprint: str) -> bytes:
        """Return the key of a sentence for a model; it depends on text, language and fingerprint."""
        parts = [self.layout, fingerprint, lang, text]
        if not is_plain(text):  # read differently before composition, with the same fingerprint
            parts.append("composed")
        return sha256(json.dumps(parts).encode("ascii")).digest()


def user_cache(name: str, variable: str | None = None) -> Path:
    """Return the path that an environment variable names, else a path in the user's folder (XDG or macOS)."""
    if variable and (named := os.environ.get(variable)):
        return Path(named)
    if sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "amrx" / name


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(_MAGIC))


class Store(Generic[V]):
    """The open file. Use it in a ``with`` block, or close it.

    Threads may share it; they take turns. A forked process opens the file anew at its first access, because
    sqlite's connections must not be carried across a fork.
    """

    kind: ClassVar[Kind]

    def __init__(self, path: Path) -> None:
        self.path: Path = path
        self._full: bool = False
        with self._named_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and _head(path) not in (b"", _MAGIC):
                raise sqlite3.DatabaseError("no sqlite file")  # sqlite would overwrite one of a few bytes
            self._open()
            try:
                self._begin()
            except sqlite3.Error:
                self._connection.close()
                raise

    def _open(self) -> None:
        """Connect, in this process."""
        self._process, self._turn = os.getpid(), threading.RLock()
        self._connection = sqlite3.connect(self.path, timeout=_WAIT, check_same_thread=False)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """Give one thread at a time the connection of this process."""
        with self._named_errors():
            if self._process != os.getpid():
                self._open()
            with self._turn:
                yield self._connection

    @classmethod
    def chosen(
        cls, named: Path | None = None, *, off: bool = False, stack: ExitStack | None = None
    ) -> Self | None:
        """Open the store chosen by a command's options: the named file, the variable's, or the user's own.

        A folder that is named gets a file of the usual name. The store is closed with ``stack``, if given.

        If the user's own cannot be opened, report it on standard error and return None.

        Raises:
            OptionError: A file is named although ``off`` is set.
            OutputError: The named file cannot be used.
        """
        if off and named is not None:
            raise OptionError(f"{cls.kind.option} and --no-cache contradict each other")
        if off:
            return None
        if value := named or os.environ.get(cls.kind.variable):
            path = Path(value)
            store = cls(path / cls.kind.file if path.is_dir() else path)
        else:
            try:
                store = cls(user_cache(cls.kind.file))
            except OutputError as error:
                sys.stderr.write(f"{visible(f'amrx: continuing without a cache: {error}')}\n")
                return None
        if stack is not None:
            stack.enter_context(store)
        return store

    def _begin(self) -> None:
        """Enable the write-ahead log; sqlite does not wait for another process that opens the file."""
        until = time.monotonic() + _WAIT
        while True:
            try:
                return self._prepare()
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.02)

    def _prepare(self) -> None:
        """Create the table in a new file; leave another program's database alone."""
        ask = self._connection.execute
        # Tables first: another process commits table and owner together, perhaps between the two queries.
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
    def _named_errors(self) -> Iterator[None]:
        """Turn errors of sqlite and the system into one line that names the file."""
        what = self.kind.what
        try:
            yield
        except sqlite3.OperationalError as error:
            raise OutputError(
                f"{self.path}: the {what} cannot be used: {error}; --no-cache goes on without it"
            ) from error
        except sqlite3.DatabaseError as error:
            hint = f"remove it, or name another file with {self.kind.option}"
            raise OutputError(f"{self.path}: is no {what} ({error}); {hint}") from error
        except OSError as error:
            raise OutputError(f"{self.path}: the {what} cannot be used: {error.strerror}") from error

    def __len__(self) -> int:
        with self._connected() as connection:
            query = f"SELECT count(*) FROM {self.kind.table}"
            return int(connection.execute(query).fetchone()[0])

    def get(self, keys: Iterable[bytes]) -> dict[bytes, V]:
        """Return the values of the keys that exist; a damaged file may hold any type of value."""
        wanted = list(dict.fromkeys(keys))
        values: dict[bytes, V] = {}
        with self._connected() as connection:
            for start in range(0, len(wanted), _MOST_KEYS):
                part = wanted[start : start + _MOST_KEYS]
                marks = ",".join("?" * len(part))
                query = f"SELECT key, value FROM {self.kind.table} WHERE key IN ({marks})"
                values.update(connection.execute(query, part))
        return values

    def put(self, values: Mapping[bytes, V]) -> None:
        """Add entries in one transaction; existing ones are kept."""
        with self._connected() as connection, connection as transaction:
            insert = f"INSERT OR IGNORE INTO {self.kind.table} VALUES (?, ?)"
            transaction.executemany(insert, values.items())

    def keep(self, values: Mapping[bytes, V]) -> None:
        """Put entries, but continue without them on failure: a full cache must not stop the work.

        The first failure is reported on standard error; nothing more is put after it.
        """
        if self._full:
            return
        try:
            self.put(values)
        except OutputError as error:
            self._full = True
            sys.stderr.write(visible(f"amrx: continuing without writing to the cache: {error}") + "\n")

    def drop(self, keys: Iterable[bytes]) -> None:
        """Remove damaged entries, with a message on standard error; they will be computed again."""
        damaged = [(key,) for key in keys]
        if not damaged:
            return
        message = f"amrx: {self.path}: {len(damaged)} damaged entries of the {self.kind.what} are recomputed"
        sys.stderr.write(visible(message) + "\n")
        with suppress(OutputError), self._connected() as connection, connection as transaction:
            transaction.executemany(f"DELETE FROM {self.kind.table} WHERE key = ?", damaged)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
