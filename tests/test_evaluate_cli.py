import importlib
import json
import os
from pathlib import Path

import numpy as np
import pytest

import parser
import retrofit
import retrofit.bases
from amrx.cli import main
from amrx.device import default_device
from amrx.errors import OptionError
from amrx.evaluation import TASKS
from amrx.evaluation.hub_data import fetch
from amrx.evaluation.metrics import spearman
from amrx.evaluation.results.files import read_notes
from amrx.evaluation.results.items import read_items


class Angles:
    """Texts are angles in degrees; ``noise`` turns the first column's zero away by some degrees."""

    dimension = 2
    parser = source = None

    def __init__(self, name: str, noise: float = 0.0) -> None:
        self.summary = f"{name}: weight 0.5"
        self.name, self.fingerprint, self.noise = name, f"{name}:0", noise

    def encode(self, sentences, *, lang=None, batch_size=64, progress=False):
        angles = np.radians([float(text) + (self.noise if float(text) % 2 else 0) for text in sentences])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One STS17 track and the six STS-B dev sets that weights are fitted on: the angle gives the score."""
    rows = [("0", str(n / 2), f"{5 - n / 50:g}") for n in range(1, 251)]
    track = tmp_path / "sts" / "sts17" / "es-es.tsv"
    track.parent.mkdir(parents=True)
    track.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    for code in ("en", "de", "es", "fr", "it", "zh"):
        file = tmp_path / "sts" / "stsb" / code / "dev.csv"
        file.parent.mkdir(parents=True)
        file.write_text("".join(",".join(row) + "\n" for row in rows), "utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def encoders(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"muse": Angles("muse", 40.0), "minilm": Angles("minilm")}
    monkeypatch.setattr(retrofit.bases, "load_base", lambda name, device=None: known[name])
    monkeypatch.setattr(retrofit, "load", lambda *names, **options: Angles("muse+amr"))
    monkeypatch.setenv("COLUMNS", "120")


def test_three_columns_rows_as_json_and_what_was_skipped(data, tmp_path, capsys):
    out = tmp_path / "out.json"
    status = main(["eval", "--data", str(data), "--amr", "--control", "minilm", "--json", str(out)])
    told = capsys.readouterr()
    assert status == 0, told.err
    rows = {(row["encoder"], row["metric"]): row for row in json.loads(out.read_text("utf-8"))}
    assert {name for name, _ in rows} == {"muse", "muse+amr", "muse+minilm"}
    assert rows["muse+amr", "spearman"]["value"] == pytest.approx(100)
    assert rows["muse", "spearman"]["value"] < rows["muse+minilm", "spearman"]["value"] < 100
    assert rows["muse", "spearman"]["n"] == 250
    items = read_items(out)
    assert {key[0] for key in items} == {"muse", "muse+amr", "muse+minilm"}
    similarity, gold = items["muse", "sts17", "es-es", "spearman"].T
    assert spearman(similarity, gold) == pytest.approx(rows["muse", "spearman"]["value"])
    assert all(name in told.out for name in ("muse+amr", "muse+minilm", "monolingual mean", "mBERT"))
    assert "cross-lingual mean" not in told.out
    (line,) = [line for line in told.err.splitlines() if line.startswith("sts17 ")]
    assert line.startswith("sts17 ar-ar, en-en, en-ar, en-de") and " and 8 more; fetch https://" in line
    assert "muse+amr: weight 0.5" in told.err
    assert "muse+minilm: weight" in told.err


def test_a_track_can_be_run_alone(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    given = ["--data", str(data), "--tasks", "sts17,stsb-dev", "--tracks", "es-es", "--json", str(out)]
    assert main(["eval", *given]) == 0
    told = capsys.readouterr()
    assert {(row["task"], row["language"]) for row in json.loads(out.read_text())} == {("sts17", "es-es")}
    assert "stsb-dev skipped: it has none of the tracks es-es" in told.err
    assert "fetch" not in told.err and "monolingual mean (1 of 3)" in told.out


def test_tasks_of_two_groups_in_one_command(data, tmp_path, capsys):
    folder, out = data / "retrieval" / "tatoeba", tmp_path / "out.json"
    folder.mkdir(parents=True)
    for side in ("tzl", "eng"):
        (folder / f"tatoeba.tzl-eng.{side}").write_text("".join(f"{n}\n" for n in range(0, 208, 2)), "utf-8")
    arguments = ["--tasks", "sts17,tatoeba", "--json", str(out), "--html", str(tmp_path / "out.html")]
    assert main(["eval", "--data", str(data), *arguments]) == 0
    told = capsys.readouterr()
    assert all(text in told.out for text in ("sts17, spearman", "tatoeba, accuracy xx→en", "all (1 of 112)"))
    (line,) = [line for line in told.err.splitlines() if line.startswith("tatoeba ")]
    assert "de, dsb" in line and "skipped: no" in line and line.count("fetch ") == 1
    rows = [row for row in json.loads(out.read_text("utf-8")) if row["task"] == "tatoeba"]
    assert [(row["language"], row["value"], row["n"]) for row in rows] == [("tzl", 100, 104)] * 2
    page = (tmp_path / "out.html").read_text("utf-8")
    assert all(text in page for text in ("<h2>sts17</h2>", "<h2>tatoeba</h2>", "skipped: no"))
    notes, drawn = tmp_path / "out.json.notes.txt", tmp_path / "later.html"
    (whole,) = [text for text in notes.read_text("utf-8").splitlines() if text.startswith("tatoeba ")]
    first, _, rest = line.partition(" and 71 more skipped")  # a terminal is told of 40
    assert whole.startswith(f"{first}, ") and whole.endswith(f" skipped{rest}") and whole.count(", ") >= 110
    assert main(["eval", "report", str(out), str(out), "-o", str(drawn)]) == 0
    assert drawn.read_text("utf-8").count("tatoeba af, am") == 1  # said again, and once
    notes.write_bytes(b"")
    assert main(["eval", "report", str(out), "-o", str(drawn)]) == 0
    assert "tatoeba af, am" not in drawn.read_text("utf-8")


def test_a_run_that_is_killed_while_it_writes_leaves_no_rows_without_their_items(data, tmp_path, monkeypatch):
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "out.json"
    for name in ("write_items", "write_clouds", "write_notes"):
        with monkeypatch.context() as patched:
            patched.setattr(f"amrx.evaluation.report.tables.{name}", killed)
            assert main(["eval", "--data", str(data), "--json", str(out)]) == 130
        assert not out.exists()
    assert main(["eval", "--data", str(data), "--json", str(out)]) == 0
    assert out.is_file()


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on POSIX only")
def test_a_data_folder_whose_name_is_no_utf_8_is_told_in_notes_and_page(data: Path, tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path / "odd-") + b"\xff"))
    folder.mkdir()
    (data / "sts").rename(folder / "sts")
    out, page = tmp_path / "out.json", tmp_path / "out.html"
    assert main(["eval", "--data", str(folder), "--json", str(out), "--html", str(page)]) == 0
    assert "no " + str(tmp_path / "odd-") + r"\udcff/sts/sts17" in "".join(read_notes(out))
    assert r"odd-\udcff" in page.read_text("utf-8")
    assert main(["eval", "report", str(out), "-o", str(page)]) == 0


def test_the_help_names_every_task(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--help"]) == 0
    told = "".join(capsys.readouterr().out.split())  # names with a hyphen may be broken there
    for task in TASKS:
        assert task.name.removesuffix("-senteval").removesuffix("-uv") in told, task.name


def test_beams_and_device_reach_the_parser(data, capsys, monkeypatch):
    def refuse(name: str, *, beam: int | None) -> None:
        raise OptionError(f"{name}, {beam} beams, {default_device('none')}")

    monkeypatch.setattr(retrofit, "load", importlib.import_module("retrofit.load").load)
    monkeypatch.setattr(parser, "load", refuse)
    monkeypatch.setenv("AMRX_DEVICE", "")
    asked = ["eval", "--data", str(data), "--amr", "--parser", "seq2seq:X", "--weight", "1"]
    assert main([*asked, "--beam", "5", "--device", "cpu"]) == 2
    assert "split:seq2seq:X, 5 beams, cpu" in capsys.readouterr().err


def test_the_amr_encoder_may_read_the_text_as_a_control(data, tmp_path, capsys, monkeypatch):
    class Reading(Angles):
        def encode_texts(self, sentences):
            return self.encode(sentences)

    module = importlib.import_module("retrofit.load")
    monkeypatch.setattr(module, "load_amr", lambda name, **options: Reading(f"amr-{name}"))
    monkeypatch.setattr(module, "find_encoder", Path)
    monkeypatch.setattr("retrofit.student.encoder.is_student", lambda folder: False)
    out = tmp_path / "out.json"
    arguments = ["eval", "--data", str(data), "--control", "minilm, amr", "--encoder", "x"]
    assert main([*arguments, "--json", str(out)]) == 0
    names = {row["encoder"] for row in json.loads(out.read_text("utf-8"))}
    assert names == {"muse", "muse+minilm", "muse+amr-x-text"}
    assert "muse+amr-x-text: weight" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tasks", "sts16"], "unknown task 'sts16'; did you mean 'sts17'?"),
        (["--tracks", "es-xx"], "no task has the track 'es-xx'; choose from ar-ar, "),
        (["--weight", "1"], "need --amr"),
        (["--parser", "mini"], "need --amr"),
        (["--beam", "2"], "need --amr"),
        (["--json", "no/such/folder/out.json"], "does not exist"),
        (["--html", "no/such/folder/out.html"], "does not exist"),
    ],
)
def test_wrong_options_end_with_2_and_one_line(data, arguments, message, capsys):
    assert main(["eval", "--data", str(data), *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_without_data_it_says_where_to_name_it(monkeypatch, capsys, tmp_path):
    monkeypatch.delenv("AMRX_DATA", raising=False)
    assert main(["eval"]) == 2
    assert "--data DIR or set AMRX_DATA" in capsys.readouterr().err
    assert main(["eval", "--data", str(tmp_path / "nowhere")]) == 2
    assert "data of sts17 below" in capsys.readouterr().err


def test_a_second_run_encodes_nothing(data, tmp_path, capsys, monkeypatch):
    seen: list[int] = []

    class Counting(Angles):
        def encode(self, sentences, **options):
            seen.append(len(sentences))
            return super().encode(sentences, **options)

    known = {name: Counting(name) for name in ("muse", "minilm")}
    monkeypatch.setattr(retrofit.bases, "load_base", known.get)
    monkeypatch.setattr(retrofit, "load", lambda *names, **options: Counting("muse+amr"))
    out = tmp_path / "out.json"
    arguments = ["eval", "--data", str(data), "--amr", "--control", "minilm", "--json", str(out)]
    assert main(arguments) == 0
    first, rows = sum(seen), out.read_bytes()
    assert first > 3 * 251
    assert "vectors.sqlite; --no-cache recomputes them" in capsys.readouterr().err
    seen.clear()
    assert main(arguments) == 0
    assert seen == []
    assert out.read_bytes() == rows
    capsys.readouterr()
    assert main([*arguments, "--no-cache"]) == 0
    assert sum(seen) > first  # the fit of the control's weight had left something for the tracks
    assert "came from" not in capsys.readouterr().err
    assert main([*arguments, "--vector-cache", str(tmp_path / "own"), "--no-cache"]) == 2


def test_offline_is_told_to_the_libraries_of_the_hub(data, monkeypatch, capsys):
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")
    for name in names:
        monkeypatch.setenv(name, "0")
    asked: list[int] = []
    monkeypatch.setattr(fetch, "_fetch", lambda files, *rest: asked.append(len(files)) or [])
    assert main(["eval", "--data", str(data)]) == 0
    assert [os.environ[name] for name in names] == ["0"] * 3
    assert asked == [9]  # the tracks that the folder lacks
    assert main(["eval", "--data", str(data), "--offline"]) == 0
    assert [os.environ[name] for name in names] == ["1"] * 3
    assert asked == [9]
    told = capsys.readouterr()
    assert "sts17, spearman" in told.out
    assert "9 missing files could be downloaded from the hub, but not offline: mteb/sts17" in told.err


def test_the_base_may_have_another_name(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert main(["eval", "--data", str(data), "--amr", "--name", "mine", "--json", str(out)]) == 0
    assert {row["encoder"] for row in json.loads(out.read_text("utf-8"))} == {"mine", "mine+amr"}
