"""Procrastinate as a process of its own: it says when it is ready, then does what it was started for.

    peer_procrastinate.py ADDRESS make                         the queue's tables
    peer_procrastinate.py ADDRESS enter nothing|hold NUMBER    so many tasks
    peer_procrastinate.py ADDRESS rest|ticks|jobs
    peer_procrastinate.py ADDRESS hold HEARTBEAT SILENCE       seconds between signs of life, and without any

A worker is told of new tasks at once (`listen_notify`, which is its usual), and has ten of them in hand at most.
"""

import asyncio
import logging
import os
import sys

import procrastinate
import psycopg

ADDRESS, MODE, *MORE = sys.argv[1:]
AT_ONCE = 10

# Warns of an app in a program's main file, which only matters to who imports it as well.
logging.getLogger("procrastinate").setLevel(logging.ERROR)
app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=ADDRESS))


@app.task(name="nothing")
async def nothing():
    pass


@app.task(name="hold")
async def hold():
    """Says who holds it, and goes on until its process ends."""
    async with await psycopg.AsyncConnection.connect(ADDRESS, autocommit=True) as connection:
        await connection.execute("INSERT INTO held VALUES (%s, clock_timestamp())", (os.getpid(),))
    await asyncio.Event().wait()


async def make():
    await app.schema_manager.apply_schema_async()


async def enter():
    await app.tasks[MORE[0]].batch_defer_async(*({} for _ in range(int(MORE[1]))))


async def rest():
    @app.periodic(cron="0 0 1 1 *")
    @app.task(name="new_year")
    async def new_year(timestamp):
        pass

    say("ready")
    await app.run_worker_async(concurrency=AT_ONCE)


async def ticks():
    connection = await psycopg.AsyncConnection.connect(ADDRESS, autocommit=True)

    @app.periodic(cron="* * * * * *")
    @app.task(name="tick")
    async def tick(timestamp):
        await connection.execute(
            "INSERT INTO lateness VALUES ('second', to_timestamp(%s), clock_timestamp())", (timestamp,))

    say("ready")
    await app.run_worker_async(concurrency=AT_ONCE)


async def jobs():
    say("ready")
    sys.stdin.readline()
    await app.run_worker_async(wait=False, concurrency=AT_ONCE, listen_notify=False, install_signal_handlers=False)
    say("done")


async def keep():
    """Works, and looks every second for tasks whose worker has given no sign of life."""
    heartbeat, silence = map(float, MORE)

    @app.periodic(cron="* * * * * *")
    @app.task(name="rescue", queueing_lock="rescue")
    async def rescue(timestamp):
        for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=silence):
            await app.job_manager.retry_job(job)

    say("ready")
    await app.run_worker_async(concurrency=AT_ONCE, update_heartbeat_interval=heartbeat,
                               stalled_worker_timeout=silence)


def say(word):
    print(word, flush=True)


MODES = {"make": make, "enter": enter, "rest": rest, "ticks": ticks, "jobs": jobs, "hold": keep}


async def main():
    async with app.open_async():
        await MODES[MODE]()


asyncio.run(main())
