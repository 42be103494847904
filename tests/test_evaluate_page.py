"""amrx.evaluation.report.page: what a page says of results, and that a browser can show it."""

import re
from html.parser import HTMLParser

import pytest

from amrx.cli import main
from amrx.errors import InputError
from amrx.evaluation.report.page import page
from amrx.evaluation.report.page_tables import Results, sheets
from amrx.evaluation.report.tables import write_json, write_report
from amrx.evaluation.results.bootstrap import paired_bootstrap
from amrx.evaluation.results.items import write_items
from amrx.evaluation.results.rows import Row, Scored
from amrx.evaluation.tasks.geometry.flores import INVARIANCE, ISOTROPY
from amrx.evaluation.tasks.retrieval.tatoeba import TATOEBA_LANGUAGES
from amrx.evaluation.tasks.sts import STS17
from amrx.evaluation.tasks.task import published_of
from amrx.evaluation.tasks.transfer.task_table import MARC
from tests.support.page_results import NOISE, results, similarity

ODD = 'a<b>&"c'
WITHIN = "monolingual mean (2 of 3)"


@pytest.fixture
def two() -> Results:
    return results(
        similarity("muse", "en-en", 3 * NOISE[0]),
        similarity("muse", "es-es", 3 * NOISE[1]),
        similarity("muse", "en-de", 3 * NOISE[2]),
        similarity(ODD, "en-en", NOISE[0]),
        similarity(ODD, "es-es", 3 * NOISE[1]),
        similarity(ODD, "en-de", NOISE[1]),
        Scored(Row("muse", "flores", "de", "principal ratio", 7.5, 10)),
        Scored(Row(ODD, "flores", "de", "principal ratio", 9.0, 10)),
    )


def test_items_of_a_later_run_serve_where_an_earlier_one_has_none(two: Results) -> None:
    bare = Results("bare.json", two.rows, {})
    assert sheets([bare])[0].cells[ODD, "en-en"].interval is None
    assert sheets([bare, two])[0].cells == sheets([two])[0].cells


def test_cells_hold_the_differences_and_intervals_of_the_bootstrap(two: Results) -> None:
    sheet, geometry = sheets([two])
    assert (sheet.encoders, sheet.means) == (("muse", ODD), (WITHIN, "cross-lingual mean (1 of 7)"))
    before, after = (two.items[name, "sts17", "en-en", "spearman"] for name in ("muse", ODD))
    expected = paired_bootstrap(before, after, "spearman")
    cell = sheet.cells[ODD, "en-en"]
    assert cell.interval == expected
    assert expected.significant and cell.difference == pytest.approx(expected.difference)
    assert sheet.cells[ODD, "es-es"].interval == (0, 0, 0, 1)
    assert sheet.cells["muse", "en-en"].interval is None
    # one track gains, the other does not change: their mean gains by half, and its interval is half as wide
    mean = sheet.cells[ODD, WITHIN]
    assert mean.difference == pytest.approx(expected.difference / 2)
    assert mean.interval == pytest.approx(
        (expected.difference / 2, expected.low / 2, expected.high / 2, expected.p)
    )
    assert geometry.cells[ODD, "de"].difference == 1.5
    assert geometry.cells[ODD, "de"].interval is None


def test_no_interval_of_a_mean_some_of_whose_languages_have_no_items(two: Results) -> None:
    del two.items[ODD, "sts17", "es-es", "spearman"]  # type: ignore[attr-defined]
    sheet = sheets([two])[0]
    assert sheet.cells[ODD, "en-en"].interval is not None
    assert sheet.cells[ODD, WITHIN].interval is None
    assert sheet.cells[ODD, WITHIN].difference is not None


def test_an_encoder_of_two_runs_is_one_if_its_rows_agree(two: Results) -> None:
    again = results(similarity("muse", "en-en", 3 * NOISE[0]), name="b.json")
    other = results(similarity("muse", "en-en", NOISE[1]), name="c.json")
    assert sheets([two, again])[0].encoders == ("muse", ODD)
    assert sheets([two, again, other])[0].encoders == ("muse", ODD, "muse (c.json)")
    shuffled = results(Scored(other.rows[0]._replace(encoder="new"), NOISE[:2].T), name="d.json")
    with pytest.raises(InputError, match="its gold scores differ"):
        sheets([two, shuffled])


def test_means_over_other_languages_do_not_compare(two: Results) -> None:
    other = results(
        similarity("third", "en-en", NOISE[0]), similarity("third", "ar-ar", NOISE[1]), name="b.json"
    )
    sheet = sheets([two, other])[0]
    assert sheet.cells["third", "en-en"].difference is not None
    assert sheet.cells["third", WITHIN].difference is None
    assert sheet.cells["third", "ar-ar"].difference is None


