"""One daemon of a storm: started, killed, frozen, woken, and read."""

import itertools
import os
import signal
import subprocess
import time

_number = itertools.count(1)


class Daemon:
    def __init__(self, worker, environment, scratch):
        self.is_to_die = "WORKER_FAILPOINT" in environment
        self.path = os.path.join(scratch, f"daemon-{next(_number)}.log")
        with open(self.path, "w") as log:
            self.process = subprocess.Popen([worker, "daemon"], env=environment, stderr=log)

    @property
    def id(self):
        return self.process.pid

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def await_ready(self, within):
        bound = time.monotonic() + within
        while not any("msg=ready" in line for line in self.log_since(0)):
            assert time.monotonic() < bound, f"a daemon does not become ready: see {self.path}"
            time.sleep(0.02)

    def end(self, within):
        """Tells it to end, and returns how it did."""
        self.process.terminate()
        return self.process.wait(timeout=within)

    def log_size(self):
        return os.path.getsize(self.path)

    def log_since(self, offset):
        with open(self.path) as log:
            log.seek(offset)
            return log.readlines()
