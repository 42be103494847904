import importlib
import inspect
import io

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from amrx import device
from amrx.errors import OptionError


@given(st.lists(st.integers(0, 50)), st.integers(1, 9))
def test_buckets_hold_every_position_once_the_longest_first(lengths, batch_size):
    batches = device.length_buckets(lengths, batch_size)
    flat = [position for batch in batches for position in batch]
    assert sorted(flat) == list(range(len(lengths)))
    assert [lengths[i] for i in flat] == sorted(lengths, reverse=True)
    assert all(len(batch) == batch_size for batch in batches[:-1])
    assert all(0 < len(batch) <= batch_size for batch in batches)


def test_buckets_keep_the_order_of_equals_and_refuse_other_batches():
    assert device.length_buckets([1, 1, 1], 2) == [[0, 1], [2]]
    for size in (0, "4", 2.0):
        with pytest.raises(OptionError, match=f"batch_size must be a whole number >= 1, got {size!r}"):
            device.length_buckets([1], size)


def test_sums_are_repeatable_inside_and_what_they_were_outside():
    settings = torch.utils.deterministic
    filled = settings.fill_uninitialized_memory
    with device.repeatable_sums(torch.device("cuda")):
        assert not torch.are_deterministic_algorithms_enabled()
    with pytest.raises(KeyError), device.repeatable_sums(torch.device("cpu")):
        assert torch.are_deterministic_algorithms_enabled() and not settings.fill_uninitialized_memory
        x = torch.randn(50, 60, requires_grad=True)
        rows, weights = torch.randint(50, (4000,)), torch.randn(4000, 60)
        grads = [torch.autograd.grad((x[rows] * weights).sum(), x)[0] for _ in range(20)]
        assert all(torch.equal(grad, grads[0]) for grad in grads)
        slow = torch.zeros(50, 60, dtype=torch.float64).index_add(0, rows, weights.double())
        torch.testing.assert_close(grads[0].double(), slow, rtol=1e-4, atol=1e-4)
        raise KeyError
    assert not torch.are_deterministic_algorithms_enabled()
    assert settings.fill_uninitialized_memory == filled


