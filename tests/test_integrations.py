"""docs/integrations.md against the real packages: each section's blocks run, and give the right values."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import amrx
from amrx.cli import main
from retrofit.combine import RetrofittedEncoder

PAGE = Path(__file__).resolve().parents[1] / "docs" / "integrations.md"
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE))


@pytest.fixture(scope="module")
def encoder(muse_files: None) -> RetrofittedEncoder:
    return amrx.load(preset="fast")


@pytest.fixture
def names(encoder: RetrofittedEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names that every section starts with; files are written in a folder of the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(amrx, "load", lambda *, preset: {"fast": encoder}[preset])
    return {"amrx": amrx, "encoder": encoder, "__name__": "page"}


def run(section: str, names: dict[str, Any], number: int | None = None) -> None:
    """Run the Python blocks of a section, or one of them."""
    blocks = re.findall(r"^```python\n(.*?)^```", SECTIONS[section], re.DOTALL | re.MULTILINE)
    for block in blocks if number is None else [blocks[number]]:
        exec(compile(block, f"{PAGE}: {section}", "exec"), names)


def test_every_section_is_tested_and_short():
    source = Path(__file__).read_text("utf-8")
    for name, text in SECTIONS.items():
        assert f'run("{name}"' in source
        assert text.count("\n") <= 40, name


def test_scikit_learn(names: dict[str, Any]):
    from sklearn.base import clone
    from sklearn.model_selection import cross_val_score

    run("scikit-learn", names)
    assert names["answer"].tolist() == [0]
    copy = clone(names["model"])
    assert copy.get_params()["sentences__lang"] == "en"
    texts = ["A cat.", "A dog.", "A bird.", "The bank.", "The rate.", "The market."]
    assert cross_val_score(copy, texts, [0, 0, 0, 1, 1, 1], cv=2).shape == (2,)
    transformed = names["Sentences"](lang="en").fit_transform(texts)
    assert np.array_equal(transformed, names["encoder"].encode(texts, lang="en"))


def test_frames(names: dict[str, Any]):
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    run("pandas and polars", names, 0)
    expected = names["encoder"].encode(["Der Hund bellt.", "It rains."], lang=["de", None])
    assert np.array_equal(np.stack(names["tickets"]["vector"]), expected)
    assert np.array_equal(names["frame"]["vector"].to_numpy(), expected)
    command = re.search(r"^amrx (.+)$", SECTIONS["pandas and polars"], re.MULTILINE)
    assert command is not None and main(command[1].split()) == 0
    run("pandas and polars", names, 1)
    assert names["joined"]["ticket"].tolist() == ["a", "b"]
    assert np.array_equal(np.stack(names["joined"]["vector"]), expected)


def test_duckdb(names: dict[str, Any]):
    pytest.importorskip("duckdb")
    encoder, texts = names["encoder"], ["Der Hund bellt.", "It rains."]
    Path("t.jsonl").write_text('{"id": "a", "text": "Der Hund bellt."}\n{"id": "b", "text": "It rains."}\n')
    assert main(["retrofit", "t.jsonl", "--preset", "fast", "-o", "vectors.parquet"]) == 0
    run("DuckDB", names)
    vectors, query = encoder.encode(texts), encoder.encode("A dog is barking.", lang="en")
    cosines = encoder.similarity(query[None], vectors)[0]
    assert [name for name, _ in names["nearest"]] == ["a", "b"]
    assert [cosine for _, cosine in names["nearest"]] == pytest.approx(cosines.tolist(), abs=1e-4)
    names["database"].close()


def test_langchain(names: dict[str, Any]):
    pytest.importorskip("langchain_core")
    run("LangChain", names)
    assert names["document"].page_content == "Der Hund bellt."
    adapter = names["Retrofitted"](names["encoder"])
    assert adapter.embed_query("It rains.") == pytest.approx(adapter.embed_documents(["It rains."])[0])


def test_fastapi(names: dict[str, Any]):
    pytest.importorskip("fastapi")
    pytest.importorskip("httpx2")
    from fastapi.testclient import TestClient

    run("FastAPI", names)
    client, texts = TestClient(names["app"]), [f"{number} dogs bark." for number in range(16)]

    def ask(text: str) -> list[float]:
        return client.post("/vectors", json={"texts": [text], "lang": "en"}).json()[0]

    with ThreadPoolExecutor(8) as pool:
        served = list(pool.map(ask, texts))
    one_by_one = [names["encoder"].encode(text, lang="en").tolist() for text in texts]
    assert served == one_by_one
    wrong = client.post("/vectors", json={"texts": ["x"], "lang": "english"})
    assert wrong.status_code == 422 and "'english'" in wrong.json()["detail"]
