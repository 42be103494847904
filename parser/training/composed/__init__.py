"""Compose sentences from training sentences and connectives: *if*, *although*, *he said that*, *twice*.

Sembanks of captions and news have few such sentences, so a parser trained only on them drops conditions. Here
two sentences with graphs are joined by a pattern of `connectives.tsv`:

    If a man plays a guitar, a dog barks.  ->  (b / bark-01 :ARG0 (d / dog)
                                                  :condition (p / play-11 :ARG0 (m / man) ...))
"""
