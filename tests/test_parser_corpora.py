"""parser.training.corpora: the open data, counted, and the guard of reserved texts."""

import gzip
from itertools import islice

import pytest

from amrx.errors import InputError, MissingResourceError
from parser.training.corpora import leakage, parallel, sembanks
from parser.training.corpora.lines import normal_form, read_columns, read_lines
from parser.training.corpora.parallel import Pair
from retrofit.training.student import corpus as english_texts


@pytest.mark.parametrize(
    ("read", "split", "count", "chinese"),
    [(sembanks.lpp, "dev", 145, 145), (sembanks.lpp, "train", 1274, 1274), (sembanks.bio, "dev", 500, 0)],
)
def test_gold_sembanks(data_dir, read, split, count, chinese):
    entries = list(read(data_dir, split))
    assert len(entries) == count
    assert all(entry.snt and entry.graph.triples for entry in entries)
    assert sum(bool(entry.metadata.get("snt_zh")) for entry in entries) == chinese


@pytest.mark.parametrize(("corpus", "count"), [("sts", 1500), ("sick", 500), ("para", 500)])
def test_bamboo_dev(data_dir, corpus, count):
    folder = data_dir / "amr" / "bamboo" / corpus
    pairs = list(sembanks.bamboo_pairs(folder, "dev"))
    assert len(pairs) == count
    if corpus == "sts":
        scores = [line.split("\t")[4] for line in read_lines(folder / "orig.dev.txt")]
        assert [pair.score * 5 for pair in pairs] == pytest.approx([float(y) for y in scores], abs=0.03)
    assert {0.0, 1.0} <= {pair.score for pair in pairs}
    assert all(0 <= pair.score <= 1 for pair in pairs)
    texts = list(sembanks.bamboo_texts(folder, "dev"))
    assert [normal_form(pair.source.snt) for pair in pairs] == [normal_form(first) for first, _ in texts]
    assert [normal_form(pair.target.snt) for pair in pairs] == [normal_form(second) for _, second in texts]
    assert not any(entry.snt in sembanks.FILLERS for pair in pairs for entry in (pair.source, pair.target))


@pytest.mark.parametrize(("corpus", "count"), [("sts", 5749), ("sick", 4500), ("para", 3576)])
def test_bamboo_train_texts(data_dir, corpus, count):
    assert len(list(sembanks.bamboo_texts(data_dir / "amr" / "bamboo" / corpus, "train"))) == count


def test_bamboo_scores_are_those_of_the_table(data_dir):
    """SICK by text: the score of the pair is that of the row with the same sentences, from 1-5 to 0-1."""
    folder = data_dir / "amr" / "bamboo" / "sick"
    rows = [line.split("\t") for line in read_lines(folder / "orig.dev.txt")][1:]
    table = {(normal_form(row[1]), normal_form(row[2])): (float(row[3]) - 1) / 4 for row in rows}
    for pair in sembanks.bamboo_pairs(folder, "dev"):
        texts = (normal_form(pair.source.snt), normal_form(pair.target.snt))
        assert pair.score == pytest.approx(table[texts], abs=0.005)


def test_bamboo_meets_the_translations_row_by_row(data_dir):
    """STS-B in English, as the translations are aligned to it, has BAMBOO's sentences in BAMBOO's order."""
    folder = data_dir / "amr" / "bamboo" / "sts"
    texts = [text for pair in sembanks.bamboo_texts(folder, "train") for text in pair]
    english_side = [pair.english for pair in parallel.stsb(data_dir, ["de"])]
    same = sum(normal_form(a) == normal_form(b) for a, b in zip(texts, english_side, strict=True))
    assert same > 0.999 * len(texts)


def test_sembank_blocks(tmp_path):
    path = tmp_path / "a.amr"
    path.write_text(
        "# a licence\n\n# ::id 1 ::date x\n# ::snt One .\n# ::snt_zh 一\n(a / b\n   :mod (c / d))\n\n\n"
        "# ::snt Empty line\n(e / empty)\n\n(f / g)",
        encoding="utf-8",
    )
    entries = list(sembanks.read_sembank(path))
    assert [entry.snt for entry in entries] == ["One .", ""]
    assert entries[0].metadata == {"id": "1", "date": "x", "snt": "One .", "snt_zh": "一"}
    assert entries[1].graph.triples == [("f", ":instance", "g")]


