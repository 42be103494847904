"""Measure the translation of rare words: ``python scripts/evaluate_nouns.py DATA OUT.json``.

**Nouns, Verbs, Adjectives translated, Singulars.** `ROWS` sentences of STS-B dev in thirteen languages are
parsed with ``voted:mini``; words are translated in each of the distinct readings of a sentence. Each concept
that `parser.mini.rules.nouns`, `.verbs` or `.adjectives` changes or adds is compared with the concepts of the
gold graph of the English sentence, without senses. ``right`` and ``wrong`` are the shares, in percent of all
changes, that turn a concept which the gold graph lacks into one that it has, and the other way round. The
rules' thresholds were chosen on these sentences.

**Household nouns.** The percentage of the sentences of `HOUSEHOLD` whose graph has one of the nouns of
`ENGLISH`, with the rules and without. They were written before the dictionaries were read.

**Everyday adjectives, English plurals, English verbs.** The same of the sentences of `word_sentences`, which
were parsed after the rules were written. **Heads of compounds, Modifiers of compounds.** The same of either
part; these sentences were written before the rule. **Everyday nouns.** The same of the sentences of
`EVERYDAY_NOUNS`, which have words of ``everyday_nouns.tsv``; they were written after that list.

**Everyday verbs, Frequent verbs, Frequent adjectives, Frequent nouns.** The same of ``word_sentences.tsv``.
The first are common in a household and rare in news; the others were chosen from a random sample of the 9,000
most frequent English words. The sentences were written before the lexicon, and its authors did not see them.
"""

from __future__ import annotations

import csv
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import penman
from word_sentences import ADJECTIVES, COMPOUNDS, EVERYDAY, EVERYDAY_NOUNS, PARTS, PASTS, PLURALS

import parser.mini.parser as mini
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from parser import load as load_parser
from parser.mini.rules.nouns import lemma
from parser.training.corpora.sembanks import bamboo_pairs

Row = dict[str, str | float]
RULES = {
    "Nouns translated": "with_translated_nouns",
    "Verbs translated": "with_translated_verbs",
    "Adjectives translated": "with_translated_adjectives",
    "Singulars": "with_singular_nouns",
}
"""Names of the rules in `parser.mini.parser`."""

HOUSEHOLD = {
    "de": ("Gestern habe ich {} gekauft.", "einen Wasserhahn|einen Vorhang|eine Leiter|eine Matratze"
        "|eine Decke|eine Schublade|einen Zaun|ein Kissen|einen Hammer|einen Wasserkocher"),
    "es": ("Ayer compré {}.", "un grifo|una cortina|una escalera|un colchón|una manta|un cajón|una valla"
        "|una almohada|un martillo|un hervidor"),
    "fr": ("Hier, j'ai acheté {}.", "un robinet|un rideau|une échelle|un matelas|une couverture|un tiroir"
        "|une clôture|un oreiller|un marteau|une bouilloire"),
    "it": ("Ieri ho comprato {}.", "un rubinetto|una tenda|una scala|un materasso|una coperta|un cassetto"
        "|un recinto|un cuscino|un martello|un bollitore"),
    "nl": ("Gisteren heb ik {} gekocht.", "een kraan|een gordijn|een ladder|een matras|een deken|een lade"
        "|een hek|een kussen|een hamer|een waterkoker"),
    "pl": ("Wczoraj kupiłem {}.", "kran|zasłonę|drabinę|materac|koc|szufladę|płot|poduszkę|młotek|czajnik"),
    "pt": ("Ontem comprei {}.", "uma torneira|uma cortina|uma escada|um colchão|um cobertor|uma gaveta"
        "|uma cerca|um travesseiro|um martelo|uma chaleira"),
    "ru": ("Вчера я купил {}.", "кран|занавеску|лестницу|матрас|одеяло|ящик|забор|подушку|молоток|чайник"),
    "sv": ("Igår köpte jag {}.", "en kran|en gardin|en stege|en madrass|en filt|en låda|ett staket|en kudde"
        "|en hammare|en vattenkokare"),
    "tr": ("Dün {} aldım.", "bir musluk|bir perde|bir merdiven|bir yatak|bir battaniye|bir çekmece|bir çit"
        "|bir yastık|bir çekiç|bir su ısıtıcısı"),
    "fi": ("Ostin eilen {}.", "hanan|verhon|tikkaat|patjan|peiton|laatikon|aidan|tyynyn|vasaran"
        "|vedenkeittimen"),
    "nb": ("I går kjøpte jeg {}.", "en kran|en gardin|en stige|en madrass|et teppe|en skuff|et gjerde|en pute"
        "|en hammer|en vannkoker"),
    "ja": ("昨日{}を買いました。", "蛇口|カーテン|はしご|マットレス|毛布|引き出し"
        "|フェンス|枕|ハンマー|やかん"),
    "zh": ("昨天我买了{}。", "一个水龙头|一个窗帘|一个梯子|一张床垫|一条毯子|一个抽屉"
        "|一个围栏|一个枕头|一把锤子|一个水壶"),
}  # fmt: skip
"""Sentences about household goods: a template, and goods of the kinds of `ENGLISH`."""
ENGLISH = (
    {"faucet", "tap"}, {"curtain", "drape"}, {"ladder", "stair", "staircase"}, {"mattress", "bed"},
    {"blanket", "quilt", "duvet", "rug", "carpet"}, {"drawer", "box", "crate"}, {"fence", "gate"},
    {"pillow", "cushion"}, {"hammer"}, {"kettle", "boiler", "teapot", "heater"},
)  # fmt: skip
LANGS = ("de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh")
ROWS = 300


