"""Constructed sentences: one meaning in eight languages, with its graph, by rule.

::

    nouns.tsv, verbs.tsv, adverbs.tsv ──draw──> meaning ──graph──> AMR
                                      └─english, german, …──> a sentence of each language

Parallel text has no graphs but those that a parser gives it, so that what the parser gets wrong it teaches
itself. Here who does what to whom is right by construction: passives, recipients, control ("wants to go"),
clauses in clauses, relatives, comparison, negation. The words are few and the sentences plain; they teach
how the roles are marked (order, case, agreement, particles), and other corpora teach words.
"""