def test_device_by_name():
    assert device.pick_device("cpu").type == "cpu"
    assert device.pick_device().type in ("cpu", "cuda", "mps")
    with pytest.raises(OptionError, match="device 'gpu' is unknown"):
        device.pick_device("gpu")
    with pytest.raises(OptionError, match="device 'cuda:99' is not on this machine"):
        device.pick_device("cuda:99")
    with pytest.raises(OptionError, match="device 'meta' is not on this machine"):
        device.pick_device("meta")


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    """Time, of which each look takes as long as the test says."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    fake = Clock()
    monkeypatch.setattr(device.time, "monotonic", fake)
    monkeypatch.setattr(device, "EVERY", 60.0)
    return fake


def slowly(items, clock, seconds):
    for item in items:
        clock.now += seconds
        yield item


@pytest.mark.parametrize("show", [True, False, None])
def test_progress_gives_every_item_in_order(show, capsys):
    assert list(device.progress(range(5), description="reading", show=show)) == [0, 1, 2, 3, 4]
    assert list(device.progress(iter("ab"), show=show)) == ["a", "b"]
    assert capsys.readouterr().err == ""  # in less than a minute


def test_a_bar_is_drawn_on_a_terminal_unless_refused(monkeypatch):
    for show, drawn in ((None, True), (True, True), (False, False)):
        stream = Terminal()
        monkeypatch.setattr("sys.stderr", stream)
        assert list(device.progress([1, 2], description="reading", show=show)) == [1, 2]
        assert ("reading" in stream.getvalue() and "2/2" in stream.getvalue()) is drawn


def test_a_log_gets_a_line_a_minute(clock, capsys):
    blocks = slowly([[0] * 20] * 10, clock, 25)  # seconds a block of 20
    assert len(list(device.progress(blocks, 200, "parsing", size=len))) == 10
    assert capsys.readouterr().err.splitlines() == [
        "parsing: 60 of 200, 0.8/s, 0:02:55 left",
        "parsing: 120 of 200, 0.8/s, 0:01:40 left",
        "parsing: 180 of 200, 0.8/s, 0:00:25 left",
    ]


def test_short_loops_share_the_minute(clock, capsys):
    def stages() -> None:
        for number in range(5):
            list(device.progress(slowly(range(2), clock, 10), 2, f"stage {number}"))

    stages()  # not of a command: each is alone
    assert capsys.readouterr().err == ""
    with device.lines_every(60):
        stages()
    assert capsys.readouterr().err.splitlines() == ["stage 2: 2 of 2, 0.1/s, 0:00:00 left"]
    clock.now += 1000
    stages()
    assert capsys.readouterr().err == ""


def test_a_loop_inside_another_is_told_with_it(clock, capsys):
    for _ in device.progress([0] * 2, description="tasks", show=True):
        list(device.progress(slowly(range(3), clock, 30), 3, "muse", show=False))
    assert capsys.readouterr().err.splitlines() == [
        "tasks: 0 of 2 (muse 2 of 3, 0.033/s, 0:00:30 left)",
        "tasks: 1 of 2 (muse 1 of 3), 0.0083/s, 0:02:00 left",
        "tasks: 1 of 2 (muse 3 of 3), 0.0056/s, 0:03:00 left",
    ]
    list(device.progress(slowly(range(9), clock, 60), 9, "alone", show=False))
    assert capsys.readouterr().err == ""  # nothing is shown any more


def test_an_unknown_number_and_a_note(clock, capsys):
    list(device.progress(slowly(iter("abc"), clock, 59), description="a", note=lambda: "loss 1"))
    assert capsys.readouterr().err == "a: 2, loss 1\n"


def test_bars_inside_each_other_are_one_display(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    for _ in device.progress([0] * 2, description="outer"):
        list(device.progress([0] * 3, description="inner", show=False))
    assert "outer" in stream.getvalue() and "2/2" in stream.getvalue()
    assert device._LOOPS == []


def test_a_loop_that_is_left_is_not_shown_any_more(monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    for _ in device.progress([0] * 2):
        break
    with pytest.raises(ValueError, match="fault"):
        for _ in device.progress([0] * 2):
            raise ValueError("fault")
    import gc

    gc.collect()
    assert device._LOOPS == []


def test_a_device_that_is_asked_for_is_taken_wherever_none_is_named(monkeypatch):
    monkeypatch.delenv(device.DEVICE, raising=False)
    device.use_device(None)
    assert device.default_device("cpu") == "cpu" and device.DEVICE not in device.os.environ
    with pytest.raises(OptionError, match="device 'abacus' is unknown"):
        device.use_device("abacus")
    monkeypatch.setenv(device.DEVICE, "meta")
    with pytest.raises(OptionError, match="device 'meta' is not on this machine"):
        device.pick_device()
    monkeypatch.setenv(device.DEVICE, "")
    device.use_device("cpu")
    assert device.pick_device() == torch.device("cpu") and device.default_device("cuda") == "cpu"


MODELS = ("parse", "retrofit", "explain", "eval", "eval papers", "translate", "gather", "gather-nli",
          "train-parser", "train-encoder", "train-student", "train-base", "fine-tune")  # fmt: skip


@pytest.mark.parametrize("command", MODELS)
def test_commands_that_run_a_model_take_a_device(command):
    from amrx.cli import COMMANDS

    function = getattr(importlib.import_module(COMMANDS[command].module), COMMANDS[command].function)
    assert "device" in inspect.signature(function).parameters
    if command in ("parse", "eval", "eval papers", "translate", "gather", "gather-nli"):
        assert "beam" in inspect.signature(function).parameters
