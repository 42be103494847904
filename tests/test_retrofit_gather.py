import csv
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import fmean

import pytest

from amrx.cli import main
from parser.load import PARSERS, Kind
from parser.training.corpora.lines import normal_form, read_lines
from parser.training.corpora.sembanks import bamboo_pairs
from retrofit.training.amr import gather as module
from retrofit.training.amr.corpus import read_corpus
from retrofit.training.amr.gather import Amounts, Gathered, gather, write
from tests.support.toy_parser import ToyParser

SMALL = Amounts(triplets=5, parallel={"multi30k": 20, "tatoeba": 10}, words=12)


@pytest.fixture(scope="module", autouse=True)
def graphs_read_once() -> Iterator[None]:
    """Ten seconds of penman for each `gather` of these tests otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "bamboo_pairs", cache(lambda folder, part: list(bamboo_pairs(folder, part))))
        yield


@pytest.fixture(scope="module")
def found(data_dir: Path) -> Gathered:
    return gather(data_dir, {"A man is playing a large flute."}, SMALL)


def test_every_relation_joins_groups_that_exist(found: Gathered):
    groups = set(found.groups.values())
    assert {group for group, _, _ in found.sentences} == groups
    assert {number for row in found.triplets for number in row.values()} <= groups
    assert {row[side] for row in found.pairs for side in "ab"} <= groups
    assert len(found.triplets) == SMALL.triplets


def test_mrpc_is_graded_as_stsb_grades_it_and_its_paraphrases_are_pairs(data_dir: Path, found: Gathered):
    labels = {}
    for pair in bamboo_pairs(data_dir / "amr" / "bamboo" / "para", "train"):
        ends = found.groups.get(pair.source.snt), found.groups.get(pair.target.snt)
        labels[ends] = pair.score > module.PARAPHRASE
    scores = {}
    for row in found.pairs:
        scores.setdefault((row["a"], row["b"]), set()).add(row["score"])
    assert len(labels) > 3_000
    for ends, alike in labels.items():
        assert module.MRPC_SCORES[alike] in scores[ends]
        assert not alike or None in scores[ends]
    # what the two scores are: what people gave such pairs where STS-B has them
    texts = {number: normal_form(text) for text, number in found.groups.items()}
    known = {(texts[a], texts[b]): alike for (a, b), alike in labels.items()}
    given = {True: [], False: []}
    for first, second, score in csv.reader(read_lines(data_dir / "sts/stsb/en/train.csv")):
        ends = normal_form(first), normal_form(second)
        if ends in known:
            given[known[ends]].append(float(score) / 5)
    assert {alike: round(fmean(values), 2) for alike, values in given.items()} == pytest.approx(
        module.MRPC_SCORES, abs=0.02
    )


def test_a_group_has_one_english_sentence_and_nothing_reserved(found: Gathered):
    english = [text for _, lang, text in found.sentences if lang == "en"]
    assert len(english) == len(set(english)) == len(found.groups)
    assert "A man is playing a large flute." not in english


def test_captions_of_one_image_share_a_group(found: Gathered):
    langs: dict[int, set[str]] = {}
    for group, lang, _ in found.sentences:
        langs.setdefault(group, set()).add(lang)
    assert sum({"en", "de", "fr"} <= there for there in langs.values()) >= 15
    assert sum("ar" in there for there in langs.values()) == 10


def test_the_same_seed_gathers_the_same(data_dir: Path, found: Gathered):
    assert gather(data_dir, {"A man is playing a large flute."}, SMALL).sentences == found.sentences


def test_fewer_pairs_of_stsb_are_its_first_ones(data_dir: Path, found: Gathered):
    fewer = gather(data_dir, {"A man is playing a large flute."}, replace(SMALL, graded=4))
    texts = {group: text for text, group in fewer.groups.items()}
    stsb = [row[:2] for row in csv.reader(read_lines(data_dir / "sts/stsb/en/train.csv"))][:4]
    wanted = [pair for pair in stsb if "A man is playing a large flute." not in pair]
    assert [[texts[row["a"]], texts[row["b"]]] for row in fewer.pairs[: len(wanted)]] == wanted
    assert len(found.pairs) - len(fewer.pairs) > 3_900  # of 4,000


def test_a_killed_run_parses_only_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "BLOCK", 4)
    some = Gathered()
    for number in range(10):
        group = some.group(f"sentence {number}")
        some.sentences.append((group, "de", f"Satz {number}"))

    class Dying(ToyParser):
        def parse(self, sentences, *, batch_size=64, progress=False):
            if len(self.seen) >= 8:
                raise KeyboardInterrupt
            return super().parse(sentences)

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "new" / "corpus", some, Dying())
    assert not (tmp_path / "new" / "corpus" / "parses.jsonl").exists()
    again = ToyParser()
    assert write(tmp_path / "new" / "corpus", some, again) == {"ok": 20}
    assert len(again.seen) == 12
    corpus = read_corpus(tmp_path / "new" / "corpus")
    assert corpus.languages == ("en", "de")
    assert len(corpus.parses) == 20


def test_the_command_writes_a_corpus(data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(PARSERS, "toy", Kind(lambda rest: ToyParser(), "toy", "for tests"))
    monkeypatch.setattr("parser.training.corpora.leakage.load_reserved", lambda folder: frozenset())
    amounts = ("triplets=3", "translations=0", 'parallel={"tatoeba"=2}')
    settings = [part for amount in amounts for part in ("--set", amount)]
    assert main(["gather", str(data_dir), "-o", str(tmp_path / "c"), "--parser", "toy", *settings]) == 0
    rows = [json.loads(line) for line in (tmp_path / "c" / "sentences.jsonl").read_text("utf-8").splitlines()]
    assert sum(row["lang"] == "tr" for row in rows) == 2
    assert not [row for row in rows if row["lang"] == "it"]
    with sqlite3.connect(tmp_path / "c" / "parses.sqlite") as cache:
        assert cache.execute("SELECT count(*) FROM parses").fetchone()[0] > 1000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "-o", "c"], "nowhere: no such folder"),
        ([".", "-o", "c", "--set", "captions=3"], "captions"),
        ([".", "-o", "taken"], "taken: is a file"),
    ],
)
def test_bad_arguments_are_told_in_a_line(arguments, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("")
    assert main(["gather", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "c").exists()


def test_dev_pairs_and_pointers_of_the_command(data_dir, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(PARSERS, "toy", Kind(lambda rest: ToyParser(), "toy", "for tests"))
    monkeypatch.setattr("parser.training.corpora.leakage.load_reserved", lambda folder: frozenset())
    monkeypatch.setattr(module, "gather", lambda data, reserved, amounts: one_sentence())
    argv = ["gather", str(data_dir), "-o", str(tmp_path / "c"), "--parser", "toy", "--form", "pointer"]
    assert main([*argv, "--dev", "en,fr"]) == 0
    assert "3000 dev pairs" in capsys.readouterr().err
    for stem, count in (("parses", 1), ("dev_parses", 6000)):
        rows = [json.loads(line) for line in (tmp_path / "c" / f"{stem}.jsonl").read_text().splitlines()]
        assert len(rows) == count and all(row["tokens"].startswith("( <0> sentence") for row in rows)
    assert main([*argv[:-1], "odd"]) == 2


def one_sentence() -> Gathered:
    some = Gathered()
    some.group("A sentence.")
    return some
