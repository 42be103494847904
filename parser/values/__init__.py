"""Read the values of a text, which are facts: numbers, dates, times, units, money, names of places.

::

    text ── written_in_digits ──> text for the network
    text ── find_values ──> values ── with_values ──> graph with each value once
                                   ── lost_values ──> what the graph lacks
"""

from parser.values.apply import find_values, lost_values, with_values
from parser.values.text import written_in_digits
from parser.values.value import Value

__all__ = ["Value", "find_values", "lost_values", "with_values", "written_in_digits"]
