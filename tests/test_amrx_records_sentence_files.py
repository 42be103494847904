import gzip
import io
import json
import math
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amrx.errors import InputError, OptionError
from amrx.records import read_sentences
from amrx.records.rows import numbered_rows
from amrx.types import Sentence


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def message(path: Path | str, **options: str) -> str:
    with pytest.raises(InputError) as caught:
        list(read_sentences(path, **options))
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_text_keeps_empty_lines_in_place_and_drops_byte_order_mark(tmp_path):
    path = write(tmp_path, "a.txt", b"\xef\xbb\xbfDer Junge.\r\n\nEl chico.")
    assert list(read_sentences(path, lang="de")) == [
        Sentence("1", "Der Junge.", "de"),
        Sentence("2", "", "de"),
        Sentence("3", "El chico.", "de"),
    ]


def test_text_splits_at_newline_only(tmp_path):
    text = "one\u2028still one\x0b\x0c\x85still"
    assert [s.text for s in read_sentences(write(tmp_path, "a.txt", text + "\ntwo\n"))] == [text, "two"]


def test_language_is_none_until_it_is_known(tmp_path):
    assert next(read_sentences(write(tmp_path, "a.txt", "x\n"))).lang is None


def test_csv_takes_named_columns_quotes_and_line_breaks(tmp_path):
    path = write(tmp_path, "a.csv", 'key,German,code\n7,"Er sagt ""ja"",\nund geht.",de\n8,Sie bleibt.,de\n')
    found = list(read_sentences(path, column="German", lang_column="code", id_column="key"))
    assert found == [Sentence("7", 'Er sagt "ja",\nund geht.', "de"), Sentence("8", "Sie bleibt.", "de")]


def test_csv_takes_usual_columns_when_none_is_named(tmp_path):
    path = write(tmp_path, "a.csv", "lang,sentence,id\nfr,Il part.,x1\n,Elle reste.,x2\n")
    assert list(read_sentences(path, lang="it")) == [
        Sentence("x1", "Il part.", "fr"),
        Sentence("x2", "Elle reste.", "it"),
    ]


def test_number_is_a_position_in_a_table_without_header(tmp_path):
    path = write(tmp_path, "a.tsv", 'He said "hi.\tEr sagte\t5\nShe left.\tSie ging\t4\n')
    assert [s.text for s in read_sentences(path, column="1")] == ['He said "hi.', "She left."]
    assert [s.text for s in read_sentences(path, column="2")] == ["Er sagte", "Sie ging"]


def test_number_is_a_position_whatever_the_first_cells_say(tmp_path):
    path = write(tmp_path, "a.tsv", "one\teins\t2\ntwo\tzwei\t1\n")
    assert [s.text for s in read_sentences(path, column="2")] == ["eins", "zwei"]
    assert [row["2"] for _, row, _ in numbered_rows(path, ["2"])] == ["eins", "zwei"]
    path = write(tmp_path, "a.jsonl", '{"2": "eins"}\n')  # here it is a key like any other
    assert [s.text for s in read_sentences(path, column="2")] == ["eins"]


def test_a_table_of_empty_lines(tmp_path):
    path = write(tmp_path, "a.csv", "\n\n")
    assert message(path) == f"{path}: has no rows"


