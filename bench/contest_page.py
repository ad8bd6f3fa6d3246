"""The page that tells how the runner, the leaderboard, pushes and jobs in SQL stand beside others."""

import statistics

from stopwatch import percentile

INTRODUCTION = """
# Beside others, in figures

Written by `script/bench --runner --redis --pushes --sql`, which anyone can run; each option measures a part, and a part
that was not measured yet is not here. All that was measured stands in [peers.jsonl](peers.jsonl), a line of JSON for
each measurement. The server keeps all its promises while it is measured (`fsync`, `synchronous_commit`).
"""

RUNNER = """
## The runner

All on one server in one run. At rest all are measured at once; ticks and jobs take turns, round by round.

| figure | is |
|---|---|
| **lateness** | what the clock of the database says in the job's own first statement, minus the tick. Of all rounds \
together, but for the first tick of each window (connections are being opened) and those at whole minutes (pg_cron works \
then too). APScheduler does not tell a job its tick: the second that began last is taken. Windows are short, so of ticks \
of a minute ours has few or none here: they stand in [measurements](measurements.md) |
| **missing** | seconds between the first tick and the last for which no job ran |
| **at rest** | a process with one job that is not due; processor and memory are that process's, as the kernel counts \
them (pg_cron is a process of the server: its memory has pages in it that all of them share); queries are those that the \
database was sent |
| **jobs that do nothing** | due already, each claimed, run and ended by itself, in the median of rounds. Ours keep \
their history, and so do those of Procrastinate; those of APScheduler are deleted. Of one process with several workers \
(ours), of one process and two (Procrastinate) the most |
| **a kill** | from the `SIGKILL` of the process that holds a job to another process having begun it again |

Each is set up for speed. What it cannot do has a dash:

| program | set up | cannot |
|---|---|---|
| APScheduler | as its documentation begins, with a pool of ten threads, once with its jobs in memory and once in \
PostgreSQL | share a job store, so no other process takes over |
| Procrastinate | is told of tasks by `NOTIFY`, has ten of them in hand, gives signs of life and takes them for lost \
after what is its usual (10 and 30 s), and looks for lost ones each second (its documentation has ten minutes) | |
| pg_cron | runs jobs in background workers | Debian's knows minutes only and is the server's own |
"""

REDIS = """
## The leaderboard and Redis

{learners:,} learners with a score each, in one sorted set of Redis (nothing is written to disk) and on the board of all
time. Each is asked through a unix socket from Python, by a client that is written in C, one question after the other.
Before that both must give the same ranks and the same first hundred scores.

| | Redis | worker |
|---|---|---|
| writing | is sent its scores 1,000 to a command and all commands at once | what the ledger says that `worker run \
refresh_leaderboard` took: once to add up what each learner has scored, write it and count all places, and again to count \
all places of a new version, as after any change, beside the one that readers see |
| a rank | is a place: learners with the same score do not share it, and the name of the member decides between them | is \
shared; accuracy, and which learner was first, decide ties; the name to show comes with it |
"""

PUSHES = """
## Pushes

To one server of the tests' own, over TLS on the same two cores, which answers at once or after 50 ms; with 1,000
pushes on their way at most: at 50 ms nobody can send more than 20,000 a second then. *worker* is all of it: planned
rows are claimed and committed, what the learner wants is asked once more, the push is sent, its answer is written
down, in two parts of a run; the rate is that from the first push that the server got to the last row. *client* is
what the worker sends by, alone. *aioapns* (Python) only sends, too: it has no database to ask. Each has the same
headers; processor is that of the process alone.

Then no push is due any more: what the server is sent by a daemon that has nothing to send, and what that uses in all.
"""

SQL = """
## Jobs of the settings

| figure | is |
|---|---|
| **deleting** | {deleted:,} rows of {rows:,}, which lie among the others, by a unique index of when they ended and \
their id: by `worker run` in chunks, with the check of its bound before it, its ledger and its end, once with the \
columns of that index as its `key`, and once by the primary key; by one DELETE of psql, which cron would start too; by \
one of pg_cron; by a job of APScheduler that deletes in batches of 10,000. Each from the same files |
| **longest transaction** | looked for ten times a second. It holds its locks, and keeps VACUUM from all that dies meanwhile |
| **a late row** | one row is inserted into one of {groups:,} groups of {counted:,} rows: from the start to the end of the run \
that counts its group anew, beside `REFRESH MATERIALIZED VIEW CONCURRENTLY`, which counts them all |
| **jobs that wait** | {waiting:,} jobs in the settings, none of which is due: from the start of the process until it is \
ready, once they are in its database, and what a minute uses. APScheduler is given its jobs anew at each start |
| **jobs of one second** | {together} jobs that insert a row, due at the same second, each five seconds (pg_cron: at one \
minute): the clock of the database in that row, minus the tick |
"""

