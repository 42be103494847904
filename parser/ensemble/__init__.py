"""One graph out of several readings, statement by statement: ``voted:PARSER`` and ``voted@K:PARSER``.

::

    sentence ──PARSER's own search──> reading ──┐
             ──PARSER, drawing K times──> K ────┴─count──> votes ─elect──> graph; others: the readings

``voted:mini`` is the default parser of ``amrx parse`` and of the retrofit, which takes the mean of the
vectors of all these graphs.
"""

from parser.ensemble.count_votes import Votes, count
from parser.ensemble.elect import SHARE, elect
from parser.ensemble.voted_parser import SAMPLES, VotedParser, vote

__all__ = ["SAMPLES", "SHARE", "VotedParser", "Votes", "count", "elect", "vote"]
