from pathlib import Path

import pytest

from amrx.errors import InputError
from amrx.evaluation.tasks.scored_pairs import Pair, read_any_score, read_csv, read_tsv

WRONG_TSV = [
    ("a\tb\t1\nc\td\n", r"p\.tsv:2: field 'score': row must have 3 columns, got 2"),
    ("a\n", r"p\.tsv:1: field 'sentence2': row must have 3 columns, got 1"),
    ("a\tb\t1\tx\n", r"p\.tsv:1: field 'score': row must have 3 columns, got 4"),
    ("a\tb\t1\n\n", r"p\.tsv:2: field 'sentence2'"),
    ("a\tb\tgood\n", r"p\.tsv:1: field 'score': must be a number from 0 to 5, got 'good'"),
    ("a\tb\tnan\n", r"got 'nan'"),
    ("a\tb\tinf\n", r"got 'inf'"),
    ("a\tb\t0_3\n", r"must be a number from 0 to 5, got '0_3'"),
    ("a\tb\t٣\n", r"got '٣'"),
    ("a\tb\t 3\n", r"got ' 3'"),
    ("a\tb\t.\n", r"got '\.'"),
    ("a\tb\t1e999\n", r"got '1e999'"),
    ("a\tb\t5.01\n", r"must be a number from 0 to 5, got '5\.01'"),
    ("a\tb\t-0.1\n", r"got '-0\.1'"),
    ("a\tb\t\n", r"field 'score': must be a number from 0 to 5, got ''"),
    (" \tb\t1\n", r"p\.tsv:1: field 'sentence1': is empty"),
    ("a\t\t1\n", r"field 'sentence2': is empty"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_TSV)
def test_a_wrong_row_is_named_by_file_line_and_field(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "p.tsv"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        read_tsv(file)


def test_tsv_keeps_quotes_and_takes_both_ends_of_the_scale(tmp_path: Path) -> None:
    file = tmp_path / "p.tsv"
    file.write_text('He said "no.\tEr sagte "nein".\t0\nا\tb\t5.0\r\n', "utf-8")
    assert read_tsv(file) == (Pair('He said "no.', 'Er sagte "nein".', 0.0), Pair("ا", "b", 5.0))


def test_a_score_may_be_written_in_any_of_the_usual_ways(tmp_path: Path) -> None:
    file = tmp_path / "p.tsv"
    file.write_text("".join(f"a\tb\t{score}\n" for score in ("-.5", "+3.", "1.5e-05", "2E1")), "utf-8")
    assert [pair.score for pair in read_any_score(file)] == [-0.5, 3, 1.5e-05, 20]


def test_csv_has_quoted_fields_and_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "dev.csv"
    file.write_text('"Yes, he ""did""\nit",b,2.5\nc,d,x\n', "utf-8")
    with pytest.raises(InputError, match=r"dev\.csv:3: field 'score': must be a number from 0 to 5, got 'x'"):
        read_csv(file)
    file.write_text('"Yes, he ""did""\nit",b,2.5\n', "utf-8")
    assert read_csv(file) == (Pair('Yes, he "did"\nit', "b", 2.5),)
    file.write_text('a,b,1\n"c,d,1\n', "utf-8")
    with pytest.raises(InputError, match=r"dev\.csv:2: is not a CSV record"):
        read_csv(file)


def test_missing_and_undecodable_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_tsv(tmp_path / "none.tsv")
    (tmp_path / "latin.tsv").write_bytes("a\tb\t1\né\tb\t1\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.tsv:2: is not UTF-8"):
        read_tsv(tmp_path / "latin.tsv")
