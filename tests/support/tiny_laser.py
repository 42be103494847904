"""A tiny random checkpoint of LASER, with its real keys, and its network written out step by step."""

from __future__ import annotations

import numpy as np

LAYERS, EMBEDDING, HIDDEN = 5, 6, 4


def tiny_checkpoint(dictionary: dict[str, int]) -> dict:
    """What ``torch.save`` gets: five layers of two directions, random numbers."""
    import torch

    generator = torch.Generator().manual_seed(0)
    arrays = {"embed_tokens.weight": torch.randn(len(dictionary), EMBEDDING, generator=generator)}
    for layer in range(LAYERS):
        inside = EMBEDDING if layer == 0 else 2 * HIDDEN
        for end in (f"l{layer}", f"l{layer}_reverse"):
            arrays[f"lstm.weight_ih_{end}"] = torch.randn(4 * HIDDEN, inside, generator=generator)
            arrays[f"lstm.weight_hh_{end}"] = torch.randn(4 * HIDDEN, HIDDEN, generator=generator)
            arrays[f"lstm.bias_ih_{end}"] = torch.randn(4 * HIDDEN, generator=generator)
            arrays[f"lstm.bias_hh_{end}"] = torch.randn(4 * HIDDEN, generator=generator)
    params = {
        "num_embeddings": len(dictionary), "padding_idx": 1, "embed_dim": EMBEDDING, "hidden_size": HIDDEN,
        "num_layers": LAYERS, "bidirectional": True, "left_pad": True, "padding_value": 0.0,
    }  # fmt: skip
    return {"params": params, "model": arrays, "dictionary": dictionary}


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def lstm(states: np.ndarray, arrays: dict[str, np.ndarray], end: str) -> np.ndarray:
    """One direction of one layer, step by step: gates in the order in, forget, new, out."""
    hidden, cell, out = np.zeros(HIDDEN), np.zeros(HIDDEN), []
    for state in states:
        gates = arrays[f"lstm.weight_ih_{end}"] @ state + arrays[f"lstm.bias_ih_{end}"]
        gates = gates + arrays[f"lstm.weight_hh_{end}"] @ hidden + arrays[f"lstm.bias_hh_{end}"]
        enter, forget, new, leave = gates.reshape(4, HIDDEN)
        cell = sigmoid(forget) * cell + sigmoid(enter) * np.tanh(new)
        hidden = sigmoid(leave) * np.tanh(cell)
        out.append(hidden)
    return np.stack(out)


def written_out(found: dict, ids: list[int]) -> np.ndarray:
    arrays = {name: array.numpy().astype(np.float64) for name, array in found["model"].items()}
    states = arrays["embed_tokens.weight"][ids]
    for layer in range(LAYERS):
        forwards = lstm(states, arrays, f"l{layer}")
        backwards = lstm(states[::-1], arrays, f"l{layer}_reverse")[::-1]
        states = np.concatenate([forwards, backwards], axis=1)
    return np.array([max(states[:, column]) for column in range(2 * HIDDEN)])
