"""Four daemons work on one ledger; each second something terrible happens to one of them, or to the server.

A daemon is killed, or frozen in the middle of its work for longer than its lease and woken again; connections
are terminated; PostgreSQL is restarted, or killed. One daemon is never touched: it believes and decides beside
all others. In the end all is left in peace, and the ledger must show: every tick has exactly one row, every run
is over, and every chunk of every run has had its effect exactly once. Every daemon that slept through its lease
must have said that what it held was no longer its own.
"""

import json
import os
import random
import subprocess
import sys
import time

from daemon import Daemon
from judge import judge, report
from server import KILLED, STOPPED, Server
from zombie import Zombie

VICTIMS = 3
# A lease much shorter than the usual 15 s lets more happen; 15 s are as good, and take longer.
LEASE = int(os.environ.get("STORM_LEASE", "4"))
# What happens first in every storm, however short, and then how often each thing does.
OPENING = ["frozen", "restarted", "crashed", "killed", "disconnected"]
WEIGHTS = {"killed": 12, "frozen": 3, "disconnected": 4, "restarted": 1, "crashed": 1}


class Storm:
    def __init__(self, worker, programs, scratch, seconds, seed):
        self.worker, self.scratch, self.seconds = worker, scratch, seconds
        self.server, self.random = Server(programs, scratch), random.Random(seed)
        self.counts = dict.fromkeys(WEIGHTS, 0)
        settings = os.path.join(scratch, "worker.toml")
        with open(settings, "w") as file:
            file.write(f'[database]\nurl = "host={scratch}/socket user=worker dbname=postgres"\n')
        self.environment = {"WORKER_CONFIG": settings, "WORKER_REHEARSAL": "rehearse",
                            "WORKER_REHEARSAL_LEASE": f"{LEASE}s", "PATH": os.environ["PATH"]}
        self.victims, self.zombies, self.failures = [], [], []
        self.disable_others(settings)

    def disable_others(self, settings):
        """Daemons that rehearse have one job: the others would count as jobs that no daemon has entered."""
        known = json.loads(self.call("check", "--json").stdout)["jobs"]
        with open(settings, "a") as file:
            file.writelines(f"[jobs.{job['name']}]\nenabled = false\n" for job in known if job["name"] != "rehearse")

    def call(self, *words):
        return subprocess.run([self.worker, *words], env=self.environment, capture_output=True, text=True)

    def start(self):
        return Daemon(self.worker, self.environment, self.scratch)

    def run(self):
        assert self.call("migrate", "up").returncode == 0
        self.server.sql("CREATE TABLE rehearsal (moment timestamptz, part bigint, chunk bigint, "
                        "PRIMARY KEY (moment, part, chunk))")
        self.believer = self.start()
        self.victims = [self.start() for _ in range(VICTIMS)]
        opening = list(OPENING)
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            time.sleep(self.random.uniform(0.2, 1.0))
            self.wake()
            kind = opening.pop(0) if opening else self.random.choices(list(WEIGHTS), WEIGHTS.values())[0]
            if getattr(self, kind)():
                self.counts[kind] += 1
        self.settle()

    def killed(self):
        number = self.random.randrange(VICTIMS)
        if self.is_spared(self.victims[number]):
            return False
        self.victims[number].kill()
        self.victims[number] = self.start()
        return True

    def frozen(self, within=3):
        """Freezes a daemon in the middle of a part, or not at all."""
        if sum(zombie.woken_at is None for zombie in self.zombies) >= VICTIMS - 1:
            return False
        bound = time.monotonic() + within
        while time.monotonic() < bound:
            for line in self.server.sql("SELECT daemon, run, number, epoch FROM jobkit.part "
                                        "WHERE state = 'running' ORDER BY random()").splitlines():
                if self.freeze(*line.split("|")):
                    return True
        return False

    def freeze(self, worker, run, part, epoch):
        process = int(worker.split(":")[1])
        victim = next((daemon for daemon in self.victims if daemon.id == process), None)
        if victim is None or self.is_spared(victim):
            return False
        victim.freeze()
        zombie = Zombie(victim, time.monotonic() + LEASE + self.random.uniform(1, 4), run, part, epoch)
        holder = self.server.sql(f"SELECT daemon FROM jobkit.part WHERE {zombie.held()}")
        if holder != worker or zombie.had_given_up():
            victim.thaw()
            return False
        self.zombies.append(zombie)
        return True

    def is_spared(self, daemon):
        """Who is frozen, or has just been woken, is let alone: it has something to say."""
        return any(zombie.daemon is daemon and (zombie.woken_at is None or time.monotonic() < zombie.woken + 5)
                   for zombie in self.zombies)

    def disconnected(self):
        self.server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client "
                        "backend' AND pid <> pg_backend_pid() AND random() < 0.3")
        return True

    def restarted(self):
        return self.put_down(STOPPED)

    def crashed(self):
        return self.put_down(KILLED)

    def put_down(self, number):
        self.server.end(number)
        time.sleep(self.random.uniform(0, 3))
        self.server.start()
        return True

    def wake(self):
        for zombie in self.zombies:
            if zombie.woken_at is None and time.monotonic() > zombie.until:
                zombie.wake(self.server)

    def sleep_out(self):
        while any(zombie.woken_at is None for zombie in self.zombies):
            time.sleep(0.1)
            self.wake()

    def settle(self):
        """No more ticks: what is open is finished, then all daemons are told to end."""
        self.sleep_out()
        # Once more, with a server that nobody touches: only the fence can refuse what this one writes.
        assert self.frozen(within=300), "nobody could be frozen in the middle of its work"
        self.sleep_out()
        if self.zombies[-1].was_replaced and self.zombies[-1].verdict(within=300) != "refused":
            self.failures.append("the late write of a zombie was not refused")
        pause = self.call("pause", "rehearse", "--reason", "the storm is over")
        assert pause.returncode == 0, pause.stderr
        self.over = self.server.sql("""SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')""")
        bound = time.monotonic() + 300
        while self.server.sql("SELECT count(*) FROM jobkit.run WHERE finished_at IS NULL") != "0":
            assert time.monotonic() < bound, "runs were left open: " + self.server.sql(
                "SELECT job, state, scheduled_for FROM jobkit.run WHERE finished_at IS NULL")
            time.sleep(0.2)
        while self.server.sql(f"SELECT decided_until >= '{self.over}' FROM jobkit.job WHERE name = 'rehearse'") != "t":
            assert time.monotonic() < bound, f"nobody decides until {self.over}"
            time.sleep(0.2)
        for daemon in [self.believer, *self.victims]:
            status = daemon.end(within=300)
            if status != 0:
                self.failures.append(f"a daemon ended with {status}: see {daemon.path}")


def main():
    worker, programs, scratch, seconds, seed = sys.argv[1:]
    print(f"storm: seed {seed}, {seconds} s", flush=True)
    storm = Storm(worker, programs, scratch, float(seconds), int(seed))
    try:
        storm.run()
        failures = storm.failures + judge(storm)
        report(storm)
    finally:
        for daemon in [storm.believer, *storm.victims]:
            daemon.thaw()
            daemon.kill()
    for failure in failures:
        print("storm:", failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


try:
    main()
except KeyboardInterrupt:
    sys.exit("storm: interrupted")
