"""Measures the learning jobs against plain SQL and against a task per learner; usage: see script/bench."""

import argparse
import json
import os
import sys

from cases import STAGES, as_many_due
from helper import second_daemon
from measure import Measure
from page import page
from readers import Reader
from report import introduction, tuning
from same import Same
from sample import Sample
from server import Server
from undo import Undo
from watch import Stopwatch
from world import World


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Notes:
    """What was measured, a line of JSON each, so that a benchmark that was broken off goes on where it was."""

    def __init__(self, path):
        self.path, self.lines = path, []
        if os.path.exists(path):
            with open(path) as file:
                self.lines = [json.loads(line) for line in file]

    def add(self, **facts):
        self.lines.append(facts)
        with open(self.path, "a") as file:
            file.write(json.dumps(facts) + "\n")

    def has(self, learners, case):
        return any(line["learners"] == learners and line["case"] == case and line["side"] == "end"
                   for line in self.lines)


class Bench:
    """One size of the world, from its beginning to its end."""

    def __init__(self, given, learners, notes, stages=STAGES, name="learners"):
        self.given, self.learners, self.notes, self.stages, self.failures = given, learners, notes, stages, []
        self.main = Server(given.bin, given.out)
        self.server = Server(given.bin, given.out, f"{name}_{learners}")
        self.world = World(self.server, given.worker, learners, given.out)

    def run(self):
        if not self.main.ask(f"SELECT 1 FROM pg_database WHERE datname = '{self.server.database}'"):
            self.make()
        Undo.finish(self.server)
        for number, stage in enumerate(self.stages):
            if self.wanted(stage):
                self.reach(number)
                for case in stage.cases:
                    if self.is_wanted(case):
                        self.measure(case)
        if all(self.notes.has(self.learners, case.name) for stage in self.stages for case in stage.cases):
            self.main.ask(f"DROP DATABASE {self.server.database}")

    def is_wanted(self, case):
        jobs = self.given.jobs
        return (not jobs or case.name in jobs or case.job in jobs) and not self.notes.has(self.learners, case.name)

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
        undo = Undo(self.server, case.changed, case.grown)
        undo.keep()
        round_of = Round(self, case, undo)
        if self.given.repeat > 1:
            round_of.warm()
        stopwatch = Stopwatch()
        for number in range(self.given.repeat):
            round_of.run(number)
            if stopwatch.seconds * (number + 2) / (number + 1) > self.given.enough:
                break
        if not self.given.quick:
            round_of.besides()
        self.notes.add(learners=self.learners, case=case.name, side="end")
        undo.forget()
        self.server.ask(case.tidy)


class Round:
    """The sides of a case, one after the other, each from the same rows."""

    def __init__(self, bench, case, undo):
        self.bench, self.case, self.undo = bench, case, undo
        self.measure = Measure(bench.world, case)
        self.sample = Sample(bench.server, case) if case.peer and not bench.given.quick else None
        self.same = dict(self.comparisons()) if bench.given.check else {}

    def comparisons(self):
        """What the job leaves, as each other side is to leave it."""
        if self.case.floor:
            yield "floor", Same.as_floor(self.bench.server, self.case)
        if self.sample:
            yield "peer", Same.as_peer(self.bench.server, self.case, self.sample.learners, self.undo.columns)

    def warm(self):
        """The plain SQL once without a note: who writes first pays for cold pages and for those that split."""
        if self.case.floor:
            self.measure.floor()
            self.undo.undo()

    def run(self, number):
        with second_daemon(self.bench.world, self.case):
            self.note(number, self.measure.job())
        for same in self.same.values():
            same.keep()
        self.undo.undo()
        if self.case.floor:
            self.note(number, self.measure.floor())
            self.compare("floor", self.case.differs)
            self.undo.undo()

    def besides(self):
        """The dry run and the peers, once."""
        if self.case.is_shown_dry:
            self.note(0, self.measure.job(dry=True))
            self.undo.undo()
        if self.case.has_readers:
            reader = Reader(self.bench.server, self.bench.learners)
            idle = reader.idle()
            with reader:
                found = self.measure.job()
            self.note(0, found | {"side": "read", "idle_p99": idle, "p99": reader.p99, "reads": len(reader.seconds)})
            self.undo.undo()
        if self.sample:
            self.note(0, self.sample.loop())
            self.compare("peer", 0)
            self.undo.undo()
            self.note(0, self.sample.procrastinate())
            self.undo.undo()

    def compare(self, other, most):
        """Says which rows another side leaves that the job does not, and fails when they are more than this share."""
        for table, count in self.same[other].differences().items() if other in self.same else ():
            say(f"{self.case.name}: of {count['rows']} rows of {table} the {other} lacks {count['missing']}, "
                f"and has {count['more']} others")
            if count["missing"] + count["more"] > most * count["rows"]:
                self.bench.failures.append(f"{self.case.name} leaves other rows in {table} than its {other}")

    def note(self, number, found):
        self.bench.notes.add(learners=self.bench.learners, case=self.case.name, round=number, **found)
        what = ", ".join(f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}"
                         for name, value in found.items() if name not in ("side", "wall", "load", "counters"))
        say(f"{self.case.name} {found['side']}: {what}")


def main():
    reader = argparse.ArgumentParser(description=__doc__)
    for name in ["worker", "bin", "out", "page", "commit"]:
        reader.add_argument(f"--{name}", required=True)
    for name in ["learners", "growth"]:
        reader.add_argument(f"--{name}", default="")
    reader.add_argument("--jobs", default="")
    reader.add_argument("--repeat", type=int, required=True)
    reader.add_argument("--enough", type=int, required=True)
    for name in ["check", "quick"]:
        reader.add_argument(f"--{name}", action="store_true")
    given = reader.parse_args()
    given.jobs = [name for name in given.jobs.split(",") if name]
    notes = Notes(os.path.join(given.out, "measured.jsonl"))
    failures = []
    for bench in benches(given, notes):
        bench.run()
        failures += bench.failures
    write(given, notes, bench.main)
    for failure in failures:
        say(failure)
    sys.exit(1 if failures else 0)


def benches(given, notes):
    """Worlds in which everything is measured, and those of several sizes in which as many pushes are due."""
    learners, growth = ([int(size) for size in sizes.split(",") if size] for sizes in (given.learners, given.growth))
    return [Bench(given, size, notes) for size in learners] + [
        Bench(given, size, notes, as_many_due(size, min(growth)), "growth") for size in sorted(growth)]


def write(given, notes, server):
    """The page, its charts, and what it was made from."""
    with open(os.path.join(given.page, "benchmark.md"), "w") as file:
        file.write(page(notes.lines, introduction(given, server), given.page) + tuning())
    with open(os.path.join(given.page, "benchmark.jsonl"), "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in notes.lines)


main()
