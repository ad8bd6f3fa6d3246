"""Writes what a year must leave in the ledger: `python year.py OUT_DIR SEED`.

year-jobs.tsv holds the jobs, year-events.tsv what happens to the daemon and to them, year-ticks.tsv
each row that the ledger must have had in the end: job, scheduled for (microseconds since 1970) and
state. Times are found by a scan of every minute; what becomes of them is said once more, in the words
of the documentation, by code that nobody else uses.
"""

import pathlib
import sys
from collections import namedtuple
from datetime import datetime
from itertools import groupby

import zonedata
from cronscan import Expression, Window
from cronsim import CronSim
from zonedata import DAY, UTC

HOUR = 3600

Job = namedtuple("Job", "name schedule zone dst enabled jitter missed within most")


def job(name, schedule, zone="UTC", dst="once", enabled=True, jitter=0, missed="latest",
        within=DAY, most=100):
    return Job(name, schedule, zone, dst, enabled, jitter, missed, within, most)


JOBS = [
    job("hourly_everywhere", "0 * * * *", missed="all", within=2 * DAY, most=10),
    job("hours_howe", "10 */8 * * *", "Australia/Lord_Howe"),
    job("hours_paused", "20 */6 * * *", "America/St_Johns", jitter=300, missed="skip"),
    job("rhythm_hours", "every 18000", missed="all", within=4 * DAY, most=100),
    job("rhythm_days", "every 129600", missed="skip"),
    job("rhythm_off", "every 43200", "Asia/Tokyo", enabled=False),
    job("night_new_york", "15,45 1-3 * 3,11 *", "America/New_York", missed="skip"),
    job("night_new_york_both", "30 1,2 * * *", "America/New_York", "every_occurrence", missed="all"),
    job("night_new_york_real", "30 2 * * *", "America/New_York", "skip_missing", missed="skip"),
    job("night_berlin", "30 2 * * *", "Europe/Berlin", missed="all", within=2 * DAY),
    job("night_berlin_fresh", "15 3 * * *", "Europe/Berlin", within=12 * HOUR, missed="latest"),
    job("night_howe", "15 2 * * *", "Australia/Lord_Howe"),
    job("night_howe_both", "45 1 * * *", "Australia/Lord_Howe", "every_occurrence"),
    job("night_sydney", "0,30 2 * * *", "Australia/Sydney", "skip_missing"),
    job("midnight_santiago", "0 0 * * *", "America/Santiago"),
    job("midnight_cairo", "0 0 * * 5", "Africa/Cairo", missed="all"),
    job("evening_nuuk", "30 23 * * *", "America/Nuuk"),
    job("fasting_casablanca", "30 2 * * *", "Africa/Casablanca"),
    job("morning_kathmandu", "0 6 * * *", "Asia/Kathmandu", jitter=1800),
    job("workdays_apia", "30 8 * * 1-5", "Pacific/Apia"),
    job("weekly_auckland", "0 3 * * SUN", "Pacific/Auckland", missed="skip"),
    job("monthly_chatham", "45 2 1,L * *", "Pacific/Chatham"),
    job("yearly_kiritimati", "0 0 1 1 *", "Pacific/Kiritimati"),
    job("disabled_troll", "30 1 * * *", "Antarctica/Troll", enabled=False),
    job("odd_hours", "5 */6 * * *", "America/Sao_Paulo", jitter=120, missed="all", within=14 * HOUR),
]

Event = namedtuple("Event", "kind at until job")


