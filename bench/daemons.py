"""A second process that takes parts of a run which another has begun."""

import contextlib
import os
import re
import signal
import subprocess
import threading


@contextlib.contextmanager
def daemon_beside(world, variables):
    """A daemon with one worker that does nothing by itself, ready before the block begins."""
    path = os.path.join(world.scratch, "daemon.toml")
    with open(variables["WORKER_CONFIG"]) as file:
        text = re.sub(r"(\[jobs\.(\w+)\])", r'\1\nschedule = "0 0 1 1 *"', file.read())
    named = set(re.findall(r"\[jobs\.(\w+)\]", text))
    with open("config/worker.toml") as file:
        jobs = set(re.findall(r"^\[jobs\.(\w+)\]$", file.read(), re.MULTILINE))
    with open(path, "w") as file:
        file.write(text + "".join(f'[jobs.{job}]\nschedule = "0 0 1 1 *"\n' for job in sorted(jobs - named)))
    daemon = subprocess.Popen([world.worker, "daemon"], env={**variables, "WORKER_CONFIG": path},
                              stderr=subprocess.PIPE, text=True)
    try:
        wait_until_ready(daemon)
        yield
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.wait(timeout=60)


def wait_until_ready(daemon):
    """What it says later is read by a thread, so that it never waits for a reader."""
    said = []
    for line in daemon.stderr:
        said.append(line)
        if "msg=ready" in line:
            threading.Thread(target=daemon.stderr.read, daemon=True).start()
            return
    raise SystemExit(f"bench: the second daemon ended before it was ready: {''.join(said)[-600:]}")
