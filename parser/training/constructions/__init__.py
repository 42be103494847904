"""Construct sentences of many languages with their graphs, one kind of meaning at a time.

Words are data, and so are languages: ``lexicon.toml`` has the graphs of nouns, deeds, times and so on,
``meanings.toml`` the graphs of whole sentences, by kind, with slots, and ``languages/xx.toml`` the words and
frames of one language::

    meanings   neg_but = "(c / contrast-01 :ARG1 {deed=who} :ARG2 (d / {deed2=who2} :polarity -))"
    en         neg_but = ["{who.nom} {deed.past}, but {who2.nom} did not {deed2.base}."]
               The baker sold the drum, but my aunt did not vote.

The class ``clause`` has whole clauses with slots of their own, so that any two can be joined::

    meanings   join_because = "(x / {clause} :ARG1-of (c / cause-01 :ARG0 {clause2}))"
    de         join_because = ["{clause.w}, weil {clause2.sub}.", "Weil {clause2.sub}, {clause.inv}."]

`lexicon` documents the files, `text` the frames, and `graph` the graphs. Portuguese, Swedish and Ukrainian
are never added: they measure how far the training carries over.
"""

from parser.training.constructions.draw import constructions, constructions_by_kind

__all__ = ["constructions", "constructions_by_kind"]
