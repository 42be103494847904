"""Read the published checkpoints of SPRING and XAMR: their keys, and the names of their extra rows.

::

    model.shared.weight (V, d)    rows 0 ... B-1   the tokens of BART-large or mBART-50
                                  rows B ... V-1   AMR's, in the order of three lists and the marks below

Both trainings read the lists from ``data/vocab`` of SPRING's repository: ``predicates.txt`` (a frame and its
count), ``additions.txt``, ``recategorizations.txt``. A checkpoint does not contain them, so they must be
available.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from amrx.errors import InputError

FILES = ("predicates.txt", "additions.txt", "recategorizations.txt")
FETCH = "git clone https://github.com/SapienzaNLP/spring"
POINTERS = tuple(f"<pointer:{number}>" for number in range(512))
# SPRING's own spelling of its special words, including XXX
_MARKS = ("<pointer>", "<stop>", "<lit>", "</lit>", "<backr:src:XXX>", "<backr:trg:XXX>")
_FEWEST = 5  # a frame with a lower count has no row
_SPACE = {"bart": "Ġ", "mbart": "▁"}

_IDLE = re.compile(
    r"model\.decoder\.pointer_[qk]\.(weight|bias)"  # SPRING's pointer network, unused with pointer tokens
    r"|_rev\..*"  # SPRING's reverse direction, from graphs to text
    r"|.*backreferences.*"  # left over in old files; SPRING's own bin/patch_legacy_checkpoint.py deletes them
)
_EMBEDDINGS = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
SHARED = "model.shared.weight"


def is_idle(key: str) -> bool:
    """Return whether the networks do not need a key when pointers are tokens.

    Example:
        >>> is_idle("model.decoder.pointer_q.bias"), is_idle("model.decoder.layers.0.fc1.bias")
        (True, False)
    """
    return _IDLE.fullmatch(key) is not None


def embeddings(keys: Iterable[str]) -> dict[str, str]:
    """Map each embedding table of the model to the key that holds it; missing tables are the shared one.

    Example:
        >>> embeddings(["model.shared.weight"])["lm_head.weight"]
        'model.shared.weight'
    """
    known = set(keys)
    return {name: name if name in known else SHARED for name in _EMBEDDINGS}


def read_lists(folder: Path) -> list[str]:
    """Return the names in the three lists, read as in SPRING and XAMR."""
    names: list[str] = []
    for file in (folder / name for name in FILES):
        try:
            lines = file.read_text("utf-8").strip().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            fault = f"cannot be read: {reason}; --vocab takes the folder data/vocab of SPRING"
            raise InputError(fault, file=file) from None
        for number, line in enumerate(lines, start=1):
            if file.name != "predicates.txt":
                names.append(line)
                continue
            name, _, count = line.partition(" ")
            if not count.strip().isdecimal():
                raise InputError(f"must be a frame and its count, got {line!r}", file=file, line=number)
            if int(count) >= _FEWEST:
                names.append(name)
    return [name for name in names if name]


def new_tokens(names: Iterable[str], known: Iterable[str], kind: str, *, pointers: bool = True) -> list[str]:
    """Return the tokens of the extra rows in order, with a leading space if they begin a word.

    Tokens of the base are left out. For a token listed twice, SPRING on BART uses the last position, XAMR's
    tokenizer of mBART-50 the first.

    Example:
        >>> new_tokens(["a-01", "-of", "b", "a-01"], ["Ġb"], "bart", pointers=False)[:3]
        ['-of', ' a-01', ' <pointer>']
    """
    space, old = _SPACE[kind], set(known)
    listed = [*names, *(POINTERS if pointers else ()), *_MARKS]
    marked = [name if name[0] in "_-" else space + name for name in listed]
    fresh = [name for name in marked if name not in old]
    once = dict.fromkeys(fresh) if kind == "mbart" else reversed(dict.fromkeys(reversed(fresh)))
    return [" " + name[1:] if name.startswith(space) else name for name in once]
