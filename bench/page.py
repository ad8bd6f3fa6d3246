"""The page that tells what was measured, and its charts."""

import os
import statistics

from cases import CASES
from charts import bars, growth
from report import INTRODUCTION


class Figures:
    """What was measured, in medians."""

    def __init__(self, lines):
        self.ends = [line for line in lines if line["side"] == "end"]
        self.lines = [line for line in lines if line["side"] != "end" and is_what_it_says(line)]
        self.sizes = sorted({line["learners"] for line in self.lines})

    def values(self, learners, case, side, what="seconds"):
        return [line[what] for line in self.lines
                if (line["learners"], line["case"], line["side"]) == (learners, case, side)
                and line.get(what) is not None]

    def median(self, learners, case, side, what="seconds"):
        values = self.values(learners, case, side, what)
        return statistics.median(values) if values else None

    def most(self, learners, case, side, what):
        return max(self.values(learners, case, side, what), default=None)

    def sizes_run(self):
        return [size for size in self.sizes if any(self.run_of(size, case.name) for case in CASES)]

    def run_of(self, learners, case, what="seconds"):
        """Of the job once, as it is measured among all numbers of learners, or in rounds where it was not."""
        found = self.median(learners, case, "once", what)
        return self.median(learners, case, "job", what) if found is None else found

    def ratio(self, learners, case, of="job", to="floor"):
        some, other = self.median(learners, case, of), self.median(learners, case, to)
        return some / other if some and other else None


def is_what_it_says(line):
    """Of a run in parts, whether these were worked at at once; the few learners of a check are gone too soon.

    Lines of before 2026-11-23 do not say so, nor what the host took.
    """
    return line["side"] != "parts" or line.get("at_once") != 1


def number(value, digits=2):
    return "–" if value is None else f"{value:,.{digits}f}"


def share(value):
    return "–" if value is None else f"{value:.0%}"


def seconds(value):
    return "–" if value is None else f"{value * 1000:,.0f} ms" if value < 10 else f"{value:,.1f} s"


def bound(value, sign):
    return f" ({sign} {value:g})" if value else ""


def table_of(figures, learners):
    yield ("| case | rows | job | floor | job / floor | Procrastinate / job | Procrastinate / floor | loop / job "
           "| dry run |")
    yield "|---" * 9 + "|"
    for case in measured(figures, learners):
        median = lambda side, what="seconds": figures.median(learners, case.name, side, what)
        ratio = lambda of, to: figures.ratio(learners, case.name, of, to)
        cells = [
            f"{case.title} (`{case.name}`)", number(median("job", "rows"), 0), seconds(median("job")),
            seconds(median("floor")),
            number(ratio("job", "floor")) + bound(case.most if case.floor else 0, "≤"),
            number(ratio("procrastinate", "job"), 0) + bound(case.least_peer, "≥"),
            number(ratio("procrastinate", "floor"), 0), number(ratio("loop", "job"), 0), seconds(median("dry"))]
        yield "| " + " | ".join(cells) + " |"


def parts_of(figures, learners):
    yield "| case | job in two parts | job / that | Procrastinate / that | two Procrastinates / that |"
    yield "|---" * 5 + "|"
    for case in measured(figures, learners):
        if figures.median(learners, case.name, "parts"):
            ratio = lambda of: figures.ratio(learners, case.name, of, "parts")
            yield "| " + " | ".join([
                f"`{case.name}`", seconds(figures.median(learners, case.name, "parts")),
                number(ratio("job")) + bound(case.least_gain, "≥"),
                number(ratio("procrastinate"), 0) + bound(case.least_peer, "≥"),
                number(ratio("procrastinates"), 0)]) + " |"


def measured(figures, learners):
    return [case for case in CASES if figures.median(learners, case.name, "job")]


def costs_of(figures, learners):
    yield ("| case | rows/s | worker's CPU, s | worker's memory, MB | WAL, MB | the floor's | temporary files, MB "
           "| longest transaction, s | longest lock, s | rounds | load before one | taken by the host |")
    yield "|---" * 12 + "|"
    for case in measured(figures, learners):
        for side, name in (("job", f"`{case.name}`"), ("parts", "in two parts")):
            if figures.median(learners, case.name, side):
                yield "| " + " | ".join([name, *costs(figures, learners, case, side)]) + " |"


def costs(figures, learners, case, side):
    median = lambda what: figures.median(learners, case.name, side, what)
    most = lambda what: figures.most(learners, case.name, side, what)
    floor = figures.median(learners, case.name, "floor", "wal") if side == "job" else None
    # In two parts as many as in one: what another process wrote the server counts a while after the run.
    rows = figures.median(learners, case.name, "job", "rows")
    return [
        number(rows / median("seconds"), 0), number(median("cpu")), number(most("megabytes"), 0),
        number(median("wal") / 1e6, 0), number(floor and floor / 1e6, 0), number(most("temp") / 1e6, 0),
        number(most("transaction"), 1), number(most("lock"), 1),
        str(len(figures.values(learners, case.name, side))), number(most("load"), 1), share(most("stolen"))]


