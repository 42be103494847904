"""Draw the rows of a step so that each pass has every row once."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


class Shuffled:
    """Iterate endlessly over ``count`` items, each pass in a new order that depends only on the seed."""

    def __init__(self, count: int, seed: tuple[int, ...]) -> None:
        self._count, self._seed = count, seed
        self._order: tuple[int, Ints] = (-1, np.zeros(0, dtype=np.int64))

    def take(self, step: int, size: int) -> Ints:
        """Return the items of one step ``(size,)``, which do not depend on earlier calls."""
        places = np.arange(step * size, (step + 1) * size)
        taken = np.empty(size, dtype=np.int64)
        for epoch in np.unique(places // self._count):
            if self._order[0] != epoch:
                generator = np.random.default_rng((*self._seed, int(epoch)))
                self._order = (int(epoch), generator.permutation(self._count))
            inside = places // self._count == epoch
            taken[inside] = self._order[1][places[inside] % self._count]
        return taken
