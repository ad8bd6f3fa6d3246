"""A second process that takes parts of a run which another has begun."""

import contextlib
import os
import re
import signal
import subprocess


@contextlib.contextmanager
def second_daemon(world, case):
    """A daemon with one worker that does nothing by itself, ready before the block begins."""
    if case.processes == 1:
        yield
        return
    variables = world.variables(case)
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
    for line in daemon.stderr:
        if "msg=ready" in line:
            break
    try:
        yield
    finally:
        daemon.send_signal(signal.SIGTERM)
        daemon.communicate(timeout=60)
