"""The events that tell how a streak became another."""

from .clocks import DAY


class Step:
    """What happened to a streak at one instant."""

    def __init__(self, at, before, arrived):
        self.at, self.before, self.arrived, self.repaired, self.gave_back = at, before, arrived, [], False

    def events(self, after):
        """In the order of their columns: event, day, cause, length before and after, instant."""
        told = self.ending(after) or self.growth(after)
        events = [told] if told else []
        length = told[4] if told else self.before.length
        for day, cause in self.repaired:
            events.append(("repaired", day, cause, length if events else self.before.length, after.length, self.at))
        if after.missed_day and after.missed_day != self.before.missed_day:
            events.append(("repairable", after.missed_day, "missed_with_token", after.length, after.length, self.at))
        return events

    def ending(self, after):
        """The event that a chain has ended, when it has: only one that begins later takes its place then."""
        old = self.before.chain
        if old is None or after.chain and after.chain.started_on <= old.last_day:
            return None
        cause = "not_repaired_in_time" if self.before.missed_day else "missed_without_token"
        return "reset", self.before.missed_day or old.last_day + DAY, cause, old.length, after.length, self.at

    def growth(self, after):
        if after.chain is None:
            return None
        new = [day for day in self.arrived if after.chain.covers(day)]
        if self.is_restored(after, new):
            day = min(new, default=self.before.missed_day or after.chain.last_day)
            cause = "studied_late" if new or self.gave_back else "seen_anew"
            return "restored", day, cause, self.before.length, after.length, self.at
        if after.length <= self.before.length or self.repaired:
            return None
        return ("extended", max(new, default=after.chain.last_day), "studied" if new else "seen_anew",
                self.before.length, after.length, self.at)

    def is_restored(self, after, new):
        """Whether what was undone brings back more days than have just arrived."""
        old = self.before.chain
        return self.gave_back or old is not None and after.chain.last_day < old.started_on or not self.repaired and (
            self.before.missed_day is not None and after.missed_day is None
            or after.length > self.before.length + max(len(new), 1))
