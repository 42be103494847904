"""Write the log of a run: JSON lines, each the mean over some steps, and a plot of the losses."""

import importlib.util
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from amrx.errors import InputError
from amrx.records import atomic_path, write_text

Line = dict[str, object]

NO_LOSS = ("step", "rates", "gradient", "steps_per_second", "seconds")
"""Keys of a line that are not losses."""


class Log:
    """Append to a file of JSON lines; every line is written immediately."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def cut(self, step: int) -> None:
        """Drop the lines after a step, as written by a killed run after its last checkpoint."""
        lines = [line for line in read_log(self.path) if int(str(line["step"])) <= step]
        write_text(self.path, "".join(json.dumps(line) + "\n" for line in lines))

    def write(self, line: Mapping[str, object]) -> None:
        """Add a line."""
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")


def read_log(path: Path) -> list[Line]:
    """Return the complete lines; a kill may have cut the last one.

    Raises:
        InputError: A line is no JSON object with a step; the message names it.
    """
    if not path.is_file():
        return []
    lines = path.read_bytes().splitlines(keepends=True)
    return [_read_line(line, path, number) for number, line in enumerate(lines, 1) if line.endswith(b"\n")]


def _read_line(text: bytes, path: Path, number: int) -> Line:
    try:
        line = json.loads(text.decode("utf-8"))
        int(line["step"])
    except (ValueError, LookupError, TypeError) as error:
        raise InputError(
            "is no line of a training log; delete the line, or the folder to start over",
            file=path,
            line=number,
        ) from error
    return dict(line)


def draw_losses(log: Path, picture: Path) -> bool:
    """Plot every loss over the steps if matplotlib (extra ``report``) is installed; return whether it is."""
    lines = [line for line in read_log(log) if line["step"]]
    if not lines or importlib.util.find_spec("matplotlib") is None:
        return False
    from matplotlib.figure import Figure

    names = [name for name, value in lines[0].items() if name not in NO_LOSS and isinstance(value, float)]
    figure = Figure(figsize=(3.2 * len(names), 2.6), layout="constrained")
    for axes, name in zip(figure.subplots(1, len(names), squeeze=False)[0], names, strict=True):
        axes.plot(_numbers(lines, "step"), _numbers(lines, name), linewidth=1)
        axes.set(title=name, xlabel="step")
    with atomic_path(picture) as temporary:
        figure.savefig(temporary)
    return True


def _numbers(lines: Sequence[Mapping[str, object]], key: str) -> list[float]:
    return [float(str(line[key])) for line in lines]
