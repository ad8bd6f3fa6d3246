"""One learner's streak, brought up to date by what has become known, each thing at its own instant."""

import dataclasses
import datetime

from .chains import Chain, Days, end_of, last_day_over
from .clocks import DAY
from .story import Step


@dataclasses.dataclass
class Streak:
    state: str = "none"
    chain: Chain = None
    longest: int = 0
    missed_day: datetime.date = None
    check_at: datetime.datetime = None
    changed_at: datetime.datetime = None

    @property
    def length(self):
        return self.chain.length if self.chain else 0

    @property
    def what_is_told(self):
        return self.state, self.chain, self.missed_day, self.longest


@dataclasses.dataclass
class Repair:
    state: str
    offered_at: datetime.datetime
    accepted_at: datetime.datetime = None
    ended_at: datetime.datetime = None

    @property
    def is_open(self):
        return self.state in ("offered", "accepted")


class Fold:
    """So a task that comes late, or sees much at once, decides what one in time would have decided."""

    def __init__(self, zone, wants_repair_since, saved, repairs, studies, purse):
        self.zone, self.saved, self.wants_repair, self.purse = zone, saved, wants_repair_since is not None, purse
        self.streak = dataclasses.replace(saved) if saved else Streak()
        self.days = Days(day for day, repair in repairs.items() if repair.state == "repaired")
        self.repairs = {day: accepted(repair, wants_repair_since) for day, repair in repairs.items()}
        # The first study of each day, in the order in which they were received.
        self.coming, self.events, self.changed_repairs = studies, [], set()

    def go_on(self, until):
        last = None
        if self.saved:
            # Again at the instant of the last change: a study may have been committed late, the zone moved.
            last = self.saved.changed_at
            self.arrivals(last)
            self.settle(last, [], is_again=True)
        while (moment := self.next_after(last)) and moment <= until:
            self.settle(moment, self.arrivals(moment), is_again=False)
            last = moment

    def next_after(self, last):
        accepted_ones = [repair.accepted_at for repair in self.repairs.values()
                         if repair.state == "accepted" and (last is None or repair.accepted_at > last)]
        moments = [received for received, _ in self.coming[:1]] + accepted_ones
        return min(moments + [self.streak.check_at] if self.streak.check_at else moments, default=None)

    def arrivals(self, moment):
        """The days of the studies that were received by then, which count from now on."""
        arrived = [day for received, day in self.coming if received <= moment]
        self.coming = self.coming[len(arrived):]
        self.days.studied.update(arrived)
        return arrived

    def settle(self, at, arrived, is_again):
        """Comes to what holds at an instant: first the studies, then accepted repairs, then the day that is over."""
        before, entries = dataclasses.replace(self.streak), len(self.purse.entries)
        repairs = {day: dataclasses.replace(repair) for day, repair in self.repairs.items()}
        step = Step(at, before, arrived)
        self.give_back(step)
        for chain in self.days.chains() if is_again else map(self.days.chain_around, arrived):
            self.reward(chain, at)
        self.accept(step)
        self.judge(step)
        if self.streak.chain:
            self.reward(self.streak.chain, at)
        self.events += step.events(self.streak)
        if (len(self.purse.entries) > entries or repairs != self.repairs
                or before.what_is_told != self.streak.what_is_told):
            self.streak.changed_at = at

    def give_back(self, step):
        """Undoes repairs of days that were studied after all."""
        for day, repair in sorted(self.repairs.items()):
            if day in self.days.studied and repair.state == "repaired":
                self.days.repaired.discard(day)
                self.purse.give_back(day, self.days.chain_around(day), step.at)
                self.end(day, "returned", step.at)
                step.gave_back = True
            elif day in self.days.studied and repair.is_open:
                self.end(day, "withdrawn", step.at)

    def reward(self, chain, at):
        self.streak.longest = max(self.streak.longest, chain.length)
        self.purse.reward(chain, at)

    def accept(self, step):
        """Spends a token on each day whose repair was accepted in time."""
        for day, repair in sorted(self.repairs.items()):
            if (repair.state == "accepted" and repair.accepted_at <= step.at
                    and repair.accepted_at < end_of(day + DAY, self.zone) and self.purse.spend(day, step.at)):
                self.days.repaired.add(day)
                self.end(day, "repaired", step.at)
                step.repaired.append((day, "accepted"))

    def end(self, day, state, at):
        self.repairs[day].state, self.repairs[day].ended_at = state, at
        self.changed_repairs.add(day)

    def judge(self, step):
        """Finds the chain that goes on, or that the latest day that is over has broken."""
        over = last_day_over(step.at, self.zone)
        for day, repair in sorted(self.repairs.items()):
            if day != over and repair.is_open:
                self.end(day, "lapsed" if day < over else "withdrawn", step.at)
        streak = self.streak
        streak.state, streak.chain, streak.missed_day = self.standing(over, step)
        last = streak.missed_day or streak.chain and streak.chain.last_day
        streak.check_at = end_of(last + DAY, self.zone) if last else None

    def standing(self, over, step):
        if self.days.are_filled(over):
            return "kept", self.days.chain_around(over), None
        if self.days.are_filled(over - DAY) and self.offers_repair(over, step):
            chain = self.days.chain_around(over - DAY)
            return ("kept", chain, None) if over in self.days.repaired else ("repairable", chain, over)
        following = self.days.first_studied_after(over)
        return ("kept", self.days.chain_around(following), None) if following else ("none", None, None)

    def offers_repair(self, day, step):
        """Whether a token can repair a day, or has."""
        known = self.repairs.get(day)
        if known and known.is_open:
            return True
        if known and known.state != "withdrawn" or self.purse.balance == 0:
            return False
        self.repairs[day] = Repair("offered", step.at)
        self.changed_repairs.add(day)
        # Whoever accepted what was then withdrawn, as they moved west, is not asked again.
        was_accepted = known is not None and known.accepted_at is not None
        if (self.wants_repair or was_accepted) and self.purse.spend(day, step.at):
            self.repairs[day].accepted_at = step.at
            self.end(day, "repaired", step.at)
            self.days.repaired.add(day)
            step.repaired.append((day, "accepted" if was_accepted else "auto_repair"))
        return True


def accepted(repair, since):
    """The same, accepted where it waits for a learner who wants no more to be asked."""
    if repair.state != "offered" or since is None:
        return repair
    return dataclasses.replace(repair, state="accepted", accepted_at=max(since, repair.offered_at))
