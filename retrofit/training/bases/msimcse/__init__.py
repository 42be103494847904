"""Train mSimCSE (Wang et al. 2022): contrastive learning of one space for many languages, even from English.

::

    unsupervised        a sentence and itself, under two dropouts
    english-nli         premise and entailed hypothesis; the contradiction is a hard negative
    cross-lingual-nli   the same, the language of each of the three drawn at random
    parallel            a sentence and its translation

Source: Yau-Shian Wang, Ashley Wu and Graham Neubig, English Contrastive Learning Can Learn Universal
Cross-lingual Sentence Embeddings, EMNLP 2022 (arXiv:2211.06127).
"""
