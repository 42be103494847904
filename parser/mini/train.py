"""From the raw data to a mini parser, in one resumable run.

::

    sembanks  ->  alphabet, packed examples  ->  steps up to `project_at`
                                                   |  the parser so far reads the English side of
                                                   |  parallel text in languages without sembanks
                                                   v
    the same examples and the projected ones  ->  the remaining steps  ->  parser folder
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import torch

from amrx.device import pick_device
from amrx.muse.model import load_model
from amrx.muse.tokenize import MuseTokenizer
from amrx.records import check_writable
from amrx.types import Sentence
from linearize.walk import linearize
from parser.corpora.leakage import load_reserved
from parser.mini.batches import Corpus
from parser.mini.pack_data import join_arrays, pack_examples, read_arrays, write_arrays
from parser.mini.parser import MiniParser
from parser.mini.prepare import projected_examples, sembank_examples
from parser.mini.store import read_alphabet, save_network, write_alphabet
from parser.mini.symbols import Alphabet, build_alphabet
from parser.mini.trainer import Recipe, Trainer, run
from parser.packing import pack

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
        InputError: A data file is malformed.
    """
    work = out / "training"
    work.mkdir(parents=True, exist_ok=True)
    check_writable(work / "log.jsonl")
    tokenizer = MuseTokenizer(muse)
    alphabet, first = _sembank_stage(data, work, recipe, tokenizer)
    chosen = pick_device(device)
    checkpoint, log = work / "checkpoint.safetensors", work / "log.jsonl"
    # oneDNN has fast bf16 kernels, and the features lose nothing that matters (cosine 0.9999)
    features = load_model(muse, dtype=torch.bfloat16)
    corpus, projected = read_arrays(first), work / "projected.bin"
    if recipe.project_at and not projected.exists():
        trainer = Trainer(Corpus(corpus), alphabet, features.to(chosen), recipe, chosen)
        run(trainer, checkpoint, log, _LOG.info, stop=recipe.project_at)
        teacher = MiniParser(trainer.averaged().cpu(), alphabet, load_model(muse), tokenizer, "teacher")
        _projection_stage(data, projected, recipe, teacher)
    if recipe.project_at:
        corpus = join_arrays(corpus, read_arrays(projected))
    trainer = Trainer(Corpus(corpus), alphabet, features.to(chosen), recipe, chosen)
    run(trainer, checkpoint, log, _LOG.info)
    save_network(out, trainer.averaged(), alphabet)


def _sembank_stage(data: Path, work: Path, recipe: Recipe, tokenizer: MuseTokenizer) -> tuple[Alphabet, Path]:
    packed, symbols = work / "sembank.bin", work / "symbols.json"
    if not packed.exists():
        _LOG.info("reading the sembanks of %s", data)
        examples = list(sembank_examples(data, load_reserved(data)))
        graphs = [example.graph for example in examples if example.lang == "en"]
        alphabet = build_alphabet(graphs, recipe.least, recipe.most_nodes)
        write_alphabet(symbols, alphabet)
        write_arrays(packed, pack_examples(examples, alphabet, tokenizer))
    return read_alphabet(symbols), packed


def _projection_stage(data: Path, path: Path, recipe: Recipe, teacher: MiniParser) -> None:
    def parse(texts: Sequence[str]) -> list[list[str] | None]:
        sentences = [Sentence(str(i), text, "en") for i, text in enumerate(texts)]
        parses = teacher.parse(sentences, batch_size=128)
        # a graph that had to be repaired teaches nothing
        return [pack(linearize(p.graph, form="pointer")) if p.status == "ok" else None for p in parses]

    _LOG.info("projecting English graphs to %s", ", ".join(recipe.project_langs))
    examples = projected_examples(data, load_reserved(data), recipe, parse)
    write_arrays(path, pack_examples(examples, teacher.alphabet, teacher.tokenizer))
