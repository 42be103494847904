"""Score a parser by Smatch: ``python scripts/evaluate_parser.py DATA OUT.json [PARSER [LANGUAGES]]``.

Gold graphs: STS-B dev in six languages with the graphs of BAMBOO (the first sentence of every row), The
Little Prince dev in English and Chinese, Bio dev in English. For languages without gold graphs
(``xnli-agreement``), the graph of a translation is compared with the parser's own graph of the English
sentence, on the held-out half of XNLI dev. Rows of a mini parser with other decoding:

* ``-greedy``: STS-B dev with a beam of one;
* ``-free``: STS-B dev with a beam of one and without the grammar (`FreeDecoder`); must not be better than
  ``-greedy``;
* ``-voted``: all sets with gold graphs, by the vote of several readings (`parser.ensemble`). These parses are
  in the cache of ``amrx parse``, because they take long.

BAMBOO's graphs are written by a parser, and one in forty of their frames is not in PropBank (``brown-02``),
so that a parser restricted to PropBank cannot give it. The rows ``stsb-dev-propbank`` score against gold
graphs that are repaired by `linearize.frames.mend_frames`. LANGUAGES, such as ``en`` or ``en,zh``, leaves out
the others. The printed speed excludes start-up (loading, first batch); it is meaningless for cached parses.
"""

from __future__ import annotations

import csv
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import penman
import torch
from torch import Tensor

import parser
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from linearize.frames import mend_frames
from parser.ensemble.voted_parser import vote
from parser.mini.decode import Decoder
from parser.mini.grammar import States, Words
from parser.mini.parser import MiniParser
from parser.mini.symbols import COPY, PAD, START
from parser.run.cache import CachedParser, ParseCache
from parser.score.smatch import corpus_smatch
from parser.training.corpora.parallel import xnli_sentences
from parser.training.corpora.sembanks import bamboo_pairs, bio, lpp

LANGS = ("en", "de", "es", "fr", "it", "zh")
AGREEING = ("ar", "bg", "de", "el", "es", "fr", "hi", "ru", "sw", "th", "tr", "ur", "vi", "zh")
Task = tuple[str, str, list[str], list[penman.Graph]]
Row = dict[str, str | float]


class FreeDecoder(Decoder):
    """Decode greedily without the grammar, to measure the effect of the grammar.

    The network has two kinds of steps, those where a node must follow and the others, with one distribution
    each (`parser.training.mini.loss`). This is the only constraint here: roles and bare brackets may follow
    where a node must follow, brackets may close nothing, references may point nowhere, and words may be
    spelled freely. `linearize.restore.delinearize` converts the output to a graph.
    """

    def may_low(self, states: States, words: Words) -> Tensor:
        """Return all symbols except padding, start and a copy of no word ``(B, first_node)``."""
        may = torch.ones((len(states.size), self.tables.first_node), dtype=torch.bool, device=self.device)
        may[:, [PAD, START, COPY]] = False
        return may

    def may_high(self, states: States, words: Words) -> Tensor:
        """Return all nodes, and copies of slots with a word ``(B, V - first_node + 1+S)``."""
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


def score(loaded: Parser, name: str, task: Task, mended: Sequence[penman.Graph] = ()) -> list[Row]:
    """Parse, score and print one dev set; return its row, and one for the gold graphs ``mended`` if given."""
    title, lang, texts, gold = task
    begun = time.monotonic()
    parses = loaded.parse([Sentence(str(i), text, lang) for i, text in enumerate(texts)])
    speed = len(texts) / (time.monotonic() - begun)
    whole = sum(parse.status == "ok" for parse in parses) / len(parses)
    rows: list[Row] = []
    for set_name, graphs in ((title, gold), (f"{title}-propbank", mended)):
        if graphs:
            f1 = corpus_smatch(graphs, [parse.graph for parse in parses]).f1
            figures = f"Smatch {f1:5.2f}  n {len(texts):4}  ok {whole:.0%}  {speed:.0f}/s"
            print(f"{name:18} {set_name:18} {lang}  {figures}")
            row = {"encoder": name, "task": set_name, "language": lang, "metric": "smatch"}
            rows.append({**row, "value": round(f1, 2), "n": len(texts)})
    return rows


def main(data: Path, out: Path, name: str = "mini", langs: str = "") -> None:
    """Score the parser on every dev set, and a mini parser with other decoding; write the rows."""
    set_threads()
    loaded = parser.load(name)
    loaded.parse([Sentence("0", "A first sentence wakes the kernels.", "en")])
    short = f"parser-{Path(name).name}"
    wanted = langs.split(",") if langs else [*LANGS, *AGREEING]
    sets = [task for task in tasks(data) if task[1] in wanted]
    agreeing = agreement(data, loaded, [lang for lang in AGREEING if lang in wanted])
    table = [row for task in (*sets, *agreeing) for row in score(loaded, short, task)]
    with ParseCache.chosen() or nullcontext() as cache:
        table += others(loaded, short, sets, cache) if isinstance(loaded, MiniParser) else []
    write_json(out, table)


def others(loaded: MiniParser, short: str, sets: Sequence[Task], cache: ParseCache | None) -> list[Row]:
    """Score other kinds of decoding with the same weights: greedy, without the grammar, by a vote."""
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
