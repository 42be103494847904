"""The parser that ships: multilingual, small, on the frozen token features of multilingual USE."""

from parser.mini.parser import MiniParser, load_mini

__all__ = ["MiniParser", "load_mini"]