def test_sembank_faults_are_named(tmp_path):
    path = tmp_path / "a.amr"
    path.write_text("# ::snt x\n(a / b)\n\n# ::snt y\n(a / b :mod (\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.amr:5: is not an AMR graph"):
        list(sembanks.read_sembank(path))
    path.write_bytes(b"# ::snt x\n# caf\xe9\n(a / b)\n")
    with pytest.raises(InputError, match=r"a\.amr:2: is not UTF-8"):
        list(sembanks.read_sembank(path))


def test_bamboo_out_of_step_is_an_error(tmp_path):
    folder = tmp_path / "sts"
    folder.mkdir()
    blocks = ["# ::snt A dog.\n(d / dog)", "# ::snt Empty line\n(l / line)"]
    for side in ("src", "tgt"):
        (folder / f"{side}.dev.amr").write_text("\n\n".join(blocks))
    (folder / "orig.dev.txt").write_text("g\tf\ty\t1\t5.0\tA dog.\tA dog .\n")
    (folder / "dev.y").write_text("1.0\n0.5")
    assert [pair.score for pair in sembanks.bamboo_pairs(folder, "dev")] == [1.0]
    (folder / "dev.y").write_text("1.0\n")
    with pytest.raises(InputError, match="different numbers of rows"):
        list(sembanks.bamboo_pairs(folder, "dev"))
    (folder / "dev.y").write_text("1.0\n0.5")
    (folder / "orig.dev.txt").write_text("g\tf\ty\t1\t5.0\tA cat.\tA dog .\n")
    with pytest.raises(InputError, match=r"dev\.y:1: 'A dog\.' is beside 'A cat\.'"):
        list(sembanks.bamboo_pairs(folder, "dev"))


# rows as they stand, rows that can be translations
@pytest.mark.parametrize(
    ("name", "lang", "rows", "kept"),
    [
        ("stsb", "de", 11498, 10534),
        ("stsb", "zh", 11498, 10521),
        ("wmt-mt", "tr", 8963, 8960),
        ("tatoeba", "ar", 7929, 7927),
        ("pawsx", "es", 4000, 3849),
        ("xnli", "ar", 1660, 1658),
        ("qe", "de", 7000, 6917),
        ("qe", "ro", 7000, 6985),
    ],
)
def test_parallel_sources(data_dir, name, lang, rows, kept):
    source = parallel.SOURCES[name]
    assert lang in source.langs
    pairs = list(source.read(data_dir, [lang]))
    assert len(pairs) == rows
    assert {(pair.lang, pair.source) for pair in pairs} == {(lang, name)}
    assert sum(1 for _ in parallel.sane(pairs)) == pytest.approx(kept, abs=15)


def test_every_source_has_all_its_languages(data_dir):
    for name, source in parallel.SOURCES.items():
        for lang in source.langs:
            assert len(list(islice(source.read(data_dir, [lang]), 5))) == 5, (name, lang)


def test_english_is_the_english_side(data_dir):
    """Common English words stand on the English side of every source, whatever the order of its columns."""
    words = {"the", "a", "of", "in", "to", "is"}
    for name, lang in (("qe", "ro"), ("qe", "de"), ("xnli", "tr"), ("wmt-mt", "de"), ("pawsx", "fr")):
        pairs = list(islice(parallel.SOURCES[name].read(data_dir, [lang]), 300))
        there = sum(bool(words & set(pair.english.lower().split())) for pair in pairs)
        beside = sum(bool(words & set(pair.foreign.lower().split())) for pair in pairs)
        assert there > 0.6 * len(pairs) and beside < 0.6 * there, (name, lang)


def test_tatoeba_has_neither_header_nor_byte_order_mark(data_dir):
    assert next(parallel.tatoeba(data_dir, ["de"]))[:2] == ("Go.", "Geh.")
    assert next(parallel.tatoeba(data_dir, ["zh"]))[:2] == ("Hi.", "嗨。")


def test_halves_of_xnli_share_no_premise(data_dir):
    path = data_dir / "transfer" / "XNLI" / "dev-en.tsv"
    train = list(parallel.xnli_sentences(path, "train"))
    held_out = list(parallel.xnli_sentences(path, "held-out"))
    assert (len(train), len(held_out)) == (1660, 1660)
    assert not set(train[::4]) & set(held_out[::4])
    rows = list(read_columns(path, 3))
    assert {row[0] for row in rows} == set(train[::4]) | set(held_out[::4])


