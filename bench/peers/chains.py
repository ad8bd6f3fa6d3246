"""Days in a row of one learner, and when they are over."""

import datetime
from collections import namedtuple

from .clocks import DAY, local_day, start_of_day

GRACE = datetime.timedelta(hours=3)


class Chain(namedtuple("Chain", "started_on last_day length")):
    """Days of which each was studied or repaired; its length is that of the studied ones."""

    def covers(self, day):
        return self.started_on <= day <= self.last_day


class Days:
    """The days that hold chains together."""

    def __init__(self, repaired):
        self.studied, self.repaired = set(), set(repaired)

    def are_filled(self, day):
        return day in self.studied or day in self.repaired

    def chain_around(self, day):
        first = last = day
        while self.are_filled(first - DAY):
            first -= DAY
        while self.are_filled(last + DAY):
            last += DAY
        days = (first + number * DAY for number in range((last - first).days + 1))
        return Chain(first, last, sum(day in self.studied for day in days))

    def chains(self):
        found = []
        for day in sorted(self.studied):
            if not found or day > found[-1].last_day:
                found.append(self.chain_around(day))
        return found

    def first_studied_after(self, day):
        return min((other for other in self.studied if other > day), default=None)


def end_of(day, zone):
    """When a day can be told to be missed."""
    return start_of_day(day + DAY, zone) + GRACE


def last_day_over(moment, zone):
    # The clocks may have gone back over midnight: then the day shows again, although it was over.
    day = local_day(moment - GRACE, zone) + DAY
    while end_of(day, zone) > moment:
        day -= DAY
    return day
