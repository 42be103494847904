"""Cells and lines of any length, and those that no memory holds."""

import gzip

import pytest

from amrx.errors import InputError
from amrx.records import read_sentences


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "txt"])
def test_a_document_of_any_length_is_one_cell(tmp_path, suffix):
    long = "word " * 60_000
    lines = {"csv": f'text,lang\n"{long}",de\n', "tsv": f"text\tlang\n{long}\tde\n", "txt": f"{long}\n"}
    lines["jsonl"] = f'{{"text": "{long}"}}\n'
    file = tmp_path / f"a.{suffix}"
    file.write_text(lines[suffix])
    assert [sentence.text for sentence in read_sentences(file)] == [long]


def test_a_quote_that_is_never_closed_is_found_where_it_opens(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text('text\na\n"b\n' + "c\n" * 50_000)
    with pytest.raises(InputError, match=r"a\.csv:50003: .*in the row that starts at line 3$"):
        list(read_sentences(file))


def test_a_line_that_no_memory_holds_is_named(tmp_path, monkeypatch):
    file = tmp_path / "a.txt.gz"
    with gzip.open(file, "wb") as stream:
        stream.write(b"short\n" + b"x" * 1001 + b"\n")
    monkeypatch.setattr("amrx.records.files._LONGEST_LINE", 1002)
    assert len(list(read_sentences(file))) == 2
    monkeypatch.setattr("amrx.records.files._LONGEST_LINE", 1001)
    with pytest.raises(InputError, match=r"a\.txt\.gz:2: is longer than 1,001 bytes"):
        list(read_sentences(file))

    def no_memory(path, **options):
        raise MemoryError

    monkeypatch.setattr("amrx.records.files.open_bytes", no_memory)
    with pytest.raises(InputError, match=r"a\.txt\.gz:1: does not fit into memory"):
        list(read_sentences(file))
