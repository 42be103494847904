"""mSimCSE: its columns, its join of NLI rows, its loss, and a run of each strategy."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from amrx.cli import main
from amrx.errors import InputError, OptionError
from retrofit.bases import load_base
from retrofit.training.bases.backbone import build_encoder, tokenize
from retrofit.training.bases.mixture import Row
from retrofit.training.bases.msimcse.nli import Drawer, join_nli, triplets_of, write_triplets
from retrofit.training.bases.msimcse.objective import ContrastObjective
from retrofit.training.bases.msimcse.recipe import Recipe
from retrofit.training.bases.msimcse.train import check
from retrofit.training.bases.objective import embed
from retrofit.training.bases.recipe import Backbone, Scratch
from retrofit.training.bases.sources import Source, count_rows, read_source
from tests.support.training_toys import PAIRS, SCRATCH, settings, write_pairs

NLI = [
    ("A man sleeps.", "A man rests.", "entailment"),
    ("A man sleeps.", "A man runs.", "contradiction"),
    ("A dog eats.", "An animal eats.", "entailment"),
    ("A dog eats.", "The dog is brown.", "neutral"),
    ("A man sleeps.", "Someone sleeps.", "entailment"),
    ("It rains.", "It is dry.", "contradiction"),
]


def write_nli(folder: Path, language: str, rows: list[tuple[str, str, str]] = NLI) -> Path:
    """Write the rows, each sentence marked with the language."""
    file = folder / f"nli.{language}.tsv"
    lines = [f"{language} {premise}\t{language} {other}\t{label}\n" for premise, other, label in rows]
    file.write_text("".join(lines), "utf-8")
    return file


def nli_source(folder: Path) -> Source:
    return read_source("nli", f"en-de:{write_nli(folder, 'en')},{write_nli(folder, 'de')}")


def test_entailments_meet_a_contradiction_of_their_premise_or_the_next_one(tmp_path: Path):
    source = nli_source(tmp_path)
    assert count_rows(source) == 3
    join_nli(source, tmp_path / "joined.tsv")
    rows = [line.split("\t") for line in (tmp_path / "joined.tsv").read_text("utf-8").splitlines()]
    english = [
        ["en A man sleeps.", "en A man rests.", "en A man runs."],
        ["en A dog eats.", "en An animal eats.", "en It is dry."],
        ["en A man sleeps.", "en Someone sleeps.", "en A man runs."],
    ]
    assert [row[:3] for row in rows] == english
    assert [row[3:] for row in rows] == [[text.replace("en ", "de ", 1) for text in row] for row in english]
    joined = triplets_of(source, tmp_path / "joined.tsv")
    assert count_rows(joined) == 3 and joined.kind == "triplets"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["joined.tsv", "nli.de.tsv", "nli.en.tsv"]


@pytest.mark.parametrize(
    ("german", "told"),
    [
        ([*NLI[:1], ("a", "b", "maybe"), *NLI[2:]], "nli.de.tsv:2: label must be one of entailment"),
        ([*NLI[:3], ("a", "b", "entailment"), *NLI[4:]], "nli.de.tsv:4: is 'entailment', but 'neutral' in"),
        (NLI[:5], "nli.de.tsv:5: ends here, but"),
    ],
)
def test_faulty_labels_name_file_and_line(tmp_path: Path, german, told: str):
    english, other = write_nli(tmp_path, "en"), write_nli(tmp_path, "de", german)
    with pytest.raises(InputError) as caught:
        count_rows(read_source("nli", f"en-de:{english},{other}"))
    assert told in str(caught.value)


def test_nli_without_a_contradiction_is_refused(tmp_path: Path):
    file = write_nli(tmp_path, "en", [NLI[0], NLI[3]])
    with pytest.raises(InputError, match="has no row of contradiction"):
        count_rows(read_source("nli", f"en:{file}"))


def rows_of(kind, languages, texts) -> list[Row]:
    return [Row(Source(kind, languages, (Path("x"),)), tuple(text)) for text in texts]


SNLI = """gold_label\tsentence1_binary_parse\tsentence1\tsentence2\tpairID
entailment\t( a )\tA man sleeps.\tA person sleeps.\t1
-\t( a )\tA man sleeps.\tA tall man.\t2
contradiction\t( a )\tA man sleeps.\tNobody sleeps.\t3
"""


def test_the_files_of_the_paper_are_read_as_they_are_published(tmp_path: Path):
    """SimCSE's nli_for_simcse.csv, SNLI with its header and unlabelled rows, XNLI-MT with its labels."""
    csv, snli = tmp_path / "nli_for_simcse.csv", tmp_path / "snli_1.0_train.tsv"
    csv.write_text('sent0,sent1,hard_neg\n"One, two",Three,Four\n"Five ""V""",Six,Seven\n', "utf-8")
    snli.write_text(SNLI, "utf-8")
    simcse = read_source("triplets", f"en:{csv}")
    assert count_rows(simcse) == 2
    write_triplets(simcse, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text() == 'One, two\tThree\tFour\nFive "V"\tSix\tSeven\n'
    english = read_source("nli", f"en:{snli}")
    assert count_rows(english) == 1
    join_nli(english, tmp_path / "joined.tsv")
    assert (tmp_path / "joined.tsv").read_text() == "A man sleeps.\tA person sleeps.\tNobody sleeps.\n"
    files = {}
    for code in ("en", "de"):
        files[code] = tmp_path / f"multinli.train.{code}.tsv"
        rows = [("p", "e", "entailment"), ("p", "c", "contradictory"), ("q", "n", "neutral")]
        text = "".join(f"{code} {one}\t{code} {two}\t{label}\n" for one, two, label in rows)
        files[code].write_text(f"premise\thypo\tlabel\n{text}", "utf-8")
    both = read_source("nli", f"en-de:{files['en']},{files['de']}")
    assert count_rows(both) == 1
    join_nli(both, tmp_path / "both.tsv")
    assert (tmp_path / "both.tsv").read_text() == "en p\ten e\ten c\tde p\tde e\tde c\n"


@pytest.mark.parametrize(
    ("kind", "name", "text", "told"),
    [
        ("nli", "a.csv", "sent0,sent1,hard_neg\na,b,c\n", "a.csv:1: has other columns than --nli reads"),
        ("triplets", "a.tsv", SNLI, "a.tsv:1: has other columns than --triplets reads"),
        ("nli", "a.tsv", SNLI.replace("-\t", "?\t"), "a.tsv:3: field 'gold_label': unknown NLI label '?'"),
        (
            "nli", "a.tsv", "language\tgold_label\tsentence1\tsentence2\nde\tentailment\ta\tb\n",
            "a.tsv:2: row is in 'de', not 'en'; give one file per language",
        ),
    ],
)  # fmt: skip
def test_a_published_file_of_another_kind_is_named(tmp_path: Path, kind, name: str, text: str, told: str):
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InputError, match=re.escape(told)):
        count_rows(read_source(kind, f"en:{tmp_path / name}"))


