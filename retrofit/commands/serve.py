"""Run ``amrx serve``: a page on this machine that compares two sentences and searches a corpus.

::

    GET /                  both forms
    GET /compare?a=…&b=…   cosines, both graphs, contradictions, facts (`retrofit.explain_page`)
    GET /search?query=…    the nearest sentences of the corpus, each with a link that compares it

The server listens on 127.0.0.1, so no other machine reaches it. Pages of other sites in the same browser do
not either: the Host header must name this server (DNS rebinding), and a browser says by Sec-Fetch-Site that
another site sent the request. Nothing is written or logged, so every request is a GET that can be bookmarked.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache as once
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import SHUT_RD
from socketserver import TCPServer
from string import Template
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import parse_qsl, urlencode

import typer

from amrx import cli_options as options
from amrx.control_characters import markup
from amrx.device import use_device
from amrx.errors import AmrxError, InputError, OptionError
from amrx.threads import limit_threads
from retrofit.commands.input_sentences import Columns, OwnIntegration, OwnParser, note_graphs
from retrofit.commands.search import EncoderName, Rerank, Top, filled

if TYPE_CHECKING:
    from amrx.types import Parser
    from amrx.vector_cache import VectorCache
    from retrofit.combine import RetrofittedEncoder
    from retrofit.index import Index
    from retrofit.search import Match, Search

HOST = "127.0.0.1"
PORT = 8421
PAGES = ("/", "/compare", "/search")
FIELDS = ("a", "b", "lang_a", "lang_b", "query", "lang")
LONGEST = 2000
"""Maximum characters of a text: two of them, percent-encoded, fit into the 64 KiB of a request line."""
PATIENCE = 10.0
"""Seconds within which a request must arrive."""
HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def serve(
    corpus: Annotated[
        str | None,
        typer.Argument(help="Corpus to search: text, .tsv, .csv, .jsonl or .amr; without it: no search."),
    ] = None,
    port: Annotated[int, typer.Option(help="Port; 0: any free one.", min=0, max=65535)] = PORT,
    top: Top = 10,
    rerank: Rerank = None,
    base: options.Base = "muse",
    weight: options.Weight = None,
    integration: OwnIntegration = None,
    parser: OwnParser = None,
    encoder: EncoderName = None,
    preset: options.Preset = None,
    split: options.Split = True,
    lang: options.Lang = None,
    column: options.Column = None,
    lang_column: options.LangColumn = None,
    id_column: options.IdColumn = None,
    cache: options.ParsesCached = None,
    vector_cache: options.VectorsCached = None,
    no_cache: options.NoCache = False,
    device: options.Device = None,
    threads: options.Threads = None,
) -> None:
    """Open a page on this machine: compare two sentences, or search a corpus.

    The page shows the cosine of each channel, both graphs side by side, the statements that agree, differ
    or contradict each other. Its address, http://127.0.0.1:PORT/, is written to standard output; no
    other machine reaches it, it loads nothing from the network, and sentences are not logged. The corpus is
    encoded before the page opens, and with a channel that reads graphs also parsed, unless --rerank N is
    given. Ctrl-C ends it.
    """
    limit_threads(threads)
    use_device(device)
    from amrx.threads import set_threads
    from retrofit.evaluated_encoders import open_caches
    from retrofit.index import Index
    from retrofit.load import channels_beside, load, load_reader
    from retrofit.search import Search

    how = Search(top, rerank=rerank, why=True, contradictions=True)
    if corpus is None and {rerank, lang, column, lang_column, id_column} != {None}:
        raise OptionError("--rerank, --lang, --column, --lang-column and --id-column need CORPUS")
    channels = channels_beside(base, encoder, preset)
    note_graphs([] if corpus is None else [corpus], parser, channels, used=True)
    columns = Columns(column, lang_column, id_column, lang)
    sentences = None if corpus is None else filled(columns.read(corpus), corpus)
    with ExitStack() as stack:
        caches = open_caches(cache, vector_cache, stack, off=no_cache)
        set_threads()
        loaded = load(
            base, parser, channels, weight, split=split, integration=integration, cache=caches.parses
        )
        reader = loaded.parser or load_reader(parser, split=split, cache=caches.parses)
        index = None
        server = stack.enter_context(_opened(port))
        if sentences is not None:
            how.check(loaded)
            lazy = rerank is not None
            index = Index(loaded, sentences, lazy=lazy, cache=caches.vectors, progress=True)
        server.site = Site(loaded, reader, how, index, Path(corpus or "").name, caches.vectors)
        with suppress(KeyboardInterrupt):  # the usual end
            sys.stdout.write(f"http://{HOST}:{server.server_port}/\n")
            sys.stdout.flush()
            server.serve_forever()


@dataclass(frozen=True, slots=True)
class Site:
    """The contents of the page: an encoder, a parser and a corpus."""

    encoder: RetrofittedEncoder
    reader: Parser  # the encoder's, or one of its own for an encoder without graphs
    how: Search
    index: Index | None = None  # the corpus; ``None``: no search
    corpus: str = ""  # its name
    vectors: VectorCache | None = None  # cache of the queries' vectors

    def answer(self, page: str, fields: dict[str, str]) -> str:
        """Return the result of one page as HTML; the first page has none.

        Raises:
            InputError: A text is missing or too long, or there is no corpus.
            OptionError: A language is unknown.
        """
        if page == "/compare":
            return self._compare(fields)
        return self._search(fields) if page == "/search" else ""

    def _compare(self, fields: dict[str, str]) -> str:
        from retrofit.explain import explain_pair
        from retrofit.explain_page import explanation_html

        one, other = (read_text(fields, name) for name in ("a", "b"))
        langs = read_lang(fields, "lang_a"), read_lang(fields, "lang_b")
        return explanation_html(
            explain_pair(one, other, lang=langs, encoder=self.encoder, parser=self.reader)
        )

    def _search(self, fields: dict[str, str]) -> str:
        from retrofit.search import search

        if self.index is None:
            raise InputError("there is no corpus to search; start amrx serve CORPUS")
        how, query, lang = self.how, read_text(fields, "query"), read_lang(fields, "lang")
        matches = search(
            query, self.index, lang=lang, top=how.top, rerank=how.rerank, why=True, contradictions=True,
            parser=self.reader, cache=self.vectors,
        )  # fmt: skip
        return self._hits(list(matches))

    def _hits(self, matches: list[Match]) -> str:
        """Return the table of matches, with the usual cosines below it."""
        from retrofit.marks import marks_of

        marks = marks_of(self.encoder)
        usual = "".join(
            f'<p class="note">{name}, usual: {mark}</p>'
            for name, mark in (("base", marks[0]), ("combined", marks[-1]))
            if mark is not None
        )
        names = ("id", "sentence", "base", "channels", "combined", "contradicts the query in", "differs in")
        head = "".join(f'<th scope="col">{name}</th>' for name in names)
        rows = "".join(f"<tr>{''.join(_cells(match))}</tr>" for match in matches)
        return (
            '<section><h2>Nearest sentences</h2><div class="scroll hits"><table>'
            f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{usual}</section>"
        )

    def page(self, fields: dict[str, str], result: str) -> str:
        """Return the whole page: the forms as they were sent, then the result, which is HTML."""
        from parser.draw.page import document
        from retrofit.explain_page import RULES

        count = 0 if self.index is None else len(self.index.sentences)
        sent = {name: markup(fields.get(name, "")) for name in FIELDS}
        body = _template().substitute(
            sent, result=result, longest=LONGEST, hidden=" hidden" if self.index is None else "",
            corpus=markup(f"{count:,} sentences of {self.corpus}"),
        )  # fmt: skip
        return document("Compare meanings", body, RULES)


def _cells(match: Match) -> Iterator[str]:
    """Yield the cells of a match; its text is a link that compares it to the query."""
    one, other = match.a, match.b
    sent = {"a": one.text, "b": other.text, "lang_a": one.lang or "", "lang_b": other.lang or ""}
    text = f'<bdi lang="{markup(other.lang or "")}">{markup(other.text)}</bdi>'
    if len(other.text) <= LONGEST:
        text = f'<a href="/compare?{escape(urlencode(sent))}">{text}</a>'
    yield f"<td>{markup(other.id)}</td>"
    yield f'<td>{text} <span class="tag">{markup(other.lang or "")}</span></td>'
    for value in (match.base, match.channels, match.combined):
        yield "<td>–</td>" if value is None else f"<td>{value:.3f}</td>"
    for lines in (match.contradictions or (), match.differ or ()):
        yield (
            f"<td><ul>{''.join(f'<li>{markup(line)}</li>' for line in lines)}</ul></td>"
            if lines
            else "<td></td>"
        )


@once
def _template() -> Template:
    return Template(Path(__file__).with_name("serve.html").read_text("utf-8"))


def read_fields(query: str) -> dict[str, str]:
    """Return the fields of a form, each at most once.

    Raises:
        InputError: The form is not percent-encoded UTF-8, or has an unknown or repeated field.

    Example:
        >>> read_fields("a=Gr%C3%BC%C3%9Fe&b=")
        {'a': 'Grüße', 'b': ''}
    """
    try:
        pairs = parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=len(FIELDS))
    except ValueError as error:
        raise InputError(f"the form cannot be read: {error}") from error
    fields: dict[str, str] = {}
    for name, value in pairs:
        if name not in FIELDS or name in fields:
            raise InputError("repeated" if name in fields else "unknown", field=name)
        fields[name] = value
    return fields


def read_text(fields: dict[str, str], name: str) -> str:
    """Return a text of a form in one line.

    Raises:
        InputError: It is empty or longer than `LONGEST`.
    """
    text = " ".join(fields.get(name, "").splitlines()).strip()
    if not text:
        raise InputError("the text is empty", field=name)
    if len(text) > LONGEST:
        raise InputError(f"the text has {len(text):,} characters; at most {LONGEST:,}", field=name)
    return text


def read_lang(fields: dict[str, str], name: str) -> str | None:
    """Return a language of a form; ``None``, which is to be detected, if the field is empty.

    Raises:
        OptionError: The language is unknown.
    """
    from amrx import langid

    code = fields.get(name, "").strip()
    if not code:
        return None
    langid.check(code)
    return code


class Server(ThreadingHTTPServer):
    """A server of one `Site` on this machine; a thread per request, of which one computes at a time."""

    site: Site

    daemon_threads = False  # a thread that computes while Python ends can abort the process

    def __init__(self, port: int) -> None:
        self.turn = Lock()  # a computation uses all cores
        self.connections: set[Any] = set()
        super().__init__((HOST, port), Handler)

    def server_bind(self) -> None:
        """Bind without looking up the name of the host, which can ask the network."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def get_request(self) -> tuple[Any, Any]:
        """Accept a connection."""
        request, address = super().get_request()
        self.connections.add(request)
        return request, address

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401
        """End a connection."""
        self.connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """Wait for the requests that have arrived; connections without a request end at once."""
        for request in list(self.connections):
            with suppress(OSError):  # it has just ended
                request.shutdown(SHUT_RD)
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Write the traceback of an error, unless the browser closed the connection."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _opened(port: int) -> Server:
    try:
        return Server(port)
    except OSError as error:
        raise OptionError(f"port {port} of {HOST}: {error.strerror}; choose another --port, or 0") from error


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    timeout = PATIENCE

    def do_GET(self) -> None:
        """Answer one of `PAGES`, or say why not."""
        if (problem := self._problem()) is not None:
            self.send_error(HTTPStatus.FORBIDDEN, problem)
            return
        fields: dict[str, str] = {}
        status, site = HTTPStatus.OK, self.server.site
        try:
            page, query = self._target()
            if page not in PAGES:
                self.send_error(HTTPStatus.NOT_FOUND, f"no such page: {page}")
                return
            fields = read_fields(query)
            with self.server.turn:
                result = site.answer(page, fields)
        except (AmrxError, OSError) as error:
            wrong = isinstance(error, InputError | OptionError)
            status = HTTPStatus.BAD_REQUEST if wrong else HTTPStatus.INTERNAL_SERVER_ERROR
            result = _error(str(error))
        except Exception:
            self.send_error(
                HTTPStatus.INTERNAL_SERVER_ERROR, "a bug of amrx; its traceback is in the terminal"
            )
            raise
        self._send(status, site.page(fields, result))

    def _problem(self) -> str | None:
        """Return why a request is refused: another site sent it, or it is for another host."""
        hosts = self.headers.get_all("Host", [])
        port = self.server.server_port
        own = [f"{name}{end}" for name in (HOST, "localhost") for end in (f":{port}", *([""] * (port == 80)))]
        if len(hosts) != 1 or hosts[0].lower() not in own:
            given = ", ".join(hosts) or "a request without a host"
            return f"this page is http://{HOST}:{port}/, not {given}"
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            return f"another site sent this request; open http://{HOST}:{port}/ yourself"
        return None

    def _target(self) -> tuple[str, str]:
        """Return page and query; bytes that are not percent-encoded are read as UTF-8."""
        try:
            page, _, query = self.path.encode("latin-1").decode("utf-8").partition("?")
        except UnicodeDecodeError as error:
            raise InputError(f"the address is not UTF-8: {error}") from error
        return page, query

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Send the page with an error, also for requests that http.server refuses, such as too long ones."""
        status = HTTPStatus(code)
        self.close_connection = True
        self._send(status, self.server.site.page({}, _error(message or explain or status.phrase)))

    def _send(self, status: HTTPStatus, page: str) -> None:
        body = page.encode()
        self.send_response(status)
        for name, value in (*HEADERS.items(), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing: a request holds the user's sentences."""

    def version_string(self) -> str:
        """Return the name of the server, without versions."""
        return "amrx"


def _error(text: str) -> str:
    return f'<p class="error" role="alert">{markup(text)}</p>'