def test_jsonl_and_gzip(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(
        gzip.compress('{"id": 3, "text": "那个男孩想去。", "lang": "zh"}\n\n{"text": "b"}\n'.encode())
    )
    assert list(read_sentences(path)) == [Sentence("3", "那个男孩想去。", "zh"), Sentence("2", "b", None)]


def test_the_suffix_of_a_packed_file_is_of_any_case(tmp_path):
    path = write(tmp_path, "A.TSV.GZ", gzip.compress(b"text\tlang\nHallo\tde\n"))
    assert list(read_sentences(path)) == [Sentence("1", "Hallo", "de")]


def test_penman_file_gives_its_sentences(tmp_path):
    path = write(tmp_path, "a.amr", "# ::id n1\n# ::snt A boy.\n(b / boy)\n")
    assert list(read_sentences(path)) == [Sentence("n1", "A boy.", None)]


def test_a_graph_without_its_sentence_is_an_error(tmp_path):
    path = write(tmp_path, "a.amr", "# ::id n1\n# ::snt \n(b / boy)\n\n# ::id n2\n(g / girl)\n")
    with pytest.raises(InputError, match=r"a\.amr: graph 'n2' has no sentence \(# ::snt\)$"):
        list(read_sentences(path))


@pytest.mark.parametrize("header", ["# ::id 1", "# ::snt A boy.", "# ::tok A boy ."])
def test_graphs_under_the_name_of_text_are_no_sentences(tmp_path, header):
    """Releases of AMR are .txt files, and amrx parse writes them too."""
    path = write(tmp_path, "amr-release.txt", f"\n{header}\n(b / boy)\n")
    with pytest.raises(
        InputError, match=r"release\.txt:2: '# ::.*' is the header of a graph.*name the file \.amr"
    ):
        list(read_sentences(path))
    assert [one.text for one in read_sentences(write(tmp_path, "b.txt", "# A heading\n"))] == ["# A heading"]


def test_the_language_of_a_penman_sentence_is_that_of_its_header_or_unknown(tmp_path):
    headers = "# ::snt Ein Hund.\n{}(d / dog)\n\n# ::snt Un chat.\n{}\n# ::snt A boy.\n(b / boy)\n"
    named = write(tmp_path, "a.amr", headers.format("# ::lang de\n", "# ::lang fr\n"))
    assert [s.lang for s in read_sentences(named)] == ["de", "fr", None]
    assert [s.lang for s in read_sentences(named, lang="it")] == ["de", "fr", "it"]
    unnamed = write(tmp_path, "b.amr", headers.format("", ""))
    assert [s.lang for s in read_sentences(unnamed)] == [None, None, None]


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"eins\nzwei\n")))
    assert [s.text for s in read_sentences("-", lang="de")] == ["eins", "zwei"]


