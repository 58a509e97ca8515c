"""A comparison as one page that works offline: what was found in sentences, the chart, the tables, and the block to paste."""

from __future__ import annotations

import base64
from typing import Any

from jinja2 import Environment

from lagranja_sim.compare.arms import Arm
from lagranja_sim.compare.comparison import Comparison
from lagranja_sim.compare.differences import SAME
from lagranja_sim.compare.paste import block
from lagranja_sim.compare.show import COLUMNS, cells, heading, remarks
from lagranja_sim.compare.sweep import Response
from lagranja_sim.compare.words import findings, luck, pairing

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>
body { font: 15px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem }
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
{% for arm in arms %}
<h2>{{ arm.title }}</h2>
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
    against = f"{', '.join(arm.text for arm in comparison.arms[1:])} against {comparison.arms[0].text}"
    title = against if isinstance(outcome, Comparison) else f"A sweep of {outcome.sweep.key}"
    return (
        Environment(autoescape=True, trim_blocks=True)
        .from_string(PAGE)
        .render(
            title=title,
            heading=heading(comparison),
            chart=base64.b64encode(chart).decode(),
            arms=[section(comparison, arm) for arm in comparison.arms[1:]],
            columns=COLUMNS,
            words={measure.name: measure.words for measure in comparison.measures},
            remarks=remarks(comparison),
            block=block(comparison),
        )
    )


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
