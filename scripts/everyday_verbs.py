"""Add the verbs of ``everyday_verbs.tsv`` and of the lexicon to the parser's dictionaries.

python scripts/everyday_verbs.py PACKAGES "$AMRX_DATA" parser/mini/rules/data

Those verbs are by hand: dictionaries find them ambiguous, or lists of words too rare. PACKAGES is as for
`gather_nouns`. A form is left out if it is among the `FUNCTION_WORDS` most frequent words, or a noun or
adjective of the parser's dictionaries (*nada*); of a verb of the lexicon, also if it is in more than
`gather_verbs.SEEN` sentences that the parser learnt from. A verb by hand replaces what a dictionary says. The
frame of a verb of the lexicon is the one that the English sembanks use most.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from gather_nouns import FUNCTION_WORDS, frequent_words, write
from gather_verbs import MODAL, common_words, usual_frames
from lexicon import Everyday, read_lexicon, read_lines, read_rows
from verb_forms import forms

EVERYDAY_VERBS: list[Everyday] = read_lines("everyday_verbs.tsv")


def lexicon_verbs(data: Path) -> list[Everyday]:
    """Return the verbs of the lexicon that have a frame, with that frame."""
    frames = usual_frames(data)
    return [
        row._replace(concept=frames[verb])
        for row in read_lexicon("v")
        if (verb := row.concept.replace("-", " ")) in frames
    ]


def forms_by_hand(packages: Path, output: Path, rows: Sequence[Everyday], lang: str) -> dict[str, str]:
    """Return the frames of the forms of a language's verbs in ``rows``."""
    frames = {base: row.concept for row in rows for base in row.words.get(lang, ())}
    often = set(frequent_words(packages, lang)[:FUNCTION_WORDS])
    kinds = ("adjectives",) if lang == "de" else ("nouns", "adjectives")  # nouns of German have a capital
    others = {
        word for kind in kinds for _, words in read_rows(output / kind / f"{lang}.tsv.xz") for word in words
    }
    found = {form: frames[base] for form, base in forms(frames, lang) if form not in often | others}
    return found | frames


def with_near(rows: Iterable[tuple[str, Iterable[str]]], verbs: Sequence[Everyday]) -> dict[str, set[str]]:
    """Return the verbs near each verb, those of verbs by hand included."""
    near = {verb: set(others) for verb, others in rows}
    given = {verb: set(others) for verb, others in near.items()}
    for row in verbs:
        verb = row.concept.rpartition("-")[0].replace("-", " ")
        backwards = {other for other, others in given.items() if verb in others}
        others = {other.replace("-", " ") for other in row.others}
        near.setdefault(verb, backwards).update(others, {verb})
    return near


def main(packages: Path, data: Path, output: Path) -> None:
    """Add the forms to the file of each language, and the verbs near them."""
    lexicon = lexicon_verbs(data)
    for lang in sorted({lang for row in (*EVERYDAY_VERBS, *lexicon) for lang in row.words}):
        path = output / "verbs" / f"{lang}.tsv.xz"
        known = {
            word: frame
            for frame, words in read_rows(path)
            for word in words
            if frame.partition("-")[0] not in MODAL
        }
        often = common_words(data, lang)
        listed = {
            form: frame
            for form, frame in forms_by_hand(packages, output, lexicon, lang).items()
            if form not in often
        }
        everyday = forms_by_hand(packages, output, EVERYDAY_VERBS, lang)
        by_frame: defaultdict[str, list[str]] = defaultdict(list)
        for word, frame in sorted((known | listed | everyday).items()):
            by_frame[frame].append(word)
        write(path, sorted(by_frame.items()))
    path = output / "near_verbs.tsv.xz"
    near = with_near(read_rows(path), (*EVERYDAY_VERBS, *lexicon))
    write(path, ((verb, sorted(near[verb])) for verb in sorted(near)))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
