"""Sentences composed of training sentences and connectives: *if*, *although*, *he said that*, *twice*.

Sembanks of captions and news have few such sentences, so a parser that learns from them alone drops the
condition. Here two sentences with graphs become one, by a pattern of `connectives.tsv`:

    If a man plays a guitar, a dog barks.  ->  (b / bark-01 :ARG0 (d / dog)
                                                  :condition (p / play-11 :ARG0 (m / man) ...))
"""
