"""Streaks and brain tokens: the days of each learner counted anew, whenever something became known."""

from bisect import bisect_left
from collections import namedtuple
from types import SimpleNamespace

from places import DAY, text_of_day

GRACE = 3 * 3600
LAYOVER = 2 * DAY
MILESTONES = (3, 7, 14, 30)


class Flight(namedtuple("Flight", "origin place at")):
    """A learner's flight from the clocks of one place to those of another."""

    def follows(self, study):
        """Whether a study was made before it, by the calendar of where it began."""
        return study.ended_at < self.at and self.origin.day(study.ended_at) == study.day

    def stretches(self, studies):
        """The days after each study before it over which it may lead: two only when it gains more than a day."""
        for study in filter(self.follows, studies):
            days = [study.day + 1]
            gains_two = any(s.day == study.day + 3 and self.origin.day(s.ended_at) <= study.day + 1 for s in studies)
            if gains_two or self.place.day(study.ended_at) >= study.day + 2:
                days.append(study.day + 2)
            if self.at <= max(self.origin.start_of(days[0] + 1), self.place.start_of(days[-1] + 2)) + GRACE:
                yield study, days

    def ends(self, studies):
        """When each day that it may lead over is over at both ends, the earlier of two there counting for both."""
        ends = {}
        for _, days in self.stretches(studies):
            for day in days:
                over = max(self.place.start_of(day + 1), self.origin.start_of(days[0] + 1)) + GRACE
                ends[day] = max(over, ends.get(day, over))
        return ends

    def lacks(self, studies, second):
        """The days that one of both calendars does not have between two studies."""
        ends = self.ends(studies)
        for study, days in self.stretches(studies):
            for day in days:
                is_there = any(
                    day < s.day <= days[-1] + 1 and self.origin.day(s.ended_at) <= days[0] for s in studies)
                if is_there or second >= ends[day] and self.place.day(study.ended_at) >= day:
                    yield day


