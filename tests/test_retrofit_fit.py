"""Fitting the weight of the AMR side on STS-B dev, and the table that keeps it."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from amrx.errors import InputError
from retrofit import weight_fitting as fit
from retrofit.combine import Side
from retrofit.load import channel_folder, fitted_weight, own_weights
from retrofit.weight_fitting import (
    FittedWeights,
    PairCosines,
    StsbDev,
    fit_on_stsb,
    fit_weights,
    prefer_graphs,
    spearman_by_language,
    store_weight,
    stored_weight,
    stored_weights,
    stsb_dev,
)
from tests.support.fakes import fake


def test_fitting_finds_the_weight_where_the_amr_side_helps():
    random = np.random.default_rng(0)
    gold = random.normal(size=400)
    noisy = [gold + random.normal(size=400) for _ in range(2)]
    languages = ["de", "fr"] * 200
    there = np.ones((2, 400, 2), dtype=bool)
    fitted = fit_weights(PairCosines(np.array(noisy), there, gold, languages))
    assert 0.5 < fitted.weights[0] < 1.6
    assert fitted.score > fitted.base_score + 5
    useless = PairCosines(np.stack([gold, random.normal(size=400)]), there, gold, languages)
    assert fit_weights(useless).weights == (0,)
    order = np.arange(9) / 10
    alike = PairCosines(np.stack([order] * 2), np.ones((2, 9, 2), dtype=bool), order, ["de"] * 9)
    assert fit_weights(alike) == FittedWeights((0,), 100, 100)  # of equal weights the smallest


def stsb(folder: Path, text: str, language: str = "en") -> Path:
    (folder / "sts" / "stsb" / language).mkdir(parents=True)
    (folder / "sts" / "stsb" / language / "dev.csv").write_text(text, "utf-8")
    return folder


def test_a_fitted_weight_is_stored_by_base_and_parser_and_read_again(tmp_path: Path):
    data = stsb(tmp_path, 'a dog,"a cat, big",1.0\na dog,a dog,5.0\na foot,is it?,2.5\n')
    fitted = fit_on_stsb(fake(), data, ["en"])
    assert stored_weight(tmp_path, "base", "mini", otherwise="wide") is None
    store_weight(tmp_path, "base", "wide", 0.5, fitted, "STS-B dev, en")
    store_weight(tmp_path, "base", "mini", 0.25, fitted, "STS-B dev, en")
    store_weight(tmp_path, "other", "mini", 0.5, fitted, "STS-B dev, en")
    entries = stored_weights(tmp_path)
    assert sorted(entries) == ["base", "other"]
    assert entries["base"]["wide"]["weight"] == 0.5
    written = json.loads((tmp_path / "fitted_weights.json").read_text())
    assert written["base"]["mini"]["data"] == "STS-B dev, en"
    for parser, weight in (("wide", 0.5), ("mini", 0.25), ("split:mini", 0.25), ("unknown", 0.5)):
        assert stored_weight(tmp_path, "base", parser, otherwise="wide") == weight
    # fitted for a parser in a folder only, as scripts/train_models does before the parser is shipped
    assert stored_weight(tmp_path, "other", "wide", otherwise="wide") == 0.5
    assert stored_weight(tmp_path, "third", "mini", otherwise="mini") is None


def test_weights_that_are_stored_at_the_same_time_are_all_kept(tmp_path: Path, monkeypatch):
    read, others = fit.stored_weights, list[threading.Thread]()

    def store(base: str) -> None:
        store_weight(tmp_path, base, "mini", 0.5, FittedWeights((0.5,), 80.0, 79.0), "")

    def slow(folder: Path):
        entries = read(folder)
        if not others:  # another one comes between reading and writing
            others.append(threading.Thread(target=store, args=("second",)))
            others[0].start()
            others[0].join(timeout=0.5)
        return entries

    monkeypatch.setattr(fit, "stored_weights", slow)
    store("first")
    others[0].join()
    assert sorted(read(tmp_path)) == ["first", "second"]
    assert [file.name for file in tmp_path.iterdir()] == ["fitted_weights.json"]


def test_the_weight_is_fitted_across_languages_too():
    """Each language alone is solved by the base; only between languages does the AMR side know more."""
    angles = np.radians(np.concatenate([np.zeros(20), np.arange(20.0) ** 1.5]))
    gold = -angles[20:]
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    random = np.random.default_rng(1)
    base, amr = {"en": circle}, {"en": circle, "de": circle}
    # in German the base sees first and second sentences turned by the same angle, each row by another one
    turn = np.radians(random.uniform(0, 90, size=20))
    both = np.concatenate([turn, angles[20:] + turn])
    base["de"] = np.stack([np.cos(both), np.sin(both)], axis=1).astype(np.float32)
    dev = StsbDev(gold, {"en": [""] * 40, "de": [""] * 40})
    channels = ({code: Side.whole(one[code]) for code in ("en", "de")} for one in (base, amr))
    pairs = dev.pairs(*channels)
    assert list(dict.fromkeys(pairs.languages)) == ["en", "de", "en-de"]
    assert pairs.cosines.shape == (2, 60) and len(pairs.gold) == 60
    alone = spearman_by_language(pairs.cosines[0], pairs.gold, pairs.languages)
    assert alone["en"] == alone["de"] == 100 and alone["en-de"] < 90
    fitted = fit_weights(pairs)
    assert fitted.weights[0] > 0
    assert fitted.score > fitted.base_score + 1


def test_several_weights_are_fitted_together():
    """Two channels know one half of the meaning each; the third knows nothing."""
    random = np.random.default_rng(2)
    halves = random.normal(size=(2, 600))
    gold = halves.sum(axis=0)
    cosines = np.stack([gold + 3 * random.normal(size=600), *halves, random.normal(size=600)])
    pairs = PairCosines(cosines, np.ones((4, 600, 2), dtype=bool), gold, ["en"] * 600)
    fitted = fit_weights(pairs)
    first, second, third = fitted.weights
    assert first == pytest.approx(second, abs=0.2) and first > 1.2 and third < 0.4
    for channel, weight in enumerate(fitted.weights):  # no other weight of the grid is better
        scores = fit.curve(pairs, fitted.weights, channel)
        assert max(scores) == scores[fit.GRID.index(weight)] == fitted.score


def test_telling_genres_apart_earns_no_weight():
    """Within a genre the channel knows nothing; over all rows it does, as one genre has higher scores."""
    random = np.random.default_rng(4)
    second = np.repeat([False, True], [200, 400])
    gold = random.normal(size=600) + 4 * second
    base = gold - 4 * second + 0.1 * random.normal(size=600)
    pairs = PairCosines(
        np.stack([base, 5.0 * second]), np.ones((2, 600, 2), dtype=bool), gold, ["en"] * 600,
        ["forums" if one else "news" for one in second],
    )  # fmt: skip
    assert fit.mean_spearman(pairs, [1.0]) > fit.mean_spearman(pairs, [0.0]) + 20
    assert fit_weights(pairs).weights == (0,)
    within = [100 * spearmanr(base[part], gold[part]).statistic for part in (second, ~second)]
    assert fit.within_genres(pairs, [0.0]) == pytest.approx(np.mean(within), abs=1e-3)
    assert fit_weights(replace(pairs, genres=())).weights[0] > 0.5


def test_on_the_plateau_the_graphs_get_the_largest_share():
    """All three know the meaning equally well, with errors of their own."""
    random = np.random.default_rng(3)
    gold = random.normal(size=600)
    cosines = gold + 0.3 * random.normal(size=(3, 600))
    pairs = PairCosines(cosines, np.ones((3, 600, 2), dtype=bool), gold, ["en"] * 600)
    best = fit_weights(pairs)
    graphs, text = prefer_graphs(pairs, best, [True, False]), prefer_graphs(pairs, best, [False, True])

    def share(weights: tuple[float, ...]) -> float:
        squares = np.array([1, *weights]) ** 2
        return squares[1] / squares.sum()

    assert share(graphs.weights) > share(best.weights) > share(text.weights)
    for chosen in (graphs, text):
        assert best.score - fit.PLATEAU <= chosen.score <= best.score
        assert chosen.score == fit.mean_spearman(pairs, chosen.weights)
    w = graphs.weights  # no step of the grid with a larger share is left on the plateau
    for step in ((w[0] + 0.05, w[1]), (w[0], w[1] - 0.05), (w[0] - 0.05, w[1]), (w[0], w[1] + 0.05)):
        near = tuple(round(one, 2) for one in step)
        if min(near) >= 0 and share(near) > share(w):
            assert fit.mean_spearman(pairs, near) < best.score - fit.PLATEAU
    assert prefer_graphs(pairs, best, [False, False]) == best


def test_the_largest_weight_of_the_graphs_loses_at_most_one_point():
    random = np.random.default_rng(3)
    gold = random.normal(size=600)
    cosines = gold + np.array([[0.3], [0.5], [0.5]]) * random.normal(size=(3, 600))
    pairs = PairCosines(cosines, np.ones((3, 600, 2), dtype=bool), gold, ["en"] * 600)
    best = fit_weights(pairs)
    largest = fit.largest_weights(pairs, best, [True, False])
    assert largest.weights[0] > best.weights[0] and largest.weights[1] == best.weights[1]
    assert largest.score == fit.mean_spearman(pairs, largest.weights)
    assert best.score - 1 <= largest.score <= best.score
    assert fit.mean_spearman(pairs, (1.1 * largest.weights[0], best.weights[1])) < best.score - 1
    assert fit.largest_weights(pairs, best, [False, False]).weights == best.weights


def test_a_graph_channel_that_does_not_help_stays_without_weight():
    gold = np.arange(9) / 10
    pairs = PairCosines(np.stack([gold] * 2), np.ones((2, 9, 2), dtype=bool), gold, ["de"] * 9)
    assert prefer_graphs(pairs, fit_weights(pairs), [True]).weights == (0,)


def test_a_joint_weight_comes_before_that_of_the_channel_alone(tmp_path: Path):
    fitted = FittedWeights((0.5,), 80.0, 79.0)
    store_weight(tmp_path, "base", "mini", 0.5, fitted, "")
    assert stored_weight(tmp_path, "base", "mini", ["student"], otherwise="mini") == 0.5
    store_weight(tmp_path, "base", fit.key_of("mini", ["student", "e5"]), 0.75, fitted, "")
    wanted = {"otherwise": "mini"}
    assert stored_weight(tmp_path, "base", "mini", ["e5", "student"], **wanted) == 0.75  # in any order
    assert stored_weight(tmp_path, "base", "wide", ["e5", "student"], **wanted) == 0.75
    assert stored_weight(tmp_path, "base", "mini", ["student"], **wanted) == 0.5
    assert stored_weight(tmp_path, "base", "mini", **wanted) == 0.5


def test_rows_that_differ_between_languages_are_named(tmp_path: Path):
    stsb(tmp_path, "a,b,1.0\nc,d,2.0\n")
    data = stsb(tmp_path, "a,b,1.0\nc,d,3.0\n", "de")
    with pytest.raises(InputError, match=r"de.dev\.csv: scores must equal those of en/dev\.csv"):
        fit_on_stsb(fake(), data, ["en", "de"])


def test_missing_sentences_are_said_with_where_they_come_from(tmp_path: Path):
    with pytest.raises(
        InputError, match=r"stsb/en/dev\.csv: no such file; fetch https://github\.com/PhilipMay"
    ):
        fit_on_stsb(fake(), tmp_path, ["en"])


@pytest.mark.parametrize(
    ("limit", "rows"),
    [
        (None, range(7)),
        (2, [0, 3]),
        (5, [0, 1, 2, 4, 5]),  # no divisor of 7
        (9, range(7)),
    ],
)
def test_as_many_rows_are_read_as_were_asked_for_evenly_spaced(limit, rows, tmp_path: Path):
    data = stsb(tmp_path, "".join(f"a{number},b{number},{number / 2}\n" for number in range(7)))
    dev = stsb_dev(data, ["en"], limit=limit)
    assert dev.gold.tolist() == [number / 2 for number in rows]
    assert dev.texts["en"] == [f"{side}{number}" for side in "ab" for number in rows]


def test_rows_of_stsb_dev_have_genres_and_those_of_other_files_have_none(tmp_path: Path):
    data = stsb(tmp_path, "".join(f"a{number},b{number},{number % 6}\n" for number in range(1500)))
    genres = stsb_dev(data, ["en"]).genres
    assert [genres.count(genre) for genre in ("captions", "forums", "news")] == [625, 375, 500]
    assert [genres[row] for row in (0, 624, 625, 999, 1000, 1499)] == [
        "captions", "captions", "forums", "forums", "news", "news",
    ]  # fmt: skip
    few = stsb_dev(data, ["en"], limit=4)  # rows 0, 375, 750, 1125
    assert few.genres == ["captions", "captions", "forums", "news"]
    sides = {"en": Side.whole(np.ones((8, 2), dtype=np.float32))}
    assert few.pairs(sides).genres == few.genres
    (tmp_path / "sts/stsb/en/dev.csv").write_text("a,b,1.0\nc,d,2.0\n", "utf-8")
    assert stsb_dev(data, ["en"]).genres == []


def test_damaged_tables_are_named(tmp_path: Path):
    data = stsb(tmp_path, "a,b,1.0\na,b\n")
    with pytest.raises(InputError, match=r"dev\.csv:2: field 'score': row must have 3 columns, got 2"):
        fit_on_stsb(fake(), data, ["en"])
    (tmp_path / "fitted_weights.json").write_text('{"base": {"mini": {}}}')
    with pytest.raises(InputError, match="fitted_weights.json: is not a table of weights"):
        stored_weights(tmp_path)


class Renamed:
    """A base of a given name and fingerprint."""

    def __init__(self, name: str, fingerprint: str) -> None:
        self.name, self.fingerprint = name, fingerprint


def test_a_shipped_channel_keeps_its_table_and_the_users_weight_comes_first(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    own = own_weights("student-text")
    assert own == tmp_path / "amrx" / "weights" / "encoder-student-text"
    muse, mine = Renamed("muse", "muse:1"), Renamed("st:tiny", "st:tiny:abc")
    shipped = fitted_weight("student-text", muse, "")
    assert shipped is not None and fitted_weight("student-text", mine, "") is None
    own.mkdir(parents=True)
    for base, weight in ((muse, 7.0), (mine, 2.95)):
        store_weight(own, fit.base_key(base), "", weight, FittedWeights((weight,), 80.0, 79.0), "")
        assert fitted_weight("student-text", base, "") == weight
    assert fitted_weight("student-text", Renamed("st:tiny", "st:tiny:def"), "") is None
    assert stored_weights(channel_folder("student-text"))["muse"][""]["weight"] == shipped


def test_an_encoder_of_the_user_keeps_its_weights_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").touch()
    assert own_weights(str(tmp_path)) == channel_folder(str(tmp_path)) == tmp_path
