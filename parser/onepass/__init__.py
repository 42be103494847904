"""The parser that ships: multilingual, small, on layers of multilingual-e5-small."""

from parser.onepass.parser import OnePassParser, load_onepass

__all__ = ["OnePassParser", "load_onepass"]
