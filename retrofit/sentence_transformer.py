"""A retrofitted encoder as a sentence-transformers model that takes raw text of any language.

::

    texts ──preprocess──> {records, prompt} ──forward: detect, parse, encode──> sentence_embedding (B, d)

From 6.0 on sentence-transformers imports a class other than its own only with ``trust_remote_code=True``,
even from an installed package; `load` hands it the module instead, and needs no such flag.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import InputModule

from amrx.encoder import as_sentences
from amrx.errors import InputError, OptionError
from amrx.texts import as_items, as_texts
from amrx.types import Sentence
from retrofit.load import load_saved
from retrofit.saved_format import copy_saved

if TYPE_CHECKING:
    from retrofit.combine import RetrofittedEncoder

SETTINGS = "config_sentence_transformers.json"


class RetrofitTransformer(SentenceTransformer):
    """The model that `load` gives; its ``encode`` takes one language per sentence too."""

    def encode(  # type: ignore[override]  # it takes less: texts alone
        self,
        inputs: str | Iterable[str] | None = None,
        *options: Any,  # noqa: ANN401  # those of sentence-transformers
        lang: str | Iterable[str] | None = None,
        **named: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Encode as `SentenceTransformer.encode` does.

        Args:
            inputs: One text, or any ordered iterable of texts.
            options: As of sentence-transformers.
            lang: ISO 639-1 code of all sentences, or one code per sentence; detected when ``None``.
            named: As of sentence-transformers.

        Raises:
            InputError: A sentence is no text; the message names its position.
            OptionError: A code is unknown, or there are not as many codes as sentences.
        """
        given = named.pop("sentences", inputs)
        records = as_sentences(as_texts(given), lang)
        texts = [_Text(record) for record in records]
        return super().encode(texts[0] if isinstance(given, str) else texts, *options, **named)


class _Text(str):
    """A text that carries its record: sentence-transformers sorts texts by length and splits them up."""

    record: Sentence

    def __new__(cls, record: Sentence) -> Self:
        text = super().__new__(cls, record.text)
        text.record = record
        return text

    def __reduce__(self) -> tuple[type[_Text], tuple[Sentence]]:
        return type(self), (self.record,)


def load(folder: str | Path, *, device: str | None = None) -> RetrofitTransformer:
    """Load a folder that ``amrx retrofit --save`` wrote.

    Raises:
        InputError: The folder is no such one, or weights are other ones than those saved.
        MissingResourceError: A model that it names is not on this machine.
    """
    root = Path(folder)
    module = RetrofitModule(root, load_saved(root))
    try:
        settings: dict[str, Any] = json.loads((root / SETTINGS).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"cannot be read: {error}", file=root / SETTINGS) from error
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
        # has no weights of its own to tell the device by, to which sentence-transformers moves its models
        self.register_buffer("place", torch.zeros(0), persistent=False)

    @property
    def encoder(self) -> RetrofittedEncoder:
        """The encoder that does the work."""
        if self._encoder is None:
            self._encoder = load_saved(self.folder)
        return self._encoder

    def __getstate__(self) -> dict[str, object]:
        """Travel to another process without the models."""
        return {**self.__dict__, "_encoder": None}

    def get_embedding_dimension(self) -> int:
        """Return the width of the vectors."""
        return self.encoder.dimension

    def preprocess(
        self, inputs: Sequence[Any], prompt: str | None = None, **kwargs: object
    ) -> dict[str, torch.Tensor | Any]:
        """Take a batch as it is; a prompt is for the base encoder and no part of the sentence."""
        texts = as_items(inputs, str, "sentence")
        records = [
            text.record if isinstance(text, _Text) else Sentence(str(i), text)
            for i, text in enumerate(texts, start=1)
        ]
        return {"records": records, "prompt": prompt or ""}

    def forward(
        self, features: dict[str, torch.Tensor | Any], lang: str | None = None, **kwargs: object
    ) -> dict[str, torch.Tensor | Any]:
        """Add ``sentence_embedding``, float32 ``(B, d)``; detect languages if ``lang`` is ``None``."""
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
        """Copy the folder's part of a saved model; `SentenceTransformer.save` writes the rest."""
        copy_saved(self.folder, Path(output_path))

    @classmethod
    def load(  # type: ignore[override]  # the options of a download say nothing to it
        cls, model_name_or_path: str, subfolder: str = "", **kwargs: object
    ) -> RetrofitModule:
        """Load from a local folder; nothing is downloaded."""
        root = Path(model_name_or_path, subfolder)
        return cls(root, load_saved(root))