def test_columns_of_every_strategy():
    random = np.random.default_rng(0)
    text = rows_of("text", ("de",), [["Hallo."]])
    assert Drawer(Recipe(mix=("unsupervised",)))(text, random) == {
        "anchor": ["Hallo."],
        "positive": ["Hallo."],
    }
    parallel = rows_of("parallel", ("en", "de"), PAIRS * 20)
    sides = Drawer(Recipe(mix=("parallel",)))(parallel, random)
    both = set(zip(sides["anchor"], sides["positive"], strict=True))
    assert both == {*PAIRS, *((b, a) for a, b in PAIRS)}  # either side is the anchor
    triplets = rows_of("triplets", ("de", "en"), [["d1", "d2", "d3", "e1", "e2", "e3"]] * 200)
    english = Drawer(Recipe(mix=("english-nli",)))(triplets[:1], random)
    assert english == {"anchor": ["e1"], "positive": ["e2"], "negative": ["e3"]}
    crossed = Drawer(Recipe(mix=("cross-lingual-nli",)))(triplets, random)
    found = set(zip(crossed["anchor"], crossed["positive"], crossed["negative"], strict=True))
    assert found == {(a, b, c) for a in ("d1", "e1") for b in ("d2", "e2") for c in ("d3", "e3")}


def test_hard_negatives_are_dropped_when_pairs_are_mixed_in():
    rows = rows_of("triplets", ("en",), [["a", "b", "c"]]) + rows_of("parallel", ("en", "de"), [["d", "e"]])
    assert set(Drawer(Recipe(mix=("english-nli", "parallel")))(rows, np.random.default_rng(0))) == {
        "anchor",
        "positive",
    }


def test_english_nli_without_hard_negatives_is_the_first_row_of_table_6():
    """Section 5.1: 0 parallel sentences is English NLI without hard negative examples."""
    rows = rows_of("triplets", ("en",), [["a", "b", "c"]])
    drawn = Drawer(Recipe(mix=("english-nli",), negatives=False))(rows, np.random.default_rng(0))
    assert drawn == {"anchor": ["a"], "positive": ["b"]}


def small_encoder(dropout: float):
    scratch = Scratch(pieces=3000, width=16, layers=1, heads=2, dropout=dropout)
    return build_encoder(Backbone("scratch", pooling="mean", max_tokens=16, scratch=scratch), seed=0)


