"""Count invented amounts and names: ``python scripts/evaluate_fidelity.py DATA OUT.json [PARSER ...]``.

On the first 150 English sentences of STS-B dev with a digit or a name (a capital within the sentence). An
amount in the graph is invented if no number of the sentence, in digits or words, and no month has its value.
A part of a name is invented if it is neither a word of the sentence nor part of an English name of a place
that the sentence mentions (`parser.values.names`).
"""

from __future__ import annotations

import csv
import re
import sys
from itertools import islice
from pathlib import Path

import penman

import parser
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Sentence
from linearize.packed import is_constant
from parser.mini.words import read_words
from parser.values.apply import values_of
from parser.values.words import plain_form

SENTENCES = 150
_NAMED = re.compile(r"\d|(?<=[a-z,] )[A-Z]")
_UNITS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_UNITS += "thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = (
    {word: value for value, word in enumerate(_UNITS)}
    | {word: 10 * value for value, word in enumerate(_TENS, start=2)}
    | {
        "a": 1,
        "an": 1,
        "daily": 1,
        "every": 1,
        "everyday": 1,
        "single": 1,
        "once": 1,
        "first": 1,
        "second": 2,
        "twice": 2,
        "both": 2,
        "couple": 2,
        "pair": 2,
    }
    | {
        "double": 2,
        "third": 3,
        "triple": 3,
        "fourth": 4,
        "fifth": 5,
        "half": 0.5,
        "dozen": 12,
        "hundred": 100,
    }
    | {"hundreds": 100, "thousand": 1000, "thousands": 1000, "million": 1e6, "millions": 1e6, "billion": 1e9}
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def number_value(symbol: str) -> float:
    """Return the value of a number, NaN for other symbols."""
    try:
        return float(symbol) if symbol[-1:].isdigit() and is_constant(symbol) else float("nan")
    except ValueError:
        return float("nan")


def amounts_written(text: str) -> set[float]:
    """Return the values of the numbers of a sentence, in digits and in English words."""
    words = [word.text.lower() for _, word in read_words(text, "en")]
    values = {number_value(word.plain) for _, word in read_words(text, "en") if word.plain}
    values |= {float(digits) for digits in re.findall(r"\d+(?:\.\d+)?", text)}
    for word in "-".join(words).split("-"):
        values |= {_WORDS[word]} if word in _WORDS else set()
        values |= {_MONTHS.index(word[:3]) + 1.0} if word[:3] in _MONTHS else set()
    return values | {
        tens + unit for tens in values for unit in values if tens in range(20, 100, 10) and unit < 10
    }


def made_up(text: str, graph: penman.Graph) -> dict[str, tuple[list[str], int]]:
    """Return the invented constants and the number of all constants, by kind: ``amounts`` and ``names``."""
    amounts_in_text = amounts_written(text)
    words = [
        part
        for word in re.findall(r"[^\s,;:!?()@\"“”‘]+", text)
        for part in (word, *re.split(r"[-/]|['’]s", word))
    ]
    places = {plain_form(part) for value in values_of(text, "en") for part in value.amr.strip('"').split()}
    forms = {plain_form(word) for word in words} | places
    concepts = {instance.source: instance.target for instance in graph.instances()}
    amounts, names = [], []
    for source, role, target in graph.attributes():
        if concepts[source] == "name" and role.startswith(":op"):
            names.append(target)
        elif number_value(target) == number_value(target) and not role.startswith(":li"):
            amounts.append(target)
    wrong = [amount for amount in amounts if number_value(amount) not in amounts_in_text]
    return {
        "amounts": (wrong, len(amounts)),
        "names": ([name for name in names if plain_form(name) not in forms], len(names)),
    }


def main(data: Path, out: Path, *names: str) -> None:
    """Count for each parser, print the invented constants, and write the rows."""
    set_threads()
    with open(data / "sts" / "stsb" / "en" / "dev.csv", encoding="utf-8") as file:
        texts = list(islice((row[0] for row in csv.reader(file) if _NAMED.search(row[0])), SENTENCES))
    sentences = [Sentence(str(number), text, "en") for number, text in enumerate(texts)]
    rows = []
    for name in names or ("mini",):
        totals: dict[str, tuple[list[str], int]] = {"amounts": ([], 0), "names": ([], 0)}
        for parse in parser.load(name).parse(sentences):
            for kind, (wrong, count) in made_up(parse.text, parse.graph).items():
                totals[kind] = totals[kind][0] + wrong, totals[kind][1] + count
        for kind, (wrong, count) in totals.items():
            print(f"{name}: {len(wrong)} of {count} {kind} made up: {' '.join(wrong)}")
            rows.append({"parser": name, "kind": kind, "made_up": len(wrong), "n": count})
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
