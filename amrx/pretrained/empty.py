"""Build networks without drawing initial weights that are overwritten immediately."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch
from torch.nn import init
from torch.overrides import TorchFunctionMode

_RANDOM = frozenset({init.kaiming_uniform_, init.normal_, init.uniform_})


class no_random_numbers(TorchFunctionMode):  # noqa: N801  # a context manager, named like torch.no_grad
    """Skip the random initialisation of weights; they hold whatever is in memory.

    Only for networks whose weights are all loaded afterwards. (Building on the device ``meta`` is slower than
    drawing: its first use loads much of torch.)
    """

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Iterable[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401  # torch's functions return any type
        """Call ``func``, unless it draws random numbers: then return the tensor unchanged."""
        given = kwargs or {}
        if func is torch.randn:
            return torch.empty(*args, **given)
        return given["tensor"] if func in _RANDOM else func(*args, **given)
