"""MultiEURLEX from the hub: a folder a language, which give what the authors' own files give."""

import dataclasses
from pathlib import Path

import pytest

from amrx.errors import InputError
from amrx.evaluation.hub_data import provide
from amrx.evaluation.run import score_items
from amrx.evaluation.tasks.catalogue import in_languages
from amrx.evaluation.tasks.transfer.eurlex import EURLEX, TOPICS, EurlexTask
from tests.support.eurlex_files import law, write
from tests.support.hub_toys import moved, write_parquet
from tests.support.word_encoder import Words

pytestmark = pytest.mark.usefixtures("online")
ROWS = {"train": (0, 60), "validation": (100, 12), "test": (200, 20)}
COUNTS = (60, 12, 20)


def write_hub(folder: Path, names: tuple[str, ...] = TOPICS) -> None:
    """The laws of `law` in English and German, as the hub has them; German is blank where it has none."""
    from datasets import ClassLabel, Sequence

    for split, (start, count) in ROWS.items():
        laws = [law(start + n) for n in range(count)]
        for code in ("en", "de"):
            columns = {
                "id": [one["celex_id"] for one in laws],
                "text": [one["text"][code] or "" for one in laws],
                "label": [
                    [names.index(topic) for topic in one["eurovoc_concepts"]["level_1"]] for one in laws
                ],
            }
            file = folder / f"{code}/{split}-00000-of-00001-0123abcd.parquet"
            write_parquet(file, columns, label=Sequence(ClassLabel(names=list(names))))


def small(folder: Path, languages: str = "en,de") -> EurlexTask:
    [task] = in_languages([dataclasses.replace(EURLEX, counts=COUNTS)], languages)[0]
    assert isinstance(task, EurlexTask)
    return moved(task, folder)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The same laws in the authors' own layout."""
    for split, name in zip(ROWS, ("train", "dev", "test"), strict=True):
        start, count = ROWS[split]
        write(tmp_path / "own", name, [law(start + n) for n in range(count)])
    return tmp_path / "own"


def test_both_layouts_give_the_same_values(own: Path, tmp_path: Path) -> None:
    write_hub(tmp_path / "hub")
    task = small(tmp_path / "hub")
    provided = provide([task], None, tmp_path / "cache")
    assert provided.origins[0].startswith(f"multieurlex: 5 files from {tmp_path}/hub at no revision")
    parts, skipped = task.load(provided.data)
    assert not skipped
    expected, _ = task.load(own)
    first, second = ([found.row for found in score_items([Words()], loaded)] for loaded in (parts, expected))
    assert first == second
    assert [(row.language, row.n) for row in first] == [("en", 20), ("en", 20), ("de", 16), ("de", 16)]


def test_german_alone_is_fitted_on_english(tmp_path: Path) -> None:
    write_hub(tmp_path / "hub")
    task = small(tmp_path / "hub", "de")
    assert [file.file.partition("-")[0] for file in task.hub] == ["en/train", "de/validation", "de/test"]
    [part], _ = task.load(provide([task], None, tmp_path / "cache").data)
    assert [(laws.code, len(laws.texts)) for laws in part.train] == [("en", 60)]
    assert [laws.code for laws in part.test] == ["de"]


def test_nothing_is_fetched_where_the_authors_own_files_lie(own: Path, tmp_path: Path) -> None:
    write_hub(tmp_path / "hub")
    task = small(tmp_path / "hub")
    provided = provide([task], own, tmp_path / "cache")
    assert not provided.origins
    assert not (tmp_path / "cache").exists()
    (own / "transfer/MultiEURLEX/test.jsonl").unlink()  # the other two alone do not do
    assert len(provide([task], own, tmp_path / "cache").origins) == 1


def test_a_language_without_files_is_skipped(tmp_path: Path) -> None:
    write_hub(tmp_path / "hub")
    task = small(tmp_path / "hub")
    data = provide([task], None, tmp_path / "cache").data
    (tmp_path / "cache/transfer/MultiEURLEX/de/test.jsonl").unlink()
    [part], [skipped] = task.load(data)
    assert [laws.code for laws in part.test] == ["en"]
    assert (skipped.language, skipped.file.name) == ("de", "test.jsonl")
    (tmp_path / "cache/transfer/MultiEURLEX/en/train.jsonl").unlink()
    parts, all_skipped = task.load(data)
    assert not parts
    assert {missing.file.name for missing in all_skipped} == {"train.jsonl"}


def test_wrong_files_are_named(tmp_path: Path) -> None:
    write_hub(tmp_path / "hub", TOPICS[::-1])
    task = small(tmp_path / "hub")
    with pytest.raises(InputError, match="labels must be 100149, .* got 100155, 100146") as caught:
        provide([task], None, tmp_path / "cache")
    assert caught.value.field == "label"
    write_hub(tmp_path / "hub")
    data = provide([task], None, tmp_path / "cache").data
    file = tmp_path / "cache/transfer/MultiEURLEX/en/dev.jsonl"
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:-1]), "utf-8")
    with pytest.raises(InputError, match="must have 12 laws for multieurlex, got 11"):
        task.load(data)
    file.write_text("".join([*lines[:-1], '{"text": "a", "label": ["7"]}\n']), "utf-8")
    with pytest.raises(InputError, match=r"dev.jsonl:12: field 'label': unknown topic '7'"):
        task.load(data)


@pytest.mark.parametrize(
    ("value", "message"), [("100149", "must be a list, got '100149'"), ([0, 99], "must be one of 100149")]
)
def test_a_wrong_list_of_labels_names_row_and_column(value: object, message: str) -> None:
    form = EURLEX.hub[0].form
    rows = [{"text": "", "label": None}, {"text": "a", "label": [2]}, {"text": "b", "label": value}]
    with pytest.raises(InputError, match=message) as caught:
        list(form.lines(rows, "f"))
    assert (caught.value.line, caught.value.field) == (3, "label")
    assert list(form.lines(rows[:2], "f")) == ['{"text": "a", "label": ["100148"]}\n']
