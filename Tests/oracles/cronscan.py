"""A cron of our own for tests: reads an expression plainly and tries every step of time."""

import bisect
import calendar
from datetime import timedelta

import zonedata

RANGES = [(0, 59), (0, 59), (0, 23), (1, 31), (1, 12), (0, 6)]
NAMES = {
    4: "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(),
    5: "SUN MON TUE WED THU FRI SAT".split(),
}


class Expression:
    """Says whether a local time is wanted."""

    def __init__(self, text):
        fields = text.split()
        if len(fields) == 5:
            fields.insert(0, "0")
        self.second, self.minute, self.hour, _, self.month, _ = (
            set().union(*(self.item(item, i) for item in field.split(",")))
            if i not in (3, 5)
            else None
            for i, field in enumerate(fields)
        )
        self.day_items = fields[3].split(",")
        self.weekday_items = fields[5].split(",")
        self.any_day = fields[3] == "*"
        self.any_weekday = fields[5] == "*"
        self.known_dates = {}

    def item(self, text, index):
        base, _, step = text.partition("/")
        low, high = RANGES[index]
        if base != "*":
            first, _, last = base.partition("-")
            low = self.value(first, index)
            high = self.value(last, index) if last else low
            if index == 5 and high == 0 < low:
                high = 7
        values = range(low, high + 1, int(step or 1))
        return {v % 7 for v in values} if index == 5 else set(values)

    def value(self, text, index):
        if text in NAMES.get(index, []):
            return NAMES[index].index(text) + RANGES[index][0]
        return int(text)

    def wants_date(self, day_number):
        if day_number not in self.known_dates:
            date = (zonedata.EPOCH + timedelta(days=day_number)).date()
            self.known_dates[day_number] = self.decide_date(date)
        return self.known_dates[day_number]

    def decide_date(self, date):
        if date.month not in self.month:
            return False
        by_day = any(self.day_item(item, date) for item in self.day_items)
        by_weekday = any(self.weekday_item(item, date) for item in self.weekday_items)
        if self.any_day or self.any_weekday:
            return by_day and by_weekday
        return by_day or by_weekday

    def day_item(self, text, date):
        if text == "L":
            return date.day == calendar.monthrange(date.year, date.month)[1]
        return date.day in self.item(text, 3)

    def weekday_item(self, text, date):
        weekday = (date.weekday() + 1) % 7
        if "#" in text:
            wanted, week = text.split("#")
            return weekday == self.value(wanted, 5) % 7 and (date.day - 1) // 7 + 1 == int(week)
        if text.endswith("L"):
            last = calendar.monthrange(date.year, date.month)[1]
            return weekday == self.value(text[:-1], 5) % 7 and date.day > last - 7
        return weekday in self.item(text, 5)

    def wants(self, local):
        """Whether a local second is wanted."""
        day, rest = divmod(local, 86_400)
        return (
            rest // 60 % 60 in self.minute
            and rest // 3600 in self.hour
            and rest % 60 in self.second
            and self.wants_date(day)
        )


class Window:
    """Some hours of a zone, step by step, and what clocks showed at each step."""

    # As long as the largest overlap, so that every first occurrence is seen.
    LEAD = 30 * 3600

    def __init__(self, tz, start, end, step):
        self.start, self.end = start, end
        # Offsets are whole minutes since 1972 and change on whole minutes.
        self.instants = []
        self.locals = []
        for minute in range(start - self.LEAD, end, 60):
            offset = zonedata.offset(tz, minute)
            for instant in range(minute, minute + 60, step):
                self.instants.append(instant)
                self.locals.append(instant + offset)
        self.step = step
        self.shown = {}
        for instant, local in zip(self.instants, self.locals):
            self.shown.setdefault(local, []).append(instant)
        self.latest = []
        for local in self.locals:
            self.latest.append(max(local, self.latest[-1]) if self.latest else local)

    def inside(self, instants):
        return sorted({t for t in instants if self.start <= t < self.end})

    def elapsed(self, expression):
        """Every step at which the local time is wanted."""
        return self.inside(
            t for t, local in zip(self.instants, self.locals) if expression.wants(local)
        )

    def wall(self, expression, dst):
        """Every local time in the window that is wanted, at the instants that `dst` gives it."""
        fired = []
        for local in range(self.locals[0], self.latest[-1] + 1, self.step):
            if not expression.wants(local):
                continue
            shown = self.shown.get(local)
            if shown:
                fired += shown if dst == "every_occurrence" else shown[:1]
            elif dst != "skip_missing":
                # The first step at which clocks showed something later.
                fired.append(self.instants[bisect.bisect_left(self.latest, local)])
        return self.inside(fired)
