"""Folders of transformers models: find, check, hash, load and save quietly.

Nothing is downloaded, no code from a model's folder is run and no pickle is read: a model is a folder on this
machine, or a hub id that was fetched before, and its weights are safetensors.
"""

from __future__ import annotations

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

_HASHED = (".safetensors", ".json", ".txt", ".model", ".spm", ".gguf")
TRAINING = "training"
"""Subfolder of a trained model where its training keeps checkpoint and log; no part of the model."""
_PICKLES = ("pytorch_model.bin", "model.bin")


_OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE")


def go_offline() -> None:
    """Tell the libraries of the hub not to use the network; call it before they are imported.

    This package only ever looks for what is on the machine; a model with code of its own might do otherwise.
    """
    for name in _OFFLINE:
        os.environ[name] = "1"


def is_offline() -> bool:
    """Tell whether the environment forbids one of the libraries of the hub the network."""
    return any(os.environ.get(name, "").upper() in ("1", "ON", "YES", "TRUE") for name in _OFFLINE)


def find_model(name: str, *, what: str, local: str) -> Path:
    """Return the folder of a model: ``name`` itself when it is one, else what was fetched under that hub id.

    Raises:
        OptionError: There is no such folder, and no hub id is written so.
        MissingResourceError: It is neither; the message names the command that fetches it.
    """
    from huggingface_hub.errors import HFValidationError

    if name and Path(name).is_dir():
        return Path(name)
    try:
        folder = _fetched(name)
    except HFValidationError:
        told = f"{what} {name!r}: no such folder, and no hub id is written so; give {local}"
        raise OptionError(told) from None
    if folder is None:
        raise MissingResourceError(f"{what} {name!r}", fetch=f"hf download {name}", local=local)
    return folder


def find_cached(model_id: str) -> Path | None:
    """Return the folder of a model that was fetched from the hub before; ``None`` if it was not."""
    from huggingface_hub.errors import HFValidationError

    try:
        return _fetched(model_id)
    except HFValidationError:
        return None


def _fetched(model_id: str) -> Path | None:
    """Do as `find_cached` does, but let HFValidationError through where no hub id is written so."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model_id, local_files_only=True))
    except LocalEntryNotFoundError:
        return None


def pickle_in(folder: Path) -> Path | None:
    """Return the pickled weights of a folder that has no others."""
    if any(folder.glob("*.safetensors")):
        return None
    return next((folder / name for name in _PICKLES if (folder / name).is_file()), None)


def model_type(folder: Path) -> str:
    """Return the architecture that ``config.json`` names, such as ``bart``.

    Raises:
        InputError: There is no such file, or it names none.
    """
    file = folder / "config.json"
    if not file.exists():
        raise InputError("no such file; is this the folder of a transformers model?", file=file)
    with reading(file, "names no model"):
        return str(json.loads(file.read_text("utf-8"))["model_type"])


def check_weights(folder: Path, remedy: str = "convert them to safetensors") -> None:
    """Raise InputError unless the weights in ``folder`` are safetensors; it says ``remedy``."""
    if pickle := pickle_in(folder):
        raise InputError(f"weights are pickled; {remedy}", file=pickle)
    if not any(folder.glob("*.safetensors")):
        raise InputError("no such file", file=folder / "model.safetensors")


def check_sentencepiece(folder: Path) -> None:
    """Raise MissingResourceError when transformers lacks what it reads an mBART-50's own tokenizer with."""
    from importlib.util import find_spec

    raw = folder / "sentencepiece.bpe.model"
    if raw.is_file() and not (folder / "tokenizer.json").is_file():
        if find_spec("google") is None or find_spec("google.protobuf") is None:
            raise MissingResourceError(
                f"parts of the extra 'convert' (protobuf, to read {raw})", fetch="pip install protobuf"
            )


def hash_model(folder: Path) -> str:
    """Return 12 hexadecimal digits that change with weights, tokenizer and settings of a folder or file."""
    digest = hashlib.sha256()
    root = folder.parent if folder.is_file() else folder
    for file in [folder] if folder.is_file() else sorted(folder.rglob("*")):
        name = file.relative_to(root)
        if file.suffix in _HASHED and name.parts[0] != TRAINING and file.is_file():
            digest.update(str(name).encode())
            with file.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers from drawing a bar, and a table of the arrays left over, for every model it loads."""
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
    """Load what is in ``folder`` quietly; what ``library`` cannot load is an InputError.

    A folder may name a module that an installed package does not have, or hold what only a pickle reads.

    Raises:
        InputError: It cannot be loaded; names the folder and the reason.
        ModuleNotFoundError: A package that the model needs is not installed.
    """
    told = f"cannot be loaded by {library}"
    try:
        with reading(folder, told), quiet(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
            yield
    except (ImportError, ArithmeticError, pickle.UnpicklingError, struct.error) as error:
        if isinstance(error, ModuleNotFoundError) and not is_installed(error.name or ""):
            raise
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"{told}: {reason}", file=folder) from error


def is_installed(module: str) -> bool:
    """Tell whether the package of a module is installed, which need not have that module.

    Example:
        >>> is_installed("json.nothing"), is_installed("no_such_package.part"), is_installed("")
        (True, False, False)
    """
    package = module.partition(".")[0]
    return bool(package) and importlib.util.find_spec(package) is not None


@contextlib.contextmanager
def saving(folder: Path) -> Iterator[None]:
    """Write what transformers writes into ``folder`` quietly.

    Raises:
        OutputError: It cannot be written, because the disk is full for one; names the folder and the reason.
    """
    from safetensors import SafetensorError

    try:
        with quiet():
            yield
    except Exception as error:
        # tokenizers has no error of its own: it raises Exception itself
        if not isinstance(error, (OSError, SafetensorError)) and type(error) is not Exception:
            raise
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise OutputError(f"{folder}: cannot be written: {reason}") from error
