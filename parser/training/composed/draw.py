"""Draw composed sentences from the examples of a language."""

import csv
import random
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from linearize.packed import is_constant, is_reference, split_role
from parser.training.composed.graphs import compose
from parser.training.example import Example

MOST_SYMBOLS, MOST_CHARACTERS = 24, 90
"""Maximum length of the sentences that are joined."""
FULL_STOP = {"zh": "。", "ja": "。", "hi": "।", "ur": "۔"}
NUMBERS = range(5, 21)
"""Numbers of days, hours and years, in digits; all take the same plural in languages with several plurals."""
AGAIN = 0.2
"""Share of the composed sentences that are composed once more, with a link of `_OUTER`."""
_OUTER = ("and", "but", "or", "result", "think-01 i", "say-01 he", "say-01 she")
_ADVERBIALS = {
    "frequency": ":frequency",
    "every": ":frequency",
    "ago": ":time",
    "at": ":time",
    "for": ":duration",
}
"""Role that a link adds to the root, which must not have it yet."""
_UNFIT = frozenset({"imperative", "expressive", "interrogative", "amr-unknown", "multi-sentence"})
_FRAME = re.compile(r".+-\d\d")
_INNER = re.compile(r"[.!?;:\"“”«»()|\n。！？；：…]")
_SUFFIXED = {"ko": "다"}
"""Ending that a sentence needs to fit the patterns of a language."""


def composed_examples(
    examples: Iterable[Example], count: int, seed: int, reserved: Container[str]
) -> Iterator[Example]:
    """Yield up to ``count`` composed sentences of weight 1, with graphs composed of those of the parts.

    Languages are drawn in proportion to the square root of their number of fitting sentences, links
    uniformly.
    """
    rng = random.Random(f"{seed} composed")  # noqa: S311
    fitting: dict[str, list[Example]] = defaultdict(list)
    lowercase: dict[str, Counter[str]] = defaultdict(Counter)
    for example in examples:
        if example.lang not in patterns():
            continue
        words = example.text.split()
        lowercase[example.lang].update(word for word in words[1:] if word.islower())
        if fits(example):
            fitting[example.lang].append(example)
    langs = sorted(lang for lang, group in fitting.items() if len(group) > 2)
    if not langs:
        return
    weights = [len(fitting[lang]) ** 0.5 for lang in langs]
    for lang in rng.choices(langs, weights, k=count):
        first, second, third = rng.sample(fitting[lang], 3)
        links = patterns()[lang]
        example = _composed(first, second, links, rng, lowercase[lang])
        if rng.random() < AGAIN:
            links = {link: links[link] for link in _OUTER if link in links}
            example = _composed(third, example, links, rng, lowercase[lang])
        if example.text not in reserved:
            yield example


@cache
def patterns() -> dict[str, dict[str, list[str]]]:
    """Return the patterns of each language by link, from ``connectives.tsv``."""
    table: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    text = files("parser.training.composed").joinpath("connectives.tsv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        table[row["lang"]][row["link"]].append(row["pattern"])
    return {lang: dict(links) for lang, links in table.items()}


def fits(example: Example) -> bool:
    """Return whether the example is one short statement with a predicate."""
    graph, text = example.graph, _bare(example.text, example.lang)
    return (
        len(graph) <= MOST_SYMBOLS
        and len(text) <= MOST_CHARACTERS
        and _FRAME.fullmatch(graph[0]) is not None
        and graph[0] not in ("contrast-01", "cause-01")  # of a sentence that begins with "but" or "so"
        and _UNFIT.isdisjoint(graph)
        and not _INNER.search(text)
        and example.text.rstrip().endswith((".", "。", "।", "۔")) is (example.lang != "th")
        and (text != text.upper() or text == text.lower())
        and text.endswith(_SUFFIXED.get(example.lang, ""))
    )


def _bare(text: str, lang: str) -> str:
    return text.strip().rstrip(" .!。！।۔")


def _composed(
    first: Example,
    second: Example,
    links: Mapping[str, list[str]],
    rng: random.Random,
    lowercase: Counter[str],
) -> Example:
    """Return the two examples joined by a random link, or the second one with an adverbial or an opinion."""
    lang, taken = first.lang, _roles(second.graph)
    denied = ":polarity" in _roles(first.graph)
    fit = [
        link for link in sorted(links)
        if _ADVERBIALS.get(link.split()[0]) not in taken and not (denied and link == "unless")
    ]  # fmt: skip
    link = rng.choice(fit)
    pattern = rng.choice(links[link])
    number = rng.choice(NUMBERS)
    text = pattern.format(
        a=_inside(first.text, lang, lowercase, pattern.index("{a}") if "{a}" in pattern else 1),
        b=_inside(second.text, lang, lowercase, pattern.index("{b}")),
        n=number,
    )
    text = finished(text, lang, stop=False)
    if rng.random() < 0.9:
        text += FULL_STOP.get(lang, "" if lang == "th" else ".")
    return Example(text, compose(link, first.graph, second.graph, number), lang, 1.0)


def _inside(text: str, lang: str, lowercase: Counter[str], place: int) -> str:
    """Return a sentence as a clause: no full stop; lower-case first letter if ``lowercase`` has the word."""
    text = _bare(text, lang)
    word, _, rest = text.partition(" ")
    lower = word[0].replace("I", "ı").replace("İ", "i").lower() if lang == "tr" else word[0].lower()
    lower += word[1:]
    if place and lowercase[lower] > 1:
        return f"{lower} {rest}".strip()
    return text


def _roles(graph: Iterable[str]) -> set[str]:
    """Return the roles of the root."""
    roles, depth = set[str](), 0
    for symbol in graph:
        split = split_role(symbol)
        if split is not None:
            depth -= split[0]
            if depth == 1:
                roles.add(split[1])
        elif not is_reference(symbol) and not is_constant(symbol):
            depth += 1
    return roles


def finished(text: str, lang: str, stop: bool = True) -> str:
    """Capitalise a sentence and, if ``stop``, append the full stop of its language.

    Example:
        >>> finished("iki kedi", "tr")
        'İki kedi.'
    """
    first = "İ" if lang == "tr" and text[0] == "i" else text[0].upper()
    end = "。" if lang == "zh" else "."
    return first + text[1:] + (end if stop else "")
