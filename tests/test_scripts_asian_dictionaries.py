"""CC-CEDICT and JMdict are read (``scripts/asian_dictionaries.py``)."""

import gzip
import sqlite3
from pathlib import Path

import pytest

from tests.support.script_modules import load_script

CEDICT = """\
# CC-CEDICT
安靜 安静 [an1 jing4] /quiet/peaceful; calm/
散步 散步 [san4 bu4] /to take a walk/to walk (for pleasure)/CL:次[ci4]/
馬 马 [Ma3] /surname Ma/
馬 马 [ma3] /horse/(old) tally/
傢俱 家俱 [jia1 ju4] /variant of 家具[jia1 ju4], furniture/
"""

JMDICT = """\
CREATE TABLE Entry (idseq INTEGER); CREATE TABLE Kanji (ID INTEGER, idseq INTEGER, text TEXT);
CREATE TABLE Kana (ID INTEGER, idseq INTEGER, text TEXT); CREATE TABLE Sense (ID INTEGER, idseq INTEGER);
CREATE TABLE KJI (kid INTEGER, text TEXT); CREATE TABLE KJP (kid INTEGER, text TEXT);
CREATE TABLE KNI (kid INTEGER, text TEXT); CREATE TABLE KNP (kid INTEGER, text TEXT);
CREATE TABLE pos (sid INTEGER, text TEXT); CREATE TABLE misc (sid INTEGER, text TEXT);
CREATE TABLE SenseGloss (sid INTEGER, lang TEXT, gend TEXT, text TEXT);
INSERT INTO Entry VALUES (1), (2), (3);
INSERT INTO Kanji VALUES (1, 1, '走る'), (2, 1, '趨る'), (3, 2, '説明');
INSERT INTO Kana VALUES (1, 1, 'はしる'), (2, 2, 'せつめい'), (3, 3, 'かじる');
INSERT INTO KJI VALUES (2, 'word containing out-dated kanji'); INSERT INTO KJP VALUES (1, 'ichi1');
INSERT INTO Sense VALUES (1, 1), (2, 1), (3, 1), (4, 2), (5, 3);
INSERT INTO pos VALUES (1, 'Godan verb with ''ru'' ending'), (2, 'Godan verb with ''ru'' ending'),
    (3, 'Godan verb with ''ru'' ending'), (4, 'noun or participle which takes the aux. verb suru'),
    (5, 'Godan verb with ''ru'' ending');
INSERT INTO misc VALUES (2, 'archaism'), (5, 'word usually written using kana alone');
INSERT INTO SenseGloss VALUES (1, 'eng', '', 'to run'), (2, 'eng', '', 'to lunge'),
    (3, 'eng', '', 'to drive (a car)'), (4, 'eng', '', 'explanation'), (5, 'eng', '', 'to gnaw');
"""


def test_cedict_weighs_early_senses_more_and_has_no_surnames_or_variants(tmp_path: Path) -> None:
    dictionaries = load_script("asian_dictionaries")
    (tmp_path / dictionaries.CEDICT).parent.mkdir(parents=True)
    with gzip.open(tmp_path / dictionaries.CEDICT, "wt", encoding="utf-8") as file:
        file.write(CEDICT)
    read = dictionaries.cedict(tmp_path)
    sure = dictionaries.SURE
    assert {
        (word, kind, text): one.score / sure
        for kind, table in read.translations.items()
        for word, own in table.items()
        for text, one in own.items()
    } == {
        ("安静", "n", "quiet"): pytest.approx(2 / 3),
        ("安静", "n", "peaceful"): pytest.approx(2 / 9),
        ("安静", "n", "calm"): pytest.approx(1 / 9),
        ("散步", "v", "to take a walk"): pytest.approx(2 / 3),
        ("散步", "v", "to walk"): pytest.approx(1 / 3),
        ("马", "n", "horse"): 1.0,
    }
    assert all(one.direct for table in read.translations["n"].values() for one in table.values())
    assert read.actions == {"散步"}
    assert repr(dictionaries.cedict(tmp_path)) == repr(read)  # in the same order, too


def test_jmdict_has_usual_spellings_and_conjugated_forms(tmp_path: Path) -> None:
    dictionaries = load_script("asian_dictionaries")
    database = sqlite3.connect(tmp_path / dictionaries.JMDICT)
    database.executescript(JMDICT)
    database.close()
    read = dictionaries.jmdict(tmp_path)
    sure = dictionaries.SURE
    verbs = {
        word: {text: one.score for text, one in own.items()} for word, own in read.translations["v"].items()
    }
    assert verbs == {
        "走る": {"to run": pytest.approx(sure * 2 / 3), "to drive": pytest.approx(sure / 3)},
        "かじる": {"to gnaw": sure},
    }
    assert read.forms["走っ"] == {"走る": "v"} and read.forms["かじら"] == {"かじる": "v"}
    assert read.common == {"走る"} and read.actions == {"説明"}
    assert repr(dictionaries.jmdict(tmp_path)) == repr(read)


@pytest.mark.parametrize(
    ("word", "name", "text"),
    [
        ("食べる", "Ichidan verb", "食べている"),
        ("見る", "Ichidan verb", "見ない"),
        ("行く", "Godan verb - Iku/Yuku special class", "行った"),
        ("来る", "Kuru verb - special class", "来ます"),
        ("書く", "Godan verb with 'ku' ending", "書いた"),
        ("泳ぐ", "Godan verb with 'gu' ending", "泳いで"),
        ("飲む", "Godan verb with 'mu' ending", "飲んだ"),
        ("赤い", "adjective (keiyoushi)", "赤かった"),
    ],
)
def test_conjugated_words_begin_with_one_of_the_forms(word: str, name: str, text: str) -> None:
    forms = [form for form, _ in load_script("asian_dictionaries").inflected(word, name)]
    assert any(text.startswith(form) for form in forms) and word not in forms


def test_nouns_have_no_forms() -> None:
    assert [*load_script("asian_dictionaries").inflected("猫", "noun (common) (futsuumeishi)")] == []


@pytest.mark.parametrize(
    ("gloss", "expected"),
    [
        ("to throw (e.g. water) at sb", ("to throw at", "v")),
        ("to persuade sb", ("to persuade", "v")),
        ("to be afraid", ("afraid", "adj")),
        ("the sun (of summer)", ("sun", "n")),
        ("(bound form) house", ("house", "n")),
    ],
)
def test_a_translation_is_written_plainly(gloss: str, expected: tuple[str, str]) -> None:
    assert load_script("asian_dictionaries").plain(gloss) == expected
