"""Multilingual Universal Sentence Encoder v3 in torch: token features and sentence vectors, 16 languages.

::

    text ──tokenize──> ids (T,) ──embed, project, convolve──> features (T, 1280) ──pool──> sentence (512,)

Weights and subword model are read as plain arrays from an installed package (see ``weights``).
Source: Yang et al. 2020, Multilingual Universal Sentence Encoder for Semantic Retrieval.
"""
