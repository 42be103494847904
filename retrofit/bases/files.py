"""Find a model's folder, in the hub's local cache or by its path, and check it before loading.

This module neither uses the network nor imports torch.
"""

import re
from pathlib import Path

from amrx.errors import InputError, MissingResourceError, OptionError
from amrx.pretrained.hub import find_cached, pickle_in, refuse_path
from retrofit.bases.table import Asked


def find(asked: Asked) -> Path:
    """Return the folder of a base: the named one, or that of a downloaded hub model."""
    folder = Path(asked.argument)
    if asked.argument and folder.is_dir():
        return folder
    if asked.argument and asked.row.argument == "DIR":
        fetch = f"hf download {asked.row.model} --local-dir {folder}"
        raise MissingResourceError(f"files of {asked.row.model} in {str(folder)!r}", fetch=fetch)
    owner, _, own = asked.row.model.partition("/")
    model_id = asked.argument or own
    refuse_path(model_id)
    full = model_id if "/" in model_id else f"{owner or 'sentence-transformers'}/{model_id}"
    # early models of the hub, such as bert-base-multilingual-cased, may be cached without an owner
    for candidate in dict.fromkeys((full, model_id)):
        if cached := find_cached(candidate):
            return cached
    raise MissingResourceError(
        f"weights of {full}", fetch=f"hf download {full}", local=f"{asked.row.name}:DIR"
    )


def within(pieces: int | None, longest: int, name: str) -> int:
    """Return the maximum length of an input: the chosen one, or the model's.

    Raises:
        OptionError: The model cannot read inputs of the chosen length.
    """
    if pieces is not None and pieces > longest:
        raise OptionError(f"base encoder {name!r} reads at most {longest} pieces, got {pieces}")
    return pieces or longest


def has_weights(folder: Path) -> bool:
    """Return whether a folder holds weights; an interrupted hub download may have none."""
    return any(folder.glob("*.safetensors")) or pickle_in(folder) is not None


def require_safetensors(folder: Path, name: str) -> None:
    """Raise unless the weights of the folder of the model ``name`` are safetensors."""
    if pickle := pickle_in(folder):
        command = _convert_command(folder, name)
        raise InputError(f"weights are pickled; write them as safetensors: {command}", file=pickle)
    if not has_weights(folder):
        fetch = f"hf download ID --local-dir {folder}"
        raise MissingResourceError(f"weights of the model {str(folder)!r}", fetch=fetch)


def _convert_command(folder: Path, name: str) -> str:
    """Return the command that writes pickled weights as safetensors, to a new folder named after ``name``.

    It does not write in place, because the folder may be the hub's cache. transformers reads only arrays from
    the pickle.

    Example:
        >>> _convert_command(Path("cache/bge"), "hf:org/bge").rpartition(" ")[2]
        'hf-org-bge-safetensors'
    """
    into = re.sub(r"[^\w.-]+", "-", name) + "-safetensors"
    both = "(AutoModel, AutoTokenizer)"
    code = f"[auto.from_pretrained({str(folder)!r}).save_pretrained({into!r}) for auto in {both}]"
    return f'python -c "from transformers import AutoModel, AutoTokenizer; {code}" and give the folder {into}'
