"""How long readers of a leaderboard wait, while nothing else happens and while it is refreshed."""

import random
import threading

from server import Session
from watch import Stopwatch

RANK = "SELECT place, rank FROM learning.leaderboard_around({}, 'all_time', 'overall', 0);"

# So many reads are made of an idle server, and so long is waited between two of them.
READS = 500
PAUSE = 0.005


class Reader:
    """Asks for the rank of one learner after the other for as long as the block lasts."""

    def __init__(self, server, learners):
        self.server, self.learners, self.over, self.seconds = server, learners, threading.Event(), []

    def read(self, session):
        stopwatch = Stopwatch()
        session.ask(RANK.format(random.randint(1, self.learners)))
        self.seconds.append(stopwatch.seconds)

    def idle(self):
        """How long 99 of a hundred reads take at most when nobody else works."""
        session = Session(self.server)
        for _ in range(READS):
            self.read(session)
            self.over.wait(PAUSE)
        session.end()
        found, self.seconds = self.p99, []
        return found

    @property
    def p99(self):
        return sorted(self.seconds)[int(0.99 * (len(self.seconds) - 1))]

    def __enter__(self):
        self.session = Session(self.server)
        self.thread = threading.Thread(target=self.go_on)
        self.thread.start()
        return self

    def go_on(self):
        while not self.over.wait(PAUSE):
            self.read(self.session)

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        self.session.end()
