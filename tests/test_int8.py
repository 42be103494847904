"""amrx.int8: linear layers in whole numbers, against the law in float64; ranges in files and in use."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
import torch
from torch import nn

from amrx import int8
from amrx.errors import InputError, OptionError
from amrx.int8 import RANGES, Int8Linear, input_ranges, quantise, quantise_by, write_ranges

pytestmark = pytest.mark.skipif(not int8.is_supported("cpu"), reason="this processor has no kernels")


@pytest.fixture
def inputs() -> torch.Tensor:
    """Inputs ``(5, 7, 300)`` with one channel of outliers."""
    x = torch.randn(5, 7, 300, generator=torch.Generator().manual_seed(1))
    x[..., 11] *= 40
    return x


@pytest.fixture
def linear() -> nn.Linear:
    torch.manual_seed(2)
    return nn.Linear(300, 256)


def ranges_of(x: torch.Tensor) -> torch.Tensor:
    rows = x.flatten(0, -2)
    return torch.stack((rows.amin(0), rows.amax(0)))


def test_a_layer_follows_smoothquant(linear: nn.Linear, inputs: torch.Tensor) -> None:
    """Equations 3 and 4 of Xiao et al. 2023, and rounding, in float64."""
    weight, bias = linear.weight.detach().double(), linear.bias.detach().double()
    x = inputs.flatten(0, 1).double()
    alpha = int8.ALPHA
    a = x.abs().amax(0) ** alpha / weight.abs().amax(0) ** (1 - alpha)
    smooth, moved = x / a, weight * a
    torch.testing.assert_close(smooth @ moved.T, x @ weight.T)  # what moves changes nothing
    s = (smooth.max() - smooth.min()) / 127
    z = (-smooth.min() / s).round()
    q = (smooth / s + z).round().clamp(0, 127)
    t = moved.abs().amax(1, keepdim=True) / 127
    expected = s * t.T * ((q - z) @ (moved / t).round().T) + bias
    with torch.inference_mode():
        found = Int8Linear(linear, ranges_of(inputs))(inputs).flatten(0, 1)
    # a number that stands between two whole ones may be rounded to either: few, and by one step
    step = float(s) * t.max() * 127
    assert ((found - expected).abs() < step).all()
    assert ((found - expected).abs() < 1e-4).double().mean() > 0.95
    plain = nn.functional.linear(inputs, linear.weight, linear.bias).flatten(0, 1)
    # steps of 9 standard deviations / 127 have an error of 2 %, those of the weights of 1 %
    assert (found - plain).std() < 0.03 * plain.std()


def test_an_outlier_costs_less_than_without_smoothing(linear, inputs, monkeypatch) -> None:
    exact = linear(inputs)

    def error() -> float:
        return float((Int8Linear(linear, ranges_of(inputs))(inputs) - exact).detach().std())

    with torch.inference_mode():
        smooth = error()
        monkeypatch.setattr(int8, "ALPHA", 0.0)
        assert error() > 2 * smooth


def test_an_output_depends_on_its_own_row_alone(linear: nn.Linear, inputs: torch.Tensor) -> None:
    with torch.inference_mode():
        layer = Int8Linear(linear, ranges_of(inputs))
        whole = layer(inputs)
        for row in range(len(inputs)):
            assert torch.equal(layer(inputs[row : row + 1])[0], whole[row])
        assert torch.equal(layer(inputs[3, 4:5])[0], whole[3, 4])


def test_what_lies_outside_the_samples_is_cut(linear: nn.Linear, inputs: torch.Tensor) -> None:
    low, high = ranges_of(inputs)
    with torch.inference_mode():
        layer = Int8Linear(linear, torch.stack((low, high)))
        far = torch.full((1, 300), 1e6)
        assert torch.equal(layer(far), layer(2 * far))
        assert layer(far).isfinite().all()


@pytest.mark.parametrize("again", [copy.deepcopy, lambda layer: pickle.loads(pickle.dumps(layer))])
def test_a_copy_computes_the_same(again, linear: nn.Linear, inputs: torch.Tensor) -> None:
    with torch.inference_mode():
        layer = Int8Linear(nn.Linear(300, 256, bias=False), ranges_of(inputs))
        assert torch.equal(again(layer)(inputs), layer(inputs))


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.ModuleDict({"large": nn.Linear(300, 256)})
        self.small = nn.Linear(256, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.small(self.inner["large"](x))


def test_ranges_are_those_of_all_calls_and_of_large_layers(inputs: torch.Tensor) -> None:
    network = Network()
    found = input_ranges(network, lambda: [network(part) for part in inputs])
    assert list(found) == ["inner.large"]
    torch.testing.assert_close(found["inner.large"], ranges_of(inputs))
    assert not network.inner["large"]._forward_pre_hooks


def test_layers_are_replaced_by_the_ranges_of_a_folder(inputs: torch.Tensor, tmp_path: Path) -> None:
    network = Network()
    assert quantise_by(tmp_path, network, "cpu") == ""
    write_ranges(tmp_path, {"inner.large": ranges_of(inputs)})
    assert quantise_by(tmp_path, network, "meta") == ""  # no CPU
    assert isinstance(network.inner["large"], nn.Linear)
    plain = network(inputs)
    first = quantise_by(tmp_path, network, "cpu")
    with torch.inference_mode():
        torch.testing.assert_close(network(inputs), plain, atol=0.1, rtol=0)
    assert isinstance(network.inner["large"], Int8Linear)
    write_ranges(tmp_path, {"inner.large": 2 * ranges_of(inputs)})
    assert quantise_by(tmp_path, Network(), "cpu") not in ("", first)


@pytest.mark.parametrize("name", ["inner.other", "inner", ""])
def test_ranges_of_another_network_are_an_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="is no linear layer"):
        quantise(Network(), {name: torch.zeros(2, 300)})
    write_ranges(tmp_path, {name: torch.zeros(2, 300)})
    with pytest.raises(InputError, match=r"ranges\.safetensors: are not ranges of this network"):
        quantise_by(tmp_path, Network(), "cpu")


@pytest.mark.parametrize(("low", "high"), [(0.0, float("nan")), (0.0, 1e6), (-float("inf"), 0.0), (1.0, 0.5)])
def test_ranges_that_are_none_are_an_error(low: float, high: float, tmp_path: Path) -> None:
    write_ranges(tmp_path, {"inner.large": torch.tensor([[low] * 300, [high] * 300])})
    with pytest.raises(InputError, match="'inner.large' has no finite ranges"):
        quantise_by(tmp_path, Network(), "cpu")


def test_a_file_without_ranges_is_an_error(tmp_path: Path) -> None:
    write_ranges(tmp_path, {})
    with pytest.raises(InputError, match="there are no ranges"):
        quantise_by(tmp_path, Network(), "cpu")


def test_a_layer_in_int8_is_not_saved(linear: nn.Linear, inputs: torch.Tensor) -> None:
    with pytest.raises(TypeError, match="no weights to save"):
        nn.Sequential(Int8Linear(linear, ranges_of(inputs))).state_dict()


def test_what_has_no_kernels_and_who_wants_none_gets_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    assert int8.is_supported("cpu") and not int8.is_supported("meta")
    with monkeypatch.context() as patch:
        patch.setenv(int8.SWITCH, "0")
        assert not int8.is_supported("cpu")
    for place, name, value in (
        (int8.platform, "machine", lambda: "aarch64"),
        (torch.backends.mkldnn, "is_available", lambda: False),
        (int8, "Int8Linear", lambda *_: torch.ops.onednn.no_such_product),
    ):
        int8._has_kernels.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(place, name, value)
            assert not int8.is_supported("cpu"), name
    int8._has_kernels.cache_clear()


def test_damaged_ranges_are_an_error(tmp_path: Path) -> None:
    write_ranges(tmp_path, {"inner.large": torch.zeros(2, 299)})
    whole = (tmp_path / RANGES).read_bytes()
    for content in (whole, whole[:40], whole[:-1], b""):
        (tmp_path / RANGES).write_bytes(content)
        with pytest.raises(InputError, match=r"ranges\.safetensors"):
            quantise_by(tmp_path, Network(), "cpu")


def test_the_shipped_parser_and_encoder_compute_in_int8() -> None:
    """Their graphs and vectors are nearly those of float32."""
    import numpy as np

    from amrx.examples import users
    from parser.mini.parser import load_mini
    from parser.score.smatch import corpus_smatch
    from retrofit.load import load_amr
    from retrofit.reduce import weights_of

    texts = [one.text for one in users()[:40]]
    whole, exact = load_mini(), load_mini(int8=False)
    large = [isinstance(one, Int8Linear) for one in whole.network.modules()]
    assert sum(large) == 6 * whole.network.shape.reader
    assert not any(isinstance(one, Int8Linear) for one in exact.network.modules())
    assert weights_of(whole.fingerprint) == exact.fingerprint != whole.fingerprint
    graphs = [[parse.graph for parse in parser.parse(texts)] for parser in (whole, exact)]
    assert corpus_smatch(*graphs).f1 > 90
    alone = whole.parse(texts, batch_size=1)
    together = whole.parse(texts[::-1], batch_size=64)[::-1]
    assert [one.graph.triples for one in alone] == [one.graph.triples for one in together]
    for one, other in zip(alone, together, strict=True):
        assert one.confidence == pytest.approx(other.confidence, abs=0.011)
    fast, slow = (load_amr("mini", precision=name) for name in ("auto", "fp32"))
    assert weights_of(fast.fingerprint) == weights_of(slow.fingerprint) != fast.fingerprint
    first, second = (encoder.encode_graphs(graphs[0]) for encoder in (fast, slow))
    assert np.array_equal(fast.encode_graphs(graphs[0][:7]), first[:7])
    cosines = (first * second).sum(1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    assert cosines.min() > 0.99


def test_a_saved_encoder_with_int8_loads_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numpy as np

    import amrx

    texts = ["The dog bites the man.", "Der Hund beißt den Mann."]
    encoder = amrx.load(preset="graph", precision="int8")
    encoder.save(tmp_path / "saved")
    vectors = encoder.encode(texts, lang=["en", "de"])
    monkeypatch.setenv(int8.SWITCH, "0")
    plain = amrx.load(tmp_path / "saved").encode(texts, lang=["en", "de"])
    assert not np.array_equal(plain, vectors)
    np.testing.assert_allclose(plain, vectors, atol=0.02)


def test_int8_without_ranges_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from retrofit.load import load_amr

    monkeypatch.setattr(int8, "RANGES", "none.safetensors")
    with pytest.raises(OptionError, match="int8 needs a CPU with torch's kernels for x86, and .*none"):
        load_amr("mini", precision="int8")
    assert load_amr("mini").fingerprint.endswith((":fp32", ":bf16"))
