"""APScheduler as a process of its own: it says when it is ready, then does what it was started for.

    peer_apscheduler.py ADDRESS memory|postgres rest|ticks|jobs|many|together|delete [NUMBER…]

The scheduler is the one that its documentation begins with, with a pool of ten threads; what it knows of jobs it
keeps in memory or, so that jobs outlive the process, in PostgreSQL.
"""

import datetime
import signal
import sys
import threading

import psycopg
from apscheduler.events import EVENT_JOB_EXECUTED
from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.jobstores.sqlalchemy import SQLAlchemyJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.cron import CronTrigger
from sqlalchemy import create_engine

ADDRESS, STORE, MODE, *NUMBER = sys.argv[1:]
connection = psycopg.connect(ADDRESS, autocommit=True)


def nothing():
    pass


def write_down():
    """Takes the tick for the second that has begun last: a job is not told for which moment it runs."""
    connection.execute(
        "INSERT INTO lateness VALUES ('second', date_trunc('second', clock_timestamp()), clock_timestamp())")


def rest(scheduler):
    scheduler.add_job(nothing, run_date=datetime.datetime.now() + datetime.timedelta(days=300))
    scheduler.start()
    say("ready")
    signal.pause()


def ticks(scheduler):
    scheduler.add_job(write_down, CronTrigger(second="*"))
    scheduler.start()
    say("ready")
    signal.pause()


def jobs(scheduler):
    """Runs what is due already, and says so when all of it has ended."""
    number, ended = int(NUMBER[0]), threading.Semaphore(0)
    scheduler.add_listener(lambda event: ended.release(), EVENT_JOB_EXECUTED)
    scheduler.start(paused=True)
    for _ in range(number):
        # Without this a job that waits for its turn longer than a second is not run at all.
        scheduler.add_job(nothing, misfire_grace_time=None)
    say("ready")
    sys.stdin.readline()
    scheduler.resume()
    for _ in range(number):
        ended.acquire()
    # Answers when what has ended is no longer in the store either.
    if scheduler.get_jobs():
        raise SystemExit("jobs that have ended are still in the store")
    say("done")


def many(scheduler):
    for _ in range(int(NUMBER[0])):
        scheduler.add_job(nothing, CronTrigger(month=1, day=1))
    scheduler.start()
    say("ready")
    signal.pause()


def write_together(job, span):
    connection.execute("INSERT INTO shop.tick (job, moment) VALUES (%s, date_bin(make_interval(secs => %s), "
                       "clock_timestamp(), '2000-01-01T00:00:00Z'))", [job, span])


def together(scheduler):
    """So many jobs each NUMBER seconds, at once."""
    number, span = map(int, NUMBER)
    for job in range(number):
        # Without this a job that waits for its turn longer than a second is not run at all.
        scheduler.add_job(write_together, CronTrigger(second=f"*/{span}"), [str(job), span], misfire_grace_time=None)
    scheduler.start()
    say("ready")
    signal.pause()


def delete_batches(ended):
    sql = ("DELETE FROM shop.session WHERE id IN (SELECT id FROM shop.session "
           "WHERE ended_at < '2026-01-01T00:00:00Z' LIMIT %s)")
    while connection.execute(sql, [int(NUMBER[0])]).rowcount:
        pass
    ended.release()


def delete(scheduler):
    ended = threading.Semaphore(0)
    scheduler.start()
    say("ready")
    sys.stdin.readline()
    scheduler.add_job(delete_batches, args=[ended])
    ended.acquire()
    say("done")


def say(word):
    print(word, flush=True)


def store():
    if STORE == "memory":
        return MemoryJobStore()
    return SQLAlchemyJobStore(engine=create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(ADDRESS)))


MODES = {"rest": rest, "ticks": ticks, "jobs": jobs, "many": many, "together": together, "delete": delete}
MODES[MODE](BackgroundScheduler(jobstores={"default": store()}, timezone="UTC"))
