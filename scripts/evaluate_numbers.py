"""Score how numbers, weekdays and months are read: ``python scripts/evaluate_numbers.py OUT.json``.

Sentences in up to seventeen languages are filled with numbers (`NUMBERS`, in words and in digits), with the
weekdays and with the months. The score is the share of graphs, in percent, with the number as ``:quant``, the
weekday as a concept, or the month as ``:month``: by the parser ``mini``, and by the same parser without
`parser.mini.rules.spelled_numbers` and `parser.mini.rules.calendar_names`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import penman
from babel.dates import get_day_names, get_month_names
from num2words import num2words

from amrx.composed_text import Composed
from amrx.records import write_json
from amrx.threads import set_threads
from amrx.types import Parser, Sentence
from parser import load as load_parser
from parser.mini.rules.calendar_names import WEEKDAYS

NUMBERS = (
    *range(2, 22), 24, 30, 32, 40, 45, 50, 58, 60, 63, 70, 71, 76, 80, 81, 87, 90, 92, 99, 101, 120, 150, 200,
    250, 365, 480, 999, 1200, 1500, 2000, 2500, 12_000, 250_000,
)  # fmt: skip
NUMBER_SENTENCES = {
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


DAY_SENTENCES = {
    "ar": "المتجر مغلق يوم {}.", "de": "Der Laden ist am {} geschlossen.", "en": "The shop is closed on {}.",
    "es": "La tienda está cerrada el {}.", "fr": "Le magasin est fermé le {}.",
    "id": "Toko tutup pada hari {}.", "it": "Il negozio è chiuso il {}.", "ja": "店は{}に休みです。",
    "ko": "가게는 {}에 쉽니다.", "nl": "De winkel is op {} gesloten.", "pl": "Sklep jest zamknięty: {}.",
    "pt": "A loja está fechada na {}.", "ru": "Магазин закрыт: {}.", "sv": "Affären är stängd på {}.",
    "tr": "Dükkan {} günü kapalı.", "uk": "Магазин зачинено: {}.", "zh": "商店{}关门。",
}  # fmt: skip
MONTH_SENTENCES = {
    "ar": "الاجتماع في {}.", "de": "Das Treffen ist im {}.", "en": "The meeting is in {}.",
    "es": "La reunión es en {}.", "fr": "La réunion est en {}.", "id": "Rapat pada bulan {}.",
    "it": "La riunione è a {}.", "ja": "会議は{}です。", "ko": "회의는 {}입니다.",
    "nl": "De vergadering is in {}.", "pl": "Spotkanie: {}.", "pt": "A reunião é em {}.",
    "ru": "Встреча будет в {}.", "sv": "Mötet är i {}.", "tr": "Toplantı {} ayında.",
    "uk": "Зустріч: {}.", "zh": "会议在{}。",
}  # fmt: skip
Check = Callable[[penman.Graph], bool]


class Cases(NamedTuple):
    """Sentences and what their graphs must have."""

    task: str
    lang: str
    texts: Sequence[str]
    checks: Sequence[Check]


def cases() -> Iterator[Cases]:
    """Yield the sentences of every task and language."""
    for lang, sentences in NUMBER_SENTENCES.items():
        checks = [_has_attribute(":quant", str(number)) for number in NUMBERS] * len(sentences)
        for name, written in (
            ("words", [num2words(number, lang=lang) for number in NUMBERS]),
            ("digits", [str(number) for number in NUMBERS]),
        ):
            texts = [sentence.format(number) for sentence in sentences for number in written]
            yield Cases(f"Numbers in {name}", lang, texts, checks)
    for lang, sentence in DAY_SENTENCES.items():
        days = get_day_names("wide", "stand-alone", locale=lang)
        texts = [sentence.format(days[day]) for day in range(7)]
        yield Cases("Weekdays", lang, texts, [_has_concept(day) for day in WEEKDAYS])
    for lang, sentence in MONTH_SENTENCES.items():
        months = get_month_names("wide", "stand-alone", locale=lang)
        texts = [sentence.format(months[month]) for month in range(1, 13)]
        yield Cases("Months", lang, texts, [_has_attribute(":month", str(month)) for month in range(1, 13)])


def _has_attribute(role: str, constant: str) -> Check:
    return lambda graph: any(value == constant for _, _, value in graph.attributes(role=role))


def _has_concept(concept: str) -> Check:
    return lambda graph: any(value == concept for _, _, value in graph.instances())


def share(parser: Parser, case: Cases) -> float:
    """Return the share of right graphs, 0-100."""
    parses = parser.parse([Sentence(str(i), text, case.lang) for i, text in enumerate(case.texts)])
    right = [check(parse.graph) for check, parse in zip(case.checks, parses, strict=True)]
    return 100 * sum(right) / len(right)


def without_rules(stack: ExitStack) -> None:
    """Take the two rules out of the parser until ``stack`` is closed."""

    def unchanged_text(composed: Composed, lang: str) -> Composed:
        return composed

    def unchanged_graph(graph: penman.Graph, *_: object) -> penman.Graph:
        return graph

    stack.enter_context(patch("parser.mini.words.with_digits", unchanged_text))
    stack.enter_context(patch("parser.mini.parser.with_calendar_names", unchanged_graph))


def main(out: Path) -> None:
    """Score every task and language and write the rows."""
    set_threads()
    parser = load_parser("mini")
    rows = []
    for case in cases():
        with ExitStack() as stack:
            without_rules(stack)
            before = share(parser, case)
        for name, value in (("mini", share(parser, case)), ("mini without the rules", before)):
            print(f"{case.task} {case.lang} {name}: {value:.1f}", flush=True)
            row = {"encoder": name, "task": case.task, "language": case.lang, "metric": "right"}
            rows.append({**row, "value": round(value, 2), "n": len(case.texts)})
    write_json(out, rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
