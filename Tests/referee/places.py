"""Time zones as the referee knows them: Python's zoneinfo on the pinned tzdata, whole seconds."""

from bisect import bisect_right
from datetime import date, datetime, timedelta, timezone
from functools import cache
from zoneinfo import ZoneInfo

DAY = 86_400
EPOCH = date(1970, 1, 1)


def day_of(text):
    """The days since 1970 of a date such as 2026-03-08."""
    return (date.fromisoformat(text) - EPOCH).days


def text_of_day(day):
    return (EPOCH + timedelta(days=day)).isoformat()


def text_of(second):
    return datetime.fromtimestamp(second, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Place:
    """The clocks of one zone between two seconds: every offset, and since when it holds."""

    def __init__(self, name, begin, end):
        zone = ZoneInfo(name)
        self.starts, self.offsets = [begin], [self.offset_by(zone, begin)]
        for hour in range(begin, end, 3600):
            self.look(zone, hour, hour + 3600)

    @staticmethod
    def offset_by(zone, second):
        moment = datetime.fromtimestamp(second, timezone.utc).astimezone(zone)
        return int(moment.utcoffset().total_seconds())

    def look(self, zone, before, after):
        """Finds the second of a change between two seconds, when there is one."""
        if self.offset_by(zone, after) == self.offset_by(zone, before):
            return
        while after - before > 1:
            middle = (before + after) // 2
            if self.offset_by(zone, middle) == self.offset_by(zone, before):
                before = middle
            else:
                after = middle
        self.starts.append(after)
        self.offsets.append(self.offset_by(zone, after))

    def local(self, second):
        """The seconds since 1970 that the clock on the wall seems to show."""
        return second + self.offsets[max(0, bisect_right(self.starts, second) - 1)]

    def day(self, second):
        return self.local(second) // DAY

    def minute(self, second):
        return self.local(second) % DAY // 60

    def instant(self, day, second_of_day):
        """The first instant at which the clock shows that or, in a gap, the first one after it."""
        wanted = day * DAY + second_of_day
        for index, offset in enumerate(self.offsets):
            end = self.starts[index + 1] if index + 1 < len(self.starts) else None
            if end is None or end + offset > wanted:
                return max(self.starts[index], wanted - offset)
        raise AssertionError("the last offset has no end")

    def start_of(self, day):
        return self.instant(day, 0)


class Places:
    """Every zone that is asked for; nothing for a name that nobody knows."""

    def __init__(self, begin, end):
        self.begin, self.end = begin, end

    @cache
    def __getitem__(self, name):
        try:
            return Place(name, self.begin, self.end)
        except (KeyError, ValueError, OSError):
            return None
