"""amrx: retrofit multilingual sentence embeddings with Abstract Meaning Representation."""

__version__ = "0.1.0"
