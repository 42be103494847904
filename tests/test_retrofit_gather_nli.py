"""NLI in the formats it is published in, to a corpus with translations."""

import gzip
import json
from pathlib import Path

import pytest

from amrx.cli import main
from amrx.errors import InputError, OptionError
from amrx.translate.files import translate_file
from parser.load import PARSERS, Kind
from retrofit.training.amr.corpus import read_corpus
from retrofit.training.amr.dev import read_dev
from retrofit.training.amr.gather_nli import Triplets, gather_nli, read_nli, read_triplets
from tests.support.fake_translator import Fake
from tests.support.toy_parser import ToyParser

ROWS = [
    ("A man eats.", "A man has food.", "entailment"),
    ("A man eats.", "A man is hungry.", "neutral"),
    ("A man eats.", "Nobody eats.", "contradiction"),
    ("A man eats.", "Someone eats.", "entailment"),
    ("A dog runs.", "A dog moves.", "entailment"),
    ("A cat sits.", "A cat flies.", "contradiction"),
    ("A cat sits.", "A cat rests.", "entailment"),
    ("A cat sits.", "A cat waits.", "-"),
]
EXPECTED = [
    ("A man eats.", "A man has food.", "Nobody eats."),
    ("A cat sits.", "A cat rests.", "A cat flies."),
]
HEAD = "premise\thypothesis\tlabel\n"
SNLI = "gold_label sentence1_binary_parse sentence2_binary_parse sentence1 sentence2 captionID".split()
GLUE = "index promptID pairID genre sentence1_parse sentence1 sentence2 label1 gold_label".split()


def table(header: list[str], rows: list[dict[str, str]]) -> str:
    lines = [header, *([row.get(name, "x") for name in header] for row in rows)]
    return "".join("\t".join(line) + "\n" for line in lines)


def named(premise: str, hypothesis: str, label: str, **renamed: str) -> list[dict[str, str]]:
    return [{premise: a, hypothesis: b, label: renamed.get(c, c)} for a, b, c in ROWS]


