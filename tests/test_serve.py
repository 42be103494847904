"""The page of `amrx serve`: a server on a free port in a thread, asked by plain HTTP."""

import http.client
import io
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

import pytest

from amrx.cli import main
from amrx.errors import OutputError
from retrofit.combine import RetrofittedEncoder
from retrofit.commands import serve as command
from retrofit.commands.serve import LONGEST, Server, Site
from retrofit.index import Index
from retrofit.search import Search
from tests.support.search_toys import GRAPHS, Graphs, Lengths, Told

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HOW = Search(10, why=True, contradictions=True)
ODD = "<img src=//evil.example/x onerror=alert(1)>\"'&$a ${result}"


class Page:
    """A running server."""

    def __init__(self, site: Site) -> None:
        self.server = Server(0)
        self.server.site, self.port = site, self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def get(self, page: str = "/", headers: dict[str, str] | None = None, **fields: str) -> tuple[int, str]:
        """Status and text of a page."""
        address = f"http://127.0.0.1:{self.port}{page}" + (f"?{urlencode(fields)}" if fields else "")
        try:
            with urlopen(Request(address, headers=headers or {})) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def send(self, request: bytes) -> bytes:
        """The answer to a request as it is written."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(request)
            return b"".join(iter(lambda: connection.recv(65536), b""))


def toy(parser: Told, corpus: list[str] | None = None) -> Site:
    encoder = RetrofittedEncoder(Lengths(), parser, Graphs(), weight=0.5)
    index = Index(encoder, corpus, lang="en") if corpus else None
    return Site(encoder, parser, HOW, index, "c<1>.txt")


@pytest.fixture
def page() -> Iterator[Page]:
    running = Page(toy(Told(), [*GRAPHS, ODD]))
    yield running
    running.close()


def error_of(text: str) -> str:
    (shown,) = re.findall(r'role="alert">([^<]*)</p>', text)
    return unescape(shown)


def test_two_sentences_are_compared(page: Page) -> None:
    status, text = page.get("/compare", a="dog bites man", b="dog bites no man", lang_a="en", lang_b="de")
    assert status == 200 and text.startswith("<!doctype html>")
    assert len(re.findall("<svg", text)) == 2
    assert "They agree on" in text and "<td>(none)</td>" not in text
    assert "<li>negation: :polarity of bite-01: (none) | -</li>" in text
    assert re.search(r'<th scope="row">combined \(norm-concat\)</th><td class="bar"[^>]*>\d\.\d\d</td>', text)
    assert '<th scope="row">amr (weight 0.5)</th>' in text
    assert 'name="a" rows="2" dir="auto" maxlength="2000" required>dog bites man</textarea>' in text
    assert 'name="lang_b" maxlength="3" value="de"' in text and '<span class="tag">de</span>' in text
    assert "contradict" not in page.get("/compare", a="dog bites man", b="dog bites man")[1]


def test_a_query_has_its_nearest_sentences(page: Page) -> None:
    status, text = page.get("/search", query="dog bites man", lang="en")
    assert status == 200 and "5 sentences of c&lt;1&gt;.txt" in text
    rows = re.findall(r"<tr><td>(.*?)</tr>", text)
    assert len(rows) == 5 and rows[0].startswith("1</td>")
    assert rows[0].count("<td>1.000</td>") == 3 and "<li>" not in rows[0]
    negated = next(row for row in rows if "dog bites no man" in row)
    assert negated.count("<li>negation: :polarity of bite-01: (none) | -</li>") == 2
    swapped = next(row for row in rows if "man bites dog<" in row)
    assert "<li>swapped role: :ARG0 of bite-01: dog | man</li>" in swapped
    failed = next(row for row in rows if "evil" in row)
    assert "<td>–</td>" in failed
    (link,) = re.findall(r'<a href="([^"]*)"', negated)
    status, text = page.get(unescape(link))
    assert (
        status == 200
        and ">dog bites no man</textarea>" in text
        and 'name="lang_a" maxlength="3" value="en"' in text
    )


def test_without_a_corpus_there_is_no_search() -> None:
    page = Page(toy(Told()))
    try:
        assert '<form action="/search" method="get" accept-charset="utf-8" hidden>' in page.get()[1]
        status, text = page.get("/search", query="x")
        assert status == 400 and error_of(text) == "there is no corpus to search; start amrx serve CORPUS"
    finally:
        page.close()


def test_an_encoder_without_graphs_gets_them_from_the_parser() -> None:
    parser = Told()
    encoder = RetrofittedEncoder(Lengths(), None, Lengths(), weight=2)
    page = Page(Site(encoder, parser, HOW, Index(encoder, list(GRAPHS), lang="en")))
    try:
        _, text = page.get("/compare", a="dog bites man", b="man bites dog", lang_a="en", lang_b="en")
        assert len(re.findall("<svg", text)) == 2 and "swapped role: :ARG0 of bite-01: dog | man" in text
        _, text = page.get("/search", query="man bites dog", lang="en")
        assert "swapped role: :ARG0 of bite-01: man | dog" in text
    finally:
        page.close()
    assert parser.seen.count("dog bites man") == 2


@pytest.mark.parametrize(
    ("where", "fields", "problem"),
    [
        ("/compare", {"a": " \r\n ", "b": "x"}, "field 'a': the text is empty"),
        ("/compare", {"a": "x"}, "field 'b': the text is empty"),
        ("/search", {}, "field 'query': the text is empty"),
        (
            "/search",
            {"query": "x" * (LONGEST + 1)},
            "field 'query': the text has 2,001 characters; at most 2,000",
        ),
        ("/compare", {"a": "x", "b": "y", "lang_b": "<xx>"}, "'<xx>'"),
        ("/search", {"query": "x", "lang": "english"}, "'english'"),
    ],
)
def test_wrong_input_has_a_clear_error(page: Page, where: str, fields: dict[str, str], problem: str) -> None:
    status, text = page.get(where, **fields)
    assert status == 400 and problem in error_of(text)
    assert f">{fields.get('b', '')}</textarea>" in text  # the forms keep the input


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("a=x&a=y&b=z", "field 'a': repeated"),
        ("a=x&b=y&c=z", "field 'c': unknown"),
        ("a=%FF&b=x", "the form cannot be read: 'utf-8' codec can't decode byte 0xff"),
        (
            "a=1&b=2&lang_a=&lang_b=&query=&lang=&more=",
            "the form cannot be read: Max number of fields exceeded",
        ),
    ],
)
def test_a_damaged_form_has_a_clear_error(page: Page, query: str, problem: str) -> None:
    status, text = page.get(f"/compare?{query}")
    assert status == 400 and error_of(text).startswith(problem)


def test_plain_utf_8_in_an_address_is_read(page: Page) -> None:
    head = f"Host: 127.0.0.1:{page.port}\r\n\r\n".encode()
    answer = page.send(b"GET /compare?a=M\xc3\xbcller&b=x&lang_a=de&lang_b=en HTTP/1.1\r\n" + head).decode()
    assert answer.startswith("HTTP/1.0 200") and ">Müller</textarea>" in answer
    answer = page.send(b"GET /compare?a=M\xfcller&b=x HTTP/1.1\r\n" + head).decode()
    assert answer.startswith("HTTP/1.0 400") and "the address is not UTF-8" in error_of(answer)


def test_long_texts_in_any_script_fit_and_longer_requests_are_refused(page: Page) -> None:
    text = "\N{GRINNING FACE}" * LONGEST  # twelve characters each, percent-encoded
    status, _ = page.get("/compare", a=text, b=text, lang_a="en", lang_b="en")
    assert status == 200
    status, shown = page.get("/compare", a=text, b=text * 2)
    assert status == 414 and "Long" in error_of(shown)
    many = "".join(f"X-{number}: 1\r\n" for number in range(200))
    answer = page.send(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n{many}\r\n".encode())
    assert answer.startswith(b"HTTP/1.0 431") and page.get()[0] == 200


@pytest.mark.parametrize("texts", [(ODD, ODD), ("</textarea><script>alert(1)</script>", "\x00\x1b[31m")])
def test_all_text_is_escaped(page: Page, texts: tuple[str, str]) -> None:
    nasty = '"><script>alert(2)</script>'
    answers = [
        page.get("/compare", a=texts[0], b=texts[1], lang_a="en", lang_b="en"),
        page.get("/compare", a=texts[0], b=texts[1], lang_a=nasty),
        page.get("/search", query=texts[0], lang="en"),
        page.get(f"/{quote(nasty)}"),
        page.get(f"/compare?{quote(nasty)}=1"),
    ]
    assert [status for status, _ in answers] == [200, 400, 200, 404, 400]
    for _, text in answers:
        assert "<script" not in text and "<img" not in text and "\x00" not in text and "\x1b" not in text
        assert text.count("</textarea>") == 3 and text.count("</html>") == 1
    fields = re.findall(r"<textarea[^>]*>([^<]*)</textarea>", page.get("/compare", a=ODD, b="x")[1])
    assert [unescape(field) for field in fields] == [ODD, "x", ""]


def test_a_page_loads_nothing(page: Page) -> None:
    for text in (page.get()[1], page.get("/compare", a="dog bites man", b="man bites dog")[1]):
        assert not re.findall(r"<(?:script|link|img|iframe|object|embed)|@import|url\(|https?://", text)
    connection = http.client.HTTPConnection("127.0.0.1", page.port)
    connection.request("GET", "/")
    answer = connection.getresponse()
    policy = answer.headers["Content-Security-Policy"]
    connection.close()
    assert (
        "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "script-src" not in policy
    )
    assert answer.headers["Server"] == "amrx" and answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "hosts",
    [["evil.example"], ["evil.example:{port}"], ["127.0.0.1"], ["127.0.0.1:1"], [], [""],
     ["127.0.0.1:{port}", "evil.example"], ["127.0.0.1:{port}.evil.example"]],
)  # fmt: skip
def test_other_hosts_are_refused(page: Page, hosts: list[str]) -> None:
    seen = len(page.server.site.reader.seen)
    lines = "".join(f"Host: {host.format(port=page.port)}\r\n" for host in hosts)
    answer = page.send(f"GET /compare?a=x&b=y HTTP/1.1\r\n{lines}\r\n".encode()).decode()
    assert answer.startswith("HTTP/1.0 403")
    assert error_of(answer).startswith(f"this page is http://127.0.0.1:{page.port}/, not ")
    assert len(page.server.site.reader.seen) == seen
    assert page.get(headers={"Host": f"LOCALHOST:{page.port}"})[0] == 200


@pytest.mark.parametrize(
    ("site", "status"), [("cross-site", 403), ("same-site", 403), ("none", 200), ("same-origin", 200)]
)
def test_requests_of_other_sites_are_refused(page: Page, site: str, status: int) -> None:
    assert page.get(headers={"Sec-Fetch-Site": site})[0] == status


def test_only_this_machine_is_answered(page: Page) -> None:
    assert page.server.socket.getsockname()[0] == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", page.port))  # a server of every address would answer


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("POST / HTTP/1.1", 501),
        ("GET http://evil.example/ HTTP/1.1", 404),
        ("GET /a b HTTP/1.1", 400),
        ("GET //x/ HTTP/1.1", 404),
    ],
)
def test_other_requests_are_refused(page: Page, line: str, status: int) -> None:
    answer = page.send(f"{line}\r\nHost: 127.0.0.1:{page.port}\r\n\r\n".encode()).decode()
    assert answer.startswith(f"HTTP/1.0 {status}") and error_of(answer)


def test_an_idle_connection_is_closed(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command.Handler, "timeout", 0.05)
    assert page.send(b"GET / HT") == b""


def test_the_end_waits_for_requests_but_not_for_idle_connections(page, monkeypatch):
    monkeypatch.setattr(command.Handler, "timeout", None)
    began, go = threading.Event(), threading.Event()

    def slow(*_: object) -> str:
        began.set()
        assert go.wait(60)
        return "<p>done</p>"

    monkeypatch.setattr(Site, "_compare", slow)
    with ThreadPoolExecutor(2) as pool, socket.create_connection(("127.0.0.1", page.port)) as idle:
        answer = pool.submit(page.get, "/compare")
        assert began.wait(60)
        closed = pool.submit(page.close)
        assert idle.recv(1) == b""  # closed by the server
        assert not closed.done()
        go.set()
        status, text = answer.result(60)
        assert closed.result(60) is None
    assert status == 200 and "<p>done</p>" in text


def test_threads_get_their_own_answers(page: Page) -> None:
    texts = list(GRAPHS) * 4

    def ask(text: str) -> str:
        return page.get("/compare", a=text, b="dog bites man", lang_a="en", lang_b="en")[1]

    alone = {text: ask(text) for text in GRAPHS}
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, texts)) == [alone[text] for text in texts]
    assert len(set(alone.values())) == len(GRAPHS)


def test_faults_of_the_machine_and_bugs_are_told_apart(page, monkeypatch, capsys):
    def fail(*_: object) -> str:
        raise faults.pop()

    faults = [ZeroDivisionError("a bug"), OutputError("cache: no space")]
    monkeypatch.setattr(Site, "_compare", fail)
    status, text = page.get("/compare", a="x", b="y")
    assert (status, error_of(text)) == (500, "cache: no space") and capsys.readouterr().err == ""
    status, text = page.get("/compare", a="x", b="y")
    assert (status, error_of(text)) == (500, "a bug of amrx; its traceback is in the terminal")
    page.close()
    assert "ZeroDivisionError: a bug" in capsys.readouterr().err


def test_a_browser_that_leaves_is_no_error(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    for error in (BrokenPipeError, ConnectionResetError):
        try:
            raise error
        except error:
            page.server.handle_error(None, ("127.0.0.1", 1))
    assert capsys.readouterr().err == ""


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Told:
    """The command loads this parser, between fakes."""
    parser = Told()

    def load(*names: object, **_: object) -> RetrofittedEncoder:
        return RetrofittedEncoder(Lengths(), parser, Graphs())

    monkeypatch.setattr(sys.modules["retrofit.load"], "load", load)
    return parser


class Announced(io.StringIO):
    """Standard output that says when it is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def flush(self) -> None:
        if self.getvalue():
            self.written.set()


