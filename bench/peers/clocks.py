"""What the clocks of learners show, by the zones they live in."""

import datetime
import functools
import zoneinfo

UTC = datetime.timezone.utc
DAY = datetime.timedelta(days=1)
SECOND = datetime.timedelta(seconds=1)


def zone_named(name):
    """The zone, or nothing where nobody knows it."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (LookupError, ValueError, OSError):
        return None


def local_day(moment, zone):
    return moment.astimezone(zone).date()


@functools.lru_cache(maxsize=4096)
def start_of_day(day, zone):
    return first_instant(day, 0, zone)


def first_instant(day, second, zone):
    """When clocks first show that second of a day or, where it is skipped, the first instant after the gap."""
    wanted = datetime.datetime.combine(day, datetime.time()) + datetime.timedelta(seconds=second)
    moment = wanted.replace(tzinfo=zone).astimezone(UTC)
    if shown(moment, zone) == wanted:
        return moment
    # In a gap the two ways to read a time are an instant after it and one before it.
    before = wanted.replace(tzinfo=zone, fold=1).astimezone(UTC)
    while moment - before > SECOND:
        middle = before + (moment - before) // SECOND // 2 * SECOND
        before, moment = (before, middle) if shown(middle, zone) >= wanted else (middle, moment)
    return moment


def instants(day, second, zone):
    """When clocks show that second of a day: perhaps twice, and where it is skipped the first instant after the gap."""
    first = first_instant(day, second, zone)
    wanted = datetime.datetime.combine(day, datetime.time()) + datetime.timedelta(seconds=second)
    again = wanted.replace(tzinfo=zone, fold=1).astimezone(UTC)
    return [first, again] if again > first and shown(again, zone) == wanted else [first]


def shown(moment, zone):
    return moment.astimezone(zone).replace(tzinfo=None)


def instant_of_minute(minute):
    """The beginning of a minute, counted since 1970."""
    return datetime.datetime.fromtimestamp(60 * minute, UTC)
