"""Load a retrofitted encoder by names or folders."""

from __future__ import annotations

import logging
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from amrx.control_characters import visible
from amrx.errors import InputError, MissingResourceError, OptionError, check_choice
from amrx.pretrained.hub import name_of
from amrx.texts import as_items
from parser.load import PARSER, SPLIT, check_parser, with_split
from retrofit.folders import MODELS, SKETCHLESS, base_folder, encoder_folder, find_encoder, parser_folder
from retrofit.reduce import weights_of
from retrofit.saved_format import FILE, Origin, Source, read_saved, refuse_saved

if TYPE_CHECKING:
    from contextlib import ExitStack

    from amrx.encoder import Encodes
    from amrx.muse.model import MuseModel
    from amrx.muse.tokenize import MuseTokenizer
    from amrx.types import Encoder, Parser
    from parser.run.cache import ParseCache
    from retrofit.amr.encoder import AmrEncoder
    from retrofit.combine import Channel, RetrofittedEncoder, Weights


T = TypeVar("T")
_LOG = logging.getLogger(__name__)

PAPER_WEIGHT = 1.0
PRESETS = {
    "fast": ("student-text",),
    "text": ("student-e5",),
    "graph": ("mini",),
    "meaning": ("meaning",),
    "best": ("mini", "student-e5", "e5-small"),
}
"""Channels by name: two presets without a parser, the graph with the weight that is best for similarity, the
graph without its sketch with the largest weight that costs little of it, graph and text together."""
CHANNELS = tuple(dict.fromkeys(name for names in PRESETS.values() for name in names))
"""The channels of the presets."""


@dataclass(slots=True)
class Shared:
    """Bases and parsers that are loaded once for several encoders, by name.

    With a stack, a parser continues in processes that end with it (`parser.run.pool.GrowingParser`).
    """

    bases: dict[tuple[str, str | None], Encoder] = field(default_factory=dict)
    parsers: dict[tuple[str, int | None], Parser] = field(default_factory=dict)
    stack: ExitStack | None = None

    def base(self, name: str, device: str | None = None) -> Encoder:
        """Return a base, loaded at the first call."""
        from retrofit.bases import load_base

        if (name, device) not in self.bases:
            self.bases[name, device] = load_base(name, device)
        return self.bases[name, device]

    def parser(self, name: str, beam: int | None = None) -> Parser:
        """Return a parser, loaded at the first call."""
        from parser import load as load_parser
        from parser.run.pool import GrowingParser

        if (name, beam) not in self.parsers:
            loaded = load_parser(name, beam=beam)
            if self.stack is not None:
                loaded = GrowingParser(loaded, name, self.stack, beam)
            self.parsers[name, beam] = loaded
        return self.parsers[name, beam]


