"""A daemon works on a streaming pair whose primary is lost again and again; its standby is promoted each time.

The daemon's address names both servers and asks for the one that may be written to. Whatever is committed is on both,
as the primary waits for its standby. So after every failover each tick must have exactly one row, and each chunk of
each run have had its effect exactly once.
"""

import os
import random
import subprocess
import sys
import time

from node import Node
from rules import blind, broken

# Much shorter than the usual 15 s, so that what is printed is the failover, and not the wait for what the dead held.
LEASE = 4
# For how many seconds a primary that hangs keeps ticks from being decided at most, as docs/database.md says of the
# usual lease. With this one it is 7 by the limits of the daemon's questions; the rest is for a host that is busy.
PROMISE = 15
# How many runs succeed between two failovers, so that each one meets a pair at work.
SUCCESSES = 3


class Failover:
    def __init__(self, worker, programs, scratch, seed):
        self.worker, self.random = worker, random.Random(seed)
        self.primary, self.standby = (Node(programs, f"{scratch}/{name}") for name in ("one", "two"))
        settings = f"{scratch}/worker.toml"
        ports = f"{self.primary.port},{self.standby.port}"
        with open(settings, "w") as file:
            file.write('[database]\nurl = "host=127.0.0.1,127.0.0.1 '
                       f'port={ports} user=worker dbname=postgres target_session_attrs=read-write"\n')
        self.environment = {"WORKER_CONFIG": settings, "WORKER_REHEARSAL": "rehearse",
                            "WORKER_REHEARSAL_LEASE": f"{LEASE}s", "PATH": os.environ["PATH"]}
        self.log = f"{scratch}/daemon.log"
        self.daemon = None

    def call(self, *words):
        done = subprocess.run([self.worker, *words], env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def start(self):
        self.primary.start()
        self.call("migrate", "up")
        self.primary.sql("CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint)")
        with open(self.log, "w") as log:
            self.daemon = subprocess.Popen([self.worker, "daemon"], env=self.environment, stderr=log)
        self.await_success(after=0)

    def round(self, hangs):
        """Loses the primary in the middle of work; returns for how many seconds nothing was decided, and succeeded."""
        self.standby.copy(self.primary)
        # A tick a second: anywhere between two of them, and then as soon as something runs.
        time.sleep(self.random.uniform(0, 1))
        self.primary.wait("SELECT count(*) FROM jobkit.part WHERE state = 'running'", "a part that runs")
        if hangs:
            self.primary.freeze()
        else:
            self.primary.kill()
        lost = time.time()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary
        success = self.await_success(after=lost)
        if hangs:
            # Before it wakes: two that may be written to at once are two ledgers.
            self.standby.kill()
        self.await_success(after=success, count=SUCCESSES)
        decision = float(self.primary.sql("SELECT extract(epoch FROM min(decided_at)) FROM jobkit.run "
                                          f"WHERE decided_at > to_timestamp({lost})"))
        return decision - lost, success - lost

    def await_success(self, after, count=1, within=300):
        """Waits for runs that succeed after a moment; returns when the first did. The bound only ends a hang."""
        bound = time.monotonic() + within
        while time.monotonic() < bound:
            assert self.daemon.poll() is None, f"the daemon has ended: see {self.log}"
            found = self.primary.sql("SELECT extract(epoch FROM min(finished_at)) FROM jobkit.run "
                                     f"WHERE state = 'succeeded' AND finished_at > to_timestamp({after}) "
                                     f"HAVING count(*) >= {count}")
            if found:
                return float(found)
            time.sleep(0.05)
        raise AssertionError(f"nothing succeeds after the failover: see {self.log}")

    def rest(self):
        """No more ticks: what is open is finished."""
        self.call("pause", "rehearse", "--reason", "the end")
        self.primary.wait("SELECT (count(*) = 0)::integer FROM jobkit.run WHERE finished_at IS NULL",
                          "the end of all runs")
        self.daemon.terminate()
        status = self.daemon.wait(timeout=300)
        assert status == 0, f"the daemon ended with {status}: see {self.log}"


def main():
    worker, programs, scratch, rounds, seed = sys.argv[1:]
    rounds = int(rounds)
    failover = Failover(worker, programs, scratch, int(seed))
    try:
        failover.start()
        for number in range(1, rounds + 1):
            hangs = number == rounds
            undecided, without = failover.round(hangs)
            print(f"failover: the primary {'hangs' if hangs else 'is killed'}, next tick decided after "
                  f"{undecided:.1f} s, next success after {without:.1f} s", flush=True)
            assert not hangs or undecided <= PROMISE, \
                f"no tick was decided for more than {PROMISE} s: see {failover.log}"
        failover.rest()
        failures = broken(failover.primary)
        failures += [f"nobody would notice {rule}" for rule in blind(failover.primary)]
        ticks = failover.primary.sql("SELECT string_agg(n || ' ' || state, ', ') FROM (SELECT state, sum(ticks) AS n "
                                     "FROM jobkit.run GROUP BY state ORDER BY state) AS states")
        print(f"failover: {rounds} failovers, seed {seed}; ticks: {ticks}")
    finally:
        if failover.daemon:
            failover.daemon.kill()
    for failure in failures:
        print("failover:", failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


try:
    main()
except KeyboardInterrupt:
    sys.exit("failover: interrupted")
