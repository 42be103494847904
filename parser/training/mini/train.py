"""Train a mini parser from the raw data, in one resumable run.

::

    sembanks, silver graphs, constructed sentences -> alphabet, packed examples -> steps -> parser folder
"""

from __future__ import annotations

import itertools
import logging
from collections import ChainMap
from collections.abc import Iterator
from pathlib import Path

from amrx.device import pick_device
from amrx.e5.tokenizer import E5Tokenizer
from amrx.errors import OptionError
from amrx.muse import weights as muse_weights
from amrx.pretrained.hub import TRAINING
from amrx.records import fingerprint as file_fingerprint
from amrx.training import Outcome, Schedule, alone
from parser.load import load
from parser.mini.parser import MiniParser
from parser.mini.recurrence import recurrence
from parser.mini.store import read_alphabet, save_network, write_alphabet
from parser.mini.symbols import Alphabet, build_alphabet, with_frames
from parser.training.corpora.leakage import RESERVED, load_reserved
from parser.training.corpora.silver import read_silver
from parser.training.example import Example
from parser.training.mini.batches import Corpus
from parser.training.mini.concept_vectors import name_vectors, new_name_vectors
from parser.training.mini.pack_data import languages_of, pack_examples, read_arrays, write_arrays
from parser.training.mini.prepare import restyled, sembank_examples, silver_examples
from parser.training.mini.recipe import Recipe
from parser.training.mini.task import MiniTask
from parser.training.task import claim, run_task
from parser.training.templates.composed.draw import composed_examples
from parser.training.templates.composed.relatives import relative_examples
from parser.training.templates.meanings.draw import constructed_examples

__all__ = ["Recipe", "train"]
_LOG = logging.getLogger(__name__)
PACKED = "examples.bin"
_READ = (
    "amr/**/*", "parallel/**/*", "sts/stsb/*/train.csv", "transfer/XNLI/dev-*.tsv",
    "transfer/PAWSX/dev-*.tsv", "qe/*/train.tsv.gz", *(pattern for pattern, _ in RESERVED.values()),
)  # fmt: skip
"""Files of the open data that examples come from, or that reserve a text."""


def train(
    data: Path,
    out: Path,
    recipe: Recipe,
    *,
    muse: Path | None = None,
    device: str | None = None,
    time_limit: float | None = None,
) -> Outcome:
    """Train a mini parser; a stopped or killed run resumes from its last checkpoint.

    A run stopped by ``time_limit`` (seconds of steps) writes no parser. ``muse`` is the folder of
    multilingual USE, for the vectors of concept names.
    """
    with alone(out):
        start, work = _load_start(recipe), out / TRAINING
        key = run_fingerprint(data, recipe, start.fingerprint if start else "")
        claim(work, key, recipe)
        chosen = pick_device(device)
        muse_weights.find(muse)  # missing weights end the run before the data is packed
        alphabet = _pack(data, work, recipe, start)
        names = (
            new_name_vectors(alphabet, start.network.names, muse) if start
            else name_vectors(alphabet, recipe.shape(len(alphabet)).meaning, muse)
        )  # fmt: skip
        arrays = read_arrays(work / PACKED)
        task = MiniTask(
            Corpus(arrays), alphabet, names, recurrence(arrays, alphabet), recipe, chosen,
            None if start is None else start.network,
        )  # fmt: skip
        schedule = Schedule(recipe.steps, recipe.seed, checkpoint_every=recipe.save_every)
        outcome = run_task(task, schedule, work, key, time_limit=time_limit)
        if not outcome.finished:
            return outcome
        network = task.averaged()
        known = start.network.languages if start else ()
        network.languages = tuple(sorted({*known, *languages_of(arrays)}))
        save_network(out, network, alphabet)
        return outcome


def run_fingerprint(data: Path, recipe: Recipe, start: str) -> str:
    """Return a hash of the recipe, the start and the data files."""
    files = sorted({path for pattern in _READ for path in data.glob(pattern) if path.is_file()})
    names = [path.relative_to(data).as_posix() for path in files]
    files += recipe.silver_files
    return file_fingerprint({"recipe": repr(recipe), "start": start, "files": names}, files)


def load_start(name: str) -> MiniParser:
    """Load the parser that a run starts from; fail before any work if it is not a mini parser."""
    start = load(name)
    if not isinstance(start, MiniParser):
        raise OptionError(f"start must be a mini parser, got {name!r}")
    return start


def _load_start(recipe: Recipe) -> MiniParser | None:
    """Load the parser that the recipe starts from, if any; its shape must be the recipe's."""
    if not recipe.start:
        return None
    start = load_start(recipe.start)
    own, wanted = start.network.shape, recipe.shape(len(start.alphabet))
    if (own.width, own.inner, own.decoder) != (wanted.width, wanted.inner, wanted.decoder):
        raise OptionError(f"start {recipe.start!r} has the shape {own}, and the recipe {wanted}")
    return start


def _pack(data: Path, work: Path, recipe: Recipe, start: MiniParser | None) -> Alphabet:
    """Pack the examples unless that is done; return the alphabet."""
    packed, symbols = work / PACKED, work / "symbols.json"
    if not packed.exists():
        tokenizer = E5Tokenizer()
        _LOG.info("reading the data of %s", data)
        left_out = frozenset(recipe.leave_out)
        examples = [example for example in _examples(data, recipe) if example.lang not in left_out]
        graphs = [example.graph for example in examples if example.lang == "en"]
        alphabet = start.alphabet if start else build_alphabet(graphs, recipe.least, recipe.most_nodes)
        alphabet = with_frames(alphabet, graphs, recipe.least)
        arrays = pack_examples(examples, alphabet, tokenizer)
        write_alphabet(symbols, alphabet)
        write_arrays(packed, arrays)
    return read_alphabet(symbols)


def _examples(data: Path, recipe: Recipe) -> Iterator[Example]:
    reserved = load_reserved(data)
    sources = [sembank_examples(data, reserved)]
    if recipe.silver_files:
        graphs = dict(ChainMap(*(dict(read_silver(file)) for file in recipe.silver_files)))
        sources.append(silver_examples(data, reserved, recipe, graphs))
    examples = list(itertools.chain(*sources))
    yield from restyled(examples, recipe.seed)
    relative = list(relative_examples(examples, recipe.relative, recipe.seed, reserved))
    yield from relative
    yield from composed_examples([*examples, *relative], recipe.composed, recipe.seed, reserved)
    for example in constructed_examples(recipe.constructed, recipe.seed, reserved):
        yield Example(example.text, example.graph, example.lang, example.weight * recipe.constructed_weight)
