"""Label English sentences with a parser: the silver graphs that the mini parser learns from.

::

    parallel text, NLI, captions by rule, PropBank's examples
      -> English sentences -> parses, a block at a time, in a cache -> cleaned -> silver file

A hundred thousand sentences take an hour, so every block is written down before the next one is begun: a
killed run resumes at its block.
"""

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import penman

from amrx.device import progress as bar
from amrx.types import Parser, Sentence
from linearize.packed import pack_graph
from parser.run.cache import CachedParser, ParseCache
from parser.training.corpora.leakage import load_reserved
from parser.training.corpora.lines import read_columns
from parser.training.corpora.parallel import SOURCES, training_pairs
from parser.training.corpora.propbank import Predicate, predicates, with_predicate
from parser.training.corpora.silver import text_key, write_silver
from parser.training.mini.clean_labels import cleaned
from parser.training.templates.captions import scene_pairs

BLOCK = 1024
"""Sentences parsed between two writes."""
MOST_WORDS = 40
"""Longer sentences are not labelled: their graphs are seldom right."""
MOST_TEXTS = 20_000
"""Sentences of each corpus at most; those with translations into the most languages come first."""
CAPTIONS, CAPTION_LANGS = 8_000, ("ar", "tr")
"""Captions by rule, in each of these languages."""


def english_texts(data: Path, reserved: Container[str], seed: int = 0) -> Iterator[str]:
    """Yield the distinct English sentences to label, none reserved for measuring and none too long."""
    seen: set[str] = set()
    for text in _texts(data, reserved, seed):
        if text not in seen and _is_short(text) and text not in reserved:
            seen.add(text)
            yield text


def _is_short(text: str) -> bool:
    return 0 < len(text.split()) <= MOST_WORDS


def _texts(data: Path, reserved: Container[str], seed: int) -> Iterator[str]:
    for name in SOURCES:
        if name != "stsb":  # has graphs already
            pairs = training_pairs(data, SOURCES[name].langs, reserved, [name])
            languages = Counter(pair.english for pair in pairs if _is_short(pair.english))
            # of equals by hash, so that no language's file is preferred
            yield from sorted(languages, key=lambda text: (-languages[text], text_key(text)))[:MOST_TEXTS]
    rows = read_columns(data / "nli" / "snli" / "train-20k.tsv", 3)
    yield from islice(
        (text for premise, hypothesis, *_ in rows for text in (premise, hypothesis)), MOST_TEXTS
    )
    for pair in scene_pairs(CAPTIONS, seed, reserved, CAPTION_LANGS):
        yield pair.english
    for example in predicates(data):
        yield example.text


def label_sentences(
    texts: Sequence[str], parser: Parser, cache: Path, examples: Mapping[str, Predicate]
) -> Iterator[tuple[str, list[str]]]:
    """Yield each text with the packed symbols of its graph.

    Graphs that were repaired or that their sentence denies (`parser.training.mini.clean_labels`) teach
    nothing and are left out.

    Args:
        texts: English sentences.
        parser: Labels them.
        cache: The sqlite file of parses, made where it is not there.
        examples: A predicate that is known by hand, of some texts; their graphs hold it or are left out.
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
    """Label the open data's English sentences into a silver file; returns how many graphs it holds."""
    texts = list(english_texts(data, load_reserved(data)))[:most]
    cache = out.with_name(out.name + ".sqlite")
    examples = {example.text: example for example in predicates(data)}
    count = write_silver(out, label_sentences(texts, parser, cache, examples))
    for ending in ("", "-wal", "-shm"):
        Path(f"{cache}{ending}").unlink(missing_ok=True)
    return count
