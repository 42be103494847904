"""Transfer tasks: a logistic regression on frozen vectors, fitted on English, measured on every language.

::

    vectors ──features──> (n, d) ──protocol: grid, mean dev accuracy──> one linear classifier ──> accuracy
"""
