"""parser.training.mini.own_sembank: go on from a parser with own graphs, and no other data."""

import dataclasses

import pytest

from amrx.errors import InputError, OptionError, OutputError
from amrx.training import read_log
from parser.load import load
from parser.mini.labels import read_labels
from parser.mini.store import load_network
from parser.training.mini import own_sembank
from parser.training.mini import train as module
from parser.training.mini.own_sembank import OwnRecipe
from parser.training.mini.task import MiniTask
from tests.support.small_mini_run import RECIPE, without_open_data

TRAIN = """# ::snt The dog sleeps.
(s / sleep-01 :ARG0 (d / dog))

# ::snt The printer broke.
# ::lang en
(b / break-down-12 :ARG1 (p / printer :wiki "Printer" :owner (t / ticket-77)))

# ::snt Der Drucker ging kaputt.
# ::lang de
(b / break-down-12 :ARG1 (p / printer))
"""
DEV = """# ::snt A dog sleeps.
(s / sleep-01 :ARG0 (d / dog))

# ::snt Ein Hund schläft.
# ::lang de
(s / sleep-01 :ARG0 (d / dog))
"""
OWN = OwnRecipe(steps=6, batch=150, warmup=1, learning_rate=3e-3, average=0.5, evaluate_every=2, save_every=2)


@pytest.fixture(scope="module")
def start(tmp_path_factory, e5_files):
    """A tiny parser."""
    data = tmp_path_factory.mktemp("start")
    with pytest.MonkeyPatch.context() as patch:
        without_open_data(patch)
        module.train(data, data / "parser", dataclasses.replace(RECIPE, steps=2), device="cpu")
    return data / "parser"


@pytest.fixture
def own(start, tmp_path, monkeypatch):
    """Write a sembank; return a function that trains on it from a tiny parser, without the open data."""
    monkeypatch.delenv("AMRX_DATA", raising=False)
    (tmp_path / "train.amr").write_text(TRAIN, encoding="utf-8")
    (tmp_path / "dev.amr").write_text(DEV, encoding="utf-8")

    def run(out="out", recipe=OWN, train="train.amr", dev="dev.amr", **options):
        recipe = dataclasses.replace(recipe, start=f"mini:{start}")
        return own_sembank.train(
            tmp_path / train, tmp_path / dev, tmp_path / out, recipe, device="cpu", **options
        )

    return run


def test_a_run_that_the_time_limit_stops_goes_on(own, tmp_path):
    whole = own("whole")
    assert own("part", time_limit=0.0) == (whole[0], None)
    assert not (tmp_path / "part" / "config.json").exists()
    assert own("part") == whole
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "part")]
    assert weights[0] == weights[1]


def test_a_killed_run_ends_with_the_weights_of_an_unbroken_one(own, tmp_path, monkeypatch):
    scores = own("whole")
    backward = MiniTask.backward

    def stopping(task, step):
        if step == 3:
            raise KeyboardInterrupt
        return backward(task, step)

    with monkeypatch.context() as patch:
        patch.setattr(MiniTask, "backward", stopping)
        with pytest.raises(KeyboardInterrupt):
            own("part")
    assert not (tmp_path / "part" / "config.json").exists()
    assert own("part") == scores
    for file in ("model.safetensors", "labels.json", "config.json"):
        assert (tmp_path / "part" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
    assert load_network(tmp_path / "whole")[0].shape.reader == 2


def test_the_best_on_dev_is_kept(own, tmp_path, monkeypatch):
    scripted = iter([50.0, 40.0, 80.0, 60.0])
    monkeypatch.setattr(own_sembank.Dev, "score", lambda dev, parser, batch_size: {"en": next(scripted)})
    kept = {}
    update = MiniTask.update

    def remembering(task, step):
        update(task, step)
        kept[step + 1] = {name: mean.clone() for name, mean in task.average.items()}

    monkeypatch.setattr(MiniTask, "update", remembering)
    assert own() == (50.0, 80.0)
    saved = load_network(tmp_path / "out")[0].state_dict()
    name = "norm.weight"  # near 1, where float16 is exact to 5e-4
    far = {step: float((saved[name] - kept[step][name]).abs().max()) for step in (2, 4, 6)}
    assert far[4] < 6e-4 < min(far[2], far[6]), far
    log = read_log(tmp_path / "out" / "training" / "log.jsonl")
    assert [line["smatch"] for line in log] == [50.0, 40.0, 80.0, 60.0]


def test_a_parser_that_is_no_better_is_said_to_be(own, monkeypatch, caplog):
    monkeypatch.setattr(own_sembank.Dev, "score", lambda dev, parser, batch_size: {"en": 50.0})
    own()
    assert "no weights are better than the start" in caplog.text


def test_roles_and_concepts_of_own_get_labels(own, tmp_path):
    own()
    labels = read_labels(tmp_path / "out" / "labels.json")
    assert ":owner" in labels.roles and {"printer", "ticket-77", "break-down-12"} <= set(labels.nodes)
    assert ":wiki" not in labels.roles and '"Printer"' not in labels.nodes
    assert [parse.status for parse in load(f"mini:{tmp_path / 'out'}").parse(["A dog."], lang="en")] == ["ok"]


@pytest.mark.parametrize(
    ("train", "dev", "message"),
    [
        ("# ::snt A cat.\n(c / cat\n", DEV, r"train\.amr:2: is not an AMR graph"),
        ("\n", DEV, r"train\.amr"),
        ("# ::snt A cat.\n# ::lang klingon\n(c / cat)\n", DEV, r"train\.amr:3: field \'lang\': .*klingon"),
        ("(c / cat)\n", DEV, r"no graph to learn from \(1 without sentence or graph\)"),
        (DEV, DEV, r"no graph to learn from \(2 also in the dev file\)"),
        (TRAIN, "(c / cat)\n", r"dev\.amr.*sentence '1' has no text"),
        (TRAIN, None, r"dev\.amr.*no such file"),
        (None, DEV, r"train\.amr.*no such file"),
    ],
)
def test_faults_name_the_file_before_anything_is_written(own, tmp_path, train, dev, message):
    for name, text in (("train.amr", train), ("dev.amr", dev)):
        (tmp_path / name).unlink()
        if text is not None:
            (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        own()
    assert not (tmp_path / "out").exists()


def test_another_parser_or_run_is_not_overwritten(own, tmp_path):
    own()
    with pytest.raises(OptionError, match="belongs to another recipe"):
        own(recipe=dataclasses.replace(OWN, seed=1))
    (tmp_path / "filled").mkdir()
    (tmp_path / "filled" / "config.json").touch()
    with pytest.raises(OutputError, match="holds a model already"):
        own(out="filled")


def test_numbers_out_of_range_are_refused():
    for change in ({"steps": 0}, {"average": 1.0}, {"learning_rate": float("nan")}):
        with pytest.raises(OptionError, match=next(iter(change))):
            dataclasses.replace(OWN, **change)
