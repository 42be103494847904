"""Real sentence pairs and a network small enough to train in a test."""

from __future__ import annotations

from pathlib import Path

TIMED = ("steps_per_second", "seconds")
"""Keys of a log's line that depend on the clock."""

PAIRS = [
    ("Hello.", "Hallo."),
    ("I am hungry.", "Ich habe Hunger."),
    ("The boy wants to go.", "Der Junge will gehen."),
    ("The girl reads a book.", "Das Mädchen liest ein Buch."),
    ("It is raining today.", "Heute regnet es."),
    ("Where is the station?", "Wo ist der Bahnhof?"),
    ("My father is a doctor.", "Mein Vater ist Arzt."),
    ("We drink coffee every morning.", "Wir trinken jeden Morgen Kaffee."),
    ("The dog sleeps under the table.", "Der Hund schläft unter dem Tisch."),
    ("She lives in a big city.", "Sie wohnt in einer großen Stadt."),
    ("Open the window, please.", "Öffne bitte das Fenster."),
    ("He has lost his key.", "Er hat seinen Schlüssel verloren."),
]
"""Twelve everyday sentences, English and German."""

SCRATCH = {
    "backbone.start": "scratch", "backbone.max_tokens": 16, "backbone.scratch.pieces": 3000,
    "backbone.scratch.width": 16, "backbone.scratch.layers": 1, "backbone.scratch.heads": 2,
    "backbone.scratch.table": "random",
}  # fmt: skip
"""Keys of a recipe for a network of width 16."""


def write_pairs(folder: Path) -> dict[str, Path]:
    """Write the pairs as TSV, and each side as text."""
    files = {name: folder / name for name in ("pairs.tsv", "text.en", "text.de")}
    files["pairs.tsv"].write_text("".join(f"{a}\t{b}\n" for a, b in PAIRS), "utf-8")
    files["text.en"].write_text("".join(f"{a}\n" for a, _ in PAIRS), "utf-8")
    files["text.de"].write_text("".join(f"{b}\n" for _, b in PAIRS), "utf-8")
    return files


def settings(values: dict[str, object]) -> list[str]:
    """Return keys and values as ``--set`` takes them."""
    told = {True: "true", False: "false"}
    parts = ((key, told[value] if isinstance(value, bool) else value) for key, value in values.items())
    return [part for key, value in parts for part in ("--set", f"{key}={value}")]
