"""Maps of vectors: what is drawn, how it is kept beside the rows, and that the page shows it."""

import re
from pathlib import Path

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import InputError
from amrx.evaluation.report.page import MOST_NAMED, clouds_section
from amrx.evaluation.report.tables import write_json
from amrx.evaluation.results.files import clouds_path, read_clouds, write_clouds
from amrx.evaluation.results.rows import Cloud, Row
from amrx.evaluation.tasks.geometry.flores import clouds, project

KEY = ("muse", "flores", "2 languages", "Calinski-Harabasz of the translations")
ODD = 'a<b>&"c'


def cloud(title: str, groups: tuple[str, ...]) -> Cloud:
    points = np.random.default_rng(len(groups)).random((len(groups), 2)).astype(np.float32)
    return Cloud(title, points, groups)


def test_clumps_stay_clumps_and_equal_vectors_give_equal_maps() -> None:
    noise = np.random.default_rng(0)
    centres = np.repeat(10 * np.eye(3, 8), 20, axis=0)
    x = (centres + noise.normal(size=centres.shape)).astype(np.float32)
    first, second = project(x), project(x)
    assert np.array_equal(first, second)
    assert (first.min(axis=0).tolist(), first.max(axis=0).tolist()) == ([0, 0], [1, 1])
    group = np.repeat(np.arange(3), 20)
    distance = np.linalg.norm(first[:, None] - first[None], axis=2) + 9 * np.eye(60)
    assert np.mean(group[distance.argmin(axis=1)] == group) > 0.95


def test_the_three_properties_take_the_sentences_they_say() -> None:
    noise = np.random.default_rng(0)
    sides = [noise.normal(size=(20, 6)).astype(np.float32) for _ in range(3)]
    invariance, canonical, isotropy = clouds(sides, ("en", "de", "fi"))
    assert [cloud.title for cloud in (invariance, canonical, isotropy)] == [
        "invariance",
        "canonical form",
        "isotropy",
    ]
    assert invariance.groups == ("en",) * 20 + ("de",) * 20 + ("fi",) * 20
    assert len(set(canonical.groups)) == 12
    assert all(canonical.groups.count(name) == 3 for name in canonical.groups)
    assert len(isotropy.groups) == 20
    assert set(isotropy.groups) == {"all"}


def test_clouds_come_back_as_they_were(tmp_path: Path) -> None:
    kept = {KEY: (cloud("one", ("a", "b")), cloud("two", ("c",))), ("x", *KEY[1:]): (cloud("one", ("d",)),)}
    out = tmp_path / "out.json"
    write_clouds(out, kept)
    found = read_clouds(out)
    assert list(found) == list(kept)
    for key, clouds_of in kept.items():
        for before, after in zip(clouds_of, found[key], strict=True):
            assert (after.title, after.groups) == (before.title, before.groups)
            assert np.array_equal(after.points, before.points)
    write_clouds(out, {})  # a run without maps leaves none of an earlier one
    assert not clouds_path(out).exists()
    assert read_clouds(out) == {}


HEAD = [[*KEY, "title"]]


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (
            {"heads": [KEY], "sizes": [1], "points": [[0.0, 0.0]]},
            r"'heads': must be of shape \(n, 5\), got \(1, 4\)",
        ),
        (
            {"heads": HEAD, "sizes": [1], "points": [[0.0, 0.0, 0.0]]},
            r"'points': must be of shape \(n, 2\), got \(1, 3\)",
        ),
        ({"heads": HEAD, "sizes": [1.0], "points": [[0.0, 0.0]]}, "'sizes': holds values of type float64"),
        ({"heads": HEAD, "sizes": [2], "points": [[0.0, 0.0]]}, "differ in length"),
        ({"heads": HEAD * 2, "sizes": [2, -1], "points": [[0.0, 0.0]]}, "differ in length"),
        (
            {"heads": HEAD, "sizes": [1], "points": [[0.0, np.nan]]},
            "'points': holds a point that is infinite or NaN",
        ),
    ],
)
def test_clouds_that_are_none_are_named(tmp_path: Path, arrays: dict[str, object], message: str) -> None:
    np.savez(clouds_path(tmp_path / "a.json"), groups=["a"], **arrays)
    with pytest.raises(InputError, match=r"a\.json\.clouds\.npz: .*" + message):
        read_clouds(tmp_path / "a.json")


def test_a_file_of_something_else_is_named(tmp_path: Path) -> None:
    clouds_path(tmp_path / "out.json").write_bytes(b"nothing")
    with pytest.raises(InputError, match=r"out.json.clouds.npz: is not a file of arrays"):
        read_clouds(tmp_path / "out.json")


def test_the_page_has_a_point_for_each_sentence(tmp_path: Path) -> None:
    out, page = tmp_path / "out.json", tmp_path / "out.html"
    write_json(out, [Row("muse", *KEY[1:], 3.0, 4)])
    write_clouds(out, {KEY: (cloud("invariance", ("de", ODD, "de")),)})
    assert main(["eval", "report", str(out), "-o", str(page)]) == 0
    text = page.read_text("utf-8")
    assert text.count("<circle") == 3
    assert "a&lt;b&gt;&amp;&quot;c" in text
    assert ODD not in text
    assert not re.search(r"(src|href)=|https?://(?!www.w3.org)[^ ]*\.(js|css)|<script", text)


def test_many_groups_are_named_where_the_pointer_rests_only() -> None:
    few, many = (tuple(f"g{n}" for n in range(count)) for count in (MOST_NAMED, MOST_NAMED + 1))
    legend = '<i style="background'
    assert clouds_section({KEY: [cloud("a", few)]}).count(legend) == MOST_NAMED
    assert clouds_section({KEY: [cloud("a", many)]}).count(legend) == 0
    assert len(set(re.findall(r"fill:(hsl[^\"]+)", clouds_section({KEY: [cloud("a", many)]})))) == len(many)
    assert clouds_section({}) == ""
