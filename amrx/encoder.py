"""Normalise the arguments of encoders.

::

    encode("A dog barks.")               ──> (d,)
    encode(["A dog barks.", "Yes."])     ──> (2, d)    any iterable, read once
    encode([...], lang="en")             ──> one code for all, or one code per sentence
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast, get_args, overload, runtime_checkable
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from amrx.device import DEVICE, default_device, pick_device
from amrx.errors import InputError, OptionError
from amrx.langid import check, fill_languages
from amrx.texts import as_items, as_texts, check_characters
from amrx.types import Encoder, Sentence, Sentences, Vectors
from amrx.validation import Dtype, as_dtype, as_vectors
from amrx.vectors import cosine_matrix, normalise

if TYPE_CHECKING:
    import torch

Rows = npt.NDArray[np.floating | np.int8]
"""Vectors ``(n, d)`` or ``(d,)``, of any precision."""


class TextEncoder(ABC):
    """Base class of all text encoders (`amrx.types.Encoder`); a subclass implements ``_encode``.

    Law: ``encode(text)`` equals ``encode([text])[0]``, and an iterable gives the vectors of its list.
    The keywords of sentence-transformers are accepted too: ``show_progress_bar``, ``normalize_embeddings``,
    ``convert_to_tensor``, ``convert_to_numpy``, ``device``, ``prompt_name``, ``precision``.
    """

    @overload
    def encode(
        self,
        sentences: str | Iterable[str],
        *,
        lang: str | Iterable[str | None] | None = None,
        batch_size: int = 64,
        progress: bool = False,
        show_progress_bar: bool | None = None,
        normalize_embeddings: bool = False,
        convert_to_tensor: Literal[False] = False,
        convert_to_numpy: Literal[True] = True,
        device: str | None = None,
        prompt_name: None = None,
        precision: Literal["float32"] = "float32",
    ) -> Vectors: ...

    @overload
    def encode(
        self,
        sentences: str | Iterable[str],
        *,
        lang: str | Iterable[str | None] | None = None,
        batch_size: int = 64,
        progress: bool = False,
        show_progress_bar: bool | None = None,
        normalize_embeddings: bool = False,
        convert_to_tensor: Literal[False] = False,
        convert_to_numpy: Literal[True] = True,
        device: str | None = None,
        prompt_name: None = None,
        precision: Dtype,
    ) -> Rows: ...

    @overload
    def encode(
        self,
        sentences: str | Iterable[str],
        *,
        lang: str | Iterable[str | None] | None = None,
        batch_size: int = 64,
        progress: bool = False,
        show_progress_bar: bool | None = None,
        normalize_embeddings: bool = False,
        convert_to_tensor: Literal[True],
        convert_to_numpy: bool = True,
        device: str | None = None,
        prompt_name: None = None,
        precision: Dtype = "float32",
    ) -> torch.Tensor: ...

    @overload
    def encode(
        self,
        sentences: str | Iterable[str],
        *,
        lang: str | Iterable[str | None] | None = None,
        batch_size: int = 64,
        progress: bool = False,
        show_progress_bar: bool | None = None,
        normalize_embeddings: bool = False,
        convert_to_tensor: Literal[False] = False,
        convert_to_numpy: Literal[False],
        device: str | None = None,
        prompt_name: None = None,
        precision: Dtype = "float32",
    ) -> torch.Tensor | list[torch.Tensor]: ...

    def encode(
        self,
        sentences: str | Iterable[str],
        *,
        lang: str | Iterable[str | None] | None = None,
        batch_size: int = 64,
        progress: bool = False,
        show_progress_bar: bool | None = None,
        normalize_embeddings: bool = False,
        convert_to_tensor: bool = False,
        convert_to_numpy: bool = True,
        device: str | None = None,
        prompt_name: str | None = None,
        precision: Dtype = "float32",
    ) -> Rows | torch.Tensor | list[torch.Tensor]:
        """Encode sentences.

        Args:
            sentences: One text, or any ordered iterable of texts, read once.
            lang: ISO 639-1 code of all sentences, or one code per sentence; detected where it is ``None``.
            batch_size: Sentences per batch of the model.
            progress: Draw a bar on standard error.
            show_progress_bar: Alias of ``progress``.
            normalize_embeddings: Scale every vector to length 1; a zero vector stays zero.
            convert_to_tensor: Return a torch tensor instead of a numpy array.
            convert_to_numpy: ``False`` returns a list of tensors, one per sentence.
            device: Device of the models, which is chosen on loading; another one is an error.
            prompt_name: ``None``: encoders of amrx have no prompts.
            precision: ``float32``, ``float16`` or ``int8``, as ``amrx retrofit --dtype``. int8 scales each
                vector by itself, so that cosines are kept and lengths are not.

        Returns:
            ``(n, d)`` of the precision; ``(d,)`` of one text.

        Raises:
            InputError: A sentence is not a string; the message names its position.
            OptionError: The number of codes is not that of sentences; unknown precision or prompt; another
                device.
        """
        if precision not in get_args(Dtype):
            raise OptionError(f"precision must be {', '.join(get_args(Dtype))}, got {precision!r}")
        _check_place(device, prompt_name)
        texts = as_texts(sentences)
        codes = _filled(as_codes(lang, len(texts)), texts)
        shown = progress if show_progress_bar is None else show_progress_bar
        vectors = self._encode(texts, lang=codes, batch_size=batch_size, progress=shown)
        if normalize_embeddings:
            vectors = normalise(vectors)
        rows: Rows = vectors
        if precision != "float32":
            rows = as_dtype(vectors, precision, [Sentence(str(i), text) for i, text in enumerate(texts, 1)])
        if isinstance(sentences, str):
            rows = rows[0]
        if convert_to_numpy and not convert_to_tensor:
            return rows
        import torch

        tensor = torch.from_numpy(np.array(rows))  # a writable copy
        return tensor if convert_to_tensor or isinstance(sentences, str) else list(tensor)

    def encode_query(self, sentences: str | Iterable[str], **options: Any) -> Any:  # noqa: ANN401
        """Encode queries of a search, as `encode` does: queries and documents are encoded alike."""
        return self.encode(sentences, **options)

    def encode_document(self, sentences: str | Iterable[str], **options: Any) -> Any:  # noqa: ANN401
        """Encode documents, as `encode` does."""
        return self.encode(sentences, **options)

    def similarity(self, one: Rows | torch.Tensor, other: Rows | torch.Tensor) -> Vectors:
        """Return the cosine of every vector of ``one`` with every vector of ``other``.

        Args:
            one: ``(n, d)``, or ``(d,)``, which counts as ``(1, d)``.
            other: ``(m, d)``, or ``(d,)``.

        Returns:
            Float32 ``(n, m)``; 0 for a zero vector.

        Raises:
            InputError: An argument is not a row or rows of numbers.
            ValueError: The widths differ.
        """
        return cosine_matrix(_as_rows(one), _as_rows(other)).astype(np.float32)

    def __repr__(self) -> str:
        """Return class, name and width."""
        encoder = cast("Encoder", self)  # name and dimension are attributes or properties
        return f"{type(self).__name__}({encoder.name!r}, dimension={encoder.dimension})"

    @abstractmethod
    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        """Return float32 ``(len(texts), d)``; a list ``lang`` has one code per text."""


def _check_place(device: str | None, prompt_name: str | None) -> None:
    """Refuse another device than the models', and prompts."""
    if prompt_name is not None:
        raise OptionError(f"prompt_name {prompt_name!r} is unknown: encoders of amrx have no prompts")
    if device is not None and pick_device(device).type != pick_device(default_device("cpu")).type:
        raise OptionError(f"device {device!r} is not that of the models; set {DEVICE} before they are loaded")


