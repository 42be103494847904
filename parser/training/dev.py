"""Score a parser on annotated sentences during its training."""

from collections.abc import Collection, Sequence
from pathlib import Path

from amrx.errors import InputError
from amrx.records import read_graphs
from amrx.records.files import kind_of
from amrx.records.graphs import KINDS
from amrx.training import Evaluation
from amrx.types import Parse, Parser, Sentence
from parser.score.smatch import corpus_smatch

GRAPHS = (*KINDS, "jsonl")


class Dev:
    """Annotated sentences of a file or a folder of files; ``lang`` is that of sentences without one."""

    def __init__(self, path: Path, lang: str = "en") -> None:
        self.path = path
        self.gold: dict[str, list[Parse]] = {}
        for file in files_in(path):
            for parse in read_graphs(file, lang=lang):
                self.gold.setdefault(parse.lang, []).append(parse)

    def check(self, langs: Collection[str]) -> None:
        """Raise InputError if a sentence is in none of ``langs``; empty ``langs`` allow every language."""
        for lang in self.gold:
            if langs and lang not in langs:
                raise InputError(f"holds {lang!r}, which is not a language of the base", file=self.path)

    def score(self, parser: Parser, batch_size: int) -> dict[str, float]:
        """Return Smatch F1 (0-100) for each language."""
        scores = {}
        for lang, gold in sorted(self.gold.items()):
            sentences = [Sentence(parse.id, parse.text, lang) for parse in gold]
            parses = parser.parse(sentences, batch_size=batch_size)
            scores[lang] = corpus_smatch([one.graph for one in gold], [one.graph for one in parses]).f1
        return scores

    def evaluate(self, parser: Parser, batch_size: int, **notes: object) -> Evaluation:
        """Return the mean over languages of Smatch F1; the log has ``notes`` and the F1 of each language."""
        scores = self.score(parser, batch_size)
        smatch = sum(scores.values()) / len(scores)
        by_language = {lang: round(f1, 2) for lang, f1 in scores.items()}
        return Evaluation(smatch, {**notes, "smatch": round(smatch, 2), "by_language": by_language})


def files_in(path: Path, kinds: Sequence[str] = GRAPHS) -> list[Path]:
    """Return the file, or all files of these kinds in the folder, in order."""
    if not path.is_dir():
        if not path.exists():
            raise InputError("no such file or folder", file=path)
        return [path]
    files = sorted(file for file in path.rglob("*") if kind_of(file) in kinds and file.is_file())
    if not files:
        raise InputError(f"holds no file of {', '.join(f'.{kind}' for kind in kinds)}", file=path)
    return files
