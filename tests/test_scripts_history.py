"""scripts/model_history.py over a small history of git, and over this repository's own."""

import json
import subprocess

import pytest

from tests.support.script_modules import SCRIPTS, load_script

TRACKS = ("ar-ar", "en-en", "es-es", "en-ar", "en-de")
FITTED_ON = "STS-B dev, en de es fr it zh, each alone and English with each"


@pytest.fixture(scope="module")
def model_history():
    """The script as a module, which imports its neighbour."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPTS)
        return load_script("model_history")


def row(encoder, task, language, metric, value, n):
    return {"encoder": encoder, "task": task, "language": language, "metric": metric, "value": value, "n": n}


def git(root, *arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    return subprocess.run(
        ["git", "-C", str(root), *identity, *arguments], check=True, capture_output=True, text=True
    ).stdout.strip()


def write(root, name, rows):
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(rows), "utf-8")


@pytest.fixture
def root(tmp_path):
    """A repository: Smatch and STS17 committed, then Smatch and the rest in the working tree."""
    git(tmp_path, "init", "-q")
    smatch = [row("parser-mini", "stsb-dev", code, "smatch", 50.0, 1500) for code in ("en", "de", "es", "fr")]
    write(tmp_path, "results/parser-mini.json", smatch)  # two of the five are missing
    write(
        tmp_path,
        "results/sts17.json",
        [
            row(encoder, "sts17", pair, metric, value + 10 * (metric == "pearson"), 250)
            for encoder in ("muse", "muse+amr-encoder-mini")
            for metric in ("spearman", "pearson")
            for pair, value in zip(TRACKS, (70, 80, 84, 60, 65), strict=True)
        ],
    )
    folder = "amrx/models/encoder-mini"
    write(tmp_path, f"{folder}/fitted_weights.json", {"muse": {"score": 99.0, "data": "some rows"}})
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    commit = git(tmp_path, "rev-parse", "--short", "HEAD")
    smatch += [row("parser-mini", "stsb-dev", "it", "smatch", 55.0, 1500)]
    smatch += [row("parser-mini", "stsb-dev", "zh", "smatch", 40.0, 1500)]
    smatch += [row("parser-mini-consensus", "stsb-dev", "zh", "smatch", 90.0, 1500)]
    smatch += [row("parser-mini", "lpp-dev", "en", "smatch", 44.444, 145)]
    smatch += [row("parser-mini", "lpp-dev", "zh", "smatch", 30.0, 10)]  # on other rows
    write(tmp_path, "results/parser-mini.json", smatch)
    stored = {
        "mini": {"score": 80.0, "data": FITTED_ON},
        "voted:mini": {"score": 81.25, "data": FITTED_ON},
        "voted@16:mini": {"score": 99.0, "data": FITTED_ON},
    }
    write(tmp_path, f"{folder}/fitted_weights.json", {"muse": stored})
    accuracy = [
        row(encoder, "xnli", code, metric, 50.0 + plus, 5010)
        for metric, plus in (("accuracy, fitted on dev-en", 0.0), ("dev accuracy, fitted on dev-en", 9.0))
        for encoder in ("muse",)
        for code in ("en", "de")
    ]
    accuracy += [row("muse+amr-encoder-mini", "xnli", "en", "accuracy, fitted on dev-en", 52.0, 5010)]
    accuracy += [row("muse+amr-encoder-mini", "xnli", "de", "accuracy, fitted on dev-en", 49.0, 5010)]
    write(tmp_path, "results/xnli-amr.json", accuracy)
    nearer = "Generated role-swaps: the paraphrase nearer than the foil"
    foils = [
        row("muse+amr-encoder-mini", nearer, code, "share", 90.0, 100)
        for code in ("en", "de", "es", "fr", "zh")
    ]
    foils += [row("muse+amr-encoder-mini", nearer, "ar", "share", 60.0, 100)]
    foils += [row("AMR alone", nearer, "ar", "share", 0.0, 100)]
    foils += [
        row(**{**foil, "task": nearer.replace("role-swap", "negation")}) for foil in foils[:5]
    ]  # no Arabic
    write(tmp_path, "results/foils.json", foils)
    versions = f'commit\tweights\tchange\n{commit}\tparser 1\tthe "first"\n.\tparser 2\tmore\n'
    (tmp_path / "results" / "history.tsv").write_text(versions, "utf-8")
    return tmp_path, commit


def test_a_version_has_the_scores_of_its_commit_and_only_those_on_the_same_rows(root, model_history):
    folder, commit = root
    assert model_history.main(["--root", str(folder)]) == 0
    first, second = (folder / "results" / "history.md").read_text("utf-8").splitlines()[-2:]
    assert first == (
        f'| {commit} | parser 1 | the "first" '
        "| 50.00 | – | – / – | – | – | – | 78.00 / 62.50 | – | – / – | – | – |"
    )
    assert second == (
        "| here | parser 2 | more "
        "| 50.00 | 49.00 | 44.44 / – | – | – | 81.25 | 78.00 / 62.50 | – | 85.0 / – | +0.50 | – |"
    )


def test_what_was_not_measured_again_is_not_the_new_weights(root, model_history):
    folder, commit = root
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "second")
    second = git(folder, "rev-parse", "--short", "HEAD")
    versions = f"commit\tweights\tchange\n{commit}\t1\t-\n{second}\t2\t-\n.\t3\t-\n"
    (folder / "results" / "history.tsv").write_text(versions, "utf-8")
    assert model_history.main(["--root", str(folder)]) == 0
    made = (folder / "results" / "history.md").read_text("utf-8").splitlines()[-2:]
    assert [line.split(" | ")[-2] for line in made] == ["+0.50", "–"]


def test_check_changes_nothing_and_tells_a_table_that_is_old(root, model_history, capsys):
    folder, _ = root
    assert model_history.main(["--root", str(folder), "--check"]) == 1
    assert "history.md is out of date; run scripts/model_history.py" in capsys.readouterr().err
    assert not (folder / "results" / "history.md").exists()
    assert model_history.main(["--root", str(folder)]) == 0
    assert model_history.main(["--root", str(folder), "--check"]) == 0


@pytest.mark.parametrize(
    ("versions", "told"),
    [(None, "history.tsv: no such file"), ("commit\tweights\tchange\n0000000\tx\ty\n", "no commit 0000000")],
)
def test_history_that_is_not_there_is_one_line(root, model_history, capsys, versions, told):
    folder, _ = root
    file = folder / "results" / "history.tsv"
    if versions is None:
        file.unlink()
    else:
        file.write_text(versions, "utf-8")
    assert model_history.main(["--root", str(folder)]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1


def test_the_table_that_is_committed_is_what_git_says(model_history, capsys):
    command = ["git", "-C", str(SCRIPTS), "rev-parse", "--is-shallow-repository"]
    if subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() != "false":
        pytest.skip("no whole history of git here")
    assert model_history.main(["--check"]) == 0, capsys.readouterr().err
