"""Triplets of NLI and their translations, as a corpus for ``amrx train-encoder``: the paper's, section 4.1.

::

    nli.csv ──amrx translate──> DIR/de/00000.jsonl ...      row n of DIR/de is row n of nli.csv
       └───────────────┬───────────────┘
                 gather_nli ──> groups: one English sentence and its translations; triplets of groups
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from amrx import langid
from amrx.errors import InputError, OptionError
from amrx.translate.files import LISTING
from retrofit.training.amr.gather import Gathered
from retrofit.training.amr.nli import Triplets, columns_of, read_nli, read_triplets, text_columns

DROPPED = frozenset(("empty", "cut"))
"""A row with one of these flags of ``amrx translate`` gives no translation."""


def gather_nli(
    files: Sequence[Path], translations: Sequence[Path], reserved: Container[str] = frozenset()
) -> tuple[Gathered, Triplets]:
    """Collect triplets and translations; parse nothing yet.

    Args:
        files: NLI as `retrofit.training.amr.nli` reads it.
        translations: Folders that ``amrx translate`` wrote of these files, in any order.
        reserved: English sentences that may only be measured on; a triplet with one is left out.

    Returns:
        Groups, sentences and triplets of groups; and what was skipped.

    Raises:
        InputError: A row is wrong, or a translation is not finished.
        OptionError: A folder is the translation of none of the files.
    """
    sources = {_hash(file): file for file in files}
    folders = [(folder, _source(folder, sources)) for folder in translations]
    read = Triplets()
    for file in files:
        read_triplets(file, read)
    free = [row for row in read.rows if not any(text in reserved for text in row)]
    read.rows, read.reserved = free, len(read.rows) - len(free)
    found = Gathered()
    for row in read.rows:
        premise, entailment, contradiction = map(found.group, row)
        found.triplets.append({"premise": premise, "entailment": entailment, "contradiction": contradiction})
    seen: set[tuple[int, str]] = set()
    for file in files:
        _add(found, seen, _own_translations(file))
    for folder, file in folders:
        for place in sorted(entry for entry in folder.iterdir() if entry.is_dir()):
            _add(found, seen, _translations(file, place))
    return found, read


def _add(found: Gathered, seen: set[tuple[int, str]], texts: Iterator[tuple[str, str, str]]) -> None:
    """Add (English, language, translation) where the English is in a triplet; the first a language counts."""
    for english, lang, text in texts:
        group = found.groups.get(english)
        if group is not None and text.strip() and (group, lang) not in seen:
            seen.add((group, lang))
            found.sentences.append((group, lang, text))


def _own_translations(file: Path) -> Iterator[tuple[str, str, str]]:
    """Yield what a file of several languages, such as XNLI's, says in others than English."""
    english = {row.pair: row.texts for row in read_nli(file) if row.lang == "en" and row.pair}
    for row in read_nli(file):
        if row.lang != "en" and row.pair in english:
            for original, text in zip(english[row.pair], row.texts, strict=True):
                yield original, row.lang, text


def _translations(file: Path, place: Path) -> Iterator[tuple[str, str, str]]:
    """Yield what the shards of one language say of the rows of a file.

    Raises:
        InputError: They have not as many rows as the file, or a row is wrong.
    """
    lang = langid.check(place.name)
    columns = text_columns(file)
    for row, record in zip_longest(read_nli(file), _shards(place)):
        if row is None or record is None:
            raise InputError(f"has other rows than {file}; is the translation finished?", file=place)
        shard, line, values = record
        for original, name in zip(row.texts, columns, strict=True):
            if not isinstance(values.get(name), str):
                raise InputError("is missing, or no text", file=shard, line=line, field=name)
            if not DROPPED & set(values.get("flags", ())):
                yield original, lang, values[name]


def _shards(place: Path) -> Iterator[tuple[Path, int, dict[str, Any]]]:
    from amrx.records.files import read_lines
    from amrx.records.graphs import read_object

    for shard in sorted(place.glob("*.jsonl")):
        for line, text in enumerate(read_lines(shard), start=1):
            yield shard, line, read_object(text, shard, line)


def _source(folder: Path, sources: dict[str, Path]) -> Path:
    """Return the file that a folder is the translation of."""
    listing = folder / LISTING
    try:
        content = json.loads(listing.read_text("utf-8"))["input"]
    except FileNotFoundError:
        raise InputError("no such file; is this a folder of amrx translate?", file=listing) from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"is no plan of a translation: {error}", file=listing) from None
    if content not in sources:
        names = ", ".join(str(file) for file in sources.values())
        raise OptionError(f"--translations {folder}: is the translation of none of {names}")
    return sources[content]


def _hash(file: Path) -> str:
    columns_of(file)  # its errors come first
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
