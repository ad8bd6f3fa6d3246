"""Three daemons work on one ledger; each second something terrible happens to one of them.

A daemon is killed, or frozen for longer than its lease and woken again, or loses its connections. In the
end all is left in peace, and the ledger must show: every tick has exactly one row, every run is over, and
every chunk of every run has had its effect exactly once.
"""

import os
import random
import signal
import subprocess
import sys
import time

DAEMONS = 3
LEASE = 15


class Storm:
    def __init__(self, worker, psql, scratch, seconds, seed):
        self.worker, self.psql, self.scratch = worker, psql, scratch
        self.seconds, self.random = seconds, random.Random(seed)
        self.frozen = {}
        self.counts = {"killed": 0, "frozen": 0, "disconnected": 0}
        settings = os.path.join(scratch, "worker.toml")
        with open(settings, "w") as file:
            file.write(f'[database]\nurl = "host={scratch}/socket user=worker dbname=postgres"\n')
        self.environment = {"WORKER_CONFIG": settings, "WORKER_REHEARSAL": "1", "PATH": os.environ["PATH"]}
        self.daemons = []

    def sql(self, text):
        words = [self.psql, "-h", f"{self.scratch}/socket", "-U", "worker", "-d", "postgres", "-XAtqc", text]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()

    def call(self, *words):
        return subprocess.run([self.worker, *words], env=self.environment, capture_output=True, text=True)

    def start(self):
        log = open(os.path.join(self.scratch, "daemon.log"), "a")
        return subprocess.Popen([self.worker, "daemon"], env=self.environment, stderr=log)

    def run(self):
        assert self.call("migrate", "up").returncode == 0
        self.sql("CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint, "
                 "PRIMARY KEY (moment, part, chunk))")
        self.daemons = [self.start() for _ in range(DAEMONS)]
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            time.sleep(self.random.uniform(0.2, 1.0))
            self.wake()
            self.strike()
        self.settle()

    def strike(self):
        number = self.random.randrange(DAEMONS)
        daemon = self.daemons[number]
        kind = self.random.choices(["killed", "frozen", "disconnected"], [6, 1, 2])[0]
        if number in self.frozen:
            return
        self.counts[kind] += 1
        if kind == "killed":
            daemon.kill()
            daemon.wait()
            self.daemons[number] = self.start()
        elif kind == "frozen" and len(self.frozen) < DAEMONS - 1:
            daemon.send_signal(signal.SIGSTOP)
            self.frozen[number] = time.monotonic() + LEASE + self.random.uniform(1, 4)
        else:
            self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client "
                     "backend' AND pid <> pg_backend_pid() AND random() < 0.3")

    def wake(self, everyone=False):
        for number, until in list(self.frozen.items()):
            if everyone or time.monotonic() > until:
                self.daemons[number].send_signal(signal.SIGCONT)
                del self.frozen[number]

    def settle(self):
        """No more ticks: what is open is finished, then all daemons are told to end."""
        self.wake(everyone=True)
        self.call("pause", "rehearse", "--reason", "the storm is over")
        bound = time.monotonic() + 4 * LEASE
        while self.sql("SELECT count(*) FROM jobkit.run WHERE finished_at IS NULL") != "0":
            assert time.monotonic() < bound, "runs were left open: " + self.sql(
                "SELECT job, state, scheduled_for FROM jobkit.run WHERE finished_at IS NULL")
            time.sleep(0.2)
        for daemon in self.daemons:
            daemon.terminate()
        for daemon in self.daemons:
            daemon.wait(timeout=40)

    def judge(self):
        failures = []
        audit = self.call("audit")
        if audit.returncode != 0:
            failures.append("ticks without a row:\n" + audit.stdout)
        doubled = self.sql("SELECT count(*) FROM (SELECT FROM jobkit.run WHERE trigger = 'schedule' "
                           "GROUP BY job, scheduled_for HAVING count(*) > 1) AS doubled")
        if doubled != "0":
            failures.append(f"{doubled} ticks have several rows")
        wrong = self.sql("""
            SELECT count(*) FROM jobkit.run
            LEFT JOIN (SELECT moment, count(*) AS chunks FROM rehearsal GROUP BY moment) AS effect
              ON moment = scheduled_for
            WHERE coalesce(chunks, 0) <> CASE state WHEN 'succeeded' THEN 10 ELSE 0 END""")
        if wrong != "0":
            failures.append(f"{wrong} runs have too few or too many effects")
        stray = self.sql("SELECT count(*) FROM rehearsal WHERE moment NOT IN (SELECT scheduled_for FROM jobkit.run)")
        if stray != "0":
            failures.append(f"{stray} effects belong to no run")
        return failures

    def report(self):
        states = self.sql("SELECT string_agg(n || ' ' || state, ', ') FROM "
                          "(SELECT state, sum(ticks) AS n FROM jobkit.run GROUP BY state ORDER BY state) AS states")
        lost = self.sql("SELECT coalesce(sum(interruptions), 0) FROM jobkit.part")
        print(f"storm: {self.counts}; ticks: {states}; parts taken over: {lost}")


def main():
    worker, psql, scratch, seconds, seed = sys.argv[1:]
    print(f"storm: seed {seed}, {seconds} s", flush=True)
    storm = Storm(worker, psql, scratch, float(seconds), int(seed))
    try:
        storm.run()
        failures = storm.judge()
        storm.report()
    finally:
        for daemon in storm.daemons:
            daemon.kill()
            daemon.wait()
    for failure in failures:
        print("storm:", failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


try:
    main()
except KeyboardInterrupt:
    sys.exit("storm: interrupted")
