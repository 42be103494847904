"""Translate with OPUS-MT (Tiedemann and Thottingal, EAMT 2020), through transformers' Marian classes.

There is one model per pair of languages, named ``opus-mt-SOURCE-TARGET``. It is searched, in this order, in

1. the folders given to `OpusTranslator`;
2. the folder of the environment variable ``AMRX_OPUS_MT``, which holds one folder per pair;
3. the hub's cache, filled by ``hf download Helsinki-NLP/opus-mt-SOURCE-TARGET``.

Nothing is downloaded. Models with several target languages expect a mark (``>>ara<<``) before the sentence,
chosen from the marks that the model lists.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from amrx.device import pick_device
from amrx.errors import InputError
from amrx.pretrained.generate import Generator
from amrx.pretrained.hub import check_weights, find_model, hash_model, loading, model_type
from amrx.pretrained.loading import load_network
from amrx.translate.pairs import MOST, ROOM, Pair, Translators

if TYPE_CHECKING:
    import torch
    from transformers import MarianTokenizer

FOLDER = "AMRX_OPUS_MT"
"""Environment variable: the folder of folders ``opus-mt-SOURCE-TARGET``."""
OWNER = "Helsinki-NLP"
FILES = ("source.spm", "target.spm", "vocab.json")
"""Files of a folder besides configuration and weights."""
_WRITTEN_AS = {"zh": ("cmn_Hans", "cmn", "zho"), "no": ("nob", "nor"), "ms": ("zsm_Latn", "msa")}


def pair_name(source: str, target: str) -> str:
    """Return the name of the model of a pair.

    Example:
        >>> pair_name("en", "de")
        'opus-mt-en-de'
    """
    return f"opus-mt-{source}-{target}"


def find_pair(source: str, target: str) -> Path:
    """Return the folder of the model of a pair, searched as described in the module's docstring."""
    name = pair_name(source, target)
    home = os.environ.get(FOLDER)
    if home and (Path(home) / name).is_dir():
        return Path(home) / name
    local = f"the environment variable {FOLDER}, a folder that holds {name}"
    return find_model(f"{OWNER}/{name}", what="weights of", local=local)


class Marian(Pair):
    """The model of one pair: config.json, model.safetensors, source.spm, target.spm and vocab.json."""

    def __init__(self, folder: Path, target: str, *, beam: int = 1, device: str | None = None) -> None:
        kind = model_type(folder)
        if kind != "marian":
            raise InputError(f"a model of type {kind!r} is not a Marian model", file=folder / "config.json")
        converter = f"amrx convert-checkpoint {folder / 'pytorch_model.bin'} -o DIR --base {folder}"
        check_weights(folder, f"write them as safetensors: {converter}")
        for name in FILES:
            if not (folder / name).is_file():
                raise InputError("no such file", file=folder / name)
        from transformers import MarianMTModel, MarianTokenizer

        with loading(folder):
            tokenizer: MarianTokenizer = MarianTokenizer.from_pretrained(folder, local_files_only=True)
        model = load_network(MarianMTModel, folder)
        mark = _mark(tokenizer.supported_language_codes, target, folder)
        before = cast("list[int]", tokenizer.convert_tokens_to_ids([mark] if mark else []))
        cast("torch.nn.Module", model).to(pick_device(device))  # the stub of its own ``to`` is wrapped
        longest = min(int(model.config.max_position_embeddings), MOST)
        super().__init__(tokenizer, Generator(model, ROOM, beam), before, longest)

    def write(self, ids: list[int]) -> str:
        """Return the text of ids of the target language."""
        text = self.tokenizer.decode(ids, skip_special_tokens=True, use_source_tokenizer=False)
        return cast("str", text)


def _mark(offered: Sequence[str], target: str, folder: Path) -> str:
    """Return the mark of the target language for a model with several; empty for one target language."""
    if not offered:
        return ""
    from lingua import IsoCode639_1, Language

    iso = getattr(IsoCode639_1, target.upper(), None)
    three_letters = () if iso is None else (Language.from_iso_code_639_1(iso).iso_code_639_3.name.lower(),)
    for code in (*_WRITTEN_AS.get(target, ()), *three_letters, target):
        if f">>{code}<<" in offered:
            return f">>{code}<<"
    message = f"cannot write {target!r}; choose from {', '.join(sorted(offered))}"
    raise InputError(message, file=folder)


class OpusTranslator(Translators):
    """Translate any pair whose model is on this machine; models are loaded on demand."""

    def __init__(
        self,
        folders: Mapping[tuple[str, str], Path] | None = None,
        *,
        beam: int = 1,
        device: str | None = None,
    ) -> None:
        self.folders, self.beam, self.device = dict(folders or {}), beam, device
        self._loaded: dict[tuple[str, str], Marian] = {}

    def find(self, source: str, target: str) -> Path:
        """Return the folder of the model of a pair."""
        return self.folders.get((source, target)) or find_pair(source, target)

    def pair(self, source: str, target: str) -> Marian:
        """Return the model of a pair, which stays loaded."""
        key = (source, target)
        if key not in self._loaded:
            folder = self.find(source, target)
            self._loaded[key] = Marian(folder, target, beam=self.beam, device=self.device)
        return self._loaded[key]

    def forget(self, source: str, target: str) -> None:
        """Release the memory of a pair's model if it is loaded."""
        self._loaded.pop((source, target), None)

    def fingerprint(self, target: str) -> str:
        """Return a hash of every model on this machine that writes ``target``, and of the beams."""
        folders = [folder for (_, wanted), folder in self.folders.items() if wanted == target]
        home = os.environ.get(FOLDER)
        if home:
            folders += sorted(Path(home).glob(pair_name("*", target)))
        from huggingface_hub.constants import HF_HUB_CACHE

        owned = f"models--{OWNER}--{pair_name('*', target)}"
        # the name of a snapshot identifies its content
        snapshots = [str(path) for path in Path(HF_HUB_CACHE).glob(f"{owned}/snapshots/*")]
        names = [Path(path).parts[-3:] for path in sorted(snapshots)]
        hashes = [f"{folder.name}={hash_model(folder)}" for folder in folders]
        return hashlib.sha256(repr((hashes, names, self.beam)).encode()).hexdigest()[:12]
