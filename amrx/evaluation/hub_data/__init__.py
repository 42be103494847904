"""Test sets from the hub, where a licence lets them lie there: the second place that data are taken from.

::

    HubFile(path, data, file, form) ── what a task's description says of each of its files
    provide(tasks, data, cache)     ── what neither folder has is fetched into the cache, in the layout of
                                       the data folder; then the tasks' own loaders read it, like any file

Only parquet and JSON files are read, by the readers of ``datasets`` itself: no code of a dataset is ever run.
"""

from amrx.evaluation.hub_data.fetch import Provided, data_cache, provide
from amrx.evaluation.hub_data.source import HubData, HubFile

__all__ = ["HubData", "HubFile", "Provided", "data_cache", "provide"]
