import io
import json
from pathlib import Path

import numpy as np
import penman
import pytest
from rich.console import Console

from amrx.examples import Example, foils, meanings
from amrx.records import write_graphs
from amrx.types import Parse
from tests.support.demo_scripts import load

ROOT = Path(__file__).resolve().parents[1]

EXAMPLES = [
    Example("m", "meaning", "en", "the translation"),
    Example("m", "meaning", "de", "die Uebersetzung"),
    Example("m", "role-swap", "en", "a foil"),
    Example("m", "role-swap", "de", "eine Finte"),
]


@pytest.mark.parametrize(
    ("vectors", "right", "foil"),
    [
        ([[1, 0], [3, 0], [0, 1], [0, 2]], {"en": 1, "de": 1}, 0.0),
        ([[1, 0], [0, 1], [1, 0], [1, 0]], {"en": 0, "de": 0}, 0.5),
        ([[1, 0], [1, 0], [1, 0], [0, 1]], {"en": 0, "de": 1}, 0.5),  # a tie is wrong
        ([[1, 0], [0, 0], [1, 0], [1, 0]], {"en": 0, "de": 0}, 0.5),  # no graph, no similarity
    ],
)
def test_translation_against_foil(vectors, right, foil, monkeypatch):
    scores = load("demo_scores", monkeypatch)
    choice = scores.choose(scores.channel("x", EXAMPLES, np.array(vectors, np.float32)), "role-swap")
    assert choice.right == right
    assert choice.asked == {"en": 1, "de": 1}
    assert (choice.foil_cosine, choice.pairs) == (foil, 2)


def test_each_pair_of_translations_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = load("demo_scores", monkeypatch)
    vectors = np.random.default_rng(0).normal(size=(84, 4)).astype(np.float32)
    cosines = scores.translation_cosines(scores.channel("x", meanings(), vectors))
    assert len(cosines) == 12 * 7 * 6 // 2
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    assert cosines[0] == pytest.approx(float(unit[0] @ unit[1]), abs=1e-6)


