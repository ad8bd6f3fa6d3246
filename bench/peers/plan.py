"""When the push of a learner's day goes out: its window, what quiet hours leave of it, and its minute."""

import datetime
import math
from collections import Counter, namedtuple

from .clocks import DAY, SECOND, first_instant, instant_of_minute, start_of_day

DELAY = LENGTH = datetime.timedelta(minutes=45)
HABIT_DAYS, HABIT_STUDIES = 14, 3
EPOCH = datetime.date(1970, 1, 1)

# `minutes` are those since 1970 of its window, or none; `begins` is when it is decided.
Plan = namedtuple("Plan", "day kind evidence_at minutes reason begins")


def plan_for(day, person, studies):
    """The push of a day, by the studies that bear on it and what is known of the learner."""
    zone, latest = person.zone, studies[-1] if studies else None
    kind = "first" if latest is None else "follow_up" if latest.local_day >= day else "reminder"
    begin = beginning(kind, day, person, studies)
    minutes, reason = what_is_left(begin, kind, day, person)
    if minutes:
        begin = instant_of_minute(minutes.start)
    else:
        begin = min(max(begin, start_of_day(day, zone)), start_of_day(day + DAY, zone) - SECOND)
    return Plan(day, kind, latest and latest.ended_at, minutes, reason, begin)


def beginning(kind, day, person, studies):
    if kind == "first":
        return first_instant(day, 60 * person.first_minute, person.zone)
    if kind == "follow_up":
        return studies[-1].ended_at + DELAY
    return first_instant(day, usual_second(day, studies, person.zone), person.zone) + DELAY


def usual_second(day, studies, zone):
    """The habit of the days before, else the time of the latest study."""
    minutes = [second_of_day(study.ended_at, zone) // 60 for study in studies
               if day - HABIT_DAYS * DAY <= study.local_day < day]
    if len(minutes) < HABIT_STUDIES:
        return second_of_day(studies[-1].ended_at, zone)
    return 60 * circular_median(minutes)


def second_of_day(moment, zone):
    shown = moment.astimezone(zone)
    return shown.hour * 3600 + shown.minute * 60 + shown.second


def circular_median(minutes):
    """The minute with the least sum of distances to all others around the clock; of several the smallest."""
    counts = Counter(minutes)
    return min(counts, key=lambda one: (sum(
        count * min(abs(one - other), 1440 - abs(one - other)) for other, count in counts.items()), one))


def what_is_left(begin, kind, day, person):
    """The minutes on the day and outside of quiet hours, or those before them; or none, and why."""
    minutes, zone = whole_minutes(begin, begin + LENGTH), person.zone
    left = longest_stretch(minutes, day, quiet_hours(person), zone)
    if left:
        return left, None
    is_over = not longest_stretch(minutes, day, (0, 0), zone)
    if kind != "follow_up":
        left = hurried(day, is_over, quiet_hours(person), zone)
        return left, None if left else "quiet_hours"
    if not is_over:
        return left, "quiet_hours"
    return left, "window_passed" if begin + LENGTH <= start_of_day(day, zone) else "day_over"


def hurried(day, is_over, quiet, zone):
    """The last minutes before quiet hours or, where a window lies behind its day, before both ends."""
    is_before_quiet = not is_over or quiet[0] > quiet[1]
    end = first_instant(day, 60 * quiet[0], zone) if is_before_quiet else start_of_day(day + DAY, zone)
    return longest_stretch(whole_minutes(end - LENGTH, end), day, quiet, zone)


def longest_stretch(minutes, day, quiet, zone):
    """The longest stretch of these minutes on the day and outside of quiet hours, the earliest of several."""
    longest = stretch = range(0)
    number = (day - EPOCH).days
    for minute, second in zip(minutes, shown_seconds(minutes, zone)):
        if second // 86_400 == number and not is_quiet(second % 86_400 // 60, quiet):
            stretch = range(stretch.start if stretch else minute, minute + 1)
        else:
            stretch = range(0)
        if len(stretch) > len(longest):
            longest = stretch
    return longest


def quiet_hours(person):
    return person.quiet_from, person.quiet_to


def is_quiet(minute, quiet):
    begin, end = quiet
    return begin <= minute < end if begin <= end else minute >= begin or minute < end


def shown_seconds(minutes, zone):
    """What the clocks show at each of some minutes, in seconds since 1970."""
    if not minutes:
        return []
    if (ahead := seconds_ahead(minutes[0], zone)) == seconds_ahead(minutes[-1], zone):
        return [60 * minute + ahead for minute in minutes]
    return [60 * minute + seconds_ahead(minute, zone) for minute in minutes]


def seconds_ahead(minute, zone):
    return int(instant_of_minute(minute).astimezone(zone).utcoffset().total_seconds())


def whole_minutes(begin, end):
    first = math.ceil(begin.timestamp() / 60)
    return range(first, max(first, math.floor(end.timestamp() / 60)))
