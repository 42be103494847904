"""Compare the speed of generation in batches and one sentence at a time, with a BART of random weights.

::

    python scripts/bench_seq2seq.py [--size base] [--sentences 64] [--length 60] [--batch-size 32]

Both write the same number of tokens for every sentence, because the end token is forbidden. One at a time is
transformers' own ``generate`` on a sentence without padding; batches are those of the parser ``seq2seq``.
Prints the sentences per second of the fastest round of each, and their ratio; ``--json FILE`` saves them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amrx.pretrained.generate import Generator, Room, batches
from amrx.records import write_json
from amrx.threads import set_threads

if TYPE_CHECKING:
    from transformers import PreTrainedModel

SIZES = {"tiny": (32, 1, 2), "base": (768, 6, 12), "large": (1024, 12, 16)}
"""Width, layers of each side, heads; the feed-forward layers are four times as wide."""
ROWS = 60_000  # size of BART's vocabulary with AMR's symbols


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    layout = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    options.add_argument("--size", choices=SIZES, default="base")
    options.add_argument("--sentences", type=int, default=64)
    options.add_argument("--length", type=int, default=60, help="tokens written per sentence")
    options.add_argument("--batch-size", type=int, default=32)
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--json", type=Path, help="file to write the figures to")
    chosen = options.parse_args(arguments)
    threads = set_threads()
    model, rows = random_model(chosen.size), random_rows(chosen.sentences)
    generator = endless(model, chosen.length)
    alone = fastest(lambda: one_by_one(generator, rows), len(rows), chosen.rounds)
    together = fastest(lambda: in_batches(generator, rows, chosen.batch_size), len(rows), chosen.rounds)
    print(f"{len(rows)} sentences, {chosen.length} tokens each, size {chosen.size}, {threads} threads")
    print(f"one by one     {alone:8.2f} sentences/s")
    print(f"batches of {chosen.batch_size:<3d} {together:8.2f} sentences/s  ({together / alone:.2f} x)")
    if chosen.json is not None:
        asked = {name: value for name, value in vars(chosen).items() if name != "json"}
        rates = {"one by one, sentences/s": alone, "batches, sentences/s": together}
        rates["ratio"] = together / alone
        write_json(chosen.json, {**asked, "threads": threads, **rates})


def random_model(size: str) -> PreTrainedModel:
    """Return a BART of random weights."""
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    width, layers, heads = SIZES[size]
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=ROWS, d_model=width, encoder_layers=layers, decoder_layers=layers,
        encoder_attention_heads=heads, decoder_attention_heads=heads,
        encoder_ffn_dim=4 * width, decoder_ffn_dim=4 * width, decoder_start_token_id=0,
    )  # fmt: skip
    return BartForConditionalGeneration(config).eval()


def random_rows(count: int) -> list[list[int]]:
    """Return ids of sentences of 8 to 30 pieces."""
    draw = np.random.default_rng(0)
    return [[0, *draw.integers(4, ROWS, draw.integers(6, 29)).tolist(), 2] for _ in range(count)]


def endless(model: PreTrainedModel, length: int) -> Generator:
    """Return a generator that writes ``length`` tokens for every sentence."""
    generator = Generator(model, Room(length + 1, 0))  # the start is one of them
    generator.settings.suppress_tokens = [generator.pad, generator.eos]
    return generator


def one_by_one(generator: Generator, rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the ids that transformers generates for each sentence alone."""
    import torch

    settings, outputs = generator.settings, []
    settings.max_length = generator.room.of(0)
    with torch.inference_mode():
        for row in rows:
            ids = torch.tensor([row])
            written = generator.model.generate(
                input_ids=ids, attention_mask=torch.ones_like(ids), generation_config=settings
            )
            outputs.append(written[0, 1:].tolist())
    return outputs


def in_batches(generator: Generator, rows: Sequence[Sequence[int]], batch_size: int) -> list[list[int]]:
    """Return the ids that the parser's generator writes for each sentence."""
    outputs: list[list[int]] = [[]] * len(rows)
    for batch in batches([len(row) for row in rows], batch_size):
        for place, (ids, _) in zip(batch, generator([rows[place] for place in batch]), strict=True):
            outputs[place] = ids
    return outputs


def fastest(work: Callable[[], object], count: int, rounds: int) -> float:
    """Return the sentences per second of the fastest round, after a warm-up round."""
    best = 0.0
    for number in range(rounds + 1):
        started = time.perf_counter()
        work()
        best = max(best, number and count / (time.perf_counter() - started))
    return best


if __name__ == "__main__":
    main()