def test_agreement_counts_the_largest_set_of_equal_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = load("demo_scores", monkeypatch)
    texts = {"en": "(c / cat)", "de": "(d / dog)", "es": "(e / dog)", "fr": "(f / dog :mod (b / big))"}
    found = scores.agreement({lang: penman.decode(text) for lang, text in texts.items()})
    assert (found.same, found.languages) == (2, 4)
    assert 0 < found.smatch < 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What scripts/demo would write with a base that sees words only and graphs that tell foils apart."""
    random = np.random.default_rng(0)
    base = {example.meaning: random.normal(size=512) for example in meanings()}
    kinds = {key: random.normal(size=8) for key in [(e.meaning, e.kind) for e in [*meanings(), *foils()]]}
    for name, examples in (("meanings", meanings()), ("foils", foils())):
        rows = [np.concatenate([base[e.meaning], kinds[e.meaning, e.kind]]) for e in examples]
        np.save(tmp_path / f"{name}.npy", np.array(rows, np.float32))
    graph = penman.decode("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))")
    parses = [Parse(str(index), e.text, e.lang, graph) for index, e in enumerate(meanings(), start=1)]
    write_graphs(parses, tmp_path / "meanings.amr")
    return tmp_path


def test_report_of_the_demo(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load("demo_scores", monkeypatch)
    report = load("demo_report", monkeypatch)
    console = Console(width=160, file=io.StringIO())
    report.main(folder, console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    for example in meanings():
        assert example.meaning != report.SHOWN or example.text in shown
    assert shown.count("7 of 7") == 12
    for asked in (210, 462):  # the base never tells the foil apart, the graphs always do
        assert shown.count(f" 0 % of {asked}") == 1 and shown.count(f"100 % of {asked}") == 2
    assert (folder / "page.html").as_uri() in shown

    html = (folder / "page.html").read_text(encoding="utf-8")
    assert html.count("<svg") == 84 and html.count("<table>") == 1

    rows = json.loads((folder / "demo.json").read_text(encoding="utf-8"))
    assert len(rows) == 2 * 3 * 7
    assert {tuple(row) for row in rows} == {("encoder", "task", "language", "metric", "value", "n")}
    assert {row["value"] for row in rows if row["encoder"] == "muse"} == {0.0}
    assert {row["value"] for row in rows if row["encoder"] == "AMR alone"} == {100.0}

    assert "want-01" in (folder / "first.svg").read_text(encoding="utf-8")
    first = (folder / "first.txt").read_text(encoding="utf-8")
    assert first.startswith("Drei Hunde spielen im Schnee.\n\n(w / want-01\n")
    translation = [line.split()[-2:] for line in first.splitlines() if "dogs are playing" in line][0]
    assert translation == ["1.00", "1.00"]
    cosines = [line.split()[-2:] for line in first.splitlines() if "spielen nicht im" in line][0]
    assert cosines[0] == "1.00" and float(cosines[1]) < 1


ROWS = [
    {"encoder": name, "task": "sts17", "language": language, "metric": "spearman", "value": value, "n": 250}
    for name, values in (("muse", (85.06, 71.14, 73.8)), ("muse + AMR", (85.5, 71.5, 74.26)))
    for language, value in zip(("en-en", "ar-ar", "en-ar"), values, strict=True)
]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "a.json").write_text(json.dumps(ROWS), encoding="utf-8")
    (tmp_path / "results" / "commands.tsv").write_text(
        "file\tcommand\na.json\tamrx eval --x\n", encoding="utf-8"
    )
    (tmp_path / "docs").mkdir()
    for file, names in {
        "README.md": ("first", "headline", "settings"),
        "docs/results.md": ("results",),
    }.items():
        blocks = "".join(f"<!-- {name}:start -->old<!-- {name}:end -->\n" for name in names)
        (tmp_path / file).write_text(f"head\n{blocks}tail\n", encoding="utf-8")
    return tmp_path


def test_tables_are_written_and_checked(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = load("reproduce_tables", monkeypatch)
    arguments = ["--root", str(repository)]
    mine = repository / "README.partial"  # no name for a temporary file
    mine.write_text("mine", encoding="utf-8")
    assert tables.main([*arguments, "--check"]) == 1
    assert tables.main(arguments) == 0
    assert tables.main([*arguments, "--check"]) == 0
    readme = (repository / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("head\n") and readme.endswith("tail\n") and "old" not in readme
    assert "No results are committed yet" in (repository / "docs" / "results.md").read_text(encoding="utf-8")
    page = (repository / "results" / "tables.md").read_text(encoding="utf-8")
    assert "| muse | **78.10** | **73.80** | 85.1 | 71.1 | 73.8 |" in page
    assert "| muse + AMR | **78.50** | **74.26** | 85.5 | 71.5 | 74.3 |" in page
    assert "n = 250" in page and "amrx eval --x" in page
    assert mine.read_text(encoding="utf-8") == "mine"

    ROWS_CHANGED = [{**ROWS[0], "value": 1.0}, *ROWS[1:]]
    (repository / "results" / "a.json").write_text(json.dumps(ROWS_CHANGED), encoding="utf-8")
    assert tables.main([*arguments, "--check"]) == 1


def test_the_readme_leads_with_means_over_languages(repository, monkeypatch):
    tables = load("results_tables", monkeypatch)
    rows = [
        {"encoder": name, "task": task, "language": lang, "metric": "share", "value": value, "n": 100}
        for name, task, lang, value in (
            ("muse", "A", "en", 10), ("muse", "A", "de", 25), ("muse", "B", "en", 40),
            ("muse", "B", "de", 50), ("left out", "A", "en", 99),
        )
    ]  # fmt: skip
    (repository / "results" / "a.json").write_text(json.dumps(rows), encoding="utf-8")
    commands = {"a.json": "amrx eval --x"}
    many = tables.Headline("Two tasks", "a.json", "share", {"of A": "A", "of B": "B"}, ("muse",))
    one = tables.Headline("One task", "a.json", "share", {"": "A"}, ("muse",))
    absent = tables.Headline("Not here", "b.json", "share", {"": "A"})
    shown = tables.headlines_block(repository / "results", commands, [many, one, absent])
    assert "| share | of A | of B |\n| --- | --: | --: |\n| muse | 17.5 | 45.0 |" in shown
    assert (
        "| share | **mean** | en | de |\n| --- | --: | --: | --: |\n| muse | **17.50** | 10.0 | 25.0 |"
        in shown
    )
    assert shown.count("amrx eval --x") == 2 and "left out" not in shown and "Not here" not in shown
    # a file in a folder has its own command, not that of another of its name
    (repository / "results" / "more").mkdir()
    (repository / "results" / "more" / "a.json").write_text(json.dumps(rows), encoding="utf-8")
    deeper = tables.Headline("In a folder", "more/a.json", "share", {"": "A"})
    commands["more/a.json"] = "amrx eval --y"
    shown = tables.headlines_block(repository / "results", commands, [deeper])
    assert "amrx eval --y" in shown and "--x" not in shown
    empty = tables.Headline("No such rows", "a.json", "smatch", {"": "A"})
    with pytest.raises(tables.ResultsError, match=r"a.json: no rows .* 'No such rows'"):
        tables.headlines_block(repository / "results", commands, [empty])


def test_hours_are_reckoned_from_the_measured_speeds(repository, monkeypatch):
    hours, tables = load("hours_table", monkeypatch), load("reproduce_tables", monkeypatch)
    assert hours.hours_block(repository / "results") == ""
    rows = [
        {"encoder": name, "task": task, "language": "all", "metric": "rate", "value": value, "n": 9}
        for name, task, value in (
            ("fast", "speed, one thread", 1000), ("graph", "speed, one thread", 10), ("fast", "foils", 7),
        )
    ]  # fmt: skip
    (repository / "results" / "settings.json").write_text(json.dumps(rows), encoding="utf-8")
    block = hours.hours_block(repository / "results")
    assert block.splitlines()[2:] == ["| `fast` | 1.4 |", "| `graph` | 139 |"]
    page = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    assert tables.rewrite(page, "hours", hours.hours_block(ROOT / "results")) == page


def test_the_page_of_cosines_has_marks_and_thresholds(repository, monkeypatch):
    tables, at = load("cosine_tables", monkeypatch), "0.80"
    near, mean = "mean of pairs that do not belong together", "Cosines: Tatoeba"
    values = [
        ("Cosines: marks", kind, name, 30.0 if kind == "unrelated" else 81.25)
        for kind in ("unrelated", "translations")
        for name in ("mean", "standard deviation")
    ]
    for task in (f"{mean} on the base's scale", mean):
        values += [(task, "all", "d'", 4.5), (task, "all", near, 21.0), (task, "all", "best F1", 66.4)]
        values += [(task, "all", "threshold of the best F1", 72.4), (task, at, "precision", 94.4)]
        values += [(task, at, "recall", 31.9)]
    rows = [
        {"encoder": name, "task": task, "language": lang, "metric": metric, "value": value, "n": 9}
        for name in ("base", "graph") for task, lang, metric, value in values
    ]  # fmt: skip
    assert tables.cosine_blocks(repository / "results") == {}
    (repository / "results" / "cosines.json").write_text(json.dumps(rows), encoding="utf-8")
    blocks = tables.cosine_blocks(repository / "results")
    assert "| `--preset graph`, the default | 0.30 ± 0.30 | 0.81 ± 0.81 |" in blocks["marks"]
    assert "| `muse` alone | 4.50 | 0.21 |  |  |" in blocks["scales"]
    assert "| `--preset graph`, the default | 4.50 | 0.21 | 4.50 | 0.21 |" in blocks["scales"]
    dashes = " | ".join("–" * 6)
    assert f"| `muse` alone | {dashes} | 94/32 | – | – | – | 66 at 0.72 |" in blocks["tatoeba"]
    (repository / "results" / "cosines.json").write_text(json.dumps(rows[:-1]), encoding="utf-8")
    with pytest.raises(tables.ResultsError, match="cosines.json has no row"):
        tables.cosine_blocks(repository / "results")


def test_first_picture_is_copied(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = load("reproduce_tables", monkeypatch)
    (repository / "results" / "first.txt").write_text("Der Junge 0.91\n", encoding="utf-8")
    (repository / "results" / "first.svg").write_text("<svg/>", encoding="utf-8")
    with (repository / "results" / "commands.tsv").open("a", encoding="utf-8") as commands:
        commands.write("first.txt\tscripts/demo\n")
    assert tables.main(["--root", str(repository)]) == 0
    readme = (repository / "README.md").read_text(encoding="utf-8")
    assert "```\nDer Junge 0.91\n```" in readme and 'src="results/first.svg"' in readme
    assert (repository / "docs" / "first.svg").read_text(encoding="utf-8") == "<svg/>"


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("results/a.json", "{", "a.json: no list of result rows"),
        ("results/a.json", '[{"encoder": "x"}]', "a.json: no list of result rows"),
        ("results/b.json", "[]", "b.json: no command"),
        ("README.md", "no markers", "needs <!-- first:start -->"),
        ("docs/results.md", "no markers", "needs <!-- results:start -->"),
    ],
)
def test_bad_results_leave_the_readme_alone(file, text, message, repository, monkeypatch, capsys):
    tables = load("reproduce_tables", monkeypatch)
    (repository / file).write_text(text, encoding="utf-8")
    before = (repository / "README.md").read_text(encoding="utf-8")
    assert tables.main(["--root", str(repository)]) == 2
    assert message in capsys.readouterr().err
    assert (repository / "README.md").read_text(encoding="utf-8") == before


def test_readme_shows_the_committed_results(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load("reproduce_tables", monkeypatch).main(["--check"]) == 0
