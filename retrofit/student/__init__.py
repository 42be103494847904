"""The graph-free student: text of any language straight into the space of a frozen teacher.

::

    text ──mUSE, frozen──> token features (T, 1280), sentence (512,) ──two Transformer layers──> (d,)

The teacher saw the English side of a translation only: as text (``student-text``) or as the graph that the
parser gives for it (``student``). The student is a second channel like the AMR encoder and needs no parser.
"""
