r"""Subwords by byte-pair encoding for LASER1, from the files that fastBPE wrote.

::

    boys ──letters──> b o y s</w> ──merges──> b oys</w> ──vocabulary──> b o ys</w> ──written──> b@@ o@@ ys

``93langs.fcodes`` has a merge a line, in the order learnt, ``93langs.fvocab`` a written piece a line::

    o y 5120                    boys 812
    oy s</w> 977                b@@ 40113

subword-nmt applies them as fastBPE does: its version 0.2 has the end of the word at the last letter.

Source: Sennrich, Haddow and Birch 2016, Neural Machine Translation of Rare Words with Subword Units;
https://github.com/glample/fastBPE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path

from amrx.errors import InputError
from amrx.records.files import read_lines
from retrofit.bases.laser.files import missing_part

REMEMBERED = 1 << 17
"""Words whose pieces are kept; most of a text are a few that come again."""

Cut = Callable[[Sequence[str]], list[str]]
"""From words to the pieces of all of them, as they are written."""


def read_bpe(codes: Path, vocabulary: Path) -> Cut:
    """Read the merges and the vocabulary that fastBPE wrote."""
    try:
        from subword_nmt.apply_bpe import BPE
    except ModuleNotFoundError as error:
        raise missing_part(error, "cuts words into subwords for LASER1") from None
    lines: dict[str, int] = {}
    for number, fields in _rows(codes, "no merge (left piece, right piece and count, parted by blanks)", 3):
        merge = f"{fields[0]} {fields[1]}\n"
        if merge in lines:
            raise InputError(f"repeats the merge of line {lines[merge]}", file=codes, line=number)
        lines[merge] = number
    pieces = {fields[0] for _, fields in _rows(vocabulary, "no piece and its count, parted by a blank", 2)}
    bpe = BPE(StringIO("#version: 0.2\n" + "".join(lines)), vocab=pieces)

    def cut(words: Sequence[str]) -> list[str]:
        if len(bpe.cache) > REMEMBERED:
            bpe.cache.clear()
        written: list[str] = bpe.segment_tokens(words)
        return written

    return cut


def _rows(file: Path, otherwise: str, count: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the fields of each line.

    Only a blank parts fields: a piece may hold any other sign.
    """
    for number, line in enumerate(read_lines(file), start=1):
        fields = [field for field in line.rstrip("\r\n").split(" ") if field]
        if len(fields) != count or not fields[-1].isdecimal():
            raise InputError(f"{line.strip()[:60]!r} is {otherwise}", file=file, line=number)
        yield number, fields
