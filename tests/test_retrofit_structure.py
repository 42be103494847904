"""Sketches of a graph's structure: against the kernel written out, and as a part of an encoder."""

import json
import math
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from amrx.cli import main
from amrx.errors import InputError
from amrx.vectors import cosine
from retrofit.amr.structure import Structure, parts, read_structure, write_structure
from retrofit.folders import find_encoder
from retrofit.load import load_amr
from retrofit.training.amr.average import average_encoders

BITES = "( bite-01 :ARG0 ( dog ) :ARG1 ( man ) )"
SWAPPED = "( bite-01 :ARG0 ( man ) :ARG1 ( dog ) )"
GRAPHS = [
    BITES,
    SWAPPED,
    "( bite-01 :ARG1 ( man ) :ARG0 ( dog ) )",
    "( bite-01 :ARG0 ( dog :mod ( old ) ) :ARG1 ( man ) :polarity - )",
    "( chase-01 :ARG0 ( dog ) :ARG1 ( cat ) :location ( city :name ( name :op1 New :op2 York ) ) )",
    "( boy :ARG0-of ( want-01 :ARG1 ( go-02 :ARG0 ( boy ) ) ) )",
]
COUNTS = {"bite-01": 3, "dog": 40, "man": 75, "boy": 60, "name": 90, "city": 9, "-": 50}
"""Of ``-`` too, which is a constant: those weigh most whatever they count."""


def structure(width: int = 256, share: float = 0.13) -> Structure:
    return Structure(width, share, 100, COUNTS)


def kernel(first: str, second: str) -> float:
    """Return the docstring's ``k`` in float64, part by part."""

    def unit(found: Sequence[tuple[object, float]]) -> dict[object, float]:
        length = math.sqrt(sum(weight**2 for _, weight in found))
        return {part: weight / length for part, weight in found}

    def weight(part: str) -> float:
        return math.sqrt(math.log(101 / (COUNTS.get(part, 0) + 1)) / math.log(101))

    factors = []
    for tokens in (first.split(), second.split()):
        found = parts(tokens)
        relations = [
            ((role, end), 1.0 if end in found.constants else weight(end)) for role, end in found.relations
        ]
        factors.append((unit([(part, weight(part)) for part in found.concepts]), unit(relations)))
    (concepts, relations_), (others, their_relations) = factors
    shared = sum(value * others.get(part, 0.0) for part, value in concepts.items())
    return shared * sum(value * their_relations.get(part, 0.0) for part, value in relations_.items())


def test_parts_are_read_off_both_forms() -> None:
    paper = parts("( want-01 :ARG0 ( boy ) :ARG1 ( go-02 :ARG0 ( boy ) :polarity - ) )".split())
    pointer = parts("( <0> want-01 :ARG0 ( <1> boy ) :ARG1 ( <2> go-02 :ARG0 <1> :polarity - ) )".split())
    assert paper == pointer
    assert paper.concepts == {"want-01", "boy", "go-02"} and paper.constants == {"-"}
    assert paper.relations == {(":ARG0", "boy"), (":ARG1", "go-02"), (":polarity", "-")}


def test_inverse_relations_are_turned_and_operands_are_alike() -> None:
    assert parts("( boy :ARG0-of ( go-02 ) )".split()).relations == {(":ARG0", "boy")}
    assert parts("( ring :consist-of ( gold ) )".split()).relations == {(":consist-of", "gold")}
    assert parts("( and :op1 ( a ) :op12 ( b ) )".split()).relations == {(":op", "a"), (":op", "b")}
    assert parts("( a :op1-of ( and ) )".split()).relations == {(":op", "a")}


def test_a_sentence_has_no_parts() -> None:
    assert parts(["A dog bites a man."]) == parts([])
    assert not structure().vectors([["A dog bites a man."]]).any()


def test_sketches_approach_the_kernel_as_they_widen() -> None:
    made = structure(1 << 15).vectors(GRAPHS).astype(np.float64)
    slow = np.array([[kernel(one, other) for other in GRAPHS] for one in GRAPHS])
    assert np.abs(made @ made.T - slow).max() < 0.03
    assert slow[0, 2] == pytest.approx(1) and slow[0, 1] == 0 and 0.1 < slow[0, 3] < 0.9
    # two graphs apart by n parts are apart by the noise 1 / sqrt(width) at most a few times over
    narrow = structure(256).vectors(GRAPHS).astype(np.float64)
    assert np.abs(narrow @ narrow.T - slow).max() < 5 / 16


