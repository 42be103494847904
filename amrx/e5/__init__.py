"""multilingual-e5-small (Wang et al. 2024) in torch, from a package but without its engine; 100 languages.

::

    text ──E5Tokenizer──> piece ids, spans ──Bert──> states (B, T, 384) ──mean──> vectors (B, 384)
"""
