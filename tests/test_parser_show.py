import base64
import hashlib
import io
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import penman
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from amrx.cli import main
from amrx.errors import InputError
from amrx.types import Parse
from parser.draw.layout import folded_names, layout
from parser.draw.page import Group, Table, page
from parser.draw.svg import draw, picture
from parser.draw.terminal import tree
from parser.graphs.matching import groups

BOY = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
SVG = "{http://www.w3.org/2000/svg}"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NASTY = '<script>alert("1")</script> & </svg>'


def parse(text: str = BOY, sentence: str = "Der Junge will gehen.", **fields: object) -> Parse:
    return Parse("1", sentence, "de", penman.decode(text), **fields)  # type: ignore[arg-type]


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(svg).iter(f"{SVG}text")]


def without_names(graph: penman.Graph) -> penman.Graph:
    """The graph as it stands in the picture where names are folded."""
    folded = {triple for name in folded_names(graph).values() for triple in name.triples}
    return penman.Graph([triple for triple in graph.triples if triple not in folded], top=graph.top)


def inner(svg: str) -> list[tuple[float, float, float]]:
    """Left, right and top of every role plate and box."""
    places = []
    for rect in ET.fromstring(svg).iter(f"{SVG}rect"):
        x, width, y = (float(rect.attrib[name]) for name in ("x", "width", "y"))
        places.append((x, x + width, y))
    return places


def test_svg_holds_every_concept_role_and_constant(amr: penman.Graph) -> None:
    shown = texts(draw(Parse("1", "", "en", amr)))
    if names := folded_names(amr):
        amr = without_names(amr)
        assert names.keys() == {"c"} and 'city "New York"' in shown
        shown[shown.index('city "New York"')] = "city"
    tree_roles = [role for role, _ in penman.layout.configure(amr).nodes()[0][1] if role != "/"]
    assert set(tree_roles) <= set(shown)
    for _, _, concept in amr.instances():
        assert str(concept) in shown
    for _, _, value in amr.attributes():
        assert str(value) in shown
    # one text a node, a role and a constant: nothing twice, nothing lost
    assert len(shown) == len(amr.instances()) + 2 * len(amr.attributes()) + len(amr.edges())


def test_every_role_is_drawn_as_written() -> None:
    shown = texts(draw(parse("(p / person :ARG0-of (t / teach-01 :polarity -) :mod (g / good))")))
    assert [role for role in shown if role.startswith(":")] == [":ARG0-of", ":polarity", ":mod"]


def test_reentrant_edge_is_dashed_and_leads_to_its_node() -> None:
    svg = draw(parse())
    again = [p for p in ET.fromstring(svg).iter(f"{SVG}path") if p.attrib["class"] == "edge again"]
    assert len(again) == 1
    assert "stroke-dasharray" in svg
    end_x, end_y = (float(number) for number in again[0].attrib["d"].rpartition("L")[2].split())
    left, right = next(
        (float(r.attrib["x"]), float(r.attrib["x"]) + float(r.attrib["width"]))
        for r in ET.fromstring(svg).iter(f"{SVG}rect")
        if r.attrib["class"] == "thing"
    )
    assert left <= end_x <= right and end_y > 0
    assert "edge again" not in draw(parse("(w / want-01 :ARG0 (b / boy))"))


@pytest.mark.parametrize(
    "text",
    [
        "(a / alpha :ARG0 (b / beta-01 :ARG1 a :ARG2 (c / gamma :mod b :mod c)))",
        "(a / and :op1 (s / sing-01 :ARG0 (m / man)) :op2 (d / dance-01 :ARG0 m))",
        "(a / and :op1 (d / dance-01 :ARG0 (m / man :mod (o / old))) :op2 (s / say-01 :ARG1 m))",
    ],
)
def test_arrows_of_every_direction_stay_on_the_canvas(text: str) -> None:
    drawing = picture(parse(text), standalone=True)
    root = ET.fromstring(drawing.svg)
    left, top, width, height = (float(number) for number in root.attrib["viewBox"].split())
    assert (drawing.width, drawing.height) == (width, height)
    for path in root.iter(f"{SVG}path"):
        numbers = [float(n) for n in path.attrib["d"].translate(str.maketrans("MCLQZ", "     ")).split()]
        assert all(left - 60 <= x <= left + width + 60 for x in numbers[::2])
        assert all(top <= y <= top + height for y in numbers[1::2])


