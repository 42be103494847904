"""Train Emma-X (Guo et al. 2023): one space for all languages, learnt from parallel and other text.

::

    1  pairs   translations ── InfoNCE (Eq. 2) ──> encoder
               translations, strangers, mixtures (Eqs. 3, 4) ──> rank classifier P(r | x, y) (Eq. 5)
       ranks   the classifier alone until it beats the prior; s_r from pairs of known rank
    2  text    encoder(x) against a queue of momentum vectors y:
               ranks of the classifier (Eq. 9) ──ranking InfoNCE (Eq. 7)──> encoder
               ranks of the similarity (Eqs. 10, 11) ──likelihood (Eq. 6)──> rank classifier

Rank 1 is a paraphrase, rank N is unrelated; encoder and classifier train each other, as in EM.
Source: Ping Guo et al., Emma-X: An EM-like Multilingual Pre-training Algorithm for Cross-lingual
Representation Learning, NeurIPS 2023 (arXiv:2310.17233).
"""
