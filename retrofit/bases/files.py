"""Find a model's folder, in the local cache of the hub or by its path, and look at it before anything loads.

Nothing here touches the network or imports torch.
"""

import re
from pathlib import Path

from amrx.errors import InputError, MissingResourceError
from amrx.pretrained.hub import find_cached, pickle_in
from retrofit.bases.table import Asked


def find(asked: Asked) -> Path:
    """Return the folder of a base: the one named, or that of a hub model fetched before."""
    folder = Path(asked.argument)
    if asked.argument and folder.is_dir():
        return folder
    if asked.argument and asked.row.argument == "DIR":
        fetch = f"hf download {asked.row.model} --local-dir {folder}"
        raise MissingResourceError(f"files of {asked.row.model} in {str(folder)!r}", fetch=fetch)
    owner, _, own = asked.row.model.partition("/")
    return find_in_cache(asked.argument or own, owner or "sentence-transformers", f"{asked.row.name}:DIR")


def find_in_cache(model_id: str, owner: str, local: str) -> Path:
    """Return the folder of a model fetched before; ``NAME`` means ``OWNER/NAME``."""
    full = model_id if "/" in model_id else f"{owner}/{model_id}"
    # the hub's first models, such as bert-base-multilingual-cased, were fetched and cached without an owner
    for candidate in dict.fromkeys((full, model_id)):
        if folder := find_cached(candidate):
            return folder
    raise MissingResourceError(f"weights of {full}", fetch=f"hf download {full}", local=local)


def has_weights(folder: Path) -> bool:
    """Tell whether a folder holds weights at all; a hub download that was cut short may not."""
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
    """Return the command that writes pickled weights as safetensors, into a new folder called after ``name``.

    Not in place, for that may be the hub's cache. transformers reads arrays alone from the pickle.

    Example:
        >>> _convert_command(Path("cache/bge"), "hf:org/bge").rpartition(" ")[2]
        'hf-org-bge-safetensors'
    """
    into = re.sub(r"[^\w.-]+", "-", name) + "-safetensors"
    both = "(AutoModel, AutoTokenizer)"
    code = f"[auto.from_pretrained({str(folder)!r}).save_pretrained({into!r}) for auto in {both}]"
    return f'python -c "from transformers import AutoModel, AutoTokenizer; {code}" and give the folder {into}'
