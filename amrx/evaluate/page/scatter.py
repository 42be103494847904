"""Clouds of points as SVG: a colour a group, a picture a cloud."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amrx.evaluate.clouds import Cloud
from amrx.evaluate.items import Key
from amrx.visible import markup

MOST_NAMED = 16
"""With more groups than these, their names show only where the pointer rests."""

_SIZE, _EDGE = 300, 8
_TURN = 137.508  # degrees between the hues of two groups: the golden angle, which never repeats


def clouds_section(clouds: Mapping[Key, Sequence[Cloud]]) -> str:
    """Return the clouds of every task, a line of pictures an encoder; empty if there are none."""
    tasks: dict[str, list[str]] = {}
    for (encoder, task, _, _), found in clouds.items():
        figures = "".join(_figure(encoder, cloud) for cloud in found)
        tasks.setdefault(task, []).append(
            f'<p class="legend">{markup(encoder)}</p><div class="charts clouds">{figures}</div>'
        )
    told = "t-SNE maps: only nearness has a meaning, not direction nor the room between clumps."
    return "".join(
        f'<section><h2>{markup(task)}</h2><h3>maps of the vectors</h3><p class="note">{told}</p>'
        f"{''.join(parts)}</section>\n"
        for task, parts in tasks.items()
    )


def _figure(encoder: str, cloud: Cloud) -> str:
    names = list(dict.fromkeys(cloud.groups))
    hues = {name: f"hsl({place * _TURN % 360:.0f} 62% 52%)" for place, name in enumerate(names)}
    keys = ""
    if 1 < len(names) <= MOST_NAMED:
        spans = (f'<span><i style="background:{hues[name]}"></i>{markup(name)}</span>' for name in names)
        keys = f'<p class="legend">{"".join(spans)}</p>'
    caption = f"{cloud.title}, {len(cloud.groups)} sentences"
    return f"<figure><figcaption>{markup(caption)}</figcaption>{_svg(encoder, cloud, hues)}{keys}</figure>"


def _svg(encoder: str, cloud: Cloud, hues: Mapping[str, str]) -> str:
    groups: dict[str, list[str]] = {name: [] for name in hues}
    for (x, y), name in zip(cloud.points.tolist(), cloud.groups, strict=True):
        across, down = (_EDGE + place * (_SIZE - 2 * _EDGE) for place in (x, 1 - y))
        groups[name].append(f'<circle cx="{across:.1f}" cy="{down:.1f}" r="2.6"/>')
    inside = "".join(
        f'<g style="fill:{hues[name]}"><title>{markup(name)}</title>{"".join(dots)}</g>'
        for name, dots in groups.items()
    )
    title = markup(f"{cloud.title}, {encoder}")
    return f'<svg class="cloud" role="img" viewBox="0 0 {_SIZE} {_SIZE}"><title>{title}</title>{inside}</svg>'
