"""Threads: the least of affinity, quota and OMP_NUM_THREADS, whichever it is."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amrx import threads
from amrx.cli import main
from amrx.errors import OptionError


@pytest.fixture(autouse=True)
def _a_machine_of_eight(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Eight cores, no quota, nothing asked."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)))
    monkeypatch.setattr(threads, "ROOT", tmp_path / "none")
    monkeypatch.setenv("OMP_NUM_THREADS", "")
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def machine(root: Path, cgroup: str, **files: str) -> Path:
    """Write what the kernel shows; a key ``a__b`` is the file ``a/b`` below the mount."""
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/cgroup").write_text(cgroup)
    for name, text in files.items():
        file = root / "sys/fs/cgroup" / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


def test_affinity_alone(monkeypatch: pytest.MonkeyPatch):
    assert threads.default_threads() == threads.cores() == 8
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3})
    assert threads.default_threads() == threads.cores() == 1
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert threads.cores() == 5


@pytest.mark.parametrize(
    ("text", "count"),
    [("200000 100000\n", 2), ("150000 100000", 1), ("50000 100000", 1), ("max 100000", 8),
     ("9900000 100000", 8), ("400000 200000", 2), ("", 8), ("junk", 8), ("0 100000", 8), ("100000 0", 8)],
)  # fmt: skip
def test_quota_of_cgroup_2(text: str, count: int, tmp_path: Path):
    root = machine(tmp_path, "0::/\n", cpu_dot_max=text)
    assert threads.cores(root) == threads.default_threads(root) == count


def test_the_least_quota_of_all_groups_above_counts(tmp_path: Path):
    files = {
        "cpu_dot_max": "max 100000",
        "a__cpu_dot_max": "300000 100000",
        "a__b__cpu_dot_max": "max 100000",
    }
    assert threads.cores(machine(tmp_path, "0::/a/b\n", **files)) == 3
    assert threads.cores(machine(tmp_path / "else", "0::/../a\n", **files)) == 3
    # the host's path of a container that sees its own group as the root
    seen = machine(tmp_path / "seen", "0::/kubepods/pod7/x\n", cpu_dot_max="200000 100000")
    assert threads.cores(seen) == 2


@pytest.mark.parametrize(
    ("quota", "period", "count"),
    [
        ("200000", "100000", 2),
        ("-1", "100000", 8),
        ("25000", "100000", 1),
        ("300000", "50000", 6),
        ("", "", 8),
    ],
)
@pytest.mark.parametrize("names", ["cpu", "cpu,cpuacct", "cpuacct,cpu"])
def test_quota_of_cgroup_1(quota: str, period: str, count: int, names: str, tmp_path: Path):
    lines = f"12:memory:/docker/7\n4:{names}:/docker/7\n1:name=systemd:/docker/7\n"
    files = {"cpu__cpu_dot_cfs_quota_us": quota, "cpu__cpu_dot_cfs_period_us": period}
    assert threads.cores(machine(tmp_path, lines, **files)) == count
    inner = {name.replace("cpu__", "cpu__docker__7__", 1): text for name, text in files.items()}
    assert threads.cores(machine(tmp_path / "inner", lines, **inner)) == count


def test_cpuset_is_no_quota(tmp_path: Path):
    files = {"cpu__cpu_dot_cfs_quota_us": "100000", "cpu__cpu_dot_cfs_period_us": "100000"}
    assert threads.cores(machine(tmp_path, "4:cpuset:/\n3:cpuacct:/\n", **files)) == 8


@pytest.mark.parametrize(
    ("text", "count"),
    [("3", 3), (" 2 ", 2), ("4,2,1", 4), ("0", 8), ("-1", 8), ("many", 8), ("100", 8), ("", 8), ("²", 8),
     ("9" * 5000, 8), ("1.5", 8)],
)  # fmt: skip
def test_the_variable(text: str, count: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", text)
    assert threads.default_threads() == count
    assert threads.cores() == 8  # of processes with one thread each there may be as many as cores
    assert threads.set_threads() == torch.get_num_threads() == count
    assert threads.set_threads(10_000) == torch.get_num_threads() == count


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 20), st.integers(1, 20), st.integers(1, 20), st.integers(1, 20))
def test_the_least_of_all_is_taken(tmp_path_factory, affinity, quota, asked, count):
    root = machine(tmp_path_factory.mktemp("m"), "0::/\n", cpu_dot_max=f"{quota}000 1000")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda pid: set(range(affinity)))
        patch.setattr(threads, "ROOT", root)
        patch.setenv("OMP_NUM_THREADS", str(asked))
        assert threads.cores() == min(affinity, quota)
        assert threads.set_threads() == min(affinity, quota, asked)
        assert threads.set_threads(count) == min(affinity, quota, asked, count)
        threads.limit_threads(count)
        assert threads.set_threads() == min(affinity, quota, asked, count)


def test_fewer_than_one_thread_is_refused():
    for setter in (threads.set_threads, threads.limit_threads):
        with pytest.raises(OptionError, match="got 0"):
            setter(0)


@pytest.mark.parametrize("given", [None, 2, 50])
def test_the_option_of_a_command_holds_to_its_end(given, tmp_path, monkeypatch):
    """The parser's loader sets threads again, after the command."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "s.txt").write_text("Hello.\n")
    option = [] if given is None else ["--threads", str(given)]
    argv = [
        "parse",
        str(tmp_path / "s.txt"),
        "--lang",
        "en",
        "--parser",
        "mini",
        "-o",
        str(tmp_path / "o.amr"),
    ]
    assert main([*argv, *option]) == 0
    assert torch.get_num_threads() == min(given or 8, 8)
