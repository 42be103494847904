"""Train a one-pass parser from the raw data, in one resumable run.

::

    sembanks, silver graphs, constructed sentences -> labels, packed examples -> steps -> parser folder
"""

from __future__ import annotations

import itertools
import logging
from collections import ChainMap, Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from amrx.device import pick_device
from amrx.e5.tokenizer import E5Tokenizer
from amrx.errors import OptionError
from amrx.muse import weights as muse_weights
from amrx.pretrained.hub import TRAINING, name_of
from amrx.processes import Workers
from amrx.records import fingerprint as file_fingerprint
from amrx.threads import cores
from amrx.training import Outcome, Schedule, alone
from linearize.frames import unknown_frame
from linearize.packed import is_constant
from parser.mini.flat import Flat, flatten
from parser.mini.hints import Hints
from parser.mini.labels import Labels, build_labels, encode, read_labels, write_labels
from parser.mini.parser import MiniParser, load_mini
from parser.mini.source import read_source
from parser.mini.store import save_network
from parser.training.composed.draw import composed_examples
from parser.training.composed.relatives import relative_examples
from parser.training.constructions import constructions
from parser.training.corpora.leakage import RESERVED, load_reserved
from parser.training.corpora.silver import read_silver
from parser.training.example import Example
from parser.training.mini.pack import MOST_NODES, Array, Corpus, Packer, join
from parser.training.mini.pack_file import read_arrays, write_arrays
from parser.training.mini.prepare import (
    restyled,
    sembank_examples,
    silver_examples,
    with_known_frames,
)
from parser.training.mini.recipe import Recipe
from parser.training.mini.start import extended, new_network
from parser.training.mini.task import MiniTask
from parser.training.task import claim, run_task

__all__ = ["Recipe", "train"]
_LOG = logging.getLogger(__name__)
PACKED = "examples.bin"
PART = 20_000
"""Number of examples that a process packs at a time."""
LEAST_EXAMPLES = 100
"""Minimum number of examples of a language that counts as trained."""
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
    """Train a parser; a stopped or killed run resumes from its last checkpoint.

    A run stopped by ``time_limit`` (seconds of steps) writes no parser. ``muse`` is the folder of
    multilingual USE, for the vectors of concept names.
    """
    with alone(out):
        start, work = load_start(recipe.start) if recipe.start else None, out / TRAINING
        key = run_fingerprint(data, recipe, start.fingerprint if start else "")
        claim(work, key, recipe)
        chosen = pick_device(device)
        muse_weights.find(muse)  # missing weights end the run before the data is packed
        labels, languages = _pack(data, work, recipe, start)
        shape = recipe.shape(len(labels), len(labels.roles))
        network = (
            extended(start.network, start.labels, labels, shape, muse) if start
            else new_network(shape, labels, recipe.seed, muse)
        )  # fmt: skip
        network.languages = tuple(sorted({*network.languages, *languages}))
        task = MiniTask(Corpus(read_arrays(work / PACKED)), network, recipe, chosen)
        schedule = Schedule(recipe.steps, recipe.seed, checkpoint_every=recipe.save_every)
        outcome = run_task(task, schedule, work, key, time_limit=time_limit)
        if outcome.finished:
            save_network(out, task.averaged(), labels)
        return outcome


def run_fingerprint(data: Path, recipe: Recipe, start: str) -> str:
    """Return a hash of the recipe, the start and the data files."""
    files = sorted({path for pattern in _READ for path in data.glob(pattern) if path.is_file()})
    names = [path.relative_to(data).as_posix() for path in files]
    files += recipe.silver_files
    return file_fingerprint({"recipe": repr(recipe), "start": start, "files": names}, files)


def load_start(name: str) -> MiniParser:
    """Load the parser that a run starts from; fail before any work if it is not a one-pass parser."""
    kind, colon, folder = name_of(name).partition(":")
    if kind != "mini" and Path(name).is_dir():
        folder = str(name)
    elif kind != "mini" or (colon and not folder):
        raise OptionError(f"start must be a mini parser, got {name!r}")
    return load_mini(folder or None, int8=False)