def test_boxes_and_labels_of_a_row_never_overlap(data_dir: Path) -> None:
    with (data_dir / "amr" / "lpp" / "dev.amr").open(encoding="utf-8") as stream:
        graphs = list(penman.iterdecode(stream))
    assert len(graphs) > 100
    for graph in graphs:
        rows: dict[float, list[tuple[float, float]]] = {}
        for left, right, y in inner(draw(Parse("1", "", "en", graph))):
            rows.setdefault(y, []).append((left, right))
        for spans in rows.values():
            spans.sort()
            assert all(one[1] <= two[0] for one, two in zip(spans, spans[1:], strict=False))


def test_aligned_words_stand_below_their_concept() -> None:
    shown = texts(draw(parse(alignments={"b": (4, 9), "w": (10, 14)})))
    assert shown[shown.index("boy") + 1] == "Junge"
    assert shown[shown.index("want-01") + 1] == "will"
    assert "Junge" not in texts(draw(parse()))


CITY = '(c / city :name (n / name :op2 "York" :op1 "New"))'


def test_a_name_stands_in_the_box_of_its_node_with_its_words() -> None:
    shown = texts(draw(Parse("1", "New York", "en", penman.decode(CITY), alignments={"n": (0, 8)})))
    assert shown == ['city "New York"', "New York"]


@pytest.mark.parametrize(
    "text",
    [
        '(n / name :op1 "York" :name-of (c / city))',
        '(s / say-01 :ARG0 (c / city :name (n / name :op1 "York")) :ARG1 n)',
        '(c / city :name (n / name :op1 "York" :mod (o / old)))',
        '(c / city :name (n / name :op1 "York" :quant 3))',
        '(c / city :name (n / nickname :op1 "York"))',
        "(c / city :name (n / name))",
    ],
)
def test_a_name_that_is_more_than_a_name_is_drawn(text: str) -> None:
    shown = texts(draw(parse(text)))
    assert "city" in shown and ("name" in shown or "nickname" in shown)


def test_of_two_names_the_second_is_drawn() -> None:
    shown = texts(draw(parse('(c / city :name (n / name :op1 "A") :name (m / name :op1 "B"))')))
    assert 'city "A"' in shown and '"B"' in shown and '"A"' not in shown


@settings(max_examples=50)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30))
def test_any_sentence_and_string_gives_wellformed_xml(text: str) -> None:
    quoted = '"' + text.replace("\\", "").replace('"', "") + '"'
    graph = penman.Graph([("a", ":instance", "b"), ("a", ":op1", quoted)])
    svg = draw(Parse("1", text, "en", graph))
    assert quoted in texts(svg)


def test_markup_in_a_sentence_is_text() -> None:
    html = page(
        [Group(NASTY, [parse(sentence=NASTY)], NASTY)], [Table(NASTY, [NASTY], [[NASTY]], NASTY)], title=NASTY
    )
    assert "<script" not in html
    assert html.count("&lt;script&gt;") >= 8
    assert html.count("</svg>") == 1


def test_drawing_is_deterministic() -> None:
    group = [Group("one", [parse(), parse()])]
    assert draw(parse()) == draw(parse())
    assert page(group) == page(group)


