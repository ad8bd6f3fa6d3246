"""The page that tells what was measured, and its charts."""

import os
import statistics

from cases import STAGES
from charts import bars, growth

CASES = [case for stage in STAGES for case in stage.cases]


class Figures:
    """What was measured, in medians."""

    def __init__(self, lines):
        self.lines = [line for line in lines if line["side"] != "end"]
        self.sizes = sorted({line["learners"] for line in self.lines})

    def median(self, learners, case, side, what="seconds"):
        values = [line[what] for line in self.lines
                  if (line["learners"], line["case"], line["side"]) == (learners, case, side)]
        return statistics.median(values) if values else None

    def most(self, learners, case, side, what):
        values = [line[what] for line in self.lines
                  if (line["learners"], line["case"], line["side"]) == (learners, case, side)]
        return max(values) if values else None

    def ratio(self, learners, case, of="job", to="floor"):
        some, other = self.median(learners, case, of), self.median(learners, case, to)
        return some / other if some and other else None

    def peer(self, learners, case, kind, parts=1):
        """How many times as long a task for each learner would take, by a sample, as the job in one or two parts."""
        job = self.median(learners, case if parts == 1 else f"{case}-{parts}", "job")
        peer = self.median(learners, case, kind)
        return peer / job if job and peer else None


def number(value, digits=2):
    return "–" if value is None else f"{value:,.{digits}f}"


def seconds(value):
    return "–" if value is None else f"{value * 1000:,.0f} ms" if value < 10 else f"{value:,.1f} s"


def bound(value, sign):
    return f" ({sign} {value:g})" if value else ""


def table_of(figures, learners):
    yield ("| case | rows | job | floor | job / floor | Procrastinate / job | loop / job | dry run "
           "| job in two parts | Procrastinate / that |")
    yield "|---" * 10 + "|"
    for case in measured(figures, learners):
        if case.parts > 1:
            continue
        median = lambda side, what="seconds": figures.median(learners, case.name, side, what)
        cells = [
            f"{case.title} (`{case.name}`)", number(median("job", "rows"), 0), seconds(median("job")),
            seconds(median("floor")),
            number(figures.ratio(learners, case.name)) + bound(case.most if case.floor else 0, "≤"),
            number(figures.peer(learners, case.name, "procrastinate"), 0) + bound(case.least_peer, "≥"),
            number(figures.peer(learners, case.name, "loop"), 0), seconds(median("dry")),
            seconds(figures.median(learners, f"{case.name}-2", "job")),
            number(figures.peer(learners, case.name, "procrastinate", parts=2), 0)]
        yield "| " + " | ".join(cells) + " |"


def measured(figures, learners):
    return [case for case in CASES if figures.median(learners, case.name, "job")]


def costs_of(figures, learners):
    yield ("| case | rows/s | worker's CPU, s | worker's memory, MB | WAL, MB | the floor's | temporary files, MB "
           "| longest transaction, s | longest lock, s |")
    yield "|---" * 9 + "|"
    for case in measured(figures, learners):
        median = lambda what, side="job": figures.median(learners, case.name, side, what)
        most = lambda what: figures.most(learners, case.name, "job", what)
        floor = median("wal", "floor")
        # In two parts as many as in one: what another process wrote the server counts a while after the run.
        rows = figures.median(learners, case.name.removesuffix("-2"), "job", "rows") or median("rows")
        cells = [
            f"`{case.name}`", number(rows / median("seconds"), 0), number(median("cpu")),
            number(most("megabytes"), 0), number(median("wal") / 1e6, 0), number(floor and floor / 1e6, 0),
            number(most("temp") / 1e6, 0), number(most("transaction"), 1), number(most("lock"), 1)]
        yield "| " + " | ".join(cells) + " |"


