"""The graph-free student: text of any language straight into the space of a frozen teacher.

::

    text ──mUSE, frozen──> sum of token features (1280,), sentence (512,), subwords ──a few layers──> (d,)

The teacher saw the English side of a translation only, as text. The student is a second channel like the AMR
encoder and needs no parser.
"""