def test_page_needs_no_network_and_says_which_graphs_are_equal() -> None:
    other = parse("(w / want-01 :ARG1 (b / boy))", status="repaired", repairs=("closed 1 bracket",))
    html = page(
        [Group("want", [parse(), parse(), other])], [Table("T", ["", "a"], [["x", 0.5], ["y", None]])]
    )
    assert "http" not in html.replace("http-equiv", "")
    assert html.count("A ×2") == 2 and "B ×" not in html
    assert html.count('class="tag repaired"') == 1 and "closed 1 bracket" in html
    assert "--v:50.0%" in html and "<td>–</td>" in html
    assert "prefers-color-scheme:dark" in html


def test_every_graph_has_its_id_and_an_anchor_that_is_its_own() -> None:
    ids = ["a b", "a_b", "a_b-2", "", 'x"y', "日本"]
    html = page([Group("", [replace(parse(), id=name) for name in ids])])
    anchors = re.findall(r'<article class="card" id="([^"]+)"', html)
    assert anchors == ["a_b", "a_b-2", "a_b-2-2", "4", "x&quot;y", "日本"]
    links = re.findall(r'<li><a href="#([^"]+)"', html)
    assert [unquote(link) for link in links] == [unescape(anchor) for anchor in anchors]
    assert [unescape(shown) for shown in re.findall(r"<b>([^<]*)</b>", html)] == [*ids[:3], "4", *ids[4:]]


def test_only_the_script_of_the_page_may_run() -> None:
    html = page([Group("", [parse(sentence=NASTY), replace(parse(), id=NASTY)])])
    assert html.count("<script") == 1
    script = html.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'\"" in html


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("GO-02", ["0"]),
        ("junge hund", ["1"]),
        ("strasse", ["2"]),
        ("cafe", ["3"]),
        ("nothing", []),
        (" ", list("0123")),
    ],
)
def test_the_search_box_leaves_the_graphs_that_have_all_words(query, ids, tmp_path):
    shown = [
        ("Geht.", BOY),
        ("Junge mit Hund.", "(b / boy)"),
        ("Strasse.", "(s / street)"),
        ("Café.", "(c / cafe)"),
    ]
    html = page(
        [
            Group(str(i), [Parse(str(i), *(text, "de"), penman.decode(amr))])
            for i, (text, amr) in enumerate(shown)
        ]
    )
    # the page's policy would not run a second script
    html = re.sub(r"<meta http-equiv[^>]*>", "", html).replace(
        "</body>", f"<script>box.value = {query!r}; search();</script></body>"
    )
    dom = opened(tmp_path / "p.html", html)
    assert re.findall(r'<article class="card" id="(\d)" style="[^"]*">', dom) == ids
    assert dom.count('<section class="group">') == len(ids)
    assert f"{len(ids)} of 4 graphs" in dom


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_the_policy_lets_the_search_run(tmp_path: Path) -> None:
    dom = opened(tmp_path / "p.html", page([Group("", [parse(), parse()])]))
    assert re.search(r'<input type="search"(?! hidden)', dom)