def test_empty_standard_input_says_so(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert message("-") == "standard input: is empty"


def test_reading_streams(tmp_path):
    path = write(tmp_path, "a.txt", b"good\n" * 10 + b"\xff\n")
    sentences = read_sentences(path)
    assert [next(sentences).text for _ in range(10)] == ["good"] * 10
    with pytest.raises(InputError):
        next(sentences)


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.tsv", "a.jsonl", "a.amr"])
def test_bytes_that_are_no_utf8_name_file_and_line(tmp_path, name):
    head = {
        "a.csv": "text\n",
        "a.tsv": "text\n",
        "a.jsonl": '{"text": "x"}\n',
        "a.txt": "x\n",
        "a.amr": "(b / boy)\n",
    }
    path = write(tmp_path, name, head[name].encode() + "Grün".encode("latin-1"))
    assert message(path) == f"{path}:2: is not UTF-8 (byte 0xfc); convert it: iconv -f ENCODING -t UTF-8"


@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.tsv", "a.jsonl", "a.amr"])
def test_missing_empty_and_folder(tmp_path, name):
    path = tmp_path / name
    assert message(path) == f"{path}: no such file"
    assert message(write(tmp_path, name, b"")) == f"{path}: is empty"
    assert message(write(tmp_path, name, b"\xef\xbb\xbf")) == f"{path}: is empty"
    assert message(tmp_path) == f"{tmp_path}: is a folder, not a file"


def test_a_missing_file_is_said_before_the_first_sentence_is_asked_for(tmp_path):
    with pytest.raises(InputError):
        read_sentences(tmp_path / "none.txt")


def test_gzip_cut_short(tmp_path):
    path = write(tmp_path, "a.txt.gz", gzip.compress(b"sentence\n" * 1000)[:-12])
    assert "is not a complete gzip file" in message(path)
    assert "is not a complete gzip file" in message(write(tmp_path, "b.txt.gz", b"plain text"))


def test_gzip_that_is_damaged_inside(tmp_path):
    packed = bytearray(gzip.compress(bytes(range(32, 127)) * 50))
    packed[20:60] = bytes(40)
    assert "is not a complete gzip file" in message(write(tmp_path, "a.txt.gz", bytes(packed)))


def test_csv_without_the_column_names_the_columns(tmp_path):
    path = write(tmp_path, "a.csv", "Satz,Wert\nx,1\n")
    assert (
        message(path, column="sentence1") == f"{path}:1: no column 'sentence1'; the columns are: Satz, Wert"
    )
    assert message(path).startswith(
        f"{path}:1: no column 'text'; choose one by --column; the columns are: Satz"
    )
    assert "no column 'Sprache'" in message(path, column="Satz", lang_column="Sprache")
    assert "no column '3'; the columns are: 1, 2" in message(write(tmp_path, "b.tsv", "a\tb\n"), column="3")


def test_columns_separated_by_another_mark_are_told(tmp_path):
    told = "the columns are: id;body; ';' does not separate columns: commas do in .csv, tabs in .tsv"
    assert message(write(tmp_path, "a.csv", "id;body\n1;x\n"), column="body").endswith(told)
    assert r"'\t' does not separate" in message(write(tmp_path, "b.csv", "id\tbody\n1\tx\n"), column="body")
    assert "does not separate" not in message(write(tmp_path, "c.csv", "id,a;b\n1,x\n"), column="body")


def test_row_too_short_names_line_and_field(tmp_path):
    path = write(tmp_path, "a.csv", "id,text\n1,a\n2\n")
    assert message(path) == f"{path}:3: field 'text': the row is too short"


@pytest.mark.parametrize("column", ["text", "1"])
def test_a_row_with_more_cells_than_the_first_is_not_cut(tmp_path, column):
    path = write(tmp_path, "a.csv", 'text,note\n"hello,\na",b\nhello,a,b\n')
    assert message(path, column=column) == f"{path}:4: row must have 2 cells, got 3"
    with pytest.raises(InputError, match=r"a\.csv:4: row must have 2 cells, got 3"):
        list(numbered_rows(path, [column]))


def test_header_without_rows(tmp_path):
    path = write(tmp_path, "a.csv", "id,text\n")
    assert message(path) == f"{path}: has a header but no rows"


def test_quote_that_never_ends(tmp_path):
    path = write(tmp_path, "a.csv", 'text\n"never ends\n')
    assert message(path).startswith(f"{path}:2: ")


def test_json_problems_name_the_line(tmp_path):
    path = write(tmp_path, "a.jsonl", '{"text": "a"}\n{"text": \n')
    assert message(path).startswith(f"{path}:2: field 'column ") and "is not JSON: " in message(path)
    assert message(write(tmp_path, "b.jsonl", "[1]\n")).endswith("b.jsonl:1: is not a JSON object")
    assert "has an unpaired surrogate" in message(write(tmp_path, "d.jsonl", '{"text": "\\ud83d"}\n'))
    assert "nested too deep" in message(write(tmp_path, "e.jsonl", "[" * 200_000))
    assert "too many digits" in message(write(tmp_path, "f.jsonl", f'{{"text": {"1" * 5000}}}\n'))
    assert message(write(tmp_path, "c.jsonl", '{"text": null}\n')).endswith(
        "1: field 'text': must be a string, got None; drop the row or write an empty text"
    )


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_of_the_usual_columns_of_the_language_the_first_is_read(tmp_path, suffix):
    for columns, lang in (({"lang_b": "fr", "lang": "de"}, "fr"), ({"lang": "de"}, "de"), ({}, None)):
        path = write_table(tmp_path, f"a.{suffix}", [{"text": "x", **columns}])
        assert [s.lang for s in read_sentences(path, usual_langs=("lang_b", "lang"))] == [lang]
    path = write_table(tmp_path, f"a.{suffix}", [{"text": "x", "lang_b": "xx", "lang": "de"}])
    assert "field 'lang_b': language code 'xx'" in message(path, usual_langs=("lang_b", "lang"))


def test_bad_language_code_names_the_line(tmp_path):
    path = write(tmp_path, "a.tsv", "text\tlang\na\tde\nb\tgerman\n")
    assert message(path).startswith(f"{path}:3: field 'lang': language code 'german' is not in ISO 639-1")
    with pytest.raises(OptionError, match="'xx' is not in ISO 639-1"):
        read_sentences(path, lang="xx")


def test_columns_of_a_file_that_has_none(tmp_path):
    with pytest.raises(OptionError, match="has no columns"):
        read_sentences(write(tmp_path, "a.txt", "x"), column="text")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n")), min_size=1))
def test_every_line_comes_back(scratch, lines):
    path = scratch / "a.txt"
    path.write_bytes("".join(line + "\n" for line in ["first", *lines]).encode())
    found = list(read_sentences(path))
    assert [s.text for s in found] == ["first", *lines]
    assert [s.id for s in found] == [str(n) for n in range(1, len(lines) + 2)]


def test_stsb_and_sts17_as_they_are(data_dir):
    german = list(read_sentences(data_dir / "sts/stsb/de/dev.csv", column="1", lang="de"))
    assert len(german) == 1500
    assert all(s.text for s in german)
    assert len(list(read_sentences(next((data_dir / "sts/sts17").glob("*en-en*.tsv")), column="2"))) == 250


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_a_column_that_is_there_twice_is_an_error(tmp_path, name):
    tab = "," if name == "a.csv" else "\t"
    for header, options in (("text,id,text", {}), ("text,id,id", {}), ("text,t,t", {"column": "t"})):
        path = write(tmp_path, name, (header + "\nx,y,z\n").replace(",", tab))
        column = header.split(",")[-1]
        line = 1 if column in ("text", "t") else 2
        assert message(path, **options) == f"{path}:{line}: 2 columns are named {column!r}"
        if column != "id":
            with pytest.raises(InputError, match=f"2 columns are named {column!r}"):
                list(numbered_rows(path, [column]))
    path = write(tmp_path, name, "text,,\nx,y,z\n".replace(",", tab))
    assert [s.text for s in read_sentences(path)] == ["x"]


@pytest.mark.parametrize("value", ["{}", "[1]", "true", "NaN"])
def test_identifiers_are_strings_or_numbers(tmp_path, value):
    path = write(tmp_path, "a.jsonl", f'{{"id": 1.5, "text": "x"}}\n{{"id": {value}, "text": "x"}}\n')
    assert message(path).startswith(f"{path}:2: field 'id': must be a string or a number, got ")


@pytest.mark.parametrize("column", ["id", "lang"])
@pytest.mark.parametrize("value", [b"en", math.nan])
def test_cells_of_a_parquet_file_are_not_written_as_python_prints_them(tmp_path, column, value):
    path = write_table(tmp_path, "a.parquet", [{"text": "x", column: value}])
    rule = "must be a string or a number, got"
    assert message(path) == f"{path}:1: field {column!r}: {rule} {value!r}"


def write_table(folder: Path, name: str, rows: list[dict[str, object]]) -> Path:
    """Write rows in the format of the name; in text, ``None`` is an empty cell."""
    path = folder / name
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), path)
        return path
    if name.endswith(".jsonl"):
        return write(folder, name, "".join(json.dumps(row) + "\n" for row in rows))
    between = "," if name.endswith(".csv") else "\t"
    cells = [list(rows[0]), *([str(cell or "") for cell in row.values()] for row in rows)]
    return write(folder, name, "".join(between.join(row) + "\n" for row in cells))


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.jsonl", "a.parquet"])
def test_an_empty_identifier_is_an_error(tmp_path, name):
    named = ("ticket", {"id_column": "ticket"})
    for blank, (column, options) in ((None, ("id", {})), ("", named), ("  ", ("id", {})), (None, named)):
        rows = [{column: "2", "text": "x"}, {column: blank, "text": "y"}]
        path = write_table(tmp_path, name, rows)
        line = 3 if name in ("a.csv", "a.tsv") else 2
        problem = "must be a non-blank string or a number, got "
        assert message(path, **options).startswith(f"{path}:{line}: field {column!r}: {problem}")
        assert [s.id for s in read_sentences(write_table(tmp_path, name, rows[:1]), **options)] == ["2"]