def _pack(data: Path, work: Path, recipe: Recipe, start: MiniParser | None) -> tuple[Labels, list[str]]:
    """Pack the examples unless that is done; return the labels and the languages of the examples."""
    packed, symbols, languages = work / PACKED, work / "labels.json", work / "languages.txt"
    if not packed.exists():
        _LOG.info("reading the data of %s", data)
        examples = [example for example in gather(data, recipe) if example.lang not in recipe.leave_out]
        graphs = {tuple(example.graph) for example in examples}
        known_labels = _with_known_frames(start.labels) if start else None
        labels = build_labels(map(flatten, sorted(graphs)), recipe.least, known_labels)
        arrays, counts = pack_in_parts(examples, labels)
        known = [lang for lang, count in sorted(counts.items()) if count >= LEAST_EXAMPLES]
        languages.write_text(" ".join(known), "utf-8")
        write_labels(symbols, labels)
        write_arrays(packed, arrays)
    return read_labels(symbols), languages.read_text("utf-8").split()


def gather(data: Path, recipe: Recipe) -> Iterator[Example]:
    """Yield all examples: sembanks, silver graphs, composed and constructed sentences."""
    reserved = load_reserved(data)
    sources = [with_known_frames(sembank_examples(data, reserved))]
    if recipe.silver_files:
        graphs = dict(ChainMap(*(dict(read_silver(file)) for file in recipe.silver_files)))
        sources.append(with_known_frames(silver_examples(data, reserved, recipe, graphs)))
    examples = list(itertools.chain(*sources))
    yield from restyled(examples, recipe.seed)
    known = [example for example in examples if example.lang not in recipe.held_out]
    relative = list(relative_examples(known, recipe.relative, recipe.seed, reserved))
    yield from relative
    yield from composed_examples([*known, *relative], recipe.composed, recipe.seed, reserved)
    for example in constructions(recipe.constructed, recipe.seed):
        if example.text not in reserved:
            yield replace(example, weight=example.weight * recipe.constructed_weight)


def _with_known_frames(labels: Labels) -> Labels:
    """Return the labels without frames that PropBank lacks."""
    nodes = (node for node in labels.nodes if is_constant(node) or not unknown_frame(node))
    return Labels(tuple(nodes), labels.roles)


def pack_in_parts(examples: Sequence[Example], labels: Labels) -> tuple[dict[str, Array], Counter[str]]:
    """Return the result of `pack_examples`, computed by several processes in parts."""
    parts = [examples[begin : begin + PART] for begin in range(0, len(examples), PART)]
    count = min(len(parts), cores())
    if count < 2:
        return pack_examples(examples, labels, E5Tokenizer())
    with Workers(count) as workers:
        packed = list(workers.map(_pack_part, parts, [labels] * len(parts)))
    return join(arrays for arrays, _ in packed), Counter(sum((counts for _, counts in packed), Counter()))


def _pack_part(examples: Sequence[Example], labels: Labels) -> tuple[dict[str, Array], Counter[str]]:
    return pack_examples(examples, labels, E5Tokenizer())


def pack_examples(
    examples: Iterable[Example], labels: Labels, tokenizer: E5Tokenizer
) -> tuple[dict[str, Array], Counter[str]]:
    """Return the arrays of `parser.training.mini.pack`, and the number of examples of each language.

    Left out are sentences that are too long, and graphs with more than `MOST_NODES` nodes, more nodes than
    queries, or a role that ``labels`` lacks.
    """
    packer, hints, counts, left_out = Packer(), Hints(labels), Counter[str](), Counter[str]()
    flats: dict[tuple[str, ...], Flat] = {}
    for example in examples:
        source = read_source(example.text, example.lang, tokenizer)
        key = tuple(example.graph)
        flat = flats.get(key) or flats.setdefault(key, flatten(key))
        fits = source.ids and not source.cut and len(flat.nodes) <= min(MOST_NODES, 2 * len(source.ids))
        target = encode(flat, source.words, labels) if fits else None
        if target is None:
            left_out[example.lang] += 1
            continue
        packer.add(source, target, hints.of(source), example.weight)
        counts[example.lang] += 1
    lacking = ", ".join(f"{lang} {count}" for lang, count in sorted(left_out.items()))
    _LOG.info("%d examples; left out: %s", counts.total(), lacking or "none")
    return packer.arrays(), counts
