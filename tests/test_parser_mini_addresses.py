"""parser.mini.rules.addresses: URLs and e-mail addresses as AMR writes them."""

from __future__ import annotations

import penman
import pytest

from parser.mini.rules.addresses import with_addresses, with_lost_addresses


def changed(text: str) -> str:
    return penman.encode(with_addresses(penman.decode(text)), indent=None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '(v / visit-01 :ARG1 (p / person :wiki - :name (n / name :op1 "https://a.org/b")) :ARG0 (i / i))',
            '(v / visit-01 :ARG1 (p / url-entity :value "https://a.org/b") :ARG0 (i / i))',
        ),
        (
            '(w / write-01 :ARG2 "ann.b@a.org" :ARG0 (e / everyone))',
            '(w / write-01 :ARG2 (e2 / email-address-entity :value "ann.b@a.org") :ARG0 (e / everyone))',
        ),
        (
            '(c / call-02 :ARG1 "+49 30 1234567")',
            '(c / call-02 :ARG1 (p / phone-number-entity :value "+49 30 1234567"))',
        ),
        ('(y / year :mod "1990-1995")', '(y / year :mod "1990-1995")'),
        ('(n / name :op1 "www.a.org")', '(n / name :op1 "www.a.org")'),
        (
            '(c / company :name (n / name :op1 "www.a.org" :op2 "Shop"))',
            '(c / company :name (n / name :op1 "www.a.org" :op2 "Shop"))',
        ),
        ('(u / url-entity :value "www.a.org")', '(u / url-entity :value "www.a.org")'),
    ],
)
def test_addresses_are_values_of_entities(text, expected):
    assert changed(text) == expected


def test_a_graph_without_addresses_is_the_same_object():
    graph = penman.decode('(c / city :name (n / name :op1 "Rome"))')
    assert with_addresses(graph) is graph


def test_references_to_the_entity_stay():
    text = '(r / read-01 :ARG1 (p / page :name (n / name :op1 "www.a.org")) :time (s / see-01 :ARG1 p))'
    graph = with_addresses(penman.decode(text))
    assert ("s", ":ARG1", "p") in graph.triples and ("p", ":instance", "url-entity") in graph.triples


def test_a_lost_address_becomes_the_node_aligned_to_it() -> None:
    text, spans = "Write to info@a.org today.", {"w": (0, 5), "i": (9, 19), "i2": (9, 19)}
    graph = penman.decode("(w / write-01 :ARG1 (i / information) :ARG2 (i2 / i))")
    mended = with_lost_addresses(graph, text, "en", spans)
    assert ("i", ":value", '"info@a.org"') in mended.triples
    assert ("i", ":instance", "email-address-entity") in mended.triples
    assert with_lost_addresses(mended, text, "en", spans) is mended
    assert with_lost_addresses(graph, "Write to info today.", "en", spans) is graph