@pytest.mark.parametrize(
    ("english_text", "foreign", "lang", "good"),
    [
        ("The boy wants to go.", "Der Junge will gehen.", "de", True),
        ("The boy wants to go.", "男孩想去。", "zh", True),
        ("Hi.", "Guten Tag!", "de", True),
        ("The boy wants to go.", "The boy wants to go", "de", False),
        ("The boy wants to go to the school over there.", "Ja.", "de", False),
        ("Go.", "NS " * 20, "de", False),
        ("", "x", "de", False),
        ("Wow!", "!!!", "de", False),
    ],
)
def test_sanity(english_text, foreign, lang, good):
    assert parallel.is_sane(Pair(english_text, foreign, lang, "x")) is good


def test_sides_of_unequal_length_are_an_error(tmp_path):
    folder = tmp_path / "parallel" / "multi30k"
    folder.mkdir(parents=True)
    for lang, text in (("en", "one\ntwo\n"), ("de", "eins\n")):
        with gzip.open(folder / f"train.{lang}.gz", "wt") as file:
            file.write(text)
    with pytest.raises(InputError, match=r"train\.de\.gz: must have as many rows"):
        list(parallel.multi30k(tmp_path, ["de"]))


@pytest.fixture(scope="module")
def reserved(data_dir):
    """The guard over the smaller groups (the whole takes half a minute)."""
    names = ("sts17", "stsb", "bamboo", "sembanks", "snli", "xnli-dev", "pawsx", "xcopa", "qe", "multi30k")
    return leakage.Reserved(text for name in names for text in leakage.reserved_texts(data_dir, name))


def test_reserved_texts(data_dir, reserved):
    assert 105_000 < len(reserved) < 145_000
    assert "A MAN with a hard hat is dancing" in reserved  # STS-B dev
    assert "Ein Mann mit einem Schutzhelm tanzt ." in reserved
    assert "A person is on a baseball team." in reserved  # STS17
    assert "The church has cracks in the ceiling." in reserved  # SNLI test
    assert "Onlar kazandı" in reserved  # XCOPA test; it stands in Tatoeba too
    assert "A plane is taking off." not in reserved  # STS-B train
    assert "?!" not in reserved


def test_every_group_is_there(data_dir):
    for name in leakage.RESERVED:
        assert len(list(islice(leakage.reserved_texts(data_dir, name), 20))) == 20, name
    with pytest.raises(MissingResourceError, match="sts17"):
        next(leakage.reserved_texts(data_dir / "sts", "sts17"))


def test_both_dev_and_test_of_stsb_are_reserved(tmp_path):
    for split in ("train", "dev", "test"):
        file = tmp_path / "sts" / "stsb" / "en" / f"{split}.csv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"One {split}.,Two {split}.,3.0\n", "utf-8")
    texts = set(leakage.reserved_texts(tmp_path, "stsb"))
    assert texts == {"One dev.", "Two dev.", "One test.", "Two test."}


def test_training_pairs_leave_out_the_reserved(data_dir, reserved):
    pairs = list(parallel.training_pairs(data_dir, ["de"], reserved, sources=("stsb", "pawsx")))
    counts = {name: sum(pair.source == name for pair in pairs) for name in ("stsb", "pawsx")}
    assert counts["stsb"] == pytest.approx(9968, abs=60)
    # 43 % of PAWS-X dev's English sentences stand in its test set as well
    assert counts["pawsx"] == pytest.approx(2195, abs=60)
    assert not any(pair.english in reserved or pair.foreign in reserved for pair in pairs)


def test_english_only(data_dir, reserved):
    assert sum(1 for _ in english_texts.snli(data_dir)) == 2 * (19995 + 9842)
    assert sum(1 for _ in english_texts.captions(data_dir)) == 6 * 29000
    assert sum(1 for _ in english_texts.bamboo(data_dir)) == 2 * (4500 + 3576)
    texts = list(islice(english_texts.english_only(data_dir, reserved), 4000))
    assert len({normal_form(text) for text in texts}) == len(texts)
    assert not any(text in reserved for text in texts)
