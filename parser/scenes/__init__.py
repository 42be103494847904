"""Scenes: captions of pictures in English and Turkish, by rule.

::

    nouns.tsv, acts.tsv, colours.tsv, moods.tsv ──draw──> scene ──> an English and a Turkish sentence

Captions are what similarity is mostly measured on, and the open data has them in English, German, French and
Czech, and machine translations in nine more languages. Turkish has none: its text is everyday talk and news.
Words are those that captions are full of (counted in Multi30k's and SNLI's training sets). Other than
`parser.construct`, a scene has no graph.
"""

from parser.scenes.pairs import scene_pairs

__all__ = ["scene_pairs"]
