"""Files of MultiEURLEX."""

from __future__ import annotations

import json
from pathlib import Path


def law(n: int) -> dict:
    """A law tells its topics in words that all languages share; German lacks every fifth."""
    topics = [topic for place, topic in enumerate(TOPICS) if n >> place & 1]
    text = " ".join([*(2 * topics), f"w{n}"])
    return {
        "celex_id": str(n),
        "text": {"en": text, "de": None if n % 5 == 0 else f"{text} x{n}", "fr": "?"},
        "eurovoc_concepts": {"level_1": topics, "level_2": ["1"]},
    }


def write(data: Path, split: str, rows: list[dict]) -> None:
    folder = data / "transfer" / "MultiEURLEX"
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / f"{split}.jsonl").write_text(text, "utf-8")


TOPICS = ("100149", "100160", "100148")
