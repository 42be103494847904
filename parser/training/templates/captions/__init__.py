"""Scenes: captions of pictures in English, Turkish and Arabic, by rule.

::

    nouns.tsv, acts.tsv, colours.tsv, moods.tsv ──draw──> scene
                                                   └─english, turkish, arabic──> a sentence of each

Captions are what similarity is mostly measured on. The open data has them in English, German, French and
Czech, and machine translated in nine more languages, but not in Turkish or Arabic, whose text is everyday
talk and news. The words are those that captions are full of (counted in Multi30k's and SNLI's training
sets). Other than a constructed sentence (`parser.training.templates.meanings`), a scene has no graph.
"""

from parser.training.templates.captions.draw import scene_pairs

__all__ = ["scene_pairs"]