def test_sketches_are_unit_vectors_or_nothing() -> None:
    made = structure().vectors([*GRAPHS, "( dog )"])
    assert made.dtype == np.float32 and made.shape == (7, 256)
    assert np.linalg.norm(made, axis=1) == pytest.approx([1] * 6 + [0], abs=1e-6)
    assert np.array_equal(made[0], made[2]) and not np.array_equal(made[0], made[1])
    assert np.array_equal(structure().vectors([graph.split() for graph in GRAPHS]), made[:6])


def test_sketches_do_not_depend_on_the_process() -> None:
    told = (
        "from retrofit.amr.structure import Structure;"
        f"print(Structure(16, 0.5, 100, {COUNTS!r}).vectors({GRAPHS!r}).tobytes().hex())"
    )
    runs = {
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", told], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True,
            cwd=Path(__file__).parents[1],
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(runs) == 1


def test_the_cosine_is_shared_out() -> None:
    pooled = np.random.default_rng(1).normal(size=(len(GRAPHS), 8)).astype(np.float32)
    chosen = structure(share=0.25)
    joined, sketched = chosen.beside(pooled, GRAPHS), chosen.vectors(GRAPHS)
    expected = 0.75 * cosine(pooled[:-1], pooled[1:]) + 0.25 * cosine(sketched[:-1], sketched[1:])
    assert joined.dtype == np.float32 and cosine(joined[:-1], joined[1:]) == pytest.approx(expected, abs=1e-5)


def test_pooled_vectors_are_drawn_towards_the_mean() -> None:
    random = np.random.default_rng(2)
    pooled, mean = random.normal(size=(6, 8)).astype(np.float32), random.normal(size=8) / 4
    made = Structure(64, 0.25, 100, COUNTS, shrinkage=0.4, mean=tuple(mean)).beside(7 * pooled, GRAPHS)
    for row, one in enumerate(pooled.astype(np.float64)):
        u = 0.6 * one / math.sqrt(sum(one**2)) + 0.4 * mean
        assert made[row, :8] == pytest.approx(math.sqrt(0.75) * u / math.sqrt(sum(u**2)), abs=1e-6)
    alone = Structure(64, 0.25, 100, COUNTS).beside(pooled, GRAPHS)
    assert np.array_equal(made[:, 8:], alone[:, 8:])  # the sketch is what it was


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    folder.mkdir()
    rows = [{"id": i, "tokens": graph, "status": "ok"} for i, graph in enumerate(GRAPHS)]
    rows.append({"id": 9, "tokens": "( dog )", "status": "failed"})
    (folder / "parses.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder


def test_the_command_adds_it_to_an_encoder(corpus: Path, tmp_path: Path) -> None:
    encoder, out = find_encoder("mini"), tmp_path / "out"
    command = [
        "add-structure", str(encoder), str(corpus), "-o", str(out), "--width", "32", "--share", "0.5",
        "--shrinkage", "0.3",
    ]  # fmt: skip
    assert main(command) == 0
    found = read_structure(out)
    assert found is not None and (found.width, found.share, found.graphs) == (32, 0.5, 6)
    assert found.counts == {
        "bite-01": 4,
        "dog": 5,
        "man": 4,
    }  # of two graphs at least, none of a failed parse
    network = load_amr("mini", precision="fp32").pool(GRAPHS)  # without the sketch that the shipped one has
    lengths = np.linalg.norm(network, axis=1, keepdims=True)
    assert found.shrinkage == 0.3 and found.mean == pytest.approx((network / lengths).mean(0), abs=2e-6)
    card = (out / "README.md").read_text("utf-8")
    assert "amrx add-structure" in card and card.startswith(
        "---\nlanguage:\n- ar\n"
    )  # the shipped one's metadata
    made, shipped = load_amr(str(out), precision="fp32"), load_amr("mini", precision="fp32")
    assert made.fingerprint != shipped.fingerprint and made.dimension == 384 + 32
    vectors = made.encode_tokens(GRAPHS)
    assert vectors.shape == (6, made.dimension)
    assert np.linalg.norm(vectors[:, :384], axis=1) ** 2 == pytest.approx(0.5, abs=1e-5)
    assert cosine(vectors[:1], vectors[1:2])[0] < 0.6  # a role swap has lost that half
    assert main(command) == 2  # the folder is there already
    assert main(["add-structure", str(out), str(corpus), "-o", str(tmp_path / "again")]) == 0
    assert (tmp_path / "again" / "README.md").read_text("utf-8").count("## Structure") == 1


def test_averages_have_none(corpus: Path, tmp_path: Path) -> None:
    assert main(["add-structure", str(find_encoder("mini")), str(corpus), "-o", str(tmp_path / "out")]) == 0
    average_encoders([tmp_path / "out", tmp_path / "out"], tmp_path / "mean")
    assert read_structure(tmp_path / "mean") is None


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--width", "0", "--width must be at least 1, got 0"),
        ("--share", "1", "--share must be between 0 and 1, got 1"),
        ("--share", "nan", "--share must be between 0 and 1, got nan"),
        ("--shrinkage", "1", "--shrinkage must be >= 0 and < 1, got 1"),
        ("--shrinkage", "nan", "--shrinkage must be >= 0 and < 1, got nan"),
    ],
)
def test_options_out_of_range_are_refused(corpus, tmp_path, capsys, option, value, told):
    out = tmp_path / "out"
    command = ["add-structure", str(find_encoder("mini")), str(corpus), "-o", str(out), option, value]
    assert main(command) == 2 and told in capsys.readouterr().err and not out.exists()


