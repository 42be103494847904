"""Read English sentences that have no translation, for the corpus of the student (`english_only`)."""

from collections.abc import Container, Iterator
from pathlib import Path

from parser.training.corpora.lines import normal_form, read_columns, read_lines
from parser.training.corpora.sembanks import bamboo_texts


def snli(data: Path) -> Iterator[str]:
    """Yield premises and hypotheses of SNLI ``train-20k`` and ``dev``."""
    for name in ("train-20k", "dev"):
        for premise, hypothesis, *_ in read_columns(data / "nli" / "snli" / f"{name}.tsv", 3):
            yield premise.strip()
            yield hypothesis.strip()


def captions(data: Path) -> Iterator[str]:
    """Yield Multi30k's training captions, then the five independent lower-cased ones of each image."""
    folder = data / "parallel" / "multi30k"
    for path in (folder / "train.en.gz", *(folder / "captions" / f"train.{n}.en.gz" for n in range(1, 6))):
        for line in read_lines(path):
            yield line.strip()


def bamboo(data: Path) -> Iterator[str]:
    """Yield the training sentences of SICK and of the MRPC paraphrases."""
    for corpus in ("sick", "para"):
        for pair in bamboo_texts(data / "amr" / "bamboo" / corpus, "train"):
            yield from map(str.strip, pair)


def english_only(data: Path, reserved: Container[str]) -> Iterator[str]:
    """Yield all of these without reserved texts and duplicates, ignoring case and punctuation."""
    seen: set[str] = set()
    for read in (snli, captions, bamboo):
        for text in read(data):
            form = normal_form(text)
            if form and form not in seen and text not in reserved:
                seen.add(form)
                yield text