class Tags(HTMLParser):
    """Every tag is closed in order; nothing is loaded from anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "img", "iframe")
        assert not {"src", "href", "onload"} & {name for name, _ in attributes}
        if tag not in ("meta", "line", "rect", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "rect", "circle"):
            assert self.open.pop() == tag


def test_the_page_is_whole_escaped_and_loads_nothing(two: Results) -> None:
    text = page(sheets([two]), source="a&b.json", notes=["sts17 en-fr <skipped>"])
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert "<b>" not in text and "a&lt;b&gt;&amp;&quot;c" in text
    assert "a&amp;b.json" in text and "en-fr &lt;skipped&gt;" in text
    assert not re.search(r"https?://|@import|url\(", text.split("</style>")[0])
    assert "nan" not in text


def published(text: str, metric: str) -> list[list[str]]:
    """The cells of the published rows in the table of a metric."""
    (section,) = re.findall(rf"(?s)<h3>{re.escape(metric)}</h3>.*?</section>", text)
    rows = re.findall(r'<tr class="published">(.*?)</tr>', section)
    return [re.findall(r"<td>(.*?)</td>", row) for row in rows]


def test_published_means_stand_beside_means_over_the_same_languages() -> None:
    rows = [Row("muse", "sts17", track.language, "spearman", 80.0, 250) for track in STS17.tracks]
    text = page(sheets([Results("a", rows, {})]), source="a")
    found = published(text, "spearman")
    assert len(found) == len(published_of(STS17, "spearman")) and "Cai et al. 2022" in text
    assert found[0][:5] == ["53.97", "27.47", "50.86", "54.36", "56.69"] and "–" not in found[0]
    mteb = [line for line in found if line[2:] == ["–"] * 10]
    assert len(mteb) == 4 and mteb[0][:2] == ["76.45", "73.62"]
    assert "in no column" not in text
    text = page(sheets([Results("a", rows[1:], {})]), source="a")
    assert published(text, "spearman")[0][:2] == ["–", "27.47"]
    [line] = re.findall(r"in no column, because not all of their languages are here: [^<]*", text)
    assert (
        "(Cai et al. 2022) monolingual 53.97; XLM-R, mean pooling (Cai et al. 2022) monolingual 42.42; "
        in line
    )


def test_a_published_mean_over_more_languages_stands_in_no_column() -> None:
    rows = [Row("muse", "xnli", code, "accuracy", 60.0, 4) for code in ("en", "tr")]
    text = page(sheets([Results("a", rows, {})]), source="a")
    assert published(text, "accuracy")[0] == ["–", "53.53", "43.17"]  # Table 6, mBERT
    [line] = re.findall(r"in no column, because not all of their languages are here: [^<]*", text)
    assert "mBERT" in line and "mean, seen 47.23, mean, all 44.41" in line


def test_a_published_accuracy_stands_beside_no_error_and_no_part() -> None:
    rows = [
        Row("muse", "marc", code, metric, 50.0, 4)
        for metric in MARC.shown[:2]
        for code in MARC.languages
        if code == "ja" or metric != "accuracy"
    ]
    text = page(sheets([Results("a", rows, {})]), source="a")
    assert "mean, all (1 of 6)" in text and "MAE x 100" in text
    assert published(text, MARC.shown[0])[0] == ["–", "32.78"] and published(text, MARC.shown[1]) == []
    assert text.count("mean, all 38.43") == 1
    assert text.count("because not all of their languages are here") == 1


@pytest.mark.parametrize("least", [4.0, 0.0])
def test_geometry_gets_a_picture_of_its_languages(two: Results, least: float) -> None:
    rows = [
        Row(name, "flores", code, metric, value, 10)
        for name, factor in (("muse", 1.0), (ODD, 2.0))
        for metric, values in ((INVARIANCE, (least, 8.0)), (ISOTROPY, (30.0, 60.0)))
        for code, value in zip(("de", "zh"), (factor * value for value in values), strict=True)
    ]
    text = page(sheets([Results("a", rows, {})]), source="a")
    dots = re.findall(r'<circle cx="([\d.]+)%" cy="([\d.]+)" r="3.5"/>', text)
    across, down = ([float(dot[place]) for dot in dots] for place in (0, 1))
    assert down[0] > down[1] == down[2] > down[3]
    # doubling is a step of one length where all are above 0; else the axis begins at 0 and is linear
    whole = across[3] - across[0]
    assert across[1] - across[0] == pytest.approx(whole / 2, abs=0.05)
    assert across[2] - across[0] == pytest.approx(whole / 2 if least else 0, abs=0.05)
    assert f"de, muse: {least:.2f}, 30.00" in text and ("; logarithmic" in text) == (least > 0)
    assert page(sheets([two]), source="a").count('r="3.5"') == 0


def test_many_languages_are_folded_away() -> None:
    codes = [language.code for language in TATOEBA_LANGUAGES[:20]]
    rows = [Scored(Row("muse", "tatoeba", code, "accuracy xx→en", n, 9)) for n, code in enumerate(codes)]
    text = page(sheets([results(*rows)]), source="a")
    assert "charts, 20 languages" in text
    table = text.split("<tbody>")[1].split("</tbody>")[0]
    assert "19.00" not in table and text.count("19.00") >= 2


def test_the_command_writes_the_page_of_two_files(tmp_path, two, capsys):
    first, second, out = tmp_path / "a.json", tmp_path / "b.json", tmp_path / "r.html"
    scored = [Scored(row, two.items.get(tuple(row[:4]))) for row in two.rows]
    write_json(first, two.rows)
    write_items(first, scored)
    write_json(second, [Row("third", "sts17", "en-en", "spearman", 12.25, 60)])
    assert main(["eval", "report", str(first), str(second), "-o", str(out)]) == 0
    text = out.read_text("utf-8")
    assert "third" in text and "12.25" in text and "95 % interval" in text
    assert main(["eval", "report", str(tmp_path / "none.json"), "-o", str(out)]) == 2
    assert "none.json: no such file" in capsys.readouterr().err
    assert main(["eval", "report", str(first), "-o", str(first)]) == 2
    assert "is also an input" in capsys.readouterr().err
    with pytest.raises(InputError, match="no row"):
        write_report(out, [Results("x", [], {})])
    assert out.read_text("utf-8") == text
