"""Parse English with amrlib's parse_xfm: the parser ``amrlib:DIR``.

amrlib (https://github.com/bjascob/amrlib) is the extra ``amrlib``. Its models are T5 or BART; its own code
converts their output to graphs. If that fails, the parse is ``failed``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import penman

from amrx.device import pick_device
from amrx.device import progress as show_progress
from amrx.errors import InputError, MissingResourceError, check_least
from amrx.langid import fill_languages
from amrx.pretrained.hub import check_weights, find_model, hash_model, loading, model_type
from amrx.pretrained.loading import load_network
from amrx.types import Parse, Sentence, Status
from linearize import delinearize, linearize
from linearize.frames import LAW, mend_frames
from parser.protocols import CUT, TextParser
from parser.writers.parser import check_folder

if TYPE_CHECKING:
    from amrlib.models.parse_xfm.inference import Inference
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

KINDS = ("t5", "bart")
BEAMS = 4
"""Number of beams, amrlib's default; amrlib takes the first beam that gives a graph."""
FETCH = (
    "curl -L https://github.com/bjascob/amrlib-models/releases/download/"
    "parse_xfm_bart_base-v0_1_0/model_parse_xfm_bart_base-v0_1_0.tar.gz | tar xz"
)
_TOKENIZER = ("tokenizer.json", "spiece.model", "vocab.json")


class AmrlibParser(TextParser):
    """Wrap a model of amrlib as a parser that never returns ``None``."""

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        settings: dict[str, Any],
        name: str,
        beam: int = BEAMS,
    ) -> None:
        from amrlib.models.parse_xfm.inference import Inference

        self.model, self.tokenizer, self.settings, self.name = model, tokenizer, settings, name
        self.inference: Inference = Inference(
            model=model, tokenizer=tokenizer, config=settings, device=model.device, num_beams=beam
        )
        self.longest = int(settings["max_in_len"])
        self.fingerprint = f"{name}-beam{beam}"

    def with_beam(self, beam: int) -> AmrlibParser:
        """Return this parser with a search of ``beam`` beams."""
        check_least("beam", beam)
        return AmrlibParser(self.model, self.tokenizer, self.settings, self.name, beam)

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        """Return one ``Parse`` per sentence, in order.

        Only sentences of the same length share a batch, so no padding is needed. Other languages are read as
        English, and a sentence longer than the model's input is cut; both are noted in ``repairs``.
        """
        langs = fill_languages(records)
        filled = [i for i, sentence in enumerate(records) if sentence.text.strip()]
        lengths = {i: len(cast("list[int]", self.tokenizer(records[i].text)["input_ids"])) for i in filled}
        by_length: dict[int, list[int]] = {}
        for i in filled:
            by_length.setdefault(min(lengths[i], self.longest), []).append(i)
        batches = [
            rows[start : start + batch_size]
            for _, rows in sorted(by_length.items(), reverse=True)
            for start in range(0, len(rows), batch_size)
        ]
        written: dict[int, str | None] = {}
        for batch in show_progress(batches, len(filled), "parsing", show=progress, size=len):
            self.inference.batch_size = len(batch)
            texts = [records[i].text for i in batch]
            written.update(zip(batch, self.inference.parse_sents(texts, add_metadata=False), strict=True))
        return [
            self._to_parse(sentence, langs[i], written.get(i), lengths.get(i, 0))
            for i, sentence in enumerate(records)
        ]

    def _to_parse(self, sentence: Sentence, lang: str, written: str | None, length: int) -> Parse:
        """Return the parse of amrlib's output; passing it through our pointer form makes the graph valid."""
        tokens = _tokens(written)
        notes = [] if tokens or not sentence.text.strip() else ["amrlib could not build a graph"]
        restored = delinearize(tokens)
        graph, frames = mend_frames(restored.graph)
        if length > self.longest:
            notes.append(f"{CUT} at {self.longest} subwords")
        if tokens and lang != "en":
            notes.append(f"the model does not know language {lang!r}; read as English")
        repairs = (*restored.repairs, *frames, *notes)
        status: Status = "failed" if not tokens else "repaired" if repairs else "ok"
        return Parse(sentence.id, sentence.text, lang, graph, status, repairs, {}, self.fingerprint)


def _tokens(written: str | None) -> list[str]:
    """Return the pointer form of PENMAN text; empty if it is not a graph or has no concept.

    Example:
        >>> _tokens("(b / boy)"), _tokens("()"), _tokens("(b / "), _tokens(None)
        (['(', '<0>', 'boy', ')'], [], [], [])
    """
    try:
        graph = penman.decode(written or "")
        if any(instance.target for instance in graph.instances()):
            return linearize(graph, form="pointer", keep_wiki=True)
    except (penman.PenmanError, InputError):
        pass  # reported by the caller
    return []


def settings_of(folder: Path) -> dict[str, Any] | None:
    """Return amrlib's settings in the ``config.json`` of a model; ``None`` for other models."""
    try:
        tasks = json.loads((folder / "config.json").read_text("utf-8")).get("task_specific_params") or {}
        settings = dict(tasks.get("parse_amr") or tasks.get("translation_amr_to_text") or {})
        return settings if {"max_in_len", "max_out_len"} <= settings.keys() else None
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return None


def load_amrlib(folder: str | Path | None, *, device: str | None = None) -> AmrlibParser:
    """Load one of amrlib's parse_xfm models."""
    path = check_folder("amrlib", folder, FETCH)
    settings = settings_of(path)
    if model_type(path) not in KINDS or settings is None:
        raise InputError("is not a model of amrlib's parse_xfm", file=path / "config.json")
    converter = f"amrx convert-checkpoint {path / 'pytorch_model.bin'} -o DIR --base {path}"
    check_weights(path, f"write them as safetensors: {converter}")
    try:
        import amrlib.models.parse_xfm.inference  # noqa: F401  # fail before the weights are read
    except ModuleNotFoundError as error:
        raise MissingResourceError(
            f"parts of the extra 'amrlib' ({error.name})", fetch="pip install 'amrx[amrlib]'"
        ) from None
    named = str(settings.get("tok_name_or_path", settings.get("model_name_or_path", "")))
    own = any((path / name).is_file() for name in _TOKENIZER)
    tokens = (
        path
        if own
        else find_model(named, what="tokenizer of", local=f"amrlib:{path} after its files are copied there")
    )
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    with loading(path):
        tokenizer = AutoTokenizer.from_pretrained(tokens, local_files_only=True, trust_remote_code=False)
    model: Any = load_network(AutoModelForSeq2SeqLM, path)  # the stub of its own ``to`` is wrapped
    return AmrlibParser(
        model.to(pick_device(device)), tokenizer, settings, f"amrlib-{hash_model(path)}.{LAW}"
    )