def test_the_command_serves_a_corpus_until_it_is_interrupted(loaded, tmp_path, monkeypatch):
    corpus, output = tmp_path / "c.tsv", Announced()
    corpus.write_text("body\tlang\ndog bites man\ten\n\ten\nman bites dog\ten\n")
    monkeypatch.setattr(sys, "stdout", output)
    answers: list[str] = []

    def serve_forever(server: Server) -> None:
        server.handle_request()
        asking.join(60)
        raise KeyboardInterrupt

    def ask() -> None:
        output.written.wait(60)
        address = output.getvalue().strip()
        with urlopen(f"{address}search?query=dog+bites+man&lang=en") as answer:
            answers.append(answer.read().decode())

    monkeypatch.setattr(Server, "serve_forever", serve_forever)
    asking = threading.Thread(target=ask)
    asking.start()
    assert main(["serve", str(corpus), "--column", "body", "--port", "0", "-k", "1", "--no-cache"]) == 0
    asking.join()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\n", output.getvalue())
    assert "2 sentences of c.tsv" in answers[0] and len(re.findall("<tr><td>", answers[0])) == 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--rerank", "20"], "--rerank, --lang, --column, --lang-column and --id-column need CORPUS"),
        (["no.txt"], "no.txt"),
        (["c.tsv", "--column", "no"], "c.tsv:1: no column 'no'; the columns are: body, lang"),
        (["c.tsv", "--column", "body", "--rerank", "3"], "rerank must be a whole number >= top (10), got 3"),
        (["--port", "70000"], "Invalid value for '--port': Input should be less than or equal to 65535"),
    ],
)
def test_wrong_options_are_one_line(loaded, tmp_path, monkeypatch, capsys, words, problem):
    monkeypatch.chdir(tmp_path)
    Path("c.tsv").write_text("body\tlang\ndog bites man\ten\n")
    assert main(["serve", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert problem in line


def test_a_taken_port_is_one_line(loaded: Told, page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--port", str(page.port), "--no-cache"]) == 2
    line = capsys.readouterr().err
    problem = f"port {page.port} of 127.0.0.1: Address already in use; choose another --port, or 0"
    assert line == f"amrx: error: {problem}\n"


def test_shipped_models_have_their_usual_cosines(muse_files: None) -> None:
    import amrx

    encoder = amrx.load(preset="fast")
    page = Page(Site(encoder, Told(), HOW, Index(encoder, list(GRAPHS), lang="en")))
    try:
        _, text = page.get("/compare", a="dog bites man", b="man bites dog", lang_a="en", lang_b="en")
        assert re.search(
            r"<th scope=\"row\">student-text \(weight [^<]*</th><td .*?<td>usual: unrelated 0\.\d\d ±", text
        )
        _, text = page.get("/search", query="dog bites man", lang="en")
        assert re.search(r'<p class="note">combined, usual: unrelated \d\.\d\d ± .*translations', text)
    finally:
        page.close()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_a_browser_shows_the_page_and_runs_no_script(page: Page, tmp_path: Path) -> None:
    def opened(where: str, **fields: str) -> str:
        words = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
        words += [
            f"--user-data-dir={tmp_path / 'profile'}",
            f"http://127.0.0.1:{page.port}{where}?{urlencode(fields)}",
        ]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    dom = opened("/compare", a="dog bites man", b="dog bites no man", lang_a="en", lang_b="en")
    assert dom.count("<svg") == 2 and "negation: :polarity of bite-01" in dom
    attack = "</textarea><script>document.body.innerHTML = 'owned'</script>"
    dom = opened("/compare", a=attack, b=attack, lang_a="en", lang_b="en")
    assert "<script" not in dom and dom.count("<textarea") == 3
