"""Run a named parser on the workers of a Ray cluster: ``amrx parse --engine ray``.

::

    sentences ── windows of 65,536 ──> blocks ──Ray Data──> actor 1 (one thread) ──┐
                    └── known to the cache             └──> actor 2              ──┴──> in order

The driver holds one window, the cluster's object store its blocks. The output is the same as from the local
engine, byte for byte, because a graph depends only on its sentence (the contract of `amrx.types.Parser`). A
killed actor is restarted, up to four times per window, and its block is parsed again. Every block is written
to the cache when it arrives, so a killed run loses only the blocks that were being parsed.

The cluster is the one named by ``RAY_ADDRESS``, else a local one that ends with the run. Its
machines need amrx, and the parser's folder under the same path.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from amrx.errors import AmrxError, MissingResourceError, OptionError, check_least
from amrx.threads import cores
from amrx.types import Parse, Parser, Sentence
from parser.load import load
from parser.run.cache import PARSES, Known, ParseCache, pack
from parser.run.pool import loaded_once
from parser.run.stream import failed_parse, has_word

if TYPE_CHECKING:
    import pyarrow as pa

WINDOW = 65_536
"""Sentences per run of Ray Data: enough to outweigh loading the parsers, few enough for memory."""
RESTARTS = 4
"""Maximum number of restarts of killed actors; in parsing, within one window."""
_BATCHES = 4  # batches per block: a block is parsed again after a kill, and cached as a whole
_STORE = 512 * 2**20  # bytes of shared memory for the object store of this machine's own cluster
_ADDRESS = "RAY_ADDRESS"
_SURROGATES = "surrogatepass"  # the parser reports invalid text, not the transfer


class RayEngine:
    """A parser in the actors of a cluster. Use it in a ``with`` block.

    There is one actor per free core when ``workers`` is ``None``.
    """

    def __init__(
        self, name: str, workers: int | None = None, beam: int | None = None, cache: ParseCache | None = None
    ) -> None:
        require_ray(workers)
        # loaded here only to report a missing file before a cluster starts; the actors load their own
        self.fingerprint = load(name, beam=beam).fingerprint
        self.name, self.beam, self.cache, self.hits = name, beam, cache, 0
        self._cluster = Cluster(workers)

    def stream(self, sentences: Iterable[Sentence], *, batch_size: int = 64) -> Iterator[Parse]:
        """Yield one parse per sentence, in order, like `parser.run.stream.parse_stream`."""
        source = iter(sentences)
        while window := list(islice(source, WINDOW)):
            yield from self._window(window, batch_size)

    def _window(self, window: Sequence[Sentence], batch_size: int) -> Iterator[Parse]:
        keys = [PARSES.key(s.text, s.lang, self.fingerprint) if has_word(s.text) else b"" for s in window]
        filled = [key for key in keys if key]
        keyed = {key: sentence for key, sentence in zip(keys, window, strict=True) if key}
        known = Known(self.cache, keyed, self.fingerprint)
        self.hits += sum(key in known for key in filled)
        missing = {key: sentence for key, sentence in keyed.items() if key not in known}
        parses = self._parsed(missing, batch_size) if missing else iter(())
        for key, sentence in zip(keys, window, strict=True):
            if not key:
                yield failed_parse(sentence, self.fingerprint)
                continue
            while key not in known:
                known.add(next(parses))
            yield known.parse(key, sentence)

    def _parsed(self, missing: Mapping[bytes, Sentence], batch_size: int) -> Iterator[dict[bytes, str]]:
        """Yield packed parses block by block, in order; each block is cached before it is yielded."""
        import ray
        from ray.exceptions import RayError

        keys = iter(missing)
        rows = [{"text": s.text.encode("utf-8", _SURROGATES), "lang": s.lang or ""} for s in missing.values()]
        blocks = -(-len(rows) // (_BATCHES * batch_size))
        workers = min(self._cluster.workers, blocks)
        with warnings.catch_warnings():
            # up to Ray 2.63 the only way to limit restarts; a text may kill every actor that parses it
            warnings.filterwarnings("ignore", "`ray_remote_args` is deprecated")
            parsed = ray.data.from_items(rows, override_num_blocks=blocks).map_batches(
                _Actor,
                fn_constructor_args=(self.name, self.beam, self.fingerprint, batch_size),
                batch_size=None,
                batch_format="pyarrow",
                compute=ray.data.ActorPoolStrategy(size=workers),
                num_cpus=1,
                max_restarts=RESTARTS,
                max_task_retries=RESTARTS,
            )
        parsed.context.execution_options.preserve_order = True
        parsed.context.enable_progress_bars = False
        parsed.context.print_on_execution_start = False
        try:
            batches = parsed.iter_batches(batch_size=None, batch_format="pyarrow")
            for table in cast("Iterable[pa.Table]", batches):
                for fault in filter(None, table["fault"].to_pylist()):
                    raise AmrxError(fault)
                # keys last in zip, so that the end of a table consumes no key
                fresh = {key: value for value, key in zip(table["parse"].to_pylist(), keys, strict=False)}
                if self.cache is not None:
                    self.cache.keep(fresh)
                yield fresh
        except RayError as error:
            raise AmrxError(f"Ray stopped parsing: {type(error).__name__}: {error}") from error

    def close(self) -> None:
        """End the cluster, if it is this engine's own."""
        self._cluster.close()

    def __enter__(self) -> RayEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Actor:
    """A parser in its own process; Ray Data creates one per worker.

    Errors are returned in a column, because an exception raised here would lose its class.
    """

    def __init__(self, name: str, beam: int | None, fingerprint: str, batch_size: int) -> None:
        self.name, self.beam, self.fingerprint, self.batch_size = name, beam, fingerprint, batch_size

    def __call__(self, block: pa.Table) -> pa.Table:
        """Return the packed parses of a block's sentences, or the error."""
        import pyarrow as pa

        sentences = [
            Sentence("", text.decode("utf-8", _SURROGATES), lang or None)
            for text, lang in zip(block["text"].to_pylist(), block["lang"].to_pylist(), strict=True)
        ]
        parses: list[str | None] = [None] * len(sentences)
        fault = None
        try:
            parses = [pack(p) for p in self._parser().parse(sentences, batch_size=self.batch_size)]
        except AmrxError as error:
            fault = str(error)
        columns = [pa.array(parses, pa.string()), pa.array([fault] * len(parses), pa.string())]
        return pa.table(columns, names=["parse", "fault"])

    def _parser(self) -> Parser:
        parser = loaded_once(self.name, self.beam)
        if parser.fingerprint != self.fingerprint:
            raise AmrxError(
                f"a worker's parser {self.name!r} is {parser.fingerprint}, not {self.fingerprint}; "
                "the machines of a cluster need the same weights and the same version of amrx"
            )
        return parser


