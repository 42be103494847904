"""Corpus + recipe -> all that a training step reads: rows of pieces, draws, the untrained model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from amrx.errors import OptionError
from linearize.tokenizer import extend
from retrofit.amr.backbone import load_backbone
from retrofit.amr.corpus import Corpus
from retrofit.amr.draw import Drawer
from retrofit.amr.foils import Signs
from retrofit.amr.pieces import Rows, ends, expand, join_rows, rows_of, tokenize_words
from retrofit.amr.recipe import ModelPart, Recipe
from retrofit.amr.symbols import corpus_vocabulary
from retrofit.amr.trim import choose_pieces, count_pieces, renumber, trim_embeddings, trim_tokenizer

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from retrofit.amr.model import AmrModel


@dataclass(frozen=True, slots=True)
class Prepared:
    """A corpus ready to be drawn from.

    Attributes:
        tokenizer: The extended and trimmed tokenizer.
        rows: Pieces of all parses, then of the English sentence of every group.
        drawer: Algorithm 1 over these rows.
        signs: Ids of the tokens that foils move.
        cut: Rows longer than the limit.
    """

    tokenizer: Tokenizer
    rows: Rows
    drawer: Drawer
    signs: Signs[int]
    cut: int


def prepare(corpus: Corpus, recipe: Recipe) -> tuple[Prepared, AmrModel]:
    """Tokenise a corpus once and build the untrained model whose vocabulary it uses.

    Raises:
        OptionError: The backbone does not read so many pieces, or its tokenizer does not fit it.
    """
    tokenizer, model, pieces, texts = _build(corpus, recipe.model, recipe.seed)
    first, last = ends(tokenizer)
    limit = recipe.model.max_tokens
    parses, cut = expand(corpus.parses, pieces, first=first, last=last, max_tokens=limit)
    one_each = rows_of([[number] for number in range(len(texts))])
    sentences, cut_texts = expand(one_each, texts, first=first, last=last, max_tokens=limit)
    drawer = Drawer(
        corpus.table, corpus.languages, recipe.languages,
        len(parses) + np.arange(len(corpus.texts)), english_text=recipe.english_text,
    )  # fmt: skip
    rows = join_rows(parses, sentences)
    return Prepared(tokenizer, rows, drawer, find_signs(tokenizer), cut + cut_texts), model


def _build(corpus: Corpus, part: ModelPart, seed: int) -> tuple[Tokenizer, AmrModel, Rows, Rows]:
    """Load, extend and trim; return also the pieces of every word and of every English sentence."""
    import torch

    from retrofit.amr.model import AmrModel
    from retrofit.amr.zones import Zones, add_zones

    wrapped, backbone = load_backbone(part.backbone, dropout=part.dropout)
    places = int(backbone.config.max_position_embeddings)
    if part.max_tokens > places:
        told = f"{part.max_tokens}, more pieces than the {places} that {part.backbone!r} reads"
        raise OptionError(f"recipe key 'model.max_tokens' is {told}")
    if part.extend:
        uses = np.bincount(corpus.parses.flat, minlength=len(corpus.words))
        extend(wrapped, backbone, corpus_vocabulary(corpus.words, uses, part.min_frame_count))
    tokenizer = wrapped.backend_tokenizer
    pieces = tokenize_words(corpus.words, tokenizer)
    texts = tokenize_words(corpus.texts, tokenizer)
    if part.trim:
        counts = count_pieces(backbone.config.vocab_size, corpus.parses, pieces, texts)
        keep = choose_pieces(tokenizer, counts, part.min_count)
        keep_used = keep[pieces.flat].all() and keep[texts.flat].all()
        tokenizer = trim_tokenizer(tokenizer, keep)
        trim_embeddings(backbone, keep)
        if keep_used:
            pieces, texts = renumber(pieces, keep), renumber(texts, keep)
        else:
            pieces, texts = tokenize_words(corpus.words, tokenizer), tokenize_words(corpus.texts, tokenizer)
    zones = None
    if part.zones:
        add_zones(backbone)
        zones = Zones(tokenizer)
    torch.manual_seed(seed)
    return tokenizer, AmrModel(backbone, part.pooling, zones), pieces, texts


def find_signs(tokenizer: Tokenizer) -> Signs[int]:
    """Return the ids of brackets, roles and polarity; -1 where the vocabulary was not extended with one."""
    roles = {
        number for token, number in tokenizer.get_vocab(with_added_tokens=True).items()
        if token.startswith(":") and len(token) > 1
    }  # fmt: skip
    agent, patient = _number(tokenizer, ":ARG0", -1), _number(tokenizer, ":ARG1", -1)
    polarity, minus = _number(tokenizer, ":polarity", -1), _number(tokenizer, "-", -1)
    opening, closing = _number(tokenizer, "(", -1), _number(tokenizer, ")", -1)
    return Signs(opening, closing, agent, patient, polarity, minus, frozenset(roles))


def _number(tokenizer: Tokenizer, token: str, missing: int) -> int:
    found = tokenizer.token_to_id(token)
    return missing if found is None else int(found)
