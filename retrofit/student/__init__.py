"""Encode text of any language into the space of a frozen teacher, without a graph: the student.

::

    text ──mUSE, frozen──> sum of token features (1280,), sentence (512,), subwords ──a few layers──> (d,)
    text ──e5-small, its matrices updated──> mean of the last states (384,) ──a matrix──> (d,)

In training the teacher reads only the English side of translations, as text. The student is a channel like
the AMR encoder and needs no parser.
"""