def require_ray(workers: int | None) -> None:
    """Check that Ray is installed and that ``workers`` is valid."""
    if workers is not None:
        check_least("workers", workers)
    try:
        for name in ("ray", "ray.data"):
            import_module(name)
    except ModuleNotFoundError as error:
        raise MissingResourceError(
            f"parts of the extra 'ray' ({error.name})", fetch="pip install 'amrx[ray]'"
        ) from None
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # it logs every run


class Cluster:
    """The Ray cluster named by ``RAY_ADDRESS``, else a local one that ends with `close`.

    It has one actor per free core when ``workers`` is ``None``. One core stays free, because Ray Data blocks
    without one.
    """

    def __init__(self, workers: int | None) -> None:
        require_ray(workers)
        import ray

        self._ours = not ray.is_initialized()
        if self._ours:
            _start(workers)
        try:
            free = int(ray.cluster_resources().get("CPU", 0)) - 1
            if free < (workers or 1):
                raise OptionError(
                    f"workers must be at most {max(free, 0)} on a Ray cluster of {free + 1} CPUs "
                    f"(one stays free), got {workers or 1}"
                )
            self.workers = workers or free
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the cluster if it was started here."""
        import ray

        if self._ours:
            ray.shutdown()


def _start(workers: int | None) -> None:
    """Join the cluster named by ``RAY_ADDRESS``, or start a local one."""
    import ray

    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # otherwise a killed actor floods the terminal
    address = os.environ.get(_ADDRESS)
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if not address:
        ray.init("local", num_cpus=(workers or cores()) + 1, object_store_memory=_STORE,
                 include_dashboard=False, **quiet)  # fmt: skip
        return
    try:
        ray.init(address, **quiet)
    except (ConnectionError, ValueError) as error:
        raise AmrxError(f"no Ray cluster at {address!r} (${_ADDRESS}): {error}") from error