@pytest.mark.parametrize("mini_batch", [0, 2])
def test_the_loss_and_its_gradient_are_those_of_the_equation(mini_batch: int):
    encoder = small_encoder(dropout=0.0).double()
    texts = {
        "anchor": [a for a, _ in PAIRS[:4]],
        "positive": [b for _, b in PAIRS[:4]],
        "negative": [b for _, b in PAIRS[4:8]],
    }
    batch = {name: tokenize(encoder, column) for name, column in texts.items()}
    objective = ContrastObjective(encoder, Recipe(temperature=0.1, mini_batch=mini_batch, head=False))
    assert not any(name.startswith("_loss") for name in objective.state_dict())
    terms = objective(batch, 0)
    terms["total"].backward()
    gradients = {name: p.grad.clone() for name, p in encoder.named_parameters() if p.grad is not None}
    encoder.zero_grad()
    vectors = {name: embed(encoder, features) for name, features in batch.items()}
    vectors = {name: found / found.norm(dim=1, keepdim=True) for name, found in vectors.items()}
    total = torch.zeros((), dtype=torch.float64)
    for i in range(4):
        scores = [
            math.e ** (vectors["anchor"][i] @ vectors[name][j] / 0.1)
            for name in ("positive", "negative")
            for j in range(4)
        ]
        total = total - torch.log(scores[i] / sum(scores)) / 4
    assert terms["contrast"].item() == pytest.approx(total.item(), rel=1e-9)
    total.backward()
    wanted = {name: p.grad for name, p in encoder.named_parameters() if p.grad is not None}
    assert gradients.keys() == wanted.keys()
    assert all(torch.allclose(gradients[name], wanted[name], atol=1e-9) for name in wanted)


@pytest.mark.parametrize("mini_batch", [0, 2])
def test_the_head_is_simcses_and_stands_in_the_loss_alone(mini_batch: int):
    """SimCSE: h = tanh(W v + b) while training, v for use; -log of the share of h+ among all h+ and h-."""
    encoder = small_encoder(dropout=0.0).double()
    untouched = {name: value.clone() for name, value in encoder.state_dict().items()}
    objective = ContrastObjective(encoder, Recipe(mini_batch=mini_batch)).double()
    extra = set(objective.state_dict()) - {f"encoder.{name}" for name in untouched}
    weight, bias = (objective.get_parameter(f"head.linear.{name}") for name in ("weight", "bias"))
    assert extra == {"head.linear.weight", "head.linear.bias"}
    assert weight.shape == (16, 16) and not bias.any() and weight.std().item() == pytest.approx(0.02, rel=0.2)
    columns = {"anchor": PAIRS[:3], "positive": PAIRS[3:6], "negative": PAIRS[6:9]}
    batch = {name: tokenize(encoder, [a for a, _ in rows]) for name, rows in columns.items()}
    with torch.no_grad():
        bias.normal_()
    terms = objective(batch, 0)
    h = {name: torch.tanh(embed(encoder, features) @ weight.T + bias) for name, features in batch.items()}
    total = torch.zeros((), dtype=torch.float64)
    for i in range(3):
        scores = [
            math.e ** (h["anchor"][i] @ other / (h["anchor"][i].norm() * other.norm()) / 0.05)
            for name in ("positive", "negative")
            for other in h[name]
        ]
        total = total - torch.log(scores[i] / sum(scores)) / 3
    assert terms["total"].item() == pytest.approx(total.item(), rel=1e-9)
    terms["total"].backward()
    [group] = objective.groups()
    trained = {id(parameter) for parameter in group.parameters}
    for parameter in (weight, bias, encoder[0].model.get_input_embeddings().weight):
        assert id(parameter) in trained and parameter.grad is not None and parameter.grad.abs().sum() > 0
    assert len(encoder) == 2 and encoder.state_dict().keys() == untouched.keys()


@pytest.mark.parametrize(
    ("mix", "kind", "languages", "told"),
    [
        (("english-nli",), "nli", ("de",), "is not in English"),
        (("cross-lingual-nli",), "nli", ("en",), "is in one language"),
        (("parallel",), "text", ("en",), "does not read --text"),
    ],
)
def test_input_that_does_not_suit_the_strategy_is_refused(mix, kind, languages, told: str):
    with pytest.raises(OptionError, match=told):
        check([Source(kind, languages, (Path("none"),))], Recipe(mix=mix))


def test_both_nli_strategies_at_once_are_refused():
    with pytest.raises(OptionError, match="not both"):
        Recipe(mix=("english-nli", "cross-lingual-nli"))


