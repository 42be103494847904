"""Files of translations: shards, resuming, what went wrong in a row."""

from pathlib import Path

import pytest

from amrx.errors import InputError, OptionError, OutputError
from amrx.translate.files import translate_file
from tests.support import tiny_marian as tiny
from tests.support.fake_translator import Fake


def test_a_killed_run_goes_on_at_the_first_shard_that_is_not_there(tmp_path: Path):
    source = tmp_path / "s.txt"
    source.write_text("".join(f"row {number}\n" for number in range(7)))
    whole = list(translate_file(source, tmp_path / "a", ["de", "fr"], Fake(), shard_size=3))
    assert [(told.lang, told.rows, told.before) for told in whole] == [("de", 7, 0), ("fr", 7, 0)]
    assert tiny.lines(tmp_path / "a")["fr/00002.jsonl"] == [
        {"id": "7", "text": "ROW 6", "lang": "fr", "flags": ["another-language"]}
    ]
    with pytest.raises(KeyboardInterrupt):
        list(translate_file(source, tmp_path / "b", ["de", "fr"], Fake("row 3"), shard_size=3))
    assert list(tiny.lines(tmp_path / "b")) == ["de/00000.jsonl"]
    again = Fake()
    told = list(translate_file(source, tmp_path / "b", ["de", "fr"], again, shard_size=3))
    rows = [f"row {number}" for number in range(7)]
    assert again.seen == [*rows[3:], "forgot de", *rows, "forgot fr"]
    assert told[0].before == 3
    assert str(told[0]).startswith("de: 7 rows (3 of an earlier run), 0 empty, 7 another language, 0 cut, ")
    assert tiny.lines(tmp_path / "b") == tiny.lines(tmp_path / "a")
    assert not [file for file in tmp_path.rglob(".*")]


def test_rows_keep_their_columns_and_tell_what_went_wrong(tmp_path: Path):
    source = tmp_path / "nli.csv"
    source.write_text('premise,hypothesis,label\n"long",nothing,0\nDer Junge möchte gehen,,1\n')
    [told] = translate_file(source, tmp_path / "a", ["de"], Fake())
    assert tiny.lines(tmp_path / "a")["de/00000.jsonl"] == [
        {"premise": "LONG", "hypothesis": "", "label": "0", "lang": "de"}
        | {"flags": ["another-language", "cut", "empty"]},
        {"premise": "DER JUNGE MÖCHTE GEHEN", "hypothesis": "", "label": "1", "lang": "de"},
    ]
    assert (told.flags["empty"], told.flags["cut"], told.flags["another-language"]) == (1, 1, 1)
    [told] = translate_file(source, tmp_path / "b", ["de"], Fake(), columns=["label"])
    assert tiny.lines(tmp_path / "b")["de/00000.jsonl"][0]["premise"] == "long"


def test_flags_of_an_earlier_translation_are_not_those_of_this_one(tmp_path: Path):
    source = tmp_path / "s.jsonl"
    rows = ['{"text": "Der Junge möchte gehen", "flags": ["cut"]}', '{"text": "long", "flags": ["empty"]}']
    source.write_text("\n".join(rows))
    [told] = translate_file(source, tmp_path / "a", ["de"], Fake())
    assert tiny.lines(tmp_path / "a")["de/00000.jsonl"] == [
        {"text": "DER JUNGE MÖCHTE GEHEN", "lang": "de"},
        {"text": "LONG", "lang": "de", "flags": ["another-language", "cut"]},
    ]
    assert told.flags == {"another-language": 1, "cut": 1}


@pytest.mark.parametrize("flags", ['"ok"', "null", '["cut", "mine"]', '[["cut"]]'])
def test_another_column_of_flags_is_refused(tmp_path: Path, flags: str):
    (tmp_path / "s.jsonl").write_text('{"text": "a"}\n{"text": "b", "flags": ' + flags + "}\n")
    with pytest.raises(InputError, match=r"s\.jsonl:2: field 'flags': flags must be .* rename the column"):
        list(translate_file(tmp_path / "s.jsonl", tmp_path / "out", ["de"], Fake()))
    assert not (tmp_path / "out").exists()


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path):
    source = tmp_path / "s.txt"
    source.write_text("a\n")

    def run(out="a", targets=("de",), **options):
        return list(translate_file(source, tmp_path / out, list(targets), Fake(), **options))

    run()
    with pytest.raises(OptionError, match="a translation of another shard_size"):
        run(shard_size=2)
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    with pytest.raises(OptionError, match="de holds a translation of another model"):
        list(translate_file(source, tmp_path / "a", ["de"], Fake(folder=tmp_path / "model")))
    (tmp_path / "a" / "de" / "model.json").write_text("[3]")
    with pytest.raises(InputError, match=r"model\.json: is not a plan"):
        run()
    source.write_text("b\n")
    with pytest.raises(OptionError, match="a translation of another input"):
        run()
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "mine").touch()
    with pytest.raises(OutputError, match="is not empty"):
        run("c")
    with pytest.raises(OptionError, match="must be different, and not 'en'"):
        run("d", ["de", "en"])
    (tmp_path / "e" / "de").mkdir(parents=True)
    (tmp_path / "e" / "de" / "00000.jsonl").write_text('{"text": "mine"}\n')
    with pytest.raises(OptionError, match="is in the folder of its translation"):
        list(translate_file(tmp_path / "e" / "de" / "00000.jsonl", tmp_path / "e", ["de"], Fake()))
    with pytest.raises(OptionError, match="'german' is not in ISO"):
        run("d", ["german"])
    with pytest.raises(OptionError, match="standard input"):
        list(translate_file(Path("-"), tmp_path / "d", ["de"], Fake()))
    (tmp_path / "e.csv").write_text("text\n")
    with pytest.raises(InputError, match="has no rows"):
        list(translate_file(tmp_path / "e.csv", tmp_path / "d", ["de"], Fake()))
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(
    ("name", "text", "columns", "told"),
    [
        ("s.tsv", "a\tb\nx\ty\n", (), r"s\.tsv:1: no column 'text' or another usual one.*a, b"),
        ("s.tsv", "a\tb\nx\ty\n", ("c",), r"s\.tsv:1: no column 'c'; the columns are: a, b"),
        ("s.tsv", "text\tb\nx\ty\n\tz\n", ("b", "4"), "no column '4'"),
        ("s.csv", "a,text\nx\n", (), r"s\.csv:2: field 'text': the row is too short"),
        ("s.csv", 'text\n"x\n', (), r"s\.csv:2: "),
        ("s.jsonl", '{"text": 3}\n', (), r"s\.jsonl:1: field 'text': must be a string, got 3"),
        ("s.txt", "a\n", ("text",), "has no columns"),
        ("s.amr", "(a / b)\n", (), "holds graphs"),
    ],
)
def test_bad_rows(tmp_path: Path, name: str, text: str, columns, told: str):
    (tmp_path / name).write_text(text)
    with pytest.raises((InputError, OptionError), match=told):
        list(translate_file(tmp_path / name, tmp_path / "out", ["de"], Fake(), columns=columns))
    assert not (tmp_path / "out").exists()


def test_columns_by_position(tmp_path: Path):
    (tmp_path / "s.tsv").write_text("x\tone\ny\ttwo\n")
    list(translate_file(tmp_path / "s.tsv", tmp_path / "out", ["de"], Fake(), columns=["2"]))
    assert [row["2"] for row in tiny.lines(tmp_path / "out")["de/00000.jsonl"]] == ["ONE", "TWO"]
