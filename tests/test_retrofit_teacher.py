"""retrofit.training.amr.teacher: which vectors are taken from disk."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from retrofit.training.amr.teacher import TextTeacher, teach, teacher_fingerprint
from tests.support.amr_toys import backbone

__all__ = ["backbone"]

CPU = torch.device("cpu")
TEXTS = ["the dog sees the cat", "the owl sees the hen"]


def test_vectors_are_kept_by_the_weights_of_the_teacher_not_by_its_name(backbone: Path, tmp_path: Path):
    first, second = (Path(shutil.copytree(backbone, tmp_path / name)) for name in ("first", "second"))
    kept = teach(TEXTS, str(first), tmp_path, CPU)
    assert np.array_equal(teach(TEXTS, str(second), tmp_path, CPU), kept)
    assert len(list(tmp_path.glob("teacher-*.npy"))) == 1

    weights = load_file(first / "model.safetensors")
    save_file({name: tensor.roll(1, 0) for name, tensor in weights.items()}, first / "model.safetensors")
    made = teach(TEXTS, str(first), tmp_path, CPU)
    assert not np.array_equal(made, kept)
    assert np.array_equal(teach(TEXTS, str(second), tmp_path, CPU), kept)


def test_a_killed_run_resumes_after_its_last_block(backbone, tmp_path, monkeypatch):
    monkeypatch.setattr("retrofit.training.amr.teacher.BLOCK", 2)
    texts = [*TEXTS, "the hen sees the dog", "a cat", "an owl"]
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    whole = teach(texts, str(backbone), tmp_path / "whole", CPU)
    encode, asked = TextTeacher.__call__, []

    def until_killed(teacher: TextTeacher, block: list[str]) -> object:
        asked.append(len(block))
        if len(asked) == 2:
            raise KeyboardInterrupt
        return encode(teacher, block)

    monkeypatch.setattr(TextTeacher, "__call__", until_killed)
    with pytest.raises(KeyboardInterrupt):
        teach(texts, str(backbone), tmp_path / "killed", CPU)
    assert not list((tmp_path / "killed").glob("teacher-*.npy"))
    assert np.array_equal(teach(texts, str(backbone), tmp_path / "killed", CPU), whole)
    assert asked == [2, 2, 2, 1]  # the first block is not encoded again


def test_another_arithmetic_is_another_teacher(backbone: Path, monkeypatch: pytest.MonkeyPatch):
    found = set()
    for precision in ("fp32", "bf16"):
        monkeypatch.setattr("retrofit.amr.encoder.pick_precision", lambda *given, chosen=precision: chosen)
        found.add(teacher_fingerprint(str(backbone), CPU))
    assert len(found) == 2
