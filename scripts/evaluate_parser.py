"""Score a parser by Smatch: ``python scripts/evaluate_parser.py DATA OUT.json [PARSER [LANGUAGES]]``.

Gold graphs: STS-B dev in six languages with the graphs of BAMBOO (the first sentence of every row), The
Little Prince dev in English and Chinese, Bio dev in English. For languages without gold graphs
(``xnli-agreement``), the graph of a translation is compared with the parser's own graph of the English
sentence, on the held-out half of XNLI dev.

LANGUAGES, such as ``en`` or ``en,zh``, leaves out the others, ``gold`` those without gold graphs. The printed
speed excludes start-up (loading, first batch); it is meaningless for cached parses.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import penman

import parser
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from parser.score.smatch import corpus_smatch
from parser.training.corpora.parallel import xnli_sentences
from parser.training.corpora.sembanks import bamboo_pairs, bio, lpp

LANGS = ("en", "de", "es", "fr", "it", "zh")
AGREEING = ("ar", "bg", "de", "el", "es", "fr", "hi", "ru", "sw", "th", "tr", "ur", "vi", "zh")
Task = tuple[str, str, list[str], list[penman.Graph]]
Row = dict[str, str | float]


def tasks(data: Path) -> list[Task]:
    """Return name, language, sentences and gold graphs of every dev set."""
    pairs = list(bamboo_pairs(data / "amr" / "bamboo" / "sts", "dev"))
    sets: list[Task] = []
    for lang in LANGS:
        with open(data / "sts" / "stsb" / lang / "dev.csv", encoding="utf-8") as file:
            texts = [row[0] for row in csv.reader(file)]
        sets.append(("stsb-dev", lang, texts, [pair.source.graph for pair in pairs]))
    prince = list(lpp(data, "dev"))
    sets.append(("lpp-dev", "en", [e.snt for e in prince], [e.graph for e in prince]))
    chinese = [e for e in prince if e.metadata.get("snt_zh")]
    sets.append(("lpp-dev", "zh", [e.metadata["snt_zh"] for e in chinese], [e.graph for e in chinese]))
    medical = list(bio(data, "dev"))
    sets.append(("bio-dev", "en", [e.snt for e in medical], [e.graph for e in medical]))
    return sets


def agreement(data: Path, loaded: Parser, langs: Sequence[str] = AGREEING) -> list[Task]:
    """Return the tasks of XNLI, with the parser's graphs of the English side as gold graphs."""
    if not langs:
        return []
    sides = {
        lang: list(xnli_sentences(data / "transfer" / "XNLI" / f"dev-{lang}.tsv", "held-out"))
        for lang in ("en", *langs)
    }
    parses = loaded.parse([Sentence(str(i), text, "en") for i, text in enumerate(sides["en"])])
    return [("xnli-agreement", lang, sides[lang], [parse.graph for parse in parses]) for lang in langs]


def score(loaded: Parser, name: str, task: Task) -> Row:
    """Parse, score and print one dev set; return its row."""
    title, lang, texts, gold = task
    begun = time.monotonic()
    parses = loaded.parse([Sentence(str(i), text, lang) for i, text in enumerate(texts)])
    speed = len(texts) / (time.monotonic() - begun)
    whole = sum(parse.status == "ok" for parse in parses) / len(parses)
    f1 = corpus_smatch(gold, [parse.graph for parse in parses]).f1
    figures = f"Smatch {f1:5.2f}  n {len(texts):4}  ok {whole:.0%}  {speed:.0f}/s"
    print(f"{name:18} {title:18} {lang}  {figures}", flush=True)
    row: Row = {"encoder": name, "task": title, "language": lang, "metric": "smatch"}
    return {**row, "value": round(f1, 2), "n": len(texts)}


def main(data: Path, out: Path, name: str = "mini", langs: str = "") -> None:
    """Score the parser on every dev set and write the rows."""
    set_threads()
    loaded = parser.load(name)
    loaded.parse([Sentence("0", "A first sentence wakes the kernels.", "en")])
    short = f"parser-{Path(name).name}"
    wanted = langs.split(",") if langs else [*LANGS, *AGREEING]
    sets = [task for task in tasks(data) if task[1] in wanted or langs == "gold"]
    agreeing = agreement(data, loaded, [lang for lang in AGREEING if lang in wanted])
    table = [score(loaded, short, task) for task in (*sets, *agreeing)]
    write_json(out, table)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
