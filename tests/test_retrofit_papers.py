"""The tables of the papers: a line for every encoder, with numbers or with how to get its weights."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import parser
import retrofit
import retrofit.bases
from amrx.cli import main
from amrx.errors import MissingResourceError, OptionError
from amrx.evaluation import Row, tasks_named
from amrx.types import Encoder
from retrofit.bases.names import read_name
from retrofit.paper_tables import (
    AMR,
    PAPERS,
    WIDEST,
    PaperTable,
    _averages,
    _columns,
    markdown_tables,
    reproduce,
)
from tests.support.toy_parser import ToyParser
from tests.support.word_encoder import Words

SMALL = PaperTable("small", "A small paper", ("sts17", "bucc"), ("muse", "muse+amr", "labse", "vmsst"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The monolingual tracks; the more words two sentences share, the higher their score."""
    rows = [
        (f"a{n} b{n} c{n}", " ".join(f"{side}{n}" for side in "abcde"[n % 4 :]), 4 - n % 4)
        for n in range(250)
    ]
    folder = tmp_path / "sts" / "sts17"
    folder.mkdir(parents=True)
    for track in ("ar-ar", "en-en", "es-es"):
        text = "".join(f"{a}\t{b}\t{score}\n" for a, b, score in rows)
        (folder / f"{track}.tsv").write_text(text, "utf-8")
    return tmp_path


def load(name: str, side: str | None = None) -> Words:
    if name == "labse":
        raise MissingResourceError("weights of LaBSE", fetch="hf download LaBSE", local="labse:DIR")
    return Words()


