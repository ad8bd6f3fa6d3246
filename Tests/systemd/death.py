"""What happens to a daemon that dies, and to one that hangs."""

import os
import signal

from service import entries, settle, show, wait


def killed():
    """a daemon that is killed is started again"""
    restarts, process = int(show("NRestarts")), show("MainPID")
    os.kill(int(process), signal.SIGKILL)
    wait("a restart", lambda: int(show("NRestarts")) > restarts)
    settle()
    assert show("MainPID") != process


def hung():
    """a daemon that hangs is killed by the watchdog and started again"""
    restarts, process = int(show("NRestarts")), show("MainPID")
    os.kill(int(process), signal.SIGSTOP)
    wait("a restart", lambda: int(show("NRestarts")) > restarts)
    settle()
    assert show("MainPID") != process
    assert any("Watchdog timeout (limit 4s)!" in entry["MESSAGE"] for entry in entries("_PID=1"))


STEPS = [killed, hung]
