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
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from amrx.device import pick_device
from amrx.e5.tokenizer import E5Tokenizer
from amrx.errors import OptionError
from amrx.muse.model import fastest_dtype, load_model
from amrx.muse.tokenize import MuseTokenizer
from amrx.pretrained.hub import TRAINING
from amrx.records import fingerprint as file_fingerprint
from amrx.threads import cores
from amrx.training import Schedule, alone
from amrx.training.checkpoint import write_tensors
from amrx.types import Parser
from parser.load import load
from parser.mini.parser import MiniParser, reader_of
from parser.mini.reader import E5Layers, E5Reader, MuseReader, Reader
from parser.mini.recurrence import recurrence
from parser.mini.store import read_alphabet, save_network, write_alphabet
from parser.mini.symbols import Alphabet, build_alphabet
from parser.run.engines import open_parser
from parser.training.corpora.leakage import RESERVED, load_reserved
from parser.training.example import Example
from parser.training.mini.batches import Corpus
from parser.training.mini.concept_vectors import name_vectors
from parser.training.mini.exchange import exchanged_examples, nouns
from parser.training.mini.label import Labels, fingerprint
from parser.training.mini.pack_data import join_arrays, pack_examples, read_arrays, write_arrays
from parser.training.mini.prepare import OTHER_STSB_WEIGHT, projected_examples, restyled, sembank_examples
from parser.training.mini.recipe import Recipe
from parser.training.mini.task import MiniTask
from parser.training.task import claim, run_task
from parser.training.templates.meanings.draw import constructed_examples

