"""Collect the training data of `prove_trainers.py`: short sentences of the open data, without reserved ones.

::

    a pair of parallel/*  ── neither side reserved, both short ──> parallel-xx.tsv     phase 1, VMSST, …
                          ├─ its English sentence is for text ───> text-xx.txt         phase 2
                          └─ its English sentence is held out ───> held-out-xx.tsv     choice of the rate
    nli/snli/train-20k    ── the same filter ────────────────────> nli.tsv             mSimCSE

At most one translation of an English sentence is used as text, so the text of phase 2 contains no two
sentences that are translations of each other. In languages with parallel data, it contains no sentence of a
pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from amrx.records import write_text
from parser.training.corpora.leakage import Reserved, load_reserved
from parser.training.corpora.lines import read_columns
from parser.training.corpora.parallel import Pair, training_pairs

SEEN = ("de", "fr", "es", "zh", "ru", "tr", "cs", "ar")
"""Languages with parallel data."""

UNSEEN = ("it", "fi")
"""Languages with text for phase 2 of Emma-X but without pairs. Dutch, a language of STS17, has neither."""

SOURCES = ("tatoeba", "multi30k", "wmt-mt")
LONGEST = 60
"""Maximum number of characters of either side, so that sentences are rarely cut at 32 pieces."""

TEXT = 800
"""Maximum number of text sentences per language."""

GIVEN = 3
"""One in so many English sentences is for text, and is in no pair."""

HELD_OUT = 20
"""One in so many English sentences is held out: it and its translations are not trained on."""

MOST_HELD_OUT = 200
"""Maximum number of held-out pairs per language."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files, as ``LANGUAGES:FILES`` for the trainers; held-out files by language."""

    parallel: tuple[str, ...]
    text: tuple[str, ...]
    nli: str
    held_out: dict[str, Path]


def inputs(folder: Path) -> Inputs:
    """Return the files of `write_inputs`."""
    return Inputs(
        tuple(f"en-{lang}:{folder / f'parallel-{lang}.tsv'}" for lang in SEEN),
        tuple(f"{lang}:{folder / f'text-{lang}.txt'}" for lang in ("en", *SEEN, *UNSEEN)),
        f"en:{folder / 'nli.tsv'}",
        {lang: folder / f"held-out-{lang}.tsv" for lang in SEEN},
    )


def write_inputs(data: Path, folder: Path) -> Inputs:
    """Write the files, unless ``nli.tsv``, the last of them, exists.

    Raises:
        MissingResourceError: A folder of the data does not exist.
    """
    files = inputs(folder)
    if (folder / "nli.tsv").is_file():
        return files
    folder.mkdir(parents=True, exist_ok=True)
    reserved = load_reserved(data)
    every = {lang: list(_short(data, lang, reserved)) for lang in (*SEEN, *UNSEEN)}
    pairs = {lang: [pair for pair in own if not _kept_out(pair.english)] for lang, own in every.items()}
    texts = _texts(pairs)
    for lang in SEEN:
        _write(
            folder / f"parallel-{lang}.tsv", _rows(pair for pair in pairs[lang] if not _given(pair.english))
        )
        kept_out = [pair for pair in every[lang] if _kept_out(pair.english)]
        _write(files.held_out[lang], _rows(kept_out[:MOST_HELD_OUT]))
    for lang, text in texts.items():
        _write(folder / f"text-{lang}.txt", text)
    write_nli(data, folder / "nli.tsv", reserved)
    return files


def write_nli(data: Path, file: Path, reserved: Reserved | None = None) -> None:
    """Write the rows of SNLI with short sentences that are not reserved."""
    _write(file, list(_nli(data, reserved or load_reserved(data))))


def _short(data: Path, lang: str, reserved: Reserved) -> Iterator[Pair]:
    for pair in training_pairs(data, (lang,), reserved, SOURCES):
        if len(pair.english) <= LONGEST and len(pair.foreign) <= LONGEST:
            yield pair


def _given(english: str) -> bool:
    """Return whether an English sentence is for text, in all languages."""
    return crc32(english.encode()) % GIVEN == 0


def _kept_out(english: str) -> bool:
    """Return whether an English sentence is held out, in all languages."""
    return crc32(f"held out: {english}".encode()) % HELD_OUT == 0


def _rows(pairs: Iterable[Pair]) -> list[str]:
    return [f"{pair.english}\t{pair.foreign}" for pair in pairs]


def _texts(pairs: dict[str, list[Pair]]) -> dict[str, list[str]]:
    """Assign each English sentence that is for text to one language; languages with few pairs are first."""
    taken: set[str] = set()
    texts: dict[str, list[str]] = {}
    for lang in sorted(pairs, key=lambda lang: len(pairs[lang])):
        texts[lang] = []
        for pair in pairs[lang]:
            usable = lang in UNSEEN or _given(pair.english)  # unseen languages use no pairs
            if usable and pair.english not in taken and len(texts[lang]) < TEXT:
                taken.add(pair.english)
                texts[lang].append(pair.foreign)
    left = {pair.english: None for lang in SEEN for pair in pairs[lang] if _given(pair.english)}
    texts["en"] = [english for english in left if english not in taken][:TEXT]
    return texts


def _nli(data: Path, reserved: Reserved) -> Iterator[str]:
    for columns in read_columns(data / "nli" / "snli" / "train-20k.tsv", 3):
        premise, hypothesis, label = columns[:3]
        short = len(premise) <= LONGEST and len(hypothesis) <= LONGEST
        if short and premise not in reserved and hypothesis not in reserved:
            yield f"{premise}\t{hypothesis}\t{label}"


def _write(path: Path, lines: list[str]) -> None:
    write_text(path, "".join(f"{line}\n" for line in lines))