def test_a_row_too_short_for_its_identifier(tmp_path):
    path = write(tmp_path, "a.csv", "text,id\nx,1\ny\n")
    assert message(path) == f"{path}:3: field 'id': the row is too short"


def test_a_position_is_no_other_rows_identifier(tmp_path):
    lines = ['{"id": 7, "text": "x"}', '{"id": "2", "text": "x"}', '{"id": 4, "text": "x"}', '{"text": "x"}']
    path = write(tmp_path, "a.jsonl", "\n".join(lines))
    missing = "is missing, and 4 may be another row's identifier (given: 4 to 7)"
    assert message(path) == f"{path}:4: field 'id': {missing}"
    path = write(tmp_path, "a.jsonl", "\n".join([lines[3], lines[3], lines[1]]))
    taken = "2 may be the number of a row without an identifier (rows 1 to 2)"
    assert message(path) == f"{path}:3: field 'id': {taken}"
    path = write(tmp_path, "a.jsonl", "\n".join([lines[0], lines[1], lines[3], '{"id": "x3", "text": "x"}']))
    assert [s.id for s in read_sentences(path)] == ["7", "2", "3", "x3"]


@pytest.mark.parametrize(
    "line", ['{"text": "a", "id": 1, "text": "b"}', '{"id": 1, "x": [{"text": 1, "text": 1}]}']
)
def test_a_key_that_is_there_twice_is_an_error(tmp_path, line):
    path = write(tmp_path, "a.jsonl", f'{{"text": "a", "x": {{"text": 1}}}}\n{line}\n')
    assert message(path) == f"{path}:2: field 'text': occurs twice in the object; keep one"
    with pytest.raises(InputError, match="a.jsonl:2: field 'text': occurs twice in the object; keep one"):
        list(numbered_rows(path, ["text"]))
