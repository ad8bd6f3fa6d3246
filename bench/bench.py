"""Measures the learning jobs against plain SQL and against a task per learner; usage: see script/bench."""

import argparse
import os
import sys

from cases import CASES, STAGES, as_many_due
from notes import Notes, complete, finished, measured, now, read_lines, say, write_lines
from page import page
from report import origin
from rounds import Round
from server import Server
from undo import Undo
from watch import Stopwatch
from world import World


class Bench:
    """One size of the world, from its beginning to its end."""

    def __init__(self, given, learners, notes, stages=STAGES, name="learners", is_once=False):
        self.given, self.learners, self.notes, self.stages, self.failures = given, learners, notes, stages, []
        self.is_once = is_once
        self.main = Server(given.bin, given.out)
        self.origin = origin(given.worker, self.main)
        self.server = Server(given.bin, given.out, f"{name}_{learners}")
        self.world = World(self.server, given.worker, learners, given.out)

    def run(self):
        if not any(map(self.wanted, self.stages)):
            return
        if not self.main.ask(f"SELECT 1 FROM pg_database WHERE datname = '{self.server.database}'"):
            self.make()
        Undo.finish(self.server)
        for tidy in {case.tidy for stage in self.stages for case in stage.cases if case.tidy}:
            self.server.ask(tidy)
        for number, stage in enumerate(self.stages):
            if self.wanted(stage):
                self.reach(number)
                for case in stage.cases:
                    if self.is_wanted(case):
                        self.measure(case)
        if all(self.has(case) for stage in self.stages for case in stage.cases):
            self.main.ask(f"DROP DATABASE {self.server.database}")

    def is_wanted(self, case):
        jobs = self.given.jobs
        return (not jobs or case.name in jobs or case.job in jobs) and not self.has(case)

    def has(self, case):
        return self.notes.has(self.learners, case.name, self.is_once)

    def note(self, case, **facts):
        self.notes.add(learners=self.learners, case=case.name, once=self.is_once, **facts)

    def wanted(self, stage):
        return any(map(self.is_wanted, stage.cases))

    def make(self):
        stopwatch = Stopwatch()
        making = Server(self.given.bin, self.given.out, "making")
        self.main.ask("DROP DATABASE IF EXISTS making")
        self.main.ask("CREATE DATABASE making")
        World(making, self.given.worker, self.learners, self.given.out).make()
        self.main.ask(f"ALTER DATABASE making RENAME TO {self.server.database}")
        size = self.server.ask("SELECT pg_size_pretty(pg_database_size(current_database()))")
        say(f"made {self.learners} learners in {stopwatch.seconds:.0f} s, {size}")

    def reach(self, number):
        """Brings the world to a stage: what was begun and broken off is undone first."""
        done = int(self.server.ask("SELECT coalesce(max(number), 0) FROM bench.stage"))
        for index in range(done, number + 1):
            if index > 0:
                self.leave(self.stages[index - 1])
            self.world.go_on(self.stages[index].until)
            self.server.ask(f"INSERT INTO bench.stage VALUES ({index + 1})")

    def leave(self, stage):
        for run in stage.runs:
            job, _, at = run.partition(" at ")
            stopwatch = Stopwatch()
            self.world.run(job, at or stage.until)
            say(f"ran {run} in {stopwatch.seconds:.1f} s")

    def measure(self, case):
        self.server.ask(case.prepare)
        began = now()
        undo = Undo(self.server, case.changed, case.grown)
        undo.keep()
        round_of = Round(self, case, undo)
        if self.is_once or case.stays:
            round_of.once("once" if self.is_once else "job")
        else:
            self.in_rounds(round_of)
        self.note(case, side="end", origin=self.origin, began=began, ended=now())
        undo.forget()
        self.server.ask(case.tidy)

    def in_rounds(self, round_of):
        if self.given.repeat > 1:
            round_of.warm()
        stopwatch = Stopwatch()
        for number in range(self.given.repeat):
            round_of.run(number)
            if stopwatch.seconds * (number + 2) / (number + 1) > self.given.enough:
                break
        if not self.given.quick:
            round_of.besides()


def main():
    reader = argparse.ArgumentParser(description=__doc__)
    for name in ["worker", "bin", "out", "page"]:
        reader.add_argument(f"--{name}", required=True)
    for name in ["learners", "once", "growth"]:
        reader.add_argument(f"--{name}", default="")
    reader.add_argument("--jobs", default="")
    reader.add_argument("--repeat", type=int, required=True)
    reader.add_argument("--enough", type=int, required=True)
    for name in ["check", "quick"]:
        reader.add_argument(f"--{name}", action="store_true")
    given = reader.parse_args()
    given.jobs = [name for name in given.jobs.split(",") if name]
    if unknown := set(given.jobs) - {name for case in CASES for name in (case.name, case.job)}:
        raise SystemExit(f"bench: neither a case nor a job: {', '.join(sorted(unknown))}; the cases are "
                         f"{', '.join(case.name for case in CASES)}")
    notes = Notes(os.path.join(given.out, "measured.jsonl"))
    failures = []
    for bench in benches(given, notes):
        bench.run()
        failures += bench.failures
    write(given, notes)
    for failure in failures:
        say(failure)
    sys.exit(1 if failures else 0)


def benches(given, notes):
    """Worlds in which everything is measured, those for each job once, and those in which as many pushes are due."""
    learners, once, growth = ([int(size) for size in sizes.split(",") if size]
                              for sizes in (given.learners, given.once, given.growth))
    return [Bench(given, size, notes) for size in learners] + [
        Bench(given, size, notes, name="once", is_once=True) for size in once] + [
        Bench(given, size, notes, as_many_due(size, min(growth)), "growth") for size in sorted(growth)]


def write(given, notes):
    """The page, its charts, and what it was made from; what was not measured now stands as it was measured before."""
    path = os.path.join(given.page, "benchmark.jsonl")
    before = read_lines(path) if os.path.exists(path) else []
    new = complete(notes.lines)
    lines = [line for line in before if measured(line) not in finished(new)] + new
    write_lines(path, lines)
    with open(os.path.join(given.page, "benchmark.md"), "w") as file:
        file.write(page(lines, given.page))


main()
