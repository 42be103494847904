"""Read and write the data that flows between stages: sentences, graphs, vectors.

::

    txt tsv csv jsonl PENMAN "-" ──read_sentences──> Sentence
    PENMAN jsonl                 <──read_graphs / write_graphs──> Parse
    npy parquet jsonl            <──write_vectors── (n, d)

Readers stream, expect UTF-8, and name file and line in errors. Writers write to a temporary name in the same
folder and rename it, so that a killed run leaves no partial file.
"""

from amrx.records.blocks import count_missing_graphs
from amrx.records.graphs import read_graphs, write_graphs
from amrx.records.resumable import ResumableVectors, fingerprint
from amrx.records.sentence_files import read_sentences
from amrx.records.vectors import check_format, write_ids, write_vectors
from amrx.records.writing import atomic_path, check_writable, make_folder, write_json, write_text

__all__ = [
    "ResumableVectors", "atomic_path", "check_format", "check_writable", "count_missing_graphs",
    "fingerprint", "make_folder", "read_graphs", "read_sentences", "write_graphs", "write_ids",
    "write_json", "write_text", "write_vectors",
]  # fmt: skip
