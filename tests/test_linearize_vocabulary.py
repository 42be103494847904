import json

import penman
import pytest

from amrx.errors import InputError, OutputError
from linearize.vocabulary import Vocabulary, count, frames, is_frame, load, shipped

GRAPHS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(a / and :op1 (b / boy) :op3 (g / girl :ARG0-of (s / sing-01 :ARG3 b)))",
]


@pytest.fixture
def vocabulary():
    return count(map(penman.decode, GRAPHS), sources=["two graphs"])


def test_counts_are_of_what_is_written(vocabulary):
    assert vocabulary.graphs == 2
    assert vocabulary.relations[":ARG0"] == 2 and vocabulary.relations[":ARG0-of"] == 1
    assert vocabulary.frames == {"want-01": 1, "go-02": 1, "sing-01": 1}
    assert vocabulary.concepts == {"boy": 2, "and": 1, "girl": 1}
    assert next(iter(vocabulary.concepts)) == "boy"


def test_every_relation_has_its_inverse_and_every_number_those_below(vocabulary):
    assert {role for role in vocabulary.relations if not role.endswith("-of")} == {
        role.removesuffix("-of") for role in vocabulary.relations if role.endswith("-of")
    }
    assert {":ARG0", ":ARG1", ":ARG2", ":ARG3", ":op1", ":op2", ":op3"} <= set(vocabulary.relations)
    assert ":op0" not in vocabulary.relations and ":op4" not in vocabulary.relations
    assert vocabulary.relations[":op2"] == 0


def test_rare_symbols_are_left_out_and_a_relation_counts_with_its_inverse():
    vocabulary = count(map(penman.decode, GRAPHS), min_count=3)
    assert vocabulary.relations == {":ARG0": 2, ":ARG0-of": 1}
    assert vocabulary.frames == {} and vocabulary.concepts == {}


def test_a_vocabulary_survives_its_file(vocabulary, tmp_path):
    vocabulary.save(tmp_path / "v.json")
    assert load(tmp_path / "v.json") == vocabulary
    assert list(load(tmp_path / "v.json").concepts) == list(vocabulary.concepts)
    assert [path.name for path in tmp_path.iterdir()] == ["v.json"]


def test_the_public_lists_are_a_vocabulary(tmp_path):
    """Cai et al. 2022, 4.1: relations and frames with five uses; counts of LDC2017T10."""
    (tmp_path / "predicates.txt").write_text("cause-01\t4563\ngo-02 5\nrare-01 4\n")
    (tmp_path / "additions.txt").write_text("date-entity\n-of\n:ARG0\n:consist-of\nhave-org-role-91\n")
    lists = load(tmp_path)
    assert dict(lists.frames) == {"cause-01": 4563, "go-02": 5}
    assert set(lists.relations) == {":ARG0", ":ARG0-of", ":consist-of"}
    (tmp_path / "predicates.txt").write_text("cause-01\t4563\ngo-02\n")
    with pytest.raises(InputError, match=r"predicates\.txt:2: must be a frame and its count, got 'go-02'"):
        load(tmp_path)
    (tmp_path / "additions.txt").unlink()
    with pytest.raises(InputError, match="predicates"):
        load(tmp_path)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"relations": {}}', "\xff"])
def test_a_file_that_is_no_vocabulary(tmp_path, text):
    (tmp_path / "v.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"v\.json:(1:)? is (empty|not)"):
        load(tmp_path / "v.json")


def test_places_that_cannot_be_read_or_written(tmp_path, vocabulary):
    with pytest.raises(InputError, match=r"v\.json: no such file"):
        load(tmp_path / "v.json")
    with pytest.raises(OutputError):
        vocabulary.save(tmp_path / "no" / "such" / "v.json")


def test_the_shipped_vocabulary():
    vocabulary = shipped()
    assert isinstance(vocabulary, Vocabulary)
    assert vocabulary.min_count == 5 and vocabulary.graphs > 29_000
    assert len(vocabulary.relations) > 100 and len(vocabulary.frames) > 1500
    for role in (":ARG0", ":ARG1-of", ":op10", ":snt1", ":polarity", ":consist-of", ":mod"):
        assert role in vocabulary.relations
    assert all(role + "-of" in vocabulary.relations or role.endswith("-of") for role in vocabulary.relations)
    assert min(vocabulary.frames.values()) >= 5 and min(vocabulary.concepts.values()) >= 5
    assert all(map(is_frame, vocabulary.frames)) and not any(map(is_frame, vocabulary.concepts))


def test_the_shipped_vocabulary_names_training_files_only():
    files = [source for source in shipped().sources if source.endswith(".amr")]
    assert len(files) == 8
    assert all(source.endswith("train.amr") and not source.startswith(("/", "..")) for source in files)


def test_the_shipped_counts_are_those_of_the_data(data_dir):
    text = (data_dir / "amr" / "lpp" / "train.amr").read_text(encoding="utf-8")
    part = count(penman.iterdecode(text.split("\n")))
    whole = shipped()
    for role in (":ARG0", ":ARG1-of", ":op1"):
        assert 0 < part.relations[role] < whole.relations[role]
    assert 0 < part.frames["have-rel-role-91"] <= whole.frames["have-rel-role-91"]


def test_the_frame_list_is_propbank_s(data_dir):
    lines = (data_dir / "amr" / "propbank-amr-frames-arg-descr.txt").read_text(encoding="utf-8").splitlines()
    assert frames() == {line.split()[0] for line in lines if line.strip()}
    assert all(map(is_frame, frames()))


def test_the_record_is_plain_json(vocabulary, tmp_path):
    vocabulary.save(tmp_path / "v.json")
    record = json.loads((tmp_path / "v.json").read_text(encoding="utf-8"))
    assert record["sources"] == ["two graphs"] and record["frames"]["want-01"] == 1
