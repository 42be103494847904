"""Read PropBank's example sentences, with manually annotated frame and core roles.

::

    traverse.01   A third is now being traversed.   traversed   [["ARG1", "A third"]]

Most frames of AMR occur in no open sembank.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sacremoses import MosesDetokenizer

from linearize.vocabulary import frames
from parser.training.corpora.lines import read_columns

_CORE = re.compile(r":?ARG\d")
_GAPS = re.compile(r"\*\S*\*(-\d+)?")
"""Traces of the Penn Treebank, as ``*PRO*``."""


@dataclass(frozen=True)
class Predicate:
    """One example."""

    frame: str  # AMR's frame, ``traverse-01``
    text: str  # the sentence, without the tokenizer's spaces
    words: str  # the words of the predicate in the sentence
    roles: frozenset[str]  # its core roles, as ``:ARG0``


def predicates(data: Path) -> Iterator[Predicate]:
    """Yield the examples whose frame is in AMR, without those that contain traces."""
    detokenize = MosesDetokenizer("en").detokenize
    for roleset, text, words, roles in read_columns(data / "amr" / "propbank-examples.tsv.gz", 4):
        frame = roleset.replace("_", "-").replace(".", "-")
        if frame in frames() and not _GAPS.search(text):
            plain = text.replace(" n't", "n't").replace("``", '"').replace("''", '"').replace(" - ", "-")
            core = frozenset(f":{role}" for role, _ in json.loads(roles) if _CORE.fullmatch(role))
            yield Predicate(frame, detokenize(plain.split()), words, core)
