import csv
import re
import tomllib
from itertools import islice
from pathlib import Path
from random import Random

import penman
import pytest

from linearize import delinearize
from linearize.packed import pack_graph, unpack
from parser.training.constructions import constructions, constructions_by_kind
from parser.training.constructions.draw import draw
from parser.training.constructions.graph import write_graph
from parser.training.constructions.lexicon import (
    FOLDER,
    languages,
    read_language,
    read_lexicon,
    read_meanings,
)
from parser.training.constructions.text import Filled, Writer

ROOT = Path(__file__).parents[1]
FRAMES = ROOT.parent / "shared/data/amr/propbank-amr-frames-arg-descr.txt"
BASIC = {"en", "de", "es", "fr", "it", "ru", "zh", "ja", "tr", "nl"}
HELD_OUT = {"pt", "sv", "uk"}
NOUNS_OF_FOILS = {"man", "woman", "doctor", "nurse", "boy", "girl", "king", "queen"}


def drawn(code):
    """Return an example of each frame of a language, with its meaning and frame."""
    language, rng = read_language(code), Random(1)
    return [
        (name, frame, draw(name, frame, language, rng))
        for name, frames in language.frames.items()
        for frame in frames
    ]


@pytest.fixture(scope="module")
def sample():
    return list(constructions_by_kind(6000, seed=7))


def test_languages():
    assert set(languages()) >= BASIC
    assert not set(languages()) & HELD_OUT


def test_every_frame_gives_a_sentence():
    meanings = read_meanings()
    for code in languages():
        for name, frame, example in drawn(code):
            assert name in meanings, f"{code}: {name!r} is no meaning"
            assert example is not None, f"{code}: nothing fills {name} = {frame!r}"
            assert not re.search(r"[{}\[\]~|]|  | [,.]|\.\.|,,", example.text), (name, example.text)


def test_frames_and_roles_exist():
    if not FRAMES.exists():
        pytest.skip("the list of PropBank's frames is not here")
    roles = {
        line.split(" ", 1)[0]: set(re.findall(r"(ARG\d):", line))
        for line in FRAMES.read_text(encoding="utf-8").splitlines()
        if line.strip()
    }
    text = "".join((FOLDER / name).read_text(encoding="utf-8") for name in ("lexicon.toml", "meanings.toml"))
    frames = set(re.findall(r"/ ([a-z-]+-\d\d)\b", text))
    assert {one for one in frames if not one.endswith("-91")} <= set(roles)
    for _, example in constructions_by_kind(3000, seed=3, langs=["en"]):
        graph = delinearize(unpack(example.graph)).graph
        concepts = {node: concept for node, _, concept in graph.instances()}
        for source, role, _ in graph.triples:
            frame = concepts[source]
            if re.fullmatch(r":ARG\d", role) and re.fullmatch(r".*-\d\d", frame) and frame[-3:] != "-91":
                assert role[1:] in roles[frame], (frame, role, example.text)
            if re.fullmatch(r":ARG\d", role):
                assert re.fullmatch(r".*-\d\d", frame), (frame, role, example.text)


def test_graphs_are_valid(sample):
    for _, example in sample[:1500]:
        graph = delinearize(unpack(example.graph)).graph
        again = penman.decode(penman.encode(graph))
        assert pack_graph(again) == list(example.graph)
        roles = [(s, r) for s, r, _ in again.triples if re.fullmatch(r":ARG\d|:instance", r)]
        assert len(roles) == len(set(roles)), example.text


def test_sentences():
    def said(code, meaning, frame, **names):
        lexicon = read_lexicon()
        slots = {}
        for slot, name in names.items():
            kind = re.sub(r"\d", "", slot)
            slots[slot] = Filled(next(one for one in lexicon[kind] if one.name == name))
        for slot in read_meanings()[meaning].slots:
            bound = [slots[one] for one in slot.bound if one in slots]
            slots[slot.name].inner.update(zip(("subj", "obj", "rec"), bound, strict=False))
        text = Writer(read_language(code), Random(0)).write(frame, slots)
        return text, " ".join(write_graph(read_meanings()[meaning], slots))

    graph = "swim-01 :ARG0 she ):polarity - :time yesterday"
    words = {"who": "she", "deed": "swim", "when": "yesterday"}
    for code, text in {
        "en": "She did not swim yesterday.",
        "es": "Ella no ha nadado ayer.",
        "ja": "彼女は昨日泳がなかった。",
    }.items():
        frame = read_language(code).frames["neg_plain"][0]
        assert said(code, "neg_plain", frame, **words) == (text, graph)
    frame = read_language("de").frames["although_not"][0]
    assert said("de", "although_not", frame, who="tailor", deed="bank", deed2="opened") == (
        "Die Schneiderin hat die Bank angerufen, obwohl sie das Fenster nicht aufgemacht hat.",
        "call-02 :ARG0 tailor ):ARG1 bank ):concession open-01 :ARG0 <1> :ARG1 window ):polarity -",
    )


def test_deterministic():
    first, second, other = (list(constructions(50, seed=seed)) for seed in (1, 1, 2))
    assert first == second != other


def test_kinds_and_languages_are_balanced(sample):
    kinds = [kind for kind, _ in sample]
    assert set(kinds) == {one.kind for one in read_meanings().values()}
    assert min(map(kinds.count, set(kinds))) > len(sample) / len(set(kinds)) / 3
    assert {example.lang for _, example in sample} == set(languages())
    assert {example.lang for example in constructions(20, seed=1, langs=["de"])} == {"de"}


def plain(text):
    return re.sub(r"^\W+|\W+$", "", text).casefold()


def _measured():
    """Yield the sentences of the measures."""
    with (ROOT / "scripts/readings.tsv").open(encoding="utf-8") as file:
        yield from (line.rstrip("\n").split("\t")[-1] for line in file)
    for name in ("users", "meanings", "foils"):
        with (ROOT / "amrx/examples" / f"{name}.tsv").open(encoding="utf-8") as file:
            for row in csv.reader(file, delimiter="\t"):
                yield from row
    tour = ROOT / "results/tour.json"
    yield from re.findall(r'"((?:[^"\\]|\\.)*)"', tour.read_text(encoding="utf-8")) if tour.exists() else ()


def test_measures_stay_blind(sample):
    measured = {plain(one) for one in _measured()}
    for _, example in sample:
        assert plain(example.text) not in measured
    foils = tomllib.loads((ROOT / "tests/support/foil_pairs.toml").read_text(encoding="utf-8"))["verbs"]
    concepts = {re.sub(r"-\d\d$", "", one) for _, example in sample for one in example.graph}
    assert not concepts & {*foils, *NOUNS_OF_FOILS}


def test_many_sentences():
    texts = [one.text for one in islice(constructions(3000, seed=5), 3000)]
    assert len(set(texts)) > 2700
