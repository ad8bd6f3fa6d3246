"""Reviews: each measure by its formula, and the reviews of each learner's latest day with answers."""

from collections import defaultdict
from math import isclose, sqrt

from places import text_of_day

WEEK = 7 * 86_400


def measure(attempts):
    """(ewma, hint rate, first try rate, conquest) over the latest fifty; nothing without one."""
    latest = attempts[-50:]
    if not latest:
        return None
    ewma = float(latest[0].correct)
    for attempt in latest[1:]:
        ewma = 0.1 * attempt.correct + 0.9 * ewma
    hints = sum(a.hint_used for a in latest) / len(latest)
    firsts = sum(a.first_try for a in latest) / len(latest)
    return ewma, hints, firsts, ewma * sqrt(1 - hints) * sqrt(firsts)


def trend(now, before):
    if before is None:
        return "steady"
    return "rising" if now - before >= 0.05 else "falling" if now - before <= -0.05 else "steady"


class Reviews:
    def __init__(self, facts, verdict):
        self.facts, self.verdict = facts, verdict
        self.now = facts.ran["recommend_review"]
        self.ticks = facts.runs_of("recommend_review")
        self.attempts = facts.by_learner(
            "pattern_id% attempt_id% correct? hint_used? first_try? answered% received_at@",
            "(SELECT *, (extract(epoch FROM answered_at) * 1000000)::bigint AS answered FROM learning.attempts"
            f" WHERE received_at <= to_timestamp({self.now}) AND answered_at <= received_at + interval '10 minutes') AS a"
            " ORDER BY user_id, answered_at, attempt_id")
        self.measured = facts.by_learner(
            "pattern_id% ewma# hint_rate# first_try_rate# conquest# week_before# trend attempts%",
            "learning.pattern_conquest")
        self.reviews = facts.by_learner(
            "local_day rank% pattern_id% difficulty sentences% locked? conquest#",
            "learning.reviews ORDER BY user_id, local_day, rank")

    def judge(self):
        count = sum(map(len, self.measured.values()))
        self.verdict.check("measures that the formula does not give", count, self.wrong_measures())
        self.verdict.check("reviews of a latest day that the rules do not give", *self.wrong_reviews())

    def knows(self, learner):
        return self.facts.places[self.facts.states[learner][-1].zone] is not None

    def patterns(self, learner, second):
        found = defaultdict(list)
        for attempt in self.attempts.get(learner, []):
            if attempt.received_at <= second:
                found[attempt.pattern_id].append(attempt)
        return found

    def wrong_measures(self):
        for learner in self.attempts:
            if not self.knows(learner):
                continue
            written = {m.pattern_id: m for m in self.measured.get(learner, [])}
            patterns = self.patterns(learner, self.now)
            for pattern in sorted(patterns.keys() | written.keys()):
                ruled, row = self.ruled(patterns.get(pattern, [])), written.get(pattern)
                if row is None or ruled is None or not self.is_same(row, ruled):
                    yield f"learner {learner}, pattern {pattern}: {row}, by the formula {ruled}"

    @staticmethod
    def ruled(attempts):
        if not attempts:
            return None
        newest = attempts[-1].answered
        before = measure([a for a in attempts if a.answered <= newest - WEEK * 1_000_000])
        now = measure(attempts)
        return *now, before and before[3], trend(now[3], before and before[3]), len(attempts[-50:])

    @staticmethod
    def is_same(row, ruled):
        numbers = (row.ewma, row.hint_rate, row.first_try_rate, row.conquest, row.week_before)
        return (row.trend, row.attempts) == ruled[5:] and all(
            (one is None) == (other is None)
            and (one is None or isclose(one, other, rel_tol=1e-9, abs_tol=1e-12))
            for one, other in zip(numbers, ruled[:5]))

    def wrong_reviews(self):
        """The latest run that saw new answers of a learner: its reviews are those of that day."""
        wrong, count = [], 0
        for learner, attempts in self.attempts.items():
            if not self.knows(learner):
                continue
            arrived = max(a.received_at for a in attempts)
            run = next((tick for tick in self.ticks if tick >= arrived), None)
            state = self.facts.state(learner, run or 0)
            place = state and self.facts.places[state.zone]
            if place is None:
                continue
            count += 1
            day = text_of_day(place.day(run))
            ruled = self.recommended(
                self.patterns(learner, run), self.plan_at_last(learner, state, place.day(run)))
            written = [
                (r.rank, r.pattern_id, r.difficulty, r.sentences, r.locked)
                for r in self.reviews.get(learner, []) if r.local_day == day]
            if written != ruled:
                wrong.append(f"learner {learner}, {day}: {written}, by the rules {ruled}")
        return count, wrong

    def plan_at_last(self, learner, state, day):
        """The plan as of the last run that still saw the day: it opens and locks what is there."""
        for later in self.facts.states[learner]:
            place = self.facts.places[later.zone]
            run = next((tick for tick in self.ticks if tick >= later.changed_at), None)
            if run and later.changed_at > state.changed_at and place.day(run) == day:
                state = later
        return state.plan

    @staticmethod
    def recommended(patterns, plan):
        known = sorted(
            (measure(attempts)[3], pattern)
            for pattern, attempts in patterns.items() if len(attempts) >= 5)
        return [
            (rank, pattern,
             "advanced" if conquest >= 0.75 else "basic" if conquest < 0.5 else "standard",
             8 if conquest < 0.25 else 7 if conquest < 0.5 else 6 if conquest < 0.75 else 5,
             plan == "free" and rank > 1)
            for rank, (conquest, pattern) in enumerate(known[:3], 1)]
