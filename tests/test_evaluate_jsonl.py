from pathlib import Path

import pytest

from amrx.errors import InputError
from amrx.records.json_lines import Node, read_document, read_objects

DEEP = 100_000 * "["
LONG = f'{{"n": {5000 * "9"}}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{{}}\n{DEEP}\n", r"rows\.jsonl:2: is nested too deep"),
        (f"{{}}\n{LONG}\n", r"rows\.jsonl:2: holds an integer with too many digits"),
        ('{}\n{"a": 1,\n', r"rows\.jsonl:2: field 'column 9': is not JSON: Expecting"),
        ("{}\n[1]\n", r"rows\.jsonl:2: is not a JSON object"),
    ],
)
def test_a_line_that_python_cannot_read_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        list(read_objects(file))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DEEP, r"one\.json: is nested too deep"),
        (LONG, r"one\.json: holds an integer with too many digits"),
        ('{"a":\n  b}', r"one\.json:2: field 'column 3': is not JSON: Expecting value"),
    ],
)
def test_a_document_that_python_cannot_read_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "one.json"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        read_document(file)


def test_a_string_may_be_blank_and_a_text_may_not() -> None:
    blank = Node(" ", "a", Path("f"), 3)
    assert blank.string() == " "
    assert Node("\U0001f600 ü", "a", Path("f")).text() == "\U0001f600 ü"
    with pytest.raises(InputError, match="f:3: field 'a': must be a non-blank string"):
        blank.text()
