"""Collect the data that the trainers are proved on: short sentences of the open data, none of them reserved.

::

    a pair of parallel/*  ── neither side reserved, both short ──> parallel-xx.tsv     phase 1, VMSST, …
                          ├─ its English sentence is given away ─> text-xx.txt         phase 2
                          └─ its English sentence is held out ───> held-out-xx.tsv     choice of the rate
    nli/snli/train-20k    ── the same filter ────────────────────> nli.tsv             mSimCSE

An English sentence stands behind at most one text: phase 2 meets no two sentences that are translations of
each other. What it meets of a language with parallel data comes from English sentences that are in no pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from amrx.records import atomic_path
from parser.training.corpora.leakage import Reserved, load_reserved
from parser.training.corpora.lines import read_columns
from parser.training.corpora.parallel import Pair, training_pairs

SEEN = ("de", "fr", "es", "zh", "ru", "tr", "cs", "ar")
"""Languages with parallel data."""

UNSEEN = ("it", "fi")
"""Languages of which phase 2 of Emma-X gets text, and nothing gets pairs; nothing at all is read of Dutch."""

SOURCES = ("tatoeba", "multi30k", "wmt-mt")
LONGEST = 60
"""Letters of either side, so that a sentence is seldom cut at 32 pieces and batches are small."""

TEXT = 800
"""Sentences of text a language."""

GIVEN = 3
"""One in so many English sentences may be given away, and is in no pair then."""

HELD_OUT = 20
"""One in so many English sentences is held out: nothing is trained on it, whatever it is translated to."""

MOST_HELD_OUT = 200
"""Pairs held out a language."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files, as ``LANGUAGES:FILES`` that a trainer reads; those held out by language."""

    parallel: tuple[str, ...]
    text: tuple[str, ...]
    nli: str
    held_out: dict[str, Path]


def inputs(folder: Path) -> Inputs:
    """Return where `write_inputs` puts the files."""
    return Inputs(
        tuple(f"en-{lang}:{folder / f'parallel-{lang}.tsv'}" for lang in SEEN),
        tuple(f"{lang}:{folder / f'text-{lang}.txt'}" for lang in ("en", *SEEN, *UNSEEN)),
        f"en:{folder / 'nli.tsv'}",
        {lang: folder / f"held-out-{lang}.tsv" for lang in SEEN},
    )


def write_inputs(data: Path, folder: Path) -> Inputs:
    """Write the files that are not there yet; the last one stands for all.

    Raises:
        MissingResourceError: A folder of the data is not there.
    """
    found = inputs(folder)
    if (folder / "nli.tsv").is_file():
        return found
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
        _write(found.held_out[lang], _rows(kept_out[:MOST_HELD_OUT]))
    for lang, text in texts.items():
        _write(folder / f"text-{lang}.txt", text)
    write_nli(data, folder / "nli.tsv", reserved)
    return found


def write_nli(data: Path, file: Path, reserved: Reserved | None = None) -> None:
    """Write the rows of SNLI that may be trained on, both sides short."""
    _write(file, list(_nli(data, reserved or load_reserved(data))))


def _short(data: Path, lang: str, reserved: Reserved) -> Iterator[Pair]:
    for pair in training_pairs(data, (lang,), reserved, SOURCES):
        if len(pair.english) <= LONGEST and len(pair.foreign) <= LONGEST:
            yield pair


def _given(english: str) -> bool:
    """Tell whether a sentence is kept for text, whatever it is translated to."""
    return crc32(english.encode()) % GIVEN == 0


def _kept_out(english: str) -> bool:
    """Tell whether a sentence is held out."""
    return crc32(f"held out: {english}".encode()) % HELD_OUT == 0


def _rows(pairs: Iterable[Pair]) -> list[str]:
    return [f"{pair.english}\t{pair.foreign}" for pair in pairs]


def _texts(pairs: dict[str, list[Pair]]) -> dict[str, list[str]]:
    """Give each English sentence that is kept for text to one language, the poorest in pairs first."""
    taken: set[str] = set()
    texts: dict[str, list[str]] = {}
    for lang in sorted(pairs, key=lambda lang: len(pairs[lang])):
        texts[lang] = []
        for pair in pairs[lang]:
            kept = lang in UNSEEN or _given(pair.english)  # an unseen language loses no pair by it
            if kept and pair.english not in taken and len(texts[lang]) < TEXT:
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
    with atomic_path(path) as temporary:
        temporary.write_text("".join(f"{line}\n" for line in lines), "utf-8")
