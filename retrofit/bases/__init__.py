"""Load base encoders by name: ``load_base("muse")``, ``load_base("st:sentence-transformers/LaBSE")``."""

from retrofit.bases.names import load_base

__all__ = ["load_base"]