def opened(file: Path, html: str) -> str:
    """The document that Chromium makes of the page."""
    file.write_text(html, encoding="utf-8")
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += [f"--user-data-dir={file.parent / 'profile'}", file.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_comments_over_a_graph_stay_out_of_the_page() -> None:
    html = page([Group("", [parse("# ::annotator someone\n" + BOY)])])
    assert "annotator" not in html and ":ARG1 (g / go-02" in html


def test_arabic_reads_from_the_right() -> None:
    html = page([Group("", [Parse("1", "يريد الولد أن يذهب.", "ar", penman.decode(BOY))])])
    assert '<p lang="ar" dir="rtl">' in html


def test_unconnected_graph_is_an_input_error() -> None:
    graph = penman.Graph([("a", ":instance", "b"), ("c", ":instance", "d")], top="a")
    with pytest.raises(InputError, match="disconnected"):
        draw(Parse("1", "", "en", graph))


def test_a_node_with_two_concepts_is_an_input_error() -> None:
    graph = penman.Graph([("d", ":instance", "dog"), ("d", ":instance", "cat")], top="d")
    with pytest.raises(InputError, match="node 'd' has two concepts: 'dog' and 'cat'"):
        draw(Parse("1", "", "en", graph))


def test_alignment_markers_are_no_part_of_a_concept() -> None:
    assert texts(draw(parse('(b / boy~e.1 :op1~e.2 "a"~e.3)'))) == [":op1", "boy", '"a"']


def test_parent_stands_above_the_middle_of_its_children() -> None:
    root = layout(penman.decode("(a / a :op1 (b / b) :op2 (c / c) :op3 (d / d))"), {})
    assert root.x == (root.children[0].x + root.children[2].x) / 2
    assert [child.row for child in root.children] == [1, 1, 1]


def test_terminal_tree_names_the_node_met_again() -> None:
    console = Console(width=60, file=io.StringIO())
    console.print(tree(penman.decode(BOY)))
    assert console.file.getvalue().split("\n")[:4] == [  # type: ignore[attr-defined]
        "want-01".ljust(7),
        "├── :ARG0 boy",
        "└── :ARG1 go-02",
        "    └── :ARG0 ↑ boy",
    ]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("(x / want-01 :ARG1 (z / go-02 :ARG0 (y / boy)) :ARG0 y)", True),
        ("(x / want-01 :ARG0 (y / boy) :ARG1 (z / go-02 :ARG0 (q / boy)))", False),
        ("(x / want-01 :ARG1 (y / boy) :ARG0 (z / go-02 :ARG0 y))", False),
        ("(y / boy :ARG0-of (x / want-01 :ARG1 (z / go-02 :ARG0 y)))", False),
        ("(x / want-01 :polarity - :ARG0 (y / boy) :ARG1 (z / go-02 :ARG0 y))", False),
    ],
)
def test_groups_ignore_names_and_order_alone(other: str, same: bool) -> None:
    assert (groups([penman.decode(BOY), penman.decode(other)]) == [0, 0]) is same


def test_groups_are_numbered_in_order_of_appearance() -> None:
    graphs = [penman.decode(text) for text in ("(a / x)", '(a / x :op1 "1")', "(b / x)", "(c / x :op1 1)")]
    assert groups(graphs) == [0, 1, 0, 2]


def test_command_draws_page_picture_and_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graphs = tmp_path / "graphs.amr"
    graphs.write_text(
        f"# ::id a\n# ::snt One.\n{BOY}\n\n# ::id b\n# ::snt Two.\n(d / dog)\n", encoding="utf-8"
    )
    assert main(["show", str(graphs), "-o", str(tmp_path / "p.html"), "--by", "id"]) == 0
    assert (tmp_path / "p.html").read_text(encoding="utf-8").count("<h2>") == 2
    assert main(["show", str(graphs), "-o", str(tmp_path / "g.svg"), "--id", "b"]) == 0
    assert texts((tmp_path / "g.svg").read_text(encoding="utf-8")) == ["dog"]
    assert main(["show", str(graphs)]) == 0
    assert "└── :ARG0 ↑ boy" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "p.pdf"], "must end in .html or .svg"),
        (["-o", "g.svg"], "holds 2 graphs"),
        (["--id", "c"], "no graph has the id 'c'"),
        (["-o", "none/p.html"], "does not exist"),
        (["-o", "g.svg", "--id", "1", "--id", "2"], "holds 2 graphs with these ids and an .svg shows one"),
        (["-o", "g.svg", "--id", "1", "--title", "One"], "--by and --title need a page"),
        (["--by", "lang"], "--by and --title need a page"),
    ],
)
def test_command_says_what_is_wrong_and_writes_nothing(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("graphs.amr").write_text("(a / x)\n\n(b / y)\n", encoding="utf-8")
    assert main(["show", "graphs.amr", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["graphs.amr"]