def also(figures, learners):
    """What is held against other cases, or against a clock."""
    median = lambda case: figures.median(learners, case, "job")
    if median("board-full") and median("board-some"):
        yield ("refresh_leaderboard: the sessions of 25 minutes take so much of what everybody takes (≤ 0.3)",
               number(median("board-some") / median("board-full")))
    if median("streaks-nothing"):
        yield ("detect_streak_breaks, no midnight and no news, ms (≤ 20)", number(median("streaks-nothing") * 1000, 1))
    for side, how in (("job", "one part"), ("parts", "two parts")):
        sent = [line["counters"]["sent"] / line["seconds"] for line in figures.lines
                if (line["learners"], line["case"], line["side"]) == (learners, "deliver", side)]
        if sent:
            yield (f"deliver_pushes, {how}: pushes claimed, handed off and recorded, /s (≥ 20,000)",
                   number(statistics.median(sent), 0))
    read = lambda what: figures.median(learners, "board-some", "read", what)
    if read("p99"):
        yield ("a rank, read while no other session works: p50 and p99, ms",
               f"{read('idle_p50') * 1000:.1f}, {read('idle_p99') * 1000:.1f}")
        yield ("a rank, read during a refresh: p50 and p99, ms, and how many times the other p99 that is (≤ 3)",
               f"{read('p50') * 1000:.1f}, {read('p99') * 1000:.1f}, {read('p99') / read('idle_p99'):.1f}")
    if read("longest"):
        yield ("the longest of these reads, ms, of how many, and what the host took meanwhile",
               f"{read('longest') * 1000:.1f}, {read('reads'):,}, {share(read('stolen'))}")


def growing(figures):
    """What each job takes among more learners."""
    sizes = figures.sizes_run()
    if len(sizes) < 2:
        return
    yield "## How each job grows"
    yield ""
    yield ("What a run takes, and what a row takes, with no run before it that warms; as above where there was none"
           " such.")
    yield ""
    yield "| case | " + " | ".join(f"{size:,} learners" for size in sizes) + " |"
    yield "|---" * (len(sizes) + 1) + "|"
    for case in CASES:
        yield f"| `{case.name}` | " + " | ".join(grown_to(figures, size, case) for size in sizes) + " |"
    yield ""


def grown_to(figures, size, case):
    taken, rows = figures.run_of(size, case.name), figures.run_of(size, case.name, "rows")
    return f"{seconds(taken)}, {taken / rows * 1e6:,.0f} µs a row" if rows and rows > 1 else seconds(taken)


def growing_of_as_many(figures):
    """What the same work takes among more learners."""
    sizes = [size for size in figures.sizes if figures.median(size, "push-same", "job")]
    if len(sizes) < 2:
        return
    yield "## As much to do among more learners"
    yield ""
    yield "`schedule_daily_push`, in worlds to which no other job has come: some minutes of the evening, and for more"
    yield "learners as many fewer."
    yield ""
    yield "| learners | rows written | takes | a row takes so many times as long as among the fewest (≤ 1.3) |"
    yield "|---" * 4 + "|"
    median = lambda size, what: figures.median(size, "push-same", "job", what)
    least = median(sizes[0], "seconds") / median(sizes[0], "rows")
    for size in sizes:
        taken, rows = median(size, "seconds"), median(size, "rows")
        yield f"| {size:,} | {number(rows, 0)} | {seconds(taken)} | {number(taken / rows / least)} |"
    yield ""


def origins(figures):
    """By which program and where the figures came about, and when."""
    for origin in dict.fromkeys(end["origin"] for end in figures.ends):
        ends = [end for end in figures.ends if end["origin"] == origin]
        cases = ", ".join(dict.fromkeys(f"`{end['case']}`" for end in ends))
        yield f"| {min(end['began'] for end in ends)} to {max(end['ended'] for end in ends)} | {origin} | {cases} |"


def page(lines, folder):
    """The page; its charts are written into a folder."""
    figures = Figures(lines)
    text = ["# The learning jobs against plain SQL", "", *INTRODUCTION.strip().split("\n"), "", "## When and where", "",
            "| measured, UTC | program, machine, server | cases |", "|---|---|---|", *origins(figures), ""]
    sizes = [size for size in figures.sizes if measured(figures, size)]
    for learners in sizes:
        text += [f"## {learners:,} learners", "", *table_of(figures, learners), "", *parts_of(figures, learners), "",
                 *costs_of(figures, learners), ""]
        rows = list(also(figures, learners))
        if rows:
            text += ["| besides | measured |", "|---|---|"] + [f"| {what} | {found} |" for what, found in rows] + [""]
    text += [*growing(figures), *growing_of_as_many(figures)]
    if sizes:
        text += draw(figures, sizes[-1], folder)
    return "\n".join(text)


def draw(figures, largest, folder):
    """Writes the charts into a folder, and says where they are."""
    sizes = figures.sizes_run()
    charts = {
        "benchmark-ratios.svg": (
            "How many times as long as plain SQL each job takes",
            bars(f"Job / floor, {largest:,} learners", [(case.name, figures.ratio(largest, case.name), case.most)
                                                        for case in CASES if figures.ratio(largest, case.name)])),
        "benchmark-growth.svg": (
            "How the jobs grow with the learners",
            growth("Seconds by learners", sizes,
                   {case.name: [figures.run_of(size, case.name) for size in sizes] for case in CASES})),
    }
    text = ["## At a glance", ""]
    for name, (title, chart) in charts.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(chart)
        text += [f"![{title}]({name})", ""]
    return text
