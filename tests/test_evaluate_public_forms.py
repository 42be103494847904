"""amrx.evaluation.hub_data: rows of the hub in the layout of the data folder."""

import csv
import dataclasses
import json
from pathlib import Path

import pytest

from amrx.errors import InputError
from amrx.evaluation import TASKS
from amrx.evaluation.hub_data import HubData, HubFile, provide
from amrx.evaluation.hub_data.forms import Field, Objects, Table
from amrx.evaluation.tasks.catalogue import in_languages
from amrx.evaluation.tasks.geometry.flores import FLORES
from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA
from amrx.evaluation.tasks.similarity import Task
from amrx.evaluation.tasks.sts import STSB, STSB_DEV
from amrx.evaluation.tasks.transfer.task_table import XNLI
from amrx.evaluation.tasks.transfer.xcopa import XCOPA
from tests.support.hub_toys import moved, write_gzip, write_parquet

pytestmark = pytest.mark.usefixtures("online")
NLI = ["entailment", "neutral", "contradiction"]


@pytest.mark.parametrize(("task", "count"), [(STSB_DEV, 1500), (STSB, 1379)])
def test_commas_and_float32_scores_of_sts_b(task: Task, count: int, tmp_path: Path) -> None:
    from datasets import Value

    texts = [f'he said, "{n}"' for n in range(count)]
    scores = [round(n / 300, 2) for n in range(count)]
    columns = {"sentence1": texts, "sentence2": texts[::-1], "similarity_score": scores}
    few = [file for file in task.hub if "/de/" in file.path or "/zh/" in file.path]
    for file in few:
        write_parquet(tmp_path / "hub" / file.file, columns, similarity_score=Value("float32"))
    task = moved(dataclasses.replace(task, hub=tuple(few)), tmp_path / "hub")
    parts, skipped = task.load(provide([task], None, tmp_path / "cache").data)
    assert [part.track.language for part in parts] == ["de", "zh"]
    assert len(skipped) == 9
    assert [pair.score for pair in parts[0].pairs] == scores  # 3.8, not 3.799999952316284
    assert parts[0].pairs[7].first == 'he said, "7"'


def small_xnli(folder: Path) -> object:
    """XNLI in two languages with three rows a file."""
    counts = {name: dict.fromkeys(("fit", "select", "measure"), 3) for name in ("train-en", "dev-en")}
    plans = tuple(
        dataclasses.replace(
            plan,
            **{
                name: dataclasses.replace(getattr(plan, name), count=count)
                for name, count in counts[plan.fitted_on].items()
            },
        )
        for plan in XNLI.plans
    )
    [task] = in_languages([dataclasses.replace(XNLI, plans=plans)], "en,de")[0]
    return moved(task, folder)


def write_xnli(folder: Path, **labels: object) -> None:
    for split, codes in (("train", ["en"]), ("validation", ["en", "de"]), ("test", ["en", "de"])):
        for code in codes:
            columns = {
                "premise": ["a\tb\n", "c", "d"],
                "hypothesis": ["e\r\nf", "g", "h"],
                "label": [2, 0, 1],
            }
            write_parquet(folder / split / f"{code}.parquet", columns, **labels)


def test_labels_become_names_and_breaks_one_space(tmp_path: Path) -> None:
    from datasets import ClassLabel

    write_xnli(tmp_path / "hub", label=ClassLabel(names=NLI))
    task = small_xnli(tmp_path / "hub")
    assert [file.path.rpartition("/")[2] for file in task.hub] == [
        "train-en.tsv", "dev-en.tsv", "test-en.tsv", "dev-de.tsv", "test-de.tsv",
    ]  # fmt: skip
    provided = provide([task], None, tmp_path / "cache")
    [part] = task.load(provided.data)[0]
    assert part.plan.fitted_on == "train-en"
    item = part.languages[1].measure[0]
    assert item.texts == ("a b", "e f")
    assert XNLI.labels[item.label] == "contradiction"


def test_all_languages_of_flores_are_columns_of_one_table(tmp_path: Path) -> None:
    columns = {file.form.fields[0].name: [f"{file.path} {n}" for n in range(1012)] for file in FLORES.hub}
    write_parquet(tmp_path / "hub/data/devtest-00000-of-00001.parquet", columns)
    task = moved(FLORES, tmp_path / "hub")
    [part] = task.load(provide([task], None, tmp_path / "cache").data)[0]
    assert part.languages == FLORES.languages
    assert part.sentences[-1][5] == "geometry/flores/devtest.zho_Hant 5"


def test_both_sides_of_tatoeba_lose_their_line_ends(tmp_path: Path) -> None:
    [language] = [language for language in TATOEBA.languages if language.code == "csb"]
    rows = [{"sentence1": f"kasz {n}\n", "sentence2": f"eng {n}\n"} for n in range(253)]
    write_gzip(tmp_path / "hub/test/csb-eng.jsonl.gz", rows)
    hub = tuple(file for file in TATOEBA.hub if "/tatoeba.csb" in file.path)
    task = moved(dataclasses.replace(TATOEBA, languages=(language,), hub=hub), tmp_path / "hub")
    [part] = task.load(provide([task], None, tmp_path / "cache").data)[0]
    assert (part.foreign[9], part.english[9]) == ("kasz 9", "eng 9")


