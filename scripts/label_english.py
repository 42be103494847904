"""Label the open data's English sentences: ``python scripts/label_english.py DATA OUT.xz PARSER [MOST]``.

The file is for ``amrx train-parser --set silver=OUT.xz``.

::

    English sentences -> parses, a block at a time, in a cache -> cleaned -> silver file

A hundred thousand sentences take an hour, so each block is saved before the next one: a killed run resumes at
its block.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import penman
from clean_labels import cleaned, with_predicate

from amrx.device import progress as bar
from amrx.threads import cores, set_threads
from amrx.types import Parser, Sentence
from linearize.packed import pack_graph
from parser.run.cache import CachedParser, ParseCache
from parser.run.pool import open_parser
from parser.training.corpora.leakage import load_reserved
from parser.training.corpora.propbank import Predicate, predicates
from parser.training.corpora.silver import write_silver
from parser.training.mini.texts import english_texts

BLOCK = 1024
"""Sentences parsed between two writes."""


def label_sentences(
    texts: Sequence[str], parser: Parser, cache: Path, examples: Mapping[str, Predicate]
) -> Iterator[tuple[str, list[str]]]:
    """Yield each text with the packed symbols of its graph.

    Graphs that were repaired, or that contradict their sentence (`clean_labels`), are left out.

    Args:
        texts: English sentences.
        parser: Parser that labels them.
        cache: Sqlite file of parses; it is created if it does not exist.
        examples: Manually annotated predicates of some texts; graphs without the predicate are left out.
    """
    with ParseCache(cache) as parses:
        cached = CachedParser(parser, parses)
        starts = range(0, len(texts), BLOCK)
        for start in bar(starts, len(texts), "labels", size=lambda start: min(BLOCK, len(texts) - start)):
            sentences = [Sentence(str(i), text, "en") for i, text in enumerate(texts[start : start + BLOCK])]
            for parse in cached.parse(sentences, batch_size=128):
                graph: penman.Graph | None = parse.graph if parse.status == "ok" else None
                if graph is not None and parse.text in examples:
                    graph = with_predicate(parse, examples[parse.text])
                graph = None if graph is None else cleaned(graph, parse.text)
                symbols = None if graph is None else pack_graph(graph)
                if symbols is not None:
                    yield parse.text, symbols


def label_english(data: Path, out: Path, parser: Parser, most: int | None = None) -> int:
    """Label the open data's English sentences, and write the silver file; return its number of graphs."""
    texts = list(english_texts(data, load_reserved(data)))[:most]
    cache = out.with_name(out.name + ".sqlite")
    examples = {example.text: example for example in predicates(data)}
    count = write_silver(out, label_sentences(texts, parser, cache, examples))
    for ending in ("", "-wal", "-shm"):
        Path(f"{cache}{ending}").unlink(missing_ok=True)
    return count


def main(data: Path, out: Path, name: str, most: str = "") -> None:
    """Label with a process per core."""
    set_threads()
    with ExitStack() as stack:
        parser = open_parser(name, cores(), stack)
        count = label_english(data, out, parser, int(most) if most else None)
    print(f"{out}: {count} graphs by {name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
