"""Format the tables of ``results/cosines.json`` for docs/cosines.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from results_tables import ResultsError, read_rows


def cosine_blocks(folder: Path) -> dict[str, str]:
    """Return the tables of docs/cosines.md by the names of their markers; empty if they were not measured.

    Raises:
        ResultsError: ``cosines.json`` is malformed, or a number is missing.
    """
    file = folder / "cosines.json"
    if not file.is_file():
        return {}
    values = {(row.encoder, row.task, row.language, row.metric): row.value for row in read_rows(file)}
    names = {one: "`muse` alone" if one == "base" else f"`--preset {one}`" for one, *_ in values}
    names["graph"] += ", the default"
    try:
        return {
            "marks": _marks_table(values, names),
            "scales": _scales_table(values, names),
            "tatoeba": _thresholds_table(values, names, "Cosines: Tatoeba"),
        }
    except KeyError as error:
        raise ResultsError(f"{file.name} has no row {error}") from None


Values = Mapping[tuple[str, str, str, str], float]


def _marks_table(values: Values, names: Mapping[str, str]) -> str:
    lines = [["setting", "unrelated", "translations"], ["---", "--:", "--:"]]
    for one, title in names.items():
        cells = [
            f"{values[one, 'Cosines: marks', kind, 'mean'] / 100:.2f} ± "
            f"{values[one, 'Cosines: marks', kind, 'standard deviation'] / 100:.2f}"
            for kind in ("unrelated", "translations")
        ]
        lines.append([title, *cells])
    return _table(lines)


def _scales_table(values: Values, names: Mapping[str, str]) -> str:
    head = ["d'", "mean of unrelated", "d' on the base's scale", "mean of unrelated on the base's scale"]
    lines = [["setting", *head], ["---"] + ["--:"] * len(head)]
    for one, title in names.items():
        cells = []
        for task in ("Cosines: Tatoeba", "Cosines: Tatoeba on the base's scale"):
            if one == "base" and task.endswith("scale"):
                cells += ["", ""]
                continue
            mean = values[one, task, "all", "mean of pairs that do not belong together"] / 100
            separation = values[one, task, "all", "d'"]
            cells += [f"{separation:.2f}", f"{mean:.2f}"]
        lines.append([title, *cells])
    return _table(lines)


THRESHOLDS = ("0.30", "0.40", "0.50", "0.60", "0.70", "0.75", "0.80", "0.85", "0.90", "0.95")


def _thresholds_table(values: Values, names: Mapping[str, str], task: str) -> str:
    lines = [["precision/recall at", *THRESHOLDS, "best F1"], ["---"] + ["--:"] * (len(THRESHOLDS) + 1)]
    for one, title in names.items():
        cells = [
            f"{values[one, task, at, 'precision']:.0f}/{values[one, task, at, 'recall']:.0f}"
            if (one, task, at, "precision") in values
            else "–"
            for at in THRESHOLDS
        ]
        best, at = (values[one, task, "all", name] for name in ("best F1", "threshold of the best F1"))
        lines.append([title, *cells, f"{best:.0f} at {at / 100:.2f}"])
    return _table(lines)


def _table(lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
