"""The schedulers that are held against each other: each in a database of its own on the same server."""

import contextlib
import os
import subprocess
import sys
import time
from types import SimpleNamespace

from daemons import failover
from runner import Worker, end
from server import Server
from stopwatch import parts
from watch import Stopwatch

HERE = os.path.dirname(os.path.abspath(__file__))

# What a job writes: which tick it is for, and when its own first statement ran, by the clock of the database.
LATENESS = "CREATE TABLE lateness (job text, moment timestamptz, began timestamptz)"


class Place(Server):
    """A database that is made anew for each measurement."""

    def __init__(self, given, name):
        super().__init__(given.bin, given.out, name)
        self.main = Server(given.bin, given.out)

    def make(self):
        self.drop()
        self.main.ask(f"CREATE DATABASE {self.database}")

    def drop(self):
        self.main.ask(f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")

    def clear(self):
        self.ask("DROP SCHEMA IF EXISTS jobkit CASCADE")

    def queries(self):
        """How many statements the database has been sent, but for those that ask about statements."""
        return int(self.main.ask(
            "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid "
            f"WHERE datname = '{self.database}' AND query !~ 'pg_stat_statements'"))


class Program:
    """A process of a peer, which says how far it is."""

    def __init__(self, *words):
        self.process = subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)
        self.pid = self.process.pid
        self.wait_for("ready")

    def wait_for(self, word):
        said = self.process.stdout.readline().strip()
        if said != word:
            raise SystemExit(f"bench: {' '.join(self.process.args[1:])} said '{said}' instead of '{word}'")

    def go(self):
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def end(self):
        """Ends the process at once: it has nothing to tidy, its database is dropped."""
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Ours:
    """This program; ticks and parts are those of the stopwatch, which is made of the same modules."""
    name = "worker"

    def __init__(self, given):
        self.given, self.place = given, Place(given, self.name)

    @contextlib.contextmanager
    def resting(self):
        self.place.make()
        worker = Worker(self.given.worker, self.place)
        worker.call("migrate", "up")
        daemon, _ = worker.start()
        try:
            yield daemon
        finally:
            end(daemon)

    def tick(self, seconds):
        self.place.make()
        subprocess.run([self.given.stopwatch, "lateness", self.place.address, str(seconds)], check=True,
                       stdout=subprocess.DEVNULL)

    def jobs(self, extent):
        self.place.make()
        return parts(self.given.stopwatch, self.place, str(extent.runs))

    def takeovers(self, extent):
        self.place.make()
        return failover(Worker(self.given.debug_worker, self.place, WORKER_REHEARSAL="rehearse"), self.place,
                        extent.kills)


class Peer:
    """A scheduler in Python, as the program that says how it is set up."""

    def __init__(self, given, name, program, *words):
        self.name, self.place = name, Place(given, name)
        self.words = [os.path.join(HERE, program), self.place.address, *words]

    @contextlib.contextmanager
    def running(self, *words):
        program = Program(*self.words, *words)
        try:
            yield program
        finally:
            program.end()

    def make(self):
        self.place.make()

    @contextlib.contextmanager
    def resting(self):
        self.make()
        with self.running("rest") as program:
            yield program

    def tick(self, seconds):
        self.make()
        self.place.ask(LATENESS)
        with self.running("ticks"):
            time.sleep(seconds)

    def jobs(self, extent):
        self.make()
        return {"one": self.per_second(extent.jobs, 1, str(extent.jobs))}

    def per_second(self, number, processes, *words):
        """How many of the jobs that are due run in a second, their processes being there already."""
        with contextlib.ExitStack() as stack:
            programs = [stack.enter_context(self.running("jobs", *words)) for _ in range(processes)]
            # So that plans are those of a queue that has been there for a while, as ours are.
            self.place.ask("VACUUM ANALYZE")
            stopwatch = Stopwatch()
            for program in programs:
                program.go()
            for program in programs:
                program.wait_for("done")
            return round(number / stopwatch.seconds)

    def takeovers(self, _):
        """None: what is due is known to one process, and goes with it."""
        return []


class Procrastinate(Peer):
    def __init__(self, given):
        super().__init__(given, "procrastinate", "peer_procrastinate.py")

    def make(self):
        super().make()
        self.call("make")

    def call(self, *words):
        subprocess.run([sys.executable, *self.words, *map(str, words)], check=True)

    def jobs(self, extent):
        """The most of what one process and two get through: one of Python keeps one core busy."""
        return {"one": max(self.drained(extent.jobs, processes) for processes in (1, 2))}

    def drained(self, number, processes):
        self.make()
        self.call("enter", "nothing", number)
        found = self.per_second(number, processes)
        left = self.place.ask("SELECT count(*) FROM procrastinate_jobs WHERE status <> 'succeeded'")
        if left != "0":
            raise SystemExit(f"bench: {left} tasks of the queue have not succeeded")
        return found

    def takeovers(self, extent):
        self.make()
        self.place.ask("CREATE TABLE held (pid integer, at timestamptz)")
        self.call("enter", "hold", 1)
        with contextlib.ExitStack() as stack:
            start = lambda: stack.enter_context(self.running("hold", str(extent.heartbeat), str(extent.silence)))
            programs = [start(), start()]
            return [self.takeover(programs, start) for _ in range(extent.kills)]

    def takeover(self, programs, start):
        """How long after a kill of the process that holds the task another holds it; it is replaced then."""
        victim = self.holder(programs)
        victim.process.kill()
        stopwatch = Stopwatch()
        programs.remove(victim)
        self.holder(programs)
        seconds = stopwatch.seconds
        programs.append(start())
        return seconds

    def holder(self, programs):
        """Which of these holds the task, once one does."""
        stopwatch = Stopwatch()
        while stopwatch.seconds < 120:
            found = self.place.ask("SELECT pid FROM held ORDER BY at DESC LIMIT 1")
            for program in programs:
                if found == str(program.pid):
                    return program
            time.sleep(0.02)
        raise SystemExit("bench: a task of the queue was taken up by nobody for two minutes")


class PgCron:
    """A part of the server itself, which knows minutes only: its ticks are those of all the other windows."""
    name = "pg_cron"

    def __init__(self, given):
        self.place = Place(given, "postgres")

    @contextlib.contextmanager
    def resting(self):
        pid = self.place.ask("SELECT pid FROM pg_stat_activity WHERE backend_type = 'pg_cron launcher'")
        yield SimpleNamespace(pid=int(pid))

    @contextlib.contextmanager
    def ticking(self):
        self.place.ask(
            f"CREATE EXTENSION IF NOT EXISTS pg_cron; DROP TABLE IF EXISTS lateness; {LATENESS}; "
            "SELECT cron.schedule('tick', '* * * * *', $$INSERT INTO lateness VALUES "
            "('minute', date_trunc('minute', clock_timestamp()), clock_timestamp())$$)")
        yield
        self.place.ask("SELECT cron.unschedule('tick')")
