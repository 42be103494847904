"""Start a Ray cluster on this machine, or join the one named by ``RAY_ADDRESS``."""

from __future__ import annotations

import logging
import os
from typing import Any

from amrx.errors import AmrxError, MissingResourceError, OptionError, check_least
from amrx.threads import cores

_STORE = 512 * 2**20  # bytes of shared memory for the object store of this machine's own cluster
_ADDRESS = "RAY_ADDRESS"


class Cluster:
    """The Ray cluster named by ``RAY_ADDRESS``, else a local one that ends with `close`.

    There is one worker per free core when ``workers`` is ``None``. One core stays free for this process.

    Raises:
        OptionError: The number of workers is invalid, or the cluster is too small.
        MissingResourceError: Ray is not installed.
    """

    def __init__(self, workers: int | None) -> None:
        if workers is not None:
            check_least("workers", workers)
        try:
            import ray
        except ModuleNotFoundError as error:
            raise MissingResourceError(
                f"parts of the extra 'ray' ({error.name})", fetch="pip install 'amrx[ray]'"
            ) from None
        self._ours = not ray.is_initialized()
        if self._ours:
            _start(workers)
        try:
            free = int(ray.cluster_resources().get("CPU", 0)) - 1
            if free < (workers or 1):
                raise OptionError(
                    f"workers must be at most {max(free, 0)} on a Ray cluster of {free + 1} CPUs "
                    f"(one stays free), got {workers or 1}"
                )
            self.workers = workers or free
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the cluster if it was started here."""
        import ray

        if self._ours:
            ray.shutdown()


def _start(workers: int | None) -> None:
    """Join the cluster named by ``RAY_ADDRESS``, or start a local one."""
    import ray

    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # otherwise a killed actor floods the terminal
    address = os.environ.get(_ADDRESS)
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if not address:
        ray.init("local", num_cpus=(workers or cores()) + 1, object_store_memory=_STORE,
                 include_dashboard=False, **quiet)  # fmt: skip
        return
    try:
        ray.init(address, **quiet)
    except (ConnectionError, ValueError) as error:
        raise AmrxError(f"no Ray cluster at {address!r} (${_ADDRESS}): {error}") from error