def load(
    base: str | Path | Encoder | Encodes = "muse",
    parser: str | Path | Parser | None = None,
    encoder: str | Path | Sequence[str | Path] | None = None,
    weight: Weights | None = None,
    *,
    preset: str | None = None,
    split: bool = True,
    beam: int | None = None,
    integration: str | None = None,
    dimensions: int | None = None,
    precision: str | None = None,
    cache: ParseCache | None = None,
    device: str | None = None,
    parts: Shared | None = None,
) -> RetrofittedEncoder:
    """Load base encoder, parser and channels (AMR encoders, students, other bases) and combine them.

    A folder that `RetrofittedEncoder.save` wrote is loaded by its name alone: ``load(DIR)``. It has its own
    parts, parser and integration; weight, precision and device may be given.

    Args:
        base: Name of a base encoder (see `retrofit.bases`), such as ``muse`` or ``st:DIR``, or a folder; or
            an object with ``encode``, such as a SentenceTransformer. An encoder with such an object cannot be
            saved.
        parser: Name or folder of a parser, or a parser; default `parser.load.PARSER`. None is loaded if no
            channel reads graphs.
        encoder: Names of channels, several also joined by ``,`` or ``+``: shipped AMR encoders or students,
            folders of such, or other bases; default ``mini``.
        weight: One weight for every channel, or one per channel. ``None`` looks up the weights stored with
            each channel: for this base, parser and other channels, then for another parser, then without the
            other channels; the default is 1, the paper's weight, and a warning is logged. 0 drops a
            channel; without channels the vectors are those of the base.
        split: A parser given by name parses each sentence of a text (`parser.document`), and the text's AMR
            side is the mean over them.
        beam: Number of beams of a parser given by name; its default when ``None``.
        preset: ``fast``, ``text``, ``graph``, ``meaning`` or ``best``, in place of ``encoder`` (`PRESETS`).
        integration: One of `retrofit.combine.INTEGRATIONS`, by default ``norm-concat``.
        dimensions: Width to which vectors are reduced, by a matrix that ships with amrx; all when ``None``.
        precision: Arithmetic of AMR encoders: ``fp32``, ``bf16``, ``int8`` (`amrx.int8`), or ``auto``, the
            default: int8 on a CPU, if the encoder's folder has its ranges, else bf16 where the device
            multiplies it, else fp32. A student reads int8 as auto, and has bf16 or fp32; with the base
            ``muse``, that of the base. A parser has int8 where it can, unless ``AMRX_INT8`` is 0.
        cache: Where parses are kept, such as the one of ``amrx parse``.
        device: Of base and channels: ``cpu``, ``cuda``, …; chosen when ``None``, the AMR encoder's is cpu.
        parts: Bases and parsers that are loaded already, and where those of this call are kept.

    Raises:
        OptionError: A name is unknown, or a saved folder comes with other parts.
        MissingResourceError: A model is not on this machine.
        InputError: Weights differ from those of a saved folder.
    """
    if isinstance(base, str | os.PathLike) and is_saved(name_of(base)):
        own = {
            "parser": parser, "encoder": encoder, "preset": preset, "split": None if split else split,
            "beam": beam, "integration": integration, "dimensions": dimensions,
        }  # fmt: skip
        if given := [name for name, value in own.items() if value is not None]:
            refuse_saved(Path(base), given)
        return load_saved(base, weight=weight, precision=precision, cache=cache, device=device, parts=parts)
    base, parser = _name_or_object(base), _checked_parser(parser, split)
    if isinstance(base, str) and base in PRESETS and not Path(base).is_dir():
        raise OptionError(f"{base!r} is a preset, no base encoder; write preset={base!r} (--preset {base})")
    encoders, precision = channel_names(encoder, preset, base), precision or "auto"

    from amrx.encoder import as_encoder
    from retrofit.combine import RetrofittedEncoder

    parts = parts or Shared()
    reads = list(map(reads_graphs, encoders))
    loaded = parts.base(base, device) if isinstance(base, str) else as_encoder(base)
    channels = [_load_channel(name, loaded, precision, device) for name in encoders]
    if weight is None:
        graphs = parser if isinstance(parser, str) else parser.fingerprint
        names = [channel.name for channel in channels]
        stored = fitted_weights(encoders, names, loaded, graphs)
        if None in stored:
            _LOG.warning("%s", visible(_unfitted(base, loaded.name, encoders, names, stored)))
        weight = [PAPER_WEIGHT if one is None else one for one in stored]
    source = None
    if isinstance(base, str) and isinstance(parser, str) and beam is None:
        source = source_of(base, parser, encoders, precision)
    reader = None
    if any(reads):
        reader = load_reader(parser, split=False, beam=beam, cache=cache, parts=parts)
    retrofitted = RetrofittedEncoder(
        loaded, reader, channels,
        weight=weight, integration=integration or "norm-concat", source=source, dimensions=dimensions,
    )  # fmt: skip
    retrofitted.check_dimensions()
    return retrofitted


def load_reader(
    parser: str | Path | Parser | None = None,
    *,
    split: bool = True,
    beam: int | None = None,
    cache: ParseCache | None = None,
    parts: Shared | None = None,
) -> Parser:
    """Load a parser as `load` does: by default the default one, which splits texts into sentences."""
    from parser.run.cache import CachedParser

    named = _checked_parser(parser, split)
    reader = (parts or Shared()).parser(named, beam) if isinstance(named, str) else named
    return reader if cache is None else CachedParser(reader, cache)


def _checked_parser(parser: str | Path | Parser | None, split: bool) -> str | Parser:
    """Return the name of a parser, with its splitter if requested, or the checked object."""
    named = _name_or_object(parser or PARSER)
    if isinstance(named, str):
        return with_split(named) if split else named
    check_parser(named)
    return named


def _unfitted(
    base: str | Encoder | Encodes,
    base_name: str,
    encoders: Sequence[str],
    names: Sequence[str],
    stored: Sequence[float | None],
) -> str:
    """Return a warning about channels without a weight fitted for a base."""
    missing = [i for i, weight in enumerate(stored) if weight is None]
    listed = " and ".join(encoders[i] for i in missing)
    problem = f"no weight was fitted for {listed} beside {base_name}, so it is {PAPER_WEIGHT:g}"
    if not isinstance(base, str):
        others = [_elsewhere(encoders[i], [*names[:i], *names[i + 1 :]]) for i in missing]
        known = f" (fitted: {'; '.join(filter(None, others))})" if any(others) else ""
        return f"{problem}{known}; give weight=, which retrofit.weight_fitting.fit_on_stsb fits"
    named = f"--base {shlex.quote(base)} --encoder {shlex.quote(','.join(encoders))}"
    return f"{problem}; fit and store it: amrx retrofit {named} --fit-weight --data DIR --save NEW_DIR"


