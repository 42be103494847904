"""Run any amrx encoder in the benchmark mteb (extra ``mteb``).

::

    import mteb
    from amrx.evaluation.mteb_model import MtebModel
    from retrofit import load

    mteb.evaluate(MtebModel(load()), mteb.get_tasks(tasks=["STS17"]))

mteb downloads its own data. If all texts of a subset have one language, the encoder receives it; in
cross-lingual subsets the language is detected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from amrx.errors import MissingResourceError, OptionError
from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA_LANGUAGES
from amrx.types import Encoder, Vectors
from amrx.vectors import cosine, cosine_matrix

if TYPE_CHECKING:
    from amrx.vectors import Array

_TWO_LETTERS = {
    **{language.file: language.lang for language in TATOEBA_LANGUAGES if language.lang is not None},
    "eng": "en", "arb": "ar", "zho": "zh", "fas": "fa", "msa": "ms", "swa": "sw", "lav": "lv",
}  # fmt: skip


class TaskMetadata(Protocol):
    """The used part of mteb's task description."""

    @property
    def hf_subsets_to_langscripts(self) -> Mapping[str, Sequence[str]]:
        """Return the languages of each subset, as ``deu-Latn``."""


class MtebModel:
    """An encoder with the interface of mteb; similarity is the cosine.

    Attributes:
        mteb_model_meta: Named ``amrx/NAME``; the revision is a hash of the fingerprint, so that mteb keeps
            results of different weights apart.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.mteb_model_meta = _meta(encoder)

    def encode(
        self,
        inputs: Iterable[Mapping[str, Sequence[str]]],
        *,
        task_metadata: TaskMetadata,
        hf_split: str,
        hf_subset: str,
        prompt_type: object = None,
        batch_size: int = 64,
        show_progress_bar: bool = False,
        precision: str = "float32",
    ) -> Vectors:
        """Return float32 ``(n, d)``."""
        if precision != "float32":
            raise OptionError(f"precision must be 'float32', got {precision!r}")
        texts = [text for batch in inputs for text in batch["text"]]
        lang = language_of(task_metadata.hf_subsets_to_langscripts.get(hf_subset, ()))
        return self._encoder.encode(texts, lang=lang, batch_size=batch_size, progress=show_progress_bar)

    def similarity(self, embeddings1: Array, embeddings2: Array) -> Vectors:
        """Return the cosine of every row with every row, ``(n, m)``; one vector counts as one row."""
        first, second = np.atleast_2d(np.asarray(embeddings1)), np.atleast_2d(np.asarray(embeddings2))
        return cosine_matrix(first, second).astype(np.float32)

    def similarity_pairwise(self, embeddings1: Array, embeddings2: Array) -> Vectors:
        """Return the cosine of each row with the same row, ``(n,)``."""
        first, second = np.atleast_2d(np.asarray(embeddings1)), np.atleast_2d(np.asarray(embeddings2))
        return cosine(first, second).astype(np.float32)


def language_of(langscripts: Sequence[str]) -> str | None:
    """Return the ISO 639-1 code of texts in one language, else ``None``.

    Example:
        >>> language_of(["cmn-Hans"]), language_of(["eng-Latn", "deu-Latn"]), language_of(["arz-Arab"])
        ('zh', None, None)
    """
    codes = {_TWO_LETTERS.get(entry.partition("-")[0]) for entry in langscripts}
    return codes.pop() if len(codes) == 1 else None


def _meta(encoder: Encoder) -> Any:  # noqa: ANN401  # mteb is optional, and so is its type
    try:
        from mteb.models import ModelMeta
        from mteb.models.model_meta import ScoringFunction
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "mteb":
            raise
        raise MissingResourceError("files of the package mteb", fetch="pip install 'amrx[mteb]'") from None
    unknown: dict[str, Any] = dict.fromkeys(
        "loader release_date languages n_parameters memory_usage_mb max_tokens license open_weights "
        "public_training_code public_training_data training_datasets".split()
    )
    return ModelMeta(
        name=f"amrx/{encoder.name.replace('/', '__')}",
        revision=sha256(encoder.fingerprint.encode("utf-8")).hexdigest()[:40],
        embed_dim=encoder.dimension,
        framework=[],
        similarity_fn_name=ScoringFunction.COSINE,
        use_instructions=False,
        **unknown,
    )
