"""Label the open data's English sentences: ``python scripts/label_english.py DATA OUT.xz PARSER [MOST]``.

The file is what ``amrx train-parser --set silver=OUT.xz`` learns from. A killed run goes on where it was.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path

from amrx.threads import cores, set_threads
from parser.run.engines import open_parser
from parser.training.mini.label import label_english


def main(data: Path, out: Path, name: str, most: str = "") -> None:
    """Label with one process per core."""
    set_threads()
    with ExitStack() as stack:
        count = label_english(data, out, open_parser(name, cores(), stack), int(most) if most else None)
    print(f"{out}: {count} graphs by {name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
