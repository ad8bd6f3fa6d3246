"""Charts as SVG, without a library."""

import math
from xml.sax.saxutils import escape

FONT = 'font-family="sans-serif" font-size="12"'
COLOURS = ["#1b6ca8", "#c8553d", "#588157", "#8e6c8a", "#d4a017", "#3d405b", "#2a9d8f", "#9c6644", "#6a994e",
           "#bc4749", "#5f0f40", "#0f4c5c", "#e36414", "#7a6563"]


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {FONT} {more}>{escape(words)}</text>'


def svg(width, height, title, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}"><rect width="100%" height="100%" fill="white"/>'
            + text(10, 20, title, 'font-weight="bold"') + "".join(parts) + "</svg>\n")


def bars(title, rows):
    """A bar for each row of a name, a value and the most that it should be, which is a line across."""
    width, left, step = 720, 170, 26
    longest = max([1.5, *(value for _, value, _ in rows), *(most for _, _, most in rows)])
    scale = (width - left - 60) / longest
    parts = []
    for place, (name, value, most) in enumerate(rows):
        top = 36 + step * place
        colour = COLOURS[1] if most and value > most else COLOURS[0]
        parts += [text(left - 8, top + 13, name, 'text-anchor="end"'),
                  f'<rect x="{left}" y="{top}" width="{value * scale:.1f}" height="18" fill="{colour}"/>',
                  text(left + value * scale + 5, top + 13, f"{value:.2f}")]
        if most:
            x = left + most * scale
            parts.append(f'<line x1="{x:.1f}" y1="{top - 3}" x2="{x:.1f}" y2="{top + 21}" stroke="black"/>')
    parts.append(f'<line x1="{left + scale:.1f}" y1="30" x2="{left + scale:.1f}" y2="{36 + step * len(rows)}" '
                 'stroke="#888" stroke-dasharray="3 3"/>')
    return svg(width, 50 + step * len(rows), title, parts)


def growth(title, sizes, lines):
    """A line for each name over the sizes, both axes in powers of ten."""
    width, height, left, right, top, bottom = 720, 420, 60, 180, 40, 40
    values = [value for line in lines.values() for value in line if value]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    first, last = math.log10(sizes[0]), math.log10(sizes[-1])
    across = lambda size: left + (width - left - right) * (
        (math.log10(size) - first) / (last - first) if last > first else 0.5)
    up = lambda value: height - bottom - (height - top - bottom) * (math.log10(value) - low) / max(1, high - low)
    parts = []
    for power in range(low, high + 1):
        y = up(10 ** power)
        parts += [f'<line x1="{left}" y1="{y:.1f}" x2="{width - right}" y2="{y:.1f}" stroke="#ddd"/>',
                  text(left - 6, y + 4, f"{10 ** power:g} s", 'text-anchor="end"')]
    parts += [text(across(size), height - bottom + 18, f"{size:,}", 'text-anchor="middle"') for size in sizes]
    known = {name: [(size, value) for size, value in zip(sizes, line) if value] for name, line in lines.items()}
    labels = sorted((up(line[-1][1]), name) for name, line in known.items() if line)
    last_y = 0
    for place, (y, name) in enumerate(labels):
        colour, last_y = COLOURS[place % len(COLOURS)], max(y, last_y + 14)
        points = " ".join(f"{across(size):.1f},{up(value):.1f}" for size, value in known[name])
        parts += [f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>']
        parts += [f'<circle cx="{across(size):.1f}" cy="{up(value):.1f}" r="3" fill="{colour}"/>'
                  for size, value in known[name]]
        parts.append(text(width - right + 10, last_y + 4, name, f'fill="{colour}"'))
    return svg(width, height, title, parts)
