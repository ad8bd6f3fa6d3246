"""How long readers of a leaderboard wait, while nothing else happens and while it is refreshed."""

import random
import threading
import time
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
        return [seconds for _, seconds in (self.read() for _ in range(READS))]

    def during(self, work):
        """What reads take while `work` is done, each with the moment at which it began."""
        self.over.clear()
        with ThreadPoolExecutor(1) as thread:
            reading = thread.submit(self.read_on)
            try:
                work()
            finally:
                self.over.set()
        return reading.result()

    def read_on(self):
        reads = []
        while not self.over.is_set():
            reads.append(self.read())
        return reads

    def read(self):
        """When a read began, a while after the one before, and what it took."""
        time.sleep(PAUSE)
        began, stopwatch = time.time(), Stopwatch()
        self.session.ask(RANK.format(random.randint(1, self.learners)))
        return began, stopwatch.seconds


def percentile(taken, part):
    """Nothing when there are too few to speak of."""
    return sorted(taken)[int(part * (len(taken) - 1))] if len(taken) >= READS else None
