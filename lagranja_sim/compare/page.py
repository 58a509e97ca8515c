"""A comparison as one page that works offline: what was found in sentences, the chart, the tables, and the block to paste."""

from __future__ import annotations

import base64
from typing import Any

from jinja2 import Environment

from lagranja_sim.compare import grid
from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.crossings import HOW, crossings, sentences
from lagranja_sim.compare.differences import SAME
from lagranja_sim.compare.paste import block
from lagranja_sim.compare.response import Response
from lagranja_sim.compare.show import COLUMNS, CROSSED, cells, heading, heading_of_sweep, remarks, tables_of_sweep
from lagranja_sim.compare.words import findings, luck, pairing

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>
body { font: 15px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem } h3 { font-size: 1rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem }
th, td { padding: .2rem .7rem .2rem 0; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
.wide { overflow-x: auto }
img { max-width: 100%; height: auto }
pre { background: #f4f4f4; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body>
<h1>{{ title }}</h1>
<p>{{ heading }}</p>
<p><img src="data:image/png;base64,{{ chart }}" alt="Means of the main measures under each arm; the tables below hold the same numbers"></p>
{% if crossed %}<h2>{{ crossed_title }}</h2>
<ul>
{% for sentence in crossed %}<li>{{ sentence }}</li>
{% endfor %}</ul>
<p>{{ how }}.</p>{% endif %}
{% for table in tables %}{% if loop.first %}<h2>Measure by measure</h2>
{% if legend %}<p>{{ legend }}</p>
{% endif %}{% endif %}
<h3>{{ table.title }}</h3>
<div class="wide"><table>
<thead><tr>{% for column in table.columns %}<th scope="col">{{ column }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in table.rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</tbody>
</table></div>
{% endfor %}
{% for arm in arms %}
{% if tables %}<details><summary>{{ arm.title }}</summary>{% else %}<h2>{{ arm.title }}</h2>{% endif %}

<ul>
{% for sentence in arm.sentences %}<li>{{ sentence }}</li>
{% endfor %}</ul>
{% if arm.rows %}<div class="wide"><table>
<thead><tr>{% for column in columns %}<th scope="col">{{ column }}</th>{% endfor %}</tr></thead>
<tbody>
{% for row in arm.rows %}<tr>{% for cell in row %}<td{% if loop.first %} title="{{ words[cell] }}"{% endif %}>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</tbody>
</table></div>{% endif %}
{% if arm.same %}<p>Identical in every deal: {{ arm.same | join(", ") }}.</p>{% endif %}
{% if tables %}</details>{% endif %}
{% endfor %}
{% for remark in remarks %}<p>{{ remark }}</p>
{% endfor %}
<h2>To paste</h2>
<pre>{{ block }}</pre>
</body>
</html>
"""


def page(outcome: Comparison | Response, chart: bytes) -> str:
    """The page; `chart` is its picture."""
    comparison = outcome if isinstance(outcome, Comparison) else outcome.comparison
    return (
        Environment(autoescape=True, trim_blocks=True)
        .from_string(PAGE)
        .render(
            **(of_comparison(outcome) if isinstance(outcome, Comparison) else of_sweep(outcome)),
            chart=base64.b64encode(chart).decode(),
            arms=[section(comparison, arm) for arm in comparison.arms[1:]],
            columns=COLUMNS,
            words={measure.name: measure.words for measure in comparison.measures},
            remarks=remarks(comparison),
            block=block(comparison),
        )
    )


def of_comparison(comparison: Comparison) -> dict[str, Any]:
    """What stands above the sections of the arms."""
    against = f"{', '.join(arm.text for arm in comparison.arms[1:])} against {comparison.arms[0].text}"
    return {"title": against, "heading": heading(comparison)}


def of_sweep(response: Response) -> dict[str, Any]:
    """The same of a sweep or a grid: its crossings, and a table for each measure, which open the sections of the arms."""
    kind, keys = "grid" if response.is_grid else "sweep", " and ".join(sweep.title for sweep in response.sweeps)
    tables = [{"title": head, "columns": columns, "rows": rows} for head, columns, rows in tables_of_sweep(response)]
    crossed = {"crossed": sentences(crossings(response)), "crossed_title": CROSSED, "how": HOW}
    legend = {"legend": grid.LEGEND} if response.is_grid else {}
    return {"title": f"A {kind} of {keys}", "heading": heading_of_sweep(response), "tables": tables, **crossed, **legend}


def section(comparison: Comparison, arm: Arm) -> dict[str, Any]:
    """What one arm differs in; a sequential test says it in the block."""
    rows = [] if comparison.stopped else comparison.of_arm(arm)
    sentences = [luck(comparison, arm), pairing(comparison, arm), *([] if comparison.stopped else findings(comparison, arm))]
    return {
        "title": f"{arm.text} against {comparison.arms[0].text}",
        "sentences": sentences,
        "rows": [cells(comparison, row) for row in rows if row.verdict != SAME],
        "same": [row.measure for row in rows if row.verdict == SAME],
    }
