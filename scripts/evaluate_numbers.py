"""Score how numbers in words are read: ``python scripts/evaluate_numbers.py OUT.json``.

Two sentences in fourteen languages are filled with `NUMBERS` as num2words writes them. The score is the share
of graphs, in percent, with the number as ``:quant``: by the parser ``mini``, by the same parser without
`parser.mini.spelled_numbers`, and of the sentences with digits.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from num2words import num2words

from amrx.composed_text import Composed
from amrx.records import atomic_path
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from parser import load as load_parser

NUMBERS = (
    *range(2, 22), 24, 30, 32, 40, 45, 50, 58, 60, 63, 70, 71, 76, 80, 81, 87, 90, 92, 99, 101, 120, 150, 200,
    250, 365, 480, 999, 1200, 1500, 2000, 2500, 12_000, 250_000,
)  # fmt: skip
SENTENCES = {
    "de": ("Auf dem Tisch liegen {} Bücher.", "Wir haben {} Minuten gewartet."),
    "en": ("There are {} books on the table.", "We waited for {} minutes."),
    "es": ("Hay {} libros en la mesa.", "Esperamos {} minutos."),
    "fr": ("Il y a {} livres sur la table.", "Nous avons attendu {} minutes."),
    "id": ("Ada {} buku di atas meja.", "Kami menunggu {} menit."),
    "it": ("Ci sono {} libri sul tavolo.", "Abbiamo aspettato {} minuti."),
    "ja": ("机の上に本が{}冊ある。", "私たちは{}分待った。"),
    "nl": ("Er liggen {} boeken op de tafel.", "We hebben {} minuten gewacht."),
    "pl": ("Na stole jest {} książek.", "Czekaliśmy {} minut."),
    "pt": ("Há {} livros na mesa.", "Esperamos {} minutos."),
    "ru": ("На столе лежит {} книг.", "Мы ждали {} минут."),
    "sv": ("Det ligger {} böcker på bordet.", "Vi väntade i {} minuter."),
    "tr": ("Masanın üzerinde {} kitap var.", "{} dakika bekledik."),
    "uk": ("На столі лежить {} книг.", "Ми чекали {} хвилин."),
}


def share(parser: Parser, lang: str, write: Callable[[int], str]) -> float:
    """Return the share of graphs with the number, 0-100."""
    cases = [(number, sentence) for sentence in SENTENCES[lang] for number in NUMBERS]
    sentences = [
        Sentence(str(i), sentence.format(write(number)), lang) for i, (number, sentence) in enumerate(cases)
    ]
    right = [
        any(value == str(number) for _, _, value in parse.graph.attributes(role=":quant"))
        for (number, _), parse in zip(cases, parser.parse(sentences), strict=True)
    ]
    return 100 * sum(right) / len(right)


def main(out: Path) -> None:
    """Score every language and write the rows."""
    set_threads()
    parser = load_parser("mini")
    rows: list[dict[str, str | float]] = []

    def unchanged(composed: Composed, lang: str) -> Composed:
        return composed

    for lang in SENTENCES:

        def words(number: int, lang: str = lang) -> str:
            return str(num2words(number, lang=lang))

        with patch("parser.mini.words.with_digits", unchanged):
            before = share(parser, lang, words)
        values = {
            "words, read as they are": before,
            "words": share(parser, lang, words),
            "digits": share(parser, lang, str),
        }
        print(lang, values, flush=True)
        rows += [
            {
                "encoder": "parser-mini",
                "task": f"Numbers in {name}",
                "language": lang,
                "metric": "right",
                "value": round(value, 2),
                "n": len(NUMBERS) * 2,
            }
            for name, value in values.items()
        ]
    with atomic_path(out) as temporary:
        temporary.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
