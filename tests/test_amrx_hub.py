"""Loading and saving by transformers: what is told, and whose fault it is."""

from pathlib import Path

import pytest
from safetensors import SafetensorError

from amrx.errors import InputError, OutputError
from amrx.pretrained.hub import loading, saving

FULL = "No space left on device"


@pytest.mark.parametrize("error", [OSError(28, FULL), SafetensorError(FULL), Exception(FULL)])
def test_a_full_disk_is_no_fault_of_the_input(error):
    with pytest.raises(OutputError, match=f"^out: cannot be written: {FULL}$"), saving(Path("out")):
        raise error


@pytest.mark.parametrize("error", [InputError("a"), ValueError("a"), KeyboardInterrupt()])
def test_other_errors_are_no_fault_of_the_disk(error):
    with pytest.raises(type(error)), saving(Path("out")):
        raise error


def test_a_full_disk_in_the_way_transformers_meets_it(tmp_path):
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel

    with pytest.raises(OutputError, match="out: cannot be written: "), saving(tmp_path / "out"):
        Tokenizer(WordLevel({"a": 0}, unk_token="a")).save(str(tmp_path / "none" / "tokenizer.json"))


@pytest.mark.parametrize("error", [TypeError("no"), SafetensorError("no"), Exception("no")])
def test_what_cannot_be_loaded_names_the_folder(error):
    with pytest.raises(InputError, match="^base: cannot be loaded by transformers: no$"):
        with loading(Path("base")):
            raise error
