"""Keep test sentences out of training: collect reserved texts and test membership.

About 250 pairs of STS17 are in STS-B dev as well; XNLI's test premises come from books and
telephone calls that others quote. So texts are compared, not files: `Reserved` holds the normal form (see
`parser.training.corpora.lines`) of every sentence of every test set of the open data, in every language. Test
sets outside the open data are not included.
"""

import itertools
import json
import tarfile
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from amrx.errors import MissingResourceError
from amrx.records.files import reading
from parser.training.corpora.lines import normal_form, read_columns, read_lines
from parser.training.corpora.parallel import stsb_sentences, xnli_sentences
from parser.training.corpora.sembanks import bamboo_texts, read_sembank


class Reserved:
    """A set of texts that ignores case, punctuation, spaces and combining marks.

    Texts without letters or digits are left out.

    Example:
        >>> "a boy  WANTS to go" in Reserved(["A boy wants to go."])
        True
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._keys = {_key(form) for form in map(normal_form, texts) if form}

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, text: object) -> bool:
        form = normal_form(text) if isinstance(text, str) else ""
        return bool(form) and _key(form) in self._keys


def _key(form: str) -> int:
    return int.from_bytes(blake2b(form.encode(), digest_size=8).digest(), "big")


def load_reserved(data: Path) -> Reserved:
    """Collect every reserved text under ``data`` (half a minute); a missing test set is an error."""
    return Reserved(text for name in RESERVED for text in reserved_texts(data, name))


def load_present(data: Path | None, more: Iterable[str] = ()) -> tuple[Reserved, list[str]]:
    """Collect the reserved texts of the groups that exist under ``data``.

    Returned are the texts, and the missing groups of `RESERVED`, whose texts are not excluded.
    """
    lacking = [name for name, (pattern, _) in RESERVED.items() if data is None or not any(data.glob(pattern))]
    present = [name for name in RESERVED if name not in lacking]
    texts = (text for name in present for text in reserved_texts(data or Path(), name))
    return Reserved(itertools.chain(texts, more)), lacking


def reserved_texts(data: Path, name: str) -> Iterator[str]:
    """Yield the texts of one group of `RESERVED` unchanged."""
    pattern, read = RESERVED[name]
    paths = sorted(data.glob(pattern))
    if not paths:
        raise MissingResourceError(
            f"the texts reserved as {name!r} ({data / pattern})",
            fetch="the files named in docs/data.md",
            local="AMRX_DATA",
            message=f"test set {name!r} must be in {data / pattern}, so that its sentences are kept out; "
            "docs/data.md names its source",
        )
    for path in paths:
        yield from read(path)


def _columns(path: Path) -> Iterator[str]:
    for columns in read_columns(path, 2):
        yield from columns[:2]


def _bamboo(folder: Path) -> Iterator[str]:
    for pair in bamboo_texts(folder, "dev"):
        yield from pair


def _sembank(path: Path) -> Iterator[str]:
    for entry in read_sembank(path):
        yield entry.snt
        yield entry.metadata.get("snt_zh", "")


def _xnli_dev(path: Path) -> Iterator[str]:
    yield from xnli_sentences(path, "held-out")


def _xquad(path: Path) -> Iterator[str]:
    for article in json.loads("\n".join(read_lines(path)))["data"]:
        for paragraph in article["paragraphs"]:
            yield paragraph["context"]
            yield from paragraph["sentences"]
            yield from (question["question"] for question in paragraph["qas"])


def _xcopa(path: Path) -> Iterator[str]:
    for line in read_lines(path):
        row = json.loads(line)
        yield from (row[name] for name in ("premise", "choice1", "choice2"))


def _bucc(path: Path) -> Iterator[str]:
    with reading(path, "is not a complete tar archive"), tarfile.open(path) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None  # links are not followed
            if content is not None and not member.name.endswith(".gold"):
                for line in content.read().decode("utf-8").splitlines():
                    yield line.partition("\t")[2]


RESERVED: dict[str, tuple[str, Callable[[Path], Iterable[str]]]] = {
    "sts17": ("sts/sts17/*.tsv", _columns), "stsb": ("sts/stsb/*/[dt]e[vs]*.csv", stsb_sentences),
    "bamboo": ("amr/bamboo/[sp]*", _bamboo), "sembanks": ("amr/[lb]*/dev.amr", _sembank),
    "snli": ("nli/snli/test.tsv", _columns), "xnli": ("transfer/XNLI/test-*.tsv", _columns),
    "xnli-dev": ("transfer/XNLI/dev-*.tsv", _xnli_dev), "pawsx": ("transfer/PAWSX/test-*.tsv", _columns),
    "flores": ("geometry/flores/dev*.*", read_lines), "tatoeba": ("retrieval/tatoeba/tatoeba.*", read_lines),
    "xquad-r": ("retrieval/xquad-r/*.json", _xquad), "bucc": ("retrieval/bucc/*.tar.bz2", _bucc),
    "xcopa": ("xcopa/*/test.*.jsonl", _xcopa), "qe": ("qe/*/test.tsv", _columns),
    "multi30k": ("parallel/multi30k/test_*.gz", read_lines),
}  # fmt: skip
