"""Rows and their items, read from files that are none."""

import contextlib
import json
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest

from amrx.errors import InputError
from amrx.evaluation.metrics import MEAN_PEARSON
from amrx.evaluation.results.items import items_path, read_items, read_rows


def test_rows_that_are_none_are_named(tmp_path: Path) -> None:
    alone = tmp_path / "alone.json"
    row = {"encoder": "a", "task": "t", "language": "de", "metric": "m", "value": 1.5, "n": 3}

    def changed(field: str, value: object) -> str:
        return json.dumps([row, row | {field: value}])

    for text, message in (
        ("[", r"alone\.json:1: field 'column 2': is not JSON"),
        ("{}", "is not a list of rows"),
        ("[1]", "row 1 is not an object"),
        (100_000 * "[", r"alone\.json: is nested too deep"),
        (json.dumps([{"encoder": "a", "task": "t"}]), "field 'language': row 1: must be a string, got None"),
        (changed("encoder", "\ud83d"), r"field 'encoder': row 2: must be a string, got '\\ud83d'"),
        (changed("value", float("nan")), "field 'value': row 2: must be a finite number, got nan"),
        (changed("value", -math.inf), "field 'value': row 2: must be a finite number, got -inf"),
        (changed("value", 10**400), "field 'value': row 2: must be a finite number, got 10+"),
        (changed("value", True), "field 'value': row 2: must be a finite number, got True"),
        (changed("n", True), "field 'n': row 2: must be a count, got True"),
        (changed("n", -1), "field 'n': row 2: must be a count, got -1"),
        (changed("value", 2), r"alone\.json: row 2 repeats row 1: a t de m"),
    ):
        alone.write_text(text, "utf-8")
        with pytest.raises(InputError, match=message):
            read_rows(alone)


KEY = [["muse", "task", "de", "spearman"]]
NPZ = [
    ({"keys": KEY, "shapes": [[2, 1]]}, "field 'values': is missing"),
    (
        {"keys": [KEY[0][:3]], "shapes": [[2, 1]], "values": [1.0, 0.0]},
        r"'keys': must be of shape \(n, 4\), got \(1, 3\)",
    ),
    ({"keys": KEY, "shapes": [2], "values": [1.0, 0.0]}, r"'shapes': must be of shape \(n, 2\), got \(1,\)"),
    ({"keys": KEY, "shapes": 2, "values": [1.0]}, r"'shapes': must be of shape \(n, 2\), got \(\)"),
    ({"keys": KEY, "shapes": [[2, 1]], "values": ["a", "b"]}, "'values': holds values of type <U1"),
    ({"keys": KEY, "shapes": [[2, 1]], "values": [1.0, None]}, "is damaged"),  # numpy would pickle it
    ({"keys": KEY, "shapes": [[3, 1]], "values": [1.0, 0.0]}, "2 values do not fill its 1 rows"),
    ({"keys": KEY, "shapes": [[-1, -2]], "values": [1.0, 0.0]}, "'muse task de spearman': -1 items of -2"),
    ({"keys": KEY, "shapes": [[0, 2]], "values": np.zeros(0)}, "0 items of 2 columns do not"),
    ({"keys": KEY, "shapes": [[1, 4]], "values": np.ones(4)}, "1 items of 4 columns do not"),
    ({"keys": [[*KEY[0][:3], "frob"]], "shapes": [[1, 2]], "values": np.ones(2)}, "de frob': 1 items of 2"),
    ({"keys": [[*KEY[0][:3], MEAN_PEARSON]], "shapes": [[1, 1]], "values": np.ones(1)}, "1 items of 1 col"),
    (
        {"keys": KEY, "shapes": [[1, 2]], "values": [1.0, np.nan]},
        "spearman': holds an item that is infinite or NaN",
    ),
]


@pytest.mark.parametrize(("arrays", "message"), NPZ)
def test_items_that_are_none_are_named(tmp_path: Path, arrays: dict[str, object], message: str) -> None:
    file = items_path(tmp_path / "a.json")
    np.savez(file, **{name: np.asarray(value) for name, value in arrays.items()})
    with pytest.raises(InputError, match=r"a\.json\.items\.npz: .*" + message) as error:
        read_items(tmp_path / "a.json")
    assert "pickle" not in str(error.value)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(5, "Input/output error"), "cannot be read: Input/output error"),
        (MemoryError("Unable to allocate"), "does not fit into memory, or is damaged: Unable to allocate"),
    ],
)
def test_what_is_no_damage_is_not_told_as_damage(tmp_path, monkeypatch, error, told):
    def refuse(*_: object, **__: object) -> None:
        raise error

    np.savez(items_path(tmp_path / "a.json"), keys=KEY)
    monkeypatch.setattr(np, "load", refuse)
    with pytest.raises(InputError, match=told):
        read_items(tmp_path / "a.json")


def test_damaged_items_are_named(tmp_path: Path) -> None:
    file = items_path(tmp_path / "a.json")
    np.savez(file, keys=KEY, shapes=[[2, 1]], values=[1.0, 0.0])
    whole = file.read_bytes()
    for place in range(0, len(whole), 5):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with contextlib.suppress(InputError):  # of some bytes nothing depends
            read_items(tmp_path / "a.json")
    file.write_bytes(whole[:150] + b"?" + whole[151:])
    with pytest.raises(InputError, match=r"a\.json\.items\.npz: is damaged; run amrx eval --json again"):
        read_items(tmp_path / "a.json")


def test_one_array_is_no_file_of_items(tmp_path: Path) -> None:
    with items_path(tmp_path / "a.json").open("wb") as stream:
        np.save(stream, np.ones(3))
    with pytest.raises(InputError, match="is not a file of arrays"):
        read_items(tmp_path / "a.json")


@pytest.mark.parametrize(
    "header",
    ["{'descr': '<f8', (", "(" * 5000, "{'descr': '<f8'", "\x00", '"""', "{'shape': (1L,", "[" * 300],
)
def test_a_broken_header_in_a_whole_archive_is_damage(tmp_path: Path, header: str) -> None:
    text = header.encode() + b"\n"
    for version in (b"\x01\x00", b"\x02\x00", b"\x03\x00"):
        size = len(text).to_bytes(2 if version == b"\x01\x00" else 4, "little")
        with zipfile.ZipFile(items_path(tmp_path / "a.json"), "w") as archive:
            archive.writestr("keys.npy", b"\x93NUMPY" + version + size + text)
        with pytest.raises(InputError, match=r"a\.json\.items\.npz: (is damaged|does not fit)"):
            read_items(tmp_path / "a.json")