@pytest.mark.parametrize("strategy", ["unsupervised", "cross-lingual-nli", "parallel", "mix"])
def test_a_run_of_each_strategy_lowers_the_loss(tmp_path: Path, strategy: str):
    files, nli = write_pairs(tmp_path), nli_source(tmp_path)
    given = {
        "unsupervised": ["--text", f"en:{files['text.en']}"],
        "cross-lingual-nli": ["--nli", nli.name],
        "parallel": ["--parallel", f"en-de:{files['pairs.tsv']}"],
        "mix": ["--nli", nli.name, "--parallel", f"en-de:{files['pairs.tsv']}"],
    }[strategy]
    recipe = SCRATCH | {
        "steps": 24, "batch": 3, "encoder.peak": 5e-3, "encoder.warmup": 1, "run.log_every": 8,
        "run.checkpoint_every": 24,
    }  # fmt: skip
    name = "english-nli-small" if strategy == "mix" else f"{strategy}-small"
    if strategy == "unsupervised":
        recipe |= {"head": True}
    changed = recipe | ({"mix": '["english-nli", "parallel"]'} if strategy == "mix" else {})
    out = tmp_path / "out"
    command = ["train-base", "msimcse", "-o", str(out), "--config", name, "--device", "cpu", *given]
    assert main([*command, *settings(changed)]) == 0
    lines = [json.loads(line) for line in (out / "training/contrast/log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [8, 16, 24]
    assert lines[-1]["contrast"] < lines[0]["contrast"]
    base = load_base(str(out), "cpu")
    assert base.name == "msimcse:out"
    assert base.encode(["Hallo.", "Hello."]).shape == (2, 16)
    assert not list((out / "training").glob("triplets-*"))
    assert sorted(file.name for file in out.glob("[0-9]_*")) == ["1_Pooling"]  # the head is not written
    with pytest.raises(InputError, match="is msimcse, not emma-x; load it as msimcse:"):
        load_base(f"emma-x:{out}", "cpu")


def test_the_weights_best_on_sts_b_dev_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The authors' scripts: every 300 steps, the best by Spearman on STS-B."""
    from retrofit.training.bases.msimcse import train

    assert Recipe().dev is None and Recipe().dev_every == 300
    place = tmp_path / "data" / "sts" / "stsb" / "en"
    out, files = tmp_path / "out", write_pairs(tmp_path)
    command = ["train-base", "msimcse", "-o", str(out), "--config", "parallel-small", "--device", "cpu"]
    command += ["--parallel", f"en-de:{files['pairs.tsv']}"]
    keys = SCRATCH | {"steps": 6, "batch": 3, "encoder.peak": 5e-2, "run.checkpoint_every": 6, "dev_every": 2}
    command += [*settings(keys), "--set", f"dev={tmp_path / 'data'}"]
    assert main(command) == 2 and not out.exists()  # no STS-B dev there
    place.mkdir(parents=True)
    lines = [f'"a man {n}","{"a man" if n % 2 else "it rains"} {n}",{5.0 * (n % 2)}\n' for n in range(1500)]
    (place / "dev.csv").write_text("".join(lines))
    seen, scored = [], train.stsb_score

    def remember(encoder, data):
        def score() -> float:
            own = scored(encoder, data)()
            seen.append((encoder.encode("a man"), own))
            return [1.0, 9.0, 5.0][len(seen) - 1]  # the second is the best

        return score

    monkeypatch.setattr(train, "stsb_score", remember)
    assert main(command) == 0
    assert len(seen) == 3 and all(-100 <= own <= 100 for _, own in seen)
    kept = load_base(str(out), "cpu").encode(["a man"])[0]
    np.testing.assert_allclose(kept, seen[1][0], atol=1e-6)
    assert np.abs(seen[2][0] - seen[1][0]).max() > 1e-3
    log = [json.loads(line) for line in (out / "training/contrast/log.jsonl").read_text().splitlines()]
    assert [line["dev"] for line in log] == [1, 9, 5]
    assert not list((out / "training").rglob("*.safetensors"))


@pytest.mark.parametrize("name", ["unsupervised", "english-nli", "cross-lingual-nli", "parallel"])
def test_shipped_recipes_are_whole(name: str):
    from retrofit.commands.train_base import read_recipe

    paper, small = read_recipe("msimcse", name, []), read_recipe("msimcse", f"{name}-small", [])
    assert paper.mix == small.mix == (name,)
    assert paper.head and paper.temperature == 0.05 and paper.backbone.max_tokens == 32
    assert (paper.batch, paper.epochs, paper.steps, paper.encoder.peak) == (128, 1, 0, 1e-5)
    assert (paper.encoder.schedule, paper.encoder.warmup, paper.encoder.decay) == ("linear", 0, 0)
    assert paper.run.clip == 1.0
    assert paper.backbone.pooling == "cls" and paper.run.optimizer == "adamw"
    assert (paper.backbone.name, small.backbone.start) == ("FacebookAI/xlm-roberta-large", "scratch")
