"""Measures one run of a job, and one of its floor."""

import datetime
import os
import subprocess
import time

from hosts import Hosts
from server import Session
from watch import Stopwatch, Watch, megabytes

LAST_RUN = "FROM jobkit.run ORDER BY id DESC LIMIT 1"
HERE = os.path.dirname(os.path.abspath(__file__))


class Measure:
    """Runs the two sides of a case and says what each took."""

    def __init__(self, world, case):
        self.world, self.server, self.case = world, world.server, case

    def job(self):
        """The real program: the seconds are those from the run's beginning to its end in the ledger."""
        return self.run(lambda: self.process(self.words(), self.world.variables())) | {"side": "job"}

    def parts(self):
        """The same run in parts, by as many workers: of one process, or of daemons for whom the run waits."""
        variables = self.world.variables(self.case.parts, self.case.processes)
        if self.case.processes == 1:
            return self.run(lambda: self.process(self.words(), variables)) | {"side": "parts"}
        self.enter(variables)
        hosts = Hosts(self.world, variables, self.case.processes)
        return self.run(lambda: hosts.run(self.wait_for_the_end)) | {"side": "parts"}

    def enter(self, variables):
        """Enters the run for daemons to work off, as of the case's moment."""
        at = datetime.datetime.fromisoformat(self.case.at)
        self.world.call("backfill", self.case.job, "--from", self.case.at, "--to",
                        f"{at + datetime.timedelta(seconds=1):%Y-%m-%dT%H:%M:%SZ}", "--reprocess", "all",
                        variables=variables)

    def dry(self):
        """A dry run, which leaves nothing in the ledger: the seconds are those of its process."""
        return self.watched(lambda: self.process(self.words("--dry-run"), self.world.variables())) | {"side": "dry"}

    def unwatched(self):
        """The real program with nobody beside it who asks the server: those who read count what they wait for."""
        self.process(self.words(), self.world.variables())
        self.expect_success()

    def span(self):
        """When the last run began and when it ended, as `time.time()` tells moments."""
        moments = self.server.rows(f"SELECT extract(epoch FROM started_at) AS began, "
                                   f"extract(epoch FROM finished_at) AS ended {LAST_RUN}")[0]
        return moments["began"], moments["ended"]

    def run(self, work):
        found = self.watched(work)
        self.expect_success()
        found["seconds"] = float(self.server.ask(f"SELECT extract(epoch FROM finished_at - started_at) {LAST_RUN}"))
        return found | {"counters": self.counters(), "at_once": self.at_once()}

    def words(self, *more):
        instant = [] if self.case.at == "now" else ["--for", self.case.at]
        return [self.world.worker, "run", self.case.job, *instant, *more]

    def counters(self):
        """What the run has counted, by name."""
        return {row["name"]: row["value"] for row in self.server.rows(
            "SELECT name, sum(value)::bigint AS value FROM jobkit.part, unnest(counter_names, counter_values) "
            f"AS counter (name, value) WHERE run = (SELECT id {LAST_RUN}) GROUP BY name")}

    def at_once(self):
        """How many parts of the run had begun before the first of them ended."""
        return int(self.server.ask(
            f"WITH part AS (SELECT * FROM jobkit.part WHERE run = (SELECT id {LAST_RUN})) "
            "SELECT count(*) FROM part WHERE started_at < (SELECT min(finished_at) FROM part)"))

    def wait_for_the_end(self, check):
        """Of the last run, at which others work; `check` ends the benchmark when they do no more."""
        session = Session(self.server)
        while session.ask(f"SELECT state {LAST_RUN};") in (["due"], ["running"]):
            check()
            time.sleep(0.1)
        session.end()

    def expect_success(self):
        if (state := self.server.ask(f"SELECT state {LAST_RUN}")) != "succeeded":
            raise SystemExit(f"bench: a run of {self.case.job} has {state}")

    def process(self, words, variables):
        """One process, and what the kernel says that it used."""
        errors = os.path.join(self.world.scratch, "worker.log")
        with open(errors, "w") as log:
            process = subprocess.Popen(words, env=variables, stdout=log, stderr=log)
            most = most_memory(process.pid)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            with open(errors) as log:
                raise SystemExit(f"bench: {' '.join(words[1:])} ended with {process.returncode}: {log.read()[-600:]}")
        return {"cpu": usage.ru_utime + usage.ru_stime, "megabytes": most}

    def floor(self):
        """Plain SQL in one session of psql that is there already."""
        session = Session(self.server)
        session.ask("\\set ON_ERROR_STOP 1\n" + "\n".join(f"\\set {name} '{value}'" for name, value in self.values()))
        path = os.path.join(HERE, "floor", f"{self.case.floor}.sql")

        found = self.watched(lambda: session.run(f"\\i '{path}'"), after=session.end)
        return found | {"side": "floor"}

    def values(self):
        """What the floors call `at`, `since`, and the week and its monday."""
        at = datetime.datetime.fromisoformat(self.case.at)
        monday = at.date() - datetime.timedelta(days=at.weekday())
        return [("at", self.case.at), ("since", self.case.since or "2000-01-01"), ("monday", monday),
                ("week", f"{at:%G-W%V}")]

    def watched(self, run, after=lambda: None):
        """What `run` took and wrote; the server counts what a session wrote when that has ended."""
        before, load = self.server.counters(), os.getloadavg()[0]
        with Watch(self.server) as watch:
            stopwatch, stolen = Stopwatch(), stolen_seconds()
            found = run() or {}
            seconds, stolen = stopwatch.seconds, stolen_seconds() - stolen
        after()
        now = self.server.counters()
        return {"seconds": seconds, "wall": seconds, "load": load, "stolen": stolen / seconds / os.cpu_count(),
                "transaction": watch.transaction, "lock": watch.lock, **found,
                **{name: now[name] - before[name] for name in now}}


def stolen_seconds():
    """How long this machine's processors have waited for those of its host."""
    with open("/proc/stat") as file:
        return int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")


def most_memory(pid):
    """The most megabytes that a process has had, looked at until it ends.

    What `wait4` tells of memory counts that of the process that it was forked from.
    """
    most = 0
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        most = max(most, megabytes(pid))
        time.sleep(0.02)
    return most
