"""Combine several readings of a sentence into one graph by voting: ``voted:PARSER``, ``voted@K:PARSER``.

::

    sentence ──PARSER, beam search──> 1 reading ──┐
             ──PARSER, sampling───> K readings ───┴─count──> votes ─elect──> graph

A reading is one graph that a parser gives for a sentence. ``voted:mini`` is the default parser of ``amrx
parse`` and of the retrofit; the retrofit takes the mean of the vectors of all readings.
"""