SCHEDULERS = {
    "worker": "worker", "apscheduler_memory": "APScheduler, in memory",
    "apscheduler_postgres": "APScheduler, in PostgreSQL", "procrastinate": "Procrastinate", "pg_cron": "pg_cron"}


class Found:
    """The lines of one part, by what was measured and of whom."""

    def __init__(self, lines):
        self.lines = lines

    def of(self, what, who):
        return [line for line in self.lines if (line["what"], line["who"]) == (what, who)]

    def median(self, what, who, name):
        values = [line[name] for line in self.of(what, who) if name in line]
        return statistics.median(values) if values else None

    def all(self, what, who, name):
        return [value for line in self.of(what, who) for value in line[name]]

    def machine(self):
        return f"| measured |\n|---|\n| {self.of('machine', 'server')[0]['words']} |"


def page(lines):
    text = [INTRODUCTION.strip(), ""]
    for part, section in {"runner": runner, "redis": redis, "pushes": pushes, "sql": sql}.items():
        found = Found([line for line in lines if line["part"] == part])
        if found.lines:
            text += [*section(found), ""]
    return "\n".join(text)


def runner(found):
    yield RUNNER.strip()
    yield ""
    yield found.machine()
    yield ""
    yield from table(["", *SCHEDULERS.values()], [
        ["lateness of a tick of each second, p50 / p99, ms", *each(lambda who: late(found, who, "second"))],
        ["how many ticks those are, and how many are missing", *each(lambda who: ticks(found, who))],
        ["lateness of a tick of each minute, p50 / longest, ms", *each(lambda who: late(found, who, "minute"))],
        ["how many ticks those are", *each(lambda who: shown(len(found.all("ticks", who, "minute")) or None))],
        ["at rest: processor, s/min", *each(lambda who: shown(found.median("rest", who, "cpu"), 3))],
        ["at rest: queries/min", *each(lambda who: shown(found.median("rest", who, "queries")))],
        ["at rest: memory, MB", *each(lambda who: shown(found.median("rest", who, "megabytes"), 1))],
        ["jobs that do nothing, one by one, /s", *each(lambda who: shown(found.median("jobs", who, "one")))],
        ["the same in batches of 1,000, /s", *each(lambda who: shown(found.median("jobs", who, "batch")))],
        ["a kill, to the job going on elsewhere, longest, s", *each(lambda who: shown(takeover(found, who), 1))]])


def redis(found):
    learners = found.of("everything", "worker")[0]["learners"]
    yield REDIS.strip().format(learners=learners)
    yield ""
    yield found.machine()
    yield ""
    both = lambda what, name, digits: [shown(found.median(what, who, name), digits) for who in ("worker", "redis")]
    yield from table(["", "worker", "Redis"], [
        ["all scores into a sorted set; all places of a new version, s", *both("made", "seconds", 2)],
        ["a session of each learner added up, written and all places counted, s", *both("everything", "seconds", 2)],
        ["the rank of one, p50, µs", *both("rank", "p50", 0)],
        ["the rank of one, p99, µs", *both("rank", "p99", 0)],
        ["the first hundred, p50, µs", *both("top", "p50", 0)],
        ["the first hundred, p99, µs", *both("top", "p99", 0)],
        ["what it takes, MB (on disk; in memory)", *both("size", "megabytes", 0)]])


