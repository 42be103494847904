"""Define the network of multilingual USE v3: a bag of words and three residual n-gram convolutions.

With ``e`` the embeddings of one sentence, ``LN`` a layer norm, ``x`` the projection and ``*n`` the
convolution over ``n`` neighbouring tokens (zeros beyond the sentence)::

    x      = LN(e P + p)                        (T, 3·256), one third for each n in 2, 3, 5
    h_n    = relu(x_n *n W1_n + b1_n) + x_n     (T, 256)
    c_n    = relu(h_n *n W2_n + b2_n) + h_n     (T, 256)
    f      = LN(e ⊕ c_2 ⊕ c_3 ⊕ c_5)            (T, 1280)   token features
    m      = sum_t(f_t C + c) / sqrt(T)         (512,)
    y      = relu(m p1 + relu(m d0) d1)         (320,)
    s      = tanh(y p3 + relu(y d2) d3) / ‖·‖   (512,)      sentence vector

`amrx.muse.encode` computes many sentence vectors at once, without ``f``.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from amrx.muse.weights import CHUNKS, ORDERS, MuseArrays, find, read_arrays

WIDTH = 512
BRANCH = 256
FEATURES = WIDTH + len(ORDERS) * BRANCH


class MuseModel(nn.Module):
    """Frozen multilingual USE on padded batches; its arrays are buffers that a parent module does not save.

    Args:
        arrays: From ``weights.read_arrays``.
        dtype: Number format of the matrix products. ``torch.bfloat16`` keeps cosine 0.9999 to float32 and is
            several times faster; embeddings, layer norms and outputs are float32 either way.
    """

    table: Tensor
    scale: Tensor
    low: Tensor
    projection: Tensor
    projection_bias: Tensor
    projection_gain: Tensor
    projection_offset: Tensor
    norm_gain: Tensor
    norm_offset: Tensor
    pooling: Tensor
    pooling_bias: Tensor
    d0: Tensor
    p1: Tensor
    d1: Tensor
    d2: Tensor
    p3: Tensor
    d3: Tensor

    def __init__(self, arrays: MuseArrays, dtype: torch.dtype = torch.float32) -> None:
        super().__init__()
        self._keep("table", torch.from_numpy(arrays.table))
        self._keep("scale", torch.from_numpy(arrays.scale))
        self._keep("low", torch.from_numpy(arrays.low))
        weight, bias, gain, offset = arrays.projection
        self._keep("projection", _transposed(weight, dtype))
        self._keep("projection_bias", torch.from_numpy(bias).to(dtype))
        self._keep("projection_gain", torch.from_numpy(gain))
        self._keep("projection_offset", torch.from_numpy(offset))
        for order, (w1, b1, w2, b2) in zip(ORDERS, arrays.convolutions, strict=True):
            self._keep(f"conv{order}_1", _transposed(w1, dtype))
            self._keep(f"conv{order}_1_bias", torch.from_numpy(b1).to(dtype))
            self._keep(f"conv{order}_2", _transposed(w2, dtype))
            self._keep(f"conv{order}_2_bias", torch.from_numpy(b2).to(dtype))
        self._keep("norm_gain", torch.from_numpy(arrays.norm[0]))
        self._keep("norm_offset", torch.from_numpy(arrays.norm[1]))
        self._keep("pooling", _transposed(arrays.pooling[0], dtype))
        self._keep("pooling_bias", torch.from_numpy(arrays.pooling[1]))
        for name, matrix in zip(("d0", "p1", "d1", "d2", "p3", "d3"), arrays.head, strict=True):
            self._keep(name, _transposed(matrix, dtype))
        self.epsilon = arrays.epsilon

    def _keep(self, name: str, tensor: Tensor) -> None:
        self.register_buffer(name, tensor, persistent=False)

    def embed(self, ids: Tensor) -> Tensor:
        """Return the dequantised rows ``(..., 512)`` of ``ids`` ``(...)``."""
        chunk = ids % CHUNKS
        rows = self.table[ids].to(self.scale.dtype)  # (..., 512)
        return torch.addcmul(self.low[chunk, None], rows, self.scale[chunk, None])

    def project(self, ids: Tensor) -> Tensor:
        """Return ``LN(e P + p)`` ``(..., 768)`` of ``ids`` ``(...)``, in the dtype of the convolutions."""
        x = F.linear(self.embed(ids).to(self.projection.dtype), self.projection, self.projection_bias)
        gain, offset = self.projection_gain, self.projection_offset
        x = F.layer_norm(x.to(gain.dtype), gain.shape, gain, offset, self.epsilon)
        return x.to(self.projection.dtype)

    def token_features(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the token features after the last layer norm.

        Args:
            ids: ``(B, T)`` integers; any valid id where ``mask`` is false.
            mask: ``(B, T)`` bool, true at tokens, a prefix of every row.

        Returns:
            Float32 ``(B, T, 1280)``: embedding 512, convolutions 2, 3, 5 of 256 each; zero where masked.
        """
        inside = mask[..., None]  # (B, T, 1)
        x = self.project(ids) * inside  # (B, T, 768)
        parts = [self.embed(ids)]  # (B, T, 512)
        for index, order in enumerate(ORDERS):
            xs = x[..., index * BRANCH : (index + 1) * BRANCH]  # (B, T, 256)
            h = (self._convolve(xs, order, 1) + xs) * inside
            parts.append((self._convolve(h, order, 2) + h).to(self.scale.dtype))
        gain = self.norm_gain
        features = F.layer_norm(torch.cat(parts, dim=-1), gain.shape, gain, self.norm_offset, self.epsilon)
        return features * inside  # (B, T, 1280)

    def _convolve(self, x: Tensor, order: int, stage: int) -> Tensor:
        length, left = x.shape[1], (order - 1) // 2
        padded = F.pad(x, (0, 0, left, order - 1 - left))
        window = torch.cat([padded[:, i : i + length] for i in range(order)], dim=-1)  # (B, T, order*256)
        return self.convolve(window, order, stage)

    def convolve(self, window: Tensor, order: int, stage: int) -> Tensor:
        """Return ``relu(window W + b)`` ``(..., 256)`` for windows ``(..., order * 256)``."""
        name = f"conv{order}_{stage}"
        return F.linear(window, self.get_buffer(name), self.get_buffer(f"{name}_bias")).relu_()

    def shares(self, x: Tensor, order: int) -> Tensor:
        """Return the contributions of tokens ``x (U, 256)`` to the first convolution ``(U, order, 256)``.

        Row ``i`` is for position ``i`` of a window; the position of the token itself includes the bias::

            relu(window W + b) = relu(sum_i shares[token i of the window, i])
        """
        weight = self.get_buffer(f"conv{order}_1").view(BRANCH, order, BRANCH)  # out, place, in
        left = (order - 1) // 2 * BRANCH
        bias = F.pad(self.get_buffer(f"conv{order}_1_bias"), (left, (order - 1) * BRANCH - left))
        return F.linear(x, weight.transpose(0, 1).reshape(-1, BRANCH), bias).view(-1, order, BRANCH)

    def sentence(self, features: Tensor, mask: Tensor) -> Tensor:
        """Return unit vectors ``(B, 512)`` from features ``(B, T, 1280)`` that are zero where masked."""
        return self.from_sums(features.sum(dim=1), mask.sum(dim=1))

    def from_sums(self, sums: Tensor, lengths: Tensor) -> Tensor:
        """Return unit vectors ``(B, 512)`` from sums of token features ``(B, 1280)`` over ``(B,)`` tokens."""
        lengths = lengths[:, None].to(sums.dtype)
        # the sum commutes with the linear map, so the product has one row per sentence
        total = (sums * lengths.rsqrt()).to(self.pooling.dtype)
        m = F.linear(total, self.pooling) + (lengths.sqrt() * self.pooling_bias).to(self.pooling.dtype)
        y = (F.linear(m, self.p1) + F.linear(F.linear(m, self.d0).relu(), self.d1)).relu()  # (B, 320)
        z = F.linear(y, self.p3) + F.linear(F.linear(y, self.d2).relu(), self.d3)  # (B, 512)
        z = z.to(sums.dtype).tanh()
        return z * z.square().sum(dim=1, keepdim=True).clamp_min(self.epsilon).rsqrt()

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return unit sentence vectors ``(B, 512)``."""
        return self.sentence(self.token_features(ids, mask), mask)


def load_model(folder: str | Path | None = None, dtype: torch.dtype = torch.float32) -> MuseModel:
    """Read the weights from ``folder`` or the installed package."""
    return MuseModel(read_arrays(find(folder)), dtype).eval()


def fastest_dtype(device: torch.device) -> torch.dtype:
    """Return bfloat16 if ``device`` multiplies it in hardware, else float32."""
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported(including_emulation=False) else torch.float32
    # older versions of torch cannot report it, and emulated bfloat16 is slower than float32
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    fast = device.type == "cpu" and (known.get("avx512_bf16", False) or known.get("amx_bf16", False))
    return torch.bfloat16 if fast else torch.float32


def _transposed(matrix: npt.NDArray[np.float32], dtype: torch.dtype) -> Tensor:
    return torch.from_numpy(matrix).t().contiguous().to(dtype)
