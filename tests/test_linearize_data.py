"""The pointer form loses nothing, on every open graph: against the triples as penman decoded them."""

import gzip
import logging
import re

import penman
import pytest

from linearize import delinearize, join_tokens, linearize, split_tokens
from tests.support.canonical import renaming

# (folder, files at least, graphs at least)
CORPORA = [
    ("lpp", 2, 1419),
    ("bio", 2, 1385),
    ("bamboo/sts", 10, 20718),
    ("bamboo/sick", 10, 12116),
    ("bamboo/para", 10, 11520),
]


@pytest.fixture(autouse=True)
def quiet_penman():
    """Penman logs each triple that stands twice."""
    logger = logging.getLogger("penman")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(before)


def graph_texts(text):
    """The graphs of a file, without header lines; blocks that hold no graph are passed over."""
    lines = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    return [block for block in re.split(r"\n\s*\n", lines) if block.strip()]


def renamed(graph, names):
    """The graph's own triples, variables renamed, order and doubles kept out of it."""
    return sorted(
        (names[source], role, names.get(target, target) if role != ":instance" else target or "")
        for source, role, target in graph.triples
    )


def check(graph, written=False):
    """Linearize, write and read a line, delinearize; compare with the triples that went in."""
    tokens = linearize(graph, form="pointer", keep_wiki=True)
    result = delinearize(split_tokens(join_tokens(tokens)))
    assert result.repairs == (), penman.encode(graph)
    theirs, ours = renaming(graph), {number: name for name, number in renaming(result.graph).items()}
    names = {variable: ours[number] for variable, number in theirs.items()}
    assert len(set(names.values())) == len(names) == len(graph.variables())
    assert names[graph.top] == result.graph.top
    assert renamed(graph, names) == renamed(result.graph, {name: name for name in ours.values()})
    assert not (set(ours.values()) & {t for _, _, t in result.graph.attributes()})
    if written:
        assert ":wiki" not in linearize(graph)
        if not any(role.endswith("-of-of") for role in tokens):  # penman does not write these back
            assert penman.decode(penman.encode(result.graph)) == result.graph


@pytest.mark.parametrize(("folder", "files", "graphs"), CORPORA, ids=[name for name, _, _ in CORPORA])
def test_every_graph_comes_back(data_dir, folder, files, graphs):
    paths = sorted((data_dir / "amr" / folder).rglob("*.amr"))
    blocks = [block for path in paths for block in graph_texts(path.read_text(encoding="utf-8"))]
    for index, block in enumerate(dict.fromkeys(blocks)):  # the stress sets repeat many to the letter
        check(penman.decode(block), written=index % 8 == 0)
    assert len(paths) >= files and len(blocks) >= graphs


def test_every_umr_graph_that_penman_reads_comes_back(data_dir):
    with gzip.open(data_dir / "amr" / "umr-english.txt.gz", "rt", encoding="utf-8") as lines:
        blocks = re.findall(r"# sentence level graph:\s*\n(.*?)\n\s*\n", lines.read(), re.DOTALL)
    count = 0
    for block in blocks:
        try:
            graph = penman.decode(block)
            penman.encode(graph)
        except penman.PenmanError:
            continue
        concepts = [source for source, role, _ in set(graph.triples) if role == ":instance"]
        if len(concepts) == len(set(concepts)):  # some blocks name two nodes alike
            check(graph, written=True)
            count += 1
    assert count > 2500
