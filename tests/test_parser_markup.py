"""parser.markup: text out of posts, pages, lists and mails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parser.markup import read_markup


@pytest.mark.parametrize(
    ("text", "read", "notes"),
    [
        ("Tom & Ann", "Tom & Ann", ()),
        ("a < b and c > d, I <3 you", "a < b and c > d, I <3 you", ()),
        ("5 * 3 - 2", "5 * 3 - 2", ()),
        ("He has 2. 3 dogs", "He has 2. 3 dogs", ()),
        ("26. Septembar je dan.", "26. Septembar je dan.", ()),
        ("<p>It is <b>late</b> &amp; dark</p>", "\n\nIt is late & dark\n\n", ("left out HTML tags",)),
        ("A<br/>B&nbsp;C&#33;", "A\n\nB\xa0C!", ("left out HTML tags",)),
        ("<script>x<y</script>Hi <!-- no -->!", " Hi  !", ("left out a script or style, a comment",)),
        ("<script>Hi", "Hi", ("left out HTML tags",)),
        (
            "@tom: #BestEver at https://x.org/#a a@b.de C# &",
            "tom: BestEver at https://x.org/#a a@b.de C# &",
            (),
        ),
        ("1. eggs 2. milk", "\n\neggs \n\nmilk", ()),
        ("- eggs\n- milk", "\n\neggs\n\n\nmilk", ()),
        ("Run ```a<b``` now ```", "Run   now ```", ("left out code",)),
        ("Good 👍🏽 night 👩‍👩‍👧", "Good   night  ", ("left out emoji",)),
        ("Bye.\n-- \nAnn\n555-0100", "Bye.\n", ("left out a signature",)),
        ("--\nAnn sleeps.", "--\nAnn sleeps.", ()),
        ("İİ <script>x</SCRIPT>Ann", "İİ  Ann", ("left out a script or style",)),
        ("İİ ```x``` <!-- x -->Ann", "İİ    Ann", ("left out code, a comment",)),
        ("co\x07ol", "cool", ("left out control characters",)),
        ("Das ist schÃ¶n.", "Das ist schÃ¶n.", ("looks like text that was decoded wrongly",)),
    ],
)
def test_readings(text: str, read: str, notes: tuple[str, ...]):
    made, noted = read_markup(text)
    assert (made.text, noted) == (read, notes)


@given(st.text("ab <>/!-#@&;1.)\n`👍\x07*"))
def test_spans_lead_back(text: str):
    made, _ = read_markup(text)
    spans = made.spans
    if spans is None:
        spans = tuple((place, place + 1) for place in range(len(text)))
    assert len(spans) == len(made.text)
    assert all(
        left[0] <= right[0] and left[1] <= right[1] for left, right in zip(spans, spans[1:], strict=False)
    )
    for sign, (start, end) in zip(made.text, spans, strict=True):
        assert end - start > 1 or text[start] == sign or not sign.strip() or text[start] in "&<>"
