"""A small writer of plots as SVG: panels side by side, axes linear or logarithmic, points with labels, lines, a legend.
Texts are dark on a light ground, so that they read on dark pages too. Nothing random and few digits: small diffs."""
import collections
import html
import math

WIDTH, HEIGHT = 440, 320  # of one panel
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 34, 46  # margins
INK, FAINT, GROUND = "#24292f", "#d8dbd6", "#fbfbf8"
SIZE, WIDE = 11, 6.1  # of letters: height, average width

# points: (x, y) or (x, y, label); `line` joins them; a series with a name is in the legend when there is one
Series = collections.namedtuple("Series", "name points color line", defaults=["#0969da", False])
Panel = collections.namedtuple("Panel", "title x y series log_x log_y legend", defaults=[False, False, False])


def ticks(low, high, log):
    """Round numbers from low to high."""
    if log:
        steps = (1, 1.5, 2, 3, 5, 7) if high / low < 10 else (1, 2, 5) if high / low < 300 else (1,)
        found = [s * 10.0 ** k for k in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
                 for s in steps]
    else:
        step = 10.0 ** math.floor(math.log10((high - low) / 4))
        step *= next(s for s in (1, 2, 5, 10) if (high - low) / (s * step) <= 6)
        found = [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return [t for t in found if low * (1 - 1e-9) <= t <= high * (1 + 1e-9)]


def bounds(values, log):
    """The range of an axis: that of the values and a little more on both sides."""
    low, high = min(values), max(values)
    if log:
        room = max((high / low) ** 0.08, 1.15)
        return low / room, high * room
    room = 0.08 * (high - low) or 0.1 * abs(high) or 1
    return (max(low - room, 0) if low >= 0 else low - room), high + room


def scale(low, high, log, start, length):
    """Function from a value to its place."""
    if log:
        return lambda v: start + length * (math.log(v) - math.log(low)) / (math.log(high) - math.log(low))
    return lambda v: start + length * (v - low) / (high - low)


def number(value):
    return f"{value:.5g}" if value < 1e5 else f"{value:.0e}".replace("e+0", "e").replace("e+", "e")


def text(x, y, words, anchor="start", color=INK, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}"{more}>{html.escape(words)}</text>'


def rule(x1, y1, x2, y2, color=FAINT, width=1):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" '
            f'stroke-width="{width}"/>')


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def label(x, y, words, taken, frame):
    """Place of a label near its point (x, y), in nobody's way if there is such a place; taken: boxes, to which it adds
    its own. A step further out costs less than to lie on something."""
    wide, best = WIDE * len(words), None
    for step, dy in enumerate((4, -9, 17, -23, 31, -37, 45, -51, 59)):
        for dx in (7, -7 - wide, -wide / 2)[:2 if dy == 4 else 3]:
            box = (x + dx, y + dy - SIZE + 2, x + dx + wide, y + dy + 2)
            inside = frame[0] <= box[0] and box[2] <= frame[2] and frame[1] <= box[1] and box[3] <= frame[3]
            cost = step + 20 * sum(overlap(box, other) for other in taken) + 100 * (not inside)
            if best is None or cost < best[0]:
                best = (cost, box, x + dx, y + dy)
    taken.append(best[1])
    return best[2:]


def axes(panel, place_x, place_y, range_x, range_y):
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = [text(LEFT, 20, panel.title, more=' font-weight="bold"'),
             text((LEFT + right) / 2, HEIGHT - 10, panel.x, "middle"),
             text(15, (TOP + bottom) / 2, panel.y, "middle",
                  more=f' transform="rotate(-90 15 {(TOP + bottom) / 2:g})"')]
    for t in ticks(*range_x, panel.log_x):
        parts += [rule(place_x(t), TOP, place_x(t), bottom), text(place_x(t), bottom + 16, number(t), "middle")]
    for t in ticks(*range_y, panel.log_y):
        parts += [rule(LEFT, place_y(t), right, place_y(t)), text(LEFT - 6, place_y(t) + 4, number(t), "end")]
    return parts + [rule(LEFT, bottom, right, bottom, INK), rule(LEFT, TOP, LEFT, bottom, INK)]


def draw(panel):
    points = [p for s in panel.series for p in s.points]
    range_x, range_y = (bounds([p[i] for p in points], log) for i, log in ((0, panel.log_x), (1, panel.log_y)))
    place_x = scale(*range_x, panel.log_x, LEFT, WIDTH - LEFT - RIGHT)
    place_y = scale(*range_y, panel.log_y, HEIGHT - BOTTOM, TOP + BOTTOM - HEIGHT)
    parts = axes(panel, place_x, place_y, range_x, range_y)
    taken = [(place_x(p[0]) - 4, place_y(p[1]) - 4, place_x(p[0]) + 4, place_y(p[1]) + 4) for p in points]
    for s in panel.series:
        at = [(place_x(p[0]), place_y(p[1])) for p in s.points]
        if s.line:
            parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in at)}" fill="none" '
                         f'stroke="{s.color}" stroke-width="1.8"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{s.color}"/>' for x, y in at]
        for p, (x, y) in zip(s.points, at):
            if len(p) > 2:
                u, v = label(x, y, p[2], taken, (LEFT, TOP, WIDTH, HEIGHT - BOTTOM))
                if abs(v - y) > 20:
                    parts.append(rule(x, y, u + WIDE * len(p[2]) / 2, v + (3 if v < y else -SIZE), s.color, 0.6))
                parts.append(text(u, v, p[2], color=s.color))
    for k, s in enumerate([s for s in panel.series if s.name] if panel.legend else []):
        y = TOP + 12 + 16 * k
        parts += [rule(LEFT + 10, y, LEFT + 28, y, s.color, 3), text(LEFT + 34, y + 4, s.name)]
    return parts


def figure(panels, columns=2):
    """The panels as one SVG, row by row."""
    columns = min(columns, len(panels))
    wide, high = columns * WIDTH, math.ceil(len(panels) / columns) * HEIGHT
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
             f'font-family="Helvetica, Arial, sans-serif" font-size="{SIZE}">',
             f'<rect width="{wide}" height="{high}" rx="6" fill="{GROUND}"/>']
    for k, panel in enumerate(panels):
        parts += [f'<g transform="translate({k % columns * WIDTH} {k // columns * HEIGHT})">', *draw(panel), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"
