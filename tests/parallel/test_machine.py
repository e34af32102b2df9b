"""What a process occupies, and what its machine or container has."""

from __future__ import annotations

import os

import numpy as np
import pytest

from irbounds.parallel import memory as machine
from irbounds.parallel.memory import NO_LIMIT, machine_memory, resident_memory

MIB = 1 << 20


@pytest.fixture(autouse=True)
def asked_anew():
    """Each test has a machine of its own."""
    machine_memory.cache_clear()
    yield
    machine_memory.cache_clear()


def test_this_process_and_machine():
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert 0 < machine_memory() <= physical
    before = resident_memory()
    ballast = np.ones(64 * MIB // 8)
    assert resident_memory() - before > 0.9 * ballast.nbytes


@pytest.mark.parametrize(
    ("place", "limits", "expected"),
    [
        ("0::/", {"memory.max": "4294967296"}, 4 << 30),
        ("0::/", {"memory.max": "max"}, None),
        ("0::/a/b", {"a/b/memory.max": "max", "a/memory.max": "3000000000"}, 3_000_000_000),
        ("5:cpu,memory:/job", {"memory/job/memory.limit_in_bytes": "1000000000"}, 10**9),
        ("5:cpu:/job", {"memory/memory.limit_in_bytes": "9223372036854771712"}, None),
    ],
)
def test_the_limit_of_a_container(tmp_path, monkeypatch, place, limits, expected):
    for name, text in limits.items():
        (tmp_path / "groups" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "groups" / name).write_text(f"{text}\n")
    (tmp_path / "mine").write_text(f"{place}\n")
    monkeypatch.setattr(machine, "CGROUPS", tmp_path / "groups")
    monkeypatch.setattr(machine, "CGROUP_OF_PROCESS", tmp_path / "mine")
    monkeypatch.setattr(machine.os, "sysconf", lambda name: 1 << (31 if "PAGES" in name else 12))
    assert machine_memory() == (expected or 1 << 43)


def test_a_system_that_says_nothing(tmp_path, monkeypatch):
    for name in ("CGROUPS", "CGROUP_OF_PROCESS", "PAGES_OF_PROCESS"):
        monkeypatch.setattr(machine, name, tmp_path / "nowhere")
    monkeypatch.delattr(machine.os, "sysconf")
    assert (resident_memory(), machine_memory()) == (0, NO_LIMIT)


@pytest.mark.skipif(os.name == "nt", reason="limits as POSIX has them")
def test_the_limit_of_a_process(monkeypatch):
    before = machine_memory()
    for limit, expected in ((1 << 30, 1 << 30), (-1, before)):
        monkeypatch.setattr("resource.getrlimit", lambda _, limit=limit: (limit, limit))
        machine_memory.cache_clear()
        assert machine_memory() == expected
