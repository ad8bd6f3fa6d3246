"""Writes when cron expressions fire: `python cron.py OUT_DIR SEED`.

cronsim.tsv holds the first ticks that cronsim finds, scan.tsv all ticks of a short window that
a scan of every minute (or second) of it finds. Columns, separated by tabs: class or dst option,
expression, zone, from, to, ticks; instants are seconds since 1970.
"""

import pathlib
import random
import sys
from datetime import datetime

import zonedata
from cronscan import Expression, NAMES, Window
from cronsim import CronSim
from zonedata import DAY, UTC

CRONSIM_CASES = 22_000
SCAN_CASES = 2_200
SECOND_SCAN_CASES = 100
FIRINGS = 6
MOST_IN_WINDOW = 150


class Generator:
    """Random expressions that cronsim and we read alike.

    That leaves out `5-5/2`: a range of one value is that value, but cronsim counts on from it.
    """

    def __init__(self, rng):
        self.rng = rng

    def range(self, low, high):
        first, last = sorted(self.rng.sample(range(low, high + 1), 2))
        return f"{first}-{last}"

    def restricted(self, low, high):
        """A list without any star, for most of the time short."""
        kind = self.rng.random()
        if kind < 0.55:
            return str(self.rng.randint(low, high))
        if kind < 0.8:
            count = self.rng.randint(2, 4)
            return ",".join(str(v) for v in self.rng.sample(range(low, high + 1), count))
        text = self.range(low, high)
        first, last = map(int, text.split("-"))
        if first == low and last == high:
            return str(low)
        return text if kind < 0.9 else f"{text}/{self.rng.randint(1, min(9, high - low))}"

    def minute(self, may_star):
        if may_star and self.rng.random() < 0.4:
            return self.rng.choice(["*", "*/5", "*/10", "*/15", "*/20", "*/30", "*/7"])
        return self.restricted(0, 59)

    def restricted_hour(self, night):
        """Mostly the hours at which clocks change."""
        if self.rng.random() < 0.6:
            return str((night + self.rng.randint(-1, 1)) % 24)
        return self.restricted(0, 23)

    def month(self):
        if self.rng.random() < 0.85:
            return "*"
        if self.rng.random() < 0.3:
            return self.rng.choice(NAMES[4])
        return self.restricted(1, 12)

    def date_fields(self, date):
        """Day, month and weekday; no day that its months do not have."""
        day, weekday = self.days(date)
        has_rare_day = day.isdigit() and int(day) > 28
        return f"{day} {'*' if has_rare_day else self.month()} {weekday}"

    def days(self, date):
        """The day and the weekday field, mostly such that they want the date in question."""
        kind = self.rng.random()
        weekday = (date.weekday() + 1) % 7
        if kind < 0.55:
            return "*", "*"
        if kind < 0.7:
            return self.rng.choice([str(date.day), self.restricted(1, 28), "L", "*/2"]), "*"
        if kind < 0.9:
            week = (date.day - 1) // 7 + 1
            words = [str(weekday), NAMES[5][weekday], f"{weekday}#{week}", f"{weekday}L", "1-5"]
            return "*", self.rng.choice(words + ["7", "MON-FRI", "5-7", "0,6"])
        return self.restricted(1, 28), str(weekday)


def far_enough(change):
    """After 1972, when the last zone moved its clocks by less than a minute."""
    return change > 3 * 365 * DAY


def zone_changes():
    """(name, instant, shift) for every change of every zone that is not a copy."""
    found = []
    for group in zonedata.groups():
        tz = zonedata.zone(group[0])
        for change in filter(far_enough, zonedata.changes(group[0])):
            shift = zonedata.offset(tz, change) - zonedata.offset(tz, change - 1)
            found.append((group[0], change, shift))
    return found


def night_of(tz, change):
    """The local hour and date that the change takes or gives."""
    local = min(zonedata.local(tz, change - 1) + 1, zonedata.local(tz, change))
    date = zonedata.EPOCH.fromtimestamp(local, UTC).date()
    return local // 3600 % 24, date


def is_single(tz, second):
    """Whether clocks show this time once, so that a local time is a fair place to begin."""
    shown = [local for local in range(second - 4 * 3600, second + 4 * 3600, 900)]
    return len({zonedata.offset(tz, t) for t in shown}) == 1