def _filled(codes: str | list[str | None] | None, texts: Sequence[str]) -> str | list[str] | None:
    """Detect the languages that a list lacks."""
    if codes is None or isinstance(codes, str):
        return codes
    records = [Sentence("", text, code) for text, code in zip(texts, codes, strict=True)]
    return fill_languages(records)


def _as_rows(vectors: Rows | torch.Tensor) -> Vectors:
    """Return float32 ``(n, d)``; one vector counts as one row."""
    try:
        rows = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"vectors must be rows of numbers: {error}") from None
    if vectors is None or rows.ndim not in (1, 2):
        got = "None" if vectors is None else f"an array of shape {rows.shape}"
        raise InputError(f"vectors must be rows of numbers, (n, d) or (d,), got {got}")
    return np.atleast_2d(rows)


def as_codes(lang: str | Iterable[str | None] | None, count: int) -> str | list[str | None] | None:
    """Return one code, or a list of ``count`` codes; ``None`` stands for a language to detect.

    Example:
        >>> as_codes("de", 2), as_codes(iter(["de", None]), 2)
        ('de', ['de', None])
    """
    if lang is None or isinstance(lang, str):
        return lang
    kinds: tuple[type[str] | type[None], ...] = (str, type(None))
    codes: list[str | None] = as_items(lang, kinds, "language code")
    if len(codes) != count:
        raise OptionError(f"{len(codes)} language codes for {count} sentences")
    return codes


