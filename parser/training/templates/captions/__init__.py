"""Generate scenes, which are captions of pictures, in English, Turkish and Arabic by rule.

::

    nouns.tsv, acts.tsv, colours.tsv, moods.tsv ──draw──> scene
                                                   └─english, turkish, arabic──> a sentence in each

Similarity benchmarks consist mostly of captions. The open data has captions in English, German, French and
Czech, and machine translations in nine more languages, but none in Turkish or Arabic. The words are those
that are frequent in captions (counted in the training sets of Multi30k and SNLI). Unlike a constructed
sentence (`parser.training.templates.meanings`), a scene has no graph.
"""

from parser.training.templates.captions.draw import scene_pairs

__all__ = ["scene_pairs"]
