"""Wrap a retrofitted encoder as a sentence-transformers model for raw text of any language.

::

    texts ──preprocess──> {records, prompt} ──forward: detect, parse, encode──> sentence_embedding (B, d)

Since 6.0 sentence-transformers imports other classes than its own only with ``trust_remote_code=True``, even
from an installed package; `load` passes the module itself and does not need the flag.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import InputModule

from amrx.encoder import as_sentences
from amrx.errors import OptionError
from amrx.records.json_lines import read_json
from amrx.texts import as_items, as_texts
from amrx.types import Sentence
from retrofit.load import load_saved
from retrofit.saved_format import SETTINGS, copy_saved

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder


class RetrofitTransformer(SentenceTransformer):
    """The model returned by `load`; its ``encode`` also accepts one language per sentence."""

    def encode(  # type: ignore[override]  # it accepts only texts
        self,
        inputs: str | Iterable[str] | None = None,
        *options: Any,  # noqa: ANN401  # options of sentence-transformers
        lang: str | Iterable[str] | None = None,
        **named: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Encode like `SentenceTransformer.encode`.

        Args:
            inputs: One text, or any ordered iterable of texts.
            options: Options of sentence-transformers.
            lang: ISO 639-1 code of all sentences, or one code per sentence; detected when ``None``.
            named: Options of sentence-transformers.

        Raises:
            InputError: A sentence is not a string; the message names its position.
            OptionError: A code is unknown, or the numbers of codes and sentences differ.
        """
        given = named.pop("sentences", inputs)
        records = as_sentences(as_texts(given), lang)
        texts = [_Text(record) for record in records]
        return super().encode(texts[0] if isinstance(given, str) else texts, *options, **named)


class _Text(str):
    """A text with its record, because sentence-transformers sorts and batches texts."""

    record: Sentence

    def __new__(cls, record: Sentence) -> Self:
        text = super().__new__(cls, record.text)
        text.record = record
        return text

    def __reduce__(self) -> tuple[type[_Text], tuple[Sentence]]:
        return type(self), (self.record,)


def load(folder: str | Path, *, device: str | None = None) -> RetrofitTransformer:
    """Load a folder written by ``amrx retrofit --save``.

    Raises:
        InputError: The folder has another format, or the weights differ from the saved ones.
        MissingResourceError: A named model is not on this machine.
    """
    root = Path(folder)
    module = RetrofitModule(root, load_saved(root))
    settings = read_json(root / SETTINGS)
    return RetrofitTransformer(
        modules=[module],
        device=device,
        prompts=settings.get("prompts"),
        default_prompt_name=settings.get("default_prompt_name"),
        similarity_fn_name=settings.get("similarity_fn_name"),
        truncate_dim=settings.get("truncate_dim"),
    )


class RetrofitModule(InputModule):
    """The only module of the model.

    A copy in another process (`SentenceTransformer.start_multi_process_pool`) loads the folder again.
    """

    forward_kwargs: set[str] = {"lang"}

    def __init__(self, folder: Path, encoder: RetrofittedEncoder | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.folder, self._encoder = folder.resolve(), encoder
        # empty tensor whose device is the one to which sentence-transformers moves the model
        self.register_buffer("place", torch.zeros(0), persistent=False)

    @property
    def encoder(self) -> RetrofittedEncoder:
        """The retrofitted encoder, loaded at first use."""
        if self._encoder is None:
            self._encoder = load_saved(self.folder)
        return self._encoder

    def __getstate__(self) -> dict[str, object]:
        """Return the state without the models, for another process."""
        return {**self.__dict__, "_encoder": None}

    def get_embedding_dimension(self) -> int:
        """Return the width of the vectors."""
        return self.encoder.dimension

    def preprocess(
        self, inputs: Sequence[Any], prompt: str | None = None, **kwargs: object
    ) -> dict[str, torch.Tensor | Any]:
        """Return a batch with its prompt, which is only for the base encoder."""
        texts = as_items(inputs, str, "sentence")
        records = [
            text.record if isinstance(text, _Text) else Sentence(str(i), text)
            for i, text in enumerate(texts, start=1)
        ]
        # the trainer passes only features that have ids on to `forward`, which refuses to train
        ids = torch.zeros((len(records), 1), dtype=torch.long)
        return {"input_ids": ids, "records": records, "prompt": prompt or ""}

    def forward(
        self, features: dict[str, torch.Tensor | Any], lang: str | None = None, **kwargs: object
    ) -> dict[str, torch.Tensor | Any]:
        """Add ``sentence_embedding``, float32 ``(B, d)``; detect languages if ``lang`` is ``None``.

        Raises:
            OptionError: The model is being trained: its encoders are frozen.
        """
        if self.training and torch.is_grad_enabled():
            raise OptionError(
                "a retrofitted model cannot be trained, its vectors have no gradient; train the base before, "
                "or a classifier on the vectors of encode (in your own loop, call model.eval() first)"
            )
        if not (lang is None or isinstance(lang, str)):
            way = "retrofit.sentence_transformer.load gives a model that takes one per sentence"
            raise OptionError(f"lang must be one language code, got a {type(lang).__name__}; {way}")
        records = as_sentences(cast("list[Sentence]", features["records"]), lang)
        size, prompt = max(1, len(records)), cast(str, features["prompt"])
        vectors = self.encoder.retrofit(records, batch_size=size, prompt=prompt).vectors
        features["sentence_embedding"] = torch.from_numpy(vectors).to(self.place.device)  # (B, d)
        return features

    def save(
        self, output_path: str, *args: object, safe_serialization: bool = True, **kwargs: object
    ) -> None:
        """Write this module's files of a saved model; `SentenceTransformer.save` writes the others."""
        copy_saved(self.folder, Path(output_path))

    @classmethod
    def load(  # type: ignore[override]  # options of a download are ignored
        cls, model_name_or_path: str, subfolder: str = "", **kwargs: object
    ) -> RetrofitModule:
        """Load from a local folder; nothing is downloaded."""
        root = Path(model_name_or_path, subfolder)
        return cls(root, load_saved(root))
