import copy
import dataclasses
import json
import sys
from pathlib import Path

import pytest

from amrx.errors import InputError, MissingResourceError
from amrx.evaluation import run
from amrx.evaluation.tasks.retrieval.mewsli import MEWSLI_X, read_entities, read_mentions
from tests.support.word_encoder import Words

pytest.importorskip("faiss", reason="the search needs the extra index")

SMALL = dataclasses.replace(MEWSLI_X, languages=(("de", 2), ("en", 1)), candidates=4)
NEWS = "Kurz. Der Rabe {alt} flog\nweg."


def mention(start: int, end: int, entity: str, text: str = NEWS) -> dict:
    span = {"start": start, "end": end, "text": text[start:end]}
    return {"example_id": f"{start}", "mention_span": span, "entity_id": entity}


ARTICLES = [
    {
        "context": {
            "document_id": "1",
            "document_title": "t",
            "document_url": "u",
            "section_title": "",
            "language": "de",
            "text": NEWS,
            "sentence_spans": [{"start": 0, "end": 5}, {"start": 6, "end": len(NEWS)}],
        },
        "mentions": [mention(10, 14, "Q1"), mention(0, 4, "Q2")],
    },
    {
        "context": {
            "document_id": "2",
            "language": "en",
            "text": "Trees grow.",
            "sentence_spans": [{"start": 0, "end": 11}],
        },
        "mentions": [mention(0, 5, "Q3", "Trees grow.")],
    },
]
ENTITIES = [("Q0", "nothing"), ("Q1", "Rabe Rabe Rabe"), ("Q2", "Kurz flog"), ("Q3", "grow. grow.")]


def entity(name: str, text: str) -> dict:
    spans = [{"start": 0, "end": len(text)}]
    return {
        "entity_id": name,
        "title": name,
        "description": text,
        "description_language": "de",
        "description_url": "u",
        "sentence_spans": spans,
    }


def write(data: Path, name: str, rows: list) -> Path:
    folder = data / "retrieval" / "mewsli-x"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return file


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(tmp_path, "wikinews_mentions-test.jsonl", ARTICLES)
    write(tmp_path, "candidate_set_entities.jsonl", [entity(*row) for row in ENTITIES])
    return tmp_path


def test_a_mention_is_given_as_xtreme_r_gives_it(data: Path) -> None:
    file = data / "retrieval" / "mewsli-x" / "wikinews_mentions-test.jsonl"
    found = list(read_mentions(file))
    assert [(one.language, one.entity) for one in found] == [("de", "Q1"), ("de", "Q2"), ("en", "Q3")]
    assert found[0].text == "Rabe: Der { Rabe } (alt) flog weg."
    assert found[1].text == "Kurz: { Kurz } ."


def test_a_description_is_its_sentences(tmp_path: Path) -> None:
    row = entity("Q9", "One.  \n Two. Cut")
    row["sentence_spans"] = [{"start": 0, "end": 4}, {"start": 8, "end": 12}]
    (found,) = read_entities(write(tmp_path, "candidate_set_entities.jsonl", [row]))
    assert (found.text, found.language, found.name) == ("One. Two.", "de", "Q9")


def test_map_is_one_over_the_rank(data: Path) -> None:
    rows = run([Words()], [SMALL], data)
    assert [(row.language, row.metric, row.n) for row in rows] == [("de", "mAP@20", 2), ("en", "mAP@20", 1)]
    assert [row.value for row in rows] == [100, 100]
    swapped = copy.deepcopy(ARTICLES)
    swapped[0]["mentions"][0]["entity_id"] = "Q2"  # Rabe is nearest to Q1, then to Q2: 1/2
    write(data, "wikinews_mentions-test.jsonl", swapped)
    assert [row.value for row in run([Words()], [SMALL], data)] == [75, 100]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("context", "text"), "", ":1: field 'context.text': is empty; get-mewsli-x.sh"),
        (("context", "sentence_spans"), [], "field 'context.sentence_spans': is not a non-empty list"),
        (
            ("context", "sentence_spans"),
            [{"start": 0, "end": 5}],
            "field 'mentions[0].mention_span': is in no sentence",
        ),
        (("mentions", 0, "mention_span", "end"), 999, "span 10 to 999 is not within 30 letters"),
        (("mentions", 0, "mention_span", "text"), "Wolf", "'Wolf' is not the text of the span"),
        (("mentions", 0, "entity_id"), "Q77", "no entity 'Q77', to which a mention refers"),
        (("context", "language"), "en", "must have 2 mentions of language 'de' for mewsli-x, got 0"),
    ],
)
def test_what_is_wrong_is_named_before_anything_is_encoded(data, path, value, message):
    articles = copy.deepcopy(ARTICLES)
    node: dict = articles[0]
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    write(data, "wikinews_mentions-test.jsonl", articles)
    words = Words()
    with pytest.raises(InputError) as error:
        run([words], [SMALL], data)
    assert message in str(error.value)
    assert words.seen == []


def test_missing_files_are_skipped_with_where_they_come_from(tmp_path: Path) -> None:
    parts, skipped = MEWSLI_X.load(tmp_path)
    assert not parts
    assert len(skipped) == 11
    assert "get-mewsli-x.sh" in str(skipped[0])


def test_without_faiss_nothing_is_encoded(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    words = Words()
    with pytest.raises(MissingResourceError, match=r"pip install 'amrx\[index\]'"):
        run([words], [SMALL], data)
    assert words.seen == []
