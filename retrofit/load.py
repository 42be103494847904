"""Load a retrofitted encoder by names or folders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from amrx.paths import name_of
from parser.load import PARSER
from retrofit.saved_format import is_saved, load_saved, refuse_saved, source_of

if TYPE_CHECKING:
    from amrx.muse.model import MuseModel
    from amrx.muse.tokenize import MuseTokenizer
    from amrx.types import Encoder
    from parser.run.cache import ParseCache
    from retrofit.amr.encoder import AmrEncoder
    from retrofit.combine import RetrofittedEncoder

PAPER_WEIGHT = 1.0


def load(
    base: str | Path = "muse",
    parser: str | Path | None = None,
    encoder: str | Path | None = None,
    weight: float | None = None,
    *,
    integration: str | None = None,
    precision: str | None = None,
    cache: ParseCache | None = None,
) -> RetrofittedEncoder:
    """Load base encoder, parser and AMR encoder and combine them; or base encoder and student.

    A folder that `RetrofittedEncoder.save` wrote is loaded by its name alone: ``load(DIR)``. It has its own
    parts and integration.

    Args:
        base: Name of a base encoder (see `retrofit.bases`), such as ``muse`` or ``st:DIR``, or a folder.
        parser: Name or folder of a parser, by default `parser.load.PARSER`; none is loaded where the encoder
            is a student.
        encoder: Name of a shipped AMR encoder or student, by default ``mini``, or an encoder folder.
        weight: Weight of the AMR side; ``None`` takes the one fitted for this base and parser and stored with
            the AMR encoder, else that of `parser.load.PARSER` or another parser, or 1, the paper's, where
            none is stored. 0 gives the base's own vectors.
        integration: One of `retrofit.combine.INTEGRATIONS`, by default ``norm-concat``.
        precision: Arithmetic of the AMR encoder: ``fp32``, ``bf16`` (cosine 0.9999 to it, thrice as fast
            where the processor multiplies bf16), or ``auto``, the default, which takes bf16 exactly there. A
            student has it too, but beside the base ``muse`` it shares that one's model and arithmetic.
        cache: Where parses are kept, such as the one of ``amrx parse``.

    Raises:
        OptionError: A name is unknown, or a saved folder comes with other parts.
        MissingResourceError: A model is not on this machine.
        InputError: Weights are other ones than those of a saved folder.
    """
    name = name_of(base)
    if is_saved(name):
        if (parser, encoder, integration) != (None, None, None):
            refuse_saved(Path(name))
        return load_saved(name, weight=weight, precision=precision, cache=cache)
    return _load_parts(
        name, name_of(parser or PARSER), name_of(encoder or "mini"), weight,
        integration=integration or "norm-concat", precision=precision or "auto", cache=cache,
    )  # fmt: skip


def _load_parts(
    base: str,
    parser: str,
    encoder: str,
    weight: float | None,
    *,
    integration: str,
    precision: str,
    cache: ParseCache | None,
) -> RetrofittedEncoder:
    from parser import load as load_parser
    from parser.run.cache import CachedParser
    from retrofit.bases import load_base
    from retrofit.combine import RetrofittedEncoder
    from retrofit.student.encoder import is_student, load_student
    from retrofit.weight_fitting import stored_weight

    folder = find_encoder(encoder)
    loaded = load_base(base)
    student = is_student(folder)
    if weight is None:
        weight = stored_weight(folder, loaded.name, "" if student else parser, otherwise=PARSER)
        weight = PAPER_WEIGHT if weight is None else weight
    source = source_of(base, parser, encoder, precision)
    if student:
        reader = load_student(folder, precision=precision, shared=_shared_muse(loaded))
        return RetrofittedEncoder(loaded, None, reader, weight=weight, integration=integration, source=source)
    made = load_parser(parser)
    return RetrofittedEncoder(
        loaded,
        made if cache is None else CachedParser(made, cache),
        load_amr(folder, precision=precision),
        weight=weight,
        integration=integration,
        source=source,
    )


def _shared_muse(base: Encoder) -> tuple[MuseModel, MuseTokenizer] | None:
    """Return model and tokenizer of the base ``muse``, so that a student beside it loads no second one."""
    from retrofit.bases.muse import MuseBase

    return (base.model, base.tokenizer) if isinstance(base, MuseBase) else None


def load_amr(
    encoder: str | Path = "mini", *, device: str | None = "cpu", precision: str = "auto"
) -> AmrEncoder:
    """Load an AMR encoder alone, by name or folder.

    Raises:
        OptionError: It is a student, which reads no graphs.
    """
    from amrx.errors import OptionError
    from retrofit.amr.encoder import load_encoder
    from retrofit.student.encoder import is_student

    folder = find_encoder(name_of(encoder))
    if is_student(folder):
        raise OptionError(f"encoder {str(encoder)!r} is a student, which reads sentences and no graphs")
    return load_encoder(folder, device=device, precision=precision)


def find_encoder(name: str) -> Path:
    """Return the folder of an AMR encoder or student, by the name of a shipped one or by path.

    Raises:
        OptionError: It is neither; the message lists the shipped ones.
    """
    from amrx.errors import OptionError

    models = Path(__file__).resolve().parent.parent / "amrx" / "models"
    for folder in (models / f"encoder-{name}", Path(name)):
        if (folder / "model.safetensors").is_file():
            return folder
    shipped = sorted(folder.name.removeprefix("encoder-") for folder in models.glob("encoder-*"))
    listed = ", ".join(shipped) or "none"
    raise OptionError(f"AMR encoder {name!r} is neither an encoder folder nor a shipped one ({listed})")
