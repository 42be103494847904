"""What the trainers of base encoders share: streamed input, one loop, one way to write the encoder.

::

    LANGUAGES:FILES ── sources ── check ──> rows counted, faults named     before anything is trained
                                  stream ── mixture ── feed ──> a batch of token ids
    backbone ── objective: batch -> {term: loss, "total": loss} ── loop ──> checkpoints, log, encoder folder

A method is a recipe, a feed and an objective; the rest is here.
"""
