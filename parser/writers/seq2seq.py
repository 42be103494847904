"""Write the graph of a sentence in SPRING's format, with BART or mBART-50: the parser ``seq2seq``.

::

    text ──ids, source language──> BART / mBART-50 ──ids──> words ──> pointer form ──delinearize──> graph
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from amrx.device import pick_device
from amrx.errors import InputError, check_least
from amrx.pretrained import loading as pretrained
from amrx.pretrained.generate import Generator, Room, batches, source_codes, text_ids
from amrx.pretrained.hub import check_sentencepiece, check_weights, hash_model, loading, model_type
from linearize.frames import LAW, unknown_frame
from linearize.tokenizer import add, spell
from linearize.vocabulary import Vocabulary
from parser.protocols import CUT
from parser.writers.parser import Pieces, WritingParser, check_folder
from parser.writers.words import END_LITERAL, LITERAL, from_spring

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedConfig, PreTrainedModel, PreTrainedTokenizerBase

POINTERS = tuple(f"<pointer:{number}>" for number in range(512))
# SPRING's own spelling of its special words, including XXX
_MARKS = ("<pointer>", "<stop>", "<lit>", "</lit>", "<backr:src:XXX>", "<backr:trg:XXX>")
_SPACE = {"bart": "Ġ", "mbart": "▁"}


def new_tokens(names: Iterable[str], known: Iterable[str], kind: str, *, pointers: bool = True) -> list[str]:
    """Return the tokens of the extra rows in order, with a leading space if they begin a word.

    Tokens of the base are left out. For a token listed twice, SPRING on BART uses the last position, XAMR's
    tokenizer of mBART-50 the first.

    Example:
        >>> new_tokens(["a-01", "-of", "b", "a-01"], ["Ġb"], "bart", pointers=False)[:3]
        ['-of', ' a-01', ' <pointer>']
    """
    space, old = _SPACE[kind], set(known)
    listed = [*names, *(POINTERS if pointers else ()), *_MARKS]
    marked = [name if name[0] in "_-" else space + name for name in listed]
    fresh = [name for name in marked if name not in old]
    once = dict.fromkeys(fresh) if kind == "mbart" else reversed(dict.fromkeys(reversed(fresh)))
    return [" " + name[1:] if name.startswith(space) else name for name in once]


_SAY = {LITERAL: "begin of name", END_LITERAL: "end of name", "-of": "inverse of", "<stop>": "stop"}


def extend_base(
    tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, vocabulary: Vocabulary, kind: str
) -> int:
    """Add the relations and frames of ``vocabulary``, pointers and marks; return the number of new tokens.

    The tokens are spelled as in the published checkpoints (see `new_tokens`).
    """
    from tokenizers import AddedToken

    names = [*vocabulary.relations, *vocabulary.frames, "-of"]
    tokens = new_tokens(names, tokenizer.get_vocab(), kind)
    meanings = [_SAY.get(token.strip()) or spell(token.strip()) for token in tokens]
    # special, so that such a token inside a text can still be read as text
    added = [AddedToken(token, normalized=False, special=True) for token in tokens]
    add(tokenizer, model, added, meanings)
    return len(tokens)


KINDS = ("bart", "mbart")


def base_kind(folder: Path) -> str:
    """Return ``bart`` or ``mbart``."""
    kind = model_type(folder)
    if kind not in KINDS:
        raise InputError(f"model type must be BART or mBART-50, got {kind!r}", file=folder / "config.json")
    return kind


def load_tokenizer(folder: Path, kind: str) -> PreTrainedTokenizerBase:
    """Load the tokenizer of a base, as SPRING (BART) and XAMR (mBART-50) use it."""
    from transformers import BartTokenizer, MBart50Tokenizer

    check_sentencepiece(folder)
    with loading(folder):
        if kind == "mbart":
            return cast(
                "PreTrainedTokenizerBase", MBart50Tokenizer.from_pretrained(folder, local_files_only=True)
            )
        # SPRING puts a space before the first word
        tokenizer = BartTokenizer.from_pretrained(folder, local_files_only=True, add_prefix_space=True)
        return cast("PreTrainedTokenizerBase", tokenizer)


def load_network(folder: Path, dropout: float) -> PreTrainedModel:
    """Load the weights of a base in float32, with another dropout probability."""
    from transformers import AutoConfig, AutoModelForSeq2SeqLM

    check_weights(folder)
    with loading(folder):
        config = AutoConfig.from_pretrained(folder, local_files_only=True, dropout=dropout)
    return pretrained.load_network(AutoModelForSeq2SeqLM, folder, config=config)


def beginning(config: PreTrainedConfig, kind: str) -> list[int]:
    """Return the first ids of a graph: ``<s>``, which follows ``</s>`` in mBART-50."""
    bos, eos = cast("int", config.bos_token_id), cast("int", config.eos_token_id)
    return [eos, bos] if kind == "mbart" else [bos]


def set_generation(model: PreTrainedModel, kind: str) -> None:
    """Set the generation settings of ``model`` for graphs, and remove those for text."""
    from transformers import GenerationConfig

    config = model.config
    start, *forced = beginning(config, kind)
    config.decoder_start_token_id = start
    config.forced_eos_token_id = None
    model.generation_config = GenerationConfig(
        decoder_start_token_id=start,
        forced_bos_token_id=forced[0] if forced else None,
        bos_token_id=config.bos_token_id,
        eos_token_id=config.eos_token_id,
        pad_token_id=config.pad_token_id,
        max_length=int(config.max_position_embeddings),
    )


MOST_PIECES = 512
"""Maximum subwords of a sentence (or the model's positions); a longer one is cut, with a note."""
ROOM = Room(64, 10)
"""Maximum output tokens per input token; graphs need only a few, far below ten."""
FALLBACK = "en_XX"
"""Language code used for languages that mBART-50 was not trained on."""
_POINTERS = ("<pointer:0>", "<R0>", "<0>")


class Seq2SeqParser(WritingParser):
    """A fine-tuned BART or mBART-50; the same graph for every batch size.

    A token that is a frame outside PropBank's lexicon is never written; a spelled one is repaired. A
    sentence of more than `MOST_PIECES` subwords is cut.
    """

    def __init__(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, name: str, beam: int = 1
    ) -> None:
        super().__init__(model, tokenizer, name, batches, from_spring)
        self.beam, self.generate = beam, Generator(model, ROOM, beam)
        self.generate.forbid(row for row, text in self.pieces.added.items() if unknown_frame(text.strip()))
        self.codes = source_codes(getattr(tokenizer, "lang_code_to_id", None) or {})
        self.longest = min(MOST_PIECES, int(model.config.max_position_embeddings))

    @property
    def fingerprint(self) -> str:
        """Name and weight hash, and the number of beams if it is above 1."""
        return self.name if self.beam == 1 else f"{self.name}-beam{self.beam}"

    def with_beam(self, beam: int) -> Seq2SeqParser:
        """Return this parser with a search of ``beam`` beams, over the same weights."""
        check_least("beam", beam)
        return Seq2SeqParser(self.model, self.tokenizer, self.name, beam)

    def read(self, text: str, lang: str) -> tuple[list[int], list[str]]:
        """Return the ids of a sentence in the format of the training, and the notes on changes.

        BART reads ``<s> text </s>``, mBART-50 ``de_DE text </s>``.
        """
        ids, most = text_ids(self.tokenizer, text), self.longest - 2
        notes = [f"{CUT} at {self.longest} subwords"] if len(ids) > most else []
        first = cast("int", self.tokenizer.bos_token_id)
        if self.codes:
            if lang not in self.codes:
                notes.append(f"the model does not know language {lang!r}; read as English")
            first = cast("int", self.tokenizer.convert_tokens_to_ids(self.codes.get(lang, FALLBACK)))
        return [first, *ids[:most], cast("int", self.tokenizer.eos_token_id)], notes

    def _write(self, rows: list[list[int]]) -> list[tuple[list[int], bool]]:
        return self.generate(rows)


def load_seq2seq(folder: str | Path | None, *, device: str | None = None) -> Seq2SeqParser:
    """Load a parser from a Hugging Face folder."""
    command = "amrx convert-checkpoint FILE.pt -o DIR (of a published SPRING or XAMR checkpoint)"
    path = check_folder("seq2seq", folder, command)
    base_kind(path)
    check_weights(path)
    check_sentencepiece(path)
    settings = path / "tokenizer_config.json"  # without it the first word is tokenised differently
    if not settings.is_file():
        raise InputError("no such file", file=settings)
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    with loading(path):
        tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True, trust_remote_code=False)
    model: Any = pretrained.load_network(AutoModelForSeq2SeqLM, path)  # the stub of its own ``to`` is wrapped
    check_tokenizer(tokenizer, model, path)
    return Seq2SeqParser(model.to(pick_device(device)), tokenizer, f"seq2seq-{hash_model(path)}.{LAW}")


def check_tokenizer(tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, folder: Path) -> None:
    """Raise InputError if the tokenizer does not fit the model or lacks AMR's tokens."""
    rows = cast("Tensor", model.get_input_embeddings().weight).shape[0]
    if len(tokenizer) > rows:
        raise InputError(f"the tokenizer has {len(tokenizer)} tokens, the model {rows} rows", file=folder)
    if model.config.model_type == "mbart" and not getattr(tokenizer, "lang_code_to_id", {}):
        raise InputError(f"{type(tokenizer).__name__} is not the tokenizer of an mBART-50", file=folder)
    pieces = Pieces(tokenizer)
    if not any(pieces.knows(name) for name in _POINTERS):
        raise InputError("the tokenizer has no pointer tokens; is this a parser to AMR?", file=folder)
