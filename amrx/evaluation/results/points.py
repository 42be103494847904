"""Write and read maps of vectors, points in a plane, beside the JSON of the rows.

::

    out.json.clouds.npz  heads (c, 5): encoder, task, language, metric, title
                         sizes (c,): number of points of each cloud
                         points (p, 2), groups (p,): all points of all clouds, one after the other
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from amrx.errors import InputError
from amrx.evaluation.results.items import Form, Key, read_arrays
from amrx.evaluation.results.rows import Cloud
from amrx.records import atomic_path

_FORMS = {"heads": Form("U", (5,)), "sizes": Form("iu"), "points": Form("f", (2,)), "groups": Form("U")}


def clouds_path(path: str | Path) -> Path:
    """Return the file of clouds of a JSON file of rows."""
    return Path(f"{path}.clouds.npz")


def write_clouds(path: str | Path, clouds: Mapping[Key, Sequence[Cloud]]) -> None:
    """Write the clouds of all rows; without clouds, remove the file of an earlier run."""
    flat = [(key, cloud) for key, of_row in clouds.items() for cloud in of_row]
    if not flat:
        clouds_path(path).unlink(missing_ok=True)
        return
    with atomic_path(clouds_path(path)) as temporary:
        np.savez_compressed(
            temporary,
            heads=np.array([[*key, cloud.title] for key, cloud in flat], dtype=np.str_),
            sizes=np.array([len(cloud.groups) for _, cloud in flat]),
            points=np.concatenate([cloud.points for _, cloud in flat]),
            groups=np.array([name for _, cloud in flat for name in cloud.groups], dtype=np.str_),
        )


def read_clouds(path: str | Path) -> dict[Key, tuple[Cloud, ...]]:
    """Read the clouds of a JSON file of rows, empty if it has none; no code in the file is run."""
    file = clouds_path(path)
    if not file.is_file():
        return {}
    heads, sizes, points, groups = read_arrays(file, _FORMS)
    if len(heads) != len(sizes) or not sizes.sum() == len(groups) == len(points) or (sizes < 0).any():
        raise InputError("its arrays differ in length", file=file)
    if not np.isfinite(points).all():
        raise InputError("holds a point that is infinite or NaN", file=file, field="points")
    clouds: dict[Key, tuple[Cloud, ...]] = {}
    start = 0
    for (encoder, task, language, metric, title), size in zip(heads.tolist(), sizes.tolist(), strict=True):
        key = (encoder, task, language, metric)
        cloud = Cloud(title, points[start : start + size], tuple(groups[start : start + size].tolist()))
        clouds[key] = (*clouds.get(key, ()), cloud)
        start += size
    return clouds