def as_sentences(sentences: Sentences, lang: str | Iterable[str | None] | None = None) -> list[Sentence]:
    """Return records; a string gets its 1-based position as id.

    Args:
        sentences: Strings or records, one or several; an iterable is read once.
        lang: ISO 639-1 code of all strings, or one code, or ``None``, per sentence. A record keeps its own
            language.

    Example:
        >>> as_sentences(["Der Junge geht.", Sentence("b", "The boy goes.", "en")], lang="de")
        ... # doctest: +NORMALIZE_WHITESPACE
        [Sentence(id='1', text='Der Junge geht.', lang='de'),
         Sentence(id='b', text='The boy goes.', lang='en')]
    """
    kinds: tuple[type[str | Sentence], ...] = (str, Sentence)
    items = [sentences] if isinstance(sentences, kinds) else as_items(sentences, kinds, "sentence")
    codes = as_codes(lang, len(items))
    for code in dict.fromkeys([codes] if isinstance(codes, str) else codes or []):
        if code is not None:
            check(code)
    langs: Sequence[str | None] = codes if isinstance(codes, list) else [codes] * len(items)
    return [_record(item, str(i), code) for i, (item, code) in enumerate(zip(items, langs, strict=True), 1)]


def languages_of(sentences: str | Iterable[str], lang: str | Iterable[str] | None) -> list[str]:
    """Return one language code per sentence, detected if ``lang`` is ``None``."""
    return fill_languages(as_sentences(as_texts(sentences), lang))


def _record(item: str | Sentence, position: str, lang: str | None) -> Sentence:
    record = Sentence(position, str.__str__(item)) if isinstance(item, str) else item
    for name in ("id", "text"):
        if not isinstance(value := getattr(record, name), str):
            raise InputError(f"sentence {position}: {name} must be a str, got {value!r}")
    if record.lang is not None:
        try:
            check(record.lang)
        except OptionError as error:
            raise InputError(f"sentence {record.id!r}: {error}") from None
    check_characters(record.text, "sentence", repr(record.id))
    return record if record.lang is not None or lang is None else replace(record, lang=lang)


@runtime_checkable
class Encodes(Protocol):
    """An object with ``encode``."""

    def encode(self, sentences: list[str]) -> object:
        """Return ``(len(sentences), d)`` numbers: an array, a tensor, or lists."""


class PlainEncoder(TextEncoder):
    """An object with ``encode`` as an `amrx.types.Encoder`.

    Attributes:
        name: Short name for tables.
        dimension: Width of the vectors.
        fingerprint: New for each instance, because the weights are unknown: its vectors are never cached.
    """

    def __init__(self, model: Encodes, name: str | None = None) -> None:
        """Encode one sentence to find out the width."""
        self.model = model
        self.name = name or type(model).__name__
        self.fingerprint = f"{self.name}-{uuid4().hex}"
        self.dimension = int(self.encode(["0"]).shape[1])

    def _encode(
        self, texts: list[str], *, lang: str | list[str] | None, batch_size: int, progress: bool
    ) -> Vectors:
        return as_vectors(self.model.encode(texts), texts, self.name)


def as_encoder(model: Encoder | Encodes) -> Encoder:
    """Return an encoder unchanged; wrap any other object with ``encode``.

    An object whose ``encode`` takes no ``lang`` is wrapped too, even if it is an encoder otherwise.
    """
    if isinstance(model, Encoder) and _takes_language(model.encode):
        return model
    if isinstance(model, str) or not isinstance(model, Encodes):  # str.encode is another function
        raise OptionError(f"an encoder must have encode(sentences), got {model!r}")
    return PlainEncoder(model, model.name if isinstance(model, Encoder) else None)


def _takes_language(encode: Callable[..., object]) -> bool:
    parameters = inspect.signature(encode).parameters.values()
    return any(
        parameter.name == "lang" or parameter.kind is parameter.VAR_KEYWORD for parameter in parameters
    )
