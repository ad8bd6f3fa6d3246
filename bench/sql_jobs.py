"""Jobs of the settings: a million rows of ten are deleted, a row that comes late is counted, a thousand jobs wait, and
two hundred are due in the same second."""

import contextlib
import os
import threading
import time

from daemons import processor_seconds, resident_megabytes
from runner import Worker
from schedulers import HERE, Place, Program
from watch import Stopwatch, Watch

# Which rows are old, and how many of them a program of one's own deletes at a time.
OLD = "ended_at < '2026-01-01T00:00:00Z'::timestamptz"
BATCH = 10_000

# So many seconds are between the ticks of the jobs that are due together.
SPAN = 5

# Of ten rows one is old, and they lie among the others.
SESSIONS = """
CREATE SCHEMA shop;
CREATE TABLE shop.session (id bigint NOT NULL, ended_at timestamptz NOT NULL);
INSERT INTO shop.session SELECT n, timestamptz '2026-01-01T00:00:00Z'
  + interval '1 second' * CASE WHEN n % 10 = 0 THEN -n ELSE n END FROM generate_series(1, {rows}) AS n;
ALTER TABLE shop.session ADD PRIMARY KEY (id);
CREATE UNIQUE INDEX session_by_end ON shop.session (ended_at, id);
VACUUM ANALYZE shop.session;
"""

# A thousand groups of as many rows each.
PURCHASES = """
CREATE SCHEMA shop;
CREATE TABLE shop.purchase (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, day date NOT NULL, amount bigint NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  written_in bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint);
INSERT INTO shop.purchase (day, amount) SELECT date '2024-01-01' + (n % {days})::integer, n % 100
  FROM generate_series(1, {rows}) AS n;
CREATE INDEX purchase_by_day ON shop.purchase (day);
CREATE INDEX purchase_by_receipt ON shop.purchase (received_at);
CREATE INDEX purchase_by_transaction ON shop.purchase (written_in);
CREATE TABLE shop.day (day date PRIMARY KEY, purchases bigint NOT NULL, amount numeric NOT NULL);
CREATE MATERIALIZED VIEW shop.day_view AS
  SELECT day, count(*) AS purchases, sum(amount) AS amount FROM shop.purchase GROUP BY day;
CREATE UNIQUE INDEX ON shop.day_view (day);
VACUUM ANALYZE shop.purchase;
"""

DELETING = f"""
[jobs.delete_sessions]
kind = "delete"
table = "shop.session"
key = "KEY"
where = "{OLD}"
schedule = "0 0 1 1 *"
most = 100000000
"""

COUNTING = """
[jobs.count_days]
kind = "roll_up"
table = "shop.purchase"
into = "shop.day"
key = "day"
select = "SELECT day, count(*) AS purchases, sum(amount) AS amount FROM shop.purchase WHERE day IN (:keys) GROUP BY day"
changed = "received_at, written_in"
schedule = "0 0 1 1 *"
most = 100000000
"""

# A column says when the row came: a job of the settings may not ask for the time itself.
DUE = """
CREATE SCHEMA shop;
CREATE TABLE shop.one (id integer PRIMARY KEY);
INSERT INTO shop.one VALUES (1);
CREATE TABLE shop.tick (
  job text NOT NULL, moment timestamptz NOT NULL, began timestamptz NOT NULL DEFAULT clock_timestamp());
"""


def due(number, schedule):
    return "".join(f"""
[jobs.tick_{job}]
kind = "statement"
table = "shop.one"
key = "id"
where = "true"
statement = "INSERT INTO shop.tick (job, moment) SELECT '{job}', :moment FROM shop.one WHERE id IN (:keys)"
{schedule}
most = 10
""" for job in range(number))


class Own(Worker):
    """The program with settings that have no job but these."""

    def __init__(self, given, place, jobs):
        self.path, settings = given.worker, os.path.join(given.out, "sql.toml")
        with open(settings, "w") as file:
            file.write(f'apps.learning = false\n[database]\nurl = "{place.address}"\n{jobs}')
        self.environment = {"WORKER_CONFIG": settings, "PATH": os.environ["PATH"]}
        self.place = place

    def run(self, job):
        """The milliseconds from the run's start to its end, as the ledger has them."""
        self.call("run", job)
        return float(self.place.ask("SELECT extract(epoch FROM finished_at - started_at) * 1000 FROM jobkit.run "
                                    "WHERE state = 'succeeded' ORDER BY id DESC LIMIT 1"))

    @contextlib.contextmanager
    def running(self):
        """A daemon, and the seconds until it was ready."""
        daemon, seconds = self.start()
        reader = threading.Thread(target=daemon.stderr.read, daemon=True)
        reader.start()
        try:
            yield daemon, seconds
        finally:
            daemon.terminate()
            daemon.wait(timeout=40)
            reader.join()
            daemon.stderr.close()