__all__ = ["Recipe", "train"]
_LOG = logging.getLogger(__name__)
SEMBANKS = "sembank.bin"
Arrays = dict[str, npt.NDArray[np.generic]]
_READ = (
    "amr/**/*",
    "parallel/**/*",
    "sts/stsb/*/train.csv",
    "transfer/XNLI/dev-*.tsv",
    "transfer/PAWSX/dev-*.tsv",
    "qe/*/train.tsv.gz",
    *(pattern for pattern, _ in RESERVED.values()),
)
"""Files of the open data that examples come from, or that reserve a text."""


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
        OutputError: ``out`` cannot be written, or another run is using it.
        AmrxError: A loss or the gradient is not finite.
    """
    with alone(out):
        _train(data, out, recipe, muse, device)


def _train(data: Path, out: Path, recipe: Recipe, muse: Path | None, device: str | None) -> None:
    start, parsers = _load_start(recipe)
    work, key = out / TRAINING, run_fingerprint(data, recipe, parsers)
    claim(work, key, recipe)
    chosen = pick_device(device)
    # in bfloat16 the features lose nothing that matters (cosine 0.9999)
    frozen = MuseReader(load_model(muse, dtype=fastest_dtype(chosen)), MuseTokenizer(muse))
    # the layers of a reader that is trained do not cut sentences
    reader = E5Reader(E5Layers(0), E5Tokenizer.from_folder()) if recipe.reader else frozen
    run = _Run(data, work, recipe, muse, reader, chosen, _sembank_alphabet(data, work, recipe, reader, start))
    shape = recipe.shape(len(run.alphabet))
    names = name_vectors(run.alphabet, frozen.model, frozen.tokenizer, shape.meaning)
    frozen.model.to(chosen)
    sembanks = read_arrays(work / SEMBANKS)
    recurs = recurrence(sembanks, run.alphabet)
    ends = [work / f"average-{number}.safetensors" for number in range(len(recipe.project_at))]
    soup = {path: share for path, share in zip(reversed(ends), recipe.soup[1:], strict=False) if share}
    schedule = Schedule(recipe.steps, recipe.seed, checkpoint_every=recipe.save_every)
    task = None
    for stage, (_, end) in enumerate(recipe.stages()):
        if stage < len(ends) and run.labels(stage + 1).exists():
            continue  # done before the run was stopped
        if task is not None and not run.labels(stage).exists():
            run.project(stage, task)
        task = MiniTask(
            Corpus(run.arrays(stage, sembanks)), run.alphabet, names, recurs, frozen, recipe,
            chosen, stage, None if start is None else start.network,
        )  # fmt: skip
        run_task(task, schedule, work, key, stop=end)
        if stage < len(ends) and ends[stage] in soup:
            write_tensors(ends[stage], task.average)
    if task is not None:
        save_network(out, task.averaged(soup, recipe.soup[0]), run.alphabet)


@dataclass(frozen=True)
class _Run:
    """Make what the stages of a run learn from, each file once.

    Attributes:
        data: Folder of the open data.
        work: Folder that keeps the files.
        recipe: Which examples, how many.
        muse: Folder with the weights of multilingual USE.
        reader: Cuts sentences into pieces and words.
        device: Where the parser so far computes.
        alphabet: Symbols of the graphs.
    """

    data: Path
    work: Path
    recipe: Recipe
    muse: Path | None
    reader: Reader
    device: torch.device
    alphabet: Alphabet

    def labels(self, stage: int) -> Path:
        """Return the file of the labelled pairs that a stage begins with."""
        return self.work / f"projected-{stage}.bin"

    def exchanged(self, stage: int) -> Path:
        """Return the file of the examples with exchanged parts that a stage begins with."""
        return self.work / f"exchanged-{stage}.bin"

    def arrays(self, stage: int, sembanks: Arrays) -> Arrays:
        """Return everything that a stage learns from."""
        arrays, recipe = sembanks, self.recipe
        if not stage:
            return arrays
        arrays = join_arrays(arrays, _weighted(self.labels(stage), recipe.project_weight[stage - 1]))
        if weight := recipe.project_exchange[stage - 1]:
            arrays = join_arrays(arrays, _weighted(self.exchanged(stage), weight))
        if weight := recipe.project_constructed[stage - 1]:
            arrays = join_arrays(arrays, _weighted(self._constructed(), weight))
        return arrays

    def project(self, stage: int, task: MiniTask) -> None:
        """Label the parallel text for a stage, by the parser at the end of the one before or the teacher."""
        network, recipe, beam = task.averaged().cpu(), self.recipe, self.recipe.project_beam[stage - 1]
        parser = MiniParser(
            network, self.alphabet, reader_of(network, self.muse), fingerprint(network), max(beam, 1)
        )
        draws, cache = recipe.project_draws[stage - 1], self.work / f"labels-{stage}.sqlite"
        with ExitStack() as stack:
            labels = Labels(_teacher(recipe, draws, self.device, stack) or parser, draws, cache)
            labelled = self._label(labels, stage) if beam else []
        # before the labels, whose file says that all of the stage is there
        if recipe.project_exchange[stage - 1] and not self.exchanged(stage).exists():
            before = self.exchanged(stage - 1)
            if not beam and before.exists():
                write_arrays(self.exchanged(stage), read_arrays(before))
            else:
                self._exchange(stage, parser, labelled)
        packed = (
            pack_examples(labelled, self.alphabet, self.reader)
            if beam
            else read_arrays(self.labels(stage - 1))
        )
        write_arrays(self.labels(stage), packed)
        labels.forget()

    def _label(self, labels: Labels, stage: int) -> list[Example]:
        _LOG.info("projecting English graphs to %s", ", ".join(self.recipe.project_langs))
        return list(projected_examples(self.data, load_reserved(self.data), self.recipe, labels, stage - 1))

    def _exchange(self, stage: int, teacher: MiniParser, labelled: Sequence[Example]) -> None:
        _LOG.info("exchanging parts of sentences")
        reserved, recipe = load_reserved(self.data), self.recipe
        examples = [e for e in sembank_examples(self.data, reserved) if e.weight > OTHER_STSB_WEIGHT]
        known = nouns(example.graph for example in examples if example.lang == "en")
        langs = {example.lang for example in examples}
        times = recipe.project_exchanges[stage - 1]
        others = [example for example in labelled if times and example.lang not in langs]
        exchanged = itertools.chain(
            exchanged_examples(teacher, examples, known, recipe.exchanges, recipe.seed),
            exchanged_examples(teacher, others, known, times, recipe.seed),
        )
        # an exchange may happen to write a sentence that is for measuring only
        free = (example for example in exchanged if example.text not in reserved)
        write_arrays(self.exchanged(stage), pack_examples(free, self.alphabet, self.reader))

    def _constructed(self) -> Path:
        path, recipe = self.work / "constructed.bin", self.recipe
        if not path.exists():
            examples = constructed_examples(recipe.constructed, recipe.seed, load_reserved(self.data))
            write_arrays(path, pack_examples(examples, self.alphabet, self.reader))
        return path


def run_fingerprint(data: Path, recipe: Recipe, parsers: str) -> str:
    """Return a hash of all that decides a run.

    Args:
        data: Folder of the open data, whose files are read whole (190 MB: a second).
        recipe: The recipe.
        parsers: Fingerprints of the parser that the run goes on from, and of its teacher.
    """
    files = sorted({path for pattern in _READ for path in data.glob(pattern) if path.is_file()})
    names = [path.relative_to(data).as_posix() for path in files]
    return file_fingerprint({"recipe": repr(recipe), "parsers": parsers, "files": names}, files)


def _load_start(recipe: Recipe) -> tuple[MiniParser | None, str]:
    """Return the parser that the recipe goes on from, if any, and the fingerprints of it and of the teacher.

    Whatever is missing ends the run here, before any work.
    """
    teacher = load(recipe.teacher).fingerprint if recipe.teacher else ""
    if not recipe.start:
        return None, teacher
    start = load(recipe.start)
    if not isinstance(start, MiniParser):
        raise OptionError(f"start {recipe.start!r} is no mini parser, and only those can be gone on from")
    own, wanted = start.network.shape, recipe.shape(len(start.alphabet))
    if (own.width, own.inner, own.decoder) != (wanted.width, wanted.inner, wanted.decoder):
        raise OptionError(f"start {recipe.start!r} has a decoder of the shape {own}, and the recipe {wanted}")
    return start, f"{start.fingerprint} {teacher}"


def _teacher(recipe: Recipe, draws: int, device: torch.device, stack: ExitStack) -> Parser | None:
    """Open the recipe's teacher, if any: without a GPU as a process a core, which end with ``stack``.

    One that is to draw graphs is loaded here, as the processes only search.
    """
    if not recipe.teacher:
        return None
    alone = draws or device.type != "cpu"
    return open_parser(recipe.teacher, None if alone else cores(), stack)


def _sembank_alphabet(
    data: Path, work: Path, recipe: Recipe, reader: Reader, start: MiniParser | None
) -> Alphabet:
    """Return the alphabet, and pack the sembanks by it where that is still to be done."""
    packed, symbols = work / SEMBANKS, work / "symbols.json"
    if not packed.exists():
        _LOG.info("reading the sembanks of %s", data)
        examples = list(restyled(sembank_examples(data, load_reserved(data)), recipe.seed))
        graphs = [example.graph for example in examples if example.lang == "en"]
        alphabet = start.alphabet if start else build_alphabet(graphs, recipe.least, recipe.most_nodes)
        write_alphabet(symbols, alphabet)
        write_arrays(packed, pack_examples(examples, alphabet, reader))
    return read_alphabet(symbols)


def _weighted(path: Path, weight: float) -> Arrays:
    """Return packed examples of a file, drawn ``weight`` times as often as it says."""
    arrays = read_arrays(path)
    arrays["pair_weight"] = arrays["pair_weight"].astype(np.float32) * np.float32(weight)
    return arrays
