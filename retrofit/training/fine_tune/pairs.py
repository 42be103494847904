"""Read the training and dev pairs of the Siamese tasks from their published files.

::

    nli/snli/snli_1.0_train.jsonl                       SNLI, for Multi-STS
    sts/stsb/en/{train,dev}.csv                         STS-B
    qe/XX-YY/{train.tsv.gz,dev.tsv}                     MLQE-PE
    retrieval/squad/{train,dev}-v1.1.json               SQuAD 1.1, for LAReQA
    retrieval/mewsli-x/wikipedia_pairs-{train,dev}.jsonl
"""

from __future__ import annotations

from pathlib import Path

from amrx.errors import MissingResourceError
from amrx.evaluation.tasks.quality import PAIRS
from amrx.evaluation.tasks.retrieval.mewsli import read_pairs
from amrx.evaluation.tasks.scored_pairs import HIGHEST, Pair, read_any_score, read_csv
from amrx.records.json_lines import read_document, read_objects
from parser.document import sentence_spans

LABELS = ("entailment", "neutral", "contradiction")
_NO_LABEL = "-"
"""Label of rows of SNLI on which the annotators did not agree."""
FETCH = {
    "nli": "https://nlp.stanford.edu/projects/snli/snli_1.0.zip, its snli_1.0_train.jsonl as nli/snli",
    "sts": "https://github.com/PhilipMay/stsb-multi-mt, data/stsb-en-{train,dev}.csv as "
    "sts/stsb/en/{train,dev}.csv",
    "qe": "https://github.com/sheffieldnlp/mlqe-pe, direct-assessments, columns original, translation, "
    "z_mean, as qe/XX-YY/{train.tsv.gz,dev.tsv}",
    "squad": "https://rajpurkar.github.io/SQuAD-explorer/dataset/{train,dev}-v1.1.json as retrieval/squad",
    "mewsli-x": "get-mewsli-x.sh (see amrx eval --tasks mewsli-x), wikipedia_pairs-{train,dev}.jsonl as "
    "retrieval/mewsli-x",
}


def _found(data: Path, name: str, source: str) -> Path:
    """Return the path of a file, which must exist."""
    path = data / name
    if not path.is_file():
        raise MissingResourceError(f"rows of {str(path)!r}", fetch=FETCH[source])
    return path


def nli(data: Path) -> tuple[Pair, ...]:
    """Return SNLI's training pairs; the score is the index of the label in `LABELS`."""
    pairs = []
    for node in read_objects(_found(data, "nli/snli/snli_1.0_train.jsonl", "nli")):
        label = node.get("gold_label")
        if label.text() == _NO_LABEL:
            continue
        if label.text() not in LABELS:
            raise label.error(f"must be one of {', '.join(LABELS)} or {_NO_LABEL}, got {label.text()!r}")
        # a few sentences of the published file are blank
        first, second = node.get("sentence1").string(), node.get("sentence2").string()
        pairs.append(Pair(first, second, LABELS.index(label.text())))
    return tuple(pairs)


def sts(data: Path, split: str) -> tuple[Pair, ...]:
    """Return a part of STS-B in English; scores are 0 to 1."""
    pairs = read_csv(_found(data, f"sts/stsb/en/{split}.csv", "sts"))
    return tuple(pair._replace(score=pair.score / HIGHEST) for pair in pairs)


def quality(data: Path, split: str) -> dict[str, tuple[Pair, ...]]:
    """Return a part of MLQE-PE for each language pair, with z-scores."""
    name = {"train": "train.tsv.gz", "dev": "dev.tsv"}[split]
    return {pair: read_any_score(_found(data, f"qe/{pair}/{name}", "qe")) for pair in PAIRS}


def to_unit(pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
    """Scale scores to 0..1, from the lowest to the highest, as targets of a cosine.

    Example:
        >>> [pair.score for pair in to_unit((Pair("a", "b", -3.0), Pair("a", "c", 1.0), Pair("a", "d", 0.0)))]
        [0.0, 1.0, 0.75]
    """
    lowest, highest = (bound(pair.score for pair in pairs) for bound in (min, max))
    return tuple(pair._replace(score=(pair.score - lowest) / (highest - lowest)) for pair in pairs)


def squad(data: Path, split: str) -> tuple[Pair, ...]:
    """Return the questions of SQuAD 1.1 with the sentence in which their first answer starts."""
    pairs = []
    root = read_document(_found(data, f"retrieval/squad/{split}-v1.1.json", "squad"))
    for paragraph in (inner for article in root.list("data") for inner in article.list("paragraphs")):
        context = paragraph.get("context").text()
        spans = sentence_spans(context, "en")
        for qa in paragraph.list("qas"):
            start = qa.list("answers")[0].get("answer_start")
            if not 0 <= start.integer() < len(context):
                raise start.error(f"must lie within the {len(context)} letters, got {start.integer()}")
            begin, end = next(
                (span for span in reversed(spans) if span[0] <= start.integer()), (0, len(context))
            )
            pairs.append(Pair(qa.get("question").text(), context[begin:end], 1.0))
    return tuple(pairs)


def mentions(data: Path, split: str) -> tuple[Pair, ...]:
    """Return mentions of English Wikipedia with the descriptions of their entities."""
    file = _found(data, f"retrieval/mewsli-x/wikipedia_pairs-{split}.jsonl", "mewsli-x")
    return tuple(Pair(mention, entity, 1.0) for mention, entity in read_pairs(file))
