"""From the raw data to a mini parser, in one resumable run.

::

    sembanks  ->  alphabet, packed examples  ->  steps up to the first of `project_at`
                                                   |  the parser so far reads the English side of
                                                   v  parallel text, finds parts to exchange
    the same examples and the new ones        ->  steps up to the next one (and so on)
                                                   |
                                                   v
                                                 parser folder
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from amrx.device import pick_device
from amrx.errors import OptionError
from amrx.muse.model import fastest_dtype, load_model
from amrx.muse.tokenize import MuseTokenizer
from amrx.pretrained.hub import TRAINING
from amrx.recipes import to_toml
from amrx.records import atomic_path
from amrx.threads import cores
from amrx.training import alone
from amrx.types import Parser
from parser.load import load
from parser.mini.parser import MiniParser
from parser.mini.recurrence import recurrence
from parser.mini.store import read_alphabet, save_network, write_alphabet
from parser.mini.symbols import Alphabet, build_alphabet
from parser.run.engines import open_parser
from parser.training.corpora.leakage import load_reserved
from parser.training.example import Example
from parser.training.mini.batches import Corpus
from parser.training.mini.concept_vectors import name_vectors
from parser.training.mini.exchange import exchanged_examples, nouns
from parser.training.mini.fingerprint import claim, run_fingerprint
from parser.training.mini.label import Labels, fingerprint
from parser.training.mini.pack_data import join_arrays, pack_examples, read_arrays, write_arrays
from parser.training.mini.prepare import OTHER_STSB_WEIGHT, projected_examples, sembank_examples
from parser.training.mini.recipe import Recipe
from parser.training.mini.trainer import Trainer, run
from parser.training.templates.meanings.draw import constructed_examples

__all__ = ["Recipe", "train"]
_LOG = logging.getLogger(__name__)


def train(
    data: Path, out: Path, recipe: Recipe, *, muse: Path | None = None, device: str | None = None
) -> None:
    """Train a mini parser; started again after a kill it goes on from its last checkpoint.

    Args:
        data: Folder of the open data.
        out: Parser folder to write; ``out/training`` keeps packed examples, checkpoint and log.
        recipe: Hyper-parameters.
        muse: Folder with the weights of multilingual USE; the installed package when ``None``.
        device: Torch device; the best there is when ``None``.

    Raises:
        MissingResourceError: Data or the weights of multilingual USE are missing.
        InputError: A data file is malformed, or the checkpoint is damaged.
        OptionError: What the recipe goes on from is no mini parser, or one of another shape; there is no such
            teacher; or ``out`` holds a run of another recipe, start, teacher or data.
        OutputError: ``out`` cannot be written, or another run is training into it.
    """
    with alone(out):
        _train(data, out, recipe, muse, device)


def _train(data: Path, out: Path, recipe: Recipe, muse: Path | None, device: str | None) -> None:
    start, parsers = _started(recipe)
    work = out / TRAINING
    claim(work, run_fingerprint(data, recipe, parsers))
    with atomic_path(work / "recipe.toml") as temporary:
        temporary.write_text(to_toml(recipe), "utf-8")
    tokenizer = MuseTokenizer(muse)
    alphabet, first = _sembank_stage(data, work, recipe, tokenizer, start)
    chosen = pick_device(device)
    checkpoint, log = work / "checkpoint.safetensors", work / "log.jsonl"
    # in bfloat16 the features lose nothing that matters (cosine 0.9999)
    features = load_model(muse, dtype=fastest_dtype(chosen))
    names = name_vectors(alphabet, features, tokenizer, recipe.shape(len(alphabet)).meaning)
    sembanks = read_arrays(first)
    recurs = recurrence(sembanks, alphabet)
    made, exchanged = (
        [work / f"{name}-{number}.bin" for number in range(len(recipe.project_at) + 1)]
        for name in ("projected", "exchanged")
    )
    ends = [work / f"average-{number}.safetensors" for number in range(len(recipe.project_at))]
    soup = {path: share for path, share in zip(reversed(ends), recipe.soup[1:], strict=False) if share}
    trainer = None
    network = None if start is None else start.network
    for stage, (_, end) in enumerate(recipe.stages()):
        if stage < len(recipe.project_at) and made[stage + 1].exists():
            continue  # done before the run was stopped
        arrays = sembanks
        if stage:
            if trainer is not None and not made[stage].exists():
                so_far, beam = trainer.averaged().cpu(), recipe.project_beam[stage - 1]
                name = fingerprint(so_far)
                parser = MiniParser(so_far, alphabet, load_model(muse), tokenizer, name, max(beam, 1))
                draws, kept_at = recipe.project_draws[stage - 1], work / f"labels-{stage}.sqlite"
                with ExitStack() as stack:
                    labels = Labels(_teacher(recipe, draws, chosen, stack) or parser, draws, kept_at)
                    labelled = _labelled(data, recipe, labels, stage - 1) if beam else []
                # before the labels, whose file says that all of the stage is there
                if recipe.project_exchange[stage - 1] and not exchanged[stage].exists():
                    before = None if beam else exchanged[stage - 1]
                    _exchange_stage(data, exchanged[stage], recipe, parser, labelled, stage - 1, before)
                kept = pack_examples(labelled, alphabet, tokenizer) if beam else read_arrays(made[stage - 1])
                write_arrays(made[stage], kept)
                labels.forget()
            arrays = join_arrays(sembanks, _weighted(made[stage], recipe.project_weight[stage - 1]))
            if weight := recipe.project_exchange[stage - 1]:
                arrays = join_arrays(arrays, _weighted(exchanged[stage], weight))
            if weight := recipe.project_constructed[stage - 1]:
                constructed = _constructed_stage(data, work, recipe, alphabet, tokenizer)
                arrays = join_arrays(arrays, _weighted(constructed, weight))
        trainer = Trainer(
            Corpus(arrays), alphabet, names, recurs, features.to(chosen), recipe, chosen, stage, network
        )
        run(trainer, checkpoint, log, _LOG.info, stop=end)
        if stage < len(ends) and ends[stage] in soup:
            trainer.save_average(ends[stage])
    if trainer is not None:
        save_network(out, trainer.averaged(soup, recipe.soup[0]), alphabet)


def _started(recipe: Recipe) -> tuple[MiniParser | None, str]:
    """Return the parser that the recipe goes on from, if any, and the fingerprints of it and of the teacher.

    What is missing is told before any work.
    """
    teacher = load(recipe.teacher).fingerprint if recipe.teacher else ""
    if not recipe.start:
        return None, teacher
    found = load(recipe.start)
    if not isinstance(found, MiniParser):
        raise OptionError(f"start {recipe.start!r} is no mini parser, and only those can be gone on from")
    has, wanted = (
        replace(shape, dropout=0, word_dropout=0)
        for shape in (found.network.shape, recipe.shape(len(found.alphabet)))
    )
    if replace(has, encoder=max(has.encoder, wanted.encoder)) != wanted:
        raise OptionError(f"start {recipe.start!r} has the shape {has}, and the recipe {wanted}")
    return found, f"{found.fingerprint} {teacher}"


def _teacher(recipe: Recipe, draws: int, device: torch.device, stack: ExitStack) -> Parser | None:
    """Open the recipe's teacher, if any: without a GPU as a process a core, which end with ``stack``.

    One that is to draw graphs is loaded here, as the processes only search.
    """
    if not recipe.teacher:
        return None
    alone = draws or device.type != "cpu"
    return open_parser(recipe.teacher, None if alone else cores(), stack)


def _sembank_stage(
    data: Path, work: Path, recipe: Recipe, tokenizer: MuseTokenizer, start: MiniParser | None
) -> tuple[Alphabet, Path]:
    packed, symbols = work / "sembank.bin", work / "symbols.json"
    if not packed.exists():
        _LOG.info("reading the sembanks of %s", data)
        examples = list(sembank_examples(data, load_reserved(data)))
        graphs = [example.graph for example in examples if example.lang == "en"]
        alphabet = start.alphabet if start else build_alphabet(graphs, recipe.least, recipe.most_nodes)
        write_alphabet(symbols, alphabet)
        write_arrays(packed, pack_examples(examples, alphabet, tokenizer))
    return read_alphabet(symbols), packed


def _weighted(path: Path, weight: float) -> dict[str, npt.NDArray[np.generic]]:
    """Packed examples of a file, drawn ``weight`` times as often as it says."""
    arrays = read_arrays(path)
    arrays["pair_weight"] = arrays["pair_weight"].astype(np.float32) * np.float32(weight)
    return arrays


def _exchange_stage(
    data: Path,
    path: Path,
    recipe: Recipe,
    teacher: MiniParser,
    labelled: Sequence[Example],
    projection: int,
    kept: Path | None,
) -> None:
    if kept is not None and kept.exists():
        write_arrays(path, read_arrays(kept))
        return
    _LOG.info("exchanging parts of sentences")
    reserved = load_reserved(data)
    examples = [e for e in sembank_examples(data, reserved) if e.weight > OTHER_STSB_WEIGHT]
    known = nouns(example.graph for example in examples if example.lang == "en")
    langs = {example.lang for example in examples}
    times = recipe.project_exchanges[projection]
    others = [example for example in labelled if times and example.lang not in langs]
    made = itertools.chain(
        exchanged_examples(teacher, examples, known, recipe.exchanges, recipe.seed),
        exchanged_examples(teacher, others, known, times, recipe.seed),
    )
    # an exchange may happen to write a sentence that is for measuring only
    free = (example for example in made if example.text not in reserved)
    write_arrays(path, pack_examples(free, teacher.alphabet, teacher.tokenizer))


def _constructed_stage(
    data: Path, work: Path, recipe: Recipe, alphabet: Alphabet, tokenizer: MuseTokenizer
) -> Path:
    path = work / "constructed.bin"
    if not path.exists():
        made = constructed_examples(recipe.constructed, recipe.seed, load_reserved(data))
        write_arrays(path, pack_examples(made, alphabet, tokenizer))
    return path


def _labelled(data: Path, recipe: Recipe, labels: Labels, projection: int) -> list[Example]:
    _LOG.info("projecting English graphs to %s", ", ".join(recipe.project_langs))
    return list(projected_examples(data, load_reserved(data), recipe, labels, projection))
