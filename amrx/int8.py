"""Compute linear layers with whole numbers on a CPU, for inference.

Weights and inputs are rounded to int8. Before that, outliers in single channels of the input are moved into
the weights (SmoothQuant, Xiao et al. 2023, Eq. 3 and 4), by the values that each channel ``j`` had on sample
texts (`input_ranges`, ``ranges.safetensors`` of a model's folder)::

    a_j = max |x_j|^0.85 / max_i |W_ij|^0.15
    q_j = round(x_j / (a_j s)) + z                                   cut to 0 ... 127
    y_i = s t_i sum_j (q_j - z) round(W_ij a_j / t_i) + b_i          ``t_i``: largest ``|W_ij a_j|`` / 127

``s`` and ``z`` are constants of the layer, by which the samples lie between 0 and 127. Inputs have 7 bits
because on processors without VNNI the sum of two products must fit in 16 bits. oneDNN computes the sums,
which are exact. Scales and bias are applied here, because its kernels round them differently, some by the
number of rows. So an output depends on its own row of the input alone, to the bit. ``AMRX_INT8=0`` in the
environment switches it off.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from amrx.records import atomic_path
from amrx.records.files import reading

RANGES = "ranges.safetensors"
SWITCH = "AMRX_INT8"
"""Environment variable: 0 for float32 everywhere."""
LAW = "1"
"""Version of the arithmetic; increased when the same weights and ranges give other numbers."""
ALPHA = 0.85
"""Share of the outliers that moves into the weights; of 0.8, 0.85 and 0.9 the best by Smatch on STS-B dev."""
LEAST_WEIGHTS = 2**16
"""Layers with fewer weights stay float32."""
LEVELS = 127
_TINY = 1e-5


def is_supported(device: str | torch.device) -> bool:
    """Return whether ``device`` computes in int8: a CPU of type x86 with oneDNN, unless `SWITCH` is 0."""
    return torch.device(device).type == "cpu" and os.environ.get(SWITCH) != "0" and _has_kernels()


@functools.cache
def _has_kernels() -> bool:
    if platform.machine().lower() not in ("x86_64", "amd64") or not torch.backends.mkldnn.is_available():
        return False
    layer = nn.Linear(8, 8)
    try:
        with torch.inference_mode():
            found = Int8Linear(layer, torch.tensor([[-1.0] * 8, [1.0] * 8]))(torch.ones(2, 8))
            return torch.allclose(found, layer(torch.ones(2, 8)), atol=0.1)
    except (AttributeError, RuntimeError):  # another version of torch
        return False


class Int8Linear(nn.Module):
    """A linear layer in int8, for inference on a CPU; it has no weights to train, move or save.

    Args:
        linear: Layer ``(out, in)``.
        ranges: Least and greatest value of each channel of its input ``(2, in)``.
    """

    offset: Tensor
    factors: Tensor
    steps: Tensor
    bias: Tensor
    ones: Tensor
    zeros: Tensor
    packed: Tensor

    def __init__(self, linear: nn.Linear, ranges: Tensor) -> None:
        super().__init__()
        weight, ranges = linear.weight.detach(), ranges.float()
        most = ranges.abs().amax(0).clamp_min(_TINY)
        shifts = most**ALPHA / weight.abs().amax(0).clamp_min(_TINY) ** (1 - ALPHA)  # a
        low = min(0.0, float((ranges[0] / shifts).min()))
        high = max(_TINY, float((ranges[1] / shifts).max()))
        scale = (high - low) / LEVELS
        zero = round(-low / scale)
        self.factors = 1 / (shifts * scale)
        self.offset = torch.tensor(zero + 0.5)  # rounds where the fraction is cut off
        weight = weight * shifts
        steps = weight.abs().amax(1).clamp_min(_TINY * _TINY) / LEVELS  # t
        whole = (weight / steps[:, None]).round_()
        self.steps = steps * scale
        self.bias = -zero * whole.sum(1) * self.steps
        if linear.bias is not None:
            self.bias += linear.bias.detach()
        self.ones, self.zeros = torch.ones(len(weight)), torch.zeros(len(weight), dtype=torch.long)
        self.packed = _packed(whole.to(torch.int8))

    def forward(self, x: Tensor) -> Tensor:
        """Return the outputs ``(..., out)``, float32."""
        whole = torch.addcmul(self.offset, x, self.factors).clamp_(0, LEVELS).to(torch.int8).view(torch.uint8)
        sums: Tensor = torch.ops.onednn.qlinear_pointwise(
            whole, 1.0, 0, self.packed, self.ones, self.zeros, None, 1.0, 0, torch.float32, "none", [], ""
        )
        return torch.addcmul(self.bias, sums, self.steps, out=sums)

    def _save_to_state_dict(self, *_: object) -> None:
        raise TypeError("a layer in int8 has no weights to save; load the model in float32")

    def __getstate__(self) -> dict[str, object]:
        """Return the state with weights that can be copied and pickled."""
        return {**self.__dict__, "packed": self.packed.to_dense().t().contiguous()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a state of `__getstate__`."""
        self.__dict__.update(state, packed=_packed(state["packed"]))


