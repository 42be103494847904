"""The parser that ships: multilingual, small, on layers of multilingual-e5-small."""

from parser.mini.parser import MiniParser, load_mini

__all__ = ["MiniParser", "load_mini"]
