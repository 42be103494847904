"""Smatch of a parser: ``python scripts/evaluate_parser.py DATA OUT.json [PARSER [LANGUAGES]]`` (mini, all).

STS-B dev is taken in six languages against the graphs of BAMBOO (the first sentence of every row), The Little
Prince dev in English and Chinese, Bio dev in English. For languages without gold graphs the held-out half of
XNLI dev tells how far the graph of a translation agrees with the parser's own of the English sentence. The
rows ``-greedy`` are STS-B dev by the same weights with a beam of one, the rows ``-free`` so and without the
grammar (`FreeDecoder`): what is constrained, mended and aligned must not be worse. The rows ``-voted``
are the sets with gold graphs by the graph that several readings elect (`parser.ensemble`); these parses come
from the cache of ``amrx parse``, and go there, as they take long. BAMBOO's graphs are a parser's, and one
frame in forty of them is none of PropBank's (``brown-02``), which a parser that is held to PropBank cannot
give: the rows ``stsb-dev-propbank`` score the same graphs where the gold ones are mended by
`linearize.frames.mend_frames`. LANGUAGES, as ``en`` or ``en,zh``, leaves the others out. The printed speed
includes everything but start-up (models loaded, first batch done), and says nothing of what was cached.
"""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import penman
import torch
from torch import Tensor

import parser
from amrx.records import atomic_path
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from linearize.frames import mend_frames
from parser.ensemble import vote
from parser.mini.decode import Decoder
from parser.mini.grammar import States, Words
from parser.mini.parser import MiniParser
from parser.mini.symbols import COPY, PAD, START
from parser.run.cache import CachedParser, ParseCache, open_cache
from parser.score.smatch import corpus_smatch
from parser.training.corpora.parallel import xnli_sentences
from parser.training.corpora.sembanks import bamboo_pairs, bio, lpp

LANGS = ("en", "de", "es", "fr", "it", "zh")
AGREEING = ("ar", "bg", "de", "el", "es", "fr", "hi", "ru", "sw", "th", "tr", "ur", "vi", "zh")
Task = tuple[str, str, list[str], list[penman.Graph]]
Row = dict[str, str | float]


class FreeDecoder(Decoder):
    """Decode without the grammar, to measure what the grammar costs or gains: the best symbol at each step.

    The network knows two kinds of steps, one where a node is wanted and one where it is not, and is trained
    with a probability for each (`parser.training.mini.loss`). Nothing else is left here: roles and bare
    brackets may come where a node is wanted, brackets may close nothing, references may point nowhere, a
    spelled word may be anything. `linearize.restore.delinearize` makes a graph of the output.
    """

    def may_low(self, states: States, words: Words) -> Tensor:
        """All but what the network never says ``(B, first_node)``: padding, start, a copy of no word."""
        may = torch.ones((len(states.size), self.tables.first_node), dtype=torch.bool, device=self.device)
        may[:, [PAD, START, COPY]] = False
        return may

    def may_high(self, states: States, words: Words) -> Tensor:
        """All nodes, and copies of what is a word ``(B, V - first_node + 1+S)``."""
        nodes = torch.ones((len(states.size), len(self.nodes[1])), dtype=torch.bool, device=self.device)
        named = states.in_name(self.tables)[:, None]
        return torch.cat((nodes, torch.where(named, words.name, words.plain) >= 0), 1)


def free_parser(parser: MiniParser) -> MiniParser:
    """Return a greedy parser with the weights of ``parser`` and no grammar."""
    name = "free"
    freed = MiniParser(parser.network, parser.alphabet, parser.tokenizer, name, beam=1)
    freed.decoder = FreeDecoder(parser.network, parser.alphabet)
    return freed


