"""Draw the text or graph of a meaning that the encoder reads: Algorithm 1 of Cai et al. 2022.

For each sentence a language is drawn from a set. For English the draw is the parse with probability 1/2, else
the sentence itself; for another language it is the parse of the translation.

If a group lacks the drawn language, another is drawn among its languages, with their weights; that equals a
single draw among those. English always exists, because the sentence replaces a failed parse; a group without
the set's languages gives English.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from retrofit.amr.pieces import Ids, Ints


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