def pushes(found):
    yield PUSHES.strip()
    yield ""
    yield found.machine()
    yield ""
    of_each = lambda latency, name, digits=0: [
        shown(found.median(f"pushes {latency} ms", who, name), digits) for who in ("worker", "client", "aioapns")]
    rest = found.of("silence", "worker")[0]
    yield from table(["", "worker (must reach)", "client (must reach)", "aioapns"], [
        ["answers at once: pushes/s", *with_bounds(of_each(0, "rate"), "", "≥ 25,000")],
        ["answers at once: processor, µs a push", *with_bounds(of_each(0, "cpu"), "≤ 60", "")],
        ["answers after 50 ms: pushes/s", *with_bounds(of_each(50, "rate"), "≥ 12,000, 10 × aioapns", "")],
        ["answers after 50 ms: processor, µs a push", *with_bounds(of_each(50, "cpu"), "≤ 60", "")],
        ["answers after 50 ms: memory, MB", *with_bounds(of_each(50, "megabytes"), "≤ 60", "")]])
    yield ""
    yield (f"In {rest['seconds']} s without a push the server was sent {rest['pings']} PING and nothing else; the "
           f"daemon used {rest['cpu'] * 1000:.1f} ms of a processor a minute.")


def sql(found):
    extent = found.of("extent", "all")[0]
    yield SQL.strip().format(**extent)
    yield ""
    yield found.machine()
    yield ""
    deleting = ["worker", "worker_by_id", "psql", "pg_cron", "apscheduler"]
    seconds = [found.median("delete", who, "seconds") for who in deleting]
    longest = [max(line["transaction"] for line in found.of("delete", who)) for who in deleting]
    ratio = f"{seconds[0] / seconds[2]:.2f} × psql, ≤ 1.25"
    yield from table(["", "worker (must reach)", "worker, by primary key", "psql", "pg_cron", "APScheduler"], [
        ["deleting, s", *with_bounds([shown(each, 2) for each in seconds], ratio, "")],
        ["longest transaction, s", *with_bounds([shown(each, 2) for each in longest], "≤ 1", "")]])
    yield ""
    late = [sorted(line["milliseconds"] for line in found.of("late row", who)) for who in ("worker", "view")]
    yield from table(["", "worker (must reach)", "materialized view"], [
        ["a late row, p50 / longest, ms", *with_bounds(
            [f"{percentile(each, 0.5):,.1f} / {each[-1]:,.1f}" for each in late], "≤ 20", "")]])
    yield ""
    who = ["worker", "apscheduler_memory", "apscheduler_postgres", "pg_cron"]
    start = [found.median("start", "worker", "seconds"), *(found.median("first start", each, "seconds") for each in who[1:])]
    together = [sorted(found.all("together", each, "milliseconds")) for each in who]
    yield from table(["", "worker (must reach)", *(SCHEDULERS[each] for each in who[1:])], [
        ["jobs that wait: start to ready, ms", *with_bounds(
            [shown(each and each * 1000) for each in start], "≤ 300", "")],
        ["jobs that wait: processor, s/min", *with_bounds(
            [shown(found.median("waiting", each, "cpu"), 2) for each in who], "≤ 0.3", "")],
        ["jobs that wait: memory, MB", *(shown(found.median("waiting", each, "megabytes"), 1) for each in who)],
        ["jobs of one second, p50 / p99, ms", *with_bounds(
            [f"{percentile(each, 0.5):,.0f} / {percentile(each, 0.99):,.0f}" for each in together], "p99 ≤ 150", "")],
        ["how many those are, and how many are missing", *(
            f"{len(values)}, {sum(line['missing'] for line in found.of('together', each))}"
            for each, values in zip(who, together))]])


def with_bounds(cells, worker, client):
    bounds = [worker, client] + [""] * len(cells)
    return [f"{cell} ({bound})" if bound else cell for cell, bound in zip(cells, bounds)]


def table(titles, rows):
    yield "| " + " | ".join(titles) + " |"
    yield "|---" * len(titles) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def each(cell):
    return [cell(who) for who in SCHEDULERS]


def late(found, who, kind):
    values = found.all("ticks", who, kind)
    if not values:
        return "–"
    most = percentile(values, 0.99) if kind == "second" else max(values)
    return f"{percentile(values, 0.5):,.2f} / {most:,.2f}"


def ticks(found, who):
    values = found.all("ticks", who, "second")
    return f"{len(values)}, {sum(line['missing'] for line in found.of('ticks', who))}" if values else "–"


def takeover(found, who):
    seconds = found.all("takeover", who, "seconds")
    return max(seconds) if seconds else None


def shown(value, digits=0):
    return "–" if value is None else f"{value:,.{digits}f}"
