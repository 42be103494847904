"""results/papers/reproduce-mse-amr.md from start to end: its commands, on tiny models in the real formats."""

import json
import re
import shlex
from pathlib import Path

import pytest
import torch

from amrx.cli import main
from parser.writers.convert import new_tokens, read_lists
from tests.support import tiny_marian, tiny_models
from tests.support import tiny_seq2seq as tiny

PAGE = Path(__file__).resolve().parents[1] / "results" / "papers" / "reproduce-mse-amr.md"
MBART = "facebook/mbart-large-50-many-to-many-mmt"
SHORTER = {
    "train-encoder": [
        "model.backbone=bert", "model.max_tokens=32", "model.read_tokens=32", "epochs=0", "steps=2",
        "nli.batch=4", "evaluate_every=1", "patience=0",
    ],
}  # fmt: skip
TEXTS = list(tiny_marian.PAIRS)


def commands() -> list[list[str]]:
    """The commands of the page's table, in order."""
    return [
        shlex.split(command)[1:]
        for command in re.findall(r"^\| \d .*?\| `(amrx .*?)` \|", PAGE.read_text(), re.M)
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page's files, in the folder that its commands run in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("AMRX_OPUS_MT", str(tmp_path / "opus"))
    monkeypatch.delenv("AMRX_DATA", raising=False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    marks = {"zh": (">>cmn_Hans<<", ">>yue_Hant<<"), "ar": (">>ara<<", ">>arq<<")}
    for number, lang in enumerate(("de", "es", "it", "zh", "fr", "ar")):
        place = tmp_path / "opus" / f"opus-mt-en-{lang}"
        tiny_marian.save(place, steps=80, seed=number, marks=marks.get(lang, ()))
    tiny_models.bert(tmp_path / "bert")
    vocab = tmp_path / "spring" / "data" / "vocab"
    vocab.mkdir(parents=True)
    (vocab / "predicates.txt").write_text("want-01 9\ngo-02 5\n")
    (vocab / "additions.txt").write_text(":ARG0\n:ARG1\n-of\n-01\n")
    (vocab / "recategorizations.txt").write_text("PERSON\n")
    tokenizer = tiny.mbart_tokenizer()
    base = tiny.save(tmp_path / "mbart", tiny.tiny_model("mbart", len(tokenizer), seed=5), tokenizer)
    known = [entry[0] for entry in json.loads((base / "tokenizer.json").read_text())["model"]["vocab"]]
    rows = len(known) + len(new_tokens(read_lists(vocab), known, "mbart"))
    state = tiny.tiny_model("mbart", rows, seed=2).state_dict()
    torch.save({"model": {f"module.{key}": value for key, value in state.items()}}, tmp_path / "XAMR.pt")
    triplets = [f"{TEXTS[n % 4]},{TEXTS[(n + 1) % 4]},{TEXTS[(n + 2) % 4]}" for n in range(4)]
    (tmp_path / "nli_for_simcse.csv").write_text("\n".join(["sent0,sent1,hard_neg", *triplets]) + "\n")
    measured = [*tiny.GOLD, "A girl."]  # no sentence of the triplets, which would be left out
    pairs = [(measured[n % 4], measured[n % 3], n % 6) for n in range(1500)]
    stsb, sts17 = (tmp_path / "DATA" / "sts" / name for name in ("stsb/en", "sts17"))
    stsb.mkdir(parents=True)
    (stsb / "dev.csv").write_text("".join(f'"{one}","{two}",{score}\n' for one, two, score in pairs))
    sts17.mkdir()
    for track in ("ar-ar", "en-en", "es-es"):
        rows_17 = "".join(f"{one}\t{two}\t{score}\n" for one, two, score in pairs[:250])
        (sts17 / f"{track}.tsv").write_text(rows_17)
    return tmp_path


def test_the_page_runs_from_nothing_to_the_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = commands()
    assert [step[0] for step in steps] == [
        "convert-checkpoint", "translate", "gather-nli", "train-encoder", "eval"
    ]  # fmt: skip
    for step in steps:
        more = [word for key in SHORTER.get(step[0], ()) for word in ("--set", key)]
        device = ["--device", "cpu"] if step[0] not in ("convert-checkpoint",) else []
        bases = ["--offline", "--base", "mbert=hf@mean:bert"] if step[0] == "eval" else []
        words = [word.replace(MBART, str(folder / "mbart")) for word in step]
        assert main([*words, *more, *device, *bases]) == 0, (step, capsys.readouterr().err)
    tokens = json.loads((folder / "ENCODER" / "seed-1" / "tokenizer.json").read_text())["added_tokens"]
    assert {"want-01", "go-02", ":ARG0", ":ARG1-of"} <= {token["content"] for token in tokens}
    for seed in range(1, 6):
        assert (folder / "ENCODER" / f"seed-{seed}" / "model.safetensors").is_file()
    table = (folder / "tables.md").read_text().partition("###")[0]
    lines = {
        line.split(" | ")[0].strip("| "): line for line in table.splitlines() if line.startswith("| mbert")
    }
    seeds = {f"mbert+amr ENCODER/seed-{seed}" for seed in range(1, 6)}
    assert set(lines) == {"mbert", *seeds, "mbert+amr, mean of 5", "mbert+amr, deviation"}
    assert all(" | yes | " in line and re.search(r"\d\.\d\d", line) for line in lines.values())