def cells(text: str, name: str) -> list[str]:
    """Cells of the table of all tasks, which is the first one."""
    (line,) = [line for line in text.partition("###")[0].splitlines() if line.startswith(f"| {name} |")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_every_encoder_has_a_line_and_every_gap_is_named(data: Path) -> None:
    text = reproduce(SMALL, data, load, bases={}).text
    assert text.startswith("## A small paper\n")
    assert "| encoder | weights here | sts17: monolingual mean |" in text
    assert cells(text, "muse")[1] == "yes"
    assert float(cells(text, "muse")[2]) > 80
    assert cells(text, "labse")[1:] == ["no: `hf download LaBSE`", "–"]
    assert "amrx train-base vmsst" in cells(text, "vmsst")[1]
    assert "- bucc de, fr, ru, zh skipped: no " in text
    assert "; fetch https://comparable.limsi.fr" in text
    assert "- sts17 en-ar, en-de" in text


def test_without_any_weights_the_way_on_and_the_published_numbers_are_told(data: Path) -> None:
    table = PaperTable("small", "A small paper", ("sts17", "msimcse-sts"), ("labse+amr", "labse", "vmsst"))
    text = reproduce(table, data, load, bases={}).text
    assert "Nothing is measured: no weights of these encoders are on this machine. " in text
    assert "`--base labse=DIR`, a local folder" in text and "`--base labse=muse`" in text
    assert cells(text, "labse") == ["labse", "no: `hf download LaBSE`"]
    sts17 = text.partition("### sts17, spearman, published\n\n")[2].splitlines()
    assert sts17[0] == "|  | monolingual | cross-lingual |"
    assert "| mBERT, mean pooling (Cai et al. 2022) | 53.97 | 27.47 |" in sts17
    assert "### msimcse-sts, value, published\n" in text
    own = reproduce(table, data, load, bases={"labse": ["muse"]}).text
    assert "Nothing is measured" not in own and ", published\n" not in own


def test_without_any_data_the_folder_is_named(tmp_path: Path) -> None:
    text = reproduce(SMALL, tmp_path, load, bases={}).text
    assert "Nothing is measured: the weights of muse, muse+amr are on this machine, but the data of" in text
    assert "### sts17, spearman, published" in text and "fetch https://sbert.net/datasets/STS2017" in text


def test_a_summary_says_what_it_lacks(data: Path) -> None:
    text = reproduce(PaperTable("small", "A small paper", ("vmsst",), ("muse",)), data, load, bases={}).text
    assert "- vmsst: without STS 2012-2016: Pearson, " in text
    assert "so there is no score of six" in text


def test_a_task_has_a_table_of_its_languages_beside_the_published_means(data: Path) -> None:
    text = reproduce(SMALL, data, load, bases={}).text
    assert text.count("### ") == 1  # of bucc there is nothing
    table = text.partition("### sts17, spearman\n\n")[2].splitlines()
    assert table[:2] == ["|  | monolingual mean | ar-ar | en-en | es-es |", f"| --- |{' --: |' * 4}"]
    assert table[2] == "| mBERT, mean pooling (Cai et al. 2022) | 53.97 | 50.86 | 54.36 | 56.69 |"
    mean = cells(text, "muse")[2]
    assert "| mUSE++ #5 (Cai et al. 2022) | 85.52 | 80.67 | 88.74 | 87.14 |" in table
    assert "| LaBSE (MTEB results) | 76.45 | – | – | – |" in table
    assert table[-2:] == [f"| {name} | {' | '.join([mean] * 4)} |" for name in ("muse", "muse+amr")]


def test_no_published_mean_of_three_stands_beside_a_mean_of_two(data: Path) -> None:
    (data / "sts" / "sts17" / "ar-ar.tsv").unlink()
    table = reproduce(SMALL, data, load, bases={}).text.partition("### sts17, spearman\n\n")[2]
    assert table.startswith("|  | monolingual mean (2 of 3) |")
    assert "| mBERT, mean pooling (Cai et al. 2022) | – | 54.36 | 56.69 |" in table
    assert "LaBSE (MTEB results)" not in table


def test_a_wide_table_is_turned_round() -> None:
    [flores] = tasks_named("flores")
    codes, metric = flores.languages[: WIDEST + 1], flores.shown[0]
    rows = [
        Row(name, "flores", code, metric, 7.0, 9)
        for name, upto in (("a", 21), ("b", 1))
        for code in codes[:upto]
    ]
    (table,) = markdown_tables(flores, rows)
    lines = table.splitlines()
    assert lines[0] == f"### flores, {metric}" and lines[2:4] == ["|  | a | b |", "| --- | --: | --: |"]
    assert {f"| {codes[0]} | 7.00 | 7.00 |", f"| {codes[-1]} | 7.00 | – |"} < set(lines)
    assert any(line.startswith("| mean, all (21 of 204) | 7.00 | – |") for line in lines)


def test_a_base_that_was_trained_is_loaded_from_its_folder(data: Path) -> None:
    asked: list[tuple[str, str | None]] = []

    def note(name: str, side: str | None) -> Words:
        asked.append((name, side))
        return load(name)

    text = reproduce(SMALL, data, note, bases={"vmsst": ["vmsst:/runs/v"]}).text
    assert asked == [("muse", None), ("muse", "mini"), ("labse", None), ("vmsst:/runs/v", None)]
    assert cells(text, "vmsst")[1] == "yes"


def test_a_base_that_is_given_twice_has_two_lines(data: Path) -> None:
    asked: list[str] = []

    def note(name: str, side: str | None) -> Words:
        asked.append(name)
        return Words()

    table = PaperTable("small", "A small paper", ("sts17",), ("muse", "muse+amr"))
    text = reproduce(table, data, note, bases={"muse": ["muse:10k", "hf@cls:100k"]}).text
    assert asked == ["muse:10k", "hf@cls:100k"] * 2
    for label in ("muse 10k", "muse 100k", "muse 10k+amr", "muse 100k+amr"):
        assert cells(text, label)[1] == "yes"


def test_two_poolings_of_one_folder_are_two_lines_and_one_encoder_twice_is_refused(data: Path) -> None:
    table = PaperTable("small", "A small paper", ("sts17",), ("muse", "muse+amr"))
    own = {"muse": ["xlmr:fake", "hf@first-last:fake", "hf@cls:other"]}
    text = reproduce(table, data, lambda name, side: Words(), bases=own).text
    for label in ("muse xlmr:fake", "muse hf@first-last:fake", "muse other", "muse xlmr:fake+amr"):
        assert cells(text, label)[1] == "yes"
    with pytest.raises(OptionError, match="--base muse= is given twice with one encoder: a:b, a:b"):
        reproduce(table, data, lambda name, side: Words(), bases={"muse": ["a:b", "a:b"]})


def test_a_line_is_the_papers_model_with_the_papers_settings(data: Path) -> None:
    """LaBSE alone is not scaled in the released evaluation; with AMR both parts have unit length."""
    asked: list[str] = []

    def note(name: str, side: str | None) -> Words:
        asked.append(name)
        return Words()

    models = {"labse": "labse@unscaled", "xlmr": "xlmr@cls:FacebookAI/xlm-roberta-large"}
    lines = ("labse", "labse+amr", "xlmr", "msimcse")
    table = PaperTable("small", "A small paper", ("sts17",), lines, (), models | {"msimcse": "msimcse@32"})
    text = reproduce(table, data, note, bases={}).text
    assert asked == ["labse@unscaled", "labse", "xlmr@cls:FacebookAI/xlm-roberta-large"]
    assert cells(text, "msimcse")[1].endswith("then give `--base msimcse=DIR`")
    assert "differs from the paper" not in text
    asked.clear()
    reproduce(table, data, note, bases={"labse": ["L"], "xlmr": ["X", "hf@mean:Y"], "msimcse": ["M"]})
    assert asked == ["labse@unscaled:L", "labse:L", "xlmr@cls:X", "hf@mean:Y", "msimcse@32:M"]


def test_the_papers_models_are_names_of_bases() -> None:
    models = {paper.name: paper.models for paper in PAPERS}
    assert models["amr"]["labse"] == "labse@unscaled"  # test_labse.sh: --pooler simcse_sup
    assert models["emma-x"]["xlmr"] == "xlmr@cls:FacebookAI/xlm-roberta-large"  # Table 4: Xlm-r (cls)
    for paper in PAPERS:
        bases = {name.removesuffix(AMR) for name in paper.encoders}
        assert set(paper.models) <= set(paper.encoders) and set(paper.differs) <= bases
        for name, model in paper.models.items():
            asked = read_name(model if ":" in model else f"{model}:DIR")
            assert asked.row.name == name
        if paper.name == "msimcse":  # max_length=32 of its scripts
            assert {read_name(f"{model}:DIR").pieces for model in paper.models.values()} == {32}


def test_the_command_writes_a_file_of_the_tables_asked_for(data, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(retrofit.bases, "load_base", lambda name: load("labse"))
    out = tmp_path / "tables.md"
    asked = ["eval", "papers", "--data", str(data), "-o", str(out)]
    assert main([*asked, "--only", "vmsst"]) == 2
    told = capsys.readouterr().err
    assert "nothing was measured: data of sts12-16, " in told and " and weights of laser, labse, " in told
    assert "hf download LaBSE`; `amrx train-base contrastive`" in told
    text = out.read_text("utf-8")
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## Wieting et al. 2023, VMSST"]
    assert cells(text, "muse")[1] == "no: `hf download LaBSE`"
    assert main([*asked, "--only", "sota"]) == 2
    assert "unknown table 'sota'; choose from amr, emma-x, vmsst, msimcse" in capsys.readouterr().err
    assert main([*asked, "--base", "vmsst"]) == 2
    assert "--base must be NAME=DIR, got 'vmsst'" in capsys.readouterr().err
    assert main([*asked, "--only", "vmsst", "--base", "msimcse=DIR"]) == 2
    assert "no chosen table has a base 'msimcse'; choose from " in capsys.readouterr().err


def test_lines_can_be_chosen_and_each_step_is_said(data, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(retrofit.bases, "load_base", load)
    out = tmp_path / "tables.md"
    asked = ["eval", "papers", "--data", str(data), "-o", str(out), "--no-cache"]
    assert main([*asked, "--only", "amr,vmsst", "--lines", "muse, bitranslation"]) == 0
    steps = [line for line in capsys.readouterr().err.splitlines() if line.startswith(("amr: ", "vmsst: "))]
    assert steps[0].startswith("amr: reading the data of sts17, mldoc-senteval, ")
    assert [step for step in steps if "line" in step] == [
        "amr: line 1 of 1, muse", "vmsst: line 1 of 2, muse", "vmsst: line 2 of 2, bitranslation",
    ]  # fmt: skip
    text = out.read_text("utf-8")
    grids = [grid.partition("\n### ")[0] for grid in text.split("\n## ")]
    names = [[line.split("|")[1].strip() for line in grid.splitlines() if "|" in line] for grid in grids]
    assert [one[2:] for one in names] == [["muse"], ["muse", "bitranslation"]]
    assert main([*asked, "--lines", "vmsst"]) == 2  # tables without the line are left out
    assert [line for line in out.read_text("utf-8").splitlines() if line.startswith("## ")] == [
        "## Wieting et al. 2023, VMSST"
    ]
    assert main([*asked, "--only", "msimcse", "--lines", "muse"]) == 2
    assert "unknown line 'muse'; choose from mbert, xlmr, laser, labse, msimcse" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on POSIX only")
def test_a_data_folder_whose_name_is_no_utf_8_is_told(data, tmp_path, monkeypatch):
    monkeypatch.setattr(retrofit.bases, "load_base", lambda name: load("labse"))
    odd, out = Path(os.fsdecode(os.fsencode(tmp_path) + b"/odd-\xff")), tmp_path / "tables.md"
    odd.mkdir()
    (data / "sts").rename(odd / "sts")
    assert main(["eval", "papers", "--data", str(odd), "-o", str(out), "--only", "vmsst"]) == 2
    assert r"odd-\udcff/sts/sts17" in out.read_text("utf-8")


def test_what_is_measured_over_all_languages_together_has_its_column() -> None:
    [flores] = tasks_named("flores")
    rows = [Row("muse", "flores", "52 languages", metric, 7.0, 9) for metric in flores.shown]
    columns = _columns([flores], [("muse", "yes", rows)])
    assert {head for head, _ in columns} == {f"flores, {metric}" for metric in flores.shown}
    assert all(values == {"muse": 7.0} for values in columns.values())


def test_the_tables_name_tasks_and_bases_that_there_are() -> None:
    from retrofit.bases.table import PROVIDERS

    for table in PAPERS:
        assert tasks_named(table.tasks)
        for name in table.encoders:
            base = name.removesuffix(AMR)
            assert any(row.name == base for row in PROVIDERS), name


class Noisy(Words):
    """Words whose vectors a seed disturbs."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = seed

    def encode(self, sentences, *, lang=None, batch_size=64, progress=False):  # type: ignore[no-untyped-def]
        vectors = super().encode(sentences, lang=lang)
        noise = np.random.default_rng(self.seed).normal(size=vectors.shape)
        return (vectors + 3 * self.seed * noise).astype(np.float32)


def test_seeds_have_a_line_each_their_mean_and_its_deviation(data: Path) -> None:
    """Cai et al. 2022, section 6.4: the average performance over five different runs."""
    table = PaperTable("small", "A small paper", ("sts17",), ("muse", "muse+amr"))
    text = reproduce(
        table, data, lambda name, side: Noisy(int(side or 0)), bases={}, sides=("1", "2", "4")
    ).text
    runs = [float(cells(text, f"muse+amr {seed}")[2]) for seed in (1, 2, 4)]
    assert len(set(runs)) == 3
    mean = sum(runs) / 3
    assert float(cells(text, "muse+amr, mean of 3")[2]) == pytest.approx(mean, abs=0.011)
    deviation = (sum((run - mean) ** 2 for run in runs) / 2) ** 0.5
    assert float(cells(text, "muse+amr, deviation")[2]) == pytest.approx(deviation, abs=0.011)
    languages = text.partition("### sts17")[2]
    assert "| muse+amr, mean of 3 |" in languages and "deviation" not in languages


def test_the_command_scores_the_encoders_that_were_trained(data, tmp_path, monkeypatch, capsys):
    loaded: list[object] = []

    def base(name: str, device: str | None = None) -> Words:
        if name != "muse":
            return load("labse")
        loaded.append(name)
        return Words()

    def toy(name: str, *, beam: int | None) -> ToyParser:
        loaded.append((name, beam))
        return ToyParser()

    def joined(
        base: Encoder, parser: object, encoder: str, weight: float, *, integration: str, **_: object
    ) -> Words:
        loaded.append((base.name, encoder, weight, integration))
        return Noisy(len(encoder))

    monkeypatch.setattr(retrofit.bases, "load_base", base)
    monkeypatch.setattr(parser, "load", toy)
    monkeypatch.setattr(retrofit, "load", joined)
    monkeypatch.setattr(sys.modules["retrofit.folders"], "find_encoder", lambda name: tmp_path / name)
    out = tmp_path / "tables.md"
    asked = ["eval", "papers", "--data", str(data), "-o", str(out), "--only", "amr", "--no-cache"]
    trained = [*asked, "--encoder", "e,ee", "--parser", "seq2seq:X", "--weight", "1"]
    assert main([*trained, "--integration", "concat", "--beam", "5"]) == 0
    sides = [("words", side, (1.0,), "concat") for side in ("e", "ee")]
    assert loaded == ["muse", ("seq2seq:X", 5), *sides]
    told = capsys.readouterr().err
    assert f"{out}: 24 scores; skipped, as it says: data of sts17, mldoc-senteval, " in told
    assert ", weights of mbert, mbert+amr e, mbert+amr ee, xlmr, " in told
    text = out.read_text("utf-8")
    assert cells(text, "muse+amr ee")[-1] == cells(text, "muse+amr, mean of 2")[-1] == cells(text, "muse")[-1]
    assert cells(text, "muse")[-1].startswith("convolutional; the paper's mUSE is the large Transformer")
    assert cells(text, "laser+amr e")[-1].startswith("LASER2, unless DIR has the files of LASER1")
    assert cells(text, "xpara")[-1] == ""
    assert "| muse+amr ee | yes |" in text and "| muse+amr, mean of 2 | yes |" in text
    assert cells(text, "xlmr")[1].startswith("no: ")
    assert main([*asked, "--weight", "nan"]) == 2
    assert "weight must be a finite float32 >= 0, got nan" in capsys.readouterr().err
    assert main([*asked, "--integration", "sum"]) == 2
    assert "unknown integration 'sum'; choose from " in capsys.readouterr().err
    assert main([*asked, "--device", "abacus"]) == 2
    assert "device 'abacus' is unknown" in capsys.readouterr().err
    monkeypatch.undo()
    assert main([*asked, "--encoder", "mini,none"]) == 2
    assert "AMR encoder 'none' is neither" in capsys.readouterr().err


def test_the_mean_over_the_tasks_is_that_of_table_4():
    """Three of the five tasks of mBERT's line in Table 4, by hand."""
    columns = {
        ("mldoc-senteval", "mean, seen (6)"): {"mbert": 80.17, "xlmr": 79.99},
        ("mldoc-senteval", "mean, all (8)"): {"mbert": 77.90},
        ("xnli-senteval, accuracy", "mean, seen (6)"): {"mbert": 47.23},
        ("xnli-senteval, accuracy", "mean, all (15)"): {"mbert": 44.41},
        ("xnli-senteval, accuracy, fitted on dev-en", "mean, all (15)"): {"mbert": 1.0},
        ("marc-senteval, accuracy", "mean, seen (5)"): {"mbert": 39.56, "xlmr": 50.15},
        ("marc-senteval, accuracy", "mean, all (6)"): {"mbert": 38.43},
    }
    tasks = ("mldoc-senteval", "xnli-senteval", "marc-senteval")
    seen, every = (80.17 + 47.23 + 39.56) / 3, (77.90 + 44.41 + 38.43) / 3
    assert _averages(tasks, columns) == {
        ("mean of 3 tasks", "mean, seen"): {"mbert": pytest.approx(seen)},
        ("mean of 3 tasks", "mean, all"): {"mbert": pytest.approx(every)},
    }
    del columns["mldoc-senteval", "mean, all (8)"]
    assert list(_averages(tasks, columns)) == [("mean of 3 tasks", "mean, seen")]
    assert _averages((), columns) == {}
