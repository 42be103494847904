"""Wrap the one-pass network as a `Parser`."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import torch

from amrx.device import length_buckets
from amrx.device import progress as show_progress
from amrx.e5.tokenizer import E5Tokenizer
from amrx.errors import MissingResourceError
from amrx.int8 import quantise_by
from amrx.langid import fill_languages
from amrx.types import Parse, Sentence, Status
from parser.mini.confidence import Confidence, read_confidence
from parser.mini.decode import Decoded, Decoder
from parser.mini.flat import unflatten
from parser.mini.hints import Hints
from parser.mini.labels import Labels
from parser.mini.model import MiniNetwork
from parser.mini.source import MOST_PIECES, Source, piece_span, read_source
from parser.mini.store import CONFIDENCE, CONFIG, load_network
from parser.protocols import CUT, UNKNOWN_LANGUAGE, TextParser
from parser.run.stream import failed_parse, has_word
from parser.values import lost_values, with_values

SHIPPED = "parser-mini"


class MiniParser(TextParser):
    """Parse in batches; a graph does not depend on the batch size.

    A sentence of more than `MOST_PIECES` subwords is cut; one without a word fails. The language decides how
    numbers are read. ``repairs`` notes a cut, and a language that the network was not trained on.
    """

    def __init__(
        self,
        network: MiniNetwork,
        labels: Labels,
        tokenizer: E5Tokenizer,
        fingerprint: str,
        confidence: Confidence | None = None,
    ) -> None:
        self.network, self.labels, self.tokenizer = network.eval(), labels, tokenizer
        self.decoder = Decoder(network, labels)
        self.confidence = confidence
        self.fingerprint = fingerprint
        self.device = network.bias.device

    @cached_property
    def hints(self) -> Hints:
        """The dictionaries."""
        return Hints(self.labels)

    def _parse(self, records: list[Sentence], *, batch_size: int, progress: bool) -> list[Parse]:
        langs = fill_languages(records)
        sources = [
            read_source(sentence.text, lang, self.tokenizer)
            for sentence, lang in zip(records, langs, strict=True)
        ]
        parses: dict[int, Parse] = {}
        buckets = length_buckets([len(source.ids) for source in sources], batch_size)
        for bucket in show_progress(buckets, len(records), "parsing", show=progress, size=len):
            decoded = self.decoder(*self.tensors([sources[i] for i in bucket]), [sources[i] for i in bucket])
            for i, graph in zip(bucket, decoded, strict=True):
                parses[i] = self._to_parse(records[i], langs[i], sources[i], graph)
        return [parses[i] for i in range(len(records))]

    def tensors(self, sources: list[Source]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the ids of pieces and their mask ``(B, S)``, and hints ``(H, 4)``."""
        width = max(len(source.ids) for source in sources)
        ids = torch.zeros((len(sources), width), dtype=torch.long)
        mask = torch.zeros((len(sources), width), dtype=torch.bool)
        for row, source in enumerate(sources):
            ids[row, : len(source.ids)] = torch.tensor(source.ids)
            mask[row, : len(source.ids)] = True
        rows = [(row, *hint) for row, source in enumerate(sources) for hint in self.hints.of(source)]
        hints = torch.tensor(rows, dtype=torch.long).reshape(-1, 4)
        return ids.to(self.device), mask.to(self.device), hints.to(self.device)

    def _to_parse(self, sentence: Sentence, lang: str, source: Source, decoded: Decoded) -> Parse:
        if not has_word(sentence.text):
            return failed_parse(sentence, self.fingerprint)
        repairs = [f"{UNKNOWN_LANGUAGE} {lang!r}"] if lang not in (self.network.languages or lang) else []
        if source.cut:
            repairs.append(f"{CUT} at {MOST_PIECES} subwords")
        status: Status = "repaired" if repairs else "ok"
        graph, variables = unflatten(decoded.flat)
        spans = {name: piece_span(source, decoded.pieces[node]) for node, name in variables.items()}
        aligned = {name: span for name, span in spans.items() if span is not None}
        digits = None if source.capitals else source.composed
        graph, placed = with_values(graph, sentence.text, lang, aligned, digits)
        return Parse(
            sentence.id, sentence.text, lang, graph, status, tuple(repairs), placed, self.fingerprint,
            confidence=self.confidence.of(decoded.signs) if self.confidence else None,
            missing=lost_values(graph, sentence.text, lang, digits),
        )  # fmt: skip


def load_mini(folder: str | Path | None = None, *, device: str = "cpu", int8: bool = True) -> MiniParser:
    """Load a mini parser.

    Args:
        folder: Folder written by `parser.training.mini.train`; the shipped parser when ``None``.
        device: Torch device.
        int8: Whether to compute in int8 (`amrx.int8`), if the folder has ranges and the device the kernels.
    """
    from importlib.resources import files

    path = Path(str(files("amrx") / "models" / SHIPPED)) if folder is None else Path(folder)
    if not (path / CONFIG).is_file():
        raise MissingResourceError(
            f"weights of the mini parser in {path}", fetch=f"amrx train-parser DATA -o {path} --recipe mini"
        )
    network, labels, fingerprint = load_network(path)
    if int8 and (key := quantise_by(path, network.reader, device)):
        fingerprint += f":int8-{key}"
    confidence = read_confidence(path / CONFIDENCE)
    return MiniParser(network.to(device), labels, E5Tokenizer(), fingerprint, confidence)