def _elsewhere(encoder: str, others: Sequence[str]) -> str:
    """Return the weights of a channel that were fitted for other bases, in words."""
    from retrofit.weight_fitting import stored_weight, stored_weights

    folder = channel_folder(encoder)
    parser = PARSER if reads_graphs(encoder) else ""
    weights = {
        base: stored_weight(folder, base, parser, others, otherwise=PARSER) for base in stored_weights(folder)
    }
    shown = ", ".join(f"{weight:g} beside {base}" for base, weight in weights.items() if weight is not None)
    return shown and f"{encoder} {shown}"


def channels_beside(
    base: str,
    encoder: str | None,
    preset: str | None,
    *,
    dimensions: int | None = None,
    fit_weight: bool = False,
) -> tuple[str, ...] | None:
    """Return the names of the requested channels; ``None`` for a saved folder, which has its own.

    Raises:
        OptionError: A name is unknown, or a saved folder comes with other channels, dimensions or weights.
    """
    if not is_saved(base):
        return channel_names(encoder, preset, base)
    own = {"encoder": encoder, "preset": preset, "dimensions": dimensions, "fit-weight": fit_weight or None}
    if given := [name for name, value in own.items() if value is not None]:
        refuse_saved(Path(base), given)
    return None


def _name_or_object(part: str | Path | T) -> str | T:
    return name_of(part) if isinstance(part, str | os.PathLike) else part


def channel_names(
    encoder: str | Path | Sequence[str | Path] | None, preset: str | None, base: object = None
) -> tuple[str, ...]:
    """Return the names of the requested channels, for a preset without the base.

    Example:
        >>> channel_names("mini+student-text", None), channel_names(None, "text"), channel_names(None, None)
        (('mini', 'student-text'), ('student-e5',), ('mini',))
        >>> channel_names(None, "best", "e5-small")
        ('mini', 'student-e5')
    """
    if preset is None:
        if encoder is None:
            return ("mini",)
        if isinstance(encoder, str | os.PathLike):
            name = name_of(encoder)
            names = (name,) if Path(name).is_dir() else tuple(re.split(r"\s*[,+]\s*", name))
        else:
            several: list[str | Path] = as_items(encoder, (str, Path), "encoder")
            names = tuple(map(name_of, several))
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise OptionError(f"encoder {twice!r} is named twice")
        return names
    if encoder is not None:
        raise OptionError(f"preset {preset!r} sets the encoders; give either preset or encoder")
    check_choice("preset", preset, PRESETS)
    return tuple(name for name in PRESETS[preset] if name != base)


def _load_channel(name: str, base: Encoder, precision: str, device: str | None) -> Channel:
    from amrx.device import default_device
    from retrofit.bases import load_base
    from retrofit.bases.names import is_row
    from retrofit.student.encoder import load_student

    if is_row(name):
        return load_base(name, device)
    if reads_graphs(name):
        return load_amr(name, device=device or default_device("cpu"), precision=precision)
    return load_student(find_encoder(name), device=device, precision=precision, shared=_shared_muse(base))


def reads_graphs(name: str) -> bool:
    """Return whether a channel reads graphs: true for AMR encoders, false for students and other bases."""
    from retrofit.bases.names import is_row
    from retrofit.student.encoder import is_student

    return not is_row(name) and not is_student(find_encoder(name))


def fitted_weight(encoder: str, base: Encoder, parser: str, others: Sequence[str] = ()) -> float | None:
    """Return the weight stored for a channel, a base, a parser and other channels, if there is one.

    A weight that the user fitted (``--fit-weight``) precedes a shipped one.
    """
    from retrofit.weight_fitting import base_key, stored_weight

    key, inner = base_key(base), parser.removeprefix(f"{SPLIT}:")
    for folder in dict.fromkeys((own_weights(encoder), channel_folder(encoder))):
        weight = stored_weight(folder, key, inner, others, otherwise=PARSER)
        if weight is not None:
            return weight
    return None


