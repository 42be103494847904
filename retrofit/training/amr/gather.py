"""Gather the training corpus of the AMR encoder: open data, parsed by the parser of its later use.

A group is one English sentence with its translations::

    STS-B train   graded pairs, translations drawn from ten languages
    SICK, MRPC    graded pairs and paraphrases of BAMBOO, which keep BAMBOO's graphs; what MRPC calls
                  paraphrase, or not, is graded too (`MRPC_SCORES`)
    SNLI dev      triplets: premise, entailment, contradiction
    parallel      captions, everyday sentences, news, XNLI dev (first half)

Texts reserved by `parser.training.corpora.leakage` are excluded.
"""

import json
import random
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import penman

from amrx.device import progress as show_progress
from amrx.errors import InputError
from amrx.evaluation.data_folders import Data
from amrx.evaluation.hub_data import data_cache, provide
from amrx.evaluation.tasks.sts import STSB_DEV
from amrx.records import atomic_path, check_writable
from amrx.types import Parser, Sentence
from linearize import join_tokens, linearize
from linearize.forms import Form
from parser.run.cache import CachedParser, ParseCache
from parser.training.corpora.lines import read_columns
from parser.training.corpora.parallel import stsb, training_pairs
from parser.training.corpora.sembanks import bamboo_pairs
from retrofit.weight_fitting import stsb_pairs


def find_dev(data: Path | None, langs: Sequence[str], *, progress: bool = False) -> tuple[Data, list[str]]:
    """Find STS-B dev in the data folder, else in the download cache, else on the hub.

    Returned are the folders that have the files, and one line per source.
    """
    paths = {f"sts/stsb/{lang}/dev.csv" for lang in langs}
    wanted = replace(STSB_DEV, hub=tuple(file for file in STSB_DEV.hub if file.path in paths))
    provided = provide([wanted], data, data_cache(off=False), progress=progress)
    try:
        for lang in langs:
            stsb_pairs(provided.data, lang)
    except InputError as error:
        why = "".join(f"; {line}" for line in provided.refused)
        raise InputError(f"{error}{why}") from None
    return provided.data, provided.origins


def write_dev(
    out: Path,
    data: Data,
    langs: Sequence[str],
    parser: Parser,
    *,
    form: Form = "paper",
    progress: bool = False,
) -> int:
    """Write ``dev_sentences``, ``dev_parses`` and ``dev_pairs`` into a corpus folder; return the pairs."""
    gathered, pairs = Gathered(), []
    for lang in langs:
        for pair in stsb_pairs(data, lang):
            first_id = len(gathered.sentences)
            gathered.sentences += [(first_id, lang, pair.first), (first_id + 1, lang, pair.second)]
            pairs.append({"a": first_id, "b": first_id + 1, "score": pair.score, "lang": lang})
    write_lines(
        out / "dev_sentences.jsonl",
        ({"id": i, "lang": lang, "text": text} for i, lang, text in gathered.sentences),
    )
    write_lines(out / "dev_parses.jsonl", parse_rows(out / CACHE, gathered, parser, form, progress=progress))
    write_lines(out / "dev_pairs.jsonl", pairs)
    return len(pairs)


STSB_LANGS = ("de", "es", "fr", "it", "zh", "nl", "pl", "pt", "ru", "tr")
PARALLEL_LANGS = {
    "multi30k": ("de", "fr"),
    "tatoeba": ("ar", "tr", "de", "zh"),
    "wmt-mt": ("ar", "es", "fr", "it", "tr"),
    "xnli": ("ar", "tr", "es", "zh"),
    "ntrex": ("ar", "de", "es", "fr", "it", "nl", "pl", "pt", "ru", "tr", "zh"),
}
PARAPHRASE = 0.5
MRPC_SCORES = {True: 0.75, False: 0.55}
"""Scores of a pair of MRPC that is a paraphrase, or none: means of those that are in STS-B train."""
BLOCK = 4096
CACHE = "parses.sqlite"


@dataclass(frozen=True)
class Amounts:
    """Amounts of data; small enough for an hour on two cores."""

    graded: int = 4_000  # STS-B pairs; there are 5,749
    translations: int = 1  # number of translations per STS-B sentence, drawn from `STSB_LANGS`
    triplets: int = 800  # SNLI triplets
    # number of pairs per language of each parallel corpus of `PARALLEL_LANGS`
    parallel: Mapping[str, int] = field(
        default_factory=lambda: {
            "multi30k": 1_500, "tatoeba": 1_000, "wmt-mt": 1_000, "xnli": 800, "ntrex": 1_000,
        }
    )  # fmt: skip
    words: int = 22  # parallel sentences with more English words are left out
    seed: int = 0  # seed of all draws


@dataclass
class Gathered:
    """Groups, sentences and relations between groups."""

    groups: dict[str, int] = field(default_factory=dict)  # number of the group of each English sentence
    # group, language and text of each sentence
    sentences: list[tuple[int, str, str]] = field(default_factory=list)
    # graphs from sembanks, by index in ``sentences``
    graphs: dict[int, penman.Graph] = field(default_factory=dict)
    triplets: list[dict[str, int]] = field(default_factory=list)  # rows of ``triplets.jsonl``
    pairs: list[dict[str, float | int | None]] = field(default_factory=list)  # rows of ``pairs.jsonl``

    def group(self, english: str, graph: penman.Graph | None = None) -> int:
        """Return the group of an English sentence; create it at the first call."""
        number = self.groups.get(english)
        if number is None:
            number = self.groups[english] = len(self.groups)
            if graph is not None:
                self.graphs[len(self.sentences)] = graph
            self.sentences.append((number, "en", english))
        return number