def at(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


START = at("2026-01-01T00:00:00")
END = at("2027-01-06T00:00:00")

# An outage begins after the daemon's work of that moment, and ends with the start of another one.
EVENTS = [
    # The clocks of New York jump while nobody looks.
    Event("outage", at("2026-03-08T06:55:30"), at("2026-03-08T07:05:30"), ""),
    # So do those of Berlin, in the night after the first.
    Event("outage", at("2026-03-27T22:58:30"), at("2026-03-30T22:58:30"), ""),
    # Somebody pauses a job while nobody looks; and another, and lets it go on before anybody has seen it.
    Event("pause", at("2026-03-29T12:00:00"), at("2026-04-02T12:00:00"), "hours_howe"),
    Event("pause", at("2026-03-28T06:00:00"), at("2026-03-29T06:00:00"), "odd_hours"),
    # A restart within a minute is none that anybody notices.
    Event("outage", at("2026-05-04T07:49:20"), at("2026-05-04T07:50:20"), ""),
    Event("pause", at("2026-07-06T09:30:00"), at("2026-07-13T09:30:00"), "hours_paused"),
    Event("pause", at("2026-07-10T00:00:00"), at("2026-07-12T12:00:00"), "night_berlin"),
    # The second 01:30 of New York has just been.
    Event("step back", at("2026-11-01T07:28:30"), at("2026-11-01T05:28:30"), ""),
]


class Windows:
    """The year of each zone, minute by minute."""

    def __init__(self):
        self.known = {}

    def __getitem__(self, zone):
        if zone not in self.known:
            tz = zonedata.zone(zone)
            self.known[zone] = Window(tz, START + 60, END + 60, 60)
        return self.known[zone]


def is_elapsed(job):
    return job.schedule.startswith("every ") or len(Expression(job.schedule).hour) == 24


def moments(job, windows):
    """Every moment in (START, END] at which the job is due."""
    if job.schedule.startswith("every "):
        length = int(job.schedule.split()[1])
        return list(range(START // length * length + length, END + 1, length))
    expression = Expression(job.schedule)
    window = windows[job.zone]
    if is_elapsed(job):
        return window.elapsed(expression)
    found = window.wall(expression, job.dst)
    check_with_cronsim(job, found)
    return found


def check_with_cronsim(job, found):
    """cronsim must agree where it means what we mean: see cron.py."""
    changes = [c for c in zonedata.changes(job.zone) if START < c < END]
    tz = zonedata.zone(job.zone)
    odd = any((zonedata.offset(tz, c) - zonedata.offset(tz, c - 1)) % HOUR for c in changes)
    if job.dst != "once" or odd or "*/" in job.schedule:
        return
    fires = CronSim(job.schedule, datetime.fromtimestamp(START, tz))
    theirs = [int(next(fires).astimezone(UTC).timestamp()) for _ in found]
    if theirs != found:
        sys.exit(f"year: cronsim and the scan disagree on {job.name}")


def paused(job, moment):
    """Whether the job is paused then, whether or not a daemon is up to see it."""
    return any(
        e.kind == "pause" and e.job == job.name and e.at <= moment < e.until for e in EVENTS
    )


def looks(all_moments):
    """(now, may be late) of each time at which a daemon looks: every moment, but none of an outage."""
    outages = [e for e in EVENTS if e.kind == "outage"]
    seen = {m for m in all_moments if not any(e.at < m < e.until for e in outages)}
    return sorted(seen | {e.until for e in outages})


def fates(job, due, now):
    """(state, why) of ticks that a daemon finds at once: only the last can be seen in time."""
    if not job.enabled:
        return [("skipped", "disabled")] * len(due)
    result = []
    # A paused tick stands in for no other.
    newest = max((tick for tick in due if not paused(job, tick)), default=None)
    for tick in due:
        late = now - tick
        if paused(job, tick):
            result.append(("skipped", "paused"))
        elif tick == newest and late <= 60:
            result.append(("succeeded", ""))
        elif paused(job, now):
            result.append(("missed", "then paused"))
        elif job.missed == "skip" or (job.missed == "latest" and tick != newest):
            result.append(("missed", job.missed))
        else:
            result.append(("succeeded", "") if late <= job.within else ("missed", "late"))
    wanted = [i for i, fate in enumerate(result) if fate[0] == "succeeded"]
    for i in wanted[: max(0, len(wanted) - job.most)]:
        result[i] = ("missed", "many")
    return result


def rows(job, due, now):
    """As fates, but more than 24 neighbours of one fate that did not run are one row."""
    for (state, _), group in groupby(zip(due, fates(job, due, now)), lambda pair: pair[1]):
        ticks = [tick for tick, _ in group]
        if len(ticks) > 24 and state != "succeeded":
            yield (ticks[-1], "collapsed")
        else:
            yield from ((tick, state) for tick in ticks)


def repeated(job, found):
    """The moments of a rhythm that come again when the clock is set back, a microsecond later."""
    for event in (e for e in EVENTS if e.kind == "step back"):
        again = [m for m in found if event.until < m <= event.at]
        if is_elapsed(job) and again and again[-1] > event.until + 60:
            for moment in again:
                state = "succeeded" if job.enabled else "skipped"
                yield (moment * 1_000_000 + 1, state)


def expectations(job, found, daemon):
    waiting = sorted(found)
    for now in daemon:
        due = []
        while waiting and waiting[0] <= now:
            due.append(waiting.pop(0))
        for moment, state in rows(job, due, now):
            yield (moment * 1_000_000, state)
    yield from repeated(job, found)


def write(path, lines):
    path.write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))


def main():
    out = pathlib.Path(sys.argv[1])
    windows = Windows()
    found = {job: moments(job, windows) for job in JOBS}
    daemon = looks({m for times in found.values() for m in times})
    ticks = [
        (job.name, moment, state)
        for job in JOBS
        for moment, state in sorted(expectations(job, found[job], daemon))
    ]
    write(out / "year-jobs.tsv", [tuple(j._replace(enabled=int(j.enabled))) for j in JOBS])
    write(out / "year-events.tsv", [("begin", START, END, "")] + sorted(EVENTS, key=lambda e: e.at))
    write(out / "year-ticks.tsv", ticks)
    print(f"year: {len(JOBS)} jobs, {sum(map(len, found.values()))} moments, {len(ticks)} rows")


main()