def _packed(weight: Tensor) -> Tensor:
    """Return int8 weights ``(out, in)`` in the order that oneDNN multiplies."""
    packed: Tensor = torch.ops.onednn.qlinear_prepack(weight, None)
    return packed


def input_ranges(network: nn.Module, run: Callable[[], object]) -> dict[str, Tensor]:
    """Return the least and greatest value of each channel of the inputs of large linear layers ``(2, in)``.

    Args:
        network: The network.
        run: Called once; computes the network on sample texts.
    """
    ranges: dict[str, Tensor] = {}

    def watch(name: str) -> Callable[[nn.Module, tuple[Tensor, ...]], None]:
        def add(_module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
            x = inputs[0].detach().float().flatten(0, -2).cpu()
            if len(x):
                found = torch.stack((x.amin(0), x.amax(0)))
                old = ranges.get(name, found)
                ranges[name] = torch.stack((torch.minimum(old[0], found[0]), torch.maximum(old[1], found[1])))

        return add

    hooks = [
        module.register_forward_pre_hook(watch(name))
        for name, module in network.named_modules()
        if isinstance(module, nn.Linear) and module.weight.numel() >= LEAST_WEIGHTS
    ]
    try:
        run()
    finally:
        for hook in hooks:
            hook.remove()
    return ranges


def quantise(network: nn.Module, ranges: Mapping[str, Tensor]) -> None:
    """Replace the linear layers that have ranges, in place.

    Raises:
        LookupError: There are none, a name is that of no linear layer, or its ranges have another width or
            are no ranges.
    """
    if not ranges:
        raise LookupError("there are no ranges")
    modules = dict(network.named_modules())
    for name, found in ranges.items():
        linear = modules.get(name)
        if not isinstance(linear, nn.Linear) or found.shape != (2, linear.in_features):
            raise LookupError(f"{name!r} is no linear layer whose inputs have these ranges")
        if not found.isfinite().all() or (found[0] > found[1]).any():
            raise LookupError(f"{name!r} has no finite ranges from the least to the greatest value")
        parent, _, child = name.rpartition(".")
        setattr(modules[parent], child, Int8Linear(linear, found))


def write_ranges(folder: Path, ranges: Mapping[str, Tensor]) -> None:
    """Write the ranges of a model's layers into its folder."""
    from safetensors.torch import save_file

    with atomic_path(folder / RANGES) as temporary:
        save_file({name: found.half() for name, found in ranges.items()}, temporary)
        temporary.chmod(0o644)  # safetensors writes files that only the owner can read


def quantise_by(folder: Path, network: nn.Module, device: str | torch.device) -> str:
    """Replace the layers of ``network`` by the ranges in a model's folder, if they are there and supported.

    Returns:
        Eight hexadecimal digits that depend on ranges and `LAW`; an empty string if nothing was replaced.
    """
    from safetensors.torch import load_file

    path = folder / RANGES
    if not path.is_file() or not is_supported(device):
        return ""
    with reading(path, "are not ranges of this network"):
        quantise(network, load_file(path))
        return hashlib.sha256(LAW.encode() + path.read_bytes()).hexdigest()[:8]