def cronsim_case(rng, generator, changes):
    """One case in which cronsim means what we mean.

    Left out by rule, since cronsim differs there on purpose or by mistake:
    - a wall schedule whose minute or hour begins with `*`: it follows cronie, which skips such
      times in a gap and doubles them in an overlap;
    - `0-23` and other ways to write all hours: it knows the elapsed class by a literal `*` only;
    - a shift of the clocks by other than whole hours in or near the case: it looks at minutes
      before it has found the hour, and loses a firing;
    - a zone whose clocks still go back over a midnight they have shown (St_Johns did so at 00:01):
      it goes to the beginning of the next wanted day, finds itself a day back, and never ends;
    - a beginning inside or next to an overlap: it starts from the local time alone.
    """
    name, change, shift = rng.choice(changes)
    tz = zonedata.zone(name)
    start = change - rng.randint(DAY // 2, 3 * DAY)
    if shift % 3600 or not is_single(tz, start) or LAST_STEP_BACK.get(name, 0) > start - DAY:
        return None
    night, date = night_of(tz, change)
    is_elapsed = rng.random() < 0.3
    hour = "*" if is_elapsed else generator.restricted_hour(night)
    text = f"{generator.minute(is_elapsed)} {hour} {generator.date_fields(date)}"
    if not is_elapsed and len(Expression(text).hour) == 24:
        return None
    fires = CronSim(text, datetime.fromtimestamp(start, tz))
    ticks = [int(next(fires).astimezone(UTC).timestamp()) for _ in range(FIRINGS)]
    if has_odd_shift(name, start, ticks[-1]):
        return None
    return ("once", text, name, start, ticks[-1], ticks)


ODD_SHIFTS = {}
# For each zone the last change that took its date back.
LAST_STEP_BACK = {}


def has_odd_shift(name, start, end):
    odd = ODD_SHIFTS.get(name, [])
    return any(start - DAY <= change <= end + DAY for change in odd)


def scan_expression(generator, rng, kind, night, date, with_seconds):
    minute = generator.minute(may_star=True)
    if kind == "elapsed":
        hour = rng.choice(["*", "*", "*/1", "0-23"])
    else:
        hour = rng.choice([generator.restricted_hour(night), "*/2", "*/3", "0-22", "1-23"])
    seconds = f"{generator.minute(may_star=True)} " if with_seconds else ""
    return f"{seconds}{minute} {hour} {generator.date_fields(date)}"


def scan_cases(rng, generator, changes, step, wanted):
    """The same number of cases of each class, several to a window."""
    cases = []
    counts = dict.fromkeys(["elapsed", "once", "every_occurrence", "skip_missing"], 0)
    while min(counts.values()) < wanted:
        name, change, _ = rng.choice(changes)
        tz = zonedata.zone(name)
        night, date = night_of(tz, change)
        length = 3 * DAY // 2 if step == 60 else 4 * 3600
        start = change - rng.randint(length // 4, length * 3 // 4)
        start -= start % 60
        window = Window(tz, start, start + length, step)
        for kind in sorted(counts) * 5:
            text = scan_expression(generator, rng, kind, night, date, step == 1)
            if (len(Expression(text).hour) == 24) != (kind == "elapsed"):
                continue
            if kind == "elapsed":
                ticks = window.elapsed(Expression(text))
            else:
                ticks = window.wall(Expression(text), kind)
            if len(ticks) > MOST_IN_WINDOW or (not ticks and rng.random() < 0.9):
                continue
            dst = rng.choice(["once", "every_occurrence"]) if kind == "elapsed" else kind
            cases.append((dst, text, name, start, start + length, ticks))
            counts[kind] += 1
    return cases, counts


def write(path, cases):
    lines = [
        "\t".join(map(str, [*case[:5], ",".join(map(str, case[5]))])) + "\n" for case in cases
    ]
    path.write_text("".join(lines))


def main():
    out = pathlib.Path(sys.argv[1])
    rng = random.Random(int(sys.argv[2]))
    generator = Generator(rng)
    changes = zone_changes()
    for name, change, shift in changes:
        tz = zonedata.zone(name)
        if shift % 3600:
            ODD_SHIFTS.setdefault(name, []).append(change)
        if zonedata.local(tz, change) // DAY < zonedata.local(tz, change - 1) // DAY:
            LAST_STEP_BACK[name] = change
    cases = []
    while len(cases) < CRONSIM_CASES:
        case = cronsim_case(rng, generator, changes)
        if case:
            cases.append(case)
    write(out / "cronsim.tsv", cases)
    minutes, counts = scan_cases(rng, generator, changes, 60, SCAN_CASES)
    seconds, second_counts = scan_cases(rng, generator, changes, 1, SECOND_SCAN_CASES)
    write(out / "scan.tsv", minutes + seconds)
    print(f"cron: {len(cases)} cases of cronsim")
    print(f"cron: scans of every minute: {counts}, of every second: {second_counts}")


main()
