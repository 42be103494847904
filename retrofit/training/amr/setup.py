"""Everything a run needs before its first step."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from amrx.device import pick_device
from amrx.errors import OptionError, OutputError
from retrofit.amr.backbone import backbone_fingerprint
from retrofit.amr.model import AmrModel, attention_for
from retrofit.training.amr.corpus import Corpus, read_corpus
from retrofit.training.amr.dev import DevSet, read_dev
from retrofit.training.amr.objectives import Objectives
from retrofit.training.amr.prepare import Prepared, prepare
from retrofit.training.amr.recipe import Recipe
from retrofit.training.amr.teacher import teach

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True, slots=True)
class Setup:
    """Corpus, arrays, untrained model, objectives and dev pairs of one run.

    Attributes:
        out: Encoder folder.
        folder: ``out/training``.
        device: Where the run trains.
        fingerprint: Hash of what must not change on resuming: the recipe, the files of backbone and teacher,
            the vocabulary, all that was read of corpus and dev pairs.
        corpus: The corpus as read.
        prepared: Rows and draws.
        model: The untrained encoder.
        teacher: Unit vectors of the groups ``(G, d)`` float16 on the device, or ``None``.
        objectives: What is learnt from them.
        dev: Dev pairs, or ``None``.
    """

    out: Path
    folder: Path
    device: torch.device
    fingerprint: str
    corpus: Corpus
    prepared: Prepared
    model: AmrModel
    teacher: torch.Tensor | None
    objectives: Objectives
    dev: DevSet | None


def set_up(corpus: Path, out: Path, recipe: Recipe, device: str | None) -> Setup:
    """Read, check, tokenise and teach; see `retrofit.training.amr.train.train` for the errors."""
    place = torch.device(pick_device(device))
    if place.type == "cuda":
        torch.set_float32_matmul_precision("high")
    folder = out / "training"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made: {error.strerror}") from error
    form, parentheses = recipe.model.form, recipe.model.parentheses
    read = read_corpus(corpus, form=form, parentheses=parentheses)
    dev = read_dev(corpus, form=form, parentheses=parentheses)
    check_corpus(read, dev, recipe, corpus)
    prepared, model = prepare(read, recipe)
    model.backbone.set_attn_implementation(attention_for(place))
    teacher = None
    if recipe.distill.weight > 0:
        teacher = torch.from_numpy(teach(read.texts, recipe.distill.teacher, folder, place)).to(place)
    objectives = Objectives(read, prepared, recipe, teacher)
    if not objectives.names:
        raise OptionError(f"no objective of the recipe finds data in {corpus}")
    run = _fingerprint(recipe, prepared.tokenizer, read, dev)
    return Setup(out, folder, place, run, read, prepared, model, teacher, objectives, dev)


def check_corpus(read: Corpus, dev: DevSet | None, recipe: Recipe, folder: Path) -> None:
    """Refuse a corpus without something that the recipe counts on: another experiment would be run.

    Args:
        read: The corpus.
        dev: Its dev pairs.
        recipe: The recipe.
        folder: The corpus folder, for the error.

    Raises:
        OptionError: The recipe ends by patience and there are no dev pairs, or it draws from languages of
            which there is no parse.
    """
    if dev is None and recipe.patience > 0:
        raise OptionError(
            f"{folder}: has no dev pairs, by which recipe key 'patience' ends the run; gather them "
            "(amrx gather-nli --dev en), or train to the last step: --set patience=0"
        )
    counts = dict(zip(read.languages, (read.table >= 0).sum(axis=0), strict=True))
    drawn = [code for code, weight in recipe.languages.items() if weight > 0]
    texts = {"en"} if recipe.english_text > 0 else set()
    lacking = [code for code in drawn if not counts.get(code) and code not in texts]
    if lacking:
        off = " ".join(f"--set languages.{code}=0" for code in lacking)
        raise OptionError(
            f"{folder}: has no parse in {', '.join(lacking)}, which the recipe draws from; add them, or "
            f"leave them out: {off}"
        )


def _fingerprint(recipe: Recipe, tokenizer: Tokenizer, corpus: Corpus, dev: DevSet | None) -> str:
    key = hashlib.sha256(repr(recipe).encode())
    key.update(backbone_fingerprint(recipe.model.backbone).encode())
    if recipe.distill.weight > 0:
        key.update(backbone_fingerprint(recipe.distill.teacher).encode())
    key.update(tokenizer.to_str().encode())
    for part in (corpus, dev):
        for value in _bytes(part):
            key.update(value)
    return key.hexdigest()[:16]


def _bytes(value: object) -> Iterator[bytes]:
    """Yield what tells a value of a corpus from others; of a dataclass that of every field."""
    if isinstance(value, np.ndarray):
        yield f"{value.dtype}{value.shape}".encode() + value.tobytes()
    elif is_dataclass(value):
        for field in fields(value):
            yield from _bytes(getattr(value, field.name))
    else:
        yield repr(value).encode()
