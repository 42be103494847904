r"""Read and write lines of tokens: plain text, or JSON lines that keep ids, sentences and repairs.

::

    .txt or any other suffix   ( <0> want-01 :ARG0 ( <1> boy ) )
    .jsonl .json               {"id": "7", "text": "Der Junge will gehen.", "lang": "de",
                                "tokens": "( <0> want-01 ...", "status": "ok", "repairs": []}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from amrx.errors import InputError, OptionError
from amrx.langid import FALLBACK
from amrx.records.blocks import check_lang, check_status
from amrx.records.files import JSON_KINDS, STDIN, kind_of, read_lines
from amrx.records.json_lines import numbered_objects
from amrx.records.one_line import escaped
from amrx.types import Parse, Status

_OTHERS = ("tsv", "csv", "parquet", "npy", "amr", "penman")
"""Suffixes of other formats than lines of tokens."""
_FIELDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "tokens": (str, "a string"), "text": (str, "a string"), "id": ((str, int), "a string or an integer"),
    "repairs": (list, "a list"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TokenLine:
    """A linearized graph and the rest of its parse."""

    number: int  # number of its line
    tokens: str  # the tokens, as `linearize.tokens.join_tokens` writes them
    id: str  # identifier of the sentence; the number of the line in plain text
    text: str = ""  # the sentence, if the file keeps it
    lang: str = FALLBACK  # its language
    status: Status = "ok"  # status of the parse
    repairs: tuple[str, ...] = ()  # repairs of the parse


def is_json(path: str) -> bool:
    """Return whether a name is that of JSON lines; raise OptionError if it is of a format without tokens."""
    kind = kind_of(path)
    if kind in _OTHERS:
        raise OptionError(
            f"{path}: tokens are plain text or JSON lines, not .{kind}; name a .txt or .jsonl file"
        )
    return kind in JSON_KINDS


def format_line(parse: Parse, tokens: str, *, json_lines: bool) -> str:
    """Return one line with the tokens of a parse."""
    if not json_lines:
        return tokens + "\n"
    record = {
        "id": parse.id, "text": parse.text, "lang": parse.lang, "tokens": tokens, "status": parse.status,
        "repairs": parse.repairs,
    }  # fmt: skip
    return escaped(record) + "\n"


def read_token_lines(path: str) -> Iterator[TokenLine]:
    """Yield the lines of a file, or of standard input (plain text).

    Raises:
        InputError: The file cannot be read, or a record is invalid (names file, line and field).
    """
    if is_json(path):
        for position, (number, record) in enumerate(numbered_objects(path), start=1):
            yield _from_record(record, position, path, number)
        return
    for number, line in enumerate(read_lines(path), start=1):
        yield TokenLine(number, line.rstrip("\r\n"), str(number))


def _from_record(record: dict[str, Any], position: int, path: str, number: int) -> TokenLine:
    """Return the line of a JSON object."""
    for field, (kinds, described) in _FIELDS.items():
        value = record.get(field)
        if not isinstance(value, kinds) or isinstance(value, bool):
            if field in record or field == "tokens":
                message = f"must be {described}, got {value!r}" if field in record else "is missing"
                raise InputError(message, file=path, line=number, field=field)
    return TokenLine(
        number,
        record["tokens"],
        str(record.get("id", position)),
        record.get("text", ""),
        check_lang(str(record.get("lang") or FALLBACK), path, number),
        check_status(record.get("status"), path, number),
        tuple(map(str, record.get("repairs", []))),
    )


def error_at(line: TokenLine, path: str, problem: str) -> InputError:
    """Return the error about the tokens of a line."""
    name = "standard input" if path == STDIN else path
    return InputError(problem, file=name, line=line.number, field="tokens")
