"""What both oracles know about zones: Python's zoneinfo over the files of PyPI's tzdata."""

import importlib.resources
import os
import struct
from datetime import datetime, timedelta, timezone

# Without this zoneinfo prefers the system's files, which may be of another year.
os.environ["PYTHONTZPATH"] = ""
import zoneinfo  # noqa: E402

EPOCH = datetime(1970, 1, 1)
UTC = timezone.utc
DAY = 86_400
FIRST = 0
LAST = int(datetime(2038, 1, 1, tzinfo=UTC).timestamp())


def names():
    return sorted(zoneinfo.available_timezones())


def zone(name):
    return zoneinfo.ZoneInfo(name)


def file_bytes(name):
    root = importlib.resources.files("tzdata").joinpath("zoneinfo")
    return root.joinpath(*name.split("/")).read_bytes()


def groups():
    """Names by the contents of their files: links are copies."""
    by_bytes = {}
    for name in names():
        by_bytes.setdefault(file_bytes(name), []).append(name)
    return sorted(by_bytes.values())


def offset(tz, second):
    return int(datetime.fromtimestamp(second, tz).utcoffset().total_seconds())


def local(tz, second):
    """What clocks show, as seconds since 1970 if they showed UTC."""
    return second + offset(tz, second)


def listed_changes(name):
    """The instants of change that the file lists."""
    data = file_bytes(name)
    counts = struct.unpack(">6l", data[20:44])
    isutc, isstd, leap, time, kind, char = counts
    start = 44 + time * 5 + kind * 6 + char + leap * 8 + isstd + isutc
    count = struct.unpack(">l", data[start + 32 : start + 36])[0]
    return list(struct.unpack(f">{count}q", data[start + 44 : start + 44 + 8 * count]))


def changes(name):
    """The instants from 1970 to 2037 at which the offset changes.

    Those that the file lists, and those that its footer implies: found by comparing offsets a
    week apart and halving. The offsets themselves always come from zoneinfo.
    """
    tz = zone(name)
    edges = {FIRST, LAST} | {t for t in listed_changes(name) if FIRST < t < LAST}
    edges |= set(range(FIRST, LAST, 7 * DAY))
    found = []
    previous = FIRST
    for edge in sorted(edges)[1:]:
        if offset(tz, previous) != offset(tz, edge):
            found.append(first_true(previous, edge, lambda t: offset(tz, t) == offset(tz, edge)))
        previous = edge
    return found


def first_true(low, high, holds):
    """The first second in (low, high] at which a monotone condition holds."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def first_instant(tz, wanted):
    """When clocks first show a local time; for one in a gap, the first instant after the gap."""
    naive = EPOCH + timedelta(seconds=wanted)
    ends = [int(naive.replace(tzinfo=tz, fold=fold).timestamp()) for fold in (0, 1)]
    real = [t for t in ends if local(tz, t) == wanted]
    if real:
        return min(real)
    return first_true(min(ends) - 1, max(ends), lambda t: local(tz, t) >= wanted)


def day_exists(tz, day):
    """Whether a clock ever shows this date: looks every quarter of an hour."""
    noon = day * DAY + DAY // 2
    return any(local(tz, t) // DAY == day for t in range(noon - 28 * 3600, noon + 28 * 3600, 900))