def test_folders_that_are_none_are_refused(corpus, tmp_path, capsys):
    out = ["-o", str(tmp_path / "out")]
    assert main(["add-structure", str(corpus), str(corpus), *out]) == 2
    assert "config.json" in capsys.readouterr().err
    assert main(["add-structure", str(find_encoder("mini")), str(tmp_path), *out]) == 2
    assert "parses.jsonl" in capsys.readouterr().err
    (corpus / "parses.jsonl").write_text('{"id": 1, "tokens": "( dog )", "status": "ok"}\n')
    assert main(["add-structure", str(find_encoder("mini")), str(corpus), *out]) == 2
    assert "no two graphs" in capsys.readouterr().err and not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a JSON object"),
        ('{"share": 0.1, "graphs": 9, "counts": {}}', "width"),
        ('{"width": 8, "share": 1.5, "graphs": 9, "counts": {}}', "share"),
        ('{"width": 8, "share": 0.1, "graphs": true, "counts": {}}', "graphs"),
        ('{"width": 8, "share": 0.1, "graphs": 9, "counts": []}', "counts"),
        ('{"width": 8, "share": 0.1, "graphs": 9, "counts": {"dog": 10}}', "'dog' is in 10 of 9"),
        ('{"width": 8, "share": 0.1, "graphs": 9, "counts": {}, "shrinkage": 1.0}', "shrinkage"),
        ('{"width": 8, "share": 0.1, "graphs": 9, "counts": {}, "shrinkage": 0.5}', "mean"),
        ('{"width": 8, "share": 0.1, "graphs": 9, "counts": {}, "mean": [0.1]}', "shrinkage above 0"),
        ('{"width": 8, "share": 0.1, "graphs": 9, "counts": {}, "shrinkage": 0.5, "mean": ["a"]}', "mean"),
    ],
)
def test_a_wrong_structure_names_its_file_and_field(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "structure.json").write_text(text)
    with pytest.raises(InputError, match="structure.json") as caught:
        read_structure(tmp_path)
    assert told in str(caught.value)


def test_a_mean_of_another_width_is_refused(tmp_path: Path) -> None:
    for file in find_encoder("mini").iterdir():
        shutil.copy(file, tmp_path)
    written = Structure(8, 0.1, 9, {}, shrinkage=0.5, mean=(0.1, 0.2))
    write_structure(tmp_path, written)
    assert read_structure(tmp_path) == written
    with pytest.raises(InputError, match="must have 384 numbers, got 2"):
        load_amr(str(tmp_path))


def test_a_structure_without_a_mean_is_read_as_before(tmp_path: Path) -> None:
    (tmp_path / "structure.json").write_text('{"width": 8, "share": 0.1, "graphs": 9, "counts": {"dog": 2}}')
    assert read_structure(tmp_path) == Structure(8, 0.1, 9, {"dog": 2})
