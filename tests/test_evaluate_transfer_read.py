import json
from pathlib import Path

import pytest

from amrx.errors import InputError
from amrx.evaluation.tasks.transfer.read import Item, JsonLinesReader, TsvReader
from amrx.evaluation.tasks.transfer.source import Take
from amrx.evaluation.tasks.transfer.task_table import MARC, PAWSX, XNLI

PAIRS = TsvReader(("premise", "hypothesis"), ("yes", "no"))
REVIEWS = JsonLinesReader(("review_body",), "stars", ("1", "2"))

WRONG_TSV = [
    ("a\tb\tyes\nc\tyes\n", r"p\.tsv:2: field 'label': row must have 3 columns, got 2"),
    ("a\n", r"p\.tsv:1: field 'hypothesis': row must have 3 columns, got 1"),
    ("a\tb\tyes\tx\n", r"p\.tsv:1: field 'label': row must have 3 columns, got 4"),
    ("a\tb\tyes\n\n", r"p\.tsv:2: field 'hypothesis'"),
    ("a\tb\tmaybe\n", r"p\.tsv:1: field 'label': must be one of yes, no, got 'maybe'"),
    ("a\tb\t\n", r"field 'label': must be one of"),
    (" \tb\tno\n", r"p\.tsv:1: field 'premise': is empty"),
    ("a\tb\tno\na\t\tno\n", r"p\.tsv:2: field 'hypothesis': is empty"),
]

WRONG_JSON = [
    ('{"review_body": "a", "stars": "1"}\n{"stars": "1"}\n', r":2: field 'review_body': is missing"),
    ('{"review_body": "a"}\n', r":1: field 'stars': is missing"),
    ('{"review_body": "a", "stars": "6"}\n', r":1: field 'stars': must be one of 1, 2"),
    ('{"review_body": "a", "stars": 1}\n', r":1: field 'stars': must be a string, got 1"),
    ('{"review_body": " ", "stars": "1"}\n', r":1: field 'review_body': is empty"),
    ('{"review_body": "a", \n', r":1: field 'column 22': is not JSON: Expecting"),
    ("[1]\n", r":1: is not a JSON object"),
    ('{"review_body": "a \\ud83d b", "stars": "1"}\n', r":1: field 'review_body': .* lone surrogate"),
    ('{"review_body": "a", "stars": "\\udc00"}\n', r":1: field 'stars': .* lone surrogate"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_TSV)
def test_a_wrong_tsv_row_is_named_by_file_line_and_column(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "p.tsv"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        PAIRS(file)


@pytest.mark.parametrize(
    ("header", "field"),
    [("id\tpremise\tlabel", "hypothesis"), ("a\tb", "id"), ("id\tpremise\thypothesis\tlabel\tmore", "label")],
)
def test_a_wrong_header_names_the_column_that_is_missing(tmp_path: Path, header: str, field: str) -> None:
    file = tmp_path / "p.tsv"
    file.write_text(f"{header}\n1\ta\tb\tyes\n", "utf-8")
    with pytest.raises(InputError, match=rf"p\.tsv:1: field '{field}': header must be "):
        TsvReader(("premise", "hypothesis"), ("yes", "no"), header=("id",))(file)


@pytest.mark.parametrize(("text", "message"), WRONG_JSON)
def test_a_wrong_json_line_is_named_by_file_line_and_field(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "r.json"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"r\.json" + message):
        REVIEWS(file)


def test_labels_become_their_places(tmp_path: Path) -> None:
    file = tmp_path / "p.tsv"
    file.write_text('Er sagte "nein".\tb\tno\r\nا\tb\tyes\n', "utf-8")
    assert PAIRS(file) == (Item(('Er sagte "nein".', "b"), 1), Item(("ا", "b"), 0))
    rows = [{"stars": "2", "review_body": "gut", "language": "de"}, {"stars": "1", "review_body": "na\nja"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert REVIEWS(file) == (Item(("gut",), 1), Item(("na\nja",), 0))


def test_the_parts_of_a_file_are_apart_and_together_everything() -> None:
    rows = list(range(2490))
    fit, rest = Take(block=3, of=3, parts=(0, 1))(rows), Take(block=3, of=3, parts=(2,))(rows)
    assert (len(fit), len(rest)) == (1662, 828)
    assert sorted(fit + rest) == rows
    assert not {row // 3 for row in fit} & {row // 3 for row in rest}  # no premise on both sides


def test_files_go_in_as_they_are_published(tmp_path: Path) -> None:
    """Training files of XNLI-MT and PAWS-X have a header, an id, ``contradictory``."""
    rows = "premise\thypo\tlabel\nA .\tB .\tcontradictory\nC .\tD .\tneutral\n"
    own = "A .\tB .\tcontradiction\nC .\tD .\tneutral\n"
    assert XNLI.reader(put(tmp_path / "p", rows)) == XNLI.reader(put(tmp_path / "o", own)) != ()
    pairs = "id\tsentence1\tsentence2\tlabel\n1\tA .\tB .\t0\n2\tC .\tD .\t1\n"
    own = "A .\tB .\t0\nC .\tD .\t1\n"
    assert PAWSX.reader(put(tmp_path / "p", pairs)) == PAWSX.reader(put(tmp_path / "o", own)) != ()
    for text, message in (
        (rows + "E .\tF .\n", "p:4: field 'label': row must have 3 columns, got 2"),
        (rows + "E .\tF .\tso\n", "p:4: field 'label': must be one of"),
        (rows + "E .\t\tneutral\n", "p:4: field 'hypothesis': is empty"),
    ):
        with pytest.raises(InputError, match=message):
            XNLI.reader(put(tmp_path / "p", text))
    fit = XNLI.plans[0].fit
    assert fit.find(tmp_path, "en") == tmp_path / "transfer/XNLI/train-en.tsv"
    published = tmp_path / "transfer/XNLI/multinli.train.en.tsv"
    published.parent.mkdir(parents=True)
    put(published, rows)
    assert fit.find(tmp_path, "en") == published
    put(published.with_name("train-en.tsv"), own)
    assert fit.find(tmp_path, "en") == published.with_name("train-en.tsv")
    assert MARC.plans[0].measure.published.format("de") == "transfer/MARC/dataset_de_test.json"


def put(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path