def gather(data: Path, reserved: Container[str], amounts: Amounts) -> Gathered:
    """Collect sentences and relations; parse nothing yet."""
    rng = random.Random(amounts.seed)  # noqa: S311
    gathered = Gathered()
    _graded(gathered, data, reserved, rng, amounts)
    _bamboo(gathered, data, reserved)
    _triplets(gathered, data, reserved, amounts.triplets)
    for source, most in amounts.parallel.items():
        for lang in PARALLEL_LANGS[source]:
            pairs = [
                pair
                for pair in training_pairs(data, [lang], reserved, [source])
                if len(pair.english.split()) <= amounts.words
            ]
            # the same first rows in every language: captions of one image are in one row, and share a group
            chosen = pairs[:most] if source == "multi30k" else rng.sample(pairs, min(most, len(pairs)))
            gathered.sentences.extend((gathered.group(pair.english), lang, pair.foreign) for pair in chosen)
    return gathered


def _graded(
    gathered: Gathered, data: Path, reserved: Container[str], rng: random.Random, amounts: Amounts
) -> None:
    sides = {lang: [pair.foreign for pair in stsb(data, [lang])] for lang in STSB_LANGS}
    english = [pair.english for pair in stsb(data, STSB_LANGS[:1])]
    scores = [pair.score for pair in bamboo_pairs(data / "amr" / "bamboo" / "sts", "train")]
    for row in range(0, min(len(english), 2 * amounts.graded), 2):
        first, second = english[row], english[row + 1]
        if first in reserved or second in reserved:
            continue
        numbers = [gathered.group(first), gathered.group(second)]
        gathered.pairs.append({"a": numbers[0], "b": numbers[1], "score": scores[row // 2]})
        for side, number in enumerate(numbers):
            for lang in rng.sample(STSB_LANGS, amounts.translations):
                if sides[lang][row + side] not in reserved:
                    gathered.sentences.append((number, lang, sides[lang][row + side]))


def _bamboo(gathered: Gathered, data: Path, reserved: Container[str]) -> None:
    for name in ("sick", "para"):
        for pair in bamboo_pairs(data / "amr" / "bamboo" / name, "train"):
            if pair.source.snt in reserved or pair.target.snt in reserved:
                continue
            a = gathered.group(pair.source.snt, pair.source.graph)
            b = gathered.group(pair.target.snt, pair.target.graph)
            alike = pair.score > PARAPHRASE
            score = pair.score if name == "sick" else MRPC_SCORES[alike]
            gathered.pairs.append({"a": a, "b": b, "score": score})
            if name == "para" and alike:
                gathered.pairs.append({"a": a, "b": b, "score": None})


def _triplets(gathered: Gathered, data: Path, reserved: Container[str], most: int) -> None:
    sides: dict[str, dict[str, str]] = {}
    for premise, hypothesis, label, *_ in read_columns(data / "nli" / "snli" / "dev.tsv", 3):
        if premise not in reserved and hypothesis not in reserved:
            sides.setdefault(premise, {}).setdefault(label, hypothesis)
    whole = ((p, s) for p, s in sides.items() if "entailment" in s and "contradiction" in s)
    for premise, side in islice(whole, most):
        gathered.triplets.append(
            {
                "premise": gathered.group(premise),
                "entailment": gathered.group(side["entailment"]),
                "contradiction": gathered.group(side["contradiction"]),
            }
        )


def write(
    out: Path, gathered: Gathered, parser: Parser, *, form: Form = "paper", progress: bool = False
) -> dict[str, int]:
    """Parse sentences without a graph and write the corpus folder; return counts by status.

    Parses are kept in ``out/parses.sqlite`` block by block, so a killed run resumes; no more
    than a block of them is in memory.
    """
    out.mkdir(parents=True, exist_ok=True)
    check_writable(out / "parses.jsonl")
    counts: Counter[str] = Counter()
    rows = parse_rows(out / CACHE, gathered, parser, form, progress=progress)
    write_lines(out / "parses.jsonl", _counted(rows, counts))
    write_lines(
        out / "sentences.jsonl",
        ({"id": i, "group": g, "lang": lang, "text": t} for i, (g, lang, t) in enumerate(gathered.sentences)),
    )
    write_lines(out / "triplets.jsonl", gathered.triplets)
    write_lines(out / "pairs.jsonl", gathered.pairs)
    return dict(counts)


def parse_rows(
    kept: Path, gathered: Gathered, parser: Parser, form: Form, *, progress: bool = False
) -> Iterator[dict[str, object]]:
    """Yield one row of ``parses.jsonl`` per sentence, in order; parses are stored in the cache ``kept``."""
    count = len(gathered.sentences)
    blocks = [range(start, min(start + BLOCK, count)) for start in range(0, count, BLOCK)]
    with ParseCache(kept) as cache:
        cached = CachedParser(parser, cache)
        for block in show_progress(blocks, count, "parsing", show=progress, size=len):
            todo = [i for i in block if i not in gathered.graphs]
            asked = [Sentence(str(i), gathered.sentences[i][2], gathered.sentences[i][1]) for i in todo]
            parses = dict(zip(todo, cached.parse(asked, batch_size=128), strict=True))
            for i in block:
                graph = gathered.graphs[i] if i in gathered.graphs else parses[i].graph
                status = "ok" if i in gathered.graphs else parses[i].status
                yield {"id": i, "tokens": join_tokens(linearize(graph, form=form)), "status": status}


def _counted(rows: Iterable[dict[str, object]], counts: Counter[str]) -> Iterator[dict[str, object]]:
    for row in rows:
        counts[str(row["status"])] += 1
        yield row


def write_lines(path: Path, rows: Iterable[object]) -> None:
    """Write one JSON record per line, atomically."""
    with atomic_path(path) as temporary, open(temporary, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