def fitted_weights(
    encoders: Sequence[str], names: Sequence[str], base: Encoder, parser: str
) -> list[float | None]:
    """Return the stored weight of each of several channels, given as `load` takes them and by their names."""
    return [
        fitted_weight(encoder, base, parser if reads_graphs(encoder) else "", [*names[:i], *names[i + 1 :]])
        for i, encoder in enumerate(encoders)
    ]


def own_weights(name: str) -> Path:
    """Return the folder in which ``--fit-weight`` stores the weight of a channel.

    It is the channel's own folder, or for a channel that ships a folder of the user, ``amrx/weights`` below
    ``XDG_DATA_HOME`` (default ``~/.local/share``): the package is not changed.
    """
    folder = channel_folder(name)
    if MODELS not in folder.parents:
        return folder
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "amrx" / "weights" / folder.name


def channel_folder(name: str) -> Path:
    """Return the folder that stores the weight of a channel; for another base it is part of amrx."""
    from retrofit.bases.names import is_row

    if name in SKETCHLESS:
        return MODELS / f"encoder-{name}"
    return MODELS / f"base-{name.partition(':')[0]}" if is_row(name) else find_encoder(name)


def _shared_muse(base: Encoder) -> tuple[MuseModel, MuseTokenizer] | None:
    """Return model and tokenizer of the base ``muse``, to be shared by a student."""
    from retrofit.bases.muse import MuseBase

    return (base.model, base.tokenizer) if isinstance(base, MuseBase) else None


def load_amr(
    encoder: str | Path = "mini", *, device: str | None = "cpu", precision: str = "auto"
) -> AmrEncoder:
    """Load only an AMR encoder, by name or folder."""
    from retrofit.amr.encoder import load_encoder
    from retrofit.student.encoder import is_student

    name = name_of(encoder)
    folder = find_encoder(name)
    if is_student(folder):
        raise OptionError(f"encoder {str(encoder)!r} is a student, which reads sentences, not graphs")
    own = f"encoder-{name}" if name in SKETCHLESS else folder.name
    sketch = name not in SKETCHLESS
    return load_encoder(folder, device=device, precision=precision, name=own, sketch=sketch)


def source_of(base: str, parser: str, encoders: Sequence[str], precision: str) -> Source:
    """Return the names with absolute folders, so that they are valid in every working folder."""

    def origin(name: str, folder: str) -> Origin:
        return Origin(name.removesuffix(folder), str(Path(folder).absolute()) if folder else "")

    return Source(
        origin(base, base_folder(base)),
        origin(parser, parser_folder(parser)),
        tuple(origin(name, encoder_folder(name)) for name in encoders),
        precision,
    )


def is_saved(name: str) -> bool:
    """Return whether a base's name is a folder of `write_saved`; a base of that name has precedence."""
    from retrofit.bases.names import is_row

    return not is_row(name) and (Path(name) / FILE).is_file()


def load_saved(
    folder: str | Path,
    *,
    weight: Weights | None = None,
    precision: str | None = None,
    cache: ParseCache | None = None,
    device: str | None = None,
    parts: Shared | None = None,
) -> RetrofittedEncoder:
    """Load a folder written by `save`, without sentence-transformers.

    Arguments as in `retrofit.load`; weights and precision are the saved ones when ``None``.
    """
    root = Path(folder)
    if not (root / FILE).is_file():
        raise InputError("no such file; is this a folder that amrx retrofit --save wrote?", file=root / FILE)
    saved = read_saved(root)
    try:
        loaded = load(
            saved.base.name_in(root), saved.parser.name_in(root),
            [part.name_in(root) for part in saved.encoders], saved.weights if weight is None else weight,
            split=False,  # the saved name says whether the parser splits
            integration=saved.integration, dimensions=saved.dimensions,
            precision=precision or saved.precision.replace("int8", "auto"), cache=cache, device=device,
            parts=parts,
        )  # fmt: skip
    except MissingResourceError as error:
        raise MissingResourceError(f"{error.what} (needed by {root})", fetch=error.fetch) from error
    parser = "" if loaded.parser is None else loaded.parser.fingerprint
    fingerprints = (loaded.base.fingerprint, parser, *(encoder.fingerprint for encoder in loaded.encoders))
    for (key, part), fingerprint in zip(saved.parts(), fingerprints, strict=True):
        if weights_of(fingerprint) != weights_of(part.fingerprint):
            raise InputError(
                f"weights differ from the saved ones: {fingerprint} on this machine, "
                f"{part.fingerprint} in the file; vectors would differ, so save the folder again",
                file=root / FILE, field=f"{key}.fingerprint",
            )  # fmt: skip
    return loaded
