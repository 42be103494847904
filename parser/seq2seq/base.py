"""Load the base of a parser, a BART or mBART-50: tokenizer, network, first ids of a graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from amrx.errors import InputError
from amrx.pretrained import loading as pretrained
from amrx.pretrained.hub import check_sentencepiece, check_weights, loading, model_type
from linearize.tokenizer import add, spell
from linearize.vocabulary import Vocabulary
from parser.seq2seq.dialect import END_LITERAL, LITERAL
from parser.seq2seq.published import new_tokens

if TYPE_CHECKING:
    from transformers import PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerBase


_SAY = {LITERAL: "begin of name", END_LITERAL: "end of name", "-of": "inverse of", "<stop>": "stop"}


def extend_base(
    tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, vocabulary: Vocabulary, kind: str
) -> int:
    """Add the relations and frames of ``vocabulary``, pointers and marks; return the number of new tokens.

    The tokens are spelled as in the published checkpoints (see `parser.seq2seq.published`).
    """
    from tokenizers import AddedToken

    names = [*vocabulary.relations, *vocabulary.frames, "-of"]
    tokens = new_tokens(names, tokenizer.get_vocab(), kind)
    meanings = [_SAY.get(token.strip()) or spell(token.strip()) for token in tokens]
    # special, so that such a token inside a text can still be read as text
    added = [AddedToken(token, normalized=False, special=True) for token in tokens]
    add(tokenizer, model, added, meanings)
    return len(tokens)


KINDS = ("bart", "mbart")


def base_kind(folder: Path) -> str:
    """Return ``bart`` or ``mbart``."""
    kind = model_type(folder)
    if kind not in KINDS:
        raise InputError(f"model type must be BART or mBART-50, got {kind!r}", file=folder / "config.json")
    return kind


def load_tokenizer(folder: Path, kind: str) -> PreTrainedTokenizerBase:
    """Load the tokenizer of a base, as SPRING (BART) and XAMR (mBART-50) use it."""
    from transformers import BartTokenizer, MBart50Tokenizer

    check_sentencepiece(folder)
    with loading(folder):
        if kind == "mbart":
            return cast(
                "PreTrainedTokenizerBase", MBart50Tokenizer.from_pretrained(folder, local_files_only=True)
            )
        # SPRING puts a space before the first word
        tokenizer = BartTokenizer.from_pretrained(folder, local_files_only=True, add_prefix_space=True)
        return cast("PreTrainedTokenizerBase", tokenizer)


def load_network(folder: Path, dropout: float) -> PreTrainedModel:
    """Load the weights of a base in float32, with another dropout probability."""
    from transformers import AutoConfig, AutoModelForSeq2SeqLM

    check_weights(folder)
    with loading(folder):
        config = AutoConfig.from_pretrained(folder, local_files_only=True, dropout=dropout)
    return pretrained.load_network(AutoModelForSeq2SeqLM, folder, config=config)


def beginning(config: PreTrainedConfig, kind: str) -> list[int]:
    """Return the first ids of a graph: ``<s>``, which follows ``</s>`` in mBART-50."""
    bos, eos = cast("int", config.bos_token_id), cast("int", config.eos_token_id)
    return [eos, bos] if kind == "mbart" else [bos]


def set_generation(model: PreTrainedModel, kind: str) -> None:
    """Set the generation settings of ``model`` for graphs, and remove those for text."""
    from transformers import GenerationConfig

    config = model.config
    start, *forced = beginning(config, kind)
    config.decoder_start_token_id = start
    config.forced_eos_token_id = None
    model.generation_config = GenerationConfig(
        decoder_start_token_id=start,
        forced_bos_token_id=forced[0] if forced else None,
        bos_token_id=config.bos_token_id,
        eos_token_id=config.eos_token_id,
        pad_token_id=config.pad_token_id,
        max_length=int(config.max_position_embeddings),
    )