def also(figures, learners):
    """What is held against other cases, or against a clock."""
    median = lambda case: figures.median(learners, case, "job")
    if median("review-full") and median("review-full-2"):
        yield ("recommend_review, everybody: two parts are so many times as fast as one (≥ 1.6)",
               number(median("review-full") / median("review-full-2")))
    if median("rewards") and median("rewards-2"):
        yield ("settle_rewards: two daemons are so many times as fast as one (≥ 1.5)",
               number(median("rewards") / median("rewards-2")))
    if median("board-full") and median("board-some"):
        yield ("refresh_leaderboard: the sessions of 25 minutes take so much of what everybody takes (≤ 0.3)",
               number(median("board-some") / median("board-full")))
    if median("streaks-nothing"):
        yield ("detect_streak_breaks, no midnight and no news, ms (≤ 20)", number(median("streaks-nothing") * 1000, 1))
    for case, how in (("deliver", "one part"), ("deliver-2", "two parts")):
        sent = [line["counters"]["sent"] / line["seconds"] for line in figures.lines
                if (line["learners"], line["case"], line["side"]) == (learners, case, "job")]
        if sent:
            yield (f"deliver_pushes, {how}: pushes claimed, handed off and recorded, /s (≥ 20,000)",
                   number(statistics.median(sent), 0))
    waits = [(line["idle_p99"], line["p99"]) for line in figures.lines if line["learners"] == learners
             and "p99" in line]
    if waits:
        idle, busy = (statistics.median(values) for values in zip(*waits))
        yield ("a rank, read during a refresh: p99 in ms, and how many times that of an idle server (≤ 3)",
               f"{busy * 1000:.1f}, {busy / idle:.1f}")


def grown(figures):
    """What the same work takes among more learners."""
    sizes = [size for size in figures.sizes if figures.median(size, "push-same", "job")]
    if len(sizes) < 2:
        return
    yield "## As much to do among more learners"
    yield ""
    yield ("`schedule_daily_push`, in worlds to which no other job has come: five minutes of the evening, and for more"
           " learners as much less of it.")
    yield ""
    yield "| learners | rows written | takes | a row takes so many times as long as among the fewest (≤ 1.3) |"
    yield "|---" * 4 + "|"
    median = lambda size, what: figures.median(size, "push-same", "job", what)
    least = median(sizes[0], "seconds") / median(sizes[0], "rows")
    for size in sizes:
        taken, rows = median(size, "seconds"), median(size, "rows")
        yield f"| {size:,} | {number(rows, 0)} | {seconds(taken)} | {number(taken / rows / least)} |"
    yield ""


def page(lines, intro, folder):
    """Writes the page and its charts into a folder."""
    figures = Figures(lines)
    text = ["# The learning jobs against plain SQL", "", *intro, ""]
    sizes = [size for size in figures.sizes if measured(figures, size)]
    for learners in sizes:
        text += [f"## {learners:,} learners", "", *table_of(figures, learners), "", *costs_of(figures, learners), ""]
        rows = list(also(figures, learners))
        if rows:
            text += ["| besides | measured |", "|---|---|"] + [f"| {what} | {found} |" for what, found in rows] + [""]
    text += grown(figures)
    if sizes:
        text += draw(figures, sizes, folder)
    return "\n".join(text)


def draw(figures, sizes, folder):
    """Writes the charts into a folder, and says where they are."""
    largest = sizes[-1]
    charts = {
        "benchmark-ratios.svg": bars(
            f"Job / floor, {largest:,} learners", [(case.name, figures.ratio(largest, case.name), case.most)
                                                   for case in CASES if figures.ratio(largest, case.name)]),
        "benchmark-growth.svg": growth(
            "Seconds by learners", sizes,
            {case.name: [figures.median(size, case.name, "job") for size in sizes] for case in CASES
             if case.parts == 1}),
    }
    for name, chart in charts.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(chart)
    return ["## At a glance", "", "![How many times as long as plain SQL each job takes](benchmark-ratios.svg)", "",
            "![How the jobs grow with the learners](benchmark-growth.svg)", ""]
