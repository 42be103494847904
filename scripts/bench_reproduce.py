"""Measure how long the steps of Cai et al. 2022 take: ``python scripts/bench_reproduce.py OUT.json``.

The models have random weights and the shapes of the published ones; the end token is forbidden, so that each
sentence gets the same number of tokens:

    translate    Marian, 20 tokens per sentence, greedy and with six beams
    parse        mBART-large-50, 60 tokens per graph, greedy
    train        BERT-base, a step of Algorithm 1 with 512 triplets of 60 tokens, gradient cache
    read         BERT-base, vectors of graphs of 60 tokens

Rates are those of this machine. The table that is printed divides the amounts of
``results/papers/reproduce-mse-amr.md`` by them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from amrx.evaluation.report.text_tables import markdown_grid
from amrx.pretrained.generate import Generator, Room, batches
from amrx.records import write_json
from amrx.threads import set_threads

if TYPE_CHECKING:
    from transformers import PreTrainedModel

LANGUAGES = 6
TRIPLETS = 275_601
SENTENCES = 827_000
"""Amounts of the paper: languages of the translations, triplets, their sentences at most."""
STEP = 512
TRANSLATED, GRAPH = 20, 60
"""Triplets in a step; tokens of a translation, and of a graph."""
SMALL = 32
"""Rows that are measured at a time."""


def marian() -> PreTrainedModel:
    """Return a network of the shape of OPUS-MT."""
    from transformers import MarianConfig, MarianMTModel

    config = MarianConfig(
        vocab_size=58_101, d_model=512, encoder_layers=6, decoder_layers=6, encoder_attention_heads=8,
        decoder_attention_heads=8, encoder_ffn_dim=2048, decoder_ffn_dim=2048, pad_token_id=58_100,
        decoder_start_token_id=58_100, eos_token_id=0, forced_eos_token_id=None, max_position_embeddings=512,
    )  # fmt: skip
    return MarianMTModel(config).eval()


def mbart() -> PreTrainedModel:
    """Return a network of the shape of mBART-large-50 with AMR's symbols."""
    from transformers import MBartConfig, MBartForConditionalGeneration

    config = MBartConfig(
        vocab_size=252_000, d_model=1024, encoder_layers=12, decoder_layers=12, encoder_attention_heads=16,
        decoder_attention_heads=16, encoder_ffn_dim=4096, decoder_ffn_dim=4096, decoder_start_token_id=2,
        forced_eos_token_id=None,
    )  # fmt: skip
    return MBartForConditionalGeneration(config).eval()


def sentences(count: int) -> list[list[int]]:
    """Return ids of sentences of 20 pieces."""
    draw = torch.Generator().manual_seed(0)
    return [[*torch.randint(4, 50_000, (19,), generator=draw).tolist(), 2] for _ in range(count)]


def generated(model: PreTrainedModel, length: int, count: int, beams: int = 1) -> float:
    """Return sentences per second."""
    generator = Generator(model, Room(length + 1, 0))  # the start is one of them
    generator.settings.suppress_tokens = [generator.pad, generator.eos]
    generator.settings.num_beams = beams
    rows = sentences(count)
    write(generator, rows)
    began = time.perf_counter()
    write(generator, rows)
    return count / (time.perf_counter() - began)


def write(generator: Generator, rows: Sequence[Sequence[int]]) -> None:
    """Generate in batches, as the parser ``seq2seq`` does."""
    for batch in batches([len(row) for row in rows], SMALL):
        generator([rows[place] for place in batch])


def encoder_rates() -> tuple[float, float]:
    """Return the graphs per second of training with the gradient cache, and of reading."""
    from transformers import BertConfig, BertModel

    model = BertModel(BertConfig(vocab_size=45_000))
    ids = torch.randint(4, 40_000, (SMALL, GRAPH))

    def read() -> None:
        with torch.inference_mode():
            model(input_ids=ids)

    def train() -> None:
        with torch.no_grad():
            model(input_ids=ids)
        model(input_ids=ids).last_hidden_state[:, 0].sum().backward()
        model.zero_grad()

    return rate(train), rate(read)


def rate(work: Callable[[], None]) -> float:
    """Return rows per second, after a warm-up."""
    work()
    began = time.perf_counter()
    for _ in range(3):
        work()
    return 3 * SMALL / (time.perf_counter() - began)


def main() -> None:
    """Measure, print and write."""
    layout = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    options.add_argument("out", type=Path)
    asked = options.parse_args()
    threads = set_threads()
    torch.manual_seed(0)
    small = marian()
    greedy, beams = generated(small, TRANSLATED, 64), generated(small, TRANSLATED, SMALL, beams=6)
    del small
    parsed = generated(mbart(), GRAPH, SMALL)
    trained, read = encoder_rates()
    work = [
        ("amrx translate --beam 0", "sentences", beams, SENTENCES * LANGUAGES),
        ("amrx translate", "sentences", greedy, SENTENCES * LANGUAGES),
        ("amrx gather-nli", "sentences", parsed, SENTENCES * (LANGUAGES + 1)),
        ("amrx train-encoder, an epoch", "graphs", trained, 3 * TRIPLETS),
        ("amrx eval papers, 100,000 texts parsed", "sentences", parsed, 100_000),
        ("amrx eval papers, their vectors", "graphs", read, 100_000),
    ]
    print(f"{threads} threads")
    cells = [["command", "per second", "amount", "days"]]
    cells += [
        [command, f"{speed:.2f} {unit}", f"{amount:,}", f"{amount / speed / 86400:.2f}"]
        for command, unit, speed, amount in work
    ]
    print(markdown_grid(cells))
    rows = [
        {"encoder": command, "task": "speed", "language": f"{unit}/s, {threads} threads", "metric": "bench",
         "value": round(speed, 2), "n": amount} for command, unit, speed, amount in work
    ]  # fmt: skip
    write_json(asked.out, rows)


if __name__ == "__main__":
    main()
