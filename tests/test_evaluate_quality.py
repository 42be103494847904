import dataclasses
import gzip
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr

from amrx.errors import InputError
from amrx.evaluation import run
from amrx.evaluation.tasks.quality import PENALTIES, QE, QE_PROBE, ridge
from tests.support.word_encoder import Words

SMALL = dataclasses.replace(
    QE_PROBE,
    pairs=("en-de",),
    files=(("qe/{}/train.tsv.gz", 300), ("qe/{}/dev.tsv", 40), ("qe/{}/test.tsv", 60)),
)


def rows(start: int, count: int) -> str:
    """A translation with the word ``bad`` is bad, one with ``good`` good, whatever else it shares."""
    lines = []
    for n in range(start, start + count):
        word, score = (("bad", -1.5), ("fair", 0.0), ("good", 1.25))[n % 3]
        lines.append(f"s{n} t{n}\t{word} {word} u{n}\t{score + n % 7 / 100}\n")
    return "".join(lines)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "qe" / "en-de"
    folder.mkdir(parents=True)
    with gzip.open(folder / "train.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.write(rows(0, 300))
    (folder / "dev.tsv").write_text(rows(1000, 40), "utf-8")
    (folder / "test.tsv").write_text(rows(2000, 60), "utf-8")
    return tmp_path


def test_the_probe_learns_what_no_cosine_tells(data: Path) -> None:
    words = Words()
    found = {row.metric: row for row in run([words], [SMALL], data)}
    assert found["pearson"].value > 90
    assert (found["pearson"].language, found["pearson"].n) == ("en-de", 60)
    assert {code for text, code in words.seen if text.startswith("s")} == {"en"}
    assert {code for text, code in words.seen if "good" in text} == {"de"}
    track = dataclasses.replace(QE.tracks[0], count=60)
    zero_shot = run([Words()], [dataclasses.replace(QE, tracks=(track,))], data)
    assert abs(zero_shot[0].value) < 50


def test_the_pairs_are_the_eleven_of_wmt21() -> None:
    """Guo et al. 2023, appendix C: seven pairs, four more without training data."""
    assert len({track.language for track in QE.tracks}) == 11 and len(QE_PROBE.pairs) == 7
    assert {"en-cs", "en-ja", "km-en", "ps-en"} == {track.language for track in QE.tracks} - set(
        QE_PROBE.pairs
    )
    assert QE.means({track.language: 1.0 for track in QE.tracks}) == {"cross-lingual mean": 1.0}


def test_the_penalty_is_the_one_that_dev_likes_best() -> None:
    noise = np.random.default_rng(0)
    x, dev, test = (noise.normal(size=(n, 30)) for n in (60, 40, 50))
    truth = noise.normal(size=30)
    y, y_dev = (part @ truth + 3 * noise.normal(size=len(part)) for part in (x, dev))
    best, centre = -2.0, x - x.mean(axis=0)
    for penalty in PENALTIES:  # the normal equations, with an intercept that is not penalised
        weights = np.linalg.solve(centre.T @ centre + penalty * np.eye(30), centre.T @ (y - y.mean()))
        told = dev @ weights
        if (found := pearsonr(told, y_dev).statistic) > best:
            best, expected = found, (test - x.mean(axis=0)) @ weights + y.mean()
    assert ridge(x, y, (dev, y_dev), test) == pytest.approx(expected)


def test_a_score_that_is_no_finite_number_is_named(data: Path) -> None:
    file = data / "qe" / "en-de" / "dev.tsv"
    lines = file.read_text("utf-8").splitlines()
    lines[2] = "a\tb\tnan"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    words = Words()
    with pytest.raises(InputError, match=r"dev.tsv:3: field 'score': must be a finite number, got 'nan'"):
        run([words], [SMALL], data)
    assert words.seen == []
    file.unlink()
    parts, skipped = SMALL.load(data)
    assert not parts
    assert "mlqe-pe" in str(skipped[0])


def test_the_real_files_load(data_dir: Path) -> None:
    parts, skipped = QE_PROBE.load(data_dir)
    assert (len(parts), skipped) == (7, [])
    assert [len(part.rows[0]) for part in parts] == [7000] * 7
