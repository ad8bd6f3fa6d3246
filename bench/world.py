"""The world that is measured in: made by the demo generator, and brought on from stage to stage."""

import os
import subprocess

from cases import CASES, EVENING


class World:
    """A database of so many learners, and the program with settings for it."""

    def __init__(self, server, worker, learners, scratch):
        self.server, self.worker, self.learners, self.scratch = server, worker, learners, scratch
        self.pushes = os.path.join(scratch, "pushes")

    def variables(self, parts=1, processes=1):
        """The environment of the program, with settings by which a run has so many parts, and a process its workers."""
        path = os.path.join(self.scratch, f"worker-{parts}-{processes}.toml")
        parted = {case.job for case in CASES if case.parts > 1}
        with open(path, "w") as file:
            file.write(f'workers = {parts // processes}\n[push]\nlog = "{self.pushes}"\n'
                       f'[database]\nurl = "{self.server.address}"\nstatement_timeout = "1h"\n')
            # A run of millions is beyond the bounds of some jobs, and would wait until somebody has looked.
            file.writelines(f"[jobs.{job}]\nmost = 0\nparts = {parts if job in parted else 1}\n"
                            for job in sorted({case.job for case in CASES}))
        kept = {name: os.environ[name] for name in ("PATH", "TZDIR") if name in os.environ}
        return {**kept, "WORKER_CONFIG": path}

    def call(self, *words, variables=None):
        done = subprocess.run([self.worker, *words], env=variables or self.variables(), capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"bench: worker {' '.join(words)}: {done.stderr.strip()[-600:]}")
        return done.stdout

    def make(self):
        self.call("migrate", "up")
        self.call("demo", "data", "--learners", str(self.learners), "--until", EVENING, "--live-days", "2")
        self.server.ask("CREATE SCHEMA bench; CREATE TABLE bench.zone (name text PRIMARY KEY); "
                        "INSERT INTO bench.zone SELECT name FROM pg_timezone_names; "
                        "CREATE TABLE bench.stage (number integer)")

    def go_on(self, until):
        """Lets learners do what they do until then."""
        if until != EVENING:
            self.call("demo", "play", "--until", until)
            # Floors know of no moves: before any job looks, whoever has moved has always lived there.
            self.server.ask("UPDATE learning.users SET zone_before = NULL, moved_at = NULL WHERE moved_at IS NOT NULL")
            self.vacuum()

    def run(self, job, at):
        self.call("run", job, "--for", at)
        self.vacuum()

    def vacuum(self):
        self.server.ask("VACUUM ANALYZE")