def tasks(data: Path) -> list[Task]:
    """Name, language, sentences and gold graphs of every dev set."""
    pairs = list(bamboo_pairs(data / "amr" / "bamboo" / "sts", "dev"))
    made: list[Task] = []
    for lang in LANGS:
        with open(data / "sts" / "stsb" / lang / "dev.csv", encoding="utf-8") as file:
            texts = [row[0] for row in csv.reader(file)]
        made.append(("stsb-dev", lang, texts, [pair.source.graph for pair in pairs]))
    prince = list(lpp(data, "dev"))
    made.append(("lpp-dev", "en", [e.snt for e in prince], [e.graph for e in prince]))
    chinese = [e for e in prince if e.metadata.get("snt_zh")]
    made.append(("lpp-dev", "zh", [e.metadata["snt_zh"] for e in chinese], [e.graph for e in chinese]))
    medical = list(bio(data, "dev"))
    made.append(("bio-dev", "en", [e.snt for e in medical], [e.graph for e in medical]))
    return made


def agreement(data: Path, loaded: Parser, langs: Sequence[str] = AGREEING) -> list[Task]:
    """The same for XNLI, its gold graphs those of the English side."""
    if not langs:
        return []
    sides = {
        lang: list(xnli_sentences(data / "transfer" / "XNLI" / f"dev-{lang}.tsv", "held-out"))
        for lang in ("en", *langs)
    }
    parses = loaded.parse([Sentence(str(i), text, "en") for i, text in enumerate(sides["en"])])
    return [("xnli-agreement", lang, sides[lang], [parse.graph for parse in parses]) for lang in langs]


def score(loaded: Parser, name: str, task: Task, mended: Sequence[penman.Graph] = ()) -> list[Row]:
    """Parse, score and print one dev set; return its row, and that of the same graphs with mended gold."""
    what, lang, texts, gold = task
    begun = time.monotonic()
    parses = loaded.parse([Sentence(str(i), text, lang) for i, text in enumerate(texts)])
    speed = len(texts) / (time.monotonic() - begun)
    whole = sum(parse.status == "ok" for parse in parses) / len(parses)
    rows: list[Row] = []
    for named, graphs in ((what, gold), (f"{what}-propbank", mended)):
        if graphs:
            f1 = corpus_smatch(graphs, [parse.graph for parse in parses]).f1
            said = f"Smatch {f1:5.2f}  n {len(texts):4}  ok {whole:.0%}  {speed:.0f}/s"
            print(f"{name:18} {named:18} {lang}  {said}")
            row = {"encoder": name, "task": named, "language": lang, "metric": "smatch"}
            rows.append({**row, "value": round(f1, 2), "n": len(texts)})
    return rows


def main(data: Path, out: Path, name: str = "mini", langs: str = "") -> None:
    """Score the parser on every dev set, and without its grammar on STS-B; write the rows."""
    set_threads()
    loaded = parser.load(name)
    loaded.parse([Sentence("0", "A first sentence wakes the kernels.", "en")])
    short = f"parser-{Path(name).name}"
    wanted = langs.split(",") if langs else [*LANGS, *AGREEING]
    sets = [task for task in tasks(data) if task[1] in wanted]
    agreeing = agreement(data, loaded, [lang for lang in AGREEING if lang in wanted])
    table = [row for task in (*sets, *agreeing) for row in score(loaded, short, task)]
    with open_cache(None) or nullcontext() as cache:
        table += others(loaded, short, sets, cache) if isinstance(loaded, MiniParser) else []
    with atomic_path(out) as temporary:
        temporary.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def others(loaded: MiniParser, short: str, sets: Sequence[Task], cache: ParseCache | None) -> list[Row]:
    """Score other ways to decode with the same weights."""
    voted: Parser = vote(loaded)
    if cache is not None:
        voted = CachedParser(voted, cache)
    ways: dict[str, tuple[Parser, tuple[str, ...]]] = {
        "greedy": (loaded.with_beam(1), ("stsb-dev",)),
        "free": (free_parser(loaded), ("stsb-dev",)),
        "voted": (voted, ("stsb-dev", "lpp-dev", "bio-dev")),
    }
    mended = [mend_frames(graph)[0] for graph in sets[0][-1]] if sets else []
    rows: list[Row] = []
    for kind, (way, names) in ways.items():
        for task in sets:
            if task[0] in names:
                rows += score(way, f"{short}-{kind}", task, mended if task[0] == "stsb-dev" else ())
    return rows


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
