"""A hub on this machine: answers what huggingface_hub asks of a dataset, from a folder, over HTTP.

    with serving(folder) as endpoint:
        subprocess.run(..., env={"HF_ENDPOINT": endpoint})

Every dataset has the same files. A branch stands for the commit ``COMMIT``.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlparse

COMMIT = "c0ffee" + "0" * 34


class Hub(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, folder: Path, *arguments: object) -> None:
        self.folder = folder
        super().__init__(*arguments)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        path = unquote(urlparse(self.path).path)
        api = re.fullmatch(r"/api/datasets/[^/]+/[^/]+/(revision|tree)/[^/]+/?(.*)", path)
        file = re.fullmatch(r"/datasets/[^/]+/[^/]+/resolve/([^/]+)/(.*)", path)
        if api and api[1] == "revision":
            self.tell({"id": "a/b", "sha": COMMIT, "siblings": [], "private": False, "tags": []})
        elif api and (self.folder / api[2]).is_dir():
            self.tell([self.entry(found) for found in sorted((self.folder / api[2]).iterdir())])
        elif file and (self.folder / file[2]).is_file():
            data = (self.folder / file[2]).read_bytes()
            commit = file[1] if len(file[1]) == 40 else COMMIT
            self.send(200, data, {"ETag": f'"{hashlib.sha1(data).hexdigest()}"', "X-Repo-Commit": commit})
        else:
            self.send(404, b"{}", {"X-Error-Code": "EntryNotFound"})

    do_HEAD = do_GET  # noqa: N815  # the name that http.server calls

    def entry(self, found: Path) -> dict[str, object]:
        data = found.read_bytes() if found.is_file() else b""
        kind, oid = "file" if found.is_file() else "directory", hashlib.sha1(data).hexdigest()
        return {"type": kind, "oid": oid, "size": len(data), "path": str(found.relative_to(self.folder))}

    def tell(self, answer: object) -> None:
        self.send(200, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    def send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Give the address of a hub whose datasets hold the files of a folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Hub, folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
