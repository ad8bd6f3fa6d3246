"""Watches the server while something runs: the longest transaction, and the longest lock on rows to write."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from server import Session

PAUSE = 0.1

LOOK = """
SELECT extract(epoch FROM coalesce(max(clock_timestamp() - xact_start), '0')),
  extract(epoch FROM coalesce(max(clock_timestamp() - xact_start) FILTER (WHERE EXISTS (
    SELECT FROM pg_locks WHERE pg_locks.pid = activity.pid AND mode = 'RowExclusiveLock' AND granted)), '0'))
FROM pg_stat_activity AS activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend';
"""


class Watch:
    """Asks ten times a second for as long as the block lasts.

    A lock is held to the end of its transaction, so it is told by the age of a transaction that has written.
    """

    def __init__(self, server):
        self.server, self.transaction, self.lock, self.over = server, 0.0, 0.0, threading.Event()

    def __enter__(self):
        self.session = Session(self.server)
        self.thread = ThreadPoolExecutor(1)
        self.looking = self.thread.submit(self.look)
        return self

    def look(self):
        while not self.over.wait(PAUSE):
            transaction, lock = map(float, self.session.ask(LOOK)[0].split("|"))
            self.transaction, self.lock = max(self.transaction, transaction), max(self.lock, lock)

    def __exit__(self, *_):
        self.over.set()
        self.thread.shutdown()
        self.session.end()
        # Else a watch that broke would tell the longest transaction that it had seen until then.
        self.looking.result()


class Stopwatch:
    def __init__(self):
        self.begin = time.monotonic()

    @property
    def seconds(self):
        return time.monotonic() - self.begin


def megabytes(pid):
    """The most memory that a process has had that has not ended yet; of one that has just ended it is not told."""
    with open(f"/proc/{pid}/status") as file:
        return next((int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM")), 0)