def test_the_rows_of_xcopa_keep_their_kinds(tmp_path: Path) -> None:
    from datasets import Value

    row = {"premise": "p", "choice1": "a", "choice2": "b", "question": "cause", "label": 1}
    needed = [("test", "it", 500), *(("validation", code, 100) for code in XCOPA.languages)]
    for split, code, count in needed:  # val of all languages is fitted on
        columns = {name: [value] * count for name, value in row.items()}
        file = tmp_path / f"hub/{code}/{split}-00000-of-00001.parquet"
        write_parquet(file, columns, label=Value("int64"))
    [task] = in_languages([moved(XCOPA, tmp_path / "hub")], "it")[0]
    [part] = task.load(provide([task], None, tmp_path / "cache").data)[0]
    assert [(item.texts, item.label) for item in part.languages[0].measure[:2]] == [
        (("a", "p"), 0), (("b", "p"), 1),
    ]  # fmt: skip


def test_a_header_and_numbers_for_americas_nli() -> None:
    form = Table((Field("language"), Field("premise"), Field("label", tuple(NLI))), numbered=True)
    rows = [{"language": "aym", "premise": "x", "label": 0}]
    assert list(form.lines(rows, "f")) == ["id\tlanguage\tpremise\tlabel\n", "1\taym\tx\tentailment\n"]


SPOILT: list[tuple[dict, str, str]] = [
    (
        {"premise": ["a"], "label": ["neutral"]},
        "hypothesis",
        "no such column; the columns are: premise, label",
    ),
    ({"premise": ["a"], "hypothesis": ["b"], "label": ["-1"]}, "label", "must be one of entailment, neutral"),
    ({"premise": ["a"], "hypothesis": ["\n "], "label": ["neutral"]}, "hypothesis", "is empty"),
    (
        {"premise": ["a"], "hypothesis": [None], "label": ["neutral"]},
        "hypothesis",
        "must be text or a finite number, got None",
    ),
]


@pytest.mark.parametrize(("columns", "field", "message"), SPOILT)
def test_what_is_not_as_described_names_dataset_file_row_and_column(columns, field, message, tmp_path):
    write_parquet(tmp_path / "hub/train/en.parquet", columns)
    with pytest.raises(InputError, match=message) as caught:
        provide([small_xnli(tmp_path / "hub")], None, tmp_path / "cache")
    assert caught.value.field == field
    assert caught.value.file == f"{tmp_path}/hub/train/en.parquet"
    assert caught.value.line == (None if "column" in message else 1)
    assert not [file for file in (tmp_path / "cache").rglob("*") if file.is_file()]


def test_labels_of_other_names_are_not_taken_by_their_numbers(tmp_path: Path) -> None:
    from datasets import ClassLabel

    write_xnli(tmp_path / "hub", label=ClassLabel(names=NLI[::-1]))
    with pytest.raises(InputError, match="labels must be entailment, neutral, contradiction, got contra"):
        provide([small_xnli(tmp_path / "hub")], None, tmp_path / "cache")


def test_a_file_of_another_kind_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "hub/train/en.parquet"
    file.parent.mkdir(parents=True)
    file.write_text("no parquet", "utf-8")
    with pytest.raises(InputError, match="cannot be read as parquet"):
        provide([small_xnli(tmp_path / "hub")], None, tmp_path / "cache")


def test_the_paths_are_those_that_the_tasks_read(data_dir: Path) -> None:
    lacking = {file.path for task in TASKS for file in task.hub if not (data_dir / file.path).is_file()}
    beyond = {path for path in lacking if path.startswith("geometry/flores/devtest.")}
    assert len(beyond) == 204 - 52  # of FLORES' languages the data has fewer
    elsewhere = ("/ANLI/", "/MultiEURLEX/", "/test.csv")  # which the data has not at all
    assert {path for path in lacking - beyond if not any(name in path for name in elsewhere)} <= {
        "transfer/XNLI/train-en.tsv", "transfer/PAWSX/train-en.tsv",
    }  # fmt: skip


def test_real_rows_come_back_as_they_were(data_dir: Path, tmp_path: Path) -> None:
    with (data_dir / "sts/stsb/zh/dev.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    source = HubData(str(tmp_path / "hub"), "none")
    names = ("sentence1", "sentence2", "score")
    write_gzip(tmp_path / "hub/all.jsonl.gz", [dict(zip(names, row, strict=True)) for row in rows])
    for form, join in ((STSB_DEV.hub[0].form, ","), (Objects(tuple(map(Field, names))), "json")):
        fields = tuple(map(Field, names))
        file = HubFile(f"{join}.txt", source, "all.jsonl.gz", dataclasses.replace(form, fields=fields))
        provide([dataclasses.replace(STSB_DEV, hub=(file,))], None, tmp_path / "cache")
    with (tmp_path / "cache/,.txt").open(encoding="utf-8", newline="") as stream:
        assert [row[:2] for row in csv.reader(stream)] == [row[:2] for row in rows]
    lines = (tmp_path / "cache/json.txt").read_text("utf-8").splitlines()
    assert [json.loads(line)["sentence2"] for line in lines] == [row[1] for row in rows]
