"""A page of results in headless Chromium: what is drawn can be read, on a wide screen and on a narrow one."""

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from amrx.evaluation.report.page_tables import Results
from amrx.evaluation.report.tables import write_report
from amrx.evaluation.results.rows import Row, Scored
from amrx.evaluation.tasks.geometry.flores import INVARIANCE, ISOTROPY
from tests.support.page_results import NOISE, results, similarity

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

LONG = "Tatoeba, 36: accuracy to English, zero-shot (1 of 36)"
MEASURE = """<script>addEventListener("load", () => {
document.documentElement.style.width = "WIDTHpx";  // a window is 500 pixels wide at least
document.querySelectorAll("details").forEach(part => { part.open = true; });
const faults = [], charts = [...document.querySelectorAll("svg.chart")];
for (const chart of charts) {
  const frame = chart.getBoundingClientRect();
  const zeros = [...chart.querySelectorAll("line.zero")].map(line => line.getBoundingClientRect());
  for (const text of chart.querySelectorAll("text")) {
    const box = text.getBoundingClientRect();
    const inside = box.width > 0 && box.left > frame.left - 1 && box.right < frame.right + 1 &&
      box.top > frame.top - 1 && box.bottom < frame.bottom + 1;
    const struck = zeros.some(zero => zero.height > zero.width && zero.right > box.left &&
      zero.left < box.right && zero.bottom > box.top && zero.top < box.bottom);
    if (!inside) faults.push(text.textContent + " leaves its chart");
    if (struck) faults.push(text.textContent + " lies on the zero line");
  }
}
const width = document.querySelector("main").getBoundingClientRect().width;
document.documentElement.dataset.measured = JSON.stringify({ width, charts: charts.length, faults });
});</script>"""


def opened(file: Path) -> str:
    """The document that Chromium makes of the page."""
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += ["--window-size=1280,900", f"--user-data-dir={file.parent / 'profile'}", file.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def rows_of_many_kinds() -> Results:
    """Differences just below 0 and far above it, values below it, a name that is long, a plane."""
    tracks = ("en-en", "es-es", "en-de")
    found = [
        similarity(encoder, track, strength * NOISE[place])
        for encoder, strength in (("muse", 3.0), ("better", 1.0), ("worse", 9.0))
        for place, track in enumerate(tracks)
    ]
    for encoder, right in (("muse", 500), ("better", 800), ("worse", 485)):
        items = (np.arange(1000) < right).astype(np.float64)
        found.append(Scored(Row(encoder, "own", LONG, "accuracy", right / 10, 1000), items))
        found.append(Scored(Row(encoder, "own", "below", "gain", right - 500.0, 1000)))
        for code, value in (("eng_Latn", 4.0), ("zho_Hant", 8.0 * right)):
            found.append(Scored(Row(encoder, "flores", code, INVARIANCE, value, 10)))
            found.append(Scored(Row(encoder, "flores", code, ISOTROPY, value / 80, 10)))
    return results(*found)


def test_a_browser_shows_every_part(tmp_path: Path) -> None:
    write_report(tmp_path / "r.html", [results(*(similarity(name, "en-en", NOISE[0]) for name in "ab"))])
    dom = opened(tmp_path / "r.html")
    # two encoders, one track and its mean
    assert (dom.count("<table"), dom.count("<svg"), dom.count("<rect"), dom.count("<circle")) == (2, 2, 4, 2)
    assert "</html>" in dom


@pytest.mark.parametrize("width", [1280, 420])
def test_no_text_of_a_chart_is_cut_or_struck_through(width: int, tmp_path: Path) -> None:
    file = tmp_path / "r.html"
    write_report(file, [rows_of_many_kinds()])
    script = MEASURE.replace("WIDTH", str(width))
    file.write_text(file.read_text("utf-8").replace("</head>", f"{script}</head>"), "utf-8")
    dom = opened(file)
    measured = re.search(r'data-measured="([^"]*)"', dom)
    assert measured is not None
    told = json.loads(unescape(measured[1]))
    assert told == {"width": width, "charts": 8, "faults": []}
    assert ">-1.50*</text>" in dom  # its interval ends just below 0
