"""The rounds in which a case is measured."""

import os

from measure import Measure, stolen_seconds
from notes import say
from readers import Reader, percentile
from same import Same
from sample import Sample
from watch import Stopwatch


class Round:
    """The sides of a case, one after the other, each from the same rows."""

    def __init__(self, bench, case, undo):
        self.bench, self.case, self.undo = bench, case, undo
        self.measure = Measure(bench.world, case)
        has_others = not bench.is_once
        self.sample = Sample(bench.server, case) if case.peer and has_others and not bench.given.quick else None
        self.same = dict(self.comparisons()) if has_others and bench.given.check else {}

    def comparisons(self):
        """What the job leaves, as each other side is to leave it."""
        if self.case.floor:
            yield "floor", Same.as_floor(self.bench.server, self.case)
        if self.case.floor and self.case.parts > 1:
            yield "parts", Same.as_floor(self.bench.server, self.case, "parts")
        if self.sample:
            yield "peer", Same.as_peer(self.bench.server, self.case, self.sample.learners, self.undo.columns)

    def warm(self):
        """The plain SQL once without a note, or the job without any: who writes first pays for what comes after."""
        if self.case.floor:
            self.measure.floor()
        else:
            self.measure.unwatched()
        self.undo.undo()

    def run(self, number):
        self.note(number, self.measure.job())
        for same in self.same.values():
            same.keep()
        self.undo.undo()
        if self.case.floor:
            self.note(number, self.measure.floor())
            self.compare("floor", self.case.differs)
            self.undo.undo()
        if self.case.parts > 1:
            self.note(number, self.measure.parts())
            self.compare("parts", 0)
            self.undo.undo()

    def once(self, side):
        """The job alone: what it did stays, for the world to go on from, unless the case made up what it had to do."""
        self.bench.server.ask("CHECKPOINT")
        self.note(0, self.measure.job() | {"side": side})
        if self.case.prepare:
            self.undo.undo()

    def besides(self):
        """The dry run and the peers, once."""
        if self.case.is_shown_dry:
            self.note(0, self.measure.dry())
            self.undo.undo()
        if self.case.has_readers:
            self.read()
        if self.sample:
            self.note(0, self.sample.loop())
            self.compare("peer", 0)
            self.undo.undo()
            for processes in {1, self.case.parts}:
                self.note(0, self.sample.procrastinate(processes))
                self.undo.undo()

    def read(self):
        """What readers wait, by turns with nobody else and with the job at work, from its run's beginning to its end."""
        idle, taken, stolen, stopwatch = [], [], stolen_seconds(), Stopwatch()
        with Reader(self.bench.server, self.bench.learners) as reader:
            for _ in range(self.bench.given.repeat):
                idle += reader.idle()
                reads = reader.during(self.measure.unwatched)
                began, ended = self.measure.span()
                taken += [seconds for moment, seconds in reads if began <= moment < ended]
                self.undo.undo()
        stolen = (stolen_seconds() - stolen) / stopwatch.seconds / os.cpu_count()
        self.note(0, {"side": "read", "reads": len(taken), "longest": max(taken, default=None), "stolen": stolen,
                      "idle_p50": percentile(idle, 0.5), "idle_p99": percentile(idle, 0.99),
                      "p50": percentile(taken, 0.5), "p99": percentile(taken, 0.99)})

    def compare(self, other, most):
        """Says which rows another side leaves that the job does not, and fails when they are more than this share."""
        for table, count in self.same[other].differences().items() if other in self.same else ():
            say(f"{self.case.name}: of {count['rows']} rows of {table} the {other} lacks {count['missing']}, "
                f"and has {count['more']} others")
            if count["missing"] + count["more"] > most * count["rows"]:
                self.bench.failures.append(f"{self.case.name} leaves other rows in {table} than its {other}")

    def note(self, number, found):
        self.bench.note(self.case, round=number, **found)
        what = ", ".join(f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}"
                         for name, value in found.items() if name not in ("side", "wall", "load", "counters"))
        say(f"{self.case.name} {found['side']}: {what}")
