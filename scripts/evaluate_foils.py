"""Compare role swaps and negations with paraphrases and translations.

    scripts/evaluate_foils.py OUT.json [ENCODER [PARSER]]

On 100 generated meanings in six languages (tests/support/foil_pairs.py; never trained on), with mUSE as base.
ENCODER is one or more channels joined by ``+`` (AMR encoders or students, by name or folder; default
``mini``), with their stored weights for the parser.

* lowered: share of foils whose combined cosine to their own sentence is below the base's;
* paraphrase: share of foils that are less near to their sentence than its paraphrase is;
* translation: share of (foil, other language) where the sentence of the other language is nearer to the
  sentence than to its foil.

A tie counts against the encoder. Shares are on the 0-100 scale. The mean cosine of sentence and foil is
printed as well.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from amrx.examples import Example
from amrx.records import write_json
from amrx.threads import set_threads
from parser.load import PARSER
from retrofit.combine import RetrofittedEncoder, combine
from retrofit.load import load

ROOT = Path(__file__).resolve().parents[1]
for folder in (ROOT, ROOT / "scripts"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))

from demo_scores import Channel, channel, choose  # noqa: E402

from tests.support.foil_pairs import KINDS, examples  # noqa: E402

Row = dict[str, str | float]


def channels(encoder: RetrofittedEncoder, sentences: Sequence[Example]) -> tuple[Channel, Channel, Channel]:
    """Return base, first channel alone and all together, computed as ``amrx explain`` does."""
    texts, langs = [s.text for s in sentences], [s.lang for s in sentences]
    base = encoder.base.encode(texts, lang=langs)
    amr, *others = (side.vectors for side in encoder.sides(texts, langs))
    joined = combine(base, amr, *others, weight=encoder.weights, integration=encoder.integration)
    names = (encoder.base.name, "AMR alone", encoder.name)
    base_side, amr_side, both = (
        channel(name, sentences, v) for name, v in zip(names, (base, amr, joined), strict=True)
    )
    return base_side, amr_side, both


def own_cosines(chosen: Channel, kind: str, lang: str) -> list[float]:
    """Return the cosine of each sentence and its ``kind`` (a foil, or the paraphrase), same language."""
    keys = [key for key in chosen.vectors if key[1:] == ("meaning", lang)]
    return [chosen.cosine(key, (key[0], kind, lang)) for key in keys]


def lowered(base: Channel, both: Channel, kind: str, lang: str) -> int:
    """Count the foils whose cosine to their sentence is lower in ``both`` than in ``base``."""
    pairs = zip(own_cosines(both, kind, lang), own_cosines(base, kind, lang), strict=True)
    return sum(one < other for one, other in pairs)


def below_paraphrase(chosen: Channel, kind: str, lang: str) -> int:
    """Count the foils that are less near to their sentence than its paraphrase is."""
    pairs = zip(own_cosines(chosen, kind, lang), own_cosines(chosen, "paraphrase", lang), strict=True)
    return sum(foil < paraphrase for foil, paraphrase in pairs)


def measure(sides: tuple[Channel, Channel, Channel]) -> list[Row]:
    """Return the rows of all measures, ready for ``results/``."""
    base, _, both = sides
    langs = list(dict.fromkeys(lang for _, _, lang in base.vectors))
    rows = []
    for kind in KINDS:
        task, n = f"Generated {kind}s", len(own_cosines(base, kind, langs[0]))
        for lang in langs:
            share = 100 * lowered(base, both, kind, lang) / n
            rows.append(_row(both, f"{task}: cosine to the sentence lower than the base's", lang, share, n))
        for side in sides:
            for lang in langs:
                share = 100 * below_paraphrase(side, kind, lang) / n
                rows.append(_row(side, f"{task}: the paraphrase nearer than the foil", lang, share, n))
        for side in sides:
            choice = choose(side, kind)
            for lang in langs:
                share, asked = 100 * choice.right[lang] / choice.asked[lang], choice.asked[lang]
                rows.append(_row(side, f"{task}: the translation nearer than the foil", lang, share, asked))
    return rows


def _row(side: Channel, task: str, lang: str, value: float, n: int) -> Row:
    return {
        "encoder": side.name, "task": task, "language": lang, "metric": "share",
        "value": round(value, 2), "n": n,
    }  # fmt: skip


def main(out: Path, name: str, parser: str) -> None:
    """Encode, measure, print and write the rows."""
    set_threads()
    sides = channels(load(encoder=name, parser=parser), examples())
    rows = measure(sides)
    for task in dict.fromkeys(row["task"] for row in rows):
        for side in sides:
            chosen = [row for row in rows if (row["task"], row["encoder"]) == (task, side.name)]
            if chosen:
                cells = "  ".join(f"{row['language']} {row['value']:5.1f}" for row in chosen)
                print(f"{task:64} {side.name:24} {cells}")
    for kind in ("paraphrase", *KINDS):
        for side in sides:
            langs = dict.fromkeys(lang for _, _, lang in side.vectors)
            means = [(lang, float(np.mean(own_cosines(side, kind, lang)))) for lang in langs]
            print(
                f"{f'mean cosine, {kind}':64} {side.name:24} " + "  ".join(f"{a} {b:.3f}" for a, b in means)
            )
    write_json(out, rows)


if __name__ == "__main__":
    arguments = sys.argv[2:]
    main(Path(sys.argv[1]), *arguments, *("mini", PARSER)[len(arguments) :])
