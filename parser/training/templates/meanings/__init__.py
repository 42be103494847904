"""Construct sentences by rule: one meaning in eight languages, with its graph.

::

    nouns.tsv, verbs.tsv, adverbs.tsv ──draw──> meaning ──graph──> AMR
                                      └─english, german, …──> a sentence in each language

The graphs of parallel text are written by a parser, so training on them repeats its errors. Here the roles
are correct by construction: passives, recipients, control ("wants to go"), embedded clauses, relative
clauses, comparison, commands, negation. The vocabulary is small and the sentences are simple: they teach
how roles are marked (order, case, agreement, particles); other corpora teach words.
"""
