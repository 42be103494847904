"""Label the open data's English sentences: ``python scripts/label_english.py DATA OUT.xz PARSERS [MOST]``.

The file is what ``amrx train-parser --set silver=OUT.xz`` learns from. Several PARSERS, parted by commas,
elect each graph together, by their searches and `SAMPLES` draws each. A killed run goes on where it was.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

from amrx.threads import cores, set_threads
from parser import load
from parser.ensemble import vote
from parser.run.engines import open_parser
from parser.training.mini.label import label_english

SAMPLES = 4


def main(data: Path, out: Path, names: str, most: str = "") -> None:
    """Label, one parser with one process per core, several in this process."""
    set_threads()
    with ExitStack() as stack:
        first, *others = names.split(",")
        parser = (
            vote(load(first), SAMPLES, *map(load, others)) if others else open_parser(first, cores(), stack)
        )
        count = label_english(data, out, parser, int(most) if most else None)
    print(f"{out}: {count} graphs by {names}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
