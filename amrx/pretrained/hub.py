"""Find, check, hash, load and save folders of transformers models.

Nothing is downloaded, no code of a model folder is run and no pickle is read: a model is a local folder or a
hub id in the local cache, and its weights are safetensors.
"""

import contextlib
import hashlib
import importlib.util
import json
import os
import pickle
import struct
import warnings
from collections.abc import Iterator
from pathlib import Path

from amrx.errors import InputError, MissingResourceError, OptionError, OutputError
from amrx.records.files import reading

TRAINING, KEY = "training", "run.key"
"""Subfolder of a trained model with the state of its training, not part of the model; a file in it."""
_PICKLES = ("pytorch_model.bin", "model.bin")


_OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")


def go_offline() -> None:
    """Forbid the hub's libraries the network; call it before they are imported.

    amrx itself only uses local files, but a model with its own code might not.
    """
    for name in _OFFLINE:
        os.environ[name] = "1"


def is_offline() -> bool:
    """Return whether the environment forbids one of the hub's libraries the network."""
    return any(os.environ.get(name, "").upper() in ("1", "ON", "YES", "TRUE") for name in _OFFLINE)


def find_model(name: str, *, what: str, local: str) -> Path:
    """Return the folder of a model: ``name`` if it is a folder, else the cached download of that hub id."""
    from huggingface_hub.errors import HFValidationError

    if name and Path(name).is_dir():
        return Path(name)
    refuse_path(name)
    try:
        folder = _cached(name)
    except HFValidationError:
        problem = f"{what} {name!r}: neither a folder nor a valid hub id; give {local}"
        raise OptionError(problem) from None
    if folder is None:
        raise MissingResourceError(f"{what} {name!r}", fetch=f"hf download {name}", local=local)
    return folder


def refuse_path(name: str) -> None:
    """Raise InputError if a name is a path (not a hub id) of a missing folder.

    Example:
        >>> refuse_path("org/model")
        >>> refuse_path("/tmp/none")
        Traceback (most recent call last):
        amrx.errors.InputError: /tmp/none: no such folder
    """
    if name.startswith(("/", "./", "../", "~")):
        raise InputError("no such folder", file=Path(name))


def find_cached(model_id: str) -> Path | None:
    """Return the cached folder of a hub id; ``None`` if it was not downloaded."""
    from huggingface_hub.errors import HFValidationError

    try:
        return _cached(model_id)
    except HFValidationError:
        return None


def _cached(model_id: str) -> Path | None:
    """Return the same as `find_cached`, but raise HFValidationError for an invalid hub id."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model_id, local_files_only=True))
    except LocalEntryNotFoundError:
        return None


def pickle_in(folder: Path) -> Path | None:
    """Return the pickled weights of a folder without safetensors."""
    if any(folder.glob("*.safetensors")):
        return None
    return next((folder / name for name in _PICKLES if (folder / name).is_file()), None)


def model_type(folder: Path) -> str:
    """Return the architecture named in ``config.json``, such as ``bart``."""
    file = folder / "config.json"
    if not file.exists():
        raise InputError("no such file; is this the folder of a transformers model?", file=file)
    with reading(file, "names no model"):
        return str(json.loads(file.read_text("utf-8"))["model_type"])


def check_weights(folder: Path, remedy: str = "convert them to safetensors") -> None:
    """Raise InputError, with ``remedy``, unless the weights in ``folder`` are safetensors."""
    if pickle := pickle_in(folder):
        raise InputError(f"weights are pickled; {remedy}", file=pickle)
    if not any(folder.glob("*.safetensors")):
        raise InputError("no such file", file=folder / "model.safetensors")


def check_sentencepiece(folder: Path) -> None:
    """Raise MissingResourceError if the package for reading mBART-50's own tokenizer is missing."""
    from importlib.util import find_spec

    raw = folder / "sentencepiece.bpe.model"
    if raw.is_file() and not (folder / "tokenizer.json").is_file():
        if find_spec("google") is None or find_spec("google.protobuf") is None:
            raise MissingResourceError(
                f"parts of the extra 'convert' (protobuf, to read {raw})", fetch="pip install protobuf"
            )


def hash_model(folder: Path) -> str:
    """Return 12 hexadecimal digits that depend on every byte of a model's folder or file.

    Only hidden files, pages (``.md``) and the state of a training are left out.
    """
    digest = hashlib.sha256()
    root = folder.parent if folder.is_file() else folder
    for file in [folder] if folder.is_file() else sorted(_files(folder)):
        digest.update(os.fsencode(file.relative_to(root)))
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]


def _files(folder: Path) -> Iterator[Path]:
    """Yield all files below a folder, also behind symbolic links, except the state of a training."""
    seen: set[Path] = set()
    for root, folders, files in os.walk(folder, followlinks=True):
        here = Path(root)
        seen.add(here.resolve())
        state = {TRAINING} if here == folder and (here / TRAINING / KEY).is_file() else set()
        # a link to a folder above would never end
        folders[:] = [
            one
            for one in folders
            if one[0] != "." and one not in state and (here / one).resolve() not in seen
        ]
        named = [one for one in files if one[0] != "." and not one.endswith(".md")]
        yield from (path for path in map(here.joinpath, named) if path.is_file())


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress transformers' progress bars and loading reports."""
    from transformers.utils import logging

    shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()  # transformers leaves it bare
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()


@contextlib.contextmanager
def loading(folder: Path, library: str = "transformers") -> Iterator[None]:
    """Load files of ``folder`` quietly; turn failures of ``library`` into InputError.

    A folder may name a module that an installed package lacks, or hold objects that only pickle restores.
    """
    problem = f"cannot be loaded by {library}"
    try:
        with reading(folder, problem), quiet(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
            yield
    except (ImportError, ArithmeticError, pickle.UnpicklingError, struct.error) as error:
        if isinstance(error, ModuleNotFoundError) and not is_installed(error.name or ""):
            raise
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"{problem}: {reason}", file=folder) from error


def is_installed(module: str) -> bool:
    """Return whether the package of a module is installed, even if it lacks the module.

    Example:
        >>> is_installed("json.nothing"), is_installed("no_such_package.part"), is_installed("")
        (True, False, False)
    """
    package = module.partition(".")[0]
    return bool(package) and importlib.util.find_spec(package) is not None


@contextlib.contextmanager
def saving(folder: Path) -> Iterator[None]:
    """Let transformers write into ``folder`` quietly."""
    from safetensors import SafetensorError

    try:
        with quiet():
            yield
    except Exception as error:
        # tokenizers raises bare Exception
        if not isinstance(error, (OSError, SafetensorError)) and type(error) is not Exception:
            raise
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OutputError(f"{folder}: cannot be written: {reason}") from error


def name_of(model: str | os.PathLike[str]) -> str:
    """Return a name as it is, and a path object as its absolute path, which cannot be a model name."""
    if not isinstance(model, str | os.PathLike):
        raise OptionError(f"a model must be named by a str or a path, got {model!r}")
    return model if isinstance(model, str) else os.path.abspath(model)
