"""Daemons that take the parts of a run which waits for them, as those of several hosts would."""

import os
import re
import signal
import subprocess

from watch import megabytes

NEVER_SOON = 'schedule = "0 0 1 1 *"'


class Hosts:
    """So many daemons, as of as many hosts, that begin at once and decide nothing; settings say with how many workers."""

    def __init__(self, world, variables, number):
        self.world, self.number = world, number
        self.variables = {**variables, "WORKER_CONFIG": settings(world, variables["WORKER_CONFIG"])}

    def run(self, until):
        """From their beginning to their end, which they are told when `until`, given a look at them, returns."""
        logs = [os.path.join(self.world.scratch, f"daemon-{number}.log") for number in range(self.number)]
        self.processes = [self.start(log) for log in logs]
        try:
            until(self.check)
            most = max(megabytes(process.pid) for process in self.processes)
        finally:
            for process in self.processes:
                process.send_signal(signal.SIGTERM)
            seconds = [self.end(process) for process in self.processes]
        return {"cpu": sum(seconds), "megabytes": most}

    def start(self, log):
        with open(log, "w") as file:
            return subprocess.Popen([self.world.worker, "daemon"], env=self.variables, stdout=file, stderr=file)

    def check(self):
        """Who waits for a daemon that has ended would wait for good."""
        for number, process in enumerate(self.processes):
            if process.poll() is not None:
                with open(os.path.join(self.world.scratch, f"daemon-{number}.log")) as file:
                    raise SystemExit(f"bench: a daemon ended with {process.returncode}: {file.read()[-600:]}")

    def end(self, process):
        """The processor's seconds that it has used."""
        if process.returncode is not None:
            return 0
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime


def settings(world, path):
    """The same settings for daemons: no job comes due by itself."""
    with open(path) as file:
        text = re.sub(r"(\[jobs\.(\w+)\])", rf"\1\n{NEVER_SOON}", file.read())
    named = set(re.findall(r"\[jobs\.(\w+)\]", text))
    with open("config/worker.toml") as file:
        jobs = set(re.findall(r"^\[jobs\.(\w+)\]$", file.read(), re.MULTILINE))
    path = os.path.join(world.scratch, "daemon.toml")
    with open(path, "w") as file:
        file.write(text + "".join(f"[jobs.{job}]\n{NEVER_SOON}\n" for job in sorted(jobs - named)))
    return path
