from __future__ import annotations

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


@pytest.mark.parametrize("show", [True, False, None])
def test_progress_gives_every_item_in_order(show, monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    assert list(device.progress(range(5), description="reading", show=show)) == [0, 1, 2, 3, 4]
    assert list(device.progress(iter("ab"), show=show)) == ["a", "b"]
    shown = stream.getvalue()
    assert ("reading" in shown and "5/5" in shown) if show else shown == ""


def test_progress_is_drawn_on_a_terminal_unless_refused(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for show, drawn in ((None, True), (False, False)):
        stream = Terminal()
        monkeypatch.setattr("sys.stderr", stream)
        assert list(device.progress([1, 2], show=show)) == [1, 2]
        assert bool(stream.getvalue()) is drawn
