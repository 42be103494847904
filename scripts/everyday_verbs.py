"""Add the verbs of ``everyday_verbs.tsv`` to the parser's dictionaries.

python scripts/everyday_verbs.py PACKAGES parser/mini/rules/data

Those verbs are by hand: dictionaries find them ambiguous, or lists of words too rare. PACKAGES is as for
`gather_nouns`. A form is left out if it is among the `FUNCTION_WORDS` most frequent words, or a noun or
adjective of the parser's dictionaries (*nada*). A verb by hand replaces what a dictionary says.
"""

from __future__ import annotations

import lzma
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from everyday_nouns import Everyday, read_lines
from gather_nouns import FUNCTION_WORDS, frequent_words, write
from verb_forms import forms

EVERYDAY_VERBS: list[Everyday] = read_lines("everyday_verbs.tsv")


def everyday_forms(packages: Path, output: Path, lang: str) -> dict[str, str]:
    """Return the frames of the forms of a language's everyday verbs."""
    frames = {base: row.concept for row in EVERYDAY_VERBS for base in row.words.get(lang, ())}
    often = set(frequent_words(packages, lang)[:FUNCTION_WORDS])
    kinds = ("adjectives",) if lang == "de" else ("nouns", "adjectives")  # nouns of German have a capital
    others = {
        word for kind in kinds for _, words in read_rows(output / kind / f"{lang}.tsv.xz") for word in words
    }
    return {
        form: frames[base]
        for form, base in forms(frames, lang)
        if form == base or form not in often | others
    }  # fmt: skip


def read_rows(path: Path) -> list[tuple[str, list[str]]]:
    """Return the lines of a dictionary: an English word and the others; none if there is no file."""
    if not path.is_file():
        return []
    lines = lzma.decompress(path.read_bytes()).decode("utf-8").splitlines()
    return [(first, others) for first, *others in (line.split("\t") for line in lines)]


def with_near(rows: Iterable[tuple[str, Iterable[str]]]) -> dict[str, set[str]]:
    """Return the verbs near each verb, those of everyday verbs included."""
    near = {verb: set(others) for verb, others in rows}
    given = {verb: set(others) for verb, others in near.items()}
    for row in EVERYDAY_VERBS:
        verb = row.concept.rpartition("-")[0].replace("-", " ")
        backwards = {other for other, others in given.items() if verb in others}
        others = {other.replace("-", " ") for other in row.others}
        near.setdefault(verb, backwards).update(others, {verb})
    return near


def main(packages: Path, output: Path) -> None:
    """Add the forms to the file of each language, and the verbs near them."""
    for lang in sorted({lang for row in EVERYDAY_VERBS for lang in row.words}):
        path = output / "verbs" / f"{lang}.tsv.xz"
        known = {word: frame for frame, words in read_rows(path) for word in words}
        by_frame: defaultdict[str, list[str]] = defaultdict(list)
        for word, frame in sorted((known | everyday_forms(packages, output, lang)).items()):
            by_frame[frame].append(word)
        write(path, sorted(by_frame.items()))
    path = output / "near_verbs.tsv.xz"
    near = with_near(read_rows(path))
    write(path, ((verb, sorted(near[verb])) for verb in sorted(near)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
