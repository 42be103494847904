"""A Gemma 3 of random weights in llama.cpp's format, blocks of 8 bits among its arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np

WIDTH, FEED, LAYERS, HEADS, HEAD = 64, 32, 2, 2, 32
LETTERS = [*"abcdefghijklmnopqrstuvwxyz.", "th", "the", "▁the", "▁"]
PIECES = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>", *LETTERS]
NORMS = ("attn_norm", "ffn_norm", "post_attention_norm", "post_ffw_norm")


def gemma3(file: Path, *, seed: int = 0, without: str = "") -> Path:
    """Write a file as llama.cpp's converter does: names, order of axes, and norms stored as 1 + weight."""
    import gguf

    writer = gguf.GGUFWriter(file, "gemma3")
    writer.add_context_length(64)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(1)
    writer.add_key_length(HEAD)
    writer.add_value_length(HEAD)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(1e6)
    writer.add_sliding_window(16)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(PIECES)
    writer.add_token_scores([-float(place) for place in range(len(PIECES))])
    writer.add_token_types([3, 3, 3, 2, 3, *[1] * len(LETTERS)])
    writer.add_bos_token_id(2)
    writer.add_eos_token_id(1)
    writer.add_unk_token_id(3)
    writer.add_pad_token_id(0)
    writer.add_add_bos_token(True)
    for name, array in arrays(seed).items():
        if name != without:
            _add(writer, name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file


def arrays(seed: int = 0) -> dict[str, np.ndarray]:
    """The weights by their names in the file, before any is packed."""
    random = np.random.default_rng(seed)

    def matrix(rows: int, columns: int) -> np.ndarray:
        return random.normal(0, columns**-0.5, (rows, columns)).astype(np.float32)

    found = {"token_embd.weight": matrix(len(PIECES), WIDTH)}
    for layer in range(LAYERS):
        found |= {
            f"blk.{layer}.attn_q.weight": matrix(HEADS * HEAD, WIDTH),
            f"blk.{layer}.attn_k.weight": matrix(HEAD, WIDTH),
            f"blk.{layer}.attn_v.weight": matrix(HEAD, WIDTH),
            f"blk.{layer}.attn_output.weight": matrix(WIDTH, HEADS * HEAD),
            f"blk.{layer}.ffn_gate.weight": matrix(FEED, WIDTH),
            f"blk.{layer}.ffn_up.weight": matrix(FEED, WIDTH),
            f"blk.{layer}.ffn_down.weight": matrix(WIDTH, FEED),
        }
        for norm in NORMS:
            found[f"blk.{layer}.{norm}.weight"] = 1 + 0.1 * matrix(1, WIDTH)[0]
        for norm in ("attn_q_norm", "attn_k_norm"):
            found[f"blk.{layer}.{norm}.weight"] = 1 + 0.1 * matrix(1, HEAD)[0]
    found["output_norm.weight"] = 1 + 0.1 * matrix(1, WIDTH)[0]
    return found


def packed(name: str, array: np.ndarray) -> bool:
    """Whether an array is stored in blocks of 8 bits."""
    return array.ndim == 2 and name != "token_embd.weight"


def _add(writer, name: str, array: np.ndarray) -> None:
    import gguf

    if not packed(name, array):
        writer.add_tensor(name, array)
        return
    kind = gguf.GGMLQuantizationType.Q8_0
    writer.add_tensor(name, gguf.quantize(array, kind), raw_dtype=kind)
