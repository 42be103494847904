"""The cards of the shipped models have what the hub's standard asks, and say what their files say."""

import json
import re
from pathlib import Path

import pytest
import yaml

MODELS = Path(__file__).resolve().parents[1] / "amrx" / "models"
TRAINED = ("encoder-mini", "encoder-student-e5", "encoder-student-text", "parser-mini")


def card(name: str) -> tuple[dict[str, object], str]:
    """Return the metadata and the text of a card."""
    _, metadata, text = (MODELS / name / "README.md").read_text("utf-8").split("---\n", 2)
    return yaml.safe_load(metadata), text


@pytest.mark.parametrize("name", sorted(folder.name for folder in MODELS.iterdir() if folder.is_dir()))
def test_every_shipped_folder_has_a_card_with_a_licence_and_all_its_files(name: str):
    metadata, text = card(name)
    assert metadata["license"] in ("apache-2.0", "mit", "cc-by-sa-4.0")
    if name in TRAINED:
        assert metadata["library_name"] == "amrx"
        headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
        assert any("scores" in heading.lower() for heading in headings), headings
        assert "licence as declared there" in text and "nown failures" in text


@pytest.mark.parametrize(
    "name", ["encoder-mini", "encoder-meaning", "encoder-student-e5", "encoder-student-text"]
)
def test_the_score_in_a_card_is_that_of_its_fitted_weight(name: str):
    metadata, _ = card(name)
    fitted = json.loads((MODELS / name / "fitted_weights.json").read_text("utf-8"))["muse"]
    metric = metadata["model-index"][0]["results"][0]["metrics"][0]  # type: ignore[index]
    assert metric["type"] == "spearman"
    assert metric["value"] == fitted["mini" if name in ("encoder-mini", "encoder-meaning") else ""]["score"]


def test_the_languages_in_the_cards_are_those_of_the_training():
    config = json.loads((MODELS / "parser-mini" / "config.json").read_text("utf-8"))
    assert card("parser-mini")[0]["language"] == sorted(config["languages"])
    metadata, text = card("encoder-student-text")
    amounts = json.loads(
        text[text.index('"langs"') + len('"langs": ') : text.index("}", text.index('"langs"')) + 1]
    )
    assert metadata["language"] == sorted({*amounts, "en"})
    metadata, text = card("encoder-student-e5")
    named = re.search(r"Training languages: ([a-z\s]+)\.", text)
    assert named is not None and metadata["language"] == sorted(named[1].split())
    metadata, text = card("encoder-mini")
    codes = set(
        re.findall(r"\b[a-z]{2}\b", " ".join(re.findall(r"^\|[^|]*:((?: [a-z]{2})+) \|", text, re.MULTILINE)))
    )
    assert metadata["language"] == sorted(codes | {"en"})
