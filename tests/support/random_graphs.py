"""Random connected graphs."""

from __future__ import annotations

import penman
from hypothesis import strategies as st


@st.composite
def graphs(draw: st.DrawFn) -> penman.Graph:
    """A connected graph of up to five nodes with few concepts and roles, so that much could match."""
    size = draw(st.integers(1, 5))
    triples = [(f"v{i}", ":instance", draw(st.sampled_from("abc"))) for i in range(size)]
    roles = st.sampled_from([":ARG0", ":ARG1", ":mod", ":domain"])
    for i in range(1, size):
        triples.append((f"v{draw(st.integers(0, i - 1))}", draw(roles), f"v{i}"))
    if draw(st.booleans()):
        triples.append((f"v{draw(st.integers(0, size - 1))}", ":polarity", "-"))
    return penman.Graph(triples, top="v0")
