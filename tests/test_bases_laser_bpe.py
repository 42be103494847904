from __future__ import annotations

from pathlib import Path

import pytest

from amrx.errors import InputError
from retrofit.bases.laser.words import read_bpe

# both written by fastBPE 0.1.0: learnbpe 24 and getvocab on five lines of text
CODES = """\
e n</w> 5
t h 4
th e</w> 4
w a 3
h en</w> 3
b o 3
wa n 3
n g 2
t o</w> 2
u ng 2
j ung 2
g e 2
g i 2
g o</w> 2
d i 2
bo y</w> 2
wan t 2
ge hen</w> 2
gi r 2
di e</w> 2
w o 1
w i 1
a u 1
s t</w> 1
"""
VOCABULARY = (
    ". 4|l@@ 4|the 4|s 3|boy 2|c@@ 2|d@@ 2|die 2|en 2|gehen 2|gir@@ 2|go 2|jung@@ 2|l 2|to 2|want@@ 2|(@@ 1|"
    ") 1|, 1|a 1|au@@ 1|bo@@ 1|e 1|e@@ 1|h 1|hen 1|m@@ 1|r 1|st 1|t 1|wan@@ 1|wi@@ 1|wo@@ 1|y@@ 1|ä@@ 1|"
).replace("|", "\n")
SOME = "\n".join(
    line for line in VOCABULARY.split("\n") if not line.startswith(("the ", "en ", "go ", "boy "))
)


def written(folder: Path, codes: str = CODES, vocabulary: str = VOCABULARY) -> tuple[Path, Path]:
    files = (folder / "93langs.fcodes", folder / "93langs.fvocab")
    for file, text in zip(files, (codes, vocabulary), strict=True):
        file.write_text(text, "utf-8")
    return files


# what fastBPE 0.1.0 itself writes (applybpe), run once; so 4,000 lines of four languages with 3,000 merges
@pytest.mark.parametrize(
    ("vocabulary", "text", "expected"),
    [
        (VOCABULARY, "the boys wants gehen", "the bo@@ y@@ s want@@ s gehen"),
        (VOCABULARY, "jungen , mädchen q", "jung@@ en , m@@ ä@@ d@@ c@@ hen q"),
        (VOCABULARY, "aaaa thethe en wen ythe", "a@@ a@@ a@@ a t@@ h@@ e@@ the en w@@ en y@@ the"),
        (SOME, "the boys wants gehen", "t@@ h@@ e bo@@ y@@ s want@@ s gehen"),
        (SOME, "jungen , mädchen q", "jung@@ e@@ n , m@@ ä@@ d@@ c@@ hen q"),
        (SOME, "aaaa thethe wen", "a@@ a@@ a@@ a t@@ h@@ e@@ t@@ h@@ e w@@ e@@ n"),
    ],
)
def test_words_are_cut_as_fastbpe_cuts_them(
    tmp_path: Path, vocabulary: str, text: str, expected: str
) -> None:
    assert read_bpe(*written(tmp_path, vocabulary=vocabulary))(text.split()) == expected.split()


@pytest.mark.parametrize(
    ("merges", "word", "expected"),
    [
        ("a b 2\nb c</w> 1\n", "abc", "ab@@ c"),
        ("b c</w> 2\na b 1\n", "abc", "a@@ bc"),
        ("a a 1\n", "aaaa", "aa@@ a@@ a"),
        ("a a 2\na a</w> 1\n", "aaaa", "aa@@ aa"),
        ("n g 1\n", "ng", "n@@ g"),  # a merge that carries the end of the word is not the one inside
        ("n g 1\n", "nga", "ng@@ a"),
    ],
)
def test_the_merge_learnt_first_goes_first_and_pairs_are_joined_from_the_left(
    tmp_path: Path, merges: str, word: str, expected: str
) -> None:
    pieces = "ab@@ bc a@@ aa@@ aab a b@@ c aa ng@@ n@@ g".split()
    cut = read_bpe(*written(tmp_path, merges, "".join(f"{piece} 1\n" for piece in pieces)))
    assert cut([word]) == expected.split()


@pytest.mark.parametrize(
    ("codes", "vocabulary", "message"),
    [
        (
            "e n</w> 5\nth e\n",
            VOCABULARY,
            r"fcodes:2: 'th e' is not a merge \(left piece, right piece and count",
        ),
        ("e n</w> 5\nt h e 4\n", VOCABULARY, r"fcodes:2: 't h e 4' is not a merge"),
        ("e n</w> five\n", VOCABULARY, r"fcodes:1: 'e n</w> five' is not a merge"),
        ("e n</w> 5\n\n", VOCABULARY, r"fcodes:2: '' is not a merge"),
        ("e n 5\nt h 4\ne n 3\n", VOCABULARY, r"fcodes:3: repeats the merge of line 1"),
        (CODES, "the 4\nboys\n", r"fvocab:2: 'boys' is not a piece and its count"),
        (CODES, "the four\n", r"fvocab:1: 'the four' is not a piece"),
        (CODES, CODES, r"fvocab:1: 'e n</w> 5' is not a piece"),
        (CODES, "", r"fvocab: is empty"),
    ],
)
def test_lines_of_another_kind_are_told(tmp_path: Path, codes: str, vocabulary: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_bpe(*written(tmp_path, codes, vocabulary))


def test_a_missing_file_and_another_encoding_are_told(tmp_path: Path) -> None:
    codes, vocabulary = written(tmp_path)
    codes.write_bytes(b"e n 5\n\xff h 4\n")
    with pytest.raises(InputError, match=r"fcodes:2: is not UTF-8 \(byte 0xff\)"):
        read_bpe(codes, vocabulary)
    codes.unlink()
    with pytest.raises(InputError, match=r"fcodes: no such file"):
        read_bpe(codes, vocabulary)


def test_only_blanks_part_the_fields(tmp_path: Path) -> None:
    cut = read_bpe(*written(tmp_path, "\u2028 a 3\n\u00a0 b</w> 2\n", "\u2028a@@ 4\n\u00a0b 3\r\n"))
    assert cut(["\u2028a\u00a0b"]) == ["\u2028a@@", "\u00a0b"]
