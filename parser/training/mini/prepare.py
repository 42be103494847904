"""Make training examples of the mini parser from the open data.

Graphs exist for English only; a sentence in another language gets the graph of its English original, from a
sembank (STS-B in thirteen languages, The Little Prince in Chinese) or, silver, from an English parser.
"""

import random
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

from linearize.frames import known_frame
from linearize.packed import is_constant, pack_graph
from parser.training.corpora.lines import normal_form
from parser.training.corpora.parallel import SOURCES, Pair, stsb, training_pairs
from parser.training.corpora.sembanks import Entry, bamboo_pairs, read_sembank
from parser.training.corpora.silver import text_key
from parser.training.corpora.umr import umr
from parser.training.example import Example
from parser.training.mini.recipe import Recipe
from parser.training.mini.texts import english_texts

STSB_LANGS = ("de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh")
# how often a pair of each corpus is drawn in one epoch; small gold corpora more often than large silver ones
WEIGHTS = {
    "sts": 2.0, "sick": 1.0, "para": 1.0, "lpp": 3.6, "lpp-zh": 3.0, "bio": 1.0, "umr": 2.0, "qald9": 2.4,
}  # fmt: skip
STSB_WEIGHTS = {"de": 1.0, "es": 1.0, "fr": 1.0, "it": 1.0, "tr": 1.0, "zh": 1.3, "nl": 0.6}
OTHER_STSB_WEIGHT = 0.4
RESTYLED = 0.15
"""Share of the examples that are repeated in capitals, without capitals or without punctuation."""


def english(data: Path, reserved: Container[str]) -> Iterator[tuple[str, Entry]]:
    """Yield ``(corpus, entry)`` of the English training sembanks, without repeated and reserved sentences."""
    seen: set[str] = set()
    for name in ("lpp", "bio", "umr", "qald9", "sts", "sick", "para"):
        for entry in _sembank(data, name):
            form = normal_form(entry.snt)
            if form and form not in seen and entry.snt not in reserved:
                seen.add(form)
                yield name, entry


def _sembank(data: Path, name: str) -> Iterator[Entry]:
    if name == "umr":
        yield from umr(data)
    elif name in ("lpp", "bio", "qald9"):
        yield from read_sembank(data / "amr" / name / "train.amr")
    else:
        for pair in bamboo_pairs(data / "amr" / "bamboo" / name, "train"):
            yield from (pair.source, pair.target)


def sembank_examples(data: Path, reserved: Container[str]) -> Iterator[Example]:
    """Yield examples with graphs of the sembanks, in English and in STS-B's twelve other languages."""
    graphs: dict[str, list[str]] = {}
    for name, entry in english(data, reserved):
        graph = pack_graph(entry.graph)
        if graph is None:
            continue
        if name == "sts":
            graphs[normal_form(entry.snt)] = graph
        yield Example(entry.snt, graph, "en", WEIGHTS[name])
        chinese = entry.metadata.get("snt_zh", "").strip() if name == "lpp" else ""
        if chinese:
            yield Example(chinese, graph, "zh", WEIGHTS["lpp-zh"])
    seen: set[tuple[str, str]] = set()
    for pair in stsb(data, STSB_LANGS):
        pair_graph = graphs.get(normal_form(pair.english))
        if (
            pair_graph is not None
            and pair.foreign
            and (pair.lang, pair.foreign) not in seen
            and pair.foreign not in reserved
        ):
            seen.add((pair.lang, pair.foreign))
            yield Example(pair.foreign, pair_graph, pair.lang, STSB_WEIGHTS.get(pair.lang, OTHER_STSB_WEIGHT))


def with_known_frames(examples: Iterable[Example]) -> Iterator[Example]:
    """Yield the examples with PropBank's frames only (`linearize.frames`)."""
    for example in examples:
        graph = [one if is_constant(one) else known_frame(one) for one in example.graph]
        yield replace(example, graph=graph)


def restyled(examples: Iterable[Example], seed: int) -> Iterator[Example]:
    """Yield the examples, and some of them again in careless writing.

    A share of `RESTYLED` is repeated with half the weight: in capitals, in lower case without punctuation, or
    without final punctuation. The tokenizer splits these into other pieces.
    """
    rng = random.Random(f"{seed} restyled")  # noqa: S311
    for example in examples:
        yield example
        if rng.random() < RESTYLED:
            text = STYLES[rng.randrange(len(STYLES))](example.text, example.lang)
            if text and text != example.text:
                yield replace(example, text=text, weight=example.weight / 2)


def _capitals(text: str, lang: str) -> str:
    return (text.replace("i", "İ") if lang == "tr" else text).upper()


def _bare(text: str, lang: str) -> str:
    small = (text.replace("I", "ı").replace("İ", "i") if lang == "tr" else text).lower()
    return " ".join(_PUNCTUATION.sub(" ", small).split())


def _unfinished(text: str, lang: str) -> str:
    return text.rstrip(" .!?。！？।؟")


STYLES: tuple[Callable[[str, str], str], ...] = (_capitals, _bare, _unfinished)
_PUNCTUATION = re.compile(r"[^\w\s'’%$€£.,:/@+-]|[.,:](?!\d)")


def silver_examples(
    data: Path, reserved: Container[str], recipe: Recipe, graphs: Mapping[str, list[str]]
) -> Iterator[Example]:
    """Yield both sides of parallel text with the silver graph of the English one (as XAMR does).

    The graphs are packed, by the hash of their sentence (`parser.training.corpora.silver`).
    """
    english = dict.fromkeys(english_texts(data, reserved))
    for text in english:
        graph = graphs.get(text_key(text))
        if graph is not None:
            yield Example(text, graph, "en", recipe.silver_english)
    for pair in _pairs(data, reserved, recipe):
        graph = graphs.get(text_key(pair.english))
        if graph is not None:
            yield Example(pair.foreign, graph, pair.lang, recipe.silver_weight)


def _pairs(data: Path, reserved: Container[str], recipe: Recipe) -> Iterator[Pair]:
    for name, source in SOURCES.items():
        if name != "stsb":  # has graphs of its own
            for lang in source.langs:
                yield from islice(training_pairs(data, [lang], reserved, [name]), recipe.silver_pairs)
