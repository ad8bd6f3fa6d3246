"""Times the peers on a sample of learners, and says what all of them would take."""

import asyncio
import datetime
import functools
import os

import procrastinate
import psycopg
from psycopg.rows import namedtuple_row

from peers import LEARNERS, TASKS
from watch import Stopwatch

# So many learners are tasks; the rest is extrapolated.
SAMPLE = 2000

# How many tasks a worker of the queue has at once.
AT_ONCE = 4


class Sample:
    def __init__(self, server, case):
        self.server, self.case, self.task = server, case, TASKS[case.peer]
        if case.peer == "deliver":
            log = open(os.path.join(server.scratch, "pushes"), "ab", buffering=0)
            self.task = functools.partial(self.task, log=log)
        self.at = datetime.datetime.now(datetime.UTC) if case.at == "now" else datetime.datetime.fromisoformat(case.at)
        query = LEARNERS[case.peer].format(at=case.at, since=case.since)
        self.count = int(server.ask(f"SELECT count(*) FROM ({query}) AS learner"))
        self.learners = [int(line) for line in server.ask(
            f"SELECT user_id FROM ({query}) AS learner ORDER BY hashint8(user_id) LIMIT {SAMPLE}").splitlines()]

    def extrapolated(self, seconds):
        return {"seconds": seconds * self.count / max(1, len(self.learners)), "sample": len(self.learners),
                "learners_in_all": self.count, "sample_seconds": seconds}

    def connect(self):
        return psycopg.connect(self.server.address, row_factory=namedtuple_row, options="-c timezone=UTC")

    def loop(self):
        """One process, one connection, a transaction for each learner."""
        with self.connect() as connection:
            stopwatch = Stopwatch()
            for learner in self.learners:
                self.task(connection, learner, self.at)
                connection.commit()
            return self.extrapolated(stopwatch.seconds) | {"side": "loop"}

    def procrastinate(self):
        """The same as tasks of a queue: all are deferred at once, and a worker takes them until there are none."""
        return self.extrapolated(asyncio.run(self.queue())) | {"side": "procrastinate"}

    async def queue(self):
        app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=self.server.address))
        connections = [self.connect() for _ in range(AT_ONCE)]

        @app.task(name="learner")
        def learner(number):
            connection = connections.pop()
            try:
                self.task(connection, number, self.at)
                connection.commit()
            finally:
                connections.append(connection)

        async with app.open_async():
            if not await app.check_connection_async():
                await app.schema_manager.apply_schema_async()
            stopwatch = Stopwatch()
            await learner.batch_defer_async(*({"number": number} for number in self.learners))
            await app.run_worker_async(wait=False, concurrency=AT_ONCE, install_signal_handlers=False,
                                       listen_notify=False, delete_jobs="successful")
            seconds = stopwatch.seconds
        left = self.server.ask("SELECT count(*) FROM procrastinate_jobs")
        for connection in connections:
            connection.close()
        if left != "0":
            raise SystemExit(f"bench: {left} tasks of the queue have failed")
        return seconds
