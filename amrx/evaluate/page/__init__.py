"""Results as one HTML page: tables, intervals, bars; no network, no script.

::

    rows and items of each file ──sheets──> Sheet (a task and metric) ──tables, charts──> page

"""

from amrx.evaluate.page.document import page
from amrx.evaluate.page.sheet import Results, read_results, sheets

__all__ = ["Results", "page", "read_results", "sheets"]
