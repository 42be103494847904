"""Results as one HTML page: tables, intervals, bars; no network, no script.

::

    rows and items of each file ──sheets──> Sheet (a task and metric) ──tables, charts──> page
    clouds of vectors ────────────────────────────────────────maps of points──^

"""

from amrx.evaluate.page.document import page
from amrx.evaluate.page.sheet import Results, joined, read_results, sheets

__all__ = ["Results", "joined", "page", "read_results", "sheets"]
