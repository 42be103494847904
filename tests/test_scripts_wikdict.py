"""Dictionaries are read, turned and chained (``scripts/wikdict.py``)."""

import gzip
from pathlib import Path

import pytest

from tests.support.script_modules import load_script


def write(folder: Path, pair: str, text: str) -> None:
    with gzip.open(folder / f"freedict-{pair}.dict.dz", "wt", encoding="utf-8") as file:
        file.write(text)


def test_translations_are_chained_through_other_languages(tmp_path: Path) -> None:
    wikdict = load_script("wikdict")
    header = "deu-spa FreeDict dictionary\nLicence\n"
    write(
        tmp_path, "deu-spa", f"{header}Keller /ˈkɛlɐ/ <n, masc>\n1. sótano, cueva\nunter dem Haus\n2. bajo\n"
    )
    write(
        tmp_path, "deu-swe", f"{header}Keller <n, masc>\nkällare\nlaufen /x/ <v>\nspringa\nrot <adj>\nröd\n"
    )
    write(tmp_path, "eng-swe", f"{header}cellar //ˈsɛlə(ɹ)// <n>\nkällare (hus)\nA room.\n")
    write(tmp_path, "eng-spa", f"{header}basement <n>\nsótano\ncave <n>\ncueva\n")
    found = wikdict.translate(tmp_path, "de", "n")
    assert found == {
        "keller": {
            "cellar": (pytest.approx(1.0), 1, False),
            "basement": (pytest.approx(0.25), 1, False),  # one of two translations of one of two senses
            "cave": (pytest.approx(0.25), 1, False),
        }
    }
    swedish = wikdict.translate(tmp_path, "sv", "n")["källare"]["cellar"]
    assert swedish == (pytest.approx(wikdict.DIRECT), 1, True)
    assert wikdict.other_words(tmp_path, "de", ("n", "pn")) == {"laufen", "rot"}
    assert wikdict.translating_words(tmp_path, "sv", ("n",)) == {"springa", "röd"}
    assert wikdict.translating_words(tmp_path, "de", ("n",)) == set()


def test_american_spellings_are_written_if_only_they_are_known() -> None:
    american = load_script("wikdict").american
    known = {"color", "theater", "dialog", "analyze", "organize", "gray", "story", "hour", "advise"}
    words = "colour theatre dialogue analyse organise grey storey hour advise tour".split()
    right = "color theater dialog analyze organize gray story hour advise tour".split()
    assert [american(word, known) for word in words] == right
