"""Report finished runs: rows, tables of means over seeds, and curves of all losses."""

from __future__ import annotations

import json
import statistics
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from proof_inputs import UNSEEN
from proof_runs import RATES, TRAINERS, UNTRAINED, Asked

from amrx.records import atomic_path, write_text
from amrx.training.log import NO_LOSS, read_log

Record = dict[str, Any]

_WRITING = threading.Lock()


def write_report(work: Path, out: Path, steps: int, batch: int) -> None:
    """Write rows, tables and curves of all finished runs in ``work`` with these steps and batch size."""
    with _WRITING:  # runs end in threads of their own
        every = (
            sorted(work.glob(f"{name}-*-{steps}x{batch}-*/scores.json")) for name in (UNTRAINED, *TRAINERS)
        )
        # distinct, because "vmsst-*" also matches vmsst-contrastive
        finished = list(dict.fromkeys(file for files in every for file in files))
        rows: list[Record] = [row for file in finished for row in json.loads(file.read_text("utf-8"))]
        lines = [line for file in finished for line in curves(file.parent)]
        out.mkdir(parents=True, exist_ok=True)
        _write(out / "trainers.json", json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
        tried = rates(work, steps, batch)
        _write(out / "trainers-rates.json", json.dumps(tried, indent=1) + "\n")
        _write(out / "trainers.md", tables(rows) + rates_table(tried))
        _write(out / "trainers-losses.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        draw(lines, out / "trainers-losses.svg")


def curves(folder: Path) -> list[Record]:
    """Return the lines of all logs of a run."""
    method, seed, _, _ = folder.name.rsplit("-", 3)
    return [
        {"method": method, "seed": int(seed), "phase": log.parent.name}
        | {key: value for key, value in line.items() if key not in ("rates", "steps_per_second", "seconds")}
        for log in sorted((folder / "training").glob("*/log.jsonl"))
        for line in read_log(log)
    ]


def rates(work: Path, steps: int, batch: int) -> list[Record]:
    """Return the accuracy of seed 0 of each method on the held-out pairs, for each rate."""
    tried = [
        (name, rate, Asked(name, 0, steps, batch, work, rate).held_out) for name in TRAINERS for rate in RATES
    ]
    return [
        {"method": name, "rate": rate, **json.loads(file.read_text("utf-8"))}
        for name, rate, file in tried
        if file.is_file()
    ]


def rates_table(tried: Sequence[Record]) -> str:
    """Return the choice of the learning rate as a table in Markdown."""
    lines = [["method", *(f"{rate:g}" for rate in RATES)], ["---"] + ["--:"] * len(RATES)]
    for name in dict.fromkeys(row["method"] for row in tried):
        by_rate = {row["rate"]: f"{row['accuracy']:.1f}" for row in tried if row["method"] == name}
        lines.append([name, *(by_rate.get(rate, "–") for rate in RATES)])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"\n**Learning rate**: accuracy of seed 0 on pairs held out; the best one is used\n\n{table}\n"


def columns(task: str, languages: Sequence[str]) -> dict[str, list[str]]:
    """Return the groups of a task's languages for which means are reported."""
    if task == "sts17":
        one = [code for code in languages if len(set(code.split("-"))) == 1]
        return {"within a language": one, "between two": [code for code in languages if code not in one]}
    seen = [code for code in languages if code not in UNSEEN]
    return {"with pairs": seen, "without": [code for code in languages if code in UNSEEN]}


def tables(rows: Sequence[Record]) -> str:
    """Return a table in Markdown for every task and metric; a cell is the mean over seeds ± deviation."""
    parts = ["# Do the trainers learn?\n\nWritten by `scripts/prove_trainers.py`; what it does, see there."]
    for task, metric in dict.fromkeys((row["task"], row["metric"]) for row in rows):
        chosen = [row for row in rows if (row["task"], row["metric"]) == (task, metric)]
        languages = list(dict.fromkeys(row["language"] for row in chosen))
        means = {name: group for name, group in columns(task, languages).items() if group}
        groups = means | {code: [code] for code in languages}
        head = ["encoder", "seeds", *groups]
        lines = [head, ["---"] + ["--:"] * (len(head) - 1)]
        for encoder in dict.fromkeys(row["encoder"] for row in chosen):
            own = [row for row in chosen if row["encoder"] == encoder]
            seeds = sorted({row["seed"] for row in own})
            lines.append([encoder, str(len(seeds)), *(_cell(own, seeds, group) for group in groups.values())])
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        parts.append(f"**{task}, {metric}**, {chosen[0]['steps']} steps\n\n{table}")
    return "\n\n".join(parts) + "\n"


def _cell(rows: Sequence[Record], seeds: Sequence[int], languages: Sequence[str]) -> str:
    """Return mean and standard deviation, over seeds, of the mean over some languages."""
    means = [
        statistics.mean(row["value"] for row in rows if row["seed"] == seed and row["language"] in languages)
        for seed in seeds
    ]
    spread = f" ± {statistics.stdev(means):.1f}" if len(means) > 1 else ""
    return f"{statistics.mean(means):.1f}{spread}"


def draw(lines: Sequence[Record], picture: Path) -> None:
    """Draw each loss of each method and phase, one line per seed; draw nothing if there is no log."""
    from matplotlib.figure import Figure

    others = ("method", "seed", "phase", *NO_LOSS)
    panels = list(
        dict.fromkeys(
            (line["method"], line["phase"], key) for line in lines for key in line if key not in others
        )
    )
    if not panels:
        return
    height = -(-len(panels) // 4)
    figure = Figure(figsize=(12, 2.2 * height), layout="constrained")
    every = figure.subplots(height, 4, squeeze=False).flatten()
    for axes, (method, phase, key) in zip(every, panels, strict=False):
        own = [line for line in lines if (line["method"], line["phase"]) == (method, phase)]
        for seed in sorted({line["seed"] for line in own}):
            points = [(line["step"], line[key]) for line in own if line["seed"] == seed]
            axes.plot(*zip(*points, strict=True), linewidth=1)
        axes.set_title(f"{method}, {phase}: {key}", fontsize=8)
        axes.tick_params(labelsize=7)
    for axes in every[len(panels) :]:
        axes.remove()
    with atomic_path(picture) as temporary:
        figure.savefig(temporary, format="svg")


def _write(path: Path, text: str) -> None:
    write_text(path, text)