def measured(given, extent):
    """Yields what was measured, of whom, and what came."""
    place = Place(given, "sql")
    yield "extent", "all", {"rows": extent.rows, "deleted": extent.rows // 10, "counted": extent.rows // 10,
                            "groups": groups(extent), "waiting": extent.waiting, "together": extent.together}
    for part in [deletes, late_rows, many, same_second]:
        yield from part(given, extent, place)
    place.drop()


def deletes(given, extent, place):
    kept = Place(given, "sessions")
    kept.make()
    kept.ask(SESSIONS.format(rows=extent.rows))
    everybody = {"psql": plain, "worker": chunked, "worker_by_id": chunked_by_id, "apscheduler": batched,
                 "pg_cron": planned}
    for number in range(extent.rounds):
        for who, delete in everybody.items():
            place.drop()
            place.main.ask(f"CREATE DATABASE {place.database} TEMPLATE {kept.database} STRATEGY file_copy; CHECKPOINT")
            with Watch(place) as watch:
                seconds = delete(given, place)
            left = int(place.ask("SELECT count(*) FROM shop.session"))
            if left != extent.rows - extent.rows // 10:
                raise SystemExit(f"bench: {left} rows are left by {who}")
            yield "delete", who, {"round": number, "seconds": seconds, "transaction": watch.transaction}
    kept.drop()


def plain(_, place):
    stopwatch = Stopwatch()
    place.ask(f"DELETE FROM shop.session WHERE {OLD}")
    return stopwatch.seconds


def chunked(given, place, key="ended_at, id"):
    worker = Own(given, place, DELETING.replace("KEY", key))
    worker.call("migrate", "up")
    stopwatch = Stopwatch()
    worker.call("run", "delete_sessions")
    return stopwatch.seconds


def chunked_by_id(given, place):
    return chunked(given, place, "id")


def batched(_, place):
    """In batches of its own, as a job of APScheduler that somebody has written."""
    program = Program(os.path.join(HERE, "peer_apscheduler.py"), place.address, "memory", "delete", str(BATCH))
    stopwatch = Stopwatch()
    program.go()
    program.wait_for("done")
    seconds = stopwatch.seconds
    program.end()
    return seconds


def planned(_, place):
    """As a job of pg_cron, which begins at a minute."""
    cron = place.main
    cron.ask("CREATE EXTENSION IF NOT EXISTS pg_cron")
    job = cron.ask(f"SELECT cron.schedule_in_database('delete', '* * * * *', "
                   f"$$DELETE FROM shop.session WHERE {OLD}$$, '{place.database}')")
    ended = f"SELECT extract(epoch FROM end_time - start_time) FROM cron.job_run_details WHERE jobid = {job} " \
            "AND status = 'succeeded' ORDER BY runid LIMIT 1"
    try:
        return float(patiently(lambda: cron.ask(ended)))
    finally:
        cron.ask(f"SELECT cron.unschedule({job})")


def patiently(question):
    stopwatch = Stopwatch()
    while not (found := question()):
        if stopwatch.seconds > 300:
            raise SystemExit("bench: a job of pg_cron did not end in five minutes")
        time.sleep(0.2)
    return found


