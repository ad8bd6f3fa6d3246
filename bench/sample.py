"""Times the peers on a sample of learners, and says what all of them would take."""

import asyncio
import datetime
import functools
import multiprocessing
import os

import procrastinate
import psycopg
from psycopg.rows import namedtuple_row

from peers import LEARNERS, TASKS
from watch import Stopwatch

# Up to so many learners are tasks, all of them; of more a sample is, and the rest is extrapolated. A sample is of
# neighbours, so many at a time: in a run of all of them too a page that a task has touched is touched by those that
# come next.
EVERYBODY = 30_000
SAMPLE = 2000
NEIGHBOURS = 100

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
        is_whole = self.count <= EVERYBODY
        order = "user_id" if is_whole else "hashint8(stretch), user_id"
        self.learners = [int(line) for line in server.ask(
            f"SELECT user_id FROM (SELECT user_id, (row_number() OVER (ORDER BY user_id) - 1) / {NEIGHBOURS} AS stretch "
            f"FROM ({query}) AS learner) AS learner ORDER BY {order} "
            f"LIMIT {self.count if is_whole else SAMPLE}").splitlines()]

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

    def procrastinate(self, processes=1):
        """The same as tasks of a queue: all are deferred at once, and workers take them until there are none."""
        asyncio.run(self.make_queue())
        together = multiprocessing.Barrier(processes + 1, timeout=60)
        workers = [multiprocessing.Process(target=self.work, args=(together,)) for _ in range(processes)]
        for worker in workers:
            worker.start()
        together.wait()
        stopwatch = Stopwatch()
        asyncio.run(self.defer())
        together.wait()
        for worker in workers:
            worker.join()
        seconds = stopwatch.seconds
        if (left := self.server.ask("SELECT count(*) FROM procrastinate_jobs")) != "0":
            raise SystemExit(f"bench: {left} tasks of the queue have failed")
        return self.extrapolated(seconds) | {"side": "procrastinate" if processes == 1 else "procrastinates"}

    def queue(self, connections):
        """The queue as a process knows it; a task takes one of the connections."""
        app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=self.server.address))

        @app.task(name="learner")
        def learner(number):
            connection = connections.pop()
            try:
                self.task(connection, number, self.at)
                connection.commit()
            finally:
                connections.append(connection)

        return app, learner

    async def make_queue(self):
        app, _ = self.queue([])
        async with app.open_async():
            if not await app.check_connection_async():
                await app.schema_manager.apply_schema_async()

    async def defer(self):
        app, learner = self.queue([])
        async with app.open_async():
            await learner.batch_defer_async(*({"number": number} for number in self.learners))

    def work(self, together):
        asyncio.run(self.take_all(together))

    async def take_all(self, together):
        """Begins when the tasks are there; its connections are there before them."""
        app, _ = self.queue([self.connect() for _ in range(AT_ONCE)])
        async with app.open_async():
            together.wait()
            together.wait()
            await app.run_worker_async(wait=False, concurrency=AT_ONCE, install_signal_handlers=False,
                                       listen_notify=False, delete_jobs="successful")
