"""Fine-tune whole models for the tasks of Emma-X's Table 1 and mSimCSE's Table 5.

::

    heads      one or two texts, a new head: XNLI, AmericasNLI, PAWS-X, MARC, XCOPA, MultiEURLEX
    siamese    two texts, one encoder, cosine: Multi-STS, QE, LAReQA, Mewsli-X
"""