SNLI_ROWS = named("sentence1", "sentence2", "gold_label")
NUMBERS = {"entailment": "0", "neutral": "1", "contradiction": "2", "-": "-1"}
FORMATS = {
    "snli_1.0_train.jsonl": "".join(json.dumps({"annotator_labels": [], **row}) + "\n" for row in SNLI_ROWS),
    "snli_1.0_train.tsv": table(SNLI, SNLI_ROWS),
    "multinli_1.0_train.jsonl": "".join(json.dumps({**row, "genre": "travel"}) + "\n" for row in SNLI_ROWS),
    "mnli-train.tsv": table(GLUE, SNLI_ROWS),
    "multinli.train.en.tsv": table(
        ["premise", "hypo", "label"], named("premise", "hypo", "label", contradiction="contradictory")
    ),
    "bare.tsv": "".join("\t".join(row) + "\n" for row in ROWS),
    "hub.jsonl": "".join(
        json.dumps({"premise": a, "hypothesis": b, "label": int(NUMBERS[c])}) + "\n" for a, b, c in ROWS
    ),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_triplets(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FORMATS[name], "utf-8")
    read = Triplets()
    read_triplets(tmp_path / name, read)
    assert read.rows == EXPECTED
    assert (read.skipped, read.unlabelled) == (1, 1)  # the dog has no contradiction; the cat may wait


def test_simcse_has_a_triplet_a_row(tmp_path: Path) -> None:
    file = tmp_path / "nli_for_simcse.csv.gz"
    rows = 'sent0,sent1,hard_neg\n"A man, who eats.",He has food.,Nobody eats.\nA dog runs.,,It sits.\n'
    file.write_bytes(gzip.compress(rows.encode()))
    read = Triplets()
    read_triplets(file, read)
    assert read.rows == [("A man, who eats.", "He has food.", "Nobody eats.")]
    assert read.skipped == 1


XNLI = [
    {"language": lang, "gold_label": label, "sentence1": f"{lang} premise", "sentence2": f"{lang} {label}",
     "pairID": str(pair)}
    for lang in ("ar", "de", "en")
    for pair, label in enumerate(("entailment", "neutral", "contradiction"))
]  # fmt: skip


@pytest.mark.parametrize("suffix", ["tsv", "jsonl"])
def test_the_languages_of_xnli_are_translations(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"xnli.dev.{suffix}"
    lines = "".join(json.dumps(row) + "\n" for row in XNLI)
    file.write_text(table(list(XNLI[0]), XNLI) if suffix == "tsv" else lines)
    found, read = gather_nli([file], [])
    assert read.rows == [("en premise", "en entailment", "en contradiction")]
    assert found.sentences == [
        (0, "en", "en premise"), (1, "en", "en entailment"), (2, "en", "en contradiction"),
        (0, "ar", "ar premise"), (1, "ar", "ar entailment"), (2, "ar", "ar contradiction"),
        (0, "de", "de premise"), (1, "de", "de entailment"), (2, "de", "de contradiction"),
    ]  # fmt: skip


def test_the_open_sample_of_snli_has_triplets(data_dir: Path) -> None:
    read = Triplets()
    read_triplets(data_dir / "nli" / "snli" / "dev.tsv", read)
    assert (len(read.rows), read.skipped) == (2943, 376)  # counted with sets as well


@pytest.mark.parametrize(
    ("name", "text", "error", "message"),
    [
        ("a.tsv", HEAD + "a\tb\tmaybe\n", InputError, r"a\.tsv:2: field 'label': unknown NLI label 'maybe'"),
        ("a.tsv", HEAD + "a\tb\n", InputError, r"a\.tsv:2: field 'label': is missing"),
        ("a.tsv", "x\ty\n", InputError, r"a\.tsv:1: no columns of NLI.*they are: x, y"),
        ("a.jsonl", '{"premise": "a", "hypothesis": 3, "label": 0}\n', InputError, r":1: field 'hypothesis'"),
        ("a.jsonl", '\n{"premise": "a"\n', InputError, r"a\.jsonl:"),
        ("a.txt", "premise\n", OptionError, r"a\.txt: NLI is read from \.csv, \.tsv or \.jsonl"),
    ],
)
def test_what_is_no_nli(name: str, text: str, error: type[Exception], message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(error, match=message):
        list(read_nli(tmp_path / name))


@pytest.fixture
def nli(tmp_path: Path) -> tuple[Path, Path]:
    """A file and its translation to German and French, by a translator that writes in capitals."""
    file = tmp_path / "nli.tsv"
    file.write_text(table(["premise", "hypothesis", "label"], named("premise", "hypothesis", "label")))
    out = tmp_path / "translated"
    list(translate_file(file, out, ["de", "fr"], Fake(), shard_size=3))
    return file, out


def test_translations_join_their_english_sentence(nli: tuple[Path, Path]) -> None:
    file, folder = nli
    shard = folder / "de" / "00000.jsonl"
    rows = [json.loads(line) for line in shard.read_text("utf-8").splitlines()]
    rows[2] |= {"flags": ["cut"]}  # Nobody eats.
    shard.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found, _ = gather_nli([file], [folder])
    english = {text: group for group, lang, text in found.sentences if lang == "en"}
    assert list(english) == [text for row in EXPECTED for text in row]  # no neutral hypothesis, no dog
    for lang, missing in (("de", {"NOBODY EATS."}), ("fr", set())):
        written = {text: group for group, own, text in found.sentences if own == lang}
        assert set(written) == {text.upper() for text in english} - missing
        assert all(english[text] == written[text.upper()] for text in english if text.upper() in written)
    assert found.triplets == [
        {"premise": 0, "entailment": 1, "contradiction": 2},
        {"premise": 3, "entailment": 4, "contradiction": 5},
    ]
    kept_out, _ = gather_nli([file], [folder], reserved={"Nobody eats."})
    assert "A man eats." not in kept_out.groups and len(kept_out.triplets) == 1


def test_translations_that_do_not_fit_are_named(nli: tuple[Path, Path], tmp_path: Path) -> None:
    file, folder = nli
    (folder / "fr" / "00002.jsonl").unlink()
    with pytest.raises(InputError, match=r"fr: has other rows than .*nli\.tsv; is the translation finished"):
        gather_nli([file], [folder])
    other = tmp_path / "other.tsv"
    other.write_text("a\tb\tentailment\n")
    with pytest.raises(OptionError, match="--translations .*: is not a translation of .*other"):
        gather_nli([other], [folder])
    (folder / "translate.json").write_text("[]")
    with pytest.raises(InputError, match=r"translate\.json: is not a plan"):
        gather_nli([file], [folder])
    (folder / "translate.json").unlink()
    with pytest.raises(InputError, match="is this a folder of amrx translate"):
        gather_nli([file], [folder])


def test_the_command_writes_a_corpus_with_dev_pairs(nli, tmp_path, monkeypatch, capsys):
    file, folder = nli
    data = tmp_path / "data"
    for lang, rows in (("en", "a b,a c,2.5\nd,e,0\n"), ("de", "f,g,5.0\n")):
        (data / "sts" / "stsb" / lang).mkdir(parents=True)
        (data / "sts" / "stsb" / lang / "dev.csv").write_text(rows)
    monkeypatch.setitem(PARSERS, "toy", Kind(lambda rest: ToyParser(), "toy", "for tests"))
    monkeypatch.setenv("AMRX_DATA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("AMRX_DATA", raising=False)
    out = tmp_path / "corpus"
    argv = ["gather-nli", str(file), "-o", str(out), "--translations", str(folder), "--parser", "toy"]
    assert main([*argv, "--dev", "en,de"]) == 2
    told = capsys.readouterr().err
    assert "sts/stsb/en/dev.csv: no such file; fetch https" in told and "but not offline" in told
    assert main([*argv, "--dev", "en,de", "--data", str(data)]) == 0
    told = capsys.readouterr().err
    assert "2 triplets, 18 sentences; left out: 1 premises without both hypotheses, 1 pairs" in told
    assert "3 dev pairs" in told and "18 ok" in told
    missing = "not excluded, because their files are missing: test sentences of sts17, bamboo, sembanks, "
    assert missing in told
    assert "stsb" not in told.partition("test sentences of")[2].partition("\n")[0]
    corpus = read_corpus(out)
    assert corpus.languages == ("en", "de", "fr") and (corpus.table >= 0).all()
    assert corpus.triplets.tolist() == [[0, 1, 2], [3, 4, 5]]
    dev = read_dev(out)
    assert dev is not None
    assert (dev.gold.tolist(), dev.languages) == ([2.5, 0, 5], ("en", "en", "de"))

    pointers = tmp_path / "pointers"
    again = [*argv[:3], str(pointers), *argv[4:], "--form", "pointer"]
    assert main(again) == 0
    assert (pointers / "parses.jsonl").read_text().startswith('{"id": 0, "tokens": "( <0> sentence')
    assert main([*argv, "--beam", "2"]) == 2
    assert "has no beam search" in capsys.readouterr().err
    assert main([*argv, "--form", "odd"]) == 2
    assert "unknown --form 'odd'; choose from paper, released, pointer" in capsys.readouterr().err
    assert main([*argv, "--dev", "german"]) == 2
    file.write_text("a\tb\tentailment\n")
    assert main(argv[:4]) == 2
    assert "no premise has entailment and contradiction" in capsys.readouterr().err


def test_dev_sentences_are_kept_out_of_the_triplets_wherever_they_come_from(
    nli: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As `amrx eval` keeps what it fetched: the rows, and beside them where they are from."""
    file, _ = nli
    kept = tmp_path / "cache" / "sts/stsb/en/dev.csv"
    kept.parent.mkdir(parents=True)
    kept.write_text("nobody  EATS,a c,2.5\n")
    origin = {"dataset": "org/stsb", "revision": "1f", "licence": "cc"}
    kept.with_name("dev.csv.source.json").write_text(json.dumps(origin))
    monkeypatch.setenv("AMRX_DATA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("AMRX_DATA", raising=False)
    monkeypatch.setitem(PARSERS, "toy", Kind(lambda rest: ToyParser(), "toy", "for tests"))
    argv = ["gather-nli", str(file), "-o", str(tmp_path / "corpus"), "--parser", "toy", "--dev", "en"]
    assert main(argv) == 0
    told = capsys.readouterr().err
    assert "stsb-dev: 1 file from org/stsb at 1f (cc)" in told
    assert "1 triplets, " in told and "1 triplets of test sets" in told
    dev = read_dev(tmp_path / "corpus")
    assert dev is not None and dev.gold.tolist() == [2.5]
