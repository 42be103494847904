"""Download test sets from the Hugging Face hub if their licence permits redistribution.

::

    HubFile(path, data, file, form) ── a hub file, in the description of a task
    provide(tasks, data, cache)     ── downloads files missing in both folders into the cache, in the layout
                                       of the data folder; the tasks' loaders read them like any file

Only parquet and JSON files are read, by the readers of ``datasets``: no code of a dataset is ever run.
"""

from amrx.evaluation.hub_data.fetch import Provided, cache_beside, data_cache, provide
from amrx.evaluation.hub_data.forms import HubData, HubFile

__all__ = ["HubData", "HubFile", "Provided", "cache_beside", "data_cache", "provide"]
