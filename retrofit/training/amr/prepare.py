"""Prepare a corpus for training: rows of pieces, draws, the untrained model.

`Drawer` draws the text or graph of a meaning that the encoder reads, Algorithm 1 of Cai et al. 2022. For each
sentence a language is drawn from a set. For English the draw is the parse with probability 1/2, else the
sentence itself; for another language it is the parse of the translation.

If a group lacks the drawn language, another is drawn among its languages, with their weights; that equals a
single draw among those. English always exists, because the sentence replaces a failed parse; a group without
the set's languages gives English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from amrx.errors import OptionError
from amrx.records.json_lines import read_json
from linearize.forms import INVERSE
from linearize.tokenizer import extend
from linearize.tokens import kind_of
from linearize.vocabulary import Vocabulary, is_frame, load
from retrofit.amr.backbone import find_backbone, load_backbone
from retrofit.amr.pieces import Ids, Ints, Rows, ends, expand, join_rows, rows_of, tokenize_words
from retrofit.training.amr.corpus import Corpus
from retrofit.training.amr.foils import Signs
from retrofit.training.amr.recipe import ModelPart, Recipe

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from retrofit.amr.model import AmrModel


class Drawer:
    """Draw rows of a table whose first rows are parses and whose last rows are English texts.

    Args:
        table: Row of the parse of group g in language l, or -1, ``(G, L)``.
        languages: Code of each column; ``en`` is one of them.
        weights: Weight of each language in the draw; missing languages have weight 0.
        texts: Row of the English sentence of each group ``(G,)``.
        english_text: Probability that an English draw is the sentence itself.
    """

    def __init__(
        self,
        table: Ids,
        languages: Sequence[str],
        weights: Mapping[str, float],
        texts: Ints,
        *,
        english_text: float = 0.5,
    ) -> None:
        self._table, self._texts, self._share = table, texts, english_text
        self._weights = np.array([weights.get(code, 0.0) for code in languages])
        self._english = list(languages).index("en")

    def draw(self, groups: Ints, random: np.random.Generator) -> Ints:
        """Return one row per group ``(n,)``, drawn independently."""
        return self._choose(groups, random, np.ones((len(groups), self._table.shape[1]), dtype=bool))

    def draw_two(self, groups: Ints, random: np.random.Generator) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
        """Return two rows per group, in different languages if possible, and whether they differ.

        For a group with only English the two rows are the parse and the sentence.
        """
        columns = np.arange(self._table.shape[1])
        first = self._choose(groups, random, np.ones((len(groups), len(columns)), dtype=bool))
        rows = self._table[groups]  # (n, L)
        taken = rows == first[:, None]
        taken[:, self._english] |= first == self._texts[groups]
        second = self._choose(groups, random, ~taken)
        return first, second, first != second

    def _choose(self, groups: Ints, random: np.random.Generator, allowed: npt.NDArray[np.bool_]) -> Ints:
        rows = self._table[groups].astype(np.int64)  # (n, L)
        available = (rows >= 0) & allowed
        available[:, self._english] = allowed[:, self._english]  # the sentence itself always exists
        mass = np.cumsum(available * self._weights, axis=1)  # (n, L)
        point = random.random(len(groups))[:, None] * mass[:, -1:]
        column = np.minimum((point >= mass).sum(axis=1), mass.shape[1] - 1)
        column = np.where(mass[:, -1] > 0, column, self._english)
        chosen = rows[np.arange(len(groups)), column]
        as_text = random.random(len(groups)) < self._share
        english = column == self._english
        return np.where((english & as_text) | (chosen < 0), self._texts[groups], chosen)


_RELATION = re.compile(r":[A-Za-z][A-Za-z0-9-]*")
_ALWAYS = (":ARG0", ":ARG1", ":polarity")  # foils need them


def corpus_vocabulary(
    words: Sequence[str], counts: npt.NDArray[np.int64], min_frame_count: int
) -> Vocabulary:
    """Return the relations, each with its ``-of`` form, and the frequent frames of training parses.

    Pointers and the ``-of`` of the form ``released`` count as relations: they also define structure and need
    no minimum count.

    Example:
        >>> vocabulary = corpus_vocabulary([":op1", "boy", "want-01", "go-02"], np.array([4, 9, 9, 1]), 2)
        >>> dict(vocabulary.frames), vocabulary.relations[":op1"], vocabulary.relations[":op1-of"]
        ({'want-01': 9}, 4, 0)
    """
    seen = dict(zip(words, counts.tolist(), strict=True))
    relations: dict[str, int] = {}
    for word in (*_ALWAYS, *filter(_RELATION.fullmatch, words)):
        for name in (word, word.removesuffix("-of") + "-of"):
            relations[name] = seen.get(name, 0)
    relations |= {word: uses for word, uses in seen.items() if _of_structure(word)}
    frames = {word: uses for word, uses in seen.items() if uses >= min_frame_count and is_frame(word)}
    return Vocabulary(relations=relations, frames=frames, concepts={}, min_count=min_frame_count)


def _of_structure(word: str) -> bool:
    """Return whether a word that is no relation defines structure."""
    return word == INVERSE or kind_of(word) == "pointer"


def chosen_vocabulary(part: ModelPart, words: Sequence[str], counts: npt.NDArray[np.int64]) -> Vocabulary:
    """Return the symbols that a recipe adds: from its vocabulary file, or from the training parses."""
    if part.vocabulary is None:
        return corpus_vocabulary(words, counts, part.min_frame_count)
    counted = load(part.vocabulary)
    needed = [*_ALWAYS, *filter(_of_structure, words)]
    return replace(counted, relations=dict.fromkeys(needed, 0) | dict(counted.relations))


@dataclass(frozen=True, slots=True)
class Prepared:
    """A corpus prepared for drawing."""

    tokenizer: Tokenizer  # the extended tokenizer
    rows: Rows  # pieces of all parses, then of the English sentence of every group
    drawer: Drawer  # Algorithm 1 over these rows
    signs: Signs[int]  # ids of the tokens that foils change
    cut: int  # number of rows longer than the limit


def prepare(corpus: Corpus, recipe: Recipe) -> tuple[Prepared, AmrModel]:
    """Tokenise a corpus once, and build the untrained model with its vocabulary."""
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
    """Load and extend the model; also return the pieces of every word and of every English sentence."""
    import torch

    from retrofit.amr.model import AmrModel
    from retrofit.amr.tensor_files import ABOVE, load_state, read_weights
    from retrofit.amr.zones import Zones, add_zones

    folder = find_backbone(part.backbone)
    options: dict[str, object] = read_json(folder / "config.json").get("amrx") or {}
    for key in ("zones", "parents"):
        if options.get(key) is True and not getattr(part, key):
            raise OptionError(f"recipe key 'model.{key}' must be true, as in {part.backbone!r}")
    wrapped, backbone = load_backbone(part.backbone, dropout=part.dropout)
    places = int(backbone.config.max_position_embeddings)
    for key, limit in (("max_tokens", part.max_tokens), ("read_tokens", part.read_limit)):
        if limit > places:
            message = f"{limit}, more pieces than the {places} that {part.backbone!r} reads"
            raise OptionError(f"recipe key 'model.{key}' is {message}")
    uses = np.bincount(corpus.parses.flat, minlength=len(corpus.words))
    extend(wrapped, backbone, chosen_vocabulary(part, corpus.words, uses))
    tokenizer = wrapped.backend_tokenizer
    pieces = tokenize_words(corpus.words, tokenizer)
    texts = tokenize_words(corpus.texts, tokenizer)
    zones = None
    if part.zones:
        add_zones(backbone)
        zones = Zones(tokenizer)
    torch.manual_seed(seed)
    model = AmrModel(backbone, part.pooling, zones, parents=part.parents)
    trained = read_weights(folder / "model.safetensors").get(ABOVE) if model.above is not None else None
    if model.above is not None and trained is not None:
        load_state(model.above, {"weight": trained}, folder)
    return tokenizer, model, pieces, texts


def find_signs(tokenizer: Tokenizer) -> Signs[int]:
    """Return the ids of brackets, roles and polarity; -1 for those missing in the vocabulary."""
    roles = {
        number for token, number in tokenizer.get_vocab(with_added_tokens=True).items()
        if token.startswith(":") and len(token) > 1
    }  # fmt: skip

    def number(token: str) -> int:
        identifier = tokenizer.token_to_id(token)
        return -1 if identifier is None else int(identifier)

    signs = (number(token) for token in ("(", ")", ":ARG0", ":ARG1", ":polarity", "-"))
    opening, closing, agent, patient, polarity, minus = signs
    return Signs(opening, closing, agent, patient, polarity, minus, frozenset(roles))