class Fold:
    """One learner's streak, told in the order in which things became known."""

    def __init__(self, facts, learner, accepted):
        self.facts, self.learner, self.accepted = facts, learner, accepted
        self.repaired, self.flown, self.lost = set(), set(), set()
        self.entries, self.milestones = {}, set()
        self.longest = 0
        self.now = SimpleNamespace(state="none", length=0, start=None, last=None, missed=None)
        self.deadline = None

    @property
    def balance(self):
        return sum(self.entries.values())

    def enter(self, entry, amount):
        self.entries.setdefault(entry, amount)

    def look(self, second, state, flight):
        """What is true as of a second, for a learner in that state after that flight."""
        place = state and self.facts.places[state.zone]
        if place is None:
            return
        studies = self.facts.studies(self.learner, second)
        studied = {s.day for s in studies}
        for day in sorted(self.repaired & studied):
            self.give_back(day)
        self.flown -= studied
        self.lost -= studied
        for day in sorted(set(flight.lacks(studies, second)) - studied - self.flown if flight else ()):
            self.fly_over(day)
        self.deadline = None
        if studied:
            ends = flight.ends(studies) if flight else {}
            self.walk(studied, state, place, ends, second)

    def give_back(self, day):
        self.repaired.remove(day)
        self.enter(f"returned:{text_of_day(day)}", 1 if self.balance < 3 else 0)

    def fly_over(self, day):
        """Lets the chain go on over a day, for which no token is due."""
        if day in self.repaired:
            self.give_back(day)
        self.lost.discard(day)
        self.flown.add(day)

    def walk(self, studied, state, place, ends, second):
        chain = SimpleNamespace(state="kept", length=0, start=min(studied), last=None, missed=None)
        day = chain.start
        while True:
            if day in studied:
                chain.length, chain.last = chain.length + 1, day
            elif day in self.repaired or day in self.flown:
                chain.last = day
            else:
                self.earn(chain)
                fate = self.fate(day, state, place, ends, second)
                if fate == "waits":
                    break
                if fate == "repairable":
                    chain.state, chain.missed = "repairable", day
                    break
                if fate == "repaired":
                    continue
                later = [other for other in studied if other > day]
                if not later:
                    chain = SimpleNamespace(state="none", length=0, start=None, last=None, missed=None)
                    break
                chain.length, chain.start, day = 0, min(later), min(later)
                continue
            day += 1
        self.now = chain

    def earn(self, chain):
        """What a chain has earned and none was given that began on one of its days."""
        self.longest = max(self.longest, chain.length)
        own = {text_of_day(day) for day in range(chain.start, chain.last + 1)}
        for days in MILESTONES:
            if days <= chain.length and not any((start, days) in self.milestones for start in own):
                self.milestones.add((text_of_day(chain.start), days))
        earned = [entry.split(":") for entry in self.entries if entry.startswith("earned:")]
        given = sum(start in own for _, start, _ in earned)
        for token in range(given + 1, chain.length // 7 + 1):
            self.enter(f"earned:{text_of_day(chain.start)}:{7 * token}", 1 if self.balance < 3 else 0)

    def fate(self, day, state, place, ends, second):
        """What becomes of a day that was not studied and that the chain reaches."""
        if day in self.lost:
            return "lost"
        over = ends.get(day, place.start_of(day + 1) + GRACE)
        if second < over:
            self.deadline = over
            return "waits"
        lapses = place.start_of(day + 2) + GRACE
        if self.balance == 0 and second < lapses:
            # Without a token, but one may still come in time.
            return "lost"
        if self.balance > 0:
            accepted = self.accepted.get(text_of_day(day))
            if state.auto_repair and second < lapses or (
                    accepted is not None and accepted <= second and accepted < lapses):
                self.repaired.add(day)
                self.enter(f"spent:{text_of_day(day)}", -1)
                return "repaired"
            if second < lapses:
                self.deadline = lapses
                return "repairable"
        self.lost.add(day)
        return "lost"


class Streaks:
    def __init__(self, facts, verdict):
        self.facts, self.verdict = facts, verdict
        self.ticks = facts.runs_of("detect_streak_breaks", "settle_rewards")
        self.streaks = {
            row.user_id: row for row in facts.database.rows(
                "user_id% state length% longest% started_on last_day missed_day", "learning.streaks")}
        self.entries = facts.by_learner("entry amount%", "learning.token_entries")
        self.awards = facts.by_learner("started_on days% reason", "learning.awards")
        self.balances = {
            row.user_id: row.balance
            for row in facts.database.rows("user_id% balance%", "learning.brain_tokens")}
        self.accepted = facts.by_learner(
            "day accepted_at@",
            "learning.streak_repairs JOIN demo.repairs USING (user_id, day) WHERE accepted_at = accepts_at")

    def judge(self):
        folds = {learner: self.folded(learner) for learner in self.facts.sessions}
        folds = {learner: fold for learner, fold in folds.items() if fold}
        check = self.verdict.check
        check("streaks that the rules do not give", len(folds), self.wrong_streaks(folds))
        check("token entries that the rules do not give", len(folds), self.wrong_entries(folds))
        check("token balances that are not the sum of their entries", *self.wrong_balances())
        check("milestones that the rules do not give", len(folds), self.wrong_milestones(folds))

    def folded(self, learner):
        """The learner's days; nothing for one in a zone that nobody knows."""
        states = self.facts.states[learner]
        if any(self.facts.places[state.zone] is None for state in states):
            return None
        accepted = {row.day: row.accepted_at for row in self.accepted.get(learner, [])}
        fold = Fold(self.facts, learner, accepted)
        studies = [s for s in self.facts.sessions[learner] if s.is_study]
        coming = sorted({s.server_received_at for s in studies} | set(accepted.values()) | self.wishes(states))
        coming += [self.ticks[-1]]
        second = coming[0]
        while second <= self.ticks[-1]:
            # The learner's row is known to a run as of then, and not as it was before.
            tick = self.tick_at(second)
            fold.look(second, self.facts.state(learner, tick), self.flight(states, tick))
            later = [at for at in coming if at > second][:1] + [at for at in [fold.deadline] if at]
            if not later:
                break
            second = max(min(later), second + 1)
        return fold

    def flight(self, states, second):
        """The latest flight that the jobs have heard of by then, from where it began: nobody tells of earlier days."""
        flight = None
        for before, state in zip(states, states[1:]):
            if state.zone == before.zone or not self.facts.begin < state.changed_at <= second:
                continue
            origin, at = self.facts.places[before.zone], state.changed_at
            if flight and at - flight.at < LAYOVER:
                origin = flight.origin
            flight = Flight(origin, self.facts.places[state.zone], at)
        return flight

    @staticmethod
    def wishes(states):
        """When the learner began to want tokens spent without being asked."""
        return {state.changed_at for before, state in zip(states, states[1:])
                if state.auto_repair and not before.auto_repair}

    def tick_at(self, second):
        index = bisect_left(self.ticks, second)
        return self.ticks[min(index, len(self.ticks) - 1)]

    def wrong_streaks(self, folds):
        for learner, fold in folds.items():
            row, now = self.streaks.get(learner), fold.now
            ruled = (now.state, now.length, fold.longest)
            if row is None:
                if fold.longest:
                    yield f"learner {learner}: no row, by the rules {ruled}"
                continue
            written = (row.state, row.length, row.longest)
            if now.length:
                ruled += tuple(day and text_of_day(day) for day in (now.start, now.last, now.missed))
                written += (row.started_on, row.last_day, row.missed_day)
            if written != ruled:
                yield f"learner {learner}: {written}, by the rules {ruled}"

    def wrong_entries(self, folds):
        for learner, fold in folds.items():
            written = {e.entry: e.amount for e in self.entries.get(learner, [])}
            if written != fold.entries:
                odd = sorted(set(written.items()) ^ set(fold.entries.items()))
                yield f"learner {learner}: {odd[:4]}, written {len(written)}, by the rules {len(fold.entries)}"

    def wrong_balances(self):
        learners = self.balances.keys() | self.entries.keys()
        sums = {learner: sum(e.amount for e in self.entries.get(learner, [])) for learner in learners}
        return len(learners), (
            f"learner {learner}: {self.balances.get(learner)}, the sum is {total}"
            for learner, total in sorted(sums.items())
            if self.balances.get(learner, 0) != total or not 0 <= total <= 3)

    def wrong_milestones(self, folds):
        for learner, fold in folds.items():
            written = {(a.started_on, a.days) for a in self.awards.get(learner, [])
                       if a.reason == "milestone"}
            if written != fold.milestones:
                yield f"learner {learner}: {sorted(written ^ fold.milestones)[:6]}"
