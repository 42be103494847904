"""List the hub files of transfer tasks.

MARC, MLDoc and QAM may not be redistributed, so they have none.
"""

from collections.abc import Iterator, Sequence

from amrx.evaluation.hub_data.forms import Field, HubData, HubFile, Objects, Table

_XNLI = HubData("mteb/xnli", "CC BY-NC 4.0", "09698e0180d87dc247ca447d3a1248b931ac0cdb")
_PAWSX = HubData("google-research-datasets/paws-x", "free use, Google LLC named as the source")
_ANLI = HubData("nala-cub/americas_nli", "CC BY-SA 4.0")
_XCOPA = HubData("cambridgeltl/xcopa", "CC BY 4.0")
_EURLEX = HubData("mteb/eurlex-multilingual", "CC BY-SA 4.0", "2aea5a6dc8fdcfeca41d0fb963c0a338930bde5c")


def _splits(languages: Sequence[str]) -> Iterator[tuple[str, str, str, str | None]]:
    """Yield the name of each file, its split and language, and the language that needs it, ``None`` for all.

    The fit is on English train, or on English dev if train is missing, so every language needs them.
    """
    yield "train", "train", "en", None
    for code in languages:
        yield "dev", "validation", code, None if code == "en" else code
        yield "test", "test", code, code


def xnli(languages: Sequence[str], labels: tuple[str, ...]) -> tuple[HubFile, ...]:
    """Return the files of XNLI: English train, and dev and test of some languages."""
    form = Table((Field("premise"), Field("hypothesis"), Field("label", labels)))
    return tuple(
        HubFile(f"transfer/XNLI/{name}-{code}.tsv", _XNLI, f"{split}/{code}.parquet", form, language)
        for name, split, code, language in _splits(languages)
    )


def pawsx(languages: Sequence[str], labels: tuple[str, ...]) -> tuple[HubFile, ...]:
    """Return the files of PAWS-X: English train, and dev and test of some languages."""
    form = Table((Field("sentence1"), Field("sentence2"), Field("label", labels)))
    return tuple(
        HubFile(f"transfer/PAWSX/{name}-{code}.tsv", _PAWSX, f"{code}/{split}-*.parquet", form, language)
        for name, split, code, language in _splits(languages)
    )


def americas(names: dict[str, str], labels: tuple[str, ...]) -> tuple[HubFile, ...]:
    """Return the files of AmericasNLI, whose names of languages are given, and the English ones of XNLI."""
    columns = (Field("language"), Field("premise"), Field("hypothesis"), Field("label", labels))
    form = Table(columns, numbered=True)
    english = tuple(file for file in xnli(("en",), labels) if file.language is None)
    return english + tuple(
        HubFile(f"transfer/ANLI/{folder}/{name}.tsv", _ANLI, f"{name}/{split}-*.parquet", form, code)
        for code, name in names.items()
        for folder, split in (("dev", "validation"), ("test", "test"))
    )


def xcopa(languages: Sequence[str]) -> tuple[HubFile, ...]:
    """Return the files of XCOPA, without COPA, the English training data.

    Instead the fit is on val of every language, so every language needs all of them.
    """
    form = Objects(tuple(Field(name) for name in ("premise", "choice1", "choice2", "question", "label")))
    return tuple(
        HubFile(f"xcopa/{code}/{name}.{code}.jsonl", _XCOPA, f"{code}/{split}-*.parquet", form, needed)
        for code in languages
        for name, split, needed in (("val", "validation", None), ("test", "test", code))
    )


def multieurlex(languages: Sequence[str], topics: tuple[str, ...]) -> tuple[HubFile, ...]:
    """Return the files of MultiEURLEX, one folder per language: English train, and dev and test of all.

    The fit is on English train, so every language needs it. The published files hold all languages.
    """
    form = Objects((Field("text"), Field("label", topics, many=True)), without="text")
    own = tuple(f"transfer/MultiEURLEX/{name}.jsonl" for name in ("train", "dev", "test"))
    needed: list[tuple[str, str, str, str | None]] = [("train", "train", "en", None)]
    for code in languages:
        needed += [("dev", "validation", code, code), ("test", "test", code, code)]
    folder = "transfer/MultiEURLEX"
    return tuple(
        HubFile(f"{folder}/{code}/{name}.jsonl", _EURLEX, f"{code}/{split}-*.parquet", form, language, own)
        for name, split, code, language in needed
    )
