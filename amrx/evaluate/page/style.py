"""The style sheet of the page, light and dark."""

from __future__ import annotations

_LIGHT = (
    "--ink:#1b2230;--soft:#5b6475;--ground:#f4f6fa;--paper:#fff;--edge:#dfe3eb;--real:#e9f0ff;"
    "--s0:#7b8596;--s1:#2f62d8;--s2:#c9781a;--s3:#b8329b;--s4:#1d8a5b;--s5:#8a4fd0"
)
_DARK = (
    "--ink:#e8ebf2;--soft:#a3acbd;--ground:#0f1219;--paper:#171b24;--edge:#2b3240;--real:#1d2d52;"
    "--s0:#8d97a8;--s1:#6f98f5;--s2:#e0a348;--s3:#ef7fd3;--s4:#4fc795;--s5:#b88cf2"
)
_SERIES = "".join(
    f".s{n}{{fill:var(--s{n});stroke:var(--s{n})}}i.s{n}{{background:var(--s{n})}}" for n in range(6)
)

CSS = f"""
:root{{color-scheme:light dark;{_LIGHT}}}
@media(prefers-color-scheme:dark){{:root{{{_DARK}}}}}
*{{box-sizing:border-box}}
body{{margin:0;background:var(--ground);color:var(--ink);line-height:1.5;
  font-family:"Inter","Segoe UI","Helvetica Neue",Arial,"Noto Sans",sans-serif}}
main{{max-width:1280px;margin:0 auto;padding:28px clamp(12px,3vw,28px) 64px}}
h1{{font-size:26px;margin:0 0 4px}}
h2{{font-size:19px;margin:40px 0 0}}
h3{{font-size:15px;margin:18px 0 6px}}
p{{margin:0 0 8px;max-width:90ch;overflow-wrap:anywhere}}
.note{{color:var(--soft);font-size:14px}}
.scroll{{overflow-x:auto;background:var(--paper);border:1px solid var(--edge);border-radius:10px;
  margin:6px 0 10px}}
table{{border-collapse:collapse;width:100%;font-size:14px}}
th,td{{padding:6px 11px;text-align:right;border-top:1px solid var(--edge);white-space:nowrap;
  font-variant-numeric:tabular-nums;vertical-align:top}}
thead th{{border-top:0;color:var(--soft);font-weight:600;vertical-align:bottom}}
th:first-child{{text-align:left;position:sticky;left:0;background:var(--paper);max-width:46vw;
  min-width:min(13rem,46vw);white-space:normal;overflow-wrap:anywhere}}
td.mean{{font-weight:700}}
td.real{{background:var(--real)}}
td small{{display:block;font-weight:400;color:var(--soft)}}
tr.published th,tr.published td{{color:var(--soft);font-style:italic}}
.charts{{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:12px}}
figure{{margin:0;background:var(--paper);border:1px solid var(--edge);border-radius:10px;padding:10px 12px;
  min-width:0}}
figcaption{{font-size:13px;color:var(--soft);margin-bottom:6px}}
.chart{{display:block;font-size:12px}}
.chart text{{fill:var(--ink);text-anchor:end;stroke:none}}
.chart text.name{{text-anchor:start}}
.chart text.number{{fill:var(--soft);text-anchor:start;font-size:11px}}
.chart text.before{{text-anchor:end}}
.chart rect{{stroke:none}}
.chart g line{{stroke-width:2}}
.chart .unsure{{opacity:.55}}
.chart .zero{{stroke:var(--soft);stroke-width:1}}
.legend{{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px}}
.legend i{{display:inline-block;width:12px;height:12px;border-radius:3px;margin-right:6px;
  vertical-align:-1px}}
.cloud{{display:block;width:100%;max-width:380px;aspect-ratio:1;margin:0 auto}}
.cloud circle{{opacity:.75}}
.clouds{{grid-template-columns:repeat(auto-fit,minmax(min(260px,100%),1fr))}}
summary{{cursor:pointer;color:var(--soft);font-size:14px}}
details{{margin:8px 0}}
{_SERIES}
"""
