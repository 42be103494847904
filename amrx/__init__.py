"""amrx: retrofit multilingual sentence embeddings with Abstract Meaning Representation."""

from amrx.stages import check_stages

__version__ = "0.1.0"

check_stages()
