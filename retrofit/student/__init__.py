"""The graph-free student: text of any language straight into the space of a frozen teacher.

::

    text ──mUSE, frozen──> sum of token features (1280,), sentence (512,), subwords ──a few layers──> (d,)
    text ──e5-small, its matrices updated──> mean of the last states (384,) ──a matrix──> (d,)

The teacher saw the English side of a translation only, as text. The student is a second channel like the AMR
encoder and needs no parser.
"""