def groups(extent):
    return min(1000, extent.rows // 10)


def late_rows(given, extent, place):
    """Of a thousand groups one gets a row: the run that counts it, beside a view that is made anew."""
    place.make()
    place.ask(PURCHASES.format(rows=extent.rows // 10, days=groups(extent)))
    worker = Own(given, place, COUNTING)
    worker.call("migrate", "up")
    worker.run("count_days")
    for number in range(extent.late_rows):
        place.ask(f"INSERT INTO shop.purchase (day, amount) VALUES (date '2024-01-01' + {number * 7}, 5)")
        yield "late row", "worker", {"milliseconds": worker.run("count_days")}
        stopwatch = Stopwatch()
        place.ask("REFRESH MATERIALIZED VIEW CONCURRENTLY shop.day_view")
        yield "late row", "view", {"milliseconds": stopwatch.seconds * 1000}
    wrong = place.ask("SELECT count(*) FROM shop.day FULL JOIN shop.day_view USING (day) "
                      "WHERE (day.purchases, day.amount) IS DISTINCT FROM (day_view.purchases, day_view.amount)")
    if wrong != "0":
        raise SystemExit(f"bench: {wrong} groups are not what the view has")


def many(given, extent, place):
    """Jobs that are not due: how long a daemon takes to be ready, and what it uses then."""
    place.make()
    place.ask(DUE)
    worker = Own(given, place, due(extent.waiting, 'schedule = "0 0 1 1 *"'))
    worker.call("migrate", "up")
    for number in range(extent.rounds + 1):
        with worker.running() as (daemon, seconds):
            # The first one enters the jobs.
            yield "first start" if number == 0 else "start", "worker", {"seconds": seconds}
            if number == extent.rounds:
                yield "waiting", "worker", {**rest_of(daemon, extent), "jobs": extent.waiting}
    for store in ["memory", "postgres"]:
        place.make()
        stopwatch = Stopwatch()
        program = Program(os.path.join(HERE, "peer_apscheduler.py"), place.address, store, "many", str(extent.waiting))
        yield "first start", f"apscheduler_{store}", {"seconds": stopwatch.seconds}
        yield "waiting", f"apscheduler_{store}", {**rest_of(program, extent), "jobs": extent.waiting}
        program.end()


def rest_of(process, extent):
    time.sleep(extent.settle)
    before, stopwatch = processor_seconds(process), Stopwatch()
    time.sleep(extent.rest)
    return {"cpu": (processor_seconds(process) - before) * 60 / stopwatch.seconds,
            "megabytes": resident_megabytes(process)}


def same_second(given, extent, place):
    for number in range(extent.rounds):
        place.make()
        place.ask(DUE)
        worker = Own(given, place, due(extent.together, f'every = "{SPAN}s"'))
        worker.call("migrate", "up")
        with worker.running():
            yield "together", "worker", {"round": number, **lateness(place, extent)}
        for store in ["memory", "postgres"]:
            place.make()
            place.ask(DUE)
            program = Program(os.path.join(HERE, "peer_apscheduler.py"), place.address, store, "together",
                              str(extent.together), str(SPAN))
            yield "together", f"apscheduler_{store}", {"round": number, **lateness(place, extent)}
            program.end()
    yield "together", "pg_cron", cron_lateness(extent, place)


def lateness(place, extent):
    """How many milliseconds after their tick the jobs began; of the first tick connections are just being opened."""
    time.sleep((extent.spans + 2) * SPAN)
    found = place.rows("SELECT moment, count(*) AS jobs, json_agg(round(extract(epoch FROM began - moment) * 1000, 3)) "
                       "AS late FROM shop.tick GROUP BY moment ORDER BY moment")[1:extent.spans + 1]
    return {"milliseconds": [late for tick in found for late in tick["late"]],
            "missing": sum(extent.together - tick["jobs"] for tick in found)}


def cron_lateness(extent, place):
    place.make()
    place.ask(DUE)
    cron = place.main
    cron.ask("CREATE EXTENSION IF NOT EXISTS pg_cron")
    jobs = cron.ask(f"""SELECT string_agg(cron.schedule_in_database('tick_' || n, '* * * * *',
      format($$INSERT INTO shop.tick (job, moment) VALUES (%L, date_trunc('minute', clock_timestamp()))$$, n),
      '{place.database}')::text, ',') FROM generate_series(1, {extent.together}) AS n""")
    try:
        patiently(lambda: place.ask("SELECT 1 FROM shop.tick GROUP BY moment HAVING count(*) >= "
                                    f"{extent.together} LIMIT 1"))
    finally:
        cron.ask(f"SELECT count(cron.unschedule(job::bigint)) FROM unnest(string_to_array('{jobs}', ',')) AS job")
    found = place.rows("SELECT json_agg(round(extract(epoch FROM began - moment) * 1000, 3)) AS late FROM shop.tick "
                       f"GROUP BY moment HAVING count(*) >= {extent.together} ORDER BY moment LIMIT 1")
    return {"round": 0, "milliseconds": found[0]["late"], "missing": 0}
