"""amrx.training: one loop, whose laws hold for every task."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import torch

from amrx.errors import AmrxError, InputError, OptionError, OutputError
from amrx.records.locks import take_lock
from amrx.training import Evaluation, Outcome, Rate, Schedule, Task, adamw, best_weights, fit, read_log
from amrx.training.log import draw_losses


class Line(Task):
    """Fit y = 2x + 1 from noisy points drawn anew in each step; scores are given beforehand."""

    def __init__(self, scores: Sequence[float] = (), break_at: int | None = None) -> None:
        torch.manual_seed(7)
        module = torch.nn.Sequential(torch.nn.Linear(1, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 1))
        super().__init__("line", module, adamw(module.parameters(), 1e-2, 0.01))
        self.scores, self.break_at, self.looks, self.rate = list(scores), break_at, 0, Rate(0.01, warmup=3)

    def rates(self, step: int) -> Sequence[float]:
        return [self.rate.at(step, 100)] * 2

    def backward(self, step: int) -> Mapping[str, float]:
        if step == self.break_at:
            return {"square": math.nan}
        points = torch.randn(8, 1)
        loss = (self.module(points) - 2 * points - 1).square().mean()
        loss.backward()
        return {"square": float(loss.detach())}

    def evaluate(self) -> Evaluation | None:
        if not self.scores:
            return None
        self.looks += 1
        return Evaluation(self.scores[self.looks - 1], {"score": self.scores[self.looks - 1]})

    def state(self) -> Mapping[str, int]:
        return {"looks": self.looks}

    def restore(self, state: Mapping[str, int]) -> None:
        self.looks = state["looks"]


SCHEDULE = Schedule(10, seed=3, log_every=4, checkpoint_every=2)


def weights(task: Task) -> list[torch.Tensor]:
    return [tensor.clone() for tensor in task.module.state_dict().values()]


def plain_lines(folder: Path) -> list[dict[str, object]]:
    """Return the log without what the clock says."""
    timed = ("steps_per_second", "seconds")
    return [{k: v for k, v in line.items() if k not in timed} for line in read_log(folder / "log.jsonl")]


def assert_same(one: Task, other: Task) -> None:
    for left, right in zip(weights(one), weights(other), strict=True):
        assert torch.equal(left, right)


def test_a_run_in_parts_ends_with_the_same_bits_and_log(tmp_path: Path) -> None:
    whole = Line()
    assert fit(whole, SCHEDULE, tmp_path / "whole", "run") == Outcome(10, True)
    for stop in (3, 6, 7, 10):
        part = Line()
        outcome = fit(part, SCHEDULE, tmp_path / "parts", "run", stop=stop)
        assert outcome == Outcome(stop, stop == 10)
    assert_same(whole, part)
    unlike_stops = [line for line in plain_lines(tmp_path / "parts") if line["step"] in (4, 8, 10)]
    assert [line["step"] for line in plain_lines(tmp_path / "whole")] == [4, 8, 10]
    assert [line["step"] for line in unlike_stops] == [4, 8, 10]


@pytest.mark.parametrize("dies_at", range(1, 10))
def test_a_killed_run_ends_with_the_same_bits_and_log(tmp_path: Path, dies_at: int) -> None:
    class Killed(KeyboardInterrupt):
        pass

    class Mortal(Line):
        def backward(self, step: int) -> Mapping[str, float]:
            if step == dies_at:
                raise Killed
            return super().backward(step)

    whole, resumed = Line([1, 3, 2, 5, 4]), Line([1, 3, 2, 5, 4])
    schedule = Schedule(10, seed=3, log_every=3, checkpoint_every=2, evaluate_every=2)
    outcome = fit(whole, schedule, tmp_path / "whole", "run")
    with pytest.raises(Killed):
        fit(Mortal([1, 3, 2, 5, 4]), schedule, tmp_path / "killed", "run")
    assert fit(resumed, schedule, tmp_path / "killed", "run") == outcome
    assert_same(whole, resumed)
    assert plain_lines(tmp_path / "killed") == plain_lines(tmp_path / "whole")
    best, other = (best_weights(tmp_path / name, outcome) for name in ("whole", "killed"))
    assert best is not None and other is not None and best.keys() == other.keys()
    assert all(torch.equal(best[name], other[name]) for name in best)


def test_the_log_holds_means_of_the_steps_since_its_last_line(tmp_path: Path) -> None:
    class Counts(Line):
        def backward(self, step: int) -> Mapping[str, float]:
            super().backward(step)
            return {"step_squared": float(step * step)}

    fit(Counts(), Schedule(5, log_every=2), tmp_path, "run", start_line={"rows": 9})
    lines = read_log(tmp_path / "log.jsonl")
    assert lines[0] == {"step": 0, "rows": 9}
    assert [line["step_squared"] for line in lines[1:]] == [0.5, 6.5, 16.0]
    assert [line["rates"] for line in lines[1:]] == [[Rate(0.01, 3).at(step, 5)] * 2 for step in (1, 3, 4)]


def test_the_best_weights_are_those_of_the_highest_score(tmp_path: Path) -> None:
    schedule = Schedule(6, evaluate_every=2, checkpoint_every=1)
    task = Line([1, 3, 2])
    outcome = fit(task, schedule, tmp_path, "run")
    assert outcome == Outcome(6, True, 3, 4)
    assert [path.name for path in tmp_path.glob("best-*")] == ["best-4.safetensors"]
    until_four = Line([1, 3, 2])
    fit(until_four, schedule, tmp_path / "again", "run", stop=4)
    best = best_weights(tmp_path, outcome)
    assert best is not None
    for name, tensor in until_four.module.state_dict().items():
        assert torch.equal(best[name], tensor)


def test_patience_ends_a_run_that_no_score_betters(tmp_path: Path) -> None:
    schedule = Schedule(20, evaluate_every=2, patience=2)
    assert fit(Line([1, 5, 4, 3, 9]), schedule, tmp_path, "run") == Outcome(8, True, 5, 4)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_loss_that_is_not_finite_ends_the_run_before_the_weights_change(tmp_path, value):
    class Breaks(Line):
        def backward(self, step: int) -> Mapping[str, float]:
            losses = super().backward(step)
            return {"square": value} if step == 4 else losses

    task = Breaks()
    with pytest.raises(AmrxError, match=r"step 4 of line is not finite \(square -?(nan|inf)"):
        fit(task, SCHEDULE, tmp_path, "run")
    until_four = Line()
    fit(until_four, SCHEDULE, tmp_path / "other", "run", stop=4)
    assert_same(task, until_four)


def test_a_gradient_that_is_not_finite_ends_the_run(tmp_path: Path) -> None:
    class Breaks(Line):
        def backward(self, step: int) -> Mapping[str, float]:
            losses = super().backward(step)
            next(self.module.parameters()).grad[0] = math.inf  # type: ignore[index]
            return losses

    with pytest.raises(AmrxError, match="gradient inf"):
        fit(Breaks(), SCHEDULE, tmp_path, "run")


def test_two_runs_never_share_a_folder(tmp_path: Path) -> None:
    class Greedy(Line):
        def backward(self, step: int) -> Mapping[str, float]:
            with pytest.raises(OutputError, match="another run"):
                fit(Line(), SCHEDULE, tmp_path, "run")
            return super().backward(step)

    fit(Greedy(), Schedule(1), tmp_path, "run")
    descriptor = take_lock(tmp_path / ".training.lock", tmp_path)  # a finished run holds no lock
    assert descriptor > 0


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    fit(Line(), SCHEDULE, tmp_path, "one", stop=2)
    with pytest.raises(OptionError, match="belongs to another recipe.*--fresh"):
        fit(Line(), SCHEDULE, tmp_path, "two")
    assert fit(Line(), SCHEDULE, tmp_path, "two", resume=False).steps == 10


def test_missing_best_weights_name_the_way_out(tmp_path: Path) -> None:
    schedule = Schedule(6, evaluate_every=2)
    fit(Line([1, 2, 3]), schedule, tmp_path, "run", stop=4)
    (tmp_path / "best-4.safetensors").unlink()
    with pytest.raises(OptionError, match=r"best-4.safetensors is missing.*--fresh"):
        fit(Line([1, 2, 3]), schedule, tmp_path, "run")


@pytest.mark.parametrize("damage", [b"", b"x" * 40, None])
def test_a_damaged_checkpoint_is_named(tmp_path: Path, damage: bytes | None) -> None:
    fit(Line(), SCHEDULE, tmp_path, "run", stop=4)
    path = tmp_path / "checkpoint.safetensors"
    path.write_bytes(path.read_bytes()[:-9] if damage is None else damage)
    with pytest.raises(InputError, match=r"checkpoint.safetensors: is not a complete checkpoint"):
        fit(Line(), SCHEDULE, tmp_path, "run")


def test_a_line_that_a_kill_cut_short_is_dropped(tmp_path: Path) -> None:
    fit(Line(), SCHEDULE, tmp_path, "run", stop=8)
    with (tmp_path / "log.jsonl").open("a") as log:
        log.write(json.dumps({"step": 9})[:5])
    fit(Line(), SCHEDULE, tmp_path, "run")
    assert [line["step"] for line in read_log(tmp_path / "log.jsonl")] == [4, 8, 10]


def test_a_time_limit_ends_a_call_after_a_step(tmp_path: Path) -> None:
    for step in range(1, 11):
        outcome = fit(task := Line(), SCHEDULE, tmp_path / "slow", "run", time_limit=0.0)
        assert outcome == Outcome(step, step == 10)
    fit(whole := Line(), SCHEDULE, tmp_path / "whole", "run")
    assert_same(task, whole)


def test_tied_weights_are_kept_once_and_come_back(tmp_path: Path) -> None:
    def tied() -> Line:
        task = Line()
        task.module.add_module("again", task.module[0])  # type: ignore[index]
        return task

    whole, parts = tied(), tied()
    fit(whole, SCHEDULE, tmp_path / "whole", "run")
    fit(tied(), SCHEDULE, tmp_path / "parts", "run", stop=5)
    fit(parts, SCHEDULE, tmp_path / "parts", "run")
    assert_same(whole, parts)


def test_the_losses_are_drawn(tmp_path: Path) -> None:
    fit(Line(), SCHEDULE, tmp_path, "run", start_line={"rows": 3})
    assert draw_losses(tmp_path / "log.jsonl", tmp_path / "loss.svg")
    assert "square" in (tmp_path / "loss.svg").read_text()


@pytest.mark.parametrize(
    "damage", [b"{}\n", b"[]\n", b"\xff\xfe\n", b'{"step": null}\n', b"null\n", b"\x00\n"]
)
def test_a_damaged_line_of_the_log_is_named(tmp_path: Path, damage: bytes) -> None:
    fit(Line(), SCHEDULE, tmp_path, "run", stop=4)
    log = tmp_path / "log.jsonl"
    log.write_bytes(log.read_bytes() + damage)
    with pytest.raises(InputError, match=r"log\.jsonl:2: is no line of a training log; delete the line"):
        fit(Line(), SCHEDULE, tmp_path, "run")


def test_state_files_cut_at_any_length_go_on_or_name_the_file(tmp_path: Path) -> None:
    fit(Line([1.0, 2.0]), Schedule(10, seed=3, evaluate_every=2, checkpoint_every=2), tmp_path, "run", stop=4)
    for file in sorted(path for path in tmp_path.iterdir() if path.stat().st_size):
        whole = file.read_bytes()
        for size in range(0, len(whole), max(1, len(whole) // 40)):
            file.write_bytes(whole[:size])
            try:
                read_log(tmp_path / "log.jsonl")
                fit(Line([3.0] * 9), SCHEDULE, tmp_path, "run", stop=4)
            except AmrxError as error:
                assert str(tmp_path) in str(error) and "\n" not in str(error)
            file.write_bytes(whole)
