"""How long readers of a leaderboard wait, while nothing else happens and while it is refreshed."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor

from server import Session
from watch import Stopwatch

RANK = "SELECT place, rank FROM learning.leaderboard_around({}, 'all_time', 'overall', 0);"

# So many reads are made of an idle server, and so long is waited between two of them.
READS = 500
PAUSE = 0.005


class Reader:
    """One session that asks for the rank of one learner after the other, once it has done so without being counted."""

    def __init__(self, server, learners):
        self.server, self.learners, self.over = server, learners, threading.Event()

    def __enter__(self):
        self.session = Session(self.server)
        self.idle()
        return self

    def __exit__(self, *_):
        self.session.end()

    def idle(self):
        """What reads take when nobody else works."""
        return [self.read() for _ in range(READS)]

    def during(self, work):
        """What `work` finds, and what reads take meanwhile."""
        self.over.clear()
        with ThreadPoolExecutor(1) as thread:
            reading = thread.submit(self.read_on)
            try:
                found = work()
            finally:
                self.over.set()
        return found, reading.result()

    def read_on(self):
        taken = [self.read()]
        while not self.over.is_set():
            taken.append(self.read())
        return taken

    def read(self):
        self.over.wait(PAUSE)
        stopwatch = Stopwatch()
        self.session.ask(RANK.format(random.randint(1, self.learners)))
        return stopwatch.seconds


def percentile(taken, part):
    return sorted(taken)[int(part * (len(taken) - 1))]
