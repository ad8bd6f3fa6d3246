"""The PostgreSQL of a storm: asked, stopped in order, killed, and started again."""

import os
import signal
import subprocess
import time


class Server:
    def __init__(self, programs, scratch):
        self.programs, self.scratch = programs, scratch

    def sql(self, text):
        words = [f"{self.programs}/psql", "-h", f"{self.scratch}/socket", "-U", "worker", "-d", "postgres",
                 "-XAtqc", text]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()

    def start(self):
        script = ("source script/lib/setup.sh; source script/lib/postgres.sh; require_postgres; "
                  'start_server "$1" fsync=off max_connections=60')
        subprocess.run(["bash", "-c", script, "storm", self.scratch], check=True, capture_output=True, text=True)

    def end(self, number):
        """Sends the signal and waits until the server and all its processes are gone."""
        with open(f"{self.scratch}/data/postmaster.pid") as file:
            server = int(file.readline())
        processes = [server, *children(server)]
        os.kill(server, number)
        bound = time.monotonic() + 300
        while any(os.path.exists(f"/proc/{process}") for process in processes):
            # Who was killed cannot tell its children; they find out by themselves, and hold the memory until then.
            assert time.monotonic() < bound, "the server does not end"
            time.sleep(0.01)


def children(parent):
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as file:
                if name.isdigit() and int(file.read().rsplit(")", 1)[1].split()[1]) == parent:
                    yield int(name)
        except OSError:
            pass


STOPPED, KILLED = signal.SIGINT, signal.SIGKILL
