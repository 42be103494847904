"""Train base encoders: streamed input, objectives as tasks of `amrx.training`, one way to write the encoder.

::

    LANGUAGES:FILES ── sources ── check ──> rows counted, faults named     before anything is trained
                                  stream ── mixture ── feed ──> a batch of token ids
    backbone ── objective: batch -> {term: loss, "total": loss} ── task ──> checkpoints, log, encoder folder

A method (`retrofit.training.bases.train.Method`) is a recipe, a feed and an objective; the rest is here.
"""
