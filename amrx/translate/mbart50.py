"""Translate with mBART-50 many-to-many: one model for every pair of 52 languages.

Tang et al., "Multilingual Translation with Extensible Multilingual Pretraining and Finetuning" (2020). It
reads ``de_DE text </s>`` and writes ``en_XX text </s>``: the first input token is the source language, the
first output token is forced to be the target language. Nothing is downloaded: the model is a folder, or in
the hub's cache from ``hf download facebook/mbart-large-50-many-to-many-mmt``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from amrx.device import pick_device
from amrx.errors import InputError, OptionError
from amrx.pretrained.generate import Generator, source_codes
from amrx.pretrained.hub import check_sentencepiece, check_weights, find_model, loading, model_type
from amrx.pretrained.loading import load_network
from amrx.translate.pairs import MOST, ROOM, Pair, Translators

if TYPE_CHECKING:
    import torch
    from transformers import MBart50Tokenizer, PreTrainedModel

HUB_ID = "facebook/mbart-large-50-many-to-many-mmt"


class MBart(Pair):
    """mBART-50 for one pair of its languages."""

    def read(self, text: str) -> tuple[list[int], bool]:
        """Return the ids of a sentence and whether it had to be cut.

        A mark such as ``</s>`` or ``de_DE`` in the sentence itself is read as an unknown word: transformers'
        tokenizer would take it for the end of the sentence or its language.
        """
        ids, cut = super().read(text)
        marks, unknown = set(self.tokenizer.all_special_ids), cast("int", self.tokenizer.unk_token_id)
        return [ids[0], *(unknown if row in marks else row for row in ids[1:-1]), ids[-1]], cut

    def write(self, ids: list[int]) -> str:
        """Return the text without the code of its language."""
        return cast("str", self.tokenizer.decode(ids, skip_special_tokens=True))


class MBartTranslator(Translators):
    """Translate any pair of the model's languages; the model is loaded once, on demand."""

    def __init__(self, name: str = HUB_ID, *, beam: int = 1, device: str | None = None) -> None:
        self.name, self.beam, self.device = name, beam, device
        self._loaded: tuple[PreTrainedModel, MBart50Tokenizer] | None = None

    def find(self, source: str, target: str) -> Path:
        """Return the folder of the model."""
        folder = find_model(self.name, what="weights of", local="--engine mbart50:DIR")
        kind = model_type(folder)
        if kind != "mbart":
            raise InputError(f"a model of type {kind!r} is not an mBART-50", file=folder / "config.json")
        converter = f"amrx convert-checkpoint {folder / 'pytorch_model.bin'} -o DIR --base {folder}"
        check_weights(folder, f"convert them to safetensors: {converter}, then --engine mbart50:DIR")
        check_sentencepiece(folder)
        known = _known()
        for lang in (source, target):
            if lang not in known:
                raise OptionError(f"mBART-50 lacks language {lang!r}; choose from {' '.join(known)}")
        return folder

    def pair(self, source: str, target: str) -> MBart:
        """Return the model, set to the pair."""
        folder = self.find(source, target)
        model, tokenizer = self._loaded = self._loaded or self._load(folder)
        ids = []
        for code in (_known()[source], _known()[target]):
            ids.append(cast("int", tokenizer.convert_tokens_to_ids(code)))
            if ids[-1] == tokenizer.unk_token_id:
                raise InputError(f"its tokenizer has no token {code!r}; is it of mBART-50?", file=folder)
        longest = min(int(model.config.max_position_embeddings), MOST)
        return MBart(tokenizer, Generator(model, ROOM, self.beam, first=ids[1]), ids[:1], longest)

    def forget(self, source: str, target: str) -> None:
        """Keep the model, because every other pair needs it."""

    def _load(self, folder: Path) -> tuple[PreTrainedModel, MBart50Tokenizer]:
        from transformers import MBart50Tokenizer, MBartForConditionalGeneration

        with loading(folder):
            tokenizer = cast(
                "MBart50Tokenizer", MBart50Tokenizer.from_pretrained(folder, local_files_only=True)
            )
        model = load_network(MBartForConditionalGeneration, folder)
        cast("torch.nn.Module", model).to(pick_device(self.device))  # the stub of its own ``to`` is wrapped
        return model, tokenizer


def _known() -> dict[str, str]:
    """Return the codes of mBART-50 by ISO 639-1 code."""
    from transformers.models.mbart50.tokenization_mbart50 import FAIRSEQ_LANGUAGE_CODES

    return source_codes(FAIRSEQ_LANGUAGE_CODES)