def concepts(graph: penman.Graph) -> dict[str, str]:
    """Return the concepts of a graph without senses, by variable."""
    return {node: lemma(str(concept)) for node, _, concept in graph.instances()}


def main(data: Path, out: Path) -> None:
    """Measure and write the rows."""
    set_threads()
    parser = load_parser("voted:mini")
    rows: list[Row] = []
    for lang, (template, nouns) in HOUSEHOLD.items():
        texts = [template.format(noun) for noun in nouns.split("|")]
        rows += fresh(parser, lang, "Household nouns", texts, ENGLISH)
    for lang, line in EVERYDAY.items():
        rows += fresh(parser, lang, "Everyday adjectives", line.split("|"), ADJECTIVES)
    for lang, pairs in EVERYDAY_NOUNS.items():
        known = [{"tap": {"tap", "faucet"}}.get(noun, {noun}) for noun, _ in pairs]
        rows += fresh(parser, lang, "Everyday nouns", [text for _, text in pairs], known)
    lines = Path(__file__).with_name("word_sentences.tsv").read_text("utf-8").splitlines()
    header, *sentences = (line.split("\t") for line in lines)
    for task in dict.fromkeys(row[0] for row in sentences):
        right = [row[1].split() for row in sentences if row[0] == task]
        for column, lang in enumerate(header[2:], start=2):
            texts = [row[column] for row in sentences if row[0] == task]
            rows += fresh(parser, lang, task, texts, right)
    for lang, (template, nouns) in COMPOUNDS.items():
        known = [(noun, parts) for noun, parts in zip(nouns.split("|"), PARTS, strict=False) if noun]
        texts = [template.format(noun) for noun, _ in known]
        for part, task in enumerate(("Heads of compounds", "Modifiers of compounds")):
            rows += fresh(parser, lang, task, texts, [parts[part] for _, parts in known])
    for task, template, line in (
        ("English plurals", "He needs two {} and a table.", PLURALS),
        ("English verbs", "He {} it last week.", PASTS),
    ):
        words = [pair.split() for pair in line.split("|")]
        texts = [template.format(form) for _, form in words]
        rows += fresh(parser, "en", task, texts, [{word} for word, _ in words])
    gold = [pair.source.graph for pair in bamboo_pairs(data / "amr" / "bamboo" / "sts", "dev")]
    chosen = sorted(random.Random(1).sample(range(len(gold)), ROWS))  # noqa: S311
    true = [set(concepts(gold[row]).values()) for row in chosen]
    for lang in LANGS:
        with open(data / "sts" / "stsb" / lang / "dev.csv", encoding="utf-8") as file:
            texts = [line[0] for line in csv.reader(file)]
        rows += changes(parser, lang, [texts[row] for row in chosen], true)
        print(lang, flush=True)
    write_json(out, rows)


def fresh(
    parser: Parser, lang: str, task: str, texts: Sequence[str], expected: Sequence[Collection[str]]
) -> Iterator[Row]:
    """Yield the rows of sentences whose graphs have expected concepts, with the rules and without."""
    sentences = [Sentence("", text, lang) for text in texts]
    for name in (task, f"{task}, no rules"):
        with ExitStack() as stack:
            if name != task:
                for rule in RULES.values():
                    stack.enter_context(patch(f"parser.mini.parser.{rule}", lambda graph, *_: graph))
            graphs = [parse.graph for parse in parser.parse(sentences)]
        right = [
            not set(concepts(graph).values()).isdisjoint(known)
            for graph, known in zip(graphs, expected, strict=True)
        ]
        yield _row(name, lang, "right", right)
    print(task, lang, flush=True)


def changes(parser: Parser, lang: str, texts: Sequence[str], true: Sequence[Container[str]]) -> Iterator[Row]:
    """Yield the rows of right and wrong changes by each rule."""
    pairs: defaultdict[tuple[str, str], list[tuple[penman.Graph, penman.Graph]]] = defaultdict(list)

    def recorded(task: str, rule: Callable[..., penman.Graph]) -> Callable[..., penman.Graph]:
        def record(graph: penman.Graph, text: str, *rest: object) -> penman.Graph:
            changed = rule(graph, text, *rest)
            pairs[task, text].append((graph, changed))
            return changed

        return record

    with ExitStack() as stack:
        for task, name in RULES.items():
            rule = recorded(task, getattr(mini, name))
            stack.enter_context(patch(f"parser.mini.parser.{name}", rule))
        parser.parse([Sentence("", text, lang) for text in texts])
    for task in RULES:
        changed = [
            (old.get(node) in known, new[node] in known)
            for text, known in zip(texts, true, strict=True)
            for pair in pairs[task, text]
            for old, new in [tuple(map(concepts, pair))]
            for node in new
            if old.get(node) != new[node]
        ]
        if changed:
            yield _row(task, lang, "right", [after and not before for before, after in changed])
            yield _row(task, lang, "wrong", [before and not after for before, after in changed])


def _row(task: str, lang: str, metric: str, counted: Sequence[bool]) -> Row:
    value = round(100 * sum(counted) / max(len(counted), 1), 2)
    return {
        "encoder": "voted:mini", "task": task, "language": lang, "metric": metric, "value": value,
        "n": len(counted),
    }  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
