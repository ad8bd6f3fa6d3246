"""Measures the runner against other schedulers, the leaderboard against Redis, and pushes against aioapns; usage: see
script/bench."""

import argparse
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass

from board import Board
from contest_page import page
from daemons import processor_seconds, resident_megabytes
from pushes import measured as measured_pushes
from report import origin
from schedulers import Ours, Peer, PgCron, Procrastinate
from server import Server
from sql_jobs import measured as measured_sql_jobs
from watch import Stopwatch

# How many milliseconds after its moment each tick began. The first one of a window meets connections that are just
# being opened, and at whole minutes pg_cron works too.
TICKS = """
SELECT coalesce(json_agg(round(extract(epoch FROM began - moment) * 1000, 3) ORDER BY moment) FILTER (WHERE
    job = 'second' AND moment > first AND extract(second FROM moment) >= 1), '[]') AS second,
  coalesce(json_agg(round(extract(epoch FROM began - moment) * 1000, 3) ORDER BY moment) FILTER (WHERE
    job = 'minute'), '[]') AS minute,
  coalesce(extract(epoch FROM max(moment) FILTER (WHERE job = 'second')
    - min(moment) FILTER (WHERE job = 'second'))::bigint + 1
    - count(DISTINCT moment) FILTER (WHERE job = 'second'), 0) AS missing
FROM lateness CROSS JOIN (SELECT min(moment) AS first FROM lateness) AS beginning
"""


@dataclass
class Extent:
    """How much is measured."""
    rounds: int = 3
    rest: int = 60
    settle: int = 5
    ticks: int = 16
    runs: int = 16
    jobs: int = 2000
    kills: int = 2
    # Those that the peer's documentation has as its usual.
    heartbeat: int = 10
    silence: int = 30
    learners: int = 1_000_000
    reads: int = 2000
    pushes: int = 100_000
    silence_of_pushes: int = 70
    rows: int = 10_000_000
    late_rows: int = 20
    waiting: int = 1000
    together: int = 200
    spans: int = 4


TINY = Extent(rounds=1, rest=1, settle=1, ticks=4, runs=1, jobs=50, kills=1, heartbeat=1, silence=3, learners=2000,
              reads=100, pushes=1000, silence_of_pushes=1, rows=10_000, late_rows=2, waiting=50, together=20, spans=1)


class Contest:
    """What was measured of one part, a line for each measurement."""

    def __init__(self, given, part, extent):
        self.given, self.part, self.extent, self.lines = given, part, extent, []

    def note(self, what, who, **found):
        self.lines.append({"part": self.part, "what": what, "who": who, "load": os.getloadavg()[0], **found})
        print(f"bench: {what}, {who}: {found}", file=sys.stderr, flush=True)


class Schedulers(Contest):
    def __init__(self, given, extent):
        super().__init__(given, "runner", extent)
        self.cron = PgCron(given)
        self.schedulers = [
            Ours(given), Peer(given, "apscheduler_memory", "peer_apscheduler.py", "memory"),
            Peer(given, "apscheduler_postgres", "peer_apscheduler.py", "postgres"), Procrastinate(given)]

    def run(self):
        self.rest()
        with self.cron.ticking():
            for number in range(self.extent.rounds):
                for who in self.schedulers:
                    who.tick(self.extent.ticks)
                    self.note_ticks(who, number)
        self.note_ticks(self.cron, 0)
        for number in range(self.extent.rounds):
            for who in self.schedulers:
                self.note("jobs", who.name, round=number, **who.jobs(self.extent))
        # What is waited for here is leases and signs of life: nobody is kept from anything by the others.
        with ThreadPoolExecutor() as pool:
            for who, seconds in zip(self.schedulers, pool.map(lambda who: who.takeovers(self.extent), self.schedulers)):
                self.note("takeover", who.name, seconds=seconds)
        for who in self.schedulers:
            who.place.drop()

    def rest(self):
        """All at once, with nothing to do: who uses a processor then, and asks a server, uses and asks alone."""
        statements = Server(self.given.bin, self.given.out)
        statements.ask("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")
        everybody = [*self.schedulers, self.cron]
        with ExitStack() as stack:
            processes = [stack.enter_context(who.resting()) for who in everybody]
            time.sleep(self.extent.settle)
            statements.ask("SELECT pg_stat_statements_reset()")
            before, stopwatch = [processor_seconds(process) for process in processes], Stopwatch()
            time.sleep(self.extent.rest)
            minutes = stopwatch.seconds / 60
            for who, process, seconds in zip(everybody, processes, before):
                self.note("rest", who.name, cpu=(processor_seconds(process) - seconds) / minutes,
                          queries=who.place.queries() / minutes, megabytes=resident_megabytes(process))

    def note_ticks(self, who, number):
        found = who.place.rows(TICKS)[0]
        if any(late < 0 for late in found["second"] + found["minute"]):
            raise SystemExit(f"bench: {who.name} began before its moment: {found}")
        if who is not self.cron and not found["second"]:
            raise SystemExit(f"bench: {who.name} ran no job in {self.extent.ticks} seconds")
        self.note("ticks", who.name, round=number, **found)


class Boards(Contest):
    def __init__(self, given, extent):
        super().__init__(given, "redis", extent)

    def run(self):
        board = Board(self.given, self.extent)
        for what, who, found in board.measured():
            self.note(what, who, **found)


class Pushes(Contest):
    def __init__(self, given, extent):
        super().__init__(given, "pushes", extent)

    def run(self):
        for what, who, found in measured_pushes(self.given, self.extent):
            self.note(what, who, **found)


class SQLJobs(Contest):
    def __init__(self, given, extent):
        super().__init__(given, "sql", extent)

    def run(self):
        for what, who, found in measured_sql_jobs(self.given, self.extent):
            self.note(what, who, **found)


PARTS = {"runner": Schedulers, "redis": Boards, "pushes": Pushes, "sql": SQLJobs}


def main():
    reader = argparse.ArgumentParser(description=__doc__)
    for name in ["worker", "debug-worker", "stopwatch", "client", "bin", "out", "page"]:
        reader.add_argument(f"--{name}", required=True)
    reader.add_argument("--check", action="store_true")
    reader.add_argument("parts", nargs="+", choices=PARTS)
    given = reader.parse_args()
    lines = known(given)
    for name in given.parts:
        part = PARTS[name](given, TINY if given.check else Extent())
        part.run()
        part.note("machine", "server", words=origin(given.worker, Server(given.bin, given.out)))
        lines = [line for line in lines if line["part"] != name] + part.lines
    write(given, lines)


def known(given):
    """What was measured another time, of the part that is not measured now."""
    path = os.path.join(given.page, "peers.jsonl")
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file]


def write(given, lines):
    with open(os.path.join(given.page, "peers.md"), "w") as file:
        file.write(page(lines))
    with open(os.path.join(given.page, "peers.jsonl"), "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


main()
