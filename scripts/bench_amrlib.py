"""Measure the speed of amrlib's parse_xfm with a BART-base of random weights, for ``bench_parse.py``.

Random weights do not predict the end of a graph, so the end token is forbidden and each batch is stopped at
the length of its longest graph. Lengths are those of our parser's graphs of the same sentences, in amrlib's
format and in the pieces of a byte-level BPE trained on them. All other settings favour amrlib: greedy search
(its default is four beams), full batches, and graphs of similar length in each batch, so that few steps are
wasted.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from amrx.errors import MissingResourceError
from amrx.types import Parse
from linearize import linearize

if TYPE_CHECKING:
    from amrlib.models.parse_xfm.inference import Inference
    from transformers import BartTokenizer

WIDTH, LAYERS, HEADS, ROWS = 768, 6, 12, 50_265
"""BART-base: width, layers of each side, heads, rows of the vocabulary."""


def amrlib_speed(parses: Sequence[Parse], batch_size: int) -> float:
    """Return amrlib's sentences per second on the sentences of ``parses``, for graphs of the same lengths."""
    graphs = [" ".join(linearize(parse.graph)) for parse in parses]
    tokenizer = learnt_tokenizer([*graphs, *(parse.text for parse in parses)])
    lengths = [len(tokenizer(graph)["input_ids"]) for graph in graphs]
    order = sorted(range(len(parses)), key=lambda i: -lengths[i])
    batches = [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
    inference = random_inference(tokenizer, batch_size)
    inference.max_graph_len = 4
    inference.parse_sents(["A first sentence wakes the kernels."] * batch_size)
    began = time.perf_counter()
    for batch in batches:
        inference.max_graph_len = lengths[batch[0]]
        inference.parse_sents([parses[i].text for i in batch])
    return len(parses) / (time.perf_counter() - began)


def learnt_tokenizer(texts: Sequence[str]) -> BartTokenizer:
    """Return a tokenizer of BART's type, trained on ``texts``."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import BartTokenizer

    learner = ByteLevelBPETokenizer()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    learner.train_from_iterator(texts, vocab_size=20_000, special_tokens=special, show_progress=False)
    with tempfile.TemporaryDirectory() as folder:
        learner.save_model(folder)
        return BartTokenizer.from_pretrained(folder)


def random_inference(tokenizer: BartTokenizer, batch_size: int) -> Inference:
    """Return amrlib's inference with greedy search over a BART of random weights that never ends a graph."""
    try:
        from amrlib.models.parse_xfm.inference import Inference
    except ModuleNotFoundError as error:
        raise MissingResourceError(
            f"parts of the extra 'amrlib' ({error.name})", fetch="pip install 'amrx[amrlib]'"
        ) from None
    import logging

    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    logging.getLogger("amrlib").setLevel(logging.CRITICAL)  # it logs each output that is not a graph
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=ROWS, d_model=WIDTH, encoder_layers=LAYERS, decoder_layers=LAYERS,
        encoder_attention_heads=HEADS, decoder_attention_heads=HEADS,
        encoder_ffn_dim=4 * WIDTH, decoder_ffn_dim=4 * WIDTH, decoder_start_token_id=2,
    )  # fmt: skip
    model = BartForConditionalGeneration(config).eval()
    # rows beyond the trained vocabulary cost time as BART's do, but have no pieces
    model.generation_config.suppress_tokens = [1, 2, *range(len(tokenizer), ROWS)]
    model.generation_config.forced_eos_token_id = None
    settings = {"max_in_len": 256, "max_out_len": 4}
    return Inference(
        model=model, tokenizer=tokenizer, config=settings, num_beams=1, batch_size=batch_size, device="cpu"
    )
